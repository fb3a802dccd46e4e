//===- WinogradTransforms.cpp - Transforms of Winograd's algorithm --------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "WinogradTransforms.h"

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
/// Transforms of a row or a column.
class Transforms {
public:
  Transforms(OpBuilder &builder, Location location, Type type)
      : builder(location, builder), type(type) {}

  /// B^T d.
  SmallVector<Value> factors(ArrayRef<Value> d);
  /// A^T m.
  SmallVector<Value> results(ArrayRef<Value> m);

  /// Transforms the columns of a square tile [y][x], and then the rows of that.
  using Line = SmallVector<Value> (Transforms::*)(ArrayRef<Value>);
  SmallVector<Value> ofTile(ValueRange tile, int64_t extent, Line transform);

private:
  Value add(Value a, Value b) { return arith::AddFOp::create(builder, a, b); }
  Value subtract(Value a, Value b) {
    return arith::SubFOp::create(builder, a, b);
  }
  Value scale(double factor, Value a) {
    Value constant =
        arith::ConstantOp::create(builder, builder.getFloatAttr(type, factor));
    return arith::MulFOp::create(builder, a, constant);
  }

  ImplicitLocOpBuilder builder;
  Type type;
};
} // namespace

SmallVector<Value> Transforms::factors(ArrayRef<Value> d) {
  if (d.size() == 4)
    return {subtract(d[0], d[2]), add(d[1], d[2]), subtract(d[2], d[1]),
            subtract(d[1], d[3])};
  auto ends = [&](unsigned i) {
    return add(subtract(scale(4, d[i]), scale(5, d[i + 2])), d[i + 4]);
  };
  Value a = subtract(d[4], scale(4, d[2])), b = subtract(d[3], scale(4, d[1])),
        p = subtract(d[4], d[2]), q = scale(2, subtract(d[3], d[1]));
  return {ends(0),   add(a, b),      subtract(a, b),
          add(p, q), subtract(p, q), ends(1)};
}

SmallVector<Value> Transforms::results(ArrayRef<Value> m) {
  Value sum = add(m[1], m[2]), difference = subtract(m[1], m[2]);
  if (m.size() == 4)
    return {add(m[0], sum), subtract(difference, m[3])};
  Value p = add(m[3], m[4]), q = subtract(m[3], m[4]);
  return {add(m[0], add(sum, p)), add(difference, scale(2, q)),
          add(sum, scale(4, p)), add(add(difference, scale(8, q)), m[5])};
}

SmallVector<Value> Transforms::ofTile(ValueRange tile, int64_t extent,
                                      Line transform) {
  SmallVector<SmallVector<Value>> columns;
  for (int64_t x = 0; x < extent; ++x) {
    SmallVector<Value> column;
    for (int64_t y = 0; y < extent; ++y)
      column.push_back(tile[y * extent + x]);
    columns.push_back((this->*transform)(column));
  }
  SmallVector<Value> results;
  for (size_t y = 0; y < columns.front().size(); ++y) {
    SmallVector<Value> row;
    for (const SmallVector<Value> &column : columns)
      row.push_back(column[y]);
    llvm::append_range(results, (this->*transform)(row));
  }
  return results;
}

SmallVector<Value> globalopt::transformImage(OpBuilder &builder,
                                             Location location,
                                             ValueRange elements,
                                             WinogradTile tile) {
  return Transforms(builder, location, elements.front().getType())
      .ofTile(elements, tile.extent(), &Transforms::factors);
}

SmallVector<Value> globalopt::transformProducts(OpBuilder &builder,
                                                Location location,
                                                ValueRange products,
                                                WinogradTile tile) {
  return Transforms(builder, location, products.front().getType())
      .ofTile(products, tile.extent(), &Transforms::results);
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

template <typename T>
static void transformElements(const ConvolutionFilter &filter,
                              WinogradTile tile, MutableArrayRef<char> bytes) {
  ArrayRef<char> from = bytesOf(filter.data);
  ArrayRef<T> g(reinterpret_cast<const T *>(from.data()),
                from.size() / sizeof(T));
  auto *result = reinterpret_cast<T *>(bytes.data());
  SmallVector<int64_t> strides =
      computeSuffixProduct(cast<ShapedType>(filter.data.getType()).getShape());
  auto at = [&](int64_t ky, int64_t kx, int64_t c, int64_t f) {
    const auto &dims = filter.dims;
    return double(g.size() == 1
                      ? g[0]
                      : g[ky * strides[dims[0]] + kx * strides[dims[1]] +
                          c * strides[dims[2]] + f * strides[dims[3]]]);
  };
  auto rows = filterRows(tile);
  int64_t extent = tile.extent(), features = filter.features(),
          pairs = filter.channels() * features;
  for (int64_t c = 0; c < filter.channels(); ++c)
    for (int64_t f = 0; f < features; ++f)
      for (int64_t i = 0; i < extent; ++i)
        for (int64_t j = 0; j < extent; ++j) {
          double sum = 0;
          for (int64_t ky = 0; ky < 3; ++ky)
            for (int64_t kx = 0; kx < 3; ++kx)
              sum += rows[i][ky] * rows[j][kx] * at(ky, kx, c, f);
          result[(i * extent + j) * pairs + c * features + f] =
              static_cast<T>(sum);
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
