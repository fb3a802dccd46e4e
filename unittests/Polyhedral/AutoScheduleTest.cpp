//===- AutoScheduleTest.cpp - isl's scheduler -----------------------------===//
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

TEST(AutoScheduleTest, SkewsStencilsIntoTilableBands) {
  Context context;
  Nest jacobi(jacobi1d(context, "4", "9"));
  ASSERT_OK(jacobi->run("auto(max)"));
  ASSERT_OK(jacobi->checkLegal());
  EXPECT_EQ(jacobi.check(), "");
  Result<bool> band = jacobi->canTile(0, 1, 2);
  ASSERT_OK(band);
  EXPECT_TRUE(*band);
  ASSERT_OK(jacobi->run("tile(0, 1, 2)"));
  ASSERT_OK(jacobi->run("tile(0, 3, 4, 2)"));
  ASSERT_OK(jacobi->checkLegal());
  EXPECT_EQ(jacobi.check(), "");

  Nest seidel(seidel2d(context, "3", "6"));
  ASSERT_OK(seidel->run("auto(smart)"));
  band = seidel->canTile(0, 1, 3);
  ASSERT_OK(band);
  EXPECT_TRUE(*band);
  ASSERT_OK(seidel->checkLegal());
  EXPECT_EQ(seidel.check(), "");
}

TEST(AutoScheduleTest, EachFusionIsLegal) {
  Context context;
  for (std::string fusion : {"min", "max", "smart"})
    for (const Program &program :
         {lu(context, "6"), syrk(context, "5"), figure3(context, "7"),
          triangularSolve(context, "5")}) {
      Nest nest(program);
      ASSERT_OK(nest->run("auto(" + fusion + ")"));
      ASSERT_OK(nest->checkLegal());
      EXPECT_EQ(nest.check(), "");
    }
  Nest split(matmul(context, "4"));
  ASSERT_OK(split->run("split(0, 1, L1 >= 2)"));
  EXPECT_NE(message(split->run("auto(smart)")).find("before splits"),
            std::string::npos);
}

} // namespace
