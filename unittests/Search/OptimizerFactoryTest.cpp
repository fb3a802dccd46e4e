//===- OptimizerFactoryTest.cpp - Tests of the factory --------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "baco/Search/OptimizerFactory.h"

#include "TestSpaces.h"

using namespace baco;
using namespace baco::search;

TEST(OptimizerFactoryTest, MakesEveryName) {
  for (std::string_view name : optimizerNames()) {
    auto optimizer = get(makeOptimizer(name, mixedSpace(), {}));
    EXPECT_TRUE(get(optimizer->ask())) << name;
  }
}

TEST(OptimizerFactoryTest, ListsTheKnownNames) {
  auto optimizer = makeOptimizer("bacon", mixedSpace(), {});
  ASSERT_FALSE(optimizer);
  EXPECT_EQ(optimizer.error().code, ErrorCode::NotFound);
  std::string known;
  for (std::string_view name : optimizerNames())
    known += (known.empty() ? "" : ", ") + std::string(name);
  EXPECT_EQ(optimizer.error().message,
            "unknown search technique 'bacon': the known ones are " + known);
  EXPECT_EQ(known.find("baco, "), 0u);
}

TEST(OptimizerFactoryTest, ChecksTheOptions) {
  OptimizerOptions options;
  EXPECT_TRUE(options.validate());
  options.initialDesign = -1;
  auto optimizer = makeOptimizer("random", mixedSpace(), options);
  ASSERT_FALSE(optimizer);
  EXPECT_EQ(optimizer.error().code, ErrorCode::InvalidArgument);
  EXPECT_EQ(optimizer.error().message,
            "option 'initialDesign' must be at least 1 (or 0 for automatic), "
            "but it is -1");
  options.initialDesign = 1;
  options.numCandidates = 0;
  EXPECT_FALSE(options.validate());
}

TEST(OptimizerFactoryTest, ExhaustiveNeedsAFiniteSpace) {
  Space space = get(Space::create(
      {get(Parameter::integer("i", 0, 3)), get(Parameter::real("r", 0, 1))}));
  auto optimizer = makeOptimizer("exhaustive", space, {});
  ASSERT_FALSE(optimizer);
  EXPECT_EQ(optimizer.error().code, ErrorCode::Unsupported);
  EXPECT_EQ(optimizer.error().message,
            "an exhaustive search needs a finite space, but parameter 'r' is "
            "real: use 'baco' or 'random'");
  std::vector<Parameter> many;
  for (char c = 'a'; c <= 'z'; ++c)
    many.push_back(get(Parameter::integer(std::string(1, c), 0, 999)));
  EXPECT_FALSE(makeOptimizer("exhaustive", get(Space::create(many)), {}));
}

TEST(OptimizerFactoryTest, ExhaustiveNeedsACount) {
  // No tree tells which of the 2^62 pairs meet it.
  int64_t large = int64_t(1) << 31;
  Space space = get(Space::create(
      {get(Parameter::integer("a", 1, large)),
       get(Parameter::integer("b", 1, large))},
      {{get(Expression::parse("a % 7 == b % 5")), "equal remainders", ""}}));
  auto optimizer = makeOptimizer("exhaustive", space, {});
  ASSERT_FALSE(optimizer);
  EXPECT_EQ(optimizer.error().message,
            "an exhaustive search of up to 4611686018427387904 configurations "
            "would never end: use 'baco' or 'random'");
  optimizer = makeOptimizer("atf-bandit", space, {});
  ASSERT_FALSE(optimizer);
  EXPECT_EQ(optimizer.error().message,
            "a search by number needs a space without reals of at most 2^53 "
            "configurations, but this one has up to 4611686018427387904: use "
            "'opentuner' or 'baco'");
  EXPECT_TRUE(makeOptimizer("random", space, {}));
}
