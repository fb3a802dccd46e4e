//===- MatrixMarketTest.cpp - Reading Matrix Market files -----------------===//
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
using MatrixMarketTest = TensorFileTest;
} // namespace

TEST_F(MatrixMarketTest, ReadsMatricesInAnyOrder) {
  EXPECT_EQ(describe(readTensorFile(write(
                "a.mtx", general + "% a comment\n\n2 3 3\n2 3 -1.5\n"
                                   "% between\n1 1 1e2\r\n  2\t1  +4  "))),
            "2x3: 0,0=100 1,0=4 1,2=-1.5");
  EXPECT_EQ(describe(readTensorFile(write("b.mtx", general + "4 5 0\n"))),
            "4x5:");
  EXPECT_EQ(describe(readTensorFile(write(
                "c.mtx", "%%matrixmarket MATRIX Coordinate Integer General\n"
                         "1 1 1\n1 1 -7\n"))),
            "1x1: 0,0=-7");
  // As Fortran writes it; and an entry that is zero stays.
  EXPECT_EQ(describe(readTensorFile(
                write("d.mtx", general + "1 2 2\n1 1 1.5D+03\n1 2 0\n"))),
            "1x2: 0,0=1500 0,1=0");
}

TEST_F(MatrixMarketTest, CompletesSymmetricMatrices) {
  EXPECT_EQ(describe(readTensorFile(write(
                "a.mtx", "%%MatrixMarket matrix coordinate pattern symmetric\n"
                         "3 3 2\n2 2\n3 1\n"))),
            "3x3: 0,2=1 1,1=1 2,0=1");
  EXPECT_EQ(
      describe(readTensorFile(write(
          "b.mtx", "%%MatrixMarket matrix coordinate real skew-symmetric\n"
                   "2 2 1\n2 1 3\n"))),
      "2x2: 0,1=-3 1,0=3");
}

TEST_F(MatrixMarketTest, ErrorsHaveLineAndReason) {
  const std::string forms[][2] = {
      {"", "a.mtx:1: expected '%%MatrixMarket matrix coordinate FIELD "
           "SYMMETRY'"},
      {"1 1 1\n", "a.mtx:1: expected '%%MatrixMarket"},
      {"%%MatrixMarket vector coordinate real general\n",
       "a.mtx:1: the object 'vector'"},
      {"%%MatrixMarket matrix array real general\n",
       "a.mtx:1: the matrix is dense"},
      {"%%MatrixMarket matrix coordinate complex general\n",
       "a.mtx:1: complex matrices are not supported"},
      {"%%MatrixMarket matrix coordinate real hermitian\n",
       "a.mtx:1: hermitian matrices"},
      {"%%MatrixMarket matrix coordinate quaternion general\n",
       "a.mtx:1: the field 'quaternion'"},
      {"%%MatrixMarket matrix coordinate real diagonal\n",
       "a.mtx:1: the symmetry 'diagonal'"},
      {"%%MatrixMarket matrix coordinate real symmetric\n2 3 0\n",
       "a.mtx:2: a matrix of 2x3 can't be symmetric"},
      {"%%MatrixMarket matrix coordinate real skew-symmetric\n2 2 1\n2 2 1\n",
       "a.mtx:3: a skew-symmetric matrix has no entries on its diagonal"},
      {"%%MatrixMarket matrix coordinate integer general\n2 2 1\n2 2 1.5\n",
       "a.mtx:3: the value '1.5' is not an integer"},
      {"%%MatrixMarket matrix coordinate pattern general\n2 2 1\n2 2 1.5\n",
       "a.mtx:3: expected a row and a column"},
      {general + "% only comments\n", "a.mtx:2: expected the numbers of rows"},
      {general + "2 2\n", "a.mtx:2: expected the numbers of rows"},
      {general + "2 -2 0\n", "a.mtx:2: expected the numbers of rows"},
      {general + "0 2 0\n", "a.mtx:2: the extent 0 is not positive"},
      {general + "9223372036854775807 9223372036854775807 0\n", "no error"},
      {general + "9223372036854775808 2 0\n", "a.mtx:2: expected the numbers"},
      {general + "2 2 1\n3 1 1\n",
       "a.mtx:3: the coordinate 3 is not in 1 to 2"},
      {general + "2 2 1\n0 1 1\n",
       "a.mtx:3: the coordinate 0 is not in 1 to 2"},
      {general + "2 2 1\n1.0 1 1\n",
       "a.mtx:3: the coordinate '1.0' is not an integer"},
      {general + "2 2 1\n1 1\n", "a.mtx:3: expected a row, a column"},
      {general + "2 2 1\n1 1 nan\n",
       "a.mtx:3: the value 'nan' is not a finite"},
      {general + "2 2 1\n1 1 1e999\n",
       "a.mtx:3: the value '1e999' is not a finite number"},
      {general + "2 2 1\n1 1 +-1\n", "a.mtx:3: the value '+-1' is not"},
      {general + "2 2 2\n1 1 1\n", "a.mtx:3: the file ends after 1 of the 2"},
      {general + "2 2 1\n1 1 1\n1 2 1\n",
       "a.mtx:4: the file has more entries than the 1"},
      {general + "2 2 3\n1 1 1\n1 2 1\n1 1 2\n",
       "a.mtx:5: the file has two entries at one place, in lines 3 and 5"},
      {"%%MatrixMarket matrix coordinate real symmetric\n2 2 2\n1 2 1\n2 1 1\n",
       "two entries at one place, in lines 3 and 4"},
      {general + std::string(1 << 17, '1'), "a.mtx:2: the line has more than"},
  };
  for (const auto &[text, message] : forms)
    EXPECT_NE(error("a.mtx", text).find(message), std::string::npos)
        << text.substr(0, 100) << error("a.mtx", text);
}
