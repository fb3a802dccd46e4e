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

#include "baco/Frontend/Winograd.h"

#include "baco/Analysis/ConstantData.h"
#include "baco/IR/NoTune.h"
#include "baco/IR/Walk.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/IndexingUtils.h"
#include "mlir/IR/AsmState.h"
#include "mlir/IR/DialectResourceBlobManager.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/DebugLog.h"
#include "llvm/Support/MathExtras.h"

#include <array>
#include <functional>

#define DEBUG_TYPE "baco-winograd"

using namespace mlir;
using namespace baco;
using namespace baco::frontend;

Result<int64_t> frontend::parseWinograd(StringRef text) {
  if (text == "off")
    return 0;
  if (text == "2" || text == "4")
    return text == "2" ? 2 : 4;
  return Error{ErrorCode::InvalidArgument,
               "Winograd's tile must be off, 2 or 4, but is '" + text.str() +
                   "'"};
}

namespace {
/// A convolution that can be rewritten: image [n, y, x, c], filter of the
/// elements [ky, kx, c, f] in some order, result [n, y, x, f].
struct Convolution {
  linalg::LinalgOp op;
  int64_t batch, rows, columns, channels, features;
  /// The dimensions of the filter that ky, kx, c and f walk along.
  std::array<unsigned, 4> filterDims;
  ElementsAttr filter;
};

/// The algorithm for tiles of `tile` x `tile` results.
struct Algorithm {
  int64_t tile;
  /// Extent of what a tile reads, and of its products.
  int64_t extent() const { return tile + 2; }
  int64_t numProducts() const { return extent() * extent(); }
};
} // namespace

//===----------------------------------------------------------------------===//
// Which convolutions
//===----------------------------------------------------------------------===//

/// Whether `map` gives sums of pairs of loops for dimensions 1 and 2, as the
/// image of a convolution is read.
static bool readsWindows(AffineMap map, unsigned y, unsigned ky, unsigned x,
                         unsigned kx) {
  auto isSum = [&](AffineExpr expression, unsigned a, unsigned b) {
    MLIRContext *context = map.getContext();
    AffineExpr first = getAffineDimExpr(a, context),
               second = getAffineDimExpr(b, context);
    return expression == first + second || expression == second + first;
  };
  return map.getNumResults() == 4 && isSum(map.getResult(1), y, ky) &&
         isSum(map.getResult(2), x, kx);
}

static bool sumsProducts(linalg::LinalgOp op) {
  return linalg::detail::isContractionBody(
      *op.getBlock(), [](Operation *product, Operation *sum) {
        return isa<arith::MulFOp>(product) && isa<arith::AddFOp>(sum);
      });
}

/// `op` as a convolution with a constant filter, if it is one of 3x3 elements
/// with steps of 1 on channels-last images.
static std::optional<Convolution> match(linalg::LinalgOp op) {
  if (!op.hasPureTensorSemantics() || op.getNumDpsInputs() != 2 ||
      op.getNumDpsInits() != 1 || !linalg::isaConvolutionOpInterface(op) ||
      !sumsProducts(op))
    return std::nullopt;
  FailureOr<linalg::ConvolutionDimensions> dims =
      linalg::inferConvolutionDims(op);
  auto isOne = [](int64_t step) { return step == 1; };
  if (failed(dims) || dims->batch.size() != 1 ||
      dims->outputImage.size() != 2 || dims->outputChannel.size() != 1 ||
      dims->filterLoop.size() != 2 || dims->inputChannel.size() != 1 ||
      !dims->depth.empty() || !llvm::all_of(dims->strides, isOne) ||
      !llvm::all_of(dims->dilations, isOne))
    return std::nullopt;
  SmallVector<int64_t> extents = op.getStaticLoopRanges();
  if (ShapedType::isDynamicShape(extents) ||
      extents[dims->filterLoop[0]] != 3 || extents[dims->filterLoop[1]] != 3)
    return std::nullopt;
  auto type = cast<RankedTensorType>(op->getResult(0).getType());
  Value image = op.getDpsInputOperand(0)->get(),
        filter = op.getDpsInputOperand(1)->get();
  Type element = type.getElementType();
  if (!(element.isF32() || element.isF64()) ||
      getElementTypeOrSelf(image.getType()) != element ||
      getElementTypeOrSelf(filter.getType()) != element)
    return std::nullopt;
  unsigned n = dims->batch[0], y = dims->outputImage[0],
           x = dims->outputImage[1], f = dims->outputChannel[0],
           ky = dims->filterLoop[0], kx = dims->filterLoop[1],
           c = dims->inputChannel[0];
  SmallVector<AffineMap> maps = op.getIndexingMapsArray();
  auto isDim = [&](AffineMap map, unsigned result, unsigned loop) {
    return map.getResult(result) == getAffineDimExpr(loop, op.getContext());
  };
  if (!readsWindows(maps[0], y, ky, x, kx) || !isDim(maps[0], 0, n) ||
      !isDim(maps[0], 3, c) || maps[2].getNumResults() != 4 ||
      !isDim(maps[2], 0, n) || !isDim(maps[2], 1, y) || !isDim(maps[2], 2, x) ||
      !isDim(maps[2], 3, f) || !maps[1].isProjectedPermutation() ||
      maps[1].getNumResults() != 4)
    return std::nullopt;
  Convolution found{op,         extents[n], extents[y], extents[x],
                    extents[c], extents[f], {},         {}};
  for (auto [dim, loop] : llvm::enumerate(std::array{ky, kx, c, f}))
    found.filterDims[dim] =
        *maps[1].getResultPosition(getAffineDimExpr(loop, op.getContext()));
  matchPattern(filter, m_Constant(&found.filter));
  if (!found.filter || bytesOf(found.filter).empty())
    return std::nullopt;
  return found;
}

