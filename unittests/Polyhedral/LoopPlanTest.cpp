//===- LoopPlanTest.cpp - What plans make of nests ------------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "baco/LoopPlanner/LoopPlan.h"
#include "Planning.h"
#include "Solves.h"
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

bool hasCommand(const LoopPlan &plan, LoopCommandKind kind) {
  return std::any_of(
      plan.commands.begin(), plan.commands.end(),
      [&](const LoopCommand &command) { return command.kind == kind; });
}

TEST(LoopPlan, BlocksMatrixProductAfterTakingItsInitializationOut) {
  PlannedNest nest(gemm(), 1000);
  EXPECT_EQ(nest.numShared(0, 1), 0u);
  EXPECT_EQ(nest.order(0), "ij");
  EXPECT_EQ(nest.vectorized(0), 'j');
  // Goto and van de Geijn's loops, and a tile of C in registers inside.
  EXPECT_EQ(nest.order(1), "KIjik");
  EXPECT_EQ(nest.unrolled(1), "ik");
  EXPECT_EQ(nest.vectorized(1), 'j');
  EXPECT_EQ(nest.copied(), (std::vector<std::string>{"B", "A"}));
  EXPECT_TRUE(hasReason(nest.plan, "vector registers"));
  EXPECT_TRUE(hasReason(nest.plan, "half of level 2"));
  EXPECT_TRUE(hasReason(nest.plan, "latency"));
}

TEST(LoopPlan, TransposesPanelsThatAreNotContiguous) {
  PlannedNest nest(syrk(), 1000);
  EXPECT_EQ(nest.vectorized(1), 'j');
  // Columns of A are copied to rows, k by k.
  ASSERT_EQ(nest.copied(), std::vector<std::string>{"A"});
  const std::vector<int64_t> &shape = nest.schedule->buffers()[0].shape;
  PlanAssignment best = nest.plan.defaults();
  ASSERT_EQ(shape.size(), 2u);
  EXPECT_EQ(shape[0], best["KC1"][0]);
  EXPECT_EQ(shape[1], best["NR1"][0]);
}

/// Rows of a triangular product in place are read before they are written. What
/// is in front of a tile of the reduction is rectangular.
TEST(LoopPlan, CutsTriangularProducts) {
  PlannedNest nest(trmm(), 1000);
  // The rectangles, the rows that are scaled, and the triangles.
  EXPECT_EQ(nest.order(0), "KIjik");
  EXPECT_EQ(nest.order(1), "ij");
  EXPECT_EQ(nest.order(2), "Kjik");
  for (unsigned statement : {0, 2}) {
    EXPECT_EQ(nest.vectorized(statement), 'j');
    EXPECT_EQ(nest.unrolled(statement), "ik");
  }
  EXPECT_EQ(nest.vectorized(1), 'j');
  // A short reduction isn't tiled.
  EXPECT_EQ(PlannedNest(trmm(), 300).order(0), "jik");
}

TEST(LoopPlan, CutsTriangularSolveIntoBlocks) {
  PlannedNest nest(trsm(), 1024);
  // A block subtracts a product of the rows before it, whose panels fit
  // level 1.
  EXPECT_EQ(nest.order(0), "IKjik");
  EXPECT_EQ(nest.vectorized(0), 'j');
  EXPECT_EQ(nest.unrolled(0), "ik");
  // The solve in the block.
  EXPECT_EQ(nest.order(1), "Iji");
  EXPECT_EQ(nest.order(2), "Ijik");
  EXPECT_EQ(nest.vectorized(2), 'j');
  EXPECT_EQ(nest.numShared(1, 2), 3u);
  EXPECT_EQ(nest.numShared(0, 1), 1u);
  // There are 1023 sums at most. In a longer solve, tiles of 1023 would end in
  // single steps of an unrolled loop.
  for (int64_t depth : valuesOf(nest.plan, "KC0"))
    EXPECT_EQ(1024 % depth, 0) << depth;
}

TEST(LoopPlan, TurnsSolvesThatLookRight) {
  PlannedNest nest(trsmLooksRight(), 1024), asLeft(trsm(), 1024);
  // The product is that of a solve that looks left.
  EXPECT_EQ(nest.order(1), asLeft.order(0));
  EXPECT_EQ(nest.unrolled(1), asLeft.unrolled(0));
  EXPECT_EQ(nest.vectorized(1), 'j');
  EXPECT_EQ(nest.vectorized(2), 'j');
}

