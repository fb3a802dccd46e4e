//===- LoopInfoTest.cpp - Values of loops ---------------------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Nest.h"

#include <algorithm>

using namespace baco;
using namespace baco::polyhedral;
using namespace baco::polyhedral::test;

namespace {

/// `i1/4` is the loop with id 4, over tiles of iterator 1; `i1<4` the one over
/// their points; `once` a loop that doesn't vary; `sum` one over several
/// iterators.
std::string loopsOf(const LoopSchedule &schedule, unsigned statement) {
  Result<std::vector<LoopInfo>> loops = schedule.loops(statement);
  std::string text;
  for (const LoopInfo &loop : *loops) {
    bool isTiles =
        std::any_of(loops->begin(), loops->end(), [&](const LoopInfo &other) {
          return other.tiles == loop.id;
        });
    text += text.empty() ? "" : ", ";
    text += loop.isStep ? "step of " : "";
    text += loop.iterator ? "i" + std::to_string(*loop.iterator)
            : loop.varies ? "sum"
                          : "once";
    text += isTiles ? "/" + std::to_string(loop.id) : "";
    text += loop.tiles ? "<" + std::to_string(*loop.tiles) : "";
  }
  return text;
}

TEST(LoopInfoTest, ReportsIteratorsOfLoops) {
  Context context;
  Nest nest(matmul(context, "8"));
  EXPECT_EQ(loopsOf(*nest, 0), "i0, i1, i2");
  ASSERT_OK(nest->run("permute([2,3,1])"));
  EXPECT_EQ(loopsOf(*nest, 0), "i1, i2, i0");
  ASSERT_OK(nest->run("tile(0, 3, 4)"));
  EXPECT_EQ(loopsOf(*nest, 0), "i0/3, i1, i2, i0<3");
  // Tiles of single points.
  ASSERT_OK(nest->run("tile(0, 3, 1)"));
  EXPECT_EQ(loopsOf(*nest, 0), "i2/4, i0/3, i1, i2<4, i0<3");
  ASSERT_OK(nest->run("tile(0, 5, 2, 3)"));
  EXPECT_EQ(loopsOf(*nest, 0), "i2/4, i0/3, i0/5<3, i1, i2<4, i0<5");
  // One tile.
  ASSERT_OK(nest->run("tile(0, 4, 0, 4)"));
  EXPECT_EQ(loopsOf(*nest, 0), "i2/4, i0/3, i0/5<3, i1/6, i1<6, i2<4, i0<5");
  ASSERT_OK(nest->run("unroll(0, 5, 2)"));
  EXPECT_EQ(loopsOf(*nest, 0), "i2/4, i0/3, i0/5<3, i1/6, i1/7<6, i2<4, i0<5, "
                               "step of i1<7");
  EXPECT_FALSE(nest->loops(1));
}

TEST(LoopInfoTest, ReportsSumsForSkewedLoops) {
  Context context;
  Nest nest(seidel2d(context, "2", "6"));
  ASSERT_OK(nest->run("skew(0, 2, [1,1])"));
  EXPECT_EQ(loopsOf(*nest, 0), "i0, sum, i2");
}

} // namespace
