//===- Winograd.cpp - Convolutions with fewer products --------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Tiles of m x m results need (m + 2) x (m + 2) elements of the image. An op
// with a result for each of these transforms all tiles, the products over
// channels are a linalg.batch_matmul, and another op makes the results of it.
// Upstream's linalg.winograd_* ops are lowered to loops over single tiles.
//
//===----------------------------------------------------------------------===//

#include "baco/GlobalOptimization/Winograd.h"

#include "WinogradConvolutions.h"
#include "baco/GlobalOptimization/RewrittenFunctions.h"

#include "baco/Analysis/ConstantData.h"
#include "baco/IR/Walk.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "mlir/IR/Matchers.h"
#include "llvm/Support/DebugLog.h"
#include "llvm/Support/MathExtras.h"

#define DEBUG_TYPE "baco-winograd"

using namespace mlir;
using namespace baco;
using namespace baco::globalopt;

/// The fastest algorithm, if it is certainly faster than the convolution, or
/// the one that was chosen for the shape.
static std::optional<WinogradTile> choose(const WinogradConvolution &conv,
                                          const WinogradOptions &options) {
  if (options.isForced && options.tiles.empty())
    return WinogradTile{options.maxTile};
  if (!options.tiles.empty()) {
    auto found = options.tiles.find(conv.shape());
    return found == options.tiles.end()
               ? std::nullopt
               : std::optional(WinogradTile{found->second});
  }
  constexpr double enough = 0.8;
  double least = enough * conv.cost(std::nullopt);
  std::optional<WinogradTile> best;
  for (int64_t size = 2; size <= options.maxTile; size += 2) {
    WinogradTile tile{size};
    double cost = conv.cost(tile);
    if (cost > least)
      continue;
    least = cost;
    best = tile;
  }
  return best;
}

namespace {
/// Slices of one size of a tensor.
struct Parts {
  SmallVector<SmallVector<int64_t>> offsets;
  SmallVector<int64_t> sizes;
  /// Without the dimensions of which a part has one element.
  RankedTensorType type;
};

/// Writes the ops for one convolution.
class Rewriter {
public:
  Rewriter(const WinogradConvolution &conv, WinogradTile tile)
      : conv(conv), tile(tile), builder(this->conv.op.getLoc(), this->conv.op),
        element(conv.filter.elementType()),
        tileRows(llvm::divideCeil(conv.rows, tile.size)),
        tileColumns(llvm::divideCeil(conv.columns, tile.size)) {}

  void run();

private:
  Value padImage();
  Value makeFactors();
  Value multiply(Value factors);
  Value makeResults(Value products);
  Value cut(Value results);

  using Transform = SmallVector<Value> (*)(OpBuilder &, Location, ValueRange,
                                           WinogradTile);
  Value createTransform(Value source, ArrayRef<AffineMap> maps,
                        ArrayRef<int64_t> shape, const Parts &parts,
                        Transform transform);
  AffineExpr dim(unsigned i) { return builder.getAffineDimExpr(i); }
  SmallVector<OpFoldResult> fold(ArrayRef<int64_t> values) {
    return getAsIndexOpFoldResult(builder.getContext(), values);
  }
  Value createZero() {
    return arith::ConstantOp::create(builder,
                                     builder.getFloatAttr(element, 0.0));
  }

  WinogradConvolution conv;
  WinogradTile tile;
  ImplicitLocOpBuilder builder;
  Type element;
  int64_t tileRows, tileColumns;
};
} // namespace

