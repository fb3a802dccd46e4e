//===- KernelSummary.cpp - Summary of tuning a kernel ---------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The summary as text, which is rounded for people. SummaryJson.cpp writes the
// same structure exactly.
//
//===----------------------------------------------------------------------===//

#include "baco/Report/KernelSummary.h"

#include "SummaryLines.h"
#include "baco/Report/Units.h"
#include "baco/Support/Claims.h"
#include "baco/Support/CostUnit.h"
#include "baco/Support/Json.h"

#include <algorithm>
#include <cmath>

using namespace baco;
using namespace baco::report;

static std::string writeCycles(const std::string &label,
                               const std::optional<MeasuredTime> &cost) {
  return cost
             ? pad("  " + label, labelWidth) + formatCycles(cost->timeNs) + "\n"
             : std::string();
}

static std::string writeNumber(const std::string &label,
                               const std::optional<MeasuredTime> &result) {
  if (!result)
    return {};
  std::string text = pad("  " + label, labelWidth) +
                     pad(formatAnyNumber(result->timeNs), labelWidth);
  if (result->spread)
    text += " +-" + formatNumber(100 * *result->spread) + " %";
  return text.substr(0, text.find_last_not_of(' ') + 1) + "\n";
}

static std::string writeMetrics(const std::string &label,
                                const std::vector<Metric> &metrics) {
  std::vector<std::string> items;
  for (const Metric &metric : metrics)
    items.push_back(printable(metric.name) + " = " +
                    formatAnyNumber(metric.value));
  return items.empty() ? std::string() : writeItems(label, items);
}

/// The times, or the costs, of the code that was compared.
static std::string writeTimes(const KernelSummary &summary) {
  bool isTime = summary.unit == CostUnit::Nanoseconds;
  if (!summary.bestMetrics.empty() && !isTime)
    return writeMetrics("default", summary.defaultMetrics) +
           writeMetrics("best", summary.bestMetrics);
  if (summary.unit == CostUnit::Number)
    return writeNumber("default", summary.defaultSchedule) +
           writeNumber("best", summary.best);
  if (summary.isStaticCost())
    return writeCycles("plain", summary.plain) +
           writeCycles("default", summary.defaultSchedule) +
           writeCycles("best", summary.best) +
           writeItems("", {std::string(staticCostNote)});
  return writeTime("plain", summary.plain, summary.flops,
                   summary.countsIntegers) +
         writeTime("default", summary.defaultSchedule, summary.flops,
                   summary.countsIntegers) +
         writeTime("best", summary.best, summary.flops,
                   summary.countsIntegers) +
         writeMetrics("its trial", summary.bestMetrics);
}

/// The number of decimals that show whether an interval near 1 contains 1, and
/// that its ends differ;
/// nullopt for other intervals.
static std::optional<int> decimalsNearOne(std::pair<double, double> interval) {
  auto isNear = [](double ratio) { return ratio > 0.9 && ratio < 1.1; };
  auto [low, high] = interval;
  if (!isNear(low) && !isNear(high))
    return std::nullopt;
  constexpr int fewest = 3, most = 6;
  auto isBlurred = [](double ratio, int decimals) {
    return formatRatio(ratio, decimals) == formatRatio(1, decimals);
  };
  int decimals = fewest;
  auto isPoint = [&](int decimals) {
    return low != high &&
           formatRatio(low, decimals) == formatRatio(high, decimals);
  };
  while (decimals < most &&
         ((low > 1 && isBlurred(low, decimals)) ||
          (high < 1 && isBlurred(high, decimals)) || isPoint(decimals)))
    ++decimals;
  return decimals;
}

std::string report::writeSpeedUp(const SpeedUp &speedup,
                                 const std::string &over) {
  std::optional<int> decimals;
  if (speedup.interval)
    decimals = decimalsNearOne(*speedup.interval);
  auto write = [&](double ratio) {
    return decimals ? formatRatio(ratio, *decimals) : formatRatio(ratio);
  };
  std::string text = write(speedup.ratio) + " over " + over;
  if (speedup.interval)
    text += " (" + write(speedup.interval->first) + " to " +
            write(speedup.interval->second) + ")";
  return text;
}

