//===- Similar.cpp - Names that were meant --------------------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "baco/Expression/Similar.h"

#include <algorithm>

using namespace baco;

static char lower(char c) { return c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c; }

/// Levenshtein's distance; the case of letters doesn't count.
static size_t editDistance(std::string_view a, std::string_view b) {
  std::vector<size_t> row(b.size() + 1);
  for (size_t j = 0; j <= b.size(); ++j)
    row[j] = j;
  for (size_t i = 1; i <= a.size(); ++i) {
    size_t diagonal = row[0];
    row[0] = i;
    for (size_t j = 1; j <= b.size(); ++j) {
      size_t change = diagonal + (lower(a[i - 1]) != lower(b[j - 1]));
      diagonal = row[j];
      row[j] = std::min({change, row[j] + 1, row[j - 1] + 1});
    }
  }
  return row[b.size()];
}

std::string baco::suggestion(std::string_view name,
                             const std::vector<std::string_view> &known) {
  // Beyond this no name is a misspelling, and the distance costs time.
  constexpr size_t longest = 100;
  if (name.size() > longest)
    return "";
  std::string_view best;
  size_t bestDistance = std::max<size_t>(1, name.size() / 3) + 1;
  for (std::string_view candidate : known) {
    if (candidate.size() > longest)
      continue;
    size_t distance = editDistance(name, candidate);
    if (distance >= bestDistance)
      continue;
    best = candidate;
    bestDistance = distance;
  }
  if (best.empty())
    return "";
  return "; did you mean '" + std::string(best) + "'?";
}
