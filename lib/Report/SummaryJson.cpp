//===- SummaryJson.cpp - Summaries as JSON --------------------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// For programs: nothing is rounded.
//
//===----------------------------------------------------------------------===//

#include "baco/Report/SummaryJson.h"

#include "FailureJson.h"

#include "baco/Support/CostUnit.h"

#include <cmath>

using namespace baco;
using namespace baco::report;

static Json numberOrNull(std::optional<double> value) {
  return value && std::isfinite(*value) ? Json(*value) : Json(nullptr);
}

static Json timeOrNull(const std::optional<MeasuredTime> &time) {
  return time ? numberOrNull(time->timeNs) : Json(nullptr);
}

/// The static costs of a kernel that wasn't run, in place of its times.
static Json costOrNull(const KernelSummary &summary) {
  if (!summary.isStaticCost())
    return nullptr;
  Json cost;
  cost["plain_cycles"] = timeOrNull(summary.plain);
  cost["default_cycles"] = timeOrNull(summary.defaultSchedule);
  cost["best_cycles"] = timeOrNull(summary.best);
  cost["note"] = staticCostNote;
  return cost;
}

/// The results of a program that prints numbers, in place of times.
static Json resultOrNull(const KernelSummary &summary) {
  if (!summary.bestMetrics.empty()) {
    Json results;
    for (auto [name, metrics] : {std::pair("default", &summary.defaultMetrics),
                                 std::pair("best", &summary.bestMetrics)}) {
      results[name] = metrics->empty() ? Json(nullptr) : Json::object();
      for (const Metric &metric : *metrics)
        results[name][metric.name] = metric.value;
    }
    return results;
  }
  if (summary.unit != CostUnit::Number)
    return nullptr;
  return {{"default", timeOrNull(summary.defaultSchedule)},
          {"best", timeOrNull(summary.best)}};
}

static Json ratioOrNull(const std::optional<SpeedUp> &speedup) {
  return speedup ? numberOrNull(speedup->ratio) : Json(nullptr);
}

static Json intervalOrNull(const std::optional<SpeedUp> &speedup) {
  if (!speedup || !speedup->interval)
    return nullptr;
  return Json::array({numberOrNull(speedup->interval->first),
                      numberOrNull(speedup->interval->second)});
}

static Json shareOrNull(const KernelSummary &summary) {
  if (!summary.share)
    return nullptr;
  const auto &[weight, calls, granted] = *summary.share;
  Json share;
  share["weight"] = numberOrNull(weight);
  share["calls"] = numberOrNull(calls);
  share["granted"] = granted > 0 ? Json(granted) : Json(nullptr);
  return share;
}

Json report::countFailures(const StatusCounts &counts) {
  Json failures = Json::object();
  for (int i = 0; i < numStatuses; ++i) {
    Status status = static_cast<Status>(i);
    if (isFailure(status) && counts[i] > 0)
      failures[std::string(statusName(status))] = counts[i];
  }
  return failures;
}

static Json listFinalFailures(const KernelSummary &summary) {
  Json failures = Json::array();
  for (const auto &[trial, status, message] : summary.finalFailures)
    failures.push_back({{"trial", trial},
                        {"status", statusName(status)},
                        {"message", message}});
  return failures;
}

