//===- LegalityTest.cpp - Which orders of loops are legal -----------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Nest.h"
#include "PlanPrograms.h"

#include <algorithm>
#include <numeric>
#include <set>

using namespace baco;
using namespace baco::polyhedral;
using namespace baco::polyhedral::test;

namespace {

using Order = std::vector<unsigned>;

/// Tiles that can be told to be in order before they are tiles take isl few
/// steps.
TEST(LegalityTest, TilesOverTimeTakeFewSteps) {
  Context context;
  Program program = seidel2d(context, "20", "100");
  ScriptedSchedule seidel = Nest::create(program, {.maxOperations = 40'000});
  ASSERT_OK(seidel.run("skew(0, 2, [1,1])"));
  ASSERT_OK(seidel.run("skew(0, 3, [2,1,1])"));
  ASSERT_OK(seidel.run("tile(0, 1, 4, 1)"));
  ASSERT_OK(seidel.run("tile(0, 3, 8, 2)"));
  ASSERT_OK(seidel.run("tile(0, 5, 16, 3)"));
  ASSERT_OK(seidel.run("unroll(0, 5, 2)"));
  ASSERT_OK(seidel.checkLegal());
}

/// Statements that were tiled apart share loops over tiles that don't begin at
/// the same iterations.
TEST(LegalityTest, TilesThatBeginElsewhere) {
  Context context;
  for (const char *from : {"0", "2"}) {
    Nest nest(makeProgram(
        context,
        {{"S0[i]", "0 <= i < 12", "0, i, 0", {}, {"A[i]"}},
         {"S1[i]", std::string(from) + " <= i < 12", "1, i, 0", {"A[i]"}, {}}},
        {{"A", 1, "12"}}));
    ASSERT_OK(nest->run("tile(0, 1, 4)"));
    ASSERT_OK(nest->run("tile(1, 1, 4)"));
    ASSERT_OK(nest->run("fuse([0,1], 1)"));
    Result<void> legal = nest->checkLegal();
    EXPECT_EQ(bool(legal), *from == '0') << message(legal);
    EXPECT_EQ(nest.check().empty(), *from == '0');
  }
}

TEST(LegalityTest, ParallelAndVectorLoops) {
  Context context;
  Nest nest(matmul(context, "4"), {.reassociate = true});
  for (unsigned loop : {1, 2, 3}) {
    Result<bool> parallel = nest->isParallel(0, loop);
    ASSERT_OK(parallel);
    EXPECT_EQ(*parallel, loop != 2) << loop;
  }
  ASSERT_OK(nest->run("parallelize(0, 2)"));
  EXPECT_NE(message(nest->checkLegal())
                .find("loop 2 of statement 0 can't be "
                      "parallel"),
            std::string::npos);
  // Iterations that wait for each other do so in any order.
  Nest reversed(matmul(context, "4"), {.reassociate = true});
  ASSERT_OK(reversed->run("reverse(0, 2)"));
  ASSERT_OK(reversed->checkLegal());
  Result<bool> parallel = reversed->isParallel(0, 2);
  ASSERT_OK(parallel);
  EXPECT_FALSE(*parallel);
  // Lanes of a reduction are combined.
  Nest lanes(matmul(context, "4"), {.reassociate = true});
  ASSERT_OK(lanes->run("vectorize(0, 2, 2)"));
  ASSERT_OK(lanes->checkLegal());
  Result<GeneratedCode> code = lanes->generate();
  ASSERT_OK(code);
  std::vector<LoopMarks> marked = allMarks(*code);
  EXPECT_TRUE(
      std::any_of(marked.begin(), marked.end(), [](const LoopMarks &marks) {
        return marks.vectorWidth == 2;
      }));
  Nest strict(matmul(context, "4"));
  ASSERT_OK(strict->run("vectorize(0, 2, 2)"));
  EXPECT_NE(message(strict->checkLegal()).find("can't be a vector"),
            std::string::npos);
}

/// A jam is legal if running it keeps the order; and if that by some factor is,
/// so are those by its divisors, on which plans count.
TEST(LegalityTest, JamsOfFactorsAndTheirDivisors) {
  Context context;
  unsigned numLegal = 0, numIllegal = 0;
  for (int a : {-2, -1, 0, 1, 2})
    for (int b : {-2, -1, 0, 1, 2}) {
      std::string read =
          "A[i + " + std::to_string(a) + ", j + " + std::to_string(b) + "]";
      Program program =
          plantest::makeProgram(context.get(),
                                {{"S0[i, j] : 2 <= i < N and 2 <= j < N",
                                  "0, i, 0, j, 0",
                                  "A[i, j]",
                                  {"A[i, j]", read}}},
                                11);
      std::set<unsigned> legal{1};
      for (unsigned factor = 2; factor <= 6; ++factor) {
        Nest nest(program);
        ASSERT_OK(nest->run("unroll(0, 1, " + std::to_string(factor) + ")"));
        bool isLegal = bool(nest->checkLegal());
        EXPECT_EQ(isLegal, nest.check().empty()) << read << " by " << factor;
        isLegal ? ++numLegal : ++numIllegal;
        if (!isLegal)
          continue;
        legal.insert(factor);
        for (unsigned divisor = 2; divisor < factor; ++divisor)
          if (factor % divisor == 0)
            EXPECT_TRUE(legal.count(divisor)) << read << " by " << factor;
      }
    }
  EXPECT_GT(numLegal, 0u);
  EXPECT_GT(numIllegal, 0u);
}

/// Against permuting and checking each order.
TEST(LegalityTest, LegalOrders) {
  Context context;
  for (const Program &program :
       {matmul(context, "4"), triangularSolve(context, "5"), lu(context, "5"),
        jacobi1d(context, "3", "7"), seidel2d(context, "2", "6"),
        syrk(context, "5"), figure3(context, "6")}) {
    Nest nest(program);
    unsigned loops = nest->numLoops();
    std::vector<Order> expected;
    Order order(loops);
    std::iota(order.begin(), order.end(), 1);
    do {
      Nest permuted(program);
      ASSERT_OK(permuted->run("permute(0, " +
                              toString(LoopValue(std::vector<int64_t>(
                                  order.begin(), order.end()))) +
                              ")"));
      Result<GeneratedCode> code = permuted->generate();
      ASSERT_OK(code);
      Execution result = run(permuted.reference, *permuted, *code);
      if (permuted.reference.checkOrder(result.order, false).empty())
        expected.push_back(order);
    } while (std::next_permutation(order.begin(), order.end()));
    Result<std::vector<Order>> legal = nest->legalOrders(0, loops);
    ASSERT_OK(legal);
    EXPECT_EQ(*legal, expected);
  }
}

} // namespace
