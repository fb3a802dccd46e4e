//===- DependencesTest.cpp - What must run in order -----------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Nest.h"
#include "PlanPrograms.h"

using namespace baco;
using namespace baco::polyhedral;
using namespace baco::polyhedral::test;

namespace {

TEST(DependencesTest, LegalityNamesADependence) {
  Context context;
  Nest nest(matmul(context, "4"));
  ASSERT_OK(nest->run("reverse(0, 2)"));
  EXPECT_EQ(message(nest->checkLegal()).substr(0, 62),
            "the order of loops breaks a dependence: S0 reads C and S0 writ");
  Nest reassociating(matmul(context, "4"), {.reassociate = true});
  ASSERT_OK(reassociating->run("reverse(0, 2)"));
  ASSERT_OK(reassociating->checkLegal());
  EXPECT_EQ(reassociating.check(), "");
}

/// Dependences that a copy doesn't change are those found before it.
TEST(DependencesTest, OldDependencesHoldAfterCopies) {
  Context context;
  Nest nest(triangularSolve(context, "6"));
  ASSERT_OK(nest->run("datacopy(0, 2, 2)"));
  ASSERT_OK(nest->run("tile(0, 3, 2, 3)"));
  ASSERT_OK(nest->run("datacopy(0, 3, 1)"));
  ASSERT_OK(nest->checkLegal());
  EXPECT_EQ(nest.check(), "");
  // Through B, which has no copy where it is written.
  ASSERT_OK(nest->run("reverse(0, 2)"));
  Result<void> legal = nest->checkLegal();
  ASSERT_FALSE(legal);
  EXPECT_NE(legal.error().message.find("S0 reads B"), std::string::npos)
      << legal.error().message;
  // Loops outside of what was reversed are as they were.
  ASSERT_OK(nest->run("reverse(0, 2)"));
  ASSERT_OK(nest->checkLegal());
  EXPECT_EQ(nest.check(), "");
}

} // namespace
