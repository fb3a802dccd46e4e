//===- AlignTest.cpp - Distribution and fusion ----------------------------===//
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

TEST(AlignTest, DistributeAndFuse) {
  Context context;
  Nest nest(syrk(context, "5"));
  ASSERT_OK(nest->run("distribute([], 1)"));
  ASSERT_OK(nest->checkLegal());
  EXPECT_EQ(nest.check(), "");
  ASSERT_OK(nest->run("fuse([0,1], 1)"));
  ASSERT_OK(nest->checkLegal());
  EXPECT_EQ(nest.check(), "");
}

} // namespace
