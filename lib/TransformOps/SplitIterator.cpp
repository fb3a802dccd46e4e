//===- SplitIterator.cpp - Two iterators in place of one ------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Tiles for ops that upstream's sparsifier lowers: it can't tile loops, and
// tiling before it would slice sparse tensors.
//
//===----------------------------------------------------------------------===//

#include "SplitIterator.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using baco::IteratorSplit;

namespace {
/// An operand, and the dimension that the iterator indexes, if one does.
struct Indexed {
  OpOperand *operand;
  std::optional<int64_t> dimension;
};
} // namespace

/// The dimensions of the operands of `op` that the iterator indexes. The error
/// is a reason.
static llvm::Expected<SmallVector<Indexed>>
findDimensions(linalg::LinalgOp op, const IteratorSplit &split) {
  unsigned iterator = split.iterator;
  SmallVector<Indexed> all;
  for (OpOperand &operand : op->getOpOperands()) {
    Indexed &indexed = all.emplace_back(Indexed{&operand, std::nullopt});
    AffineMap map = op.getMatchingIndexingMap(&operand);
    auto type = dyn_cast<RankedTensorType>(operand.get().getType());
    if (split.isSparse && type && type.getEncoding())
      continue;
    for (auto [dimension, index] : llvm::enumerate(map.getResults())) {
      if (!index.isFunctionOfDim(iterator))
        continue;
      if (index != getAffineDimExpr(iterator, op.getContext()) ||
          indexed.dimension)
        return llvm::createStringError(
            "the index is not the iterator itself, in one dimension");
      indexed.dimension = dimension;
    }
    if (!indexed.dimension)
      continue;
    if (!type || type.getEncoding())
      return llvm::createStringError(
          type ? "the iterator indexes a sparse tensor"
               : "the op is not on tensors");
  }
  return all;
}

/// Dimensions of the type with the split one, by dimensions of the type before.
static SmallVector<ReassociationIndices> groupsOf(int64_t rank,
                                                  int64_t dimension) {
  SmallVector<ReassociationIndices> groups;
  for (int64_t d = 0, next = 0; d < rank; ++d) {
    ReassociationIndices &group = groups.emplace_back();
    group.push_back(next++);
    if (d == dimension)
      group.push_back(next++);
  }
  return groups;
}

static Value expand(OpBuilder &builder, Location loc, const Indexed &indexed,
                    const IteratorSplit &split) {
  Value value = indexed.operand->get();
  if (!indexed.dimension)
    return value;
  auto type = cast<RankedTensorType>(value.getType());
  SmallVector<int64_t> shape(type.getShape());
  shape[*indexed.dimension] = split.extent / split.factor;
  shape.insert(shape.begin() + *indexed.dimension + 1, split.factor);
  return tensor::ExpandShapeOp::create(
      builder, loc, type.clone(shape), value,
      groupsOf(type.getRank(), *indexed.dimension));
}

/// `map` over the new iterators.
static AffineMap splitMap(AffineMap map, std::optional<int64_t> dimension,
                          const IteratorSplit &split) {
  MLIRContext *context = map.getContext();
  unsigned iterator = split.iterator;
  SmallVector<AffineExpr> dims;
  for (unsigned d = 0; d < map.getNumDims(); ++d)
    dims.push_back(getAffineDimExpr(d + (d > iterator), context));
  if (!dimension)
    dims[iterator] =
        dims[iterator] * split.factor + getAffineDimExpr(iterator + 1, context);
  SmallVector<AffineExpr> results;
  for (auto [d, index] : llvm::enumerate(map.getResults())) {
    results.push_back(index.replaceDims(dims));
    if (dimension && static_cast<size_t>(*dimension) == d)
      results.push_back(getAffineDimExpr(iterator + 1, context));
  }
  return AffineMap::get(map.getNumDims() + 1, 0, results, context);
}

/// Indices of the old iterators, made of those of the new ones.
static void splitIndices(RewriterBase &rewriter, linalg::GenericOp op,
                         const IteratorSplit &split) {
  for (auto index :
       llvm::make_early_inc_range(op.getBody()->getOps<linalg::IndexOp>())) {
    if (index.getDim() < split.iterator)
      continue;
    rewriter.setInsertionPoint(index);
    if (index.getDim() > split.iterator) {
      rewriter.replaceOpWithNewOp<linalg::IndexOp>(index, index.getDim() + 1);
      continue;
    }
    Location loc = index.getLoc();
    Value outer = linalg::IndexOp::create(rewriter, loc, split.iterator);
    Value inner = linalg::IndexOp::create(rewriter, loc, split.iterator + 1);
    AffineExpr x, y;
    bindDims(rewriter.getContext(), x, y);
    rewriter.replaceOpWithNewOp<affine::AffineApplyOp>(
        index, AffineMap::get(2, 0, x * split.factor + y),
        ValueRange{outer, inner});
  }
}

static linalg::GenericOp rewrite(RewriterBase &rewriter, linalg::GenericOp op,
                                 ArrayRef<Indexed> operands,
                                 const IteratorSplit &split) {
  rewriter.setInsertionPoint(op);
  Location loc = op.getLoc();
  SmallVector<Value> values;
  SmallVector<AffineMap> maps;
  for (const Indexed &indexed : operands) {
    values.push_back(expand(rewriter, loc, indexed, split));
    maps.push_back(splitMap(op.getMatchingIndexingMap(indexed.operand),
                            indexed.dimension, split));
  }
  SmallVector<utils::IteratorType> kinds = op.getIteratorTypesArray();
  kinds.insert(kinds.begin() + split.iterator, kinds[split.iterator]);
  auto inputs = ValueRange(values).take_front(op.getNumDpsInputs());
  auto outputs = ValueRange(values).drop_front(op.getNumDpsInputs());
  auto made = linalg::GenericOp::create(
      rewriter, loc, TypeRange(outputs), inputs, outputs, maps, kinds,
      /*bodyBuild=*/nullptr, linalg::getPrunedAttributeList(op));
  rewriter.inlineRegionBefore(op.getRegion(), made.getRegion(),
                              made.getRegion().begin());
  splitIndices(rewriter, made, split);
  rewriter.setInsertionPointAfter(made);
  SmallVector<Value> results;
  for (auto [result, old, indexed] :
       llvm::zip_equal(made.getResults(), op.getResults(),
                       operands.drop_front(op.getNumDpsInputs()))) {
    if (!indexed.dimension) {
      results.push_back(result);
      continue;
    }
    auto type = cast<RankedTensorType>(old.getType());
    results.push_back(tensor::CollapseShapeOp::create(
        rewriter, loc, type, result,
        groupsOf(type.getRank(), *indexed.dimension)));
  }
  rewriter.replaceOp(op, results);
  return made;
}

llvm::Error baco::checkSplit(linalg::LinalgOp op, const IteratorSplit &split) {
  if (ShapedType::isDynamic(split.extent))
    return llvm::createStringError("its extent is not static");
  if (split.factor < 1 || split.extent % split.factor != 0)
    return llvm::createStringError("its extent is " + Twine(split.extent));
  return findDimensions(op, split).takeError();
}

linalg::GenericOp baco::splitIterator(RewriterBase &rewriter,
                                      linalg::GenericOp op,
                                      const IteratorSplit &split) {
  return rewrite(rewriter, op, llvm::cantFail(findDimensions(op, split)),
                 split);
}
