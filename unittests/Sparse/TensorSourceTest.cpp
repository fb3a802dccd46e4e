//===- TensorSourceTest.cpp - Where entries come from ---------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "baco/Sparse/TensorSource.h"

#include <gtest/gtest.h>

using namespace baco;
using namespace baco::sparse;

static CoordinateTensor tensorOf(std::vector<int64_t> extents, int64_t column,
                                 double value) {
  TensorBuilder builder = *TensorBuilder::create(std::move(extents));
  builder.add(std::vector<int64_t>{1, column}, value);
  return std::move(builder).finish();
}

TEST(TensorSourceTest, ReadsGeneratorsAndFiles) {
  Result<CoordinateTensor> band = readTensor("banded(rows=4, width=0)");
  ASSERT_TRUE(band) << band.error().message;
  EXPECT_EQ(band->numEntries(), 4u);
  Result<CoordinateTensor> none = readTensor("none.mtx");
  ASSERT_FALSE(none);
  EXPECT_NE(none.error().message.find("none.mtx"), std::string::npos)
      << none.error().message;
}

TEST(TensorSourceTest, NumbersEntries) {
  Result<CoordinateTensor> tensor =
      readTensor("numbered(banded(rows=3, width=1))");
  ASSERT_TRUE(tensor) << tensor.error().message;
  EXPECT_EQ(tensor->extents(), (std::vector<int64_t>{3, 3, 7}));
  ASSERT_EQ(tensor->numEntries(), 7u);
  for (size_t entry = 0; entry < 7; ++entry)
    EXPECT_EQ(tensor->coordinates(entry)[2], static_cast<int64_t>(entry));
  EXPECT_EQ(fileOfSource("numbered(banded(rows=3, width=1))"), "");
  EXPECT_EQ(fileOfSource("numbered(a.mtx)"), "a.mtx");
  EXPECT_EQ(fileOfSource("a.mtx"), "a.mtx");
}

TEST(TensorSourceTest, HashesTellTensorsApart) {
  std::string hash = hashTensor(tensorOf({2, 3}, 1, 0.5));
  EXPECT_EQ(hash, hashTensor(tensorOf({2, 3}, 1, 0.5)));
  EXPECT_NE(hash, hashTensor(tensorOf({2, 3}, 2, 0.5)));
  EXPECT_NE(hash, hashTensor(tensorOf({2, 3}, 1, 0.25)));
  EXPECT_NE(hash, hashTensor(tensorOf({3, 3}, 1, 0.5)));
}