TEST(LoopPlan, ReversesWhatRunsAgainstMemory) {
  PlannedNest nest(trsmRightBackwards(), 1024);
  EXPECT_EQ(nest.vectorized(0), 'j');
  // Vectors need elements in the order of memory.
  EXPECT_TRUE(hasCommand(nest.plan, LoopCommandKind::Reverse));
  EXPECT_FALSE(hasCommand(PlannedNest(trsmRight(), 1024).plan,
                          LoopCommandKind::Reverse));
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

TEST(LoopPlan, VectorizesTheContiguousLoop) {
  PlannedNest product(transposedProduct(), 2000);
  EXPECT_EQ(product.order(0), "ji");
  EXPECT_EQ(product.vectorized(0), 'i');
  // One sweep of a stencil: nothing is reused but in its neighborhood.
  PlannedNest stencil(jacobi3d(), 100);
  EXPECT_EQ(stencil.order(0), "ijk");
  EXPECT_EQ(stencil.vectorized(0), 'k');
}

TEST(LoopPlan, CutsPlanesThatLevel2DoesNotHold) {
  // Three planes of 2 MiB.
  PlannedNest nest(jacobi3d(), 512);
  EXPECT_EQ(nest.order(0), "Jijk");
  EXPECT_EQ(nest.vectorized(0), 'k');
  EXPECT_EQ(valuesOf(nest.plan, "TJ").front(), 0);
  // Three rows of 510 elements; strips of 256 would take 3 MiB.
  ASSERT_FALSE(nest.plan.constraints.empty());
  const PlanConstraint &rule = nest.plan.constraints.back();
  EXPECT_EQ(rule.expression.text(), "TJ == 0 || TJ * 12240 <= 2097152");
  EXPECT_TRUE(rule.isAdvisory);
  EXPECT_LE(nest.plan.defaults()["TJ"][0] * 12240, machine.l2Bytes);
  // Planes of 0.5 MiB: strips are offered, and aren't the default.
  PlannedNest small(jacobi3d(), 256);
  EXPECT_EQ(small.order(0), "ijk");
  EXPECT_EQ(PlannedNest(jacobi3d(), 256, {{"TJ", {16}}}).order(0), "Jijk");
}

TEST(LoopPlan, KeepsSumsInRegistersWhereTheMatrixIsSmall) {
  PlannedNest nest(transposedProduct(), 160);
  EXPECT_EQ(nest.order(0), "ij");
  EXPECT_EQ(nest.vectorized(0), 'i');
  // 2^65 elements are many.
  std::vector<Text> huge = transposedProduct();
  huge[0].domain = "S0[i, j] : 0 <= i < 1099511627776 and 0 <= j < N";
  EXPECT_EQ(PlannedNest(huge, 1 << 25).order(0), "ji");
}

/// The window of a pooling is contiguous, but fills no vector.
TEST(LoopPlan, GathersRatherThanVectorsOfAWindow) {
  PlannedNest nest({{"S0[c, h, w, k, l] : 0 <= c, h, w < N and 0 <= k, l < 2",
                     "0, c, 0, h, 0, w, 0, k, 0, l, 0",
                     "O[c, h, w]",
                     {"O[c, h, w]", "I[c, 2h + k, 2w + l]"},
                     true}},
                   28);
  EXPECT_EQ(nest.order(0), "chwkl");
  // Gathers may not pay: no vectors are among the choices.
  EXPECT_EQ(valuesOf(nest.plan, "W").front(), 0);
  EXPECT_EQ(PlannedNest(nest.texts, 28, {{"W", {8}}}).vectorized(0), 'w');
}

TEST(LoopPlan, GivesEachRowOfAProductItsOwnTemporary) {
  PlannedNest nest(doitgen(), 160);
  ASSERT_FALSE(nest.copied().empty());
  EXPECT_EQ(nest.copied()[0], "s");
  EXPECT_EQ(nest.schedule->buffers()[0].shape,
            (std::vector<int64_t>{160, 160}));
  EXPECT_EQ(nest.vectorized(1), 'p');
  EXPECT_EQ(nest.unrolled(1), "qk");
  // As many rows as find room in a quarter of level 2.
  PlannedNest large(doitgen(), 510);
  ASSERT_FALSE(large.copied().empty());
  const std::vector<int64_t> &shape = large.schedule->buffers()[0].shape;
  ASSERT_EQ(shape.size(), 2u);
  EXPECT_EQ(shape[1], 510);
  EXPECT_LE(shape[0] * shape[1] * 8, machine.l2Bytes / 4);
}

TEST(LoopPlan, SkewsSweepsOverTime) {
  PlannedNest nest(jacobi2d(), 1300);
  // Tiles of time, and of rows that move with time.
  EXPECT_EQ(nest.order(0), "T*t*j");
  EXPECT_EQ(nest.order(1), "T*t*j");
  EXPECT_EQ(nest.numShared(0, 1), 4u);
  EXPECT_EQ(nest.vectorized(0), 'j');
  EXPECT_EQ(nest.vectorized(1), 'j');
  // Untiled stays possible, and is best for what fits the cache.
  EXPECT_EQ(valuesOf(nest.plan, "TT0").front(), 0);
  PlanAssignment small = PlannedNest(jacobi2d(), 100).plan.defaults();
  EXPECT_EQ(small["TT0"][0], 0);
  EXPECT_EQ(small["TI0"][0], 0);
}

TEST(LoopPlan, JamsNoRowsThatWaitForEachOther) {
  PlannedNest nest(everyOtherRow(), 1300, {{"U0", {2}}});
  EXPECT_EQ(nest.unrolled(1), "i");
  EXPECT_EQ(valuesOf(nest.plan, "U0"), (std::vector<int64_t>{1, 2}));
}

TEST(LoopPlan, SkewsSweepsThatDifferInShape) {
  PlannedNest nest(fdtd2d(), 1000);
  for (unsigned statement : {1, 2, 3}) {
    EXPECT_EQ(nest.order(statement), "T*t*j");
    EXPECT_EQ(nest.vectorized(statement), 'j');
    // The first statement sets a row only: it gets a loop over one row.
    EXPECT_EQ(nest.numShared(0, statement), 4u);
  }
}

TEST(LoopPlan, RunsStencilsInPlaceInWavefronts) {
  PlannedNest nest(seidel2d(), 2000);
  EXPECT_EQ(nest.order(0), "T*t**");
  // Points depend on their neighbors in the row, so there are no vectors.
  EXPECT_EQ(nest.vectorized(0), '-');
  EXPECT_EQ(nest.unrolled(0), "*");
}

TEST(LoopPlan, FusesRowsWhereTimeCanNotBeTiled) {
  PlannedNest nest(fdtd2dWithFeedback(), 1000);
  EXPECT_EQ(nest.order(1), "tij");
  EXPECT_EQ(nest.numShared(1, 2), 2u);
  EXPECT_EQ(nest.numShared(1, 3), 2u);
  PlannedNest small(fdtd2dWithFeedback(), 100);
  EXPECT_EQ(small.plan.defaults()["fuse1"], std::vector<int64_t>{1});
}

TEST(LoopPlan, PutsTheFiltersOfConvolutionsOutside) {
  PlannedNest nest(conv2d(), 56);
  EXPECT_EQ(nest.order(0), "fyxbac");
  EXPECT_EQ(nest.vectorized(0), 'f');
  EXPECT_EQ(nest.unrolled(0), "xyc");
  // Sums fill the registers, but for the vectors of filters and a factor.
  PlanAssignment best = nest.plan.defaults();
  EXPECT_GT(best["JR"][0], 1);
  int64_t vectors = best["NR"][0] / (machine.vectorBytes / 8),
          sums = best["MR"][0] * best["JR"][0] * vectors,
          filters = best["KU"][0] * vectors;
  EXPECT_LE(sums + filters + 1, machine.vectorRegisters);
  EXPECT_GE(sums, machine.vectorRegisters * 3 / 4);
}

TEST(LoopPlan, CutsDeepReductionsOfConvolutionsFiner) {
  Context context;
  int64_t least = valuesOf(planned(context, conv2d(), 512), "KC").front();
  // A step of its reduction is one of a whole window.
  EXPECT_LT(least, valuesOf(planned(context, gemm(), 1000), "KC1").front());
}

TEST(LoopPlan, ExtendsRowsOfConvolutionsOverLines) {
  Context context;
  LoopPlan plan = planned(context, conv2d(), 7);
  EXPECT_EQ(valuesOf(plan, "MR").back(), 7);
  // A row of 7 sums doesn't fill the registers: lines are jammed.
  EXPECT_GT(valuesOf(plan, "JR").back(), 1);
}

TEST(LoopPlan, UnrollsTheInnermostReduction) {
  PlannedNest nest(gemm(), 1000);
  EXPECT_EQ(nest.unrolled(1).back(), 'k');
  EXPECT_TRUE(hasReason(nest.plan, "interleaves the unrolled steps"));
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
      LoopSchedule::create(program, {.reassociate = true});
  ASSERT_TRUE(schedule);
  Result<LoopSchedule> applied = plan->apply(*schedule, {{"U", {2}}});
  ASSERT_FALSE(applied);
  EXPECT_EQ(applied.error().message, "knob 'W' has no value");
  EXPECT_TRUE(plan->apply(*schedule, plan->defaults()));
}

} // namespace
