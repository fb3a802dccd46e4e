//===- PointwiseConvolutions.cpp - Convolutions of 1 x 1 ------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Such a convolution multiplies the matrix of filters by that of the image,
// whose places are one iterator. Tiles of places along one dimension of a small
// image would leave most threads idle.
//
//===----------------------------------------------------------------------===//

#include "PointwiseConvolutions.h"
#include "ReorderIterators.h"

#include "baco/Analysis/Epilogue.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/IR/Dominance.h"
#include "mlir/Transforms/CSE.h"
#include "llvm/Support/DebugLog.h"

#define DEBUG_TYPE "baco-pointwise-convolutions"

using namespace mlir;
using namespace baco;
using namespace baco::schedule;

static bool hasIdentityLayouts(linalg::LinalgOp op) {
  return op.hasPureBufferSemantics() && !op.hasDynamicShape() &&
         llvm::all_of(op->getOperandTypes(), [](Type type) {
           auto memref = dyn_cast<MemRefType>(type);
           return !memref || memref.getLayout().isIdentity();
         });
}

/// Whether one reduction, that of channels, has several iterations, and images
/// are read at the places of the result.
static bool isPointwise(linalg::LinalgOp op) {
  if (!isa<linalg::ConvolutionOpInterface>(op.getOperation()) ||
      !hasIdentityLayouts(op) || op.getNumDpsInputs() != 2)
    return false;
  SmallVector<int64_t> extents = op.getStaticLoopRanges();
  SmallVector<AffineExpr> iterators;
  int64_t sums = 0;
  for (auto [iterator, type] : llvm::enumerate(op.getIteratorTypesArray())) {
    bool isWindow =
        type == utils::IteratorType::reduction && extents[iterator] == 1;
    sums += type == utils::IteratorType::reduction && !isWindow;
    iterators.push_back(isWindow ? getAffineConstantExpr(0, op.getContext())
                                 : getAffineDimExpr(iterator, op.getContext()));
  }
  auto hasPlaces = [&](AffineMap map) {
    return llvm::all_of(map.getResults(), [&](AffineExpr result) {
      AffineExpr place =
          simplifyAffineExpr(result.replaceDims(iterators), extents.size(), 0);
      return isa<AffineDimExpr, AffineConstantExpr>(place);
    });
  };
  AffineMap ofResult = op.getMatchingIndexingMap(op.getDpsInitOperand(0)),
            ofFilters = op.getIndexingMapsArray()[1];
  if (sums != 1 || !llvm::all_of(op.getIndexingMapsArray(), hasPlaces) ||
      !ofResult.isProjectedPermutation())
    return false;
  // Each of several images that aren't channels-last would be a product.
  bool isChannelsLast = ofFilters.isFunctionOfDim(
      ofResult.getDimPosition(ofResult.getNumResults() - 1));
  return isChannelsLast || extents[ofResult.getDimPosition(0)] == 1;
}

/// `op` without iterators of extent 1.
static FailureOr<linalg::GenericOp> dropUnits(RewriterBase &rewriter,
                                              linalg::LinalgOp op) {
  if (failed(generalize(rewriter, op)))
    return failure();
  auto generic = cast<linalg::GenericOp>(op.getOperation());
  rewriter.setInsertionPoint(generic);
  FailureOr<linalg::DropUnitDimsResult> dropped =
      linalg::dropUnitDims(rewriter, generic, linalg::ControlDropUnitDims());
  // It has none.
  if (failed(dropped))
    return generic;
  rewriter.replaceOp(generic, dropped->replacements);
  return cast<linalg::GenericOp>(dropped->resultOp.getOperation());
}

/// The dimensions of the result that become one each.
static SmallVector<ReassociationIndices>
groupResult(linalg::LinalgOp op, ArrayRef<ReassociationIndices> runs) {
  AffineMap map = op.getMatchingIndexingMap(op.getDpsInitOperand(0));
  SmallVector<ReassociationIndices> groups;
  for (const ReassociationIndices &run : runs) {
    ReassociationIndices group;
    for (int64_t iterator : run)
      if (std::optional<unsigned> dim = map.getResultPosition(
              getAffineDimExpr(iterator, op.getContext())))
        group.push_back(*dim);
    if (!group.empty())
      groups.push_back(group);
  }
  llvm::sort(groups, [](const auto &a, const auto &b) {
    return a.front() < b.front();
  });
  return groups;
}

/// Brings an elementwise op in the form of a result that has `groups`.
static void follow(RewriterBase &rewriter, linalg::LinalgOp op,
                   ArrayRef<ReassociationIndices> groups) {
  if (!hasIdentityLayouts(op))
    return;
  FailureOr<linalg::GenericOp> dropped = dropUnits(rewriter, op);
  if (failed(dropped))
    return;
  linalg::LinalgOp rest = *dropped;
  if (rest.getMatchingIndexingMap(rest.getDpsInitOperand(0)).isIdentity() &&
      linalg::areDimSequencesPreserved(rest.getIndexingMapsArray(), groups))
    collapse(rewriter, rest, groups);
}

int64_t schedule::convertPointwise(RewriterBase &rewriter,
                                   func::FuncOp function) {
  int64_t count = 0;
  for (auto op : llvm::to_vector(function.getOps<linalg::LinalgOp>())) {
    if (!isPointwise(op))
      continue;
    SmallVector<linalg::LinalgOp> around = findEpilogue(op).list();
    LDBG() << "the convolution at " << op.getLoc() << " is a product";
    FailureOr<linalg::GenericOp> product = dropUnits(rewriter, op);
    if (failed(product))
      continue;
    ++count;
    SmallVector<ReassociationIndices> runs = listRuns(*product);
    SmallVector<ReassociationIndices> groups = groupResult(*product, runs);
    collapse(rewriter, *product, runs);
    for (linalg::LinalgOp other : around)
      follow(rewriter, other, groups);
  }
  if (count == 0)
    return 0;
  // Ops on equal views of a memref are seen to need each other.
  DominanceInfo dominance(function);
  eliminateCommonSubExpressions(rewriter, dominance, function);
  return count;
}
