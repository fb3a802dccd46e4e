//===- ReportText.cpp - Reports as text -----------------------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "baco/Report/Units.h"
#include "baco/StudyReport/StudyJson.h"
#include "baco/StudyReport/WriteReport.h"

#include <algorithm>
#include <sstream>

using namespace baco;
using namespace baco::studyreport;
using database::Finalist;
using database::Trial;
using search::SlicePoint;

using Table = std::vector<std::vector<std::string>>;

static std::string heading(const std::string &title) {
  return "\n" + title + "\n";
}

static std::string kernelsText(const ReportFacts &facts) {
  Table rows = {{"kernel", "key", "calls", "share", "plain", "default", "tuned",
                 "speed-up", "of bound", "limited by", "trials", "failed"}};
  for (const KernelFacts &kernel : facts.kernels) {
    const StudyFacts &study = facts.studies[kernel.study];
    const Recommendation *chosen = study.chosen.get();
    std::string limit = limitOf(study);
    auto cost = [&](const Outcome *Recommendation::*member) {
      return chosen && chosen->*member
                 ? report::formatCost((chosen->*member)->timeNs,
                                      study.study.unit())
                 : "-";
    };
    rows.push_back(
        {report::printable(study.study.info.name), shortKey(study.study.info),
         study.details && study.details->calls
             ? report::formatNumber(*study.details->calls)
             : "-",
         kernel.share ? percent(*kernel.share) : "-",
         cost(&Recommendation::plain), cost(&Recommendation::byDefault),
         cost(&Recommendation::best),
         chosen && chosen->summary.speedup
             ? report::formatRatio(chosen->summary.speedup->ratio)
             : "-",
         shareOfBound(study) ? percent(*shareOfBound(study)) : "-",
         limit.empty() ? "-" : limit,
         std::to_string(study.study.numEvaluations()),
         std::to_string(study.study.numFailed())});
  }
  std::string text =
      std::to_string(facts.kernels.size()) + " kernels of " +
      report::printable(facts.path) + "\n" +
      report::alignColumns(rows, /*firstRight=*/2, /*numRight=*/10);
  if (facts.tunedNs > 0)
    text += "all calls: " + report::formatTime(facts.defaultNs) +
            " by default, " + report::formatTime(facts.tunedNs) + " tuned, " +
            report::formatRatio(facts.defaultNs / facts.tunedNs) + "\n";
  return text;
}

/// On what code spends its time.
static std::string sharesText(const TimeShares &shares) {
  return percent(shares.computing) + " of the time computing, " +
         percent(shares.moving) + " moving data, " + percent(shares.elsewhere) +
         " elsewhere";
}

/// The time that no code beats, and what makes it: the roofline.
static std::string boundText(const StudyFacts &facts) {
  if (!facts.details || !facts.details->bound())
    return {};
  const database::KernelDetails &details = *facts.details;
  database::TimeBound bound = *details.bound();
  bool isComputing = bound.kind == database::BoundKind::Computing;
  std::string text =
      isComputing
          ? report::formatNumber(*details.flops) + " operations at " +
                report::formatNumber(*details.flopsPerS * 1e-9) + " " +
                report::rateUnit(details.countsIntegers)
          : report::formatNumber(*details.bytes) + " bytes at " +
                report::formatNumber(*details.bytesPerS * 1e-9) + " GB/s";
  text += ", " + std::to_string(details.threads) +
          (details.threads == 1 ? " thread: " : " threads: ") +
          report::formatTime(bound.ns);
  if (std::optional<double> share = shareOfBound(facts))
    text += ", which is " + percent(*share) + " of the best time";
  if (const TimeShares *shares = sharesOfTime(facts))
    text += "; " + sharesText(*shares);
  return heading("bound by " +
                 std::string(isComputing ? "computing" : "memory")) +
         text + "\n";
}

static std::string printableLines(const std::string &text) {
  std::string result;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);)
    result += report::printable(line) + "\n";
  return result;
}

static std::string incumbentsText(const StudyFacts &facts) {
  Table rows = {{"evaluations", "seconds", "trial", "best", "spread"}};
  for (const IncumbentStep &step : facts.incumbents) {
    const Outcome &outcome = *facts.study.trials[step.trial].outcome;
    rows.push_back({std::to_string(step.evaluation),
                    report::formatNumber(step.seconds),
                    std::to_string(step.trial),
                    report::formatCost(outcome.timeNs, facts.study.unit()),
                    outcome.numSamples > 1 ? percent(outcome.spread) : "-"});
  }
  return heading("best so far, by evaluations and seconds of compiling and "
                 "running") +
         report::alignColumns(rows, 0, 5);
}

static std::string secondsText(const StudyFacts &facts) {
  const TrialSeconds &seconds = facts.seconds;
  std::string text = "compile " + report::formatDuration(seconds.compile) +
                     ", run " + report::formatDuration(seconds.run);
  if (seconds.pack > 0)
    text += ", pack " + report::formatDuration(seconds.pack);
  return heading("where the seconds of trials went") + text + "\n";
}

