//===- PermutationTest.cpp - Tests of orders ------------------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "baco/Expression/Permutation.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

using namespace baco;

TEST(PermutationTest, RanksAreLexicographic) {
  for (int n = 1; n <= 6; ++n) {
    Permutation p(n);
    std::iota(p.begin(), p.end(), 0);
    uint64_t rank = 0;
    do {
      EXPECT_EQ(rankOf(p), rank);
      EXPECT_EQ(permutationAt(n, rank), p);
      ++rank;
    } while (std::next_permutation(p.begin(), p.end()));
    EXPECT_EQ(rank, factorial(n));
  }
}

TEST(PermutationTest, TwentyElements) {
  EXPECT_EQ(factorial(20), 2432902008176640000u);
  Permutation last(20);
  std::iota(last.rbegin(), last.rend(), 0);
  EXPECT_EQ(rankOf(last), factorial(20) - 1);
  EXPECT_EQ(permutationAt(20, factorial(20) - 1), last);
}

TEST(PermutationTest, Empty) {
  EXPECT_EQ(factorial(0), 1u);
  EXPECT_EQ(rankOf({}), 0u);
  EXPECT_EQ(permutationAt(0, 0), Permutation{});
}

TEST(PermutationTest, IsPermutation) {
  EXPECT_TRUE(isPermutation({}));
  EXPECT_TRUE(isPermutation({1, 0, 2}));
  EXPECT_FALSE(isPermutation({1, 1}));
  EXPECT_FALSE(isPermutation({0, 2}));
  EXPECT_FALSE(isPermutation({-1, 0}));
}

TEST(PermutationTest, Inverse) {
  EXPECT_EQ(inverse({2, 0, 1}), (Permutation{1, 2, 0}));
}

// BaCO, Fig. 3: loops (1, 2, 3, 4) get places (2, 4, 3, 1), so that from 0 and
// by position the order is (3, 0, 2, 1).
TEST(PermutationTest, DistancesOfThePaper) {
  Permutation p = {0, 1, 2, 3}, q = {3, 0, 2, 1};
  EXPECT_EQ(inverse(q), (Permutation{1, 3, 2, 0}));
  EXPECT_EQ(kendallDistance(p, q), 4);
  EXPECT_EQ(spearmanDistance(p, q), 14);
  EXPECT_EQ(hammingDistance(p, q), 3);
}

TEST(PermutationTest, ReversalIsFarthest) {
  Permutation p = {0, 1, 2, 3, 4}, q = {4, 3, 2, 1, 0};
  EXPECT_EQ(kendallDistance(p, q), 10);  // n (n - 1) / 2
  EXPECT_EQ(spearmanDistance(p, q), 40); // n (n^2 - 1) / 3
  EXPECT_EQ(hammingDistance(p, q), 4);   // the middle one stays
}

TEST(PermutationTest, DistancesAreSemimetricsOnPositions) {
  for (uint64_t i = 0; i < 24; ++i) {
    for (uint64_t j = 0; j < 24; ++j) {
      Permutation p = permutationAt(4, i), q = permutationAt(4, j);
      for (auto distance :
           {kendallDistance, spearmanDistance, hammingDistance}) {
        EXPECT_EQ(distance(p, q) == 0, i == j);
        EXPECT_EQ(distance(p, q), distance(q, p));
        // Renaming the loops of both changes nothing.
        Permutation r = {1, 3, 0, 2}, rp, rq;
        for (int k = 0; k < 4; ++k) {
          rp.push_back(r[p[k]]);
          rq.push_back(r[q[k]]);
        }
        EXPECT_EQ(distance(rp, rq), distance(p, q));
      }
    }
  }
}
