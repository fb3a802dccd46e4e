//===- CommandsTest.cpp - Unit tests for loop commands --------------------===//
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

TEST(CommandsTest, TilesThatDivideLeaveNoRemainder) {
  Context context;
  Nest nest(matmul(context, "8"));
  ASSERT_OK(nest->run("permute([2,3,1])"));
  ASSERT_OK(nest->run("tile(0, 3, 4)"));
  ASSERT_OK(nest->run("unroll(0, 3, 2)"));
  ASSERT_OK(nest->run("vectorize(0, 4, 4)"));
  // c0 counts tiles and c2 pairs; the loop over the vectors of a tile, which
  // runs once, isn't there.
  EXPECT_EQ(nest.code(),
            "for (int c0 = 0; c0 <= 1; c0 += 1)\n"
            "  for (int c1 = 0; c1 <= 7; c1 += 1)\n"
            "    for (int c2 = 0; c2 <= 3; c2 += 1)\n"
            "      for (int c3 = 2 * c2; c3 <= 2 * c2 + 1; c3 += 1)\n"
            "        for (int c4 = 4 * c0; c4 <= 4 * c0 + 3; c4 += 1)\n"
            "          S0(c0, c1, c2, c3, c4);\n");
  Result<GeneratedCode> code = nest->generate();
  ASSERT_OK(code);
  std::vector<int64_t> strides;
  for (const LoopMarks &marks : allMarks(*code))
    strides.push_back(marks.stride);
  EXPECT_EQ(strides, (std::vector<int64_t>{4, 1, 2, 1, 1}));
  EXPECT_EQ(nest.check(), "");
}

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

TEST(CommandsTest, ReportsIteratorsOfLoops) {
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

TEST(CommandsTest, ReportsSumsForSkewedLoops) {
  Context context;
  Nest nest(seidel2d(context, "2", "6"));
  ASSERT_OK(nest->run("skew(0, 2, [1,1])"));
  EXPECT_EQ(loopsOf(*nest, 0), "i0, sum, i2");
}

/// Steps are full but for one remainder in each loop.
TEST(CommandsTest, SeparatesFullSteps) {
  Context context;
  Nest nest(matmul(context, "7"));
  ASSERT_OK(nest->run("unroll(0, 3, 3)"));
  ASSERT_OK(nest->run("vectorize(0, 1, 4)"));
  ASSERT_OK(nest->checkLegal());
  EXPECT_EQ(nest.check(), "");
  Result<GeneratedCode> code = nest->generate();
  ASSERT_OK(code);
  MarkedTrips trips = markedTrips(nest.reference, *code);
  for (int64_t count : trips.unrolled)
    EXPECT_TRUE(count == 3 || count == 1) << count;
  for (int64_t count : trips.vectors)
    EXPECT_TRUE(count == 4 || count == 3) << count;
  // Where both are full the bounds of the loops are one sum each.
  EXPECT_NE(print(*code).find("c3 <= 3 * c2 + 2; c3 += 1)\n"
                              "        for (int c4 = 0; c4 <= 3;"),
            std::string::npos)
      << print(*code);
}

/// Also in the rest of another loop, or if the vector is longer than that.
TEST(CommandsTest, SeparatesFullStepsOfEachLoop) {
  for (int64_t width : {4, 8}) {
    Context context;
    Nest nest(matmul(context, "7"));
    ASSERT_OK(nest->run("vectorize(0, 1, " + std::to_string(width) + ")"));
    ASSERT_OK(nest->run("unroll(0, 2, 2)"));
    ASSERT_OK(nest->run("unroll(0, 3, 3)"));
    ASSERT_OK(nest->checkLegal());
    EXPECT_EQ(nest.check(), "");
    Result<GeneratedCode> code = nest->generate();
    ASSERT_OK(code);
    EXPECT_EQ(print(*code).find("min("), std::string::npos) << print(*code);
  }
}

/// Tiles of 5 consist of two steps of 2 and a rest.
TEST(CommandsTest, SeparatesFullStepsInTiles) {
  Context context;
  Nest nest(matmul(context, "10"));
  ASSERT_OK(nest->run("tile(0, 1, 5)"));
  ASSERT_OK(nest->run("unroll(0, 2, 2)"));
  EXPECT_EQ(nest.check(), "");
  EXPECT_EQ(nest.code().find("min("), std::string::npos) << nest.code();
}

/// What only the last tile has is in a condition, and has a known count.
TEST(CommandsTest, SeparatesTheRemainderOfTheLastTile) {
  Context context;
  Nest nest(matmul(context, "7"));
  ASSERT_OK(nest->run("tile(0, 1, 4)"));
  ASSERT_OK(nest->run("unroll(0, 2, 2)"));
  EXPECT_EQ(nest.check(), "");
  Result<GeneratedCode> code = nest->generate();
  ASSERT_OK(code);
  EXPECT_NE(print(*code).find("if (c0 + -1 == 0)\n"), std::string::npos)
      << print(*code);
  for (int64_t count : markedTrips(nest.reference, *code).unrolled)
    EXPECT_TRUE(count == 2 || count == 1) << count;
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

TEST(CommandsTest, UnrollAndJamOfTriangles) {
  Context context;
  Nest nest(syrk(context, "7"), {.reassociate = true});
  ASSERT_OK(nest->run("unroll(1, 1, 2)"));
  ASSERT_OK(nest->run("vectorize(1, 3, 3)"));
  ASSERT_OK(nest->checkLegal());
  EXPECT_EQ(nest.check(), "");
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

TEST(CommandsTest, DistributeAndFuse) {
  Context context;
  Nest nest(syrk(context, "5"));
  ASSERT_OK(nest->run("distribute([], 1)"));
  ASSERT_OK(nest->checkLegal());
  EXPECT_EQ(nest.check(), "");
  ASSERT_OK(nest->run("fuse([0,1], 1)"));
  ASSERT_OK(nest->checkLegal());
  EXPECT_EQ(nest.check(), "");
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
