//===- JitEvaluator.cpp - Evaluate by running -----------------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "baco/Driver/JitEvaluator.h"

#include "baco/Format/SpaceFormat.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/JSON.h"
#include "llvm/TargetParser/Host.h"

using namespace baco;
using namespace baco::driver;

/// How often a comparison starts processes: the fewest pairs that give a ratio
/// a 99 % interval (measure::medianInterval).
static constexpr int numRounds = 8;

/// The module's text with locations, so that the worker's messages have them.
static std::string print(mlir::ModuleOp module) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  module.print(stream, mlir::OpPrintingFlags().enableDebugInfo());
  return text;
}

Result<std::unique_ptr<JitEvaluator>> JitEvaluator::create(
    const Kernel &kernel, const Space &space, const std::string &worker,
    const runtime::MeasureOptions &options, const std::atomic<bool> *stop) {
  std::string text;
  llvm::raw_string_ostream(text) << llvm::json::Value(
      llvm::json::Object{{"payload", print(kernel.payload.get())},
                         {"schedule", print(kernel.schedule.get())},
                         {"entry", kernel.name}});
  runtime::MeasureOptions ofRound = options;
  ofRound.timing.comparisonMs /= numRounds;
  Result<std::unique_ptr<measure::WorkerProcess>> process =
      measure::WorkerProcess::start({.program = worker,
                                     .text = std::move(text),
                                     .measure = ofRound,
                                     .stop = stop});
  if (!process)
    return process.error();
  return std::unique_ptr<JitEvaluator>(
      new JitEvaluator(space, std::move(*process), options));
}

Result<void> JitEvaluator::submit(uint64_t trial,
                                  const Configuration &configuration) {
  return worker->submit(trial, writeConfiguration(space, configuration));
}

Result<Outcome> JitEvaluator::wait(uint64_t trial) {
  return worker->wait(trial);
}

void JitEvaluator::recall(const Outcome &outcome) { worker->recall(outcome); }

std::string JitEvaluator::fingerprint() const {
  std::vector<std::string> features;
  for (const auto &[name, enabled] : llvm::sys::getHostCPUFeatures())
    if (enabled)
      features.push_back(name.str());
  llvm::sort(features);
  // A candidate that was stopped may pass under other limits; the CPUs of a
  // machine may differ.
  std::string text;
  llvm::raw_string_ostream(text)
      << "jit " << runtime::protocolVersion << " "
      << llvm::sys::getHostCPUName() << " " << llvm::join(features, ",")
      << " compile " << options.limits.compileTimeoutMs << " run "
      << options.limits.runTimeoutMs << " memory "
      << options.limits.memoryLimitMiB << " trial " << options.timing.trialMs
      << " cpu " << options.cpu;
  return text;
}

const Outcome &JitEvaluator::plain() const { return worker->ready().plain; }

Result<std::vector<runtime::Samples>> JitEvaluator::compare(
    const std::vector<std::optional<Configuration>> &configurations) {
  std::vector<std::optional<std::string>> texts;
  for (const std::optional<Configuration> &configuration : configurations)
    texts.push_back(
        configuration ? std::optional(writeConfiguration(space, *configuration))
                      : std::nullopt);
  std::vector<runtime::Samples> all(texts.size());
  for (int round = 0; round < numRounds; ++round) {
    Result<std::vector<runtime::Samples>> some = worker->compare(texts);
    if (!some)
      return some.error();
    for (auto [samples, ofRound] : llvm::zip_equal(all, *some)) {
      if (round == 0 || samples.outcome.status == Status::Ok)
        samples.outcome = ofRound.outcome;
      std::vector<double> &times = samples.slicesNs.emplace_back();
      for (const std::vector<double> &turn : ofRound.slicesNs)
        llvm::append_range(times, turn);
    }
  }
  for (runtime::Samples &samples : all)
    if (samples.outcome.status == Status::Ok)
      runtime::summarize(samples);
  return all;
}
