//===- GeneratorsTest.cpp - Tests of generated sparse tensors
//---------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "GeneratorErrors.h"
#include "baco/Sparse/TensorSource.h"

#include <gtest/gtest.h>

#include <algorithm>

using namespace baco;
using namespace baco::sparse;

static CoordinateTensor generate(std::string_view text) {
  Result<CoordinateTensor> tensor = generateTensor(text);
  if (tensor)
    return *tensor;
  ADD_FAILURE() << tensor.error().message;
  return *generateTensor("banded(rows=1, width=0)");
}

TEST(GeneratorsTest, BandsHaveTheirWidth) {
  CoordinateTensor full = generate("banded(rows=100, width=3)");
  EXPECT_EQ(full.numEntries(), 100u * 7 - 2 * (1 + 2 + 3));
  CoordinateTensor half = generate("banded(rows=1000, width=10, fill=0.5)");
  size_t onDiagonal = 0;
  for (size_t entry = 0; entry < half.numEntries(); ++entry) {
    std::span<const int64_t> at = half.coordinates(entry);
    EXPECT_LE(std::abs(at[0] - at[1]), 10);
    onDiagonal += at[0] == at[1];
  }
  EXPECT_EQ(onDiagonal, 1000u);
  // 1000 and half of 19,890; seven standard deviations.
  EXPECT_NEAR(static_cast<double>(half.numEntries()), 1000 + 9945, 500);
  EXPECT_EQ(generate("banded(rows=2, width=1000)").numEntries(), 4u);
}

TEST(GeneratorsTest, StencilsHaveTheirNeighbors) {
  // Neighbors along one axis: 2 n^(d-1) (n-1).
  EXPECT_EQ(generate("stencil(points=5, side=6)").numEntries(),
            36u + 2 * 2 * 6 * 5);
  EXPECT_EQ(generate("stencil(side=4)").numEntries(), 64u + 3 * 2 * 16 * 3);
  // Pairs of coordinates that differ by at most one: 3n - 2 for each axis.
  EXPECT_EQ(generate("stencil(points=9, side=5)").numEntries(), 13u * 13);
  EXPECT_EQ(generate("stencil(points=27, side=4)").numEntries(), 10u * 10 * 10);
}

TEST(GeneratorsTest, BlocksAreDense) {
  CoordinateTensor tensor = generate("blocks(side=4, size=2)");
  EXPECT_EQ(tensor.extents(), (std::vector<int64_t>{32, 32}));
  EXPECT_EQ(tensor.numEntries(), 10u * 10 * 4);
}

TEST(GeneratorsTest, GraphsAreSkewed) {
  CoordinateTensor tensor = generate("rmat(scale=10, degree=8)");
  EXPECT_EQ(tensor.extents(), (std::vector<int64_t>{1024, 1024}));
  EXPECT_LE(tensor.numEntries(), 8192u);
  EXPECT_GE(tensor.numEntries(), 4096u);
  size_t upper = 0;
  for (size_t entry = 0; entry < tensor.numEntries(); ++entry)
    upper += tensor.coordinates(entry)[0] < 512;
  // 0.57 + 0.19 of what is drawn, of which more is drawn twice.
  EXPECT_NEAR(static_cast<double>(upper) /
                  static_cast<double>(tensor.numEntries()),
              0.73, 0.05);
}

TEST(GeneratorsTest, DrawsAreSpread) {
  CoordinateTensor uniform = generate("uniform(extents=100x50, entries=1000)");
  // Of m places, m (1 - (1 - 1/m)^n) are drawn: 906.
  EXPECT_NEAR(static_cast<double>(uniform.numEntries()), 906, 30);
  auto share = [](const CoordinateTensor &tensor) {
    size_t small = 0;
    for (size_t entry = 0; entry < tensor.numEntries(); ++entry)
      small += tensor.coordinates(entry)[0] < 25;
    return static_cast<double>(small) /
           static_cast<double>(tensor.numEntries());
  };
  EXPECT_NEAR(share(uniform), 0.25, 0.06);
  // u^2 < 1/4 for half of all u.
  CoordinateTensor skewed = generate("skewed(extents=100x50x9, entries=1000)");
  EXPECT_EQ(skewed.rank(), 3u);
  EXPECT_NEAR(share(skewed), 0.5, 0.06);
}

TEST(GeneratorsTest, SeedsDecide) {
  const char *text = "uniform(extents=50x50, entries=100)";
  CoordinateTensor first = generate(text);
  EXPECT_EQ(first.values(), generate(text).values());
  EXPECT_EQ(first.values(),
            generate("uniform( seed=1,entries=100 , extents=50x50)").values());
  EXPECT_NE(first.values(),
            generate("uniform(extents=50x50, entries=100, seed=2)").values());
  EXPECT_TRUE(std::ranges::all_of(
      first.values(), [](double value) { return -1 <= value && value < 1; }));
}
