//===- TransferBenchmark.cpp - Learning from other spaces -----------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A unit of work is a family and a seed: its searches share the sources and the
// searches without lesson.
//
//===----------------------------------------------------------------------===//

#include "TransferBenchmark.h"

#include "Report.h"
#include "Scores.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <set>

using namespace baco;
using namespace baco::bench;
using namespace baco::search;

/// Added to the seeds of the sources' searches.
static constexpr uint64_t sourceSeeds = 1'000'000;

static constexpr size_t fewTrials = 20;

/// How many configurations of a poisoned source promise most.
static constexpr size_t numTraps = 4;

std::string_view bench::nameOf(Lesson lesson) {
  switch (lesson) {
  case Lesson::One:
    return "one";
  case Lesson::Short:
    return "short";
  case Lesson::All:
    return "all";
  case Lesson::Poisoned:
    return "poisoned";
  }
  return "";
}

Result<Lesson> bench::findLesson(std::string_view name) {
  std::string known;
  for (Lesson lesson : allLessons) {
    if (nameOf(lesson) == name)
      return lesson;
    known += (known.empty() ? "" : ", ") + std::string(nameOf(lesson));
  }
  return {ErrorCode::NotFound, "unknown lesson '" + std::string(name) +
                                   "': the known ones are " + known};
}

/// Whether most parameters are the same.
static bool areRelated(const std::set<std::string> &a,
                       const std::set<std::string> &b) {
  size_t common = 0;
  for (const std::string &name : a)
    common += b.contains(name);
  return 4 * common >= 3 * std::max(a.size(), b.size());
}

std::vector<Family>
bench::findFamilies(const std::vector<BenchmarkSpace> &spaces) {
  std::vector<std::pair<std::set<std::string>, Family>> groups;
  for (const BenchmarkSpace &space : spaces) {
    std::set<std::string> names;
    for (const Parameter &parameter : space.space().parameters())
      names.insert(parameter.name());
    auto group = std::ranges::find_if(groups, [&](const auto &each) {
      return each.second.front().group() == space.group() &&
             areRelated(each.first, names);
    });
    if (group == groups.end())
      group = groups.insert(group, {names, {}});
    group->second.push_back(space);
  }
  std::vector<Family> families;
  for (auto &[names, family] : groups)
    if (family.size() > 1)
      families.push_back(std::move(family));
  return families;
}

/// The same trials with the wrong times.
static std::vector<TransferSource::Trial>
poison(std::vector<TransferSource::Trial> trials, uint64_t seed) {
  std::vector<TransferSource::Trial *> works;
  for (TransferSource::Trial &trial : trials)
    if (trial.observation.feasible)
      works.push_back(&trial);
  std::ranges::sort(works, std::greater(), [](const auto *trial) {
    return trial->observation.objective;
  });
  std::vector<double> times;
  for (const TransferSource::Trial *trial : works)
    times.push_back(trial->observation.objective);
  std::sort(times.begin(), times.end());
  size_t traps = std::min(numTraps, times.size());
  std::vector<double> rest(times.begin() + ptrdiff_t(traps), times.end());
  Random random(seed);
  random.shuffle(rest);
  std::copy(rest.begin(), rest.end(), times.begin() + ptrdiff_t(traps));
  for (size_t i = 0; i < works.size(); ++i)
    works[i]->observation.objective = times[i];
  return trials;
}

namespace {

/// One unit of work.
class FamilyRuns {
public:
  FamilyRuns(const Family &family, const std::vector<Lesson> &lessons,
             const ReplayOptions &options, uint64_t seed)
      : family(family), lessons(lessons), options(options), seed(seed) {}

  /// The pairs in the same order for each seed.
  Result<std::vector<TransferPair>> run() {
    for (const BenchmarkSpace &member : family) {
      TransferSource source{member.name(), member.space()};
      Result<Run> search = replay("baco", member, withSeed(seed + sourceSeeds),
                                  options, &source.trials);
      if (!search)
        return search.error();
      sources.push_back(std::move(source));
    }
    std::vector<TransferPair> pairs;
    for (size_t target = 0; target < family.size(); ++target) {
      Result<Run> alone =
          replay("baco", family[target], withSeed(seed), options);
      if (!alone)
        return alone.error();
      for (Lesson lesson : lessons)
        if (Result<void> added = addPairs(target, *alone, lesson, pairs);
            !added)
          return added.error();
    }
    return pairs;
  }

private:
  static OptimizerOptions withSeed(uint64_t seed) {
    OptimizerOptions made;
    made.seed = seed;
    return made;
  }

  TransferSource lessonOf(size_t source, Lesson lesson) const {
    TransferSource taught = sources[source];
    if (lesson == Lesson::Short)
      taught.trials.resize(std::min(fewTrials, taught.trials.size()));
    if (lesson == Lesson::Poisoned)
      taught.trials = poison(std::move(taught.trials), seed);
    return taught;
  }

  Result<void> addPairs(size_t target, const Run &alone, Lesson lesson,
                        std::vector<TransferPair> &pairs) const {
    std::vector<TransferSource> all;
    for (size_t source = 0; source < family.size(); ++source) {
      if (source == target)
        continue;
      all.push_back(lessonOf(source, lesson));
      if (lesson != Lesson::All)
        if (Result<void> added =
                addPair(sources[source].name, target, std::exchange(all, {}),
                        alone, lesson, pairs);
            !added)
          return added;
    }
    // Two spaces have but one source.
    if (all.size() > 1)
      return addPair("", target, std::move(all), alone, lesson, pairs);
    return {};
  }

