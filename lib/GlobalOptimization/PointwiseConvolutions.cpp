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

#include "baco/GlobalOptimization/PointwiseConvolutions.h"

#include "baco/Analysis/Epilogue.h"
#include "baco/GlobalOptimization/CollapseIterators.h"
#include "baco/GlobalOptimization/RewrittenFunctions.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Tensor/Transforms/Transforms.h"
#include "mlir/IR/DialectResourceBlobManager.h"
#include "mlir/IR/Dominance.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/TypeUtilities.h"
#include "mlir/Transforms/CSE.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"
#include "llvm/Support/DebugLog.h"

#define DEBUG_TYPE "baco-pointwise-convolutions"

using namespace mlir;
using namespace baco;
using namespace baco::globalopt;

/// Whether one reduction, that of channels, has several iterations, and images
/// are read at the places of the result.
static bool isPointwise(linalg::LinalgOp op) {
  if (!linalg::isaConvolutionOpInterface(op) || !isContiguous(op) ||
      op.getNumDpsInputs() != 2)
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
  if (!isContiguous(op))
    return;
  FailureOr<linalg::GenericOp> dropped = dropUnits(rewriter, op);
  if (failed(dropped))
    return;
  linalg::LinalgOp rest = *dropped;
  if (rest.getMatchingIndexingMap(rest.getDpsInitOperand(0)).isIdentity() &&
      linalg::areDimSequencesPreserved(rest.getIndexingMapsArray(), groups))
    collapse(rewriter, rest, groups);
}

/// The elementwise ops on tensors that follow `op`, each of which alone uses
/// the result of the one before; nullopt if a padding does.
static std::optional<SmallVector<linalg::LinalgOp>>
listFollowers(linalg::LinalgOp op) {
  SmallVector<linalg::LinalgOp> followers;
  while (op->getNumResults() == 1) {
    mlir::Value result = op->getResult(0);
    if (llvm::any_of(result.getUsers(), llvm::IsaPred<tensor::PadOp>))
      return std::nullopt;
    if (!result.hasOneUse())
      break;
    op = dyn_cast<linalg::LinalgOp>(*result.user_begin());
    if (!op || !isContiguous(op) || !baco::isElementwise(op) ||
        op.getNumDpsInits() != 1)
      break;
    followers.push_back(op);
  }
  return followers;
}

/// Reshapes a constant, of whose data resources are shared.
static LogicalResult reshapeConstant(tensor::CollapseShapeOp op,
                                     PatternRewriter &rewriter) {
  ElementsAttr data;
  if (!matchPattern(op.getSrc(), m_Constant(&data)))
    return failure();
  RankedTensorType type = op.getResultType();
  TypedAttr reshaped;
  if (auto resource = dyn_cast<DenseResourceElementsAttr>(data))
    reshaped = DenseResourceElementsAttr::get(type, resource.getRawHandle());
  else if (auto dense = dyn_cast<DenseElementsAttr>(data))
    reshaped = cast<TypedAttr>(dense.reshape(type));
  else
    return failure();
  rewriter.replaceOpWithNewOp<arith::ConstantOp>(op, reshaped);
  return success();
}

/// Leaves of reshapes those that neither a constant, a fill nor another reshape
/// takes in.
static void foldReshapes(func::FuncOp function) {
  MLIRContext *context = function.getContext();
  RewritePatternSet patterns(context);
  tensor::CollapseShapeOp::getCanonicalizationPatterns(patterns, context);
  tensor::ExpandShapeOp::getCanonicalizationPatterns(patterns, context);
  memref::CollapseShapeOp::getCanonicalizationPatterns(patterns, context);
  linalg::FillOp::getCanonicalizationPatterns(patterns, context);
  tensor::populateFoldTensorEmptyPatterns(patterns);
  patterns.add(reshapeConstant);
  // The function is right without this, too.
  (void)applyPatternsGreedily(function, std::move(patterns));
}

/// Makes a `linalg.matmul` of `op`, after which kernels are named, if it is one
/// with the usual maps and without conversions of elements: of other maps
/// upstream makes an op that isn't valid, and of any conversion a signed one.
static void nameProduct(RewriterBase &rewriter, linalg::LinalgOp op) {
  constexpr size_t multiplyAddYield = 3;
  auto generic = dyn_cast<linalg::GenericOp>(op.getOperation());
  if (!generic ||
      generic.getIndexingMapsArray() !=
          linalg::MatmulOp::getDefaultIndexingMaps(op.getContext()) ||
      generic.getBody()->getOperations().size() != multiplyAddYield)
    return;
  rewriter.setInsertionPoint(generic);
  (void)linalg::specializeGenericOp(rewriter, generic);
}

/// Whether `op` adds up integers.
static bool isOfIntegers(linalg::LinalgOp op) {
  return getElementTypeOrSelf(op.getDpsInits().front().getType()).isInteger();
}

int64_t globalopt::convertPointwise(RewriterBase &rewriter,
                                    func::FuncOp function, bool takesIntegers) {
  // Others are replaced on the way.
  auto convolutions = llvm::to_vector(llvm::make_filter_range(
      function.getOps<linalg::LinalgOp>(), [&](linalg::LinalgOp op) {
        return isPointwise(op) && (takesIntegers || !isOfIntegers(op));
      }));
  int64_t count = 0;
  bool hasViews = false;
  for (linalg::LinalgOp op : convolutions) {
    bool isOnTensors = op.hasPureTensorSemantics();
    std::optional<SmallVector<linalg::LinalgOp>> around =
        isOnTensors ? listFollowers(op) : findEpilogue(op).list();
    if (!around)
      continue;
    LDBG() << "the convolution at " << op.getLoc() << " is a product";
    FailureOr<linalg::GenericOp> product = dropUnits(rewriter, op);
    if (failed(product))
      continue;
    ++count;
    hasViews |= !isOnTensors;
    SmallVector<ReassociationIndices> runs = listRuns(*product);
    SmallVector<ReassociationIndices> groups = groupResult(*product, runs);
    linalg::LinalgOp collapsed = collapse(rewriter, *product, runs);
    for (linalg::LinalgOp other : *around)
      follow(rewriter, other, groups);
    if (collapsed && isOnTensors)
      nameProduct(rewriter, collapsed);
  }
  if (count > 0)
    foldReshapes(function);
  if (hasViews) {
    // Ops on equal views of a memref are seen to need each other.
    DominanceInfo dominance(function);
    eliminateCommonSubExpressions(rewriter, dominance, function);
  }
  return count;
}

int64_t globalopt::convertPointwise(ModuleOp module, StringRef entry) {
  IRRewriter rewriter(module.getContext());
  int64_t count = 0;
  for (func::FuncOp function : functionsToRewrite(module, entry))
    count += convertPointwise(rewriter, function, /*takesIntegers=*/false);
  return count;
}
