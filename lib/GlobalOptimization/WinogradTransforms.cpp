//===- WinogradTransforms.cpp - Transforms of Winograd's algorithm --------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "WinogradTransforms.h"

#include "WinogradMatrices.h"

#include "baco/Analysis/ConstantData.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Utils/IndexingUtils.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"

using namespace mlir;
using namespace baco;
using namespace baco::globalopt;

Type ConvolutionFilter::elementType() const { return data.getElementType(); }

int64_t ConvolutionFilter::extent(unsigned which) const {
  return cast<ShapedType>(data.getType()).getDimSize(dims[which]);
}

//===----------------------------------------------------------------------===//
// Tiles
//===----------------------------------------------------------------------===//

namespace {
/// Creates ops of arith.
struct OpArithmetic {
  using Value = mlir::Value;

  Value add(Value a, Value b) { return arith::AddFOp::create(builder, a, b); }
  Value subtract(Value a, Value b) {
    return arith::SubFOp::create(builder, a, b);
  }
  Value scale(double factor, Value a) {
    Value constant = arith::ConstantOp::create(
        builder, builder.getFloatAttr(a.getType(), factor));
    return arith::MulFOp::create(builder, a, constant);
  }

  ImplicitLocOpBuilder builder;
};
} // namespace

static WinogradMatrices<OpArithmetic> opsAt(OpBuilder &builder,
                                            Location location) {
  return WinogradMatrices(OpArithmetic{{location, builder}});
}

SmallVector<Value> globalopt::transformImage(OpBuilder &builder,
                                             Location location,
                                             ValueRange elements,
                                             WinogradTile tile) {
  return opsAt(builder, location).factorsOf(SmallVector<Value>(elements), tile);
}

SmallVector<Value> globalopt::transformProducts(OpBuilder &builder,
                                                Location location,
                                                ValueRange products,
                                                WinogradTile tile) {
  return opsAt(builder, location).resultsOf(SmallVector<Value>(products), tile);
}

//===----------------------------------------------------------------------===//
// Filters
//===----------------------------------------------------------------------===//

/// The rows of G.
static ArrayRef<std::array<double, 3>> filterRows(WinogradTile tile) {
  static constexpr std::array<double, 3> two[] = {
      {1, 0, 0}, {0.5, 0.5, 0.5}, {0.5, -0.5, 0.5}, {0, 0, 1}};
  static constexpr std::array<double, 3> four[] = {
      {1.0 / 4, 0, 0},
      {-1.0 / 6, -1.0 / 6, -1.0 / 6},
      {-1.0 / 6, 1.0 / 6, -1.0 / 6},
      {1.0 / 24, 1.0 / 12, 1.0 / 6},
      {1.0 / 24, -1.0 / 12, 1.0 / 6},
      {0, 0, 1}};
  return tile.size == 2 ? ArrayRef(two) : ArrayRef(four);
}

std::array<double, 9> ConvolutionFilter::weights(int64_t channel,
                                                 int64_t feature) const {
  ArrayRef<char> bytes = bytesOf(data);
  auto at = [&](size_t i) {
    if (elementType().isF32())
      return double(reinterpret_cast<const float *>(bytes.data())[i]);
    return reinterpret_cast<const double *>(bytes.data())[i];
  };
  bool isSplat = int64_t(bytes.size()) == bytesOf(elementType());
  SmallVector<int64_t> strides =
      computeSuffixProduct(cast<ShapedType>(data.getType()).getShape());
  std::array<double, 9> result;
  for (size_t i = 0; i < result.size(); ++i)
    result[i] = at(isSplat ? 0
                           : int64_t(i) / 3 * strides[dims[0]] +
                                 int64_t(i) % 3 * strides[dims[1]] +
                                 channel * strides[dims[2]] +
                                 feature * strides[dims[3]]);
  return result;
}

void globalopt::transformWeights(const std::array<double, 9> &weights,
                                 WinogradTile tile,
                                 MutableArrayRef<double> results) {
  auto rows = filterRows(tile);
  int64_t extent = tile.extent();
  for (int64_t i = 0; i < extent; ++i)
    for (int64_t j = 0; j < extent; ++j) {
      double sum = 0;
      for (int64_t ky = 0; ky < 3; ++ky)
        for (int64_t kx = 0; kx < 3; ++kx)
          sum += rows[i][ky] * rows[j][kx] * weights[3 * ky + kx];
      results[i * extent + j] = sum;
    }
}

template <typename T>
static void transformElements(const ConvolutionFilter &filter,
                              WinogradTile tile, MutableArrayRef<char> bytes) {
  auto *result = reinterpret_cast<T *>(bytes.data());
  SmallVector<double> transformed(tile.numProducts());
  int64_t features = filter.features(), pairs = filter.channels() * features;
  for (int64_t c = 0; c < filter.channels(); ++c)
    for (int64_t f = 0; f < features; ++f) {
      transformWeights(filter.weights(c, f), tile, transformed);
      for (auto [i, value] : llvm::enumerate(transformed))
        result[int64_t(i) * pairs + c * features + f] = static_cast<T>(value);
    }
}

ElementsAttr globalopt::transformFilter(const ConvolutionFilter &filter,
                                        WinogradTile tile) {
  Type element = filter.elementType();
  auto type = RankedTensorType::get(
      {tile.numProducts(), filter.channels(), filter.features()}, element);
  AsmResourceBlob blob = HeapAsmResourceBlob::allocate(
      type.getNumElements() * bytesOf(element), /*align=*/64);
  if (element.isF32())
    transformElements<float>(filter, tile, blob.getMutableData());
  else
    transformElements<double>(filter, tile, blob.getMutableData());
  return createLike(filter.data, type, std::move(blob));
}
