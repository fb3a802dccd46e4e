//===- ReportFacts.cpp - The facts of a report ----------------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "baco/StudyReport/ReportFacts.h"

#include "baco/Format/SpaceFormat.h"
#include "baco/Report/Units.h"
#include "baco/Support/Complaint.h"

#include <algorithm>
#include <cmath>
#include <map>

using namespace baco;
using namespace baco::studyreport;
using database::StudyInfo;
using database::Trial;

std::string studyreport::valueText(const Parameter &parameter,
                                   double coordinate) {
  std::optional<uint64_t> index = parameter.index(coordinate);
  return report::printable(
      toString(index ? parameter.value(*index) : ParameterValue(coordinate)));
}

static double secondsOf(const Outcome &outcome) {
  return (outcome.compileNs + outcome.runNs) * 1e-9;
}

static std::vector<IncumbentStep> stepsOf(const StudySummary &study) {
  std::vector<std::optional<size_t>> incumbents = incumbentsOf(study);
  std::vector<IncumbentStep> steps;
  IncumbentStep now;
  for (const Trial &trial : study.trials) {
    if (!trial.outcome || trial.outcome->status == Status::Cancelled)
      continue;
    now.seconds += secondsOf(*trial.outcome);
    std::optional<size_t> best = incumbents[now.evaluation++];
    if (!best || (!steps.empty() && steps.back().trial == *best))
      continue;
    now.trial = *best;
    steps.push_back(now);
  }
  return steps;
}

static TrialSeconds sumSeconds(const StudySummary &study) {
  TrialSeconds sum;
  for (const Trial &trial : study.trials)
    if (const auto &outcome = trial.outcome) {
      sum.compile += outcome->compileNs * 1e-9;
      sum.run += outcome->runNs * 1e-9;
      sum.pack += outcome->packNs * 1e-9;
    }
  return sum;
}

/// Counts failures by the values of a parameter, or by groups of them, and
/// tells each trial's group.
static std::pair<ParameterFailures, std::vector<uint32_t>>
countFailures(const Parameter &parameter, size_t index,
              const std::vector<Point> &points,
              const std::vector<double> &failed) {
  constexpr size_t maxGroups = 16;
  std::map<double, uint32_t> groups;
  for (const Point &point : points)
    groups.emplace(point[index], 0);
  ParameterFailures failures{report::printable(parameter.name())};
  size_t rank = 0;
  std::string first;
  for (auto &[coordinate, group] : groups) {
    group = static_cast<uint32_t>(rank++ * std::min(groups.size(), maxGroups) /
                                  groups.size());
    std::string value = valueText(parameter, coordinate);
    if (group == failures.values.size()) {
      failures.values.push_back({value});
      first = value;
    } else {
      failures.values.back().value = first + " to " + value;
    }
  }
  std::vector<uint32_t> labels;
  for (size_t i = 0; i < points.size(); ++i) {
    labels.push_back(groups[points[i][index]]);
    ValueFailures &counts = failures.values[labels.back()];
    ++counts.trials;
    counts.failed += failed[i] > 0;
  }
  return {std::move(failures), std::move(labels)};
}

/// Ends at a configuration that isn't of the space.
static std::vector<ParameterFailures> locateFailures(const StudySummary &study,
                                                     const Space &space) {
  std::vector<Point> points;
  std::vector<double> failed;
  for (const Trial &trial : study.trials) {
    if (!trial.outcome || trial.outcome->status == Status::Cancelled)
      continue;
    points.push_back(need(
        space.toPoint(need(readConfiguration(space, trial.configuration)))));
    failed.push_back(isFailure(trial.result()->status));
  }
  std::vector<ParameterFailures> failures;
  std::vector<std::vector<uint32_t>> labels;
  for (size_t p = 0; p < space.parameters().size(); ++p) {
    auto [counts, groups] =
        countFailures(space.parameters()[p], p, points, failed);
    failures.push_back(std::move(counts));
    labels.push_back(std::move(groups));
  }
  search::VarianceShares shares =
      search::decomposeVariance(labels, failed, /*isSample=*/true);
  for (size_t p = 0; p < failures.size(); ++p)
    failures[p].share = shares.single[p];
  std::ranges::sort(failures, [](const ParameterFailures &a,
                                 const ParameterFailures &b) {
    return std::pair(-a.share, a.parameter) < std::pair(-b.share, b.parameter);
  });
  return failures;
}