static Result<Json> write(const KernelSummary &summary) {
  Json configuration;
  if (!summary.configuration.empty()) {
    configuration = tryParseJson(summary.configuration);
    if (!configuration.is_object())
      return Error{ErrorCode::InvalidArgument,
                   "kernel '" + summary.name +
                       "': the configuration isn't a JSON object: " +
                       summary.configuration};
  }
  Json kernel;
  kernel["name"] = summary.name;
  auto timeOf = [&](const std::optional<MeasuredTime> &time) {
    return summary.unit == CostUnit::Nanoseconds ? timeOrNull(time)
                                                 : Json(nullptr);
  };
  kernel["plain_time_ns"] = timeOf(summary.plain);
  kernel["default_time_ns"] = timeOf(summary.defaultSchedule);
  kernel["best_time_ns"] = timeOf(summary.best);
  kernel["speedup"] = ratioOrNull(summary.speedup);
  kernel["speedup_interval"] = intervalOrNull(summary.speedup);
  kernel["keeps_default"] = summary.kept == Kept::Default;
  kernel["best_other_speedup"] = ratioOrNull(summary.bestOther);
  kernel["best_other_interval"] = intervalOrNull(summary.bestOther);
  kernel["speedup_over_plain"] = ratioOrNull(summary.speedupOverPlain);
  kernel["conversion_ns"] = numberOrNull(summary.conversionNs);
  std::optional<uint64_t> calls = callsThatPay(summary);
  kernel["pays_after_calls"] = calls ? Json(*calls) : Json(nullptr);
  kernel["evaluations"] = summary.evaluations;
  kernel["failures"] = countFailures(summary.counts);
  kernel["configuration"] = configuration;
  kernel["wall_seconds"] = numberOrNull(summary.wallSeconds);
  kernel["setup_seconds"] = numberOrNull(summary.setupSeconds);
  kernel["trial_seconds"] = numberOrNull(summary.trialSeconds);
  kernel["search_seconds"] = numberOrNull(summary.searchSeconds);
  kernel["compile_seconds"] = numberOrNull(summary.compileSeconds);
  kernel["run_seconds"] = numberOrNull(summary.runSeconds);
  kernel["final_seconds"] = numberOrNull(summary.finalSeconds);
  kernel["waited_seconds"] = numberOrNull(summary.waitedSeconds);
  std::optional<Bottleneck> bottleneck = findBottleneck(summary);
  kernel["bottleneck"] = bottleneck ? Json(bottleneck->name) : Json(nullptr);
  kernel["busy_share"] =
      bottleneck ? numberOrNull(bottleneck->busyShare) : Json(nullptr);
  kernel["same_as"] =
      summary.sameAs.empty() ? Json(nullptr) : Json(summary.sameAs);
  kernel["share"] = shareOrNull(summary);
  kernel["notes"] = summary.notes;
  kernel["kept"] = summary.kept ? Json(keptName(*summary.kept)) : Json(nullptr);
  kernel["confirmed"] = summary.isConfirmed;
  kernel["speedup_over_plain_interval"] =
      intervalOrNull(summary.speedupOverPlain);
  kernel["final_failures"] = listFinalFailures(summary);
  kernel["static_cost"] = costOrNull(summary);
  kernel["result"] = resultOrNull(summary);
  kernel["kept_for"] =
      summary.keptFor.empty() ? Json(nullptr) : Json(summary.keptFor);
  return kernel;
}

/// A part of the time of a program, in [0, 1].
static Json shareOrNull(const ProgramSummary &summary,
                        const std::optional<double> &timeNs) {
  const MeasuredTime *best = summary.best();
  return best && timeNs ? numberOrNull(*timeNs / best->timeNs) : Json(nullptr);
}

static Json write(const ProgramSummary &summary) {
  Json program;
  const MeasuredTime *best = summary.best();
  program["name"] = summary.name;
  program["kept"] =
      summary.kept ? Json(keptName(*summary.kept)) : Json(nullptr);
  program["plain_time_ns"] = timeOrNull(summary.plain);
  program["default_time_ns"] = timeOrNull(summary.defaultSchedule);
  program["tuned_time_ns"] = timeOrNull(summary.tuned);
  program["best_time_ns"] = best ? numberOrNull(best->timeNs) : Json(nullptr);
  program["speedup"] = ratioOrNull(summary.speedup);
  program["speedup_interval"] = intervalOrNull(summary.speedup);
  program["speedup_over_plain"] = ratioOrNull(summary.speedupOverPlain);
  program["speedup_over_plain_interval"] =
      intervalOrNull(summary.speedupOverPlain);
  Json kernels = Json::array();
  for (const ProgramPart &part : summary.parts)
    kernels.push_back({{"name", part.kernel},
                       {"calls", numberOrNull(part.calls)},
                       {"time_ns", numberOrNull(part.timeNs)},
                       {"share", shareOrNull(summary, part.togetherNs())}});
  program["kernels"] = std::move(kernels);
  std::optional<double> between = timeBetween(summary);
  program["between_kernels_ns"] = numberOrNull(between);
  program["between_kernels_share"] = shareOrNull(summary, between);
  program["wall_seconds"] = numberOrNull(summary.wallSeconds);
  program["notes"] = summary.notes;
  return program;
}

Result<std::string>
report::writeSummaryJson(const std::vector<KernelSummary> &summaries,
                         const std::vector<ProgramSummary> &programs) {
  Json document;
  document["kernels"] = Json::array();
  for (const KernelSummary &summary : summaries) {
    Result<Json> kernel = write(summary);
    if (!kernel)
      return kernel.error();
    document["kernels"].push_back(std::move(*kernel));
  }
  document["programs"] = Json::array();
  for (const ProgramSummary &summary : programs)
    document["programs"].push_back(write(summary));
  return printJson(document, 2) + "\n";
}
