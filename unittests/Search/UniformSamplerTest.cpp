//===- UniformSamplerTest.cpp - Tests of random search --------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "baco/Search/UniformSampler.h"

#include "TestSpaces.h"

#include <map>
#include <set>

using namespace baco;
using namespace baco::search;

TEST(UniformSamplerTest, VisitsEverythingOnce) {
  Space space = mixedSpace();
  UniformSampler sampler(space, 4);
  std::set<Configuration> seen;
  while (auto suggestion = get(sampler.ask())) {
    EXPECT_TRUE(seen.insert(suggestion->configuration).second);
    EXPECT_TRUE(space.check(suggestion->configuration));
    ASSERT_LE(seen.size(), *space.countIfSmall());
  }
  EXPECT_EQ(seen.size(), *space.countIfSmall());
  EXPECT_FALSE(get(sampler.ask()));
}

/// The first and the last of 12 points are uniform over seeds: chi-square with
/// 11 degrees of freedom is below 31.26 with probability 0.999.
TEST(UniformSamplerTest, IsUniform) {
  Space space = gridSpace({"x"}, 12);
  constexpr int runs = 1200;
  std::map<Configuration, int> first, last;
  for (int seed = 0; seed < runs; ++seed) {
    UniformSampler sampler(space, seed);
    Configuration current;
    for (int k = 0; auto suggestion = get(sampler.ask()); ++k) {
      current = suggestion->configuration;
      if (k == 0)
        ++first[current];
    }
    ++last[current];
  }
  for (const auto &counts : {first, last}) {
    EXPECT_EQ(counts.size(), 12u);
    double chiSquare = 0, expected = runs / 12.0;
    for (const auto &[configuration, count] : counts)
      chiSquare += (count - expected) * (count - expected) / expected;
    EXPECT_LT(chiSquare, 31.26);
  }
}

TEST(UniformSamplerTest, SeedsMatter) {
  Space space = mixedSpace();
  UniformSampler a(space, 1), b(space, 1), c(space, 2);
  int different = 0;
  for (int k = 0; k < 10; ++k) {
    Configuration suggested = get(a.ask())->configuration;
    EXPECT_EQ(suggested, get(b.ask())->configuration);
    different += suggested != get(c.ask())->configuration;
  }
  EXPECT_GT(different, 5);
}

TEST(UniformSamplerTest, FixedRealsAreExhausted) {
  Result<Parameter> fixed = Parameter::real("r", 2, 2);
  if (!fixed)
    GTEST_SKIP() << "a real needs a range: " << fixed.error().message;
  UniformSampler sampler(get(Space::create({*fixed})), 1);
  EXPECT_TRUE(get(sampler.ask()));
  EXPECT_FALSE(get(sampler.ask()));
}
