//===- FrosttTest.cpp - Reading FROSTT files ------------------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TensorFileFixture.h"

using namespace baco;
using namespace baco::sparse;

namespace {
using FrosttTest = TensorFileTest;
} // namespace

TEST_F(FrosttTest, ReadsTensorsOfAnyRank) {
  EXPECT_EQ(describe(readTensorFile(
                write("a.tns", "# a comment\n2 1 4 0.5\n1 3 1 2\n"))),
            "2x3x4: 0,2,0=2 1,0,3=0.5");
  EXPECT_EQ(describe(readTensorFile(
                write("b.tns", "# extended FROSTT format\n4 1\n2 3 4 5\n"
                               "2 3 4 5 6\n"))),
            "2x3x4x5: 1,2,3,4=6");
  EXPECT_EQ(describe(readTensorFile(
                write("c.tns", "# extended FROSTT format\n1 0\n7\n"))),
            "7:");
}

TEST_F(FrosttTest, ErrorsOfTensorsHaveLineAndReason) {
  const std::string extended = "# extended FROSTT format\n";
  const std::string forms[][2] = {
      {"# nothing\n", "a.tns:1: the file has no entries"},
      {"5\n", "a.tns:1: an entry has 1 to 16 coordinates"},
      {"1 2 3\n1 2\n", "a.tns:2: expected 2 coordinates and a value"},
      {"1 x 3\n", "a.tns:1: the coordinate 'x' is not an integer"},
      {"1 0 3\n", "a.tns:1: the coordinate 0 is not in 1 to"},
      {"1 1 inf\n", "a.tns:1: the value 'inf' is not a finite number"},
      {"1 1 1\n2 2 2\n1 1 3\n", "in lines 1 and 3"},
      {extended, "a.tns:1: the file has no entries"},
      {extended + "2\n", "a.tns:2: expected the rank and the number"},
      {extended + "2 1\n", "a.tns:2: expected 2 positive extents"},
      {extended + "2 1\n3 0\n", "a.tns:3: expected 2 positive extents"},
      {extended + "2 1\n3 3\n4 1 1\n", "the coordinate 4 is not in 1 to 3"},
      {extended + "2 2\n3 3\n1 1 1\n",
       "a.tns:4: the file ends after 1 of the 2"},
      {extended + "2 0\n3 3\n1 1 1\n", "a.tns:4: the file has more entries"},
  };
  for (const auto &[text, message] : forms)
    EXPECT_NE(error("a.tns", text).find(message), std::string::npos)
        << text << error("a.tns", text);
}
