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
