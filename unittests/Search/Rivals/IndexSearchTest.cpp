//===- IndexSearchTest.cpp - Tests of searching by number -----------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "baco/Search/Rivals/IndexSearch.h"

#include "TestSpaces.h"
#include "baco/Search/Rivals/ExhaustiveSearch.h"
#include "baco/Search/UniformSampler.h"

using namespace baco;
using namespace baco::search;

TEST(IndexSearchTest, SuggestsTheConfigurationsOfTheNumbers) {
  Space space = mixedSpace();
  Space numbers = get(IndexSearch::numbers(space));
  EXPECT_EQ(numbers.countIfSmall(), space.countIfSmall());
  IndexSearch search(space, std::make_unique<ExhaustiveSearch>(numbers));
  for (uint64_t k = 0; k < *space.countIfSmall(); ++k)
    EXPECT_EQ(get(search.ask())->configuration,
              space.toConfiguration(space.at(k)));
  EXPECT_FALSE(get(search.ask()));
  EXPECT_TRUE(search.tell(3, {1, true}));
  EXPECT_FALSE(search.tell(3, {1, true}));
  EXPECT_TRUE(search.cancel(4));
  EXPECT_FALSE(search.tell(4, {1, true}));
  EXPECT_TRUE(search.unwanted().empty());
}

TEST(IndexSearchTest, RestoresTheNumbers) {
  Space space = mixedSpace();
  auto make = [&] {
    return IndexSearch(space, std::make_unique<UniformSampler>(
                                  get(IndexSearch::numbers(space)), 3));
  };
  IndexSearch first = make(), second = make();
  std::vector<PastTrial> past;
  for (int k = 0; k < 20; ++k) {
    past.push_back({*get(first.ask()), Observation{1, true}});
    ASSERT_TRUE(first.tell(k, {1, true}));
  }
  ASSERT_TRUE(second.restore(past));
  for (int k = 0; k < 20; ++k)
    EXPECT_EQ(get(first.ask())->configuration,
              get(second.ask())->configuration);
}

TEST(IndexSearchTest, RestoreChecksTheConfigurations) {
  Space space = mixedSpace();
  IndexSearch search(space, std::make_unique<UniformSampler>(
                                get(IndexSearch::numbers(space)), 3));
  Configuration wrong = space.toConfiguration(space.at(3));
  wrong[1] = int64_t(77);
  for (const Configuration &c : {wrong, Configuration{}}) {
    Result<void> restored = search.restore({{{0, c, ""}, {}}});
    ASSERT_FALSE(restored);
    EXPECT_EQ(restored.error().code, ErrorCode::InvalidArgument);
    EXPECT_EQ(restored.error().message.find("trial 0: "), 0u);
  }
}

TEST(IndexSearchTest, NumbersHaveLimits) {
  std::vector<Parameter> many;
  for (char c = 'a'; c <= 'g'; ++c)
    many.push_back(get(Parameter::integer(std::string(1, c), 0, 255)));
  EXPECT_EQ(IndexSearch::numbers(get(Space::create(many))).error().message,
            "this technique needs a space without reals and with at most 2^53 "
            "configurations, but this one has 72057594037927936: use "
            "'opentuner' or 'baco'");
  many.pop_back();
  EXPECT_TRUE(IndexSearch::numbers(get(Space::create(many))));
  many.push_back(get(Parameter::real("r", 0, 1)));
  EXPECT_EQ(IndexSearch::numbers(get(Space::create(many))).error().code,
            ErrorCode::Unsupported);
}
