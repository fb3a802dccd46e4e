//===- AtfRange.h - Ranges in the words of ATF ------------------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What a tuning parameter of Atf.h may be: interval and set. Include Atf.h.
//
//===----------------------------------------------------------------------===//

#ifndef BACO_SPACE_ATFRANGE_H
#define BACO_SPACE_ATFRANGE_H

#include "baco/Space/Space.h"

#include <algorithm>
#include <concepts>
#include <functional>
#include <initializer_list>
#include <map>
#include <optional>
#include <string>
#include <type_traits>
#include <vector>

namespace baco::atf {

/// The values of a tuning parameter, of any type T. Numbers become an integer
/// or ordinal parameter, in increasing order; true and false a boolean; all
/// else a categorical, in the given order.
template <typename T>
struct Range {
  /// Unless `first`: the values.
  std::vector<T> values;
  /// An interval of integers that isn't listed: first, last, step.
  std::optional<T> first, last, step;
  /// For a range whose function uses parameters before it: the names of these,
  /// and the values that there are for each of theirs.
  std::vector<std::string> uses;
  std::map<std::vector<ParameterValue>, std::vector<T>> valuesFor;
  /// The name of a value in messages and files. Needed for classes; an
  /// enumerator without one is called by its number.
  std::function<std::string(const T &)> nameOf;
  /// Neighbors are told apart by their ratio; numbers > 0 only.
  bool isLog = false;
  /// An error message; empty if it is valid.
  std::string problem;

  Range log() && {
    isLog = true;
    return std::move(*this);
  }
  Range named(std::function<std::string(const T &)> name) && {
    nameOf = std::move(name);
    return std::move(*this);
  }
};

/// More values than that aren't listed.
inline constexpr size_t maxListedValues = size_t(1) << 20;

/// generator(begin), generator(begin + step), ..., for all up to `end`.
/// Duplicates count once.
template <typename T, std::invocable<T> Generator>
auto interval(T begin, T end, T step, Generator generator) {
  Range<std::decay_t<std::invoke_result_t<Generator, T>>> range;
  if (!(step > T(0)))
    range.problem = "the step of an interval must be positive";
  if (!range.problem.empty() || end < begin)
    return range;
  // Counted, so that a sum of rounded steps can't miss the end, nor a small
  // type overflow.
  double number = (double(end) - double(begin)) / double(step);
  if (!(number < double(maxListedValues))) {
    range.problem = "an interval can list at most a million values";
    return range;
  }
  constexpr double roundingError = 1e-9;
  uint64_t last = static_cast<uint64_t>(number * (1 + roundingError));
  for (uint64_t i = 0; i <= last; ++i)
    range.values.push_back(generator(
        std::min(end, static_cast<T>(begin + static_cast<T>(i) * step))));
  return range;
}

template <typename T, std::invocable<T> Generator>
auto interval(T begin, T end, Generator generator) {
  return interval(begin, end, T(1), std::move(generator));
}

/// begin, begin + step, ... up to `end`.
template <typename T>
Range<T> interval(T begin, T end, T step = T(1)) {
  if constexpr (std::same_as<T, bool>) {
    Range<T> range;
    range.values = begin == end ? std::vector{begin} : std::vector{false, true};
    return range;
  } else if constexpr (std::integral<T>) {
    Range<T> range;
    range.first = begin;
    range.last = end;
    range.step = step;
    return range;
  } else {
    return interval(begin, end, step, std::identity());
  }
}

/// These values.
template <typename T>
Range<T> set(std::initializer_list<T> values) {
  Range<T> range;
  range.values = values;
  return range;
}

template <typename T, std::convertible_to<T>... Rest>
Range<T> set(T first, Rest... rest) {
  return set<T>({first, static_cast<T>(rest)...});
}

} // namespace baco::atf

#endif // BACO_SPACE_ATFRANGE_H
