//===- Experiments.cpp - Repeated measurements ----------------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Experiments.h"

#include "KernelVariants.h"

#include <filesystem>

using namespace baco;
using namespace baco::bench;
using measure::Samples;

Result<measure::WorkerProcess *> KernelWorkers::use(const std::string &kernel) {
  constexpr int mostUses = 10;
  Entry &entry = entries[kernel];
  if (entry.worker && entry.uses++ < mostUses)
    return entry.worker.get();
  entry = {};
  Result<std::string> text = readKernel(kernel);
  if (!text)
    return text.error();
  auto started = measure::WorkerProcess::start(
      {.program = std::filesystem::read_symlink("/proc/self/exe").string(),
       .text = std::move(*text),
       .measure = measure::ofRound(options)});
  if (!started)
    return started.error();
  entry.worker = std::move(*started);
  return entry.worker.get();
}

Result<int> KernelWorkers::cpu() {
  Result<measure::WorkerProcess *> worker = use(kernelNames().front());
  if (!worker)
    return worker.error();
  return (*worker)->ready().cpu;
}

/// The best of those who challenge the first: as the tuner's finals choose.
static size_t findBest(const std::vector<Samples> &samples) {
  size_t best = 1;
  for (size_t i = 2; i < samples.size(); ++i)
    if (std::pair(-std::ssize(samples[i].slicesNs), samples[i].outcome.timeNs) <
        std::pair(-std::ssize(samples[best].slicesNs),
                  samples[best].outcome.timeNs))
      best = i;
  return best;
}

Result<Record> bench::compare(KernelWorkers &workers, const std::string &kind,
                              int number, uint64_t seed) {
  Record record;
  record.kind = kind;
  record.kernel = kernelNames()[number % kernelNames().size()];
  record.number = number;
  Result<measure::WorkerProcess *> worker = workers.use(record.kernel);
  if (!worker)
    return worker.error();
  bool isEqual = kind == "equal";
  auto compared = measure::compareInRounds(
      **worker,
      {{isEqual ? "base" : "longer"},
       {isEqual ? "same" : "base", /*mayLeave=*/true},
       {isEqual ? "other" : "same", /*mayLeave=*/true}},
      {.seed = seed, .defender = 0});
  if (!compared)
    return compared.error();
  const std::vector<Samples> &samples = compared->finalists;
  for (const Samples &one : samples)
    if (one.outcome.status != Status::Ok)
      return Error{ErrorCode::IOError,
                   record.kernel + ": " + one.outcome.message};
  measure::Ratio ratio = measure::compareRounds(
      samples[0], samples[findBest(samples)], measure::finalConfidence);
  record.ratio = ratio.value;
  record.low = ratio.interval.low;
  record.high = ratio.interval.high;
  record.rounds = static_cast<int>(samples[0].slicesNs.size());
  record.isClaim = measure::isCertainlyLonger(ratio);
  return record;
}

Result<std::map<std::string, TrialTimes>>
bench::repeatTrials(KernelWorkers &workers, int count) {
  std::map<std::string, TrialTimes> all;
  // The same workers all the time: each has one baseline.
  std::vector<measure::WorkerProcess *> used;
  for (const std::string &kernel : kernelNames()) {
    Result<measure::WorkerProcess *> worker = workers.use(kernel);
    if (!worker)
      return worker.error();
    used.push_back(*worker);
  }
  for (int i = 0; i < count; ++i)
    for (size_t k = 0; k < used.size(); ++k) {
      measure::WorkerProcess &worker = *used[k];
      if (Result<void> submitted = worker.submit(i, "base"); !submitted)
        return submitted.error();
      Result<Outcome> outcome = worker.wait(i);
      if (!outcome)
        return outcome.error();
      if (outcome->status != Status::Ok)
        return Error{ErrorCode::IOError,
                     kernelNames()[k] + ": " + outcome->message};
      const runtime::Conditions &conditions = worker.conditions().back();
      TrialTimes &times = all[kernelNames()[k]];
      times.corrected.push_back(outcome->timeNs);
      times.raw.push_back(outcome->timeNs / conditions.clockFactor);
      times.referencesNs.push_back(conditions.referenceNs);
    }
  return all;
}

double bench::spreadOf(const std::vector<double> &values) {
  return (runtime::quantile(values, 0.9) - runtime::quantile(values, 0.1)) /
         (2 * runtime::median(values));
}
