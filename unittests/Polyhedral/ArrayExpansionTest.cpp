//===- ArrayExpansionTest.cpp - Elements of each iteration ----------------===//
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

TEST(ArrayExpansionTest, ExpandsArraysByIteration) {
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
  // The array holds the values of the last iteration afterwards.
  EXPECT_NE(nest.code().find("drain_expanded_T("), std::string::npos);
  // The same as a program.
  Result<Program> program = nest->asProgram();
  ASSERT_OK(program);
  Nest again(*program, {.reassociate = true});
  EXPECT_EQ(again.code(), nest.code());
  ASSERT_OK(again->checkLegal());
}

TEST(ArrayExpansionTest, RejectsInvalidExpansions) {
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

} // namespace