  Result<void> addPair(const std::string &from, size_t target,
                       std::vector<TransferSource> taught, const Run &alone,
                       Lesson lesson, std::vector<TransferPair> &pairs) const {
    const BenchmarkSpace &space = family[target];
    OptimizerOptions with = withSeed(seed);
    with.sources = std::move(taught);
    Result<Run> run = replay("baco", space, with, options);
    if (!run)
      return run.error();
    std::vector<double> change, without;
    for (size_t k = 1; k <= options.budget; ++k) {
      without.push_back(std::log(ratioAfter(alone, space, k)));
      change.push_back(std::log(ratioAfter(*run, space, k)) - without.back());
    }
    pairs.push_back({from + (from.empty() ? "-> " : " -> ") + space.name(),
                     lesson,
                     {std::move(change)},
                     {std::move(without)}});
    return {};
  }

  const Family &family;
  const std::vector<Lesson> &lessons;
  const ReplayOptions &options;
  uint64_t seed;
  std::vector<TransferSource> sources;
};

} // namespace

Result<std::vector<TransferPair>>
bench::runTransfer(const std::vector<Family> &families,
                   const std::vector<Lesson> &lessons,
                   const ReplayOptions &options) {
  size_t numUnits = families.size() * options.numSeeds;
  std::vector<Result<std::vector<TransferPair>>> units(
      numUnits, std::vector<TransferPair>());
  forEachInParallel(numUnits, options.numThreads, [&](size_t i) {
    units[i] = FamilyRuns(families[i / options.numSeeds], lessons, options,
                          options.firstSeed + i % options.numSeeds)
                   .run();
  });
  std::vector<TransferPair> pairs;
  for (size_t i = 0; i < numUnits; ++i) {
    if (!units[i])
      return units[i].error();
    if (i % options.numSeeds == 0) {
      std::ranges::move(*units[i], std::back_inserter(pairs));
      continue;
    }
    size_t first = pairs.size() - units[i]->size();
    for (size_t k = 0; k < units[i]->size(); ++k) {
      TransferPair &pair = (*units[i])[k];
      pairs[first + k].changes.push_back(std::move(pair.changes.front()));
      pairs[first + k].without.push_back(std::move(pair.without.front()));
    }
  }
  return pairs;
}

static double meanOf(const std::vector<double> &values) {
  return std::accumulate(values.begin(), values.end(), 0.0) /
         double(values.size());
}

TransferScore bench::scoreTransfer(const std::vector<TransferPair> &pairs,
                                   Lesson lesson, size_t evaluations) {
  TransferScore score;
  score.worst = -std::numeric_limits<double>::infinity();
  std::vector<double> without, bySeed;
  size_t numPairs = 0;
  for (const TransferPair &pair : pairs) {
    if (pair.lesson != lesson)
      continue;
    bySeed.resize(std::max(bySeed.size(), pair.changes.size()));
    ++numPairs;
    double sum = 0;
    for (size_t seed = 0; seed < pair.changes.size(); ++seed) {
      double change = pair.changes[seed][evaluations - 1];
      sum += change;
      bySeed[seed] += change;
      without.push_back(pair.without[seed][evaluations - 1]);
    }
    double mean = sum / double(pair.changes.size());
    if (mean > score.worst) {
      score.worst = mean;
      score.worstPair = pair.name;
    }
  }
  if (numPairs == 0)
    return score;
  for (double &sum : bySeed)
    sum /= double(numPairs);
  score.mean = meanOf(bySeed);
  score.without = meanOf(without);
  score.interval = bootstrapMean(bySeed, Random(/*seed=*/0));
  return score;
}

static std::string signedNumber(double value) { return format("%+.3f", value); }

std::vector<ResultTable>
bench::makeTransferTables(const std::vector<TransferPair> &pairs,
                          const ReplayOptions &options, bool hasDetails) {
  std::string seeds = "seeds " + std::to_string(options.firstSeed) + " to " +
                      std::to_string(options.firstSeed + options.numSeeds - 1);
  std::vector<size_t> shown = {options.budget / 3, options.budget * 2 / 3,
                               options.budget};
  ResultTable all, each;
  all.title = "Change of the mean log ratio by earlier searches, " + seeds;
  each.title = "The same for each space, " + seeds;
  all.columns = {"lesson"};
  each.columns = {"lesson", "source -> space"};
  for (size_t evaluations : shown) {
    std::string after = "after " + std::to_string(evaluations);
    all.columns.insert(all.columns.end(), {"without, " + after,
                                           "change, " + after, "worst space"});
    each.columns.insert(each.columns.end(), {"without, " + after, "change"});
  }
  for (Lesson lesson : allLessons) {
    std::vector<std::string> row = {std::string(nameOf(lesson))};
    for (size_t evaluations : shown) {
      TransferScore score = scoreTransfer(pairs, lesson, evaluations);
      if (score.worstPair.empty())
        continue;
      row.push_back(signedNumber(score.without));
      row.push_back(signedNumber(score.mean) + " (" +
                    signedNumber(score.interval.low) + " to " +
                    signedNumber(score.interval.high) + ")");
      row.push_back(signedNumber(score.worst) + " " + score.worstPair);
    }
    if (row.size() == all.columns.size())
      all.rows.push_back(std::move(row));
  }
  for (const TransferPair &pair : pairs) {
    std::vector<std::string> row = {std::string(nameOf(pair.lesson)),
                                    pair.name};
    for (size_t evaluations : shown) {
      TransferScore score = scoreTransfer({pair}, pair.lesson, evaluations);
      row.push_back(signedNumber(score.without));
      row.push_back(signedNumber(score.mean));
    }
    each.rows.push_back(std::move(row));
  }
  if (hasDetails)
    return {std::move(all), std::move(each)};
  return {std::move(all)};
}
