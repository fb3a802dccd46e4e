//===- PartialTileSeparationTest.cpp - Full steps of loops ----------------===//
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

/// Steps are full but for one remainder in each loop.
TEST(PartialTileSeparationTest, SeparatesFullSteps) {
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
  // The bounds of loops over full tiles are one sum each.
  EXPECT_NE(print(*code).find("c3 <= 3 * c2 + 2; c3 += 1)\n"
                              "        for (int c4 = 0; c4 <= 3;"),
            std::string::npos)
      << print(*code);
}

/// Also in the rest of another loop, or if the vector is longer than that.
TEST(PartialTileSeparationTest, SeparatesFullStepsOfEachLoop) {
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
TEST(PartialTileSeparationTest, SeparatesFullStepsInTiles) {
  Context context;
  Nest nest(matmul(context, "10"));
  ASSERT_OK(nest->run("tile(0, 1, 5)"));
  ASSERT_OK(nest->run("unroll(0, 2, 2)"));
  EXPECT_EQ(nest.check(), "");
  EXPECT_EQ(nest.code().find("min("), std::string::npos) << nest.code();
}

/// Code of the last tile alone is in a condition, and has a known count.
TEST(PartialTileSeparationTest, SeparatesTheRemainderOfTheLastTile) {
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

} // namespace
