//===- DropIterators.cpp - Ops without iterators of extent 1 --------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A convolution at one place of its window is a product, with rows of the image
// that are as far apart as windows are. Upstream's patterns for iterators of
// extent 1 take windows at distance 1 only.
//
//===----------------------------------------------------------------------===//

#include "TargetError.h"

#include "baco/TransformOps/GpuOps.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;
using namespace baco;

namespace {
/// The part of an operand that the iterators that are left access.
struct Slice {
  SmallVector<OpFoldResult> offsets, sizes, strides;
  /// The extents of the dimensions that are left, and the indices of these.
  SmallVector<int64_t> shape;
  SmallVector<AffineExpr> indices;
};
} // namespace

/// The iterator and its factor of which `index` is a multiple, with what is
/// added; nothing if there are several.
static std::optional<std::tuple<unsigned, int64_t, int64_t>>
asMultiple(AffineExpr index) {
  int64_t sum = 0, factor = 1;
  if (auto add = dyn_cast<AffineBinaryOpExpr>(index);
      add && add.getKind() == AffineExprKind::Add)
    if (auto constant = dyn_cast<AffineConstantExpr>(add.getRHS())) {
      sum = constant.getValue();
      index = add.getLHS();
    }
  if (auto multiple = dyn_cast<AffineBinaryOpExpr>(index);
      multiple && multiple.getKind() == AffineExprKind::Mul)
    if (auto constant = dyn_cast<AffineConstantExpr>(multiple.getRHS())) {
      factor = constant.getValue();
      index = multiple.getLHS();
    }
  auto iterator = dyn_cast<AffineDimExpr>(index);
  if (!iterator || factor < 1 || sum < 0)
    return std::nullopt;
  return std::tuple(iterator.getPosition(), factor, sum);
}

/// The slice of an operand with `map` if iterators have `extents`; `kept` says
/// what iterators become, which is 0 for those that are left out.
static llvm::Expected<Slice> slice(AffineMap map, ArrayRef<int64_t> extents,
                                   ArrayRef<AffineExpr> kept) {
  Builder builder(map.getContext());
  SmallVector<AffineExpr> left;
  for (auto [iterator, expression] : llvm::enumerate(kept))
    left.push_back(isa<AffineConstantExpr>(expression)
                       ? expression
                       : builder.getAffineDimExpr(iterator));
  Slice slice;
  for (AffineExpr result : map.getResults()) {
    AffineExpr index =
        simplifyAffineExpr(result.replaceDims(left), extents.size(), 0);
    int64_t offset = 0, size = 1, stride = 1;
    if (auto constant = dyn_cast<AffineConstantExpr>(index)) {
      offset = constant.getValue();
    } else if (auto multiple = asMultiple(index)) {
      auto [iterator, factor, sum] = *multiple;
      offset = sum;
      size = extents[iterator];
      stride = factor;
      slice.shape.push_back(size);
      slice.indices.push_back(kept[iterator]);
    } else {
      return llvm::createStringError(
          "a dimension of an operand is indexed by several iterators, or not "
          "by a multiple of one; let those of windows have extent 1");
    }
    slice.offsets.push_back(builder.getIndexAttr(offset));
    slice.sizes.push_back(builder.getIndexAttr(size));
    slice.strides.push_back(builder.getIndexAttr(stride));
  }
  return slice;
}

/// The op that `op` becomes without `iterators`, or why it stays as it is.
static llvm::Expected<linalg::GenericOp>
dropIterators(RewriterBase &rewriter, linalg::LinalgOp op,
              ArrayRef<int64_t> iterators) {
  SmallVector<int64_t> extents = op.getStaticLoopRanges();
  if (!op.hasPureBufferSemantics() ||
      llvm::any_of(extents, ShapedType::isDynamic))
    return llvm::createStringError("it is not on memrefs of static shape");
  if (op.hasIndexSemantics())
    return llvm::createStringError("it needs the numbers of iterations");
  for (int64_t iterator : iterators)
    if (iterator >= op.getNumLoops() || extents[iterator] != 1)
      return llvm::createStringError("it has no iterator " + Twine(iterator) +
                                     " of extent 1");
  SmallVector<AffineExpr> kept;
  SmallVector<utils::IteratorType> kinds;
  for (auto [iterator, kind] : llvm::enumerate(op.getIteratorTypesArray())) {
    bool isLeftOut = llvm::is_contained(iterators, iterator);
    kept.push_back(isLeftOut ? rewriter.getAffineConstantExpr(0)
                             : rewriter.getAffineDimExpr(kinds.size()));
    if (!isLeftOut)
      kinds.push_back(kind);
  }
  SmallVector<Slice, 0> slices;
  SmallVector<AffineMap> maps;
  for (OpOperand &operand : op->getOpOperands()) {
    llvm::Expected<Slice> part =
        slice(op.getMatchingIndexingMap(&operand), extents, kept);
    if (!part)
      return part.takeError();
    maps.push_back(
        AffineMap::get(kinds.size(), 0, part->indices, rewriter.getContext()));
    slices.push_back(std::move(*part));
  }
  rewriter.setInsertionPoint(op);
  SmallVector<Value> operands;
  for (auto [operand, part] : llvm::zip_equal(op->getOperands(), slices)) {
    auto type = dyn_cast<MemRefType>(operand.getType());
    operands.push_back(
        type
            ? memref::SubViewOp::create(
                  rewriter, op.getLoc(),
                  memref::SubViewOp::inferRankReducedResultType(
                      part.shape, type, part.offsets, part.sizes, part.strides),
                  operand, part.offsets, part.sizes, part.strides)
                  .getResult()
            : operand);
  }
  ValueRange all(operands);
  size_t inputs = op.getNumDpsInputs();
  auto generic =
      linalg::GenericOp::create(rewriter, op.getLoc(), all.take_front(inputs),
                                all.drop_front(inputs), maps, kinds);
  rewriter.inlineRegionBefore(op->getRegion(0), generic.getRegion(),
                              generic.getRegion().begin());
  rewriter.eraseOp(op);
  return generic;
}

DiagnosedSilenceableFailure
DropIteratorsOp::apply(transform::TransformRewriter &rewriter,
                       transform::TransformResults &results,
                       transform::TransformState &state) {
  SmallVector<Operation *> transformed;
  for (Operation *payload : llvm::to_vector(state.getPayloadOps(getTarget()))) {
    auto op = dyn_cast<linalg::LinalgOp>(payload);
    if (!op)
      return refuseTarget(*this, payload,
                          llvm::createStringError("it is no linalg op"));
    llvm::Expected<linalg::GenericOp> generic =
        dropIterators(rewriter, op, getIterators());
    if (!generic)
      return refuseTarget(*this, payload, generic.takeError());
    transformed.push_back(*generic);
  }
  results.set(cast<OpResult>(getTransformed()), transformed);
  return DiagnosedSilenceableFailure::success();
}