/// What models of the trials say. Ends where they can't.
static void explain(StudyFacts &facts, bool hasModels) {
  const StudySummary &study = facts.study;
  const Space &space = facts.space.emplace(need(readSpace(study.info.space)));
  facts.defaultConfiguration =
      study.defaultTrial
          ? study.trials[*study.defaultTrial].configuration
          : writeConfiguration(space,
                               space.toConfiguration(space.defaultPoint()));
  std::vector<ParameterFailures> failures = locateFailures(study, space);
  if (study.numFailed() > 0)
    facts.failures = std::move(failures);
  if (!hasModels) {
    facts.lacks.emplace_back("importance and effects are computed when the "
                             "search has ended");
    return;
  }
  WorkingTrials trials = need(workingTrials(study, space));
  facts.shares = need(findShares(study, space, trials, 0));
  std::optional<size_t> center = study.best;
  if (facts.chosen && facts.chosen->final.winner)
    center = *facts.chosen->final.winner;
  Point point = need(space.toPoint(
      need(readConfiguration(space, study.trials[*center].configuration))));
  facts.slices =
      need(search::findSlices(space, trials.points, trials.costs, point));
}

static void nameLacks(StudyFacts &facts) {
  const StudySummary &study = facts.study;
  auto lack = [&](std::string sentence) {
    facts.lacks.push_back(std::move(sentence));
  };
  if (study.numEvaluations() == 0)
    lack("no trial has an outcome yet");
  else if (!facts.chosen)
    lack("no candidate works");
  else if (!facts.chosen->byDefault)
    lack("the default configuration was not measured, or doesn't work");
  if (!study.lastComparison())
    lack("no final comparison is stored: the search was interrupted, is "
         "running, or made none (schemas 1 and 2 can't store one)");
  if (facts.chosen && !facts.chosen->plain)
    lack("the original code's time isn't stored");
  const auto &details = facts.details;
  if (!details) {
    lack("the kernel's calls and work, the machine's rates and the assembly "
         "aren't stored: a tuner of MLIR stores them with the final comparison "
         "on a CPU");
    return;
  }
  if (!details->calls)
    lack("how often the module calls the kernel is unknown: it counts once");
  if (!details->bound())
    lack("the kernel's bound is unknown: its operations can't be counted, or "
         "its arguments are sparse");
  if (details->listings.empty())
    lack("no assembly is stored: the code has no loop, or can't be "
         "disassembled");
}

static Result<StudyFacts> gatherStudy(const database::Journal &journal,
                                      const std::string &path,
                                      const StudyInfo &info) {
  Result<StudySummary> study = readStudy(journal, path, info);
  if (!study)
    return study.error();
  StudyFacts facts{std::move(*study)};
  if (auto entries = journal.entries(info.key); !entries)
    facts.lacks.push_back("the schedules can't be read: " +
                          entries.error().message);
  else if (entries->empty())
    facts.lacks.emplace_back("no schedule is stored: only a tuner of MLIR "
                             "stores one, when it ends (since schema 7)");
  else
    facts.entries = std::move(*entries);
  facts.details = database::readKernelDetails(info.metadata);
  facts.incumbents = stepsOf(facts.study);
  facts.seconds = sumSeconds(facts.study);
  return facts;
}

/// The second half of gatherStudy, once the study stays where it is: the
/// recommendation points into it.
static void judgeStudy(StudyFacts &facts, bool hasModels) {
  facts.chosen = recommend(facts.study);
  nameLacks(facts);
  if (auto done = attempt([&] { explain(facts, hasModels); }); !done)
    facts.lacks.push_back(
        std::string(facts.space ? "no model of the trials: "
                                : "the space can't be read, so that nothing "
                                  "is known of its parameters: ") +
        report::printable(done.error().message));
}