/// Compares the best schedule that wasn't kept with the code that was kept.
static std::string writeBestOther(const KernelSummary &summary,
                                  const std::string &what,
                                  const std::string &kept) {
  const std::optional<SpeedUp> &other = summary.bestOther;
  if (!other)
    return {};
  std::string verdict = "not distinguishable from ";
  if (other->interval ? other->interval->second < 1 / (1 + minSpeedup)
                      : other->ratio < 1)
    verdict = "slower than ";
  // The rule of few rounds decided.
  else if (other->interval && other->interval->first > 1 + minSpeedup)
    verdict = "faster by less than a comparison of so few rounds can tell "
              "(3 %) than ";
  // It left the comparison as soon as it couldn't be chosen.
  if (summary.isConfirmed && !other->interval)
    verdict = "not faster than ";
  return writeItems("", {what + ": " + writeSpeedUp(*other, kept)}) +
         writeItems("", {verdict + kept});
}

/// The note that the best schedule isn't used, with the reason.
static std::string writeKept(const KernelSummary &summary) {
  if (summary.kept == Kept::Plain)
    return writeItems("", {"plain is certainly faster than the best schedule: "
                           "the original code stays"}) +
           writeBestOther(summary, "the best schedule", "plain");
  if (summary.kept == Kept::Default && summary.isConfirmed)
    return writeItems("", {"no candidate is certainly faster than the default, "
                           "which stays"}) +
           writeBestOther(summary, "the best other candidate", "the default");
  return {};
}

/// The failures in the final comparison.
static std::string writeFinalFailures(const KernelSummary &summary) {
  std::string text;
  for (const auto &[trial, status, message] : summary.finalFailures)
    text +=
        "  trial " + std::to_string(trial) +
        " failed in the final comparison: " + std::string(statusName(status)) +
        (message.empty() ? "" : ": ") + printable(message) + "\n";
  return text;
}

std::optional<std::string>
report::warnOfShortTime(const KernelSummary &summary) {
  constexpr double shortNs = 1000;
  // A replay's times may come from any machine.
  if (summary.unit != CostUnit::Nanoseconds || !summary.plain ||
      !summary.best || !(summary.best->timeNs < shortNs))
    return std::nullopt;
  return "warning: an execution takes " + formatTime(summary.best->timeNs) +
         ", less than a microsecond: the cost of calling it and the state of "
         "the caches matter as much as its schedule; tune the loop around it, "
         "or larger sizes";
}

std::optional<Bottleneck> report::findBottleneck(const KernelSummary &summary) {
  if (!(summary.trialSeconds > 0) || summary.compileSlots == 0)
    return std::nullopt;
  // The search uses a CPU that could compile.
  Bottleneck compiling{"compiling",
                       (summary.compileSeconds + summary.searchSeconds) /
                           (summary.compileSlots * summary.trialSeconds)};
  Bottleneck measuring{"measuring",
                       summary.runSeconds /
                           (summary.runSlots * summary.trialSeconds)};
  return compiling.busyShare > measuring.busyShare ? compiling : measuring;
}

std::optional<uint64_t> report::callsThatPay(const KernelSummary &summary) {
  if (!summary.conversionNs || !summary.plain || !summary.best)
    return std::nullopt;
  double gainNs = summary.plain->timeNs - summary.best->timeNs;
  double calls = std::ceil(*summary.conversionNs / gainNs);
  constexpr double never = 1e15;
  if (!(gainNs > 0) || !(calls < never))
    return std::nullopt;
  return std::max<uint64_t>(1, static_cast<uint64_t>(calls));
}

/// The note about the conversion of sparse tensors to other formats.
static std::string writeConversion(const KernelSummary &summary) {
  if (!summary.conversionNs)
    return {};
  std::vector<std::string> items = {"each call of " + summary.name +
                                    " converts its tensor, which takes " +
                                    formatTime(*summary.conversionNs)};
  if (std::optional<uint64_t> calls = callsThatPay(summary))
    items.push_back("once for many calls it pays after " +
                    std::to_string(*calls) +
                    (*calls == 1 ? " call" : " calls"));
  else if (summary.plain && summary.best)
    items.emplace_back("which never pays");
  if (summary.isPrepared)
    items.push_back("to convert once, call " + summary.name + "_prepare");
  return writeItems("format", items);
}

