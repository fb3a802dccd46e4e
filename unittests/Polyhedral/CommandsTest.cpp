//===- CommandsTest.cpp - Unit tests for loop commands --------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Nest.h"

using namespace baco;
using namespace baco::polyhedral;
using namespace baco::polyhedral::test;

namespace {

TEST(CommandsTest, OriginalOrderOfEachProgram) {
  Context context;
  for (const Program &program :
       {matmul(context, "4"), triangularSolve(context, "5"), lu(context, "5"),
        jacobi1d(context, "3", "7"), jacobi3d(context, "5"),
        seidel2d(context, "2", "6"), syrk(context, "5"),
        figure3(context, "6")}) {
    Nest nest(program);
    ASSERT_OK(nest->checkLegal());
    EXPECT_EQ(nest.check(), "");
  }
}

TEST(CommandsTest, MarksLoopsForPrefetches) {
  Context context;
  Nest nest(matmul(context, "7"));
  ASSERT_OK(nest->run("prefetch(0, 1, 2)"));
  // The loop over steps is the one that is meant.
  ASSERT_OK(nest->run("vectorize(0, 1, 4)"));
  ASSERT_OK(nest->checkLegal());
  EXPECT_EQ(nest.check(), "");
  Result<GeneratedCode> code = nest->generate();
  ASSERT_OK(code);
  for (const LoopMarks &marks : allMarks(*code))
    EXPECT_EQ(marks.prefetch, marks.loop == 1 ? 2 : 0) << marks.loop;
  EXPECT_NE(message(nest->run("prefetch(0, 1, 65)")).find("prefetched 0 to 64"),
            std::string::npos);
  EXPECT_FALSE(nest->run("prefetch(0, 9, 1)"));
}

TEST(CommandsTest, ParametricExtents) {
  Context context;
  for (int64_t n : {1, 2, 5, 7}) {
    Nest nest(matmul(context, "N", "N", "N >= 1"), {}, {{"N", n}});
    ASSERT_OK(nest->run("tile(0, 3, 4)"));
    ASSERT_OK(nest->run("unroll(0, 2, 2)"));
    ASSERT_OK(nest->run("vectorize(0, 4, 2)"));
    ASSERT_OK(nest->checkLegal());
    EXPECT_EQ(nest.check(), "");
  }
}

TEST(CommandsTest, TimeSkewedJacobi) {
  Context context;
  Nest nest(jacobi1d(context, "5", "10"));
  // Half steps side by side: S0 at 2t + i, S1 at 2t + i + 1.
  ASSERT_OK(nest->run("fuse([0,1], 2)"));
  EXPECT_FALSE(nest->checkLegal());
  ASSERT_OK(nest->run("shift(1, 2, 1)"));
  ASSERT_OK(nest->checkLegal());
  EXPECT_EQ(nest.check(), "");
  Result<bool> before = nest->canTile(0, 1, 2);
  ASSERT_OK(before);
  EXPECT_FALSE(*before);
  ASSERT_OK(nest->run("skew(0, 2, [2,1])"));
  Result<bool> after = nest->canTile(0, 1, 2);
  ASSERT_OK(after);
  EXPECT_TRUE(*after);
  ASSERT_OK(nest->run("tile(0, 1, 2)"));
  ASSERT_OK(nest->run("tile(0, 3, 3, 2)"));
  ASSERT_OK(nest->checkLegal());
  EXPECT_EQ(nest.check(), "");
}

TEST(CommandsTest, NonsingularWithStrides) {
  Context context;
  Nest nest(matmul(context, "4"));
  ASSERT_OK(nest->run("nonsingular(0, [[1,0,0,2],[0,1,0,0],[1,0,2,0]])"));
  ASSERT_OK(nest->checkLegal());
  EXPECT_EQ(nest.check(), "");
  EXPECT_EQ(message(nest->run("nonsingular(0, [[1,2],[2,4]])")),
            "the matrix is singular");
  // The determinant is 1, which rounding would lose.
  ASSERT_OK(nest->run("nonsingular(0, [[1000000000, 999999999], "
                      "[1000000001, 1000000000]])"));
}

TEST(CommandsTest, SplitOrdersItsPieces) {
  Context context;
  Nest nest(matmul(context, "6"));
  ASSERT_OK(nest->run("split(0, 2, L2 >= 2 && L2 <= 3)"));
  ASSERT_EQ(nest->statements().size(), 3u);
  ASSERT_OK(nest->checkLegal());
  EXPECT_EQ(nest.check(), "");
  EXPECT_NE(
      message(nest->run("split(0, 2, L2 * L3 >= 2)")).find("isn't affine"),
      std::string::npos);
  EXPECT_NE(message(nest->run("split(0, 2, L2 = 0 or L2 = 3)"))
                .find("isn't a conjunction"),
            std::string::npos);
}

TEST(CommandsTest, RejectsInvalidArguments) {
  Context context;
  Nest nest(matmul(context, "4"));
  std::string before = nest.code();
  EXPECT_EQ(message(nest->run("tile(1, 1, 4)")),
            "there is no statement 1: the only one is 0");
  EXPECT_NE(message(nest->run("tile(0, 4, 4)")).find("has no loop 4"),
            std::string::npos);
  EXPECT_NE(message(nest->run("tile(0, 1, 4, 2)")).find("not at 2"),
            std::string::npos);
  EXPECT_NE(message(nest->run("tile(0, 1, -1)")).find("-1"), std::string::npos);
  EXPECT_NE(message(nest->run("permute(0, [1,1])")).find("a permutation of"),
            std::string::npos);
  EXPECT_EQ(message(nest->run("permute(0, [2,1,4,3])")),
            "an order of 4 loops, but statements have 3");
  EXPECT_FALSE(nest->run("skew(0, 2, [1,0])"));
  EXPECT_FALSE(nest->run("scale(0, 1, 0)"));
  EXPECT_FALSE(nest->run("unroll(0, 1, -2)"));
  EXPECT_FALSE(nest->run("fuse([0], 1)"));
  EXPECT_EQ(nest.code(), before);
}

TEST(CommandsTest, LimitsWork) {
  Context context;
  Program program = seidel2d(context, "4", "9");
  Result<LoopSchedule> schedule =
      LoopSchedule::create(program, {.maxOperations = 200});
  ASSERT_FALSE(schedule);
  EXPECT_EQ(schedule.error().code, ErrorCode::TimedOut);
}

/// C[i] += C[i mod 4] doubles C[i], once for each k: its steps aren't terms of
/// a sum.
TEST(CommandsTest, RejectsSelfUpdatesAsReductions) {
  Context context;
  Program program = makeProgram(context,
                                {{"S0[i, k]",
                                  "0 <= i < 4 and 0 <= k < 6",
                                  "0, i, 0, k, 0",
                                  {"C[i]", "C[i mod 4]"},
                                  {"C[i]"},
                                  true}},
                                {{"C", 1, "4"}});
  Nest nest(program, {.reassociate = true});
  ASSERT_OK(nest->run("vectorize(0, 2, 2)"));
  EXPECT_NE(message(nest->checkLegal()).find("can't be a vector"),
            std::string::npos);
}

} // namespace
