//===- WalkSamplerTest.cpp - Tests of the biased walk ---------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "baco/Search/Rivals/WalkSampler.h"

#include "TestSpaces.h"

using namespace baco;
using namespace baco::search;

/// y <= x: x = 0 has one child, x = 9 has ten. The walk chooses x uniformly, so
/// that the one leaf below x = 0 comes with probability 1/10 instead of 1/55.
TEST(WalkSamplerTest, IsBiased) {
  Space space = get(Space::create(
      {get(Parameter::integer("x", 0, 9)), get(Parameter::integer("y", 0, 9))},
      {constraint("y <= x")}));
  int count = 0;
  constexpr int runs = 2000;
  for (int seed = 0; seed < runs; ++seed) {
    WalkSampler sampler(space, seed);
    count += get(sampler.ask())->configuration ==
             Configuration{int64_t(0), int64_t(0)};
  }
  // Four standard deviations of a binomial with mean 200.
  EXPECT_NEAR(count, 200, 54);
}
