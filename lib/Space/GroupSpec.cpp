//===- GroupSpec.cpp - Parameters that share conjuncts --------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "GroupSpec.h"

#include <algorithm>
#include <numeric>

using namespace baco;

std::vector<GroupSpec> baco::groupsOf(const std::vector<Conjunct> &conjuncts,
                                      size_t numParameters) {
  std::vector<size_t> leader(numParameters);
  std::iota(leader.begin(), leader.end(), size_t(0));
  auto find = [&](size_t k) {
    while (leader[k] != k)
      k = leader[k] = leader[leader[k]];
    return k;
  };
  std::vector<char> isRead(numParameters, 0);
  for (const Conjunct &conjunct : conjuncts)
    for (size_t k : conjunct.reads) {
      isRead[k] = 1;
      size_t a = find(k), b = find(conjunct.reads.front());
      leader[std::max(a, b)] = std::min(a, b);
    }
  std::vector<GroupSpec> groups;
  std::vector<size_t> indexOf(numParameters);
  for (size_t k = 0; k < numParameters; ++k) {
    if (!isRead[k])
      continue;
    if (find(k) == k) {
      indexOf[k] = groups.size();
      groups.emplace_back();
    }
    groups[indexOf[find(k)]].parameters.push_back(k);
  }
  for (const Conjunct &conjunct : conjuncts)
    groups[indexOf[find(conjunct.reads.front())]].conjuncts.push_back(conjunct);
  return groups;
}
