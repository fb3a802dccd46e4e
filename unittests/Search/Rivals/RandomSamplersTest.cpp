//===- RandomSamplersTest.cpp - Tests of random search as others do it ----===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "baco/Search/Rivals/RandomSamplers.h"

#include "TestSpaces.h"

#include <map>

using namespace baco;
using namespace baco::search;

/// The first draw is uniform over the feasible configurations, whatever the
/// tree looks like: chi-square with 20 degrees of freedom is below 45.31 with
/// probability 0.999.
TEST(RawSamplerTest, IsUniformOverTheFeasible) {
  Space space = get(Space::create(
      {get(Parameter::integer("x", 1, 6)), get(Parameter::integer("y", 1, 6))},
      {constraint("x <= y")}));
  constexpr int runs = 2100;
  std::map<Configuration, int> counts;
  for (int seed = 0; seed < runs; ++seed) {
    RawSampler sampler(space, seed);
    ++counts[get(sampler.ask())->configuration];
  }
  EXPECT_EQ(counts.size(), 21u);
  double chiSquare = 0, expected = runs / 21.0;
  for (const auto &[configuration, count] : counts)
    chiSquare += (count - expected) * (count - expected) / expected;
  EXPECT_LT(chiSquare, 45.31);
}

/// Ten integers that must be equal: 100 of 100^10 are feasible.
static Space diagonal(std::vector<Parameter> parameters) {
  std::vector<Constraint> constraints;
  for (int k = 0; k < 10; ++k) {
    std::string name = "x" + std::to_string(k);
    parameters.push_back(get(Parameter::integer(name, 0, 99)));
    if (k > 0)
      constraints.push_back(constraint(name + " == x0"));
  }
  return get(Space::create(std::move(parameters), std::move(constraints)));
}

TEST(RawSamplerTest, GivesUpWhereHardlyAnythingIsFeasible) {
  RawSampler sampler(diagonal({}), 1);
  auto suggestion = sampler.ask();
  ASSERT_FALSE(suggestion);
  EXPECT_EQ(suggestion.error().code, ErrorCode::Unsupported);
  EXPECT_EQ(suggestion.error().message,
            "100000 draws of raw values were all infeasible, because only a "
            "share of 1e-18 of the raw values is feasible: use 'random', which "
            "draws only feasible configurations");
}

TEST(RawSamplerTest, NamesNoShareOfReals) {
  RawSampler sampler(diagonal({get(Parameter::real("r", 0, 1))}), 1);
  auto suggestion = sampler.ask();
  ASSERT_FALSE(suggestion);
  EXPECT_NE(
      suggestion.error().message.find("only a small share of the raw values"),
      std::string::npos);
}

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