/// The image with the elements that the last tiles read; those behind its
/// border reach no result.
Value Rewriter::padImage() {
  Value image = conv.op.getDpsInputOperand(0)->get();
  auto type = cast<RankedTensorType>(image.getType());
  SmallVector<int64_t> wanted = {type.getDimSize(0), tileRows * tile.size + 2,
                                 tileColumns * tile.size + 2,
                                 type.getDimSize(3)};
  if (wanted == type.getShape())
    return image;
  tensor::PadOp before = findPadding(image);
  SmallVector<int64_t> low(4, 0), high(4, 0);
  if (before) {
    llvm::copy(before.getStaticLow(), low.begin());
    llvm::copy(before.getStaticHigh(), high.begin());
  }
  for (unsigned d = 0; d < 4; ++d)
    high[d] += wanted[d] - type.getDimSize(d);
  return tensor::PadOp::create(
      builder, RankedTensorType::get(wanted, element),
      before ? before.getSource() : image, fold(low), fold(high),
      before ? before.getConstantPaddingValue() : createZero());
}

/// A new tensor of `shape` whose parts are what `transform` makes of the
/// elements of a tile of `source`, each of which is read by one of `maps`.
Value Rewriter::createTransform(Value source, ArrayRef<AffineMap> maps,
                                ArrayRef<int64_t> shape, const Parts &parts,
                                Transform transform) {
  constexpr unsigned numLoops = 4;
  size_t count = parts.offsets.size();
  SmallVector<OpFoldResult> sizes = fold(parts.sizes),
                            ones = fold(SmallVector<int64_t>(shape.size(), 1));
  Value whole = tensor::EmptyOp::create(builder, shape, element);
  SmallVector<Value> outputs;
  for (ArrayRef<int64_t> offsets : parts.offsets)
    outputs.push_back(tensor::ExtractSliceOp::create(
        builder, parts.type, whole, fold(offsets), sizes, ones));
  SmallVector<AffineMap> all(maps);
  all.append(count, builder.getMultiDimIdentityMap(numLoops));
  auto op = linalg::GenericOp::create(
      builder, SmallVector<Type>(count, parts.type),
      SmallVector<Value>(maps.size(), source), outputs, all,
      SmallVector<utils::IteratorType>(numLoops, utils::IteratorType::parallel),
      [&](OpBuilder &body, Location location, ValueRange arguments) {
        linalg::YieldOp::create(
            body, location,
            transform(body, location, arguments.take_front(maps.size()), tile));
      });
  for (auto [offsets, part] : llvm::zip_equal(parts.offsets, op.getResults()))
    whole = tensor::InsertSliceOp::create(builder, part, whole, fold(offsets),
                                          sizes, ones);
  return whole;
}

/// [products, tiles, channels].
Value Rewriter::makeFactors() {
  Value image = padImage();
  SmallVector<AffineMap> maps;
  for (int64_t y = 0; y < tile.extent(); ++y)
    for (int64_t x = 0; x < tile.extent(); ++x)
      maps.push_back(AffineMap::get(
          4, 0,
          {dim(0), dim(1) * tile.size + y, dim(2) * tile.size + x, dim(3)},
          builder.getContext()));
  SmallVector<int64_t> shape = {tile.numProducts(), conv.batch, tileRows,
                                tileColumns, conv.filter.channels()};
  Parts parts{{}, shape, {}};
  parts.sizes[0] = 1;
  parts.type = RankedTensorType::get(ArrayRef(shape).drop_front(), element);
  for (int64_t i = 0; i < tile.numProducts(); ++i)
    parts.offsets.push_back({i, 0, 0, 0, 0});
  Value all = createTransform(image, maps, shape, parts, transformImage);
  SmallVector<ReassociationIndices> reassociation = {{0}, {1, 2, 3}, {4}};
  return tensor::CollapseShapeOp::create(builder, all, reassociation);
}

/// [products, n, y, x, features], where y and x count tiles.
Value Rewriter::multiply(Value factors) {
  Value filter = arith::ConstantOp::create(
      builder, cast<TypedAttr>(transformFilter(conv.filter, tile)));
  Value zero = createZero();
  SmallVector<int64_t> shape = {tile.numProducts(), conv.countTiles(tile),
                                conv.filter.features()};
  Value empty = tensor::EmptyOp::create(builder, shape, element);
  Value start = linalg::FillOp::create(builder, zero, empty).getResult(0);
  Value products =
      linalg::BatchMatmulOp::create(builder, ValueRange{factors, filter}, start)
          .getResult(0);
  auto type = RankedTensorType::get({tile.numProducts(), conv.batch, tileRows,
                                     tileColumns, conv.filter.features()},
                                    element);
  SmallVector<ReassociationIndices> reassociation = {{0}, {1, 2, 3}, {4}};
  return tensor::ExpandShapeOp::create(builder, type, products, reassociation);
}

