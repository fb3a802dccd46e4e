//===- SpaceThreadsTest.cpp - Tests of groups built in parallel -----------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The result doesn't depend on the number of threads.
//
//===----------------------------------------------------------------------===//

#include "SpaceTesting.h"

#include <atomic>
#include <thread>

using namespace baco;
using namespace baco::testing;

/// Groups of three parameters, larger and smaller ones in turn.
static std::vector<Parameter> manyParameters() {
  std::vector<Parameter> parameters;
  for (int i = 0; i < 12; ++i)
    for (const char *name : {"x", "y", "z"})
      parameters.push_back(*Parameter::integer(name + std::to_string(i), 1,
                                               i % 3 == 0 ? 5 : 25 + i));
  return parameters;
}

static std::vector<Constraint> manyConstraints() {
  std::vector<std::string> texts;
  for (int i = 0; i < 12; ++i) {
    std::string n = std::to_string(i);
    texts.push_back("divides(x" + n + ", y" + n + " * z" + n + ")");
    texts.push_back("x" + n + " + y" + n + " < 2 * z" + n + " + 4");
  }
  return constraints(texts);
}

TEST(SpaceThreadsTest, SpacesAreTheSame) {
  Result<Space> one = Space::create(manyParameters(), manyConstraints(), {}, 1);
  ASSERT_TRUE(one);
  for (unsigned threads : {0u, 2u, 100u}) {
    Result<Space> many =
        Space::create(manyParameters(), manyConstraints(), {}, threads);
    ASSERT_TRUE(many);
    EXPECT_EQ(many->count(), one->count());
    std::vector<Group> a = one->groups(), b = many->groups();
    ASSERT_EQ(a.size(), 12u);
    ASSERT_EQ(b.size(), 12u);
    for (size_t i = 0; i < a.size(); ++i) {
      EXPECT_EQ(a[i].parameters, b[i].parameters);
      EXPECT_EQ(a[i].count, b[i].count);
      EXPECT_EQ(a[i].numNodes, b[i].numNodes);
      EXPECT_EQ(a[i].numEdges, b[i].numEdges);
    }
    Random left(1), right(1);
    for (int i = 0; i < 100; ++i)
      ASSERT_EQ(one->sample(left), many->sample(right));
  }
}

TEST(SpaceThreadsTest, TheFirstErrorIsGiven) {
  std::vector<Constraint> rules = manyConstraints();
  for (const Constraint &clash :
       constraints({"x10 * y10 * z10 == 0", "x4 * y4 + z4 == 1"}))
    rules.push_back(clash);
  for (unsigned threads : {1u, 4u})
    EXPECT_EQ(errorOf(Space::create(manyParameters(), rules, {}, threads)),
              "no configuration is feasible: constraint 'x4 * y4 + z4 == 1' is "
              "never true");
}

TEST(SpaceThreadsTest, OneThreadIsTheCallers) {
  std::thread::id caller = std::this_thread::get_id();
  std::atomic<int> elsewhere = 0;
  std::vector<Constraint> rules = manyConstraints();
  for (int i = 0; i < 12; ++i)
    rules.push_back(
        {Expression::call("count", {"x" + std::to_string(i)},
                          [&](std::span<const ParameterValue>) {
                            elsewhere += std::this_thread::get_id() != caller;
                            return true;
                          }),
         "", "", false});
  ASSERT_TRUE(Space::create(manyParameters(), rules, {}, 1));
  EXPECT_EQ(elsewhere, 0);
}
