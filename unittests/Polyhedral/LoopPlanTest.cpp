//===- LoopPlanTest.cpp - Which plans nests get ---------------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "baco/Polyhedral/LoopPlan.h"
#include "Planning.h"
#include "baco/Polyhedral/Context.h"
#include "baco/Polyhedral/LoopSchedule.h"

#include <gtest/gtest.h>

#include <algorithm>

using namespace baco;
using namespace baco::polyhedral;
using namespace plantest;

namespace {

bool hasReason(const LoopPlan &plan, const std::string &part) {
  return std::any_of(plan.constraints.begin(), plan.constraints.end(),
                     [&](const PlanConstraint &constraint) {
                       return constraint.reason.find(part) != std::string::npos;
                     });
}

TEST(LoopPlan, BlocksMatrixProductAfterTakingItsInitializationOut) {
  Context context;
  LoopPlan plan = planned(context, gemm(), 1000);
  EXPECT_EQ(plan.str(), "distribute([0, 1], 1)\n"
                        "vectorize(0, 2, 16)\n"
                        "permute(1, [3, 1, 2])\n"
                        "tile(1, 3, KC1, 1)\n"
                        "tile(1, 3, MC1, 2)\n"
                        "vectorize(1, 3, NR1)\n"
                        "unroll(1, 4, MR1)\n"
                        "unroll(1, 5, KU1)\n"
                        "datacopy(1, 2, 3, width=8, panel=NR1)\n"
                        "datacopy(1, 3, 2, width=packRows1)\n"
                        "prefetch(1, 4, prefetch1)\n");
  EXPECT_EQ(valuesOf(plan, "NR1"), (std::vector<int64_t>{8, 16, 32}));
  EXPECT_EQ(valuesOf(plan, "KC1"),
            (std::vector<int64_t>{128, 168, 200, 256, 336, 504, 1000}));
  EXPECT_EQ(valuesOf(plan, "MC1"),
            (std::vector<int64_t>{48, 96, 120, 168, 192, 240, 336, 384, 480}));
  EXPECT_TRUE(hasReason(plan, "vector registers"));
  EXPECT_TRUE(hasReason(plan, "half of level 2"));
  EXPECT_TRUE(hasReason(plan, "latency"));
}

TEST(LoopPlan, FindsTheSameForMatrixProductInAnyOrderOfLoops) {
  // Independent of the source: only names of loops differ.
  Context context;
  std::vector<std::string> orders{"i, j, k", "i, k, j", "j, i, k",
                                  "j, k, i", "k, i, j", "k, j, i"};
  for (const std::string &order : orders) {
    std::string schedule = "0, " + order.substr(0, 1) + ", 0, " +
                           order.substr(3, 1) + ", 0, " + order.substr(6, 1) +
                           ", 0";
    std::vector<Text> text{{"S0[" + order + "] : 0 <= i, j, k < N",
                            schedule,
                            "C[i, j]",
                            {"C[i, j]", "A[i, k]", "B[k, j]"},
                            true}};
    LoopPlan plan = planned(context, text, 512);
    // From each order, j comes first, then i, then k.
    auto place = [&](char loop) { return order.find(loop) / 3 + 1; };
    std::string permuted = "permute(0, [" + std::to_string(place('j')) + ", " +
                           std::to_string(place('i')) + ", " +
                           std::to_string(place('k')) + "])\n";
    if (order != "j, i, k")
      EXPECT_EQ(plan.str().substr(0, permuted.size()), permuted) << order;
    EXPECT_EQ(valuesOf(plan, "NR"), (std::vector<int64_t>{8, 16, 32})) << order;
  }
}

TEST(LoopPlan, TransposesPanelsThatAreNotContiguous) {
  Context context;
  LoopPlan plan = planned(context, syrk(), 1000);
  EXPECT_NE(plan.str().find("datacopy(1, 4, 3, order=[1, 0], width=1)\n"),
            std::string::npos)
      << plan.str();
}

/// Rows of a triangular product in place are read before they are written. What
/// is in front of a tile of the reduction is rectangular.
TEST(LoopPlan, CutsTriangularProducts) {
  Context context;
  LoopPlan plan = planned(context, trmm(), 1000);
  EXPECT_EQ(plan.str(), "distribute([0, 1], 1)\n"
                        "permute(0, [2, 1, 3])\n"
                        "tile(0, 3, KC0, 1)\n"
                        "split(0, 3, L3 < L1)\n"
                        "distribute([0], 2)\n"
                        "vectorize(2, 2, NR0)\n"
                        "unroll(2, 3, MR0)\n"
                        "unroll(2, 4, KU0)\n"
                        "tile(0, 3, MC0, 2)\n"
                        "vectorize(0, 3, NR0)\n"
                        "unroll(0, 4, MR0)\n"
                        "unroll(0, 5, KU0)\n"
                        "datacopy(0, 2, 3, width=8, panel=NR0)\n"
                        "datacopy(0, 3, 2, width=packRows0)\n"
                        "prefetch(0, 4, prefetch0)\n"
                        "vectorize(1, 2, 16)\n");
  // A short reduction isn't tiled.
  EXPECT_EQ(planned(context, trmm(), 300).str().find("split"),
            std::string::npos);
}

TEST(LoopPlan, CutsTriangularSolveIntoBlocks) {
  Context context;
  LoopPlan plan = planned(context, trsm(), 1024);
  EXPECT_EQ(plan.str(), "tile(0, 1, TB1, 1)\n"
                        "split(0, 4, L4 < L1)\n"
                        "distribute([0], 2)\n"
                        "tile(2, 3, 1, 2)\n"
                        "vectorize(2, 2, W1)\n"
                        "tile(0, 3, 1, 2)\n"
                        "tile(0, 5, KC0, 2)\n"
                        "vectorize(0, 3, NR0)\n"
                        "unroll(0, 4, MR0)\n"
                        "unroll(0, 6, KU0)\n"
                        "datacopy(0, 4, 3, width=pack0)\n"
                        "prefetch(0, 3, prefetch0)\n");
  // There are 1023 sums at most. In a longer solve, tiles of 1023 would end in
  // single steps of an unrolled loop.
  EXPECT_EQ(valuesOf(plan, "KC0"),
            (std::vector<int64_t>{64, 128, 256, 512, 1024}));
}

TEST(LoopPlan, TurnsSolvesThatLookRight) {
  Context context;
  EXPECT_EQ(planned(context, trsmLooksRight(), 1024).str(),
            "tile(0, 2, 0, 2)\n"
            "skew(0, 2, [1, 1])\n"
            "shift(0, 2, 0)\n"
            "fuse([0, 1], 3)\n"
            "permute(1, [2, 3, 1])\n"
            "distribute([0, 1], 3)\n"
            "tile(1, 1, TB0, 1)\n"
            "split(1, 4, L4 < L1)\n"
            "distribute([1], 2)\n"
            "tile(2, 3, 1, 2)\n"
            "vectorize(2, 2, W0)\n"
            "tile(1, 3, 1, 2)\n"
            "tile(1, 5, KC1, 2)\n"
            "vectorize(1, 3, NR1)\n"
            "unroll(1, 4, MR1)\n"
            "unroll(1, 6, KU1)\n"
            "datacopy(1, 4, 3, width=pack1)\n"
            "prefetch(1, 3, prefetch1)\n");
}

TEST(LoopPlan, ReversesWhatRunsAgainstMemory) {
  Context context;
  std::string plan = planned(context, trsmRightBackwards(), 1024).str();
  EXPECT_NE(plan.find("reverse(0, 3)\n"), std::string::npos) << plan;
  EXPECT_NE(plan.find("vectorize(0, 4, NR0)\n"), std::string::npos) << plan;
}

/// Values of a loop with steps are not all of them iterations.
TEST(LoopPlan, CountsIterationsOfStridedLoops) {
  Context context;
  Program program = makeProgram(context.get(),
                                {{"S0[i, j] : 0 <= i, j < N and j mod 2 = 0",
                                  "0, i, 0, j, 0",
                                  "B[i, j]",
                                  {"A[i, j]"}}},
                                300);
  Result<LoopPlan> plan = planLoops(program, {64, 32, 48 << 10, 2 << 20});
  ASSERT_TRUE(plan) << plan.error().message;
  EXPECT_EQ(plan->str(), "permute(0, order)\n");
}

TEST(LoopPlan, LetsProductsWithOneMatrixTakeTurns) {
  Context context;
  LoopPlan plan = planned(context, atax(), 2000);
  EXPECT_EQ(plan.str(), "tile(0, 1, TB0, 1)\n"
                        "distribute([0, 1, 2], 2)\n"
                        "vectorize(0, 2, 16)\n"
                        "unroll(1, 2, U1)\n"
                        "vectorize(1, 3, W1)\n"
                        "unroll(2, 2, U2)\n"
                        "vectorize(2, 3, W2)\n");
  // A matrix of 32 KiB is in the cache anyway.
  LoopPlan small = planned(context, atax(), 64);
  EXPECT_EQ(small.str().find("tile"), std::string::npos) << small.str();
}

TEST(LoopPlan, VectorizesTheContiguousLoop) {
  Context context;
  LoopPlan plan = planned(context, transposedProduct(), 2000);
  EXPECT_EQ(plan.str(), "permute(0, [2, 1])\n"
                        "unroll(0, 1, U)\n"
                        "vectorize(0, 2, W)\n");
  // One sweep of a stencil: nothing is reused but in its neighborhood.
  EXPECT_EQ(planned(context, jacobi3d(), 100).str(), "unroll(0, 2, U)\n"
                                                     "vectorize(0, 3, W)\n");
}

TEST(LoopPlan, CutsPlanesThatLevel2DoesNotHold) {
  Context context;
  // Three planes of 2 MiB.
  LoopPlan plan = planned(context, jacobi3d(), 512);
  EXPECT_EQ(plan.str(), "tile(0, 2, TJ, 1)\n"
                        "unroll(0, 3, U)\n"
                        "vectorize(0, 4, W)\n");
  EXPECT_EQ(valuesOf(plan, "TJ").front(), 0);
  EXPECT_EQ(plan.defaults()["TJ"][0], 64);
  // Three rows of 510 elements; strips of 256 would take 3 MiB.
  ASSERT_FALSE(plan.constraints.empty());
  const PlanConstraint &rule = plan.constraints.back();
  EXPECT_EQ(rule.expression, "TJ == 0 || TJ * 12240 <= 2097152");
  EXPECT_TRUE(rule.isAdvisory);
  // Of 0.5 MiB: strips are offered.
  EXPECT_EQ(planned(context, jacobi3d(), 256).defaults()["TJ"][0], 0);
}

TEST(LoopPlan, KeepsSumsInRegistersWhereTheMatrixIsSmall) {
  Context context;
  LoopPlan plan = planned(context, transposedProduct(), 160);
  EXPECT_EQ(plan.str(), "vectorize(0, 1, W)\n");
  // 2^65 elements are many.
  std::vector<Text> huge = transposedProduct();
  huge[0].domain = "S0[i, j] : 0 <= i < 1099511627776 and 0 <= j < N";
  EXPECT_EQ(planned(context, huge, 1 << 25).str(), "permute(0, [2, 1])\n"
                                                   "unroll(0, 1, U)\n"
                                                   "vectorize(0, 2, W)\n");
}

/// The window of a pooling is contiguous, but fills no vector.
TEST(LoopPlan, GathersRatherThanVectorsOfAWindow) {
  Context context;
  std::vector<Text> text{{"S0[c, h, w, k, l] : 0 <= c, h, w < N and "
                          "0 <= k, l < 2",
                          "0, c, 0, h, 0, w, 0, k, 0, l, 0",
                          "O[c, h, w]",
                          {"O[c, h, w]", "I[c, 2h + k, 2w + l]"},
                          true}};
  LoopPlan plan = planned(context, text, 28);
  EXPECT_EQ(plan.str(), "vectorize(0, 3, W)\n");
  EXPECT_EQ(valuesOf(plan, "W"), (std::vector<int64_t>{0, 8, 16, 32}));
}

TEST(LoopPlan, GivesEachRowOfAProductItsOwnTemporary) {
  Context context;
  LoopPlan plan = planned(context, doitgen(), 160);
  std::string begin = "expand(1, 2, 0)\n"
                      "distribute([0, 1, 2], 2)\n";
  EXPECT_EQ(plan.str().substr(0, begin.size()), begin);
  EXPECT_NE(plan.str().find("unroll(1, 4, MR1)"), std::string::npos)
      << plan.str();
  // As many as find room in a quarter of level 2.
  begin = "tile(1, 2, 128, 2)\n"
          "expand(1, 3, 0)\n"
          "distribute([0, 1, 2], 3)\n";
  EXPECT_EQ(planned(context, doitgen(), 510).str().substr(0, begin.size()),
            begin);
}

TEST(LoopPlan, SkewsSweepsOverTime) {
  Context context;
  LoopPlan plan = planned(context, jacobi2d(), 1300);
  EXPECT_EQ(plan.str(), "skew(0, 2, [2, 1])\n"
                        "shift(1, 2, 1)\n"
                        "skew(1, 2, [2, 1])\n"
                        "fuse([0, 1], 2)\n"
                        "tile(0, 1, TT0, 1)\n"
                        "tile(0, 3, TI0, 2)\n"
                        "unroll(0, 4, U0)\n"
                        "vectorize(0, 5, W0)\n"
                        "vectorize(1, 5, W0)\n");
  PlanAssignment best = plan.defaults();
  EXPECT_GT(best["TT0"][0], 0);
  EXPECT_GT(best["TI0"][0], 0);
  // Untiled stays possible, and is best for what fits the cache.
  EXPECT_EQ(valuesOf(plan, "TT0").front(), 0);
  PlanAssignment small = planned(context, jacobi2d(), 100).defaults();
  EXPECT_EQ(small["TT0"][0], 0);
  EXPECT_EQ(small["TI0"][0], 0);
}

TEST(LoopPlan, JamsNoRowsThatWaitForEachOther) {
  Context context;
  LoopPlan plan = planned(context, everyOtherRow(), 1300);
  EXPECT_NE(plan.str().find("unroll(0, 4, U0)\n"), std::string::npos)
      << plan.str();
  EXPECT_EQ(valuesOf(plan, "U0"), (std::vector<int64_t>{1, 2}));
}

TEST(LoopPlan, SkewsSweepsThatDifferInShape) {
  Context context;
  // The first statement sets a row only: it gets a loop over one row.
  LoopPlan plan = planned(context, fdtd2d(), 1000);
  EXPECT_EQ(plan.str(), "tile(0, 2, 0, 2)\n"
                        "skew(0, 2, [1, 1])\n"
                        "skew(1, 2, [1, 1])\n"
                        "skew(2, 2, [1, 1])\n"
                        "shift(3, 2, 1)\n"
                        "skew(3, 2, [1, 1])\n"
                        "fuse([0, 1, 2, 3], 2)\n"
                        "tile(0, 1, TT0, 1)\n"
                        "tile(0, 3, TI0, 2)\n"
                        "unroll(0, 4, U0)\n"
                        "vectorize(0, 5, W0)\n"
                        "vectorize(1, 5, W0)\n"
                        "vectorize(2, 5, W0)\n"
                        "vectorize(3, 5, W0)\n");
}

TEST(LoopPlan, RunsStencilsInPlaceInWavefronts) {
  Context context;
  LoopPlan plan = planned(context, seidel2d(), 2000);
  // By 2, since a point needs that to the right of the one above.
  EXPECT_EQ(plan.str(), "skew(0, 2, [1, 1])\n"
                        "skew(0, 3, [0, 2, 1])\n"
                        "tile(0, 1, TT, 1)\n"
                        "tile(0, 3, TI, 2)\n"
                        "unroll(0, 4, U)\n");
}

TEST(LoopPlan, FusesRowsWhereTimeCanNotBeTiled) {
  Context context;
  LoopPlan plan = planned(context, fdtd2dWithFeedback(), 1000);
  EXPECT_NE(plan.str().find("shift(3, 2, 1)\n"
                            "fuse([1, 2, 3], fuse1)\n"),
            std::string::npos)
      << plan.str();
  EXPECT_EQ(plan.defaults()["fuse1"], std::vector<int64_t>{2});
  EXPECT_EQ(planned(context, fdtd2dWithFeedback(), 100).defaults()["fuse1"],
            std::vector<int64_t>{1});
}

TEST(LoopPlan, PutsTheFiltersOfConvolutionsOutside) {
  Context context;
  LoopPlan plan = planned(context, conv2d(), 56);
  EXPECT_EQ(plan.str(), "permute(0, [3, 1, 2, 4, 5, 6])\n"
                        "vectorize(0, 1, NR)\n"
                        "unroll(0, 3, MR)\n"
                        "unroll(0, 2, JR)\n"
                        "unroll(0, 6, KU)\n"
                        "datacopy(0, 2, 3, width=pack)\n"
                        "prefetch(0, 1, prefetch)\n");
  // Sums of 7 columns in 2 lines fill the registers.
  EXPECT_EQ(plan.defaults()["MR"], std::vector<int64_t>{7});
  EXPECT_EQ(plan.defaults()["JR"], std::vector<int64_t>{2});
}

TEST(LoopPlan, CutsDeepReductionsOfConvolutionsFiner) {
  Context context;
  LoopPlan plan = planned(context, conv2d(), 512);
  EXPECT_EQ(valuesOf(plan, "KC"),
            (std::vector<int64_t>{16, 32, 64, 128, 256, 512}));
}

TEST(LoopPlan, ExtendsRowsOfConvolutionsOverLines) {
  Context context;
  LoopPlan plan = planned(context, conv2d(), 7);
  EXPECT_EQ(valuesOf(plan, "MR").back(), 7);
  EXPECT_EQ(valuesOf(plan, "JR"), (std::vector<int64_t>{1, 2, 3, 4}));
}

TEST(LoopPlan, UnrollsTheInnermostReduction) {
  Context context;
  LoopPlan plan = planned(context, gemm(), 1000);
  EXPECT_EQ(valuesOf(plan, "KU1"), (std::vector<int64_t>{2, 4}));
  EXPECT_TRUE(hasReason(plan, "interleaves the unrolled steps"));
}

TEST(LoopPlan, CopiesPanelsThatAreUsedOften) {
  // What stays in level 2 is neither copied nor prefetched.
  Context context;
  PlanAssignment often = planned(context, gemm(), 1000).defaults();
  EXPECT_EQ(often["packRows1"], std::vector<int64_t>{8});
  PlanAssignment small = planned(context, conv2d(), 7).defaults();
  EXPECT_EQ(small["pack"], std::vector<int64_t>{0});
  EXPECT_EQ(small["prefetch"], std::vector<int64_t>{0});
}

TEST(LoopPlan, ChoosesSizesOfProductsByTheMachine) {
  Context context;
  // gemm() is on f64. Rows of a matrix that stays in level 2 aren't copied.
  EXPECT_EQ(planned(context, gemm(), 128).defaults()["packRows1"],
            std::vector<int64_t>{0});
  // Reductions are cut once panels exceed twice level 1.
  EXPECT_TRUE(valuesOf(planned(context, gemm(), 256), "KC1").empty());
  EXPECT_FALSE(valuesOf(planned(context, gemm(), 2000), "KC1").empty());
}

TEST(LoopPlan, OffersLegalOrdersWhereNothingElseHelps) {
  Context context;
  // Large strides in all directions, and i must stay outside of j.
  std::vector<Text> text{{"S0[i, j, k] : 1 <= i, j, k < N - 1",
                          "0, i, 0, j, 0, k, 0",
                          "A[2i, 2j, 2k]",
                          {"A[2i - 2, 2j + 2, 2k]"}}};
  LoopPlan plan = planned(context, text, 100);
  EXPECT_EQ(plan.str(), "permute(0, order)\n");
  ASSERT_EQ(plan.constraints.size(), 1u);
  // The distance is (1, -1, 0).
  EXPECT_EQ(plan.constraints[0].expression,
            "in(order, {(0, 1, 2), (0, 2, 1), (2, 0, 1)})");
  EXPECT_FALSE(plan.constraints[0].isAdvisory);
}

TEST(LoopPlan, OffersOrdersOfWhatHasNoVectors) {
  std::vector<Text> text{
      {"S0[i, j] : 0 <= i, j < N", "0, i, 0, j, 0", "A[i, j]", {"B[j, i]"}}};
  Context context;
  Program program = makeProgram(context.get(), text, 100);
  program.statements[0].isScalar = true;
  Result<LoopPlan> plan = planLoops(program, machine);
  ASSERT_TRUE(plan) << plan.error().message;
  EXPECT_EQ(plan->str(), "permute(0, order)\n");
}

TEST(LoopPlan, SaysWhyThereIsNothingToChoose) {
  Context context;
  // A recurrence.
  std::vector<Text> text{
      {"S0[i] : 1 <= i < N", "0, i, 0", "A[i]", {"A[i - 1]"}}};
  Result<LoopPlan> plan =
      planLoops(makeProgram(context.get(), text, 100), machine);
  ASSERT_FALSE(plan);
  EXPECT_EQ(plan.error().code, ErrorCode::Unsupported);
  EXPECT_EQ(plan.error().message,
            "nothing in it can be chosen; statement 0 stays as it is: no loop "
            "of it runs in parallel on contiguous elements");
}

TEST(LoopPlan, RefusesImpossibleMachines) {
  Context context;
  Result<LoopPlan> plan =
      planLoops(makeProgram(context.get(), gemm(), 100), {0, 32, 0, 0});
  ASSERT_FALSE(plan);
  EXPECT_EQ(plan.error().code, ErrorCode::InvalidArgument);
}

TEST(LoopPlan, AppliesOnlyCompleteAssignments) {
  Context context;
  Program program = makeProgram(context.get(), jacobi3d(), 50);
  Result<LoopPlan> plan = planLoops(program, machine);
  ASSERT_TRUE(plan);
  Result<LoopSchedule> schedule =
      LoopSchedule::create(program, {plan->reassociate});
  ASSERT_TRUE(schedule);
  Result<LoopSchedule> applied = plan->apply(*schedule, {{"U", {2}}});
  ASSERT_FALSE(applied);
  EXPECT_EQ(applied.error().message, "knob 'W' has no value");
  EXPECT_TRUE(plan->apply(*schedule, plan->defaults()));
}

} // namespace