static std::string slicesText(const StudyFacts &facts) {
  Table rows = {
      {"parameter", "best", "predicted", "+-", "worst", "predicted", "+-"}};
  CostUnit unit = facts.study.unit();
  for (size_t p = 0; p < facts.slices.size(); ++p) {
    const std::vector<SlicePoint> &slice = facts.slices[p];
    if (slice.empty())
      continue;
    const Parameter &parameter = facts.space->parameters()[p];
    std::vector<std::string> row = {report::printable(parameter.name())};
    for (const SlicePoint &point :
         {*std::ranges::min_element(slice, {}, &SlicePoint::mean),
          *std::ranges::max_element(slice, {}, &SlicePoint::mean)}) {
      row.push_back(valueText(parameter, point.coordinate));
      row.push_back(report::formatCost(point.mean, unit));
      row.push_back(report::formatCost((point.high - point.low) / 2, unit));
    }
    rows.push_back(std::move(row));
  }
  return heading("each parameter alone, the others as in the best "
                 "configuration, as a model predicts") +
         report::alignColumns(rows);
}

static std::string failuresText(const StudyFacts &facts) {
  std::string text = heading("failures by kind");
  std::map<Status, const Outcome *> examples;
  for (const Trial &trial : facts.study.trials)
    if (const Outcome *result = trial.result())
      examples.emplace(result->status, result);
  Table kinds = {{"kind", "trials", "the first one's message"}};
  for (auto [status, count] : countStatuses(facts.study))
    if (isFailure(status))
      kinds.push_back({std::string(statusName(status)), std::to_string(count),
                       report::printable(examples[status]->message)});
  text += report::alignColumns(kinds);
  constexpr double notable = 0.01;
  Table places = {{"parameter", "explains", "value", "failed", "of"}};
  for (const ParameterFailures &failures : facts.failures)
    for (const ValueFailures &value : failures.values)
      if (failures.share >= notable && value.failed > 0)
        places.push_back({failures.parameter, percent(failures.share),
                          value.value, std::to_string(value.failed),
                          std::to_string(value.trials)});
  return text + heading("where trials fail") +
         (places.size() > 1 ? report::alignColumns(places)
                            : std::string("no parameter explains it\n"));
}

static std::string finalText(const StudyFacts &facts) {
  Table rows = {
      {"final comparison", "time", "spread", "rounds", "fastest", "slowest"}};
  CostUnit unit = facts.study.unit();
  for (const Finalist &finalist : facts.study.lastComparison()->finalists) {
    std::string name = finalist.trial
                           ? "trial " + std::to_string(*finalist.trial)
                           : std::string("plain");
    const Outcome &outcome = finalist.outcome;
    if (outcome.status != Status::Ok) {
      rows.push_back(
          {name, std::string(statusName(outcome.status)), "", "", "", ""});
      continue;
    }
    rows.push_back({name, report::formatCost(outcome.timeNs, unit),
                    outcome.numSamples > 1 ? percent(outcome.spread) : "-",
                    std::to_string(finalist.roundsNs.size()), "", ""});
    if (!finalist.roundsNs.empty()) {
      auto [least, most] = std::ranges::minmax(finalist.roundsNs);
      rows.back()[4] = report::formatCost(least, unit);
      rows.back()[5] = report::formatCost(most, unit);
    }
  }
  return "\n" + report::alignColumns(rows);
}

/// The default beside the configuration to use.
static std::string sideBySideText(const StudyFacts &facts) {
  const StudySummary &study = facts.study;
  if (!facts.chosen || !facts.chosen->final.winner)
    return {};
  Json first = parseOrText(facts.defaultConfiguration),
       second =
           parseOrText(study.trials[*facts.chosen->final.winner].configuration);
  if (!first.is_object() || !second.is_object())
    return {};
  Table rows = {{"parameter", "default", "chosen"}};
  for (const auto &[name, value] : second.items())
    rows.push_back({report::printable(name),
                    first.contains(name)
                        ? report::printable(printJson(first[name]))
                        : std::string("-"),
                    report::printable(printJson(value))});
  return "\n" + report::alignColumns(rows);
}

static std::string studyText(const StudyFacts &facts) {
  std::string text = writeBestDetails(facts.study, facts.chosen.get()) +
                     boundText(facts) + secondsText(facts);
  if (!facts.incumbents.empty())
    text += incumbentsText(facts);
  if (facts.shares)
    text += heading("importance") + writeSharesText(*facts.shares);
  if (!facts.slices.empty())
    text += slicesText(facts);
  if (facts.study.numFailed() > 0)
    text += failuresText(facts);
  if (facts.study.lastComparison())
    text += finalText(facts);
  text += sideBySideText(facts);
  for (const EntryText &entry : facts.entries) {
    text += heading("schedule @" + report::printable(entry.name)) +
            printableLines(entry.text);
  }
  if (facts.details)
    for (const database::Listing &listing : facts.details->listings)
      if (!listing.text.empty())
        text +=
            heading("hottest loop of " +
                    (listing.trial ? "trial " + std::to_string(*listing.trial)
                                   : std::string("the original code"))) +
            (listing.shares ? sharesText(*listing.shares) + "\n" : "") +
            printableLines(listing.text);
  for (const std::string &lack : facts.lacks)
    text += "lacks: " + report::printable(lack) + "\n";
  return text;
}

std::string studyreport::writeReportText(const ReportFacts &facts) {
  std::string text;
  if (facts.kernels.size() > 1)
    text += kernelsText(facts) + "\n";
  for (const StudyFacts &study : facts.studies)
    text += studyText(study) + "\n";
  for (const std::string &lack : facts.lacks)
    text += "lacks: " + report::printable(lack) + "\n";
  return text;
}