/// How the time was spent.
static std::string writeDurations(const KernelSummary &summary) {
  std::vector<std::string> trials = {
      "compile " + formatDuration(summary.compileSeconds),
      "run " + formatDuration(summary.runSeconds),
      "search " + formatDuration(summary.searchSeconds)};
  if (std::optional<Bottleneck> bottleneck = findBottleneck(summary))
    trials.push_back(bottleneck->name + " " +
                     formatNumber(100 * bottleneck->busyShare) + " % busy");
  std::vector<std::string> parts = {
      formatDuration(summary.wallSeconds) + ": set-up " +
          formatDuration(summary.setupSeconds),
      "trials " + formatDuration(summary.trialSeconds),
      "finals " + formatDuration(summary.finalSeconds)};
  // Tuners that are done with the CPU soon are no news.
  constexpr double notable = 0.05;
  if (summary.waitedSeconds > notable * summary.wallSeconds)
    parts.push_back("of it waiting for the CPU " +
                    formatDuration(summary.waitedSeconds));
  return writeItems("wall time", parts) + writeItems("trials", trials);
}

/// A parameter's value as in messages: orders in parentheses.
static std::string writeValue(const Json &value) {
  if (value.is_string())
    return printable(value.get<std::string>());
  std::string text = printJson(value);
  if (!value.is_array())
    return text;
  std::string order;
  for (char c : text)
    order += c == '['   ? "("
             : c == ']' ? ")"
             : c == ',' ? ", "
                        : std::string(1, c);
  return order;
}

/// The configuration as `name = value` items, without parameters that have no
/// effect.
static std::vector<std::string> listChoices(const KernelSummary &summary) {
  Json parsed = tryParseJson(summary.configuration);
  std::vector<std::string> items;
  if (!parsed.is_object())
    return items;
  for (const auto &[name, value] : parsed.items())
    if (std::find(summary.inactive.begin(), summary.inactive.end(), name) ==
        summary.inactive.end())
      items.push_back(printable(name) + " = " + writeValue(value));
  return items;
}

/// The kernel's share of the module's budget.
static std::string writeShare(const KernelSummary &summary) {
  if (!summary.share)
    return {};
  const auto &[weight, calls, granted] = *summary.share;
  std::vector<std::string> items = {formatNumber(100 * weight) +
                                    " % of the kernels' time"};
  if (calls && *calls != 1)
    items.push_back(formatCount(*calls) + " calls");
  if (granted > 0)
    items.push_back(std::to_string(granted) + " evaluations granted");
  return writeItems("share", items);
}

std::string report::writeSummaryText(const KernelSummary &summary) {
  if (!summary.sameAs.empty())
    return printable(summary.name) + ": the same kernel as " +
           printable(summary.sameAs) +
           (summary.kept == Kept::Plain ? ": its original code stays as well\n"
                                        : ", whose schedule it gets\n");
  std::string failures = describeFailures(summary.counts);
  std::string text =
      printable(summary.name) + ": " + std::to_string(summary.evaluations) +
      (summary.evaluations == 1 ? " evaluation" : " evaluations") +
      (failures.empty() ? "" : ", ") + failures + "\n";
  text += writeTimes(summary);

  std::vector<std::string> speedups;
  if (summary.speedup)
    speedups.push_back(writeSpeedUp(*summary.speedup, "the default"));
  if (summary.speedupOverPlain)
    speedups.push_back(writeSpeedUp(*summary.speedupOverPlain, "plain"));
  if (!speedups.empty() && !summary.isConfirmed && !summary.isStaticCost())
    speedups.push_back("unconfirmed: from single trials");
  if (!speedups.empty())
    text +=
        writeItems(summary.isStaticCost() ? "by cost" : "speed-up", speedups);
  text += writeKept(summary);
  text += writeShare(summary);
  if (summary.kept == Kept::Plain)
    text += writeItems("chosen", {"the original code"});
  else if (auto choices = listChoices(summary); !choices.empty())
    text += writeItems("chosen", choices);
  text += writeConversion(summary);
  text += writeDurations(summary);
  text += writeFinalFailures(summary);
  for (const std::string &note : summary.notes)
    text += "  " + printable(note) + "\n";
  return text;
}
