//===- OptimizerFactoryTest.cpp - Tests of the factory --------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "baco/Search/Techniques/OptimizerFactory.h"
#include "baco/Search/Rivals/RankOrderSimplex.h"

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

TEST(OptimizerFactoryTest, ReadsSettings) {
  // As the options of the same meaning: the same suggestions.
  auto course = [](std::string_view text, const OptimizerOptions &options) {
    auto optimizer = get(makeOptimizer(text, mixedSpace(), options));
    std::vector<Configuration> found;
    for (int i = 0; i < 12; ++i) {
      Suggestion suggestion = *get(optimizer->ask());
      found.push_back(suggestion.configuration);
      EXPECT_TRUE(optimizer->tell(suggestion.trial, {double(i % 5), i != 3}));
    }
    return found;
  };
  OptimizerOptions plain, forest, early, simplex;
  forest.surrogate = Surrogate::RandomForest;
  early.initialDesign = 3;
  early.numCandidates = 7;
  EXPECT_EQ(course("baco:surrogate=forest", plain), course("baco", forest));
  EXPECT_EQ(course("baco:surrogate=process", forest), course("baco", plain));
  EXPECT_NE(course("baco", forest), course("baco", plain));
  EXPECT_EQ(course("baco:initial=3,candidates=7", plain),
            course("baco", early));
  EXPECT_NE(course("baco", early), course("baco", plain));
  size_t N = RankOrderSimplex::smallestSize(mixedSpace()) - 1;
  simplex.simplexSize = static_cast<int>(3 * N);
  EXPECT_EQ(course("pro:simplex=3N", plain), course("pro", simplex));
  EXPECT_EQ(course("pro-c:simplex=" + std::to_string(3 * N), plain),
            course("pro-c", simplex));
}

TEST(OptimizerFactoryTest, RefusesOtherSettings) {
  auto errorOf = [](std::string_view text) {
    auto made = makeOptimizer(text, mixedSpace(), {});
    auto checked = checkOptimizer(text);
    EXPECT_FALSE(made);
    EXPECT_FALSE(checked);
    EXPECT_EQ(made.error().message, checked.error().message);
    return made.error().message;
  };
  EXPECT_EQ(errorOf("baco:trees=3"),
            "search technique 'baco': unknown setting 'trees': the known ones "
            "are surrogate, initial, candidates");
  EXPECT_EQ(errorOf("random:initial=3"),
            "search technique 'random': unknown setting 'initial': it has "
            "none");
  EXPECT_EQ(errorOf("baco:"),
            "search technique 'baco': unknown setting '': the known ones are "
            "surrogate, initial, candidates");
  EXPECT_EQ(errorOf("baco:surrogate"),
            "search technique 'baco': 'surrogate' must be process or forest, "
            "but is ''");
  EXPECT_EQ(errorOf("baco:initial=3,surrogate=tree"),
            "search technique 'baco': 'surrogate' must be process or forest, "
            "but is 'tree'");
  for (const char *size : {"0", "1N", "N", "-8N", "12n", "12NN", "x"})
    EXPECT_EQ(errorOf("pro:simplex=" + std::string(size)),
              "search technique 'pro': 'simplex' must be 2, 3, ... or 2N, 3N, "
              "..., but is '" +
                  std::string(size) + "'");
  // Less than the space needs.
  EXPECT_TRUE(checkOptimizer("pro:simplex=2"));
  EXPECT_FALSE(makeOptimizer("pro:simplex=2", mixedSpace(), {}));
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
            "this technique needs a space without reals and with at most 2^53 "
            "configurations, but this one has up to 4611686018427387904: use "
            "'opentuner' or 'baco'");
  EXPECT_TRUE(makeOptimizer("random", space, {}));
}

TEST(OptimizerFactoryTest, TheSimplexSpansTheSpace) {
  OptimizerOptions options;
  options.simplexSize = 5;
  auto optimizer = makeOptimizer("pro", mixedSpace(), options);
  ASSERT_FALSE(optimizer);
  EXPECT_EQ(optimizer.error().code, ErrorCode::InvalidArgument);
  EXPECT_EQ(optimizer.error().message,
            "option 'simplexSize' must be at least 6 (one more than there are "
            "parameters with several values; or 0 for automatic), but it is 5");
  options.simplexSize = 6;
  EXPECT_TRUE(makeOptimizer("pro-c", mixedSpace(), options));
  options.simplexSize = -1;
  EXPECT_FALSE(makeOptimizer("pro", mixedSpace(), options));
}

TEST(OptimizerFactoryTest, RankOrderWithoutParameters) {
  auto search = get(makeOptimizer("pro", get(Space::create({})), {}));
  EXPECT_TRUE(get(search->ask()));
  EXPECT_FALSE(get(search->ask()));
}
