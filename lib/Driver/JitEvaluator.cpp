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

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MemoryBuffer.h"

#include <utility>

using namespace baco;
using namespace baco::driver;

/// Identifies the libraries: by the contents of files, and by the names that
/// only the loader finds.
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
    const Kernel &kernel, const Space &space, const WorkerPlace &place,
    llvm::ArrayRef<std::string> sharedLibs, const DeviceOptions &device,
    const runtime::MeasureOptions &options, const std::atomic<bool> *stop,
    const std::function<void(const std::string &, double)> &onWaiting) {
  Result<WorkerSetUp> setUp =
      kernel.target->setUpWorker(kernel, device, /*isStatic=*/false);
  if (!setUp)
    return setUp.error();
  Result<std::vector<std::string>> devices = kernel.target->devices(device.ids);
  if (!devices)
    return devices.error();
  std::vector<measure::WorkerOptions> wanted;
  for (const std::string &device : *devices)
    wanted.push_back(
        {.text = describeForWorker(kernel, sharedLibs, setUp->fields, device),
         .measure = measure::ofRound(options),
         .stop = stop,
         .onWaiting = onWaiting});
  auto workers = place.start(std::move(wanted));
  if (!workers)
    return workers.error();
  return std::unique_ptr<JitEvaluator>(
      new JitEvaluator(space, std::move(*workers), options,
                       describeLibraries(sharedLibs) + " " + setUp->key));
}

std::string JitEvaluator::devices() const {
  return llvm::join(workers->devices(), ", ");
}

Result<void> JitEvaluator::submit(uint64_t trial,
                                  const Configuration &configuration) {
  return workers->submit(trial, writeConfiguration(space, configuration));
}

Result<Outcome> JitEvaluator::wait(uint64_t trial) {
  Result<Outcome> outcome = workers->wait(trial);
  double baselineNs = workers->baselineNs();
  if (!outcome || !tellBaseline || baselineNs <= 0)
    return outcome;
  if (Result<void> told = std::exchange(tellBaseline, nullptr)(baselineNs);
      !told)
    return told.error();
  return outcome;
}

void JitEvaluator::cancel(uint64_t trial) { workers->cancel(trial); }
void JitEvaluator::recall(const Outcome &outcome) { workers->recall(outcome); }

std::string JitEvaluator::fingerprint() const {
  // A candidate that was stopped may pass under other limits; the CPUs of a
  // machine may differ.
  std::string text;
  llvm::raw_string_ostream(text)
      << "jit " << runtime::protocolVersion << " " << machine().cpu << " "
      << machine().features << " compile " << options.limits.compileTimeoutMs
      << " run " << options.limits.runTimeoutMs << " memory "
      << options.limits.memoryLimitMiB << " trial " << options.timing.trialMs
      << " caches " << runtime::cachesName(options.timing.caches) << " cpu "
      << options.cpu << " tolerance " << options.tolerance << code
      << (isOnDevice() ? " device " + devices() : "");
  return text;
}

const runtime::Signature &JitEvaluator::signature() const {
  return ready().signature;
}

const Outcome &JitEvaluator::plain() const { return ready().plain; }

double JitEvaluator::restSeconds() const { return ready().restNs * 1e-9; }

unsigned JitEvaluator::compileSlots() const { return ready().compileSlots; }

int JitEvaluator::cpu() const { return ready().cpu; }

const std::vector<runtime::Conditions> &JitEvaluator::conditions() const {
  return workers->conditions();
}

Result<measure::Comparison>
JitEvaluator::compare(const std::vector<Finalist> &finalists,
                      std::optional<size_t> defender,
                      std::function<void(int)> onRound) {
  std::vector<measure::Finalist> texts;
  for (const auto &[configuration, mayLeave] : finalists)
    texts.push_back({configuration ? std::optional(writeConfiguration(
                                         space, *configuration))
                                   : std::nullopt,
                     mayLeave});
  return workers->compare(texts, {.longestMs = longestComparisonMs(),
                                  .seed = comparisonSeed++,
                                  .defender = defender,
                                  .onRound = std::move(onRound)});
}
