//===- JitEvaluator.cpp - Evaluate by running -----------------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "baco/Driver/JitEvaluator.h"

#include "baco/Database/StudyKey.h"
#include "baco/Driver/StaticEvaluator.h"
#include "baco/Format/SpaceFormat.h"
#include "baco/Measure/Rounds.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/TargetParser/Host.h"

#include <utility>

using namespace baco;
using namespace baco::driver;

/// What tells these libraries from others: their contents, where they are files
/// and not names that the loader finds.
static std::string describeLibraries(llvm::ArrayRef<std::string> sharedLibs) {
  std::string text;
  for (const std::string &file : sharedLibs) {
    auto contents = llvm::MemoryBuffer::getFile(file);
    text += " library " + (contents ? database::contentHash(std::string_view(
                                          (*contents)->getBuffer()))
                                    : file);
  }
  return text;
}

Result<std::unique_ptr<JitEvaluator>> JitEvaluator::create(
    const Kernel &kernel, const Space &space, const std::string &worker,
    llvm::ArrayRef<std::string> sharedLibs, const GpuOptions &gpu,
    const runtime::MeasureOptions &options, const std::atomic<bool> *stop,
    std::function<void(const std::string &)> onWaiting) {
  Result<GpuCompilation> compilation = describeCompilation(kernel, gpu);
  if (!compilation)
    return compilation.error();
  Result<std::unique_ptr<measure::WorkerProcess>> process =
      measure::WorkerProcess::start(
          {.program = worker,
           .text = describeForWorker(kernel, sharedLibs, compilation->options),
           .measure = measure::ofRound(options),
           .stop = stop,
           .onWaiting = std::move(onWaiting)});
  if (!process)
    return process.error();
  return std::unique_ptr<JitEvaluator>(
      new JitEvaluator(space, std::move(*process), options,
                       describeLibraries(sharedLibs) + " " + compilation->key));
}

Result<void> JitEvaluator::submit(uint64_t trial,
                                  const Configuration &configuration) {
  return worker->submit(trial, writeConfiguration(space, configuration));
}

Result<Outcome> JitEvaluator::wait(uint64_t trial) {
  Result<Outcome> outcome = worker->wait(trial);
  double baselineNs = worker->baselineNs();
  if (!outcome || !tellBaseline || baselineNs <= 0)
    return outcome;
  if (Result<void> told = std::exchange(tellBaseline, nullptr)(baselineNs);
      !told)
    return told.error();
  return outcome;
}

void JitEvaluator::cancel(uint64_t trial) { worker->cancel(trial); }
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
      << " caches " << runtime::cachesName(options.timing.caches) << " cpu "
      << options.cpu << " tolerance " << options.tolerance << code
      << (isOnDevice() ? " device " + worker->ready().device : "");
  return text;
}

const runtime::Signature &JitEvaluator::signature() const {
  return worker->ready().signature;
}

const Outcome &JitEvaluator::plain() const { return worker->ready().plain; }

double JitEvaluator::restSeconds() const {
  return worker->ready().restNs * 1e-9;
}

unsigned JitEvaluator::compileSlots() const {
  return worker->ready().compileSlots;
}

int JitEvaluator::cpu() const { return worker->ready().cpu; }

const std::vector<runtime::Conditions> &JitEvaluator::conditions() const {
  return worker->conditions();
}

Result<measure::Comparison>
JitEvaluator::compare(const std::vector<Finalist> &finalists,
                      std::optional<size_t> defender) {
  std::vector<measure::Finalist> texts;
  for (const auto &[configuration, mayLeave] : finalists)
    texts.push_back({configuration ? std::optional(writeConfiguration(
                                         space, *configuration))
                                   : std::nullopt,
                     mayLeave});
  return measure::compareInRounds(*worker, texts,
                                  {.longestMs = longestComparisonMs(),
                                   .seed = comparisonSeed++,
                                   .defender = defender});
}