/// Estimates, in multiplications with additions: of products, transforms, and
/// of reading a filter, which is brought from memory in each execution if it is
/// large. Fitted to layers of ResNet-18 on Zen 5.
static double costOf(const Convolution &conv, int64_t numTiles,
                     int64_t numProducts, double perElement) {
  constexpr double perFilterByte = 5;
  double width =
      double(bytesOf(cast<ShapedType>(conv.filter.getType()).getElementType()));
  double pairs = double(conv.channels) * double(conv.features);
  return double(numProducts) * pairs *
             (double(numTiles) + perFilterByte * width) +
         perElement * double(numTiles) * double(numProducts) *
             double(conv.channels + conv.features);
}

static int64_t countTiles(const Convolution &conv, const Algorithm &algorithm) {
  return conv.batch * llvm::divideCeil(conv.rows, algorithm.tile) *
         llvm::divideCeil(conv.columns, algorithm.tile);
}

/// The fastest algorithm, if it is certainly faster than the convolution.
static std::optional<Algorithm> choose(const Convolution &conv,
                                       const WinogradOptions &options) {
  if (options.isForced)
    return Algorithm{options.maxTile};
  constexpr double enough = 0.8, perElement = 8;
  double least =
      enough * costOf(conv, conv.batch * conv.rows * conv.columns, 9, 0);
  std::optional<Algorithm> best;
  for (int64_t tile = 2; tile <= options.maxTile; tile += 2) {
    Algorithm algorithm{tile};
    double cost = costOf(conv, countTiles(conv, algorithm),
                         algorithm.numProducts(), perElement);
    if (cost > least)
      continue;
    least = cost;
    best = algorithm;
  }
  return best;
}

//===----------------------------------------------------------------------===//
// Transforms
//===----------------------------------------------------------------------===//

namespace {
/// Sums and multiples of elements.
class Terms {
public:
  Terms(OpBuilder &builder, Location location, Type type)
      : builder(location, builder), type(type) {}

  Value add(Value a, Value b) { return arith::AddFOp::create(builder, a, b); }
  Value subtract(Value a, Value b) {
    return arith::SubFOp::create(builder, a, b);
  }
  Value scale(double factor, Value a) {
    Value constant =
        arith::ConstantOp::create(builder, builder.getFloatAttr(type, factor));
    return arith::MulFOp::create(builder, a, constant);
  }

private:
  ImplicitLocOpBuilder builder;
  Type type;
};
} // namespace

