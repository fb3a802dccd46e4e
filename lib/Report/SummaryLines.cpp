//===- SummaryLines.cpp - Lines of summaries ------------------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SummaryLines.h"

#include "baco/Report/Units.h"

using namespace baco;
using namespace baco::report;

static constexpr size_t lineWidth = 80;

std::string report::pad(std::string text, size_t width) {
  return text.size() < width ? text.append(width - text.size(), ' ') : text;
}

static std::string padLeft(const std::string &text, size_t width) {
  return text.size() < width ? std::string(width - text.size(), ' ') + text
                             : text;
}

std::string report::writeItems(const std::string &label,
                               const std::vector<std::string> &items) {
  std::string text, line = pad("  " + label, labelWidth);
  for (size_t i = 0; i < items.size(); ++i) {
    std::string item = items[i] + (i + 1 < items.size() ? "," : "");
    bool isFirst = line.size() <= labelWidth;
    if (!isFirst && line.size() + 1 + item.size() > lineWidth) {
      text += line + "\n";
      line = std::string(labelWidth, ' ');
      isFirst = true;
    }
    line += (isFirst ? "" : " ") + item;
  }
  return text + line + "\n";
}

std::string report::writeTime(const std::string &label,
                              const std::optional<MeasuredTime> &time,
                              const std::optional<double> &flops,
                              bool countsIntegers) {
  if (!time)
    return {};
  std::string spread = "  one run";
  if (time->spread)
    spread = "  +-" + padLeft(formatNumber(100 * *time->spread), 4) + " %";
  std::string text = pad("  " + label, labelWidth) +
                     padLeft(formatTime(time->timeNs), 7) +
                     (flops ? pad(spread, 10) : spread);
  if (flops)
    text += padLeft(formatNumber(*flops / time->timeNs), 8) + " " +
            rateUnit(countsIntegers);
  return text + "\n";
}
