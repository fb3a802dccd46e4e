//===- Replay.cpp - Searches of known spaces ------------------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Runs are independent of each other: threads take the next one that nobody has
// taken and write to its place.
//
//===----------------------------------------------------------------------===//

#include "Replay.h"

#include "baco/Measure/Statistics.h"
#include "baco/Search/DefaultFirst.h"

#include <atomic>
#include <ctime>
#include <deque>
#include <limits>
#include <thread>

using namespace baco;
using namespace baco::bench;
using namespace baco::search;

/// Processor time of this thread so far: what a busy machine does besides
/// doesn't count. Techniques work on their caller's thread.
static double processorSeconds() {
  timespec time;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return double(time.tv_sec) + double(time.tv_nsec) * 1e-9;
}

namespace {

/// A search and its evaluations.
class Replayer {
public:
  Replayer(std::unique_ptr<Optimizer> optimizer, const BenchmarkSpace &space,
           bool failuresAreSlow, std::vector<TransferSource::Trial> *trials)
      : optimizer(std::move(optimizer)), space(space),
        failuresAreSlow(failuresAreSlow), trials(trials) {}

  /// False if the space is exhausted.
  Result<bool> ask() {
    double start = processorSeconds();
    Result<std::optional<Suggestion>> suggestion = optimizer->ask();
    run.askSeconds.push_back(processorSeconds() - start);
    if (!suggestion)
      return suggestion.error();
    if (*suggestion)
      inFlight.push_back(std::move(**suggestion));
    return suggestion->has_value();
  }

  /// Evaluates what was asked for first.
  Result<void> tell() {
    Suggestion suggestion = std::move(inFlight.front());
    inFlight.pop_front();
    Result<Point> point = space.space().toPoint(suggestion.configuration);
    if (!point)
      return point.error();
    std::optional<double> time = space.time(*point);
    Observation observation;
    observation.feasible = time || failuresAreSlow;
    if (observation.feasible)
      observation.objective = time.value_or(space.worst());
    run.failures += !time;
    if (trials)
      trials->push_back({suggestion.configuration, observation});
    best = std::min(best, time.value_or(best));
    run.bestTimes.push_back(best);
    if (Result<void> told = optimizer->tell(suggestion.trial, observation);
        !told)
      return told;
    return cancelUnwanted();
  }

  size_t numEvaluations() const { return run.bestTimes.size(); }

  size_t numInFlight() const { return inFlight.size(); }

  Run finish(size_t budget) {
    run.bestTimes.resize(budget, best);
    return std::move(run);
  }

private:
  Result<void> cancelUnwanted() {
    for (uint64_t trial : optimizer->unwanted()) {
      if (Result<void> cancelled = optimizer->cancel(trial); !cancelled)
        return cancelled;
      std::erase_if(inFlight, [&](const Suggestion &suggestion) {
        return suggestion.trial == trial;
      });
    }
    return {};
  }

  std::unique_ptr<Optimizer> optimizer;
  const BenchmarkSpace &space;
  bool failuresAreSlow;
  /// Null: nobody wants them.
  std::vector<TransferSource::Trial> *trials;
  std::deque<Suggestion> inFlight;
  Run run;
  double best = std::numeric_limits<double>::infinity();
};

} // namespace

/// Searches until the budget is spent or the space is exhausted.
static Result<Run> run(Replayer replayer, const ReplayOptions &options) {
  bool isExhausted = false;
  while (replayer.numEvaluations() < options.budget) {
    while (!isExhausted && replayer.numInFlight() < options.pending &&
           replayer.numEvaluations() + replayer.numInFlight() <
               options.budget) {
      Result<bool> any = replayer.ask();
      if (!any)
        return any.error();
      isExhausted = !*any;
    }
    if (replayer.numInFlight() == 0)
      break;
    if (Result<void> told = replayer.tell(); !told)
      return told.error();
  }
  return replayer.finish(options.budget);
}