/// [n, y, x, features] with the results of whole tiles.
Value Rewriter::makeResults(Value products) {
  SmallVector<AffineMap> maps;
  for (int64_t i = 0; i < tile.numProducts(); ++i)
    maps.push_back(AffineMap::get(
        4, 0,
        {builder.getAffineConstantExpr(i), dim(0), dim(1), dim(2), dim(3)},
        builder.getContext()));
  int64_t features = conv.filter.features();
  SmallVector<int64_t> shape = {conv.batch,  tileRows,  tile.size,
                                tileColumns, tile.size, features};
  Parts parts{{}, shape, {}};
  parts.sizes[2] = parts.sizes[4] = 1;
  parts.type = RankedTensorType::get(
      {conv.batch, tileRows, tileColumns, features}, element);
  for (int64_t y = 0; y < tile.size; ++y)
    for (int64_t x = 0; x < tile.size; ++x)
      parts.offsets.push_back({0, 0, y, 0, x, 0});
  Value all = createTransform(products, maps, shape, parts, transformProducts);
  SmallVector<ReassociationIndices> reassociation = {{0}, {1, 2}, {3, 4}, {5}};
  return tensor::CollapseShapeOp::create(builder, all, reassociation);
}

/// The part of `results` that the convolution has, too.
Value Rewriter::cut(Value results) {
  auto type = cast<RankedTensorType>(conv.op->getResult(0).getType());
  if (results.getType() == type)
    return results;
  return tensor::ExtractSliceOp::create(
      builder, type, results, fold({0, 0, 0, 0}), fold(type.getShape()),
      fold({1, 1, 1, 1}));
}

void Rewriter::run() {
  Value result = cut(makeResults(multiply(makeFactors())));
  if (!startsAtZero(conv.op)) {
    AffineMap identity = builder.getMultiDimIdentityMap(4);
    Value start = conv.op.getDpsInits()[0];
    result =
        linalg::GenericOp::create(
            builder, start.getType(), ValueRange{result}, ValueRange{start},
            ArrayRef{identity, identity},
            SmallVector<utils::IteratorType>(4, utils::IteratorType::parallel),
            [](OpBuilder &body, Location location, ValueRange arguments) {
              Value sum = arith::AddFOp::create(body, location, arguments[0],
                                                arguments[1]);
              linalg::YieldOp::create(body, location, sum);
            })
            .getResult(0);
  }
  conv.op->getResult(0).replaceAllUsesWith(result);
  eraseWithOperands(conv.op);
}

int64_t globalopt::applyWinograd(ModuleOp module,
                                 const WinogradOptions &options) {
  if (options.maxTile == 0 && options.tiles.empty())
    return 0;
  int64_t total = 0;
  for (func::FuncOp function : functionsToRewrite(module, options.entry)) {
    SmallVector<std::pair<WinogradConvolution, WinogradTile>> chosen;
    function.walk([&](linalg::LinalgOp op) {
      if (std::optional<WinogradConvolution> conv = matchWinograd(op))
        if (std::optional<WinogradTile> tile = choose(*conv, options))
          chosen.emplace_back(*conv, *tile);
    });
    for (auto &[conv, tile] : chosen) {
      LDBG() << conv.op.getLoc() << ": tiles of " << tile.size;
      Rewriter(conv, tile).run();
    }
    size_t count = chosen.size();
    if (count > 0)
      function.emitRemark() << "'" << function.getName() << "' computes "
                            << count << " convolution" << (count > 1 ? "s" : "")
                            << " by Winograd's algorithm";
    total += static_cast<int64_t>(count);
  }
  return total;
}
