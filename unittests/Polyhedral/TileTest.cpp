//===- TileTest.cpp - Tiles of loops --------------------------------------===//
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

TEST(TileTest, TilesThatDivideLeaveNoRemainder) {
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

TEST(TileTest, UnrollAndJamOfTriangles) {
  Context context;
  Nest nest(syrk(context, "7"), {.reassociate = true});
  ASSERT_OK(nest->run("unroll(1, 1, 2)"));
  ASSERT_OK(nest->run("vectorize(1, 3, 3)"));
  ASSERT_OK(nest->checkLegal());
  EXPECT_EQ(nest.check(), "");
}

} // namespace