/// B^T d.
static SmallVector<Value> transformInput(Terms &terms, ArrayRef<Value> d) {
  auto add = [&](Value a, Value b) { return terms.add(a, b); };
  auto subtract = [&](Value a, Value b) { return terms.subtract(a, b); };
  auto scale = [&](double s, Value a) { return terms.scale(s, a); };
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

/// A^T m.
static SmallVector<Value> transformOutput(Terms &terms, ArrayRef<Value> m) {
  auto add = [&](Value a, Value b) { return terms.add(a, b); };
  auto subtract = [&](Value a, Value b) { return terms.subtract(a, b); };
  Value sum = add(m[1], m[2]), difference = subtract(m[1], m[2]);
  if (m.size() == 4)
    return {add(m[0], sum), subtract(difference, m[3])};
  Value p = add(m[3], m[4]), q = subtract(m[3], m[4]);
  return {add(m[0], add(sum, p)), add(difference, terms.scale(2, q)),
          add(sum, terms.scale(4, p)),
          add(add(difference, terms.scale(8, q)), m[5])};
}

/// The rows of G.
static ArrayRef<std::array<double, 3>> filterRows(const Algorithm &algorithm) {
  static constexpr std::array<double, 3> two[] = {
      {1, 0, 0}, {0.5, 0.5, 0.5}, {0.5, -0.5, 0.5}, {0, 0, 1}};
  static constexpr std::array<double, 3> four[] = {
      {1.0 / 4, 0, 0},
      {-1.0 / 6, -1.0 / 6, -1.0 / 6},
      {-1.0 / 6, 1.0 / 6, -1.0 / 6},
      {1.0 / 24, 1.0 / 12, 1.0 / 6},
      {1.0 / 24, -1.0 / 12, 1.0 / 6},
      {0, 0, 1}};
  return algorithm.tile == 2 ? ArrayRef(two) : ArrayRef(four);
}

/// G g G^T for each pair of channel and feature: [products, c, f].
template <typename T>
static void transformFilter(const Convolution &conv, const Algorithm &algorithm,
                            ArrayRef<char> from, MutableArrayRef<char> to) {
  ArrayRef<T> g(reinterpret_cast<const T *>(from.data()),
                from.size() / sizeof(T));
  MutableArrayRef<T> result(reinterpret_cast<T *>(to.data()),
                            to.size() / sizeof(T));
  auto type = cast<ShapedType>(conv.filter.getType());
  SmallVector<int64_t> strides = computeSuffixProduct(type.getShape());
  auto at = [&](int64_t ky, int64_t kx, int64_t c, int64_t f) {
    const auto &dims = conv.filterDims;
    return double(g.size() == 1
                      ? g[0]
                      : g[ky * strides[dims[0]] + kx * strides[dims[1]] +
                          c * strides[dims[2]] + f * strides[dims[3]]]);
  };
  auto rows = filterRows(algorithm);
  int64_t extent = algorithm.extent(), pairs = conv.channels * conv.features;
  for (int64_t c = 0; c < conv.channels; ++c)
    for (int64_t f = 0; f < conv.features; ++f)
      for (int64_t i = 0; i < extent; ++i)
        for (int64_t j = 0; j < extent; ++j) {
          double sum = 0;
          for (int64_t ky = 0; ky < 3; ++ky)
            for (int64_t kx = 0; kx < 3; ++kx)
              sum += rows[i][ky] * rows[j][kx] * at(ky, kx, c, f);
          result[(i * extent + j) * pairs + c * conv.features + f] =
              static_cast<T>(sum);
        }
}

/// The transformed filter as a constant.
static Value createFilter(ImplicitLocOpBuilder &builder,
                          const Convolution &conv, const Algorithm &algorithm) {
  Type element = cast<ShapedType>(conv.filter.getType()).getElementType();
  auto type = RankedTensorType::get(
      {algorithm.numProducts(), conv.channels, conv.features}, element);
  AsmResourceBlob blob = HeapAsmResourceBlob::allocate(
      type.getNumElements() * bytesOf(element), /*align=*/64);
  if (element.isF32())
    transformFilter<float>(conv, algorithm, bytesOf(conv.filter),
                           blob.getMutableData());
  else
    transformFilter<double>(conv, algorithm, bytesOf(conv.filter),
                            blob.getMutableData());
  ElementsAttr data;
  if (auto resource = dyn_cast<DenseResourceElementsAttr>(conv.filter))
    data = DenseResourceElementsAttr::get(
        type, resource.getRawHandle().getKey(), std::move(blob));
  else
    data = DenseElementsAttr::getFromRawBuffer(type, blob.getData());
  return arith::ConstantOp::create(builder, cast<TypedAttr>(data));
}

//===----------------------------------------------------------------------===//
// The rewrite
//===----------------------------------------------------------------------===//

namespace {
/// Writes the ops for one convolution.
class Rewriter {
public:
  Rewriter(const Convolution &conv, const Algorithm &algorithm)
      : conv(conv), algorithm(algorithm),
        builder(this->conv.op.getLoc(), this->conv.op),
        element(getElementTypeOrSelf(this->conv.op->getResult(0).getType())),
        tileRows(llvm::divideCeil(conv.rows, algorithm.tile)),
        tileColumns(llvm::divideCeil(conv.columns, algorithm.tile)) {}

  void run();

private:
  Value padImage();
  Value transformImage();
  Value multiply(Value tiles);
  Value makeResults(Value products);
  Value cut(Value results);

  using Transform = SmallVector<Value> (*)(Terms &, ArrayRef<Value>);
  SmallVector<Value> createTransform(Value source, ArrayRef<AffineMap> maps,
                                     ValueRange parts, Transform transform);
  AffineExpr dim(unsigned i) { return builder.getAffineDimExpr(i); }
  Value insertParts(Value whole, ValueRange parts,
                    const std::function<SmallVector<int64_t>(int64_t)> &offsets,
                    ArrayRef<int64_t> sizes);
  SmallVector<Value>
  extractParts(Value whole, int64_t count, RankedTensorType type,
               const std::function<SmallVector<int64_t>(int64_t)> &offsets,
               ArrayRef<int64_t> sizes);

  Convolution conv;
  Algorithm algorithm;
  ImplicitLocOpBuilder builder;
  Type element;
  int64_t tileRows, tileColumns;
};
} // namespace

/// The image with the elements that the last tiles read.
Value Rewriter::padImage() {
  Value image = conv.op.getDpsInputOperand(0)->get();
  auto type = cast<RankedTensorType>(image.getType());
  SmallVector<int64_t> wanted = {
      type.getDimSize(0), tileRows * algorithm.tile + 2,
      tileColumns * algorithm.tile + 2, type.getDimSize(3)};
  if (wanted == type.getShape())
    return image;
  SmallVector<int64_t> low(4, 0), high(4, 0);
  for (unsigned d = 0; d < 4; ++d)
    high[d] = wanted[d] - type.getDimSize(d);
  Value source = image;
  // What the last tiles read beyond the border reaches no result.
  if (auto pad = image.getDefiningOp<tensor::PadOp>();
      pad && pad.getConstantPaddingValue() &&
      !ShapedType::isDynamicShape(pad.getStaticLow()) &&
      !ShapedType::isDynamicShape(pad.getStaticHigh()) &&
      pad.getConstantPaddingValue().getParentBlock() !=
          &pad.getRegion().front()) {
    source = pad.getSource();
    for (unsigned d = 0; d < 4; ++d) {
      low[d] = pad.getStaticLow()[d];
      high[d] += pad.getStaticHigh()[d];
    }
    return tensor::PadOp::create(
        builder, RankedTensorType::get(wanted, element), source,
        getAsIndexOpFoldResult(builder.getContext(), low),
        getAsIndexOpFoldResult(builder.getContext(), high),
        pad.getConstantPaddingValue());
  }
  Value zero =
      arith::ConstantOp::create(builder, builder.getFloatAttr(element, 0.0));
  return tensor::PadOp::create(
      builder, RankedTensorType::get(wanted, element), source,
      getAsIndexOpFoldResult(builder.getContext(), low),
      getAsIndexOpFoldResult(builder.getContext(), high), zero);
}

static SmallVector<OpFoldResult> fold(OpBuilder &builder,
                                      ArrayRef<int64_t> values) {
  return getAsIndexOpFoldResult(builder.getContext(), values);
}

SmallVector<Value> Rewriter::extractParts(
    Value whole, int64_t count, RankedTensorType type,
    const std::function<SmallVector<int64_t>(int64_t)> &offsets,
    ArrayRef<int64_t> sizes) {
  SmallVector<int64_t> ones(sizes.size(), 1);
  SmallVector<Value> parts;
  for (int64_t i = 0; i < count; ++i)
    parts.push_back(tensor::ExtractSliceOp::create(
        builder, type, whole, fold(builder, offsets(i)), fold(builder, sizes),
        fold(builder, ones)));
  return parts;
}

Value Rewriter::insertParts(
    Value whole, ValueRange parts,
    const std::function<SmallVector<int64_t>(int64_t)> &offsets,
    ArrayRef<int64_t> sizes) {
  SmallVector<int64_t> ones(sizes.size(), 1);
  for (auto [i, part] : llvm::enumerate(parts))
    whole = tensor::InsertSliceOp::create(
        builder, part, whole, fold(builder, offsets(i)), fold(builder, sizes),
        fold(builder, ones));
  return whole;
}

/// An op that reads the elements of a tile of `source`, each by one of `maps`,
/// transforms columns and rows, and writes the results into `parts`.
SmallVector<Value> Rewriter::createTransform(Value source,
                                             ArrayRef<AffineMap> maps,
                                             ValueRange parts,
                                             Transform transform) {
  constexpr unsigned numLoops = 4;
  SmallVector<AffineMap> all(maps);
  all.append(parts.size(), builder.getMultiDimIdentityMap(numLoops));
  SmallVector<utils::IteratorType> loops(numLoops,
                                         utils::IteratorType::parallel);
  auto op = linalg::GenericOp::create(
      builder, ValueRange(parts).getTypes(),
      SmallVector<Value>(maps.size(), source), parts, all, loops,
      [&](OpBuilder &body, Location location, ValueRange arguments) {
        Terms terms(body, location, element);
        unsigned extent = algorithm.extent();
        // Of a tile [y][x], columns first: [x] holds the column's results.
        SmallVector<SmallVector<Value>> columns;
        for (unsigned x = 0; x < extent; ++x) {
          SmallVector<Value> column;
          for (unsigned y = 0; y < extent; ++y)
            column.push_back(arguments[y * extent + x]);
          columns.push_back(transform(terms, column));
        }
        SmallVector<Value> results;
        for (unsigned y = 0; y < columns.front().size(); ++y) {
          SmallVector<Value> row;
          for (unsigned x = 0; x < extent; ++x)
            row.push_back(columns[x][y]);
          llvm::append_range(results, transform(terms, row));
        }
        linalg::YieldOp::create(body, location, results);
      });
  return llvm::to_vector_of<Value>(op.getResults());
}

/// [products, tiles, c].
Value Rewriter::transformImage() {
  Value image = padImage();
  int64_t extent = algorithm.extent(), count = algorithm.numProducts();
  SmallVector<AffineMap> maps;
  for (int64_t y = 0; y < extent; ++y)
    for (int64_t x = 0; x < extent; ++x)
      maps.push_back(AffineMap::get(4, 0,
                                    {dim(0), dim(1) * algorithm.tile + y,
                                     dim(2) * algorithm.tile + x, dim(3)},
                                    builder.getContext()));
  SmallVector<int64_t> shape = {count, conv.batch, tileRows, tileColumns,
                                conv.channels};
  SmallVector<int64_t> sizes(shape);
  sizes[0] = 1;
  auto offsets = [](int64_t i) { return SmallVector<int64_t>{i, 0, 0, 0, 0}; };
  Value tiles = tensor::EmptyOp::create(builder, shape, element);
  auto part = RankedTensorType::get(ArrayRef(shape).drop_front(), element);
  SmallVector<Value> parts = createTransform(
      image, maps, extractParts(tiles, count, part, offsets, sizes),
      transformInput);
  Value all = insertParts(tiles, parts, offsets, sizes);
  SmallVector<ReassociationIndices> reassociation = {{0}, {1, 2, 3}, {4}};
  return tensor::CollapseShapeOp::create(builder, all, reassociation);
}

/// [products, n, y, x, f], where y and x count tiles.
Value Rewriter::multiply(Value tiles) {
  int64_t numTiles = conv.batch * tileRows * tileColumns;
  Value filter = createFilter(builder, conv, algorithm);
  Value zero =
      arith::ConstantOp::create(builder, builder.getFloatAttr(element, 0.0));
  SmallVector<int64_t> shape = {algorithm.numProducts(), numTiles,
                                conv.features};
  Value empty = tensor::EmptyOp::create(builder, shape, element);
  Value start = linalg::FillOp::create(builder, zero, empty).getResult(0);
  Value products =
      linalg::BatchMatmulOp::create(builder, ValueRange{tiles, filter}, start)
          .getResult(0);
  auto type = RankedTensorType::get({algorithm.numProducts(), conv.batch,
                                     tileRows, tileColumns, conv.features},
                                    element);
  SmallVector<ReassociationIndices> reassociation = {{0}, {1, 2, 3}, {4}};
  return tensor::ExpandShapeOp::create(builder, type, products, reassociation);
}

/// [n, y, x, f] with the results of whole tiles.
Value Rewriter::makeResults(Value products) {
  int64_t tile = algorithm.tile;
  SmallVector<AffineMap> maps;
  for (int64_t i = 0; i < algorithm.numProducts(); ++i)
    maps.push_back(AffineMap::get(
        4, 0,
        {builder.getAffineConstantExpr(i), dim(0), dim(1), dim(2), dim(3)},
        builder.getContext()));
  SmallVector<int64_t> shape = {conv.batch,  tileRows, tile,
                                tileColumns, tile,     conv.features};
  SmallVector<int64_t> sizes(shape);
  sizes[2] = sizes[4] = 1;
  auto offsets = [&](int64_t i) {
    return SmallVector<int64_t>{0, 0, i / tile, 0, i % tile, 0};
  };
  Value results = tensor::EmptyOp::create(builder, shape, element);
  auto part = RankedTensorType::get(
      {conv.batch, tileRows, tileColumns, conv.features}, element);
  SmallVector<Value> parts = createTransform(
      products, maps, extractParts(results, tile * tile, part, offsets, sizes),
      transformOutput);
  Value all = insertParts(results, parts, offsets, sizes);
  SmallVector<ReassociationIndices> reassociation = {{0}, {1, 2}, {3, 4}, {5}};
  return tensor::CollapseShapeOp::create(builder, all, reassociation);
}

/// What the convolution has of `results`.
Value Rewriter::cut(Value results) {
  auto type = cast<RankedTensorType>(conv.op->getResult(0).getType());
  if (results.getType() == type)
    return results;
  return tensor::ExtractSliceOp::create(
      builder, type, results, fold(builder, {0, 0, 0, 0}),
      fold(builder, type.getShape()), fold(builder, {1, 1, 1, 1}));
}

/// Whether the convolution adds to a tensor of zeros.
static bool startsAtZero(linalg::LinalgOp op) {
  auto fill = op.getDpsInits()[0].getDefiningOp<linalg::FillOp>();
  return fill && matchPattern(fill.getInputs()[0], m_AnyZeroFloat());
}

/// Erases the op that defines `value` if nobody uses it, and then what it uses.
static void eraseDead(Value value) {
  Operation *op = value.getDefiningOp();
  if (!op || !isOpTriviallyDead(op))
    return;
  SmallVector<Value> operands(op->getOperands());
  op->erase();
  for (Value operand : operands)
    eraseDead(operand);
}

void Rewriter::run() {
  Value result = cut(makeResults(multiply(transformImage())));
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
  eraseDead(conv.op->getResult(0));
}

int64_t frontend::applyWinograd(ModuleOp module,
                                const WinogradOptions &options) {
  if (options.maxTile == 0)
    return 0;
  int64_t total = 0;
  for (auto function : module.getOps<func::FuncOp>()) {
    if ((!options.entry.empty() && function.getName() != options.entry) ||
        function.isExternal() || isNoTune(function) || hasRecipe(function))
      continue;
    SmallVector<std::pair<Convolution, Algorithm>> chosen;
    function.walk([&](linalg::LinalgOp op) {
      if (std::optional<Convolution> conv = match(op))
        if (std::optional<Algorithm> algorithm = choose(*conv, options))
          chosen.emplace_back(*conv, *algorithm);
    });
    for (auto &[conv, algorithm] : chosen) {
      LDBG() << conv.op.getLoc() << ": tiles of " << algorithm.tile;
      Rewriter(conv, algorithm).run();
    }
    size_t count = chosen.size();
    if (count > 0)
      function.emitRemark() << "'" << function.getName() << "' computes "
                            << count << " convolution" << (count > 1 ? "s" : "")
                            << " by Winograd's algorithm";
    total += count;
  }
  return total;
}
