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

TEST(CommandsTest, WhatLoopsRunOver) {
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

TEST(CommandsTest, SkewedLoopsRunOverSums) {
  Context context;
  Nest nest(seidel2d(context, "2", "6"));
  ASSERT_OK(nest->run("skew(0, 2, [1,1])"));
  EXPECT_EQ(loopsOf(*nest, 0), "i0, sum, i2");
}

/// Steps are full but for one remainder in each loop.
TEST(CommandsTest, FullStepsAreSeparated) {
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
TEST(CommandsTest, StepsAreFullWhateverTheOthersAre) {
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
TEST(CommandsTest, StepsAreFullInTilesThatTheyDoNotDivide) {
  Context context;
  Nest nest(matmul(context, "10"));
  ASSERT_OK(nest->run("tile(0, 1, 5)"));
  ASSERT_OK(nest->run("unroll(0, 2, 2)"));
  EXPECT_EQ(nest.check(), "");
  EXPECT_EQ(nest.code().find("min("), std::string::npos) << nest.code();
}

/// What only the last tile has is in a condition, and has a known count.
TEST(CommandsTest, RestsOfTheLastTileAreInAConditionOfTheirOwn) {
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

TEST(CommandsTest, CopiesInVectorsOrNotAtAll) {
  Context context;
  Nest nest(matmul(context, "7"));
  // A, all of it.
  ASSERT_OK(nest->run("datacopy(0, 2, 1, width=0)"));
  EXPECT_TRUE(nest->buffers().empty());
  ASSERT_OK(nest->run("datacopy(0, 2, 1, width=4)"));
  EXPECT_EQ(nest->buffers().size(), 1u);
  ASSERT_OK(nest->checkLegal());
  EXPECT_EQ(nest.check(), "");
  Result<GeneratedCode> code = nest->generate();
  ASSERT_OK(code);
  std::vector<int64_t> vectors = markedTrips(nest.reference, *code).vectors;
  EXPECT_NE(std::find(vectors.begin(), vectors.end(), 4), vectors.end());
  Nest other(matmul(context, "7"));
  EXPECT_NE(message(other->run("datacopy(0, 2, 1, width=-1)"))
                .find("width must be at least 0"),
            std::string::npos);
}

TEST(CommandsTest, CopiesInPanels) {
  Context context;
  for (bool isTransposed : {false, true}) {
    std::string order = isTransposed ? "[1,0]" : "[0,1]";
    Nest nest(matmul(context, "10"));
    ASSERT_OK(nest->run("tile(0, 2, 8, 1)"));
    ASSERT_OK(nest->run("vectorize(0, 2, 4)"));
    // B, in panels as wide as vectors: all that an iteration over k takes.
    ASSERT_OK(
        nest->run("datacopy(0, 2, 2, order=" + order + ", width=2, panel=4)"));
    ASSERT_EQ(nest->buffers().size(), 1u);
    EXPECT_EQ(nest->buffers()[0].shape, isTransposed
                                            ? (std::vector<int64_t>{2, 10, 4})
                                            : (std::vector<int64_t>{3, 8, 4}));
    ASSERT_OK(nest->checkLegal());
    EXPECT_EQ(nest.check(), "");
    EXPECT_TRUE(nest->generate());
  }
  // One panel is no panel.
  Nest narrow(matmul(context, "10"));
  ASSERT_OK(narrow->run("datacopy(0, 1, 2, width=1, panel=16)"));
  EXPECT_EQ(narrow->buffers()[0].shape, (std::vector<int64_t>{10, 10}));
  EXPECT_NE(
      message(narrow->run("datacopy(0, 2, 1, width=1, panel=5000)"))
          .find("panels must have 0 (no panels) to 4096 columns, not 5000"),
      std::string::npos);
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

TEST(CommandsTest, CopyOfWhatIsWritten) {
  Context context;
  Nest nest(matmul(context, "7"));
  ASSERT_OK(nest->run("permute(0, [3,1,2])"));
  ASSERT_OK(nest->run("tile(0, 2, 3)"));
  ASSERT_OK(nest->run("tile(0, 2, 2)"));
  ASSERT_OK(nest->run("datacopy(0, 3, 0, order=[1,0])"));
  ASSERT_EQ(nest->statements().size(), 3u);
  EXPECT_EQ(nest->statements()[1].kind, ScheduledStatement::Kind::CopyIn);
  EXPECT_EQ(nest->statements()[2].kind, ScheduledStatement::Kind::CopyOut);
  EXPECT_EQ(nest->buffers()[0].shape, (std::vector<int64_t>{3, 2}));
  ASSERT_OK(nest->checkLegal());
  EXPECT_EQ(nest.check(), "");
}

/// B[i, j] += A[k, i] * B[k, j] with `condition`: in place, rows are read
/// before or after they are written.
Program triangularProduct(const Context &context,
                          const std::string &condition) {
  return makeProgram(context,
                     {{"S0[i, k, j]",
                       "0 <= i, k, j < 7 and " + condition,
                       "0, i, 0, k, 0, j, 0",
                       {"B[i, j]", "A[k, i]", "B[k, j]"},
                       {"B[i, j]"},
                       /*isReduction=*/true}},
                     {{"A", 2, "7"}, {"B", 2, "7"}});
}

/// A copy holds what was there at first, and so what is wanted by reads that
/// come before writes.
TEST(CommandsTest, CopyOfWhatOthersWriteLater) {
  Context context;
  for (int64_t depth : {2, 3, 7}) {
    Nest nest(triangularProduct(context, "i < k"), {.reassociate = true});
    ASSERT_OK(nest->run("tile(0, 2, " + std::to_string(depth) + ")"));
    ASSERT_OK(nest->run("tile(0, 4, 4, 2)"));
    ASSERT_OK(nest->run("datacopy(0, 3, 2)"));
    ASSERT_EQ(nest->statements().size(), 2u);
    ASSERT_OK(nest->checkLegal());
    EXPECT_EQ(nest.check(), "");
    ASSERT_OK(nest->run("unroll(0, 3, 2)"));
    ASSERT_OK(nest->checkLegal());
    EXPECT_EQ(nest.check(), "");
  }
  // Rows of the same tile were written before they are read.
  Nest nest(triangularProduct(context, "k < i"), {.reassociate = true});
  ASSERT_OK(nest->run("tile(0, 2, 3)"));
  EXPECT_NE(message(nest->run("datacopy(0, 2, 2)")).find("one of them writes"),
            std::string::npos);
}

/// T[j] is written, read and done with for each i.
Program rowByRow(const Context &context) {
  return makeProgram(
      context,
      {{"S0[i, j]", "0 <= i, j < 5", "0, i, 0, j, 0, 0, 0", {}, {"T[j]"}},
       {"S1[i, j, k]",
        "0 <= i, j, k < 5",
        "0, i, 0, j, 1, k, 0",
        {"T[j]", "A[i, k]", "W[k, j]"},
        {"T[j]"},
        /*isReduction=*/true},
       {"S2[i, j]",
        "0 <= i, j < 5",
        "0, i, 1, j, 0, 0, 0",
        {"T[j]"},
        {"A[i, j]"}}},
      {{"A", 2, "5"}, {"T", 1, "5"}, {"W", 2, "5"}});
}

TEST(CommandsTest, ElementsOfItsOwnForEachIteration) {
  Context context;
  Nest nest(rowByRow(context), {.reassociate = true});
  EXPECT_FALSE(Nest(rowByRow(context)).run("distribute([0,1,2], 1)"));
  ASSERT_OK(nest->run("expand(1, 1, 0)"));
  ASSERT_EQ(nest->statements().size(), 4u);
  EXPECT_EQ(nest->statements()[3].kind, ScheduledStatement::Kind::CopyOut);
  EXPECT_EQ(nest->buffers()[0].shape, (std::vector<int64_t>{5, 5}));
  ASSERT_OK(nest->checkLegal());
  EXPECT_EQ(nest.check(), "");
  // Now iterations don't wait for each other: whole loops can.
  ASSERT_OK(nest->run("distribute([0,1,2], 1)"));
  ASSERT_OK(nest->run("permute(1, [3,2,1])"));
  ASSERT_OK(nest->run("tile(1, 3, 2)"));
  ASSERT_OK(nest->checkLegal());
  EXPECT_EQ(nest.check(/*isExpanded=*/true), "");
  // What the last iteration left is in the array afterwards.
  EXPECT_NE(nest.code().find("drain_expanded_T("), std::string::npos);
  // The same as a program.
  Result<Program> program = nest->asProgram();
  ASSERT_OK(program);
  Nest again(*program, {.reassociate = true});
  EXPECT_EQ(again.code(), nest.code());
  ASSERT_OK(again->checkLegal());
}

TEST(CommandsTest, ElementsOfItsOwnThatAreRefused) {
  Context context;
  // The result of an iteration is where the next one starts.
  Nest nest(matmul(context, "4"));
  EXPECT_NE(message(nest->run("expand(0, 2, 0)")).find("hasn't written before"),
            std::string::npos);
  EXPECT_NE(message(nest->run("expand(0, 2, 9)")).find("has no reference 9"),
            std::string::npos);
  EXPECT_NE(message(nest->run("expand(0, 5, 0)")).find("has no loop 5"),
            std::string::npos);
  ASSERT_OK(nest->run("datacopy(0, 3, 1)"));
  EXPECT_NE(message(nest->run("expand(0, 2, 1)")).find("can't be expanded"),
            std::string::npos);
}

TEST(CommandsTest, CopiesThatAreRefused) {
  Context context;
  Nest nest(triangularSolve(context, "6"));
  EXPECT_NE(message(nest->run("datacopy(0, 2, 1)")).find("one of them writes"),
            std::string::npos);
  EXPECT_NE(message(nest->run("datacopy(0, 2, 9)"))
                .find("has no reference 9; it has 4"),
            std::string::npos);
  EXPECT_NE(message(nest->run("datacopy(0, 2, 2, order=[0])"))
                .find("each of the 2 dimensions"),
            std::string::npos);
  ASSERT_OK(nest->run("reverse(0, 2)"));
  EXPECT_NE(message(nest->run("datacopy(0, 2, 2)"))
                .find("before data is copied, the order of loops breaks"),
            std::string::npos);
  Nest parametric(matmul(context, "N", "N", "N >= 1"), {}, {{"N", 3}});
  EXPECT_NE(message(parametric->run("datacopy(0, 2, 1)")).find("no constant"),
            std::string::npos);
}

TEST(CommandsTest, WhatDoesNotExistIsRefused) {
  Context context;
  Nest nest(matmul(context, "4"));
  std::string before = nest.code();
  EXPECT_EQ(message(nest->run("tile(1, 1, 4)")),
            "there is no statement 1: statements are numbered from 0 to 1 - 1");
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

TEST(CommandsTest, TooMuchWorkIsAnError) {
  Context context;
  Program program = seidel2d(context, "4", "9");
  Result<LoopSchedule> schedule =
      LoopSchedule::create(program, {.maxOperations = 200});
  ASSERT_FALSE(schedule);
  EXPECT_EQ(schedule.error().code, ErrorCode::TimedOut);
}

/// C[i] += C[i mod 4] doubles C[i], once for each k: its steps aren't terms of
/// a sum.
TEST(CommandsTest, UpdateByItselfIsNoReduction) {
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

/// A buffer that is filled in each iteration of a parallel loop is private.
TEST(CommandsTest, ParallelLoopAroundACopy) {
  Context context;
  Nest nest(matmul(context, "6"));
  ASSERT_OK(nest->run("permute(0, [3,1,2])"));
  ASSERT_OK(nest->run("tile(0, 1, 2)"));
  ASSERT_OK(nest->run("datacopy(0, 2, 1)"));
  ASSERT_OK(nest->run("parallelize(0, 1)"));
  ASSERT_OK(nest->checkLegal());
  EXPECT_EQ(nest->buffers()[0].loop, 2u);
  EXPECT_EQ(nest.check(), "");
}

} // namespace
