//===- Permutation.cpp - Orders and their distances -----------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "baco/Expression/Permutation.h"

#include <bit>
#include <cassert>

using namespace baco;

uint64_t baco::factorial(int n) {
  assert(n >= 0 && n <= maxPermutationSize && "factorial overflows");
  uint64_t product = 1;
  for (int i = 2; i <= n; ++i)
    product *= i;
  return product;
}

bool baco::isPermutation(const Permutation &p) {
  std::vector<char> seen(p.size(), 0);
  for (int element : p) {
    if (element < 0 || static_cast<size_t>(element) >= p.size() ||
        seen[element])
      return false;
    seen[element] = 1;
  }
  return true;
}

uint64_t baco::rankOf(const Permutation &p) {
  int n = p.size();
  assert(n <= maxPermutationSize && isPermutation(p) && "not a permutation");
  // Digit i of the factorial number system: the number of smaller elements
  // that are still to come.
  uint32_t left = (uint32_t(1) << n) - 1;
  uint64_t rank = 0;
  for (int i = 0; i < n; ++i) {
    uint32_t smaller = left & ((uint32_t(1) << p[i]) - 1);
    rank = rank * (n - i) + std::popcount(smaller);
    left &= ~(uint32_t(1) << p[i]);
  }
  return rank;
}

Permutation baco::permutationAt(int n, uint64_t rank) {
  assert(rank < factorial(n) && "no such permutation");
  Permutation digits(n), left(n);
  for (int i = n - 1; i >= 0; --i) {
    digits[i] = rank % (n - i);
    rank /= n - i;
  }
  for (int i = 0; i < n; ++i)
    left[i] = i;
  for (int &digit : digits) {
    auto chosen = left.begin() + digit;
    digit = *chosen;
    left.erase(chosen);
  }
  return digits;
}

Permutation baco::inverse(const Permutation &p) {
  Permutation places(p.size());
  for (size_t i = 0; i < p.size(); ++i)
    places[p[i]] = i;
  return places;
}

int64_t baco::kendallDistance(const Permutation &p, const Permutation &q) {
  assert(p.size() == q.size() && "sizes differ");
  Permutation a = inverse(p), b = inverse(q);
  int64_t discordant = 0;
  for (size_t i = 0; i < a.size(); ++i)
    for (size_t j = 0; j < i; ++j)
      discordant += (a[i] < a[j]) != (b[i] < b[j]);
  return discordant;
}

int64_t baco::spearmanDistance(const Permutation &p, const Permutation &q) {
  assert(p.size() == q.size() && "sizes differ");
  Permutation a = inverse(p), b = inverse(q);
  int64_t sum = 0;
  for (size_t i = 0; i < a.size(); ++i)
    sum += int64_t(a[i] - b[i]) * (a[i] - b[i]);
  return sum;
}

int64_t baco::hammingDistance(const Permutation &p, const Permutation &q) {
  assert(p.size() == q.size() && "sizes differ");
  // An element keeps its place where both orders hold the same element.
  int64_t moved = 0;
  for (size_t i = 0; i < p.size(); ++i)
    moved += p[i] != q[i];
  return moved;
}
