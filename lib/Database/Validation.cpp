//===- Validation.cpp - Validation of stored trials -----------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "baco/Database/Validation.h"

#include "JsonLine.h"

#include "baco/Support/CostUnit.h"

#include <algorithm>
#include <cmath>
#include <sstream>
using namespace baco;
using namespace baco::database;

/// Far less than any kernel takes, even if a table has seconds for nanoseconds.
static constexpr double minTimeNs = 1e-6;
/// Thirty years.
static constexpr double maxTimeNs = 1e18;
static constexpr double maxSamples = 1e9;

Json database::parseLine(std::string_view line) {
  return tryParseJson(line, /*maxDepth=*/5);
}

int database::toSampleCount(double samples) {
  return samples >= 0 && samples <= maxSamples ? static_cast<int>(samples) : -1;
}

/// Whether `value` is a possible value of a parameter: a scalar, or an order as
/// an array of integers.
static bool isParameterValue(const Json &value) {
  if (!value.is_array())
    return value.is_primitive() && !value.is_null();
  return std::all_of(value.begin(), value.end(), [](const Json &element) {
    return element.is_number_integer();
  });
}

static std::string findMistakeIn(const std::string &configuration) {
  Json parsed = parseLine(configuration);
  if (!parsed.is_object())
    return "expected an object under 'configuration'";
  for (const auto &[name, value] : parsed.items())
    if (!isParameterValue(value))
      return "parameter '" + name + "' has a value of unknown kind";
  return {};
}

static std::string outOfRange(const char *name, double value,
                              const char *range) {
  std::ostringstream text;
  text << "'" << name << "' must be " << range << ", but is " << value;
  return text.str();
}

bool database::isTime(double ns) { return ns >= minTimeNs && ns <= maxTimeNs; }

std::string database::findMistake(const Outcome &outcome) {
  bool isAnyNumber = costUnitOf(outcome) == CostUnit::Number;
  if (isAnyNumber && !std::isfinite(outcome.timeNs))
    return outOfRange("time_ns", outcome.timeNs, "finite");
  if (outcome.status == Status::Ok && !isAnyNumber && !isTime(outcome.timeNs))
    return outOfRange("time_ns", outcome.timeNs,
                      "1e-06 to 1e18 where the status is ok");
  if (outcome.numSamples < 0)
    return "'samples' must be 0 to 1e9";
  for (auto [name, value] :
       {std::pair("spread", outcome.spread),
        std::pair("compile_ns", outcome.compileNs),
        std::pair("run_ns", outcome.runNs),
        std::pair("narrow_miss", outcome.narrowMiss),
        std::pair("pack_ns", outcome.packNs),
        std::pair("cost_beyond_limits", outcome.costBeyondLimits)})
    if (!std::isnan(value) && !(value >= 0 && value <= maxTimeNs))
      return outOfRange(name, value, "0 to 1e18");
  for (const Metric &metric : outcome.metrics)
    if (!std::isfinite(metric.value))
      return outOfRange(metric.name.c_str(), metric.value, "finite");
  for (double share : outcome.usage)
    if (!(share >= 0 && share <= maxTimeNs))
      return outOfRange("usage", share, "0 to 1e18");
  const KernelResources none;
  const KernelResources &r = outcome.resources ? *outcome.resources : none;
  for (auto [name, value] : {std::pair("registers", r.registers),
                             std::pair("spill_bytes", r.spillBytes),
                             std::pair("shared_bytes", r.sharedBytes),
                             std::pair("stack_bytes", r.stackBytes)})
    if (value < 0)
      return outOfRange(name, static_cast<double>(value), "at least 0");
  return {};
}

std::string database::findMistake(const Trial &trial) {
  std::string mistake = findMistakeIn(trial.configuration);
  return mistake.empty() && trial.outcome ? findMistake(*trial.outcome)
                                          : mistake;
}