/// The optimizer that a replay asks.
static Result<std::unique_ptr<Optimizer>>
makeAsked(std::string_view name, const Space &space,
          const OptimizerOptions &optimizerOptions,
          const ReplayOptions &options) {
  Result<std::unique_ptr<Optimizer>> made =
      makeOptimizer(name, space, optimizerOptions);
  if (made && options.defaultFirst)
    *made = std::make_unique<DefaultFirst>(space, std::move(*made));
  return made;
}

Result<Run> bench::replay(const Technique &technique,
                          const BenchmarkSpace &space,
                          const ReplayOptions &options, uint64_t seed) {
  OptimizerOptions optimizerOptions;
  optimizerOptions.seed = seed;
  if (technique.configure)
    technique.configure(optimizerOptions);
  Result<Space> told = spaceFor(technique, space.space());
  if (!told)
    return told.error();
  Result<std::unique_ptr<Optimizer>> optimizer =
      makeAsked(technique.optimizer, *told, optimizerOptions, options);
  if (!optimizer)
    return optimizer.error();
  ReplayOptions own = options;
  if (technique.pending > 0)
    own.pending = technique.pending;
  return run(Replayer(std::move(*optimizer), space, technique.failuresAreSlow,
                      nullptr),
             own);
}

Result<Run> bench::replay(std::string_view optimizer,
                          const BenchmarkSpace &space,
                          const OptimizerOptions &optimizerOptions,
                          const ReplayOptions &options,
                          std::vector<TransferSource::Trial> *trials) {
  Result<std::unique_ptr<Optimizer>> made =
      makeAsked(optimizer, space.space(), optimizerOptions, options);
  if (!made)
    return made.error();
  return run(
      Replayer(std::move(*made), space, /*failuresAreSlow=*/false, trials),
      options);
}

void bench::forEachInParallel(size_t number, size_t numThreads,
                              const std::function<void(size_t)> &work) {
  std::atomic<size_t> next = 0;
  auto workAll = [&] {
    for (size_t i; (i = next++) < number;)
      work(i);
  };
  std::vector<std::thread> threads;
  for (size_t i = 1; i < numThreads; ++i)
    threads.emplace_back(workAll);
  workAll();
  for (std::thread &thread : threads)
    thread.join();
}

Result<void> bench::runAll(Experiment &experiment) {
  size_t numSeeds = experiment.options.numSeeds;
  size_t numSpaces = experiment.spaces.size();
  size_t numRuns = experiment.techniques.size() * numSpaces * numSeeds;
  experiment.runs.assign(numRuns, Run());
  std::vector<Result<void>> outcomes(numRuns);
  forEachInParallel(numRuns, experiment.options.numThreads, [&](size_t i) {
    const BenchmarkSpace &space = experiment.spaces[i / numSeeds % numSpaces];
    const Technique &technique =
        experiment.techniques[i / numSeeds / numSpaces];
    uint64_t seed = experiment.options.firstSeed + i % numSeeds;
    Result<Run> run = replay(technique, space, experiment.options, seed);
    if (run)
      experiment.runs[i] = std::move(*run);
    else
      outcomes[i] =
          Error{run.error().code, technique.name + " on " + space.name() +
                                      ", seed " + std::to_string(seed) + ": " +
                                      run.error().message};
  });
  for (const Result<void> &outcome : outcomes)
    if (!outcome)
      return outcome;
  return {};
}

Result<AskTimes> bench::measureAsks(const Technique &technique,
                                    const std::vector<BenchmarkSpace> &spaces,
                                    uint64_t seed) {
  constexpr size_t few = 60, many = 200, numAsks = 10;
  ReplayOptions options;
  options.budget = many;
  std::vector<double> atFew, atMany;
  for (const BenchmarkSpace &space : spaces) {
    Result<Run> run = replay(technique, space, options, seed);
    if (!run)
      return run.error();
    const std::vector<double> &asks = run->askSeconds;
    for (auto [end, times] : {std::pair(few, &atFew), {many, &atMany}})
      if (asks.size() >= end)
        times->insert(times->end(), asks.begin() + (end - numAsks),
                      asks.begin() + end);
  }
  return AskTimes{measure::median(atFew), measure::median(atMany)};
}
