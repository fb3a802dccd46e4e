//===- PlanRowFusionTest.cpp - Which nests take turns row by row ----------===//
//--------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Planning.h"
#include "RowPrograms.h"

using namespace baco;
using namespace baco::polyhedral;
using namespace plantest;

namespace {

const Text scale{
    "S0[i, j] : 0 <= i, j < N", "0, i, 0, j, 0", "B[i, j]", {"A[i, j]"}};

size_t counted(const std::vector<Text> &texts) {
  Context context;
  return countRowFusionGroup(makeProgram(context.get(), texts, 1000), machine);
}

TEST(PlanRowFusionTest, RunsMaximaOfSoftmaxARowAhead) {
  Context context;
  Program program = makeProgram(context.get(), softmax(), 1000);
  EXPECT_EQ(countRowFusionGroup(program, machine), 6u);
  Result<LoopPlan> plan = planRowFusion(program, machine);
  ASSERT_TRUE(plan) << plan.error().message;
  // By hand: the sum is cleared before the loop that it would separate from
  // that of the exponential function.
  EXPECT_EQ(plan->str(), "vectorize(1, 2, W)\n"
                         "vectorize(2, 2, W)\n"
                         "vectorize(4, 2, W)\n"
                         "vectorize(5, 2, W)\n"
                         "split(0, 1, L1 >= 1)\n"
                         "shift(0, 1, -1)\n"
                         "split(1, 1, L1 >= 1)\n"
                         "shift(1, 1, -1)\n"
                         "split(2, 1, L1 <= 998)\n"
                         "split(3, 1, L1 <= 998)\n"
                         "split(4, 1, L1 <= 998)\n"
                         "split(5, 1, L1 <= 998)\n"
                         "fuse([6, 7], 1)\n"
                         "fuse([0, 3], rows)\n"
                         "fuse([0, 1, 2, 4, 5], rows)\n"
                         "fuse([2, 4], columns)\n"
                         "fuse([1, 2], ahead)\n");
  PlanAssignment defaults = plan->defaults();
  EXPECT_EQ(defaults["rows"][0], 1);
  EXPECT_EQ(defaults["columns"][0], 2);
  EXPECT_EQ(defaults["ahead"][0], 2);
  EXPECT_EQ(defaults["W"][0], 32);
}

TEST(PlanRowFusionTest, DoesNotRunAheadOfWhatIsInLevel2) {
  Context context;
  Result<LoopPlan> plan =
      planRowFusion(makeProgram(context.get(), softmax(), 100), machine);
  ASSERT_TRUE(plan) << plan.error().message;
  EXPECT_EQ(plan->defaults()["ahead"][0], 0);
}

TEST(PlanRowFusionTest, LetsProductsTakeTurnsOnBlocksOfRows) {
  Context context;
  Program program = makeProgram(context.get(), attention(), 1000);
  EXPECT_EQ(countRowFusionGroup(program, machine), 10u);
  for (Array &array : program.arrays)
    array.isTemporary = array.name == "S";
  Result<LoopPlan> plan = planRowFusion(program, machine);
  ASSERT_TRUE(plan) << plan.error().message;
  std::string commands = plan->str();
  auto has = [&](const std::string &command) {
    return commands.find(command + "\n") != std::string::npos;
  };
  for (int s = 0; s < 10; ++s)
    EXPECT_TRUE(has("tile(" + std::to_string(s) + ", 1, TB, 1)")) << s;
  EXPECT_TRUE(has("fuse([0, 1, 2, 3, 4, 5, 6, 7, 8, 9], group)"));
  // K is copied once, and the loops of the softmax take turns in a block.
  EXPECT_TRUE(has("datacopy(1, 1, 3, order=[1, 0], width=8, panel=NR1)"));
  EXPECT_TRUE(has("fuse([2, 3, 4, 6], rows)"));
  EXPECT_TRUE(has("contract(0, group, 0)"));
  PlanAssignment defaults = plan->defaults();
  EXPECT_EQ(defaults["group"][0], 1);
  // A row of scores has 8000 bytes, and that of other things 48; they may take
  // a quarter of level 2.
  EXPECT_EQ(defaults["TB"][0], 64);
  EXPECT_EQ(defaults["rows"][0], 2);
  // Without panels that stay in level 2, or with all scores there, each has
  // its own loops.
  EXPECT_EQ(countRowFusionGroup(program, {64, 32, 48 << 10, 40 << 10}), 1u);
  EXPECT_EQ(countRowFusionGroup(program, {64, 32, 48 << 10, 64 << 20}), 1u);
}

TEST(PlanRowFusionTest, DistributesBlocksOfRowsOverThreads) {
  Context context;
  Program program = makeProgram(context.get(), attention(), 1000);
  MachineSizes sizes = machine;
  sizes.threads = 4;
  Result<LoopPlan> plan = planRowFusion(program, sizes);
  ASSERT_TRUE(plan) << plan.error().message;
  std::string commands = plan->str();
  for (const char *command :
       {"tile(0, 1, PI, 1)\n", "tile(9, 2, TB, 2)\n", "parallelize(9, 1)\n"})
    EXPECT_NE(commands.find(command), std::string::npos) << command;
  PlanAssignment defaults = plan->defaults();
  EXPECT_EQ(defaults["PI"][0], 250);
  EXPECT_EQ(defaults["group"][0], 2);
  EXPECT_EQ(defaults["rows"][0], 3);
}

TEST(PlanRowFusionTest, FusesElementwiseNests) {
  Context context;
  Text second{
      "S1[i, j] : 0 <= i, j < N", "1, i, 0, j, 0", "C[i, j]", {"B[i, j]"}};
  Result<LoopPlan> plan =
      planRowFusion(makeProgram(context.get(), {scale, second}, 1000), machine);
  ASSERT_TRUE(plan) << plan.error().message;
  EXPECT_EQ(plan->str(), "vectorize(0, 2, W)\n"
                         "vectorize(1, 2, W)\n"
                         "fuse([0, 1], rows)\n"
                         "fuse([0, 1], columns)\n");
}

TEST(PlanRowFusionTest, StopsWhereAllRowsAreNeeded) {
  // The sum over rows is complete after the last one only.
  Text sum{"S1[i, j] : 0 <= i, j < N",
           "1, i, 0, j, 0",
           "c[j]",
           {"c[j]", "B[i, j]"},
           true};
  Text use{"S2[i, j] : 0 <= i, j < N",
           "2, i, 0, j, 0",
           "D[i, j]",
           {"B[i, j]", "c[j]"}};
  EXPECT_EQ(counted({scale, sum, use}), 2u);
}

TEST(PlanRowFusionTest, StopsAtOtherRows) {
  Text fewer{"S1[i, j] : 0 <= i < N - 1 and 0 <= j < N",
             "1, i, 0, j, 0",
             "C[i, j]",
             {"B[i, j]"}};
  EXPECT_EQ(counted({scale, fewer}), 1u);
  Text transposed{
      "S1[i, j] : 0 <= i, j < N", "1, i, 0, j, 0", "C[i, j]", {"B[j, i]"}};
  EXPECT_EQ(counted({scale, transposed}), 1u);
  Text next{
      "S1[i, j] : 0 <= i, j < N", "1, i, 0, j, 0", "C[i, j]", {"B[i + 1, j]"}};
  EXPECT_EQ(counted({scale, next}), 1u);
}

TEST(PlanRowFusionTest, WantsAMatrixInCommon) {
  Text other{
      "S1[i, j] : 0 <= i, j < N", "1, i, 0, j, 0", "C[i, j]", {"D[i, j]"}};
  EXPECT_EQ(counted({scale, other}), 1u);
  EXPECT_EQ(counted({scale}), 1u);
  EXPECT_EQ(counted(gemm()), 1u);
}

TEST(PlanRowFusionTest, PassesOverAMatrixOnce) {
  EXPECT_EQ(counted(mvt()), 2u);
  Context context;
  Program program = makeProgram(context.get(), mvt(), 1000);
  Result<LoopPlan> plan = planRowFusion(program, machine);
  ASSERT_TRUE(plan) << plan.error().message;
  EXPECT_EQ(plan->str(), "permute(1, [2, 1])\n"
                         "fuse([0, 1], 1)\n"
                         "tile(0, 1, TB0, 1)\n"
                         "distribute([0, 1], 2)\n"
                         "unroll(0, 2, U0)\n"
                         "vectorize(0, 3, W0)\n"
                         "unroll(1, 2, U1)\n"
                         "vectorize(1, 3, W1)\n");
}

TEST(PlanRowFusionTest, LeavesPassesOverSmallMatricesAlone) {
  Context context;
  Result<LoopPlan> plan =
      planRowFusion(makeProgram(context.get(), mvt(), 100), machine);
  ASSERT_FALSE(plan);
  EXPECT_EQ(plan.error().message,
            "the matrix that the nests share stays in level 2 anyway");
}

/// The second product needs one element of the vector that the first one makes,
/// or all of them.
TEST(PlanRowFusionTest, StopsWhereAllOfAVectorIsNeeded) {
  std::vector<Text> nests = mvt();
  nests[1].reads[2] = "x[j]";
  EXPECT_EQ(counted(nests), 2u);
  nests[1].reads = {"z[i]", "A[i, j]", "x[j]"};
  EXPECT_EQ(counted(nests), 1u);
}

TEST(PlanRowFusionTest, SaysThatThereIsNoChain) {
  Context context;
  Result<LoopPlan> plan =
      planRowFusion(makeProgram(context.get(), {scale}, 1000), machine);
  ASSERT_FALSE(plan);
  EXPECT_EQ(plan.error().message, "the nests have nothing to share");
}

} // namespace
