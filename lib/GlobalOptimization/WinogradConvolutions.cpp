//===- WinogradConvolutions.cpp - Convolutions to rewrite -----------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "WinogradConvolutions.h"

#include "baco/Analysis/ConstantData.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace baco;
using namespace baco::globalopt;

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

/// Whether `op` adds products, as other ops on windows don't.
static bool sumsProducts(linalg::LinalgOp op) {
  return linalg::detail::isContractionBody(
      *op.getBlock(), [](Operation *product, Operation *sum) {
        return isa<arith::MulFOp>(product) && isa<arith::AddFOp>(sum);
      });
}

std::optional<WinogradConvolution>
globalopt::matchWinograd(linalg::LinalgOp op) {
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
  WinogradConvolution found{op, extents[n], extents[y], extents[x], {}};
  for (auto [dim, loop] : llvm::enumerate(std::array{ky, kx, c, f}))
    found.filter.dims[dim] =
        *maps[1].getResultPosition(getAffineDimExpr(loop, op.getContext()));
  matchPattern(filter, m_Constant(&found.filter.data));
  if (!found.filter.data || !hasData(found.filter.data))
    return std::nullopt;
  return found;
}

std::string WinogradConvolution::shape() const {
  std::string text;
  for (int64_t extent :
       {batch, rows, columns, filter.channels(), filter.features()})
    text += std::to_string(extent) + "x";
  return text + (filter.elementType().isF32() ? "f32" : "f64");
}

/// Products, transforms, and reading a filter, which is brought from memory in
/// each execution if it is large. Fitted to layers of ResNet-18 on Zen 5.
double WinogradConvolution::cost(std::optional<WinogradTile> tile) const {
  constexpr double perFilterByte = 5, perElement = 8;
  double numTiles = double(tile ? countTiles(*tile) : batch * rows * columns),
         numProducts = double(tile ? tile->numProducts() : 9),
         width = double(bytesOf(filter.elementType())),
         channels = double(filter.channels()),
         features = double(filter.features()),
         transforms =
             tile ? perElement * numTiles * (channels + features) : 0.0;
  return numProducts *
         (channels * features * (numTiles + perFilterByte * width) +
          transforms);
}

tensor::PadOp globalopt::findPadding(Value image) {
  auto pad = image.getDefiningOp<tensor::PadOp>();
  Value value = pad ? pad.getConstantPaddingValue() : Value();
  bool isKnown = value && value.getParentBlock() != &pad.getRegion().front() &&
                 !ShapedType::isDynamicShape(pad.getStaticLow()) &&
                 !ShapedType::isDynamicShape(pad.getStaticHigh());
  return isKnown ? pad : tensor::PadOp();
}

bool globalopt::startsAtZero(linalg::LinalgOp op) {
  auto fill = op.getDpsInits()[0].getDefiningOp<linalg::FillOp>();
  return fill && matchPattern(fill.getInputs()[0], m_AnyZeroFloat());
}
