//===- Layout.cpp - How formats differ ------------------------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A coordinate is written in digits, at each of whose bounds some level begins
// or ends. Orders are lists of digits.
//
//===----------------------------------------------------------------------===//

#include "baco/Sparse/Layout.h"

#include <algorithm>
#include <set>

using namespace baco;
using namespace baco::sparse;

/// With one level for dense levels that are neighboring parts of a dimension.
static std::vector<Level> mergeDense(const StorageFormat &format) {
  std::vector<Level> merged;
  for (const Level &level : format.levels) {
    if (!merged.empty() && level.kind == LevelKind::Dense) {
      Level &last = merged.back();
      if (last.kind == LevelKind::Dense && last.dimension == level.dimension &&
          level.modulus > 0 && last.divisor == level.divisor * level.modulus) {
        // The product stays 0, which is none, if the upper part has no modulus.
        last.divisor = level.divisor;
        last.modulus *= level.modulus;
        continue;
      }
    }
    merged.push_back(level);
  }
  // Each of its coordinates is an entry.
  merged.back().isUnique = true;
  return merged;
}

bool sparse::haveSameLayout(const StorageFormat &a, const StorageFormat &b) {
  return mergeDense(a) == mergeDense(b);
}

namespace {
/// A part of the coordinate of a dimension: from the bound of that number on.
struct Digit {
  size_t dimension, number;
  bool operator==(const Digit &) const = default;
};

/// Divisors at which levels of a dimension begin or end.
using Bounds = std::vector<std::set<int64_t>>;
} // namespace

static void addBounds(const StorageFormat &format, Bounds &bounds) {
  for (const Level &level : format.levels) {
    if (level.dimension >= bounds.size())
      bounds.resize(level.dimension + 1);
    bounds[level.dimension].insert(level.divisor);
    if (level.modulus > 0)
      bounds[level.dimension].insert(level.divisor * level.modulus);
  }
}

/// Whether numbers between the bounds are digits: each divides the next one.
static bool areDigits(const std::set<int64_t> &bounds) {
  return std::ranges::adjacent_find(bounds, [](int64_t low, int64_t high) {
           return high % low != 0;
         }) == bounds.end();
}

/// The digits of `level`, the highest first.
static std::vector<Digit> digitsOf(const Level &level, const Bounds &bounds) {
  std::vector<Digit> digits;
  for (size_t number = 0; int64_t bound : bounds[level.dimension]) {
    // A digit is named by its lower bound, so the upper bound of the level
    // begins a digit of the next one.
    if (bound >= level.divisor &&
        (level.modulus == 0 || bound < level.divisor * level.modulus))
      digits.push_back({level.dimension, number});
    ++number;
  }
  std::ranges::reverse(digits);
  return digits;
}

size_t sparse::countLevelsToSort(const StorageFormat &from,
                                 const StorageFormat &to) {
  Bounds bounds;
  addBounds(from, bounds);
  addBounds(to, bounds);
  // Parts such as floordiv 4 and floordiv 6 have no digits in common, and no
  // order follows from the other.
  if (!std::ranges::all_of(bounds, areDigits))
    return to.levels.size();
  std::vector<Digit> rest, wanted;
  for (const Level &level : from.levels)
    std::ranges::copy(digitsOf(level, bounds), std::back_inserter(rest));
  for (const Level &level : to.levels)
    std::ranges::copy(digitsOf(level, bounds), std::back_inserter(wanted));
  // A stable sort by the outer levels keeps the old order of the others.
  auto begin = wanted.begin();
  for (size_t sorted = 0; sorted < to.levels.size(); ++sorted) {
    if (std::equal(rest.begin(), rest.end(), begin, wanted.end()))
      return sorted;
    for (const Digit &digit : digitsOf(to.levels[sorted], bounds)) {
      // The digits of this level are now in their wanted place, and the others
      // keep their old order below them.
      std::erase(rest, digit);
      ++begin;
    }
  }
  return to.levels.size();
}
