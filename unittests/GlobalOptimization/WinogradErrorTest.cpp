//===- WinogradErrorTest.cpp - Tests of sampled errors --------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "WinogradError.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/MLIRContext.h"
#include "gtest/gtest.h"

#include <cmath>
#include <limits>
#include <random>

using namespace mlir;
using namespace baco::globalopt;

static constexpr WinogradTile two{2}, four{4};

namespace {
class WinogradErrorTest : public testing::Test {
protected:
  /// A filter [ky][kx][channels][features] of random weights in [-1, 1).
  template <typename T>
  ConvolutionFilter makeFilter(int64_t channels, int64_t features) {
    Type element =
        std::is_same_v<T, float> ? builder.getF32Type() : builder.getF64Type();
    auto type = RankedTensorType::get({3, 3, channels, features}, element);
    std::mt19937 random(7);
    std::vector<T> weights;
    for (int64_t i = 0; i < type.getNumElements(); ++i)
      weights.push_back(T(double(random()) / 2147483648.0 - 1));
    return {DenseElementsAttr::get(type, ArrayRef<T>(weights)), {0, 1, 2, 3}};
  }

  MLIRContext context;
  Builder builder{&context};
};
} // namespace

/// Each algorithm computes the convolution, or its error would be as large as
/// the results.
TEST_F(WinogradErrorTest, OfF64IsThatOfRounding) {
  ConvolutionFilter filter = makeFilter<double>(16, 4);
  for (std::optional<WinogradTile> tile :
       {std::optional<WinogradTile>(), std::optional(two),
        std::optional(four)}) {
    double error = sampleError(filter, tile);
    EXPECT_GT(error, 0);
    EXPECT_LT(error, 1e-14);
  }
}

/// Tiles of 4 x 4 results add multiples of elements, and cancel (Lavin and
/// Gray, CVPR 2016, section 5.4).
TEST_F(WinogradErrorTest, LargeTilesAreLessPrecise) {
  ConvolutionFilter filter = makeFilter<float>(64, 8);
  double direct = sampleError(filter, std::nullopt),
         small = sampleError(filter, two), large = sampleError(filter, four);
  EXPECT_GT(large, 2 * small);
  EXPECT_LT(small, 2 * direct);
  // 576 products, each rounded, and added one after the other.
  EXPECT_LT(direct, 577 * 0x1p-24 * 8);
}

TEST_F(WinogradErrorTest, DimensionsMayHaveAnyOrder) {
  // One feature, so that [f][ky][kx][c] of these data is [ky][kx][c][f].
  ConvolutionFilter filter = makeFilter<float>(5, 1);
  auto data =
      cast<DenseElementsAttr>(filter.data)
          .reshape(RankedTensorType::get({1, 3, 3, 5}, builder.getF32Type()));
  ConvolutionFilter other{data, {1, 2, 3, 0}};
  EXPECT_EQ(filter.weights(4, 0), other.weights(4, 0));
  EXPECT_EQ(sampleError(filter, four), sampleError(other, four));
}

TEST_F(WinogradErrorTest, OneWeightStandsForAll) {
  auto type = RankedTensorType::get({3, 3, 2, 2}, builder.getF32Type());
  auto splat = DenseElementsAttr::get(type, 0.1f);
  ConvolutionFilter filter{splat, {0, 1, 2, 3}};
  EXPECT_EQ(filter.weights(1, 1)[8], double(0.1f));
  EXPECT_GT(sampleError(filter, four), 0);
  ConvolutionFilter zeros{DenseElementsAttr::get(type, 0.0f), {0, 1, 2, 3}};
  EXPECT_EQ(sampleError(zeros, four), 0);
}

TEST_F(WinogradErrorTest, WhatIsNoNumberHasNoError) {
  auto type = RankedTensorType::get({3, 3, 2, 2}, builder.getF32Type());
  float infinity = std::numeric_limits<float>::infinity();
  ConvolutionFilter filter{DenseElementsAttr::get(type, infinity),
                           {0, 1, 2, 3}};
  EXPECT_TRUE(std::isinf(sampleError(filter, std::nullopt)));
  EXPECT_TRUE(std::isinf(sampleError(filter, four)));
}
