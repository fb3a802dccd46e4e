//===- Units.cpp - Quantities for people ----------------------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// std::to_chars, since printf writes the decimal point of the user's locale.
//
//===----------------------------------------------------------------------===//

#include "baco/Report/Units.h"

#include <charconv>
#include <cmath>

using namespace baco;

static std::string fixed(double value, int decimals) {
  char buffer[400]; // The largest double has 309 digits.
  auto [end, error] = std::to_chars(buffer, buffer + sizeof(buffer), value,
                                    std::chars_format::fixed, decimals);
  return std::string(buffer, end);
}

const char *report::rateUnit(bool countsIntegers) {
  return countsIntegers ? "GOP/s" : "GFLOP/s";
}

std::string report::formatNumber(double value) {
  // The limits are where rounding would give one more digit.
  return fixed(value, value < 9.995 ? 2 : value < 99.95 ? 1 : 0);
}

std::string report::formatCount(double value) {
  return value == std::floor(value) ? fixed(value, 0) : formatNumber(value);
}

std::string report::formatTime(double timeNs) {
  for (const char *unit : {" ns", " us", " ms"}) {
    if (timeNs < 999.5)
      return formatNumber(timeNs) + unit;
    timeNs /= 1000;
  }
  return formatNumber(timeNs) + " s";
}

std::string report::formatCycles(double cycles) {
  return fixed(cycles, 0) + " cycles";
}

std::string report::formatAnyNumber(double value) {
  char buffer[32];
  constexpr int digits = 6;
  auto [end, error] = std::to_chars(buffer, buffer + sizeof(buffer), value,
                                    std::chars_format::general, digits);
  return std::string(buffer, end);
}

std::string report::formatCost(double value, CostUnit unit) {
  switch (unit) {
  case CostUnit::Nanoseconds:
    return formatTime(value);
  case CostUnit::Cycles:
    return formatCycles(value);
  case CostUnit::Number:
    return formatAnyNumber(value);
  }
  return {};
}

std::string report::formatDuration(double seconds) {
  if (seconds < 9.95)
    return fixed(seconds, 1) + " s";
  double whole = std::round(seconds);
  if (whole < 60)
    return fixed(whole, 0) + " s";
  if (whole < 3600)
    return fixed(std::floor(whole / 60), 0) + " min " +
           fixed(std::fmod(whole, 60), 0) + " s";
  double minutes = std::round(whole / 60);
  return fixed(std::floor(minutes / 60), 0) + " h " +
         fixed(std::fmod(minutes, 60), 0) + " min";
}

std::string report::formatRatio(double ratio) {
  return formatNumber(ratio) + "x";
}

std::string report::formatRatio(double ratio, int decimals) {
  return fixed(ratio, decimals) + "x";
}

std::string report::printable(std::string_view text) {
  std::string result(text);
  for (char &c : result)
    if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f)
      c = '?';
  return result;
}
