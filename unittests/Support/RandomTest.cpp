//===- RandomTest.cpp - Tests of the generator ----------------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Known answers come from a script on Python's big integers that follows the
// published definitions of SplitMix64 and xoshiro256++; from the state 1, 2, 3,
// 4 it yields the published 41943041, 58720359, 3588806011781223.
//
//===----------------------------------------------------------------------===//

#include <gtest/gtest.h>

#include "baco/Support/Random.h"

#include <algorithm>
#include <cmath>

using namespace baco;

static std::vector<uint64_t> draw(Random random, int count) {
  std::vector<uint64_t> numbers;
  for (int i = 0; i < count; ++i)
    numbers.push_back(random.next());
  return numbers;
}

TEST(RandomTest, KnownAnswers) {
  EXPECT_EQ(draw(Random(0), 4),
            (std::vector<uint64_t>{0x0c66cfe935bee824, 0xc42bc92356173752,
                                   0x1ee199fde4053f1c, 0xfc817cb340d0bae1}));
  EXPECT_EQ(draw(Random(1), 4),
            (std::vector<uint64_t>{0x01f6573c78b9ec61, 0x94d36fa150789059,
                                   0x2006e5dbb014808f, 0xf631763fafdeab61}));
  EXPECT_EQ(draw(Random(1, 1), 4),
            (std::vector<uint64_t>{0xd6fd73fdab896034, 0xce9f0a44277388c1,
                                   0xb8ceb70cbeddda82, 0xe7a83b44c987b68d}));
  EXPECT_EQ(draw(Random(UINT64_MAX, 7), 4),
            (std::vector<uint64_t>{0x3371e7736f869cd9, 0x4f04396a914829c2,
                                   0x80e6e5bc1901f48e, 0xb2ded43687a70ec9}));
}

TEST(RandomTest, UniformIsTheUpper53Bits) {
  Random random(42);
  EXPECT_EQ(random.uniform(), 0.2954411541943718);
  EXPECT_EQ(random.uniform(), 0.9389403460185249);
  EXPECT_EQ(random.uniform(), 0.2904499976292645);
}

TEST(RandomTest, UniformStaysInItsRange) {
  Random random(3);
  double sum = 0;
  constexpr int n = 100'000;
  for (int i = 0; i < n; ++i) {
    double x = random.uniform(-2, 6);
    ASSERT_GE(x, -2);
    ASSERT_LT(x, 6);
    sum += x;
  }
  // Mean 2, deviation 8 / sqrt(12 n) = 0.0073; five of these.
  EXPECT_NEAR(sum / n, 2, 0.037);
}

TEST(RandomTest, CopiesContinueAlike) {
  Random a(9, 4);
  a.next();
  Random b = a;
  EXPECT_EQ(draw(a, 3), draw(b, 3));
}

TEST(RandomTest, BelowIsUniform) {
  Random random(5);
  constexpr int n = 100'000, bound = 10;
  int counts[bound] = {};
  for (int i = 0; i < n; ++i) {
    uint64_t x = random.below(bound);
    ASSERT_LT(x, uint64_t(bound));
    ++counts[x];
  }
  double chiSquare = 0;
  for (int count : counts)
    chiSquare += std::pow(count - n / bound, 2) / (n / bound);
  // 9 degrees of freedom: 27.88 is exceeded with probability 0.001.
  EXPECT_LT(chiSquare, 27.88);
}

TEST(RandomTest, BelowWithoutModuloBias) {
  // For 3 * 2^62, `next() % bound` would be below 2^62 half of the time.
  Random random(6);
  constexpr uint64_t third = uint64_t(1) << 62;
  int low = 0;
  constexpr int n = 30'000;
  for (int i = 0; i < n; ++i)
    low += random.below(3 * third) < third;
  // Mean n / 3, deviation sqrt(n * 2 / 9) = 82; five of these.
  EXPECT_NEAR(low, n / 3, 410);
}

TEST(RandomTest, BelowOneIsZero) {
  Random random(7);
  for (int i = 0; i < 10; ++i)
    EXPECT_EQ(random.below(1), 0u);
}

TEST(RandomTest, NormalHasTheMomentsOfTheNormal) {
  Random random(8);
  constexpr int n = 200'000;
  double moments[4] = {};
  for (int i = 0; i < n; ++i) {
    double x = random.normal(), power = 1;
    for (double &moment : moments)
      moment += (power *= x) / n;
  }
  // E x^k = 0, 1, 0, 3; the deviations of the means are sqrt(1, 2, 15, 96 / n);
  // five of these.
  EXPECT_NEAR(moments[0], 0, 5 * std::sqrt(1.0 / n));
  EXPECT_NEAR(moments[1], 1, 5 * std::sqrt(2.0 / n));
  EXPECT_NEAR(moments[2], 0, 5 * std::sqrt(15.0 / n));
  EXPECT_NEAR(moments[3], 3, 5 * std::sqrt(96.0 / n));
}

TEST(RandomTest, ShuffleReachesAllOrdersAlike) {
  Random random(10);
  constexpr int n = 24'000;
  std::vector<int> counts(24);
  for (int i = 0; i < n; ++i) {
    std::vector<int> items = {0, 1, 2, 3};
    random.shuffle(items);
    int rank = 0;
    std::vector<int> other = {0, 1, 2, 3};
    while (other != items) {
      ASSERT_TRUE(std::next_permutation(other.begin(), other.end()));
      ++rank;
    }
    ++counts[rank];
  }
  double chiSquare = 0;
  for (int count : counts)
    chiSquare += std::pow(count - n / 24, 2) / (n / 24);
  // 23 degrees of freedom: 49.73 is exceeded with probability 0.001.
  EXPECT_LT(chiSquare, 49.73);
}

TEST(RandomTest, ShuffleOfNothing) {
  Random random(11);
  std::vector<int> none, one = {5};
  random.shuffle(none);
  random.shuffle(one);
  EXPECT_TRUE(none.empty());
  EXPECT_EQ(one, std::vector<int>{5});
}