/// The time that a kernel took before it was tuned; null if unknown.
static const Outcome *timeBefore(const StudyFacts &facts) {
  if (!facts.chosen || facts.study.unit() != CostUnit::Nanoseconds)
    return nullptr;
  return facts.chosen->byDefault ? facts.chosen->byDefault
                                 : facts.chosen->plain;
}

double studyreport::callsOf(const StudyFacts &facts) {
  return facts.details ? facts.details->calls.value_or(1) : 1;
}

std::optional<double> studyreport::shareOfBound(const StudyFacts &facts) {
  const Outcome *best = facts.chosen ? facts.chosen->best : nullptr;
  if (!best || !facts.details || facts.study.unit() != CostUnit::Nanoseconds)
    return std::nullopt;
  std::optional<database::TimeBound> bound = facts.details->bound();
  return bound ? std::optional(bound->ns / best->timeNs) : std::nullopt;
}

const TimeShares *studyreport::sharesOfTime(const StudyFacts &facts) {
  if (!facts.details || !facts.chosen)
    return nullptr;
  for (const database::Listing &listing : facts.details->listings)
    if (listing.trial == facts.chosen->final.winner && listing.shares)
      return &*listing.shares;
  return nullptr;
}

std::string studyreport::limitOf(const StudyFacts &facts) {
  constexpr double near = 0.85, notable = 0.15;
  std::optional<double> reached = shareOfBound(facts);
  if (reached && *reached >= near)
    return "the bound";
  const TimeShares *shares = sharesOfTime(facts);
  if (!shares)
    return {};
  auto name = [](const char *what, double share) {
    return what + (" " + std::to_string(std::lround(100 * share))) + " %";
  };
  if (std::max(shares->moving, shares->elsewhere) < notable)
    return name("computing", shares->computing);
  return shares->moving >= shares->elsewhere
             ? name("moving data", shares->moving)
             : name("elsewhere", shares->elsewhere);
}

static void findKernels(ReportFacts &facts) {
  std::map<std::string, size_t> last;
  for (size_t k = 0; k < facts.studies.size(); ++k) {
    const StudyInfo &info = facts.studies[k].study.info;
    auto [found, isNew] = last.emplace(info.name, k);
    if (!isNew && info.used >= facts.studies[found->second].study.info.used)
      found->second = k;
  }
  double total = 0;
  for (const auto &[name, k] : last) {
    const StudyFacts &study = facts.studies[k];
    const Outcome *before = timeBefore(study);
    double calls = callsOf(study);
    total += before ? calls * before->timeNs : 0;
    if (!before || !study.chosen->best)
      continue;
    facts.defaultNs += calls * before->timeNs;
    facts.tunedNs += calls * study.chosen->best->timeNs;
  }
  for (const auto &[name, k] : last) {
    const StudyFacts &study = facts.studies[k];
    const Outcome *before = timeBefore(study);
    facts.kernels.push_back(
        {k, before && total > 0
                ? std::optional(callsOf(study) * before->timeNs / total)
                : std::nullopt});
  }
  std::ranges::sort(facts.kernels,
                    [](const KernelFacts &a, const KernelFacts &b) {
                      return std::pair(-a.share.value_or(-1), a.study) <
                             std::pair(-b.share.value_or(-1), b.study);
                    });
}

Result<ReportFacts>
studyreport::gatherReport(const database::Journal &journal,
                          const std::string &path,
                          const std::vector<StudyInfo> &infos, bool hasModels) {
  ReportFacts facts;
  facts.path = path;
  for (const StudyInfo &info : infos) {
    Result<StudyFacts> study = gatherStudy(journal, path, info);
    if (!study)
      return study.error();
    facts.studies.push_back(std::move(*study));
  }
  for (StudyFacts &study : facts.studies)
    judgeStudy(study, hasModels);
  findKernels(facts);
  facts.lacks = {
      "the time of suggesting candidates and the wall time of trials aren't "
      "stored: seconds are those of compiling and running"};
  return facts;
}
