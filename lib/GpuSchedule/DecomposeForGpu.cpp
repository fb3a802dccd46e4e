//===- DecomposeForGpu.cpp - Ops that become several kernels --------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// On a CPU these ops are parts of a nest, or calls; on a GPU each part is a
// launch. Tensors become memrefs first, as for the harness of a CPU, and loops
// linalg ops. Iterators that run over neighbors in memory become one, and have
// the order of the result.
//
//===----------------------------------------------------------------------===//

#include "GpuKnobs.h"
#include "MergeElementwise.h"
#include "ReorderIterators.h"
#include "ZeroPoints.h"

#include "baco/Analysis/AtomicReduction.h"
#include "baco/Analysis/Epilogue.h"
#include "baco/GlobalOptimization/CollapseIterators.h"
#include "baco/GlobalOptimization/PointwiseConvolutions.h"
#include "baco/GpuSchedule/AnnotateGpu.h"
#include "baco/IR/BacoDialect.h"
#include "baco/IR/NoTune.h"
#include "baco/IR/Structured.h"
#include "baco/IR/Walk.h"
#include "baco/LoopNest/ExpandSoftmax.h"
#include "baco/LoopNest/RaiseToLinalg.h"
#include "baco/LoopNest/UnitIterator.h"
#include "baco/Schedule/Annotate.h"
#include "baco/Schedule/Bufferize.h"
#include "baco/Support/NvidiaGpu.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/Dominance.h"
#include "mlir/Transforms/CSE.h"

using namespace mlir;
using namespace baco;

static bool canExpand(linalg::SoftmaxOp op) {
  return loopnest::canExpand(op) &&
         llvm::all_of(op->getOperandTypes(), [](Type type) {
           auto memref = cast<MemRefType>(type);
           return memref.hasStaticShape() && memref.isStrided();
         });
}

/// Makes a matrix of one row of the vector that `op` is on, so that the row has
/// a block.
static linalg::SoftmaxOp makeRow(RewriterBase &rewriter, linalg::SoftmaxOp op) {
  if (op.getInputOperandRank() > 1)
    return op;
  rewriter.setInsertionPoint(op);
  auto view = [&](mlir::Value vector) -> mlir::Value {
    int64_t shape[] = {1, cast<MemRefType>(vector.getType()).getDimSize(0)};
    return memref::ExpandShapeOp::create(rewriter, op.getLoc(), shape, vector,
                                         {ReassociationIndices{0, 1}});
  };
  mlir::Value input = view(op.getInput());
  mlir::Value output =
      op.getOutput() == op.getInput() ? input : view(op.getOutput());
  auto row = linalg::SoftmaxOp::create(rewriter, op.getLoc(), TypeRange(),
                                       input, output, /*dimension=*/1);
  rewriter.eraseOp(op);
  return row;
}

static bool isPlain(memref::CopyOp op) {
  auto from = dyn_cast<MemRefType>(op.getSource().getType()),
       to = dyn_cast<MemRefType>(op.getTarget().getType());
  return from && to && from.hasStaticShape() && to.hasStaticShape() &&
         from.getElementType().isIntOrFloat();
}

/// Whether a view of one element of `memref` at `indices` can be made.
static bool hasElement(mlir::Value memref, ArrayRef<int64_t> indices) {
  auto type = cast<MemRefType>(memref.getType());
  return type.hasStaticShape() && type.isStrided() &&
         llvm::all_of_zip(indices, type.getShape(),
                          [](int64_t index, int64_t extent) {
                            return index >= 0 && index < extent;
                          });
}

/// A view of the element of `memref` at `indices`, without dimensions.
static mlir::Value viewElement(OpBuilder &builder, Location loc,
                               mlir::Value memref, ArrayRef<int64_t> indices) {
  if (indices.empty())
    return memref;
  SmallVector<int64_t> ones(indices.size(), 1);
  MemRefType scalar = memref::SubViewOp::inferRankReducedResultType(
      {}, cast<MemRefType>(memref.getType()), indices, ones, ones);
  return memref::SubViewOp::create(builder, loc, scalar, memref, indices, ones,
                                   ones);
}

/// A result of `op` that is one element of a memref becomes a view of it.
static void viewResults(RewriterBase &rewriter, linalg::LinalgOp op) {
  auto generic = dyn_cast<linalg::GenericOp>(op.getOperation());
  if (!generic || op.getNumParallelLoops() != 0 || !op.hasPureBufferSemantics())
    return;
  SmallVector<AffineMap> maps = op.getIndexingMapsArray();
  rewriter.setInsertionPoint(op);
  for (OpOperand &result : op.getDpsInitsMutable()) {
    AffineMap &map = maps[result.getOperandNumber()];
    if (!map.isConstant() ||
        !hasElement(result.get(), map.getConstantResults()))
      continue;
    result.set(viewElement(rewriter, op.getLoc(), result.get(),
                           map.getConstantResults()));
    map = AffineMap::get(op.getNumLoops(), 0, op.getContext());
  }
  generic.setIndexingMapsAttr(rewriter.getAffineMapArrayAttr(maps));
}

/// Whether one thread reduces all in less time than several exchange sums.
static bool isShortSum(linalg::LinalgOp op) {
  return !op.hasDynamicShape() &&
         llvm::product_of(op.getStaticLoopRanges()) <= nvidia::warpSize;
}

/// Gives ops whose result is one element an iterator that a block can have,
/// unless they are long and blocks combine parts of it by atomic operations;
/// their number.
static int64_t addUnitIterators(RewriterBase &rewriter, func::FuncOp function) {
  int64_t count = 0;
  for (auto op : llvm::to_vector(function.getOps<linalg::LinalgOp>()))
    if (op.getNumParallelLoops() == 0 &&
        (llvm::errorToBool(matchAtomicReduction(op).takeError()) ||
         isShortSum(op)))
      count += succeeded(loopnest::addUnitIterator(rewriter, op));
  return count;
}

/// Puts the tensors of `module` into memory, unless a recipe is for them. A
/// remark says why that can't be done, and the module is as before.
static void putIntoMemory(ModuleOp module) {
  if (!schedule::hasTensors(module) || contains(module, [](Operation *op) {
        return op->hasAttr(BacoDialect::kRecipe) && isOnTensors(op);
      }))
    return;
  std::optional<std::pair<Location, std::string>> why;
  {
    ScopedDiagnosticHandler handler(
        module.getContext(), [&](Diagnostic &diagnostic) {
          if (!why && diagnostic.getSeverity() == DiagnosticSeverity::Error)
            why.emplace(diagnostic.getLocation(), diagnostic.str());
          return success();
        });
    OwningOpRef<ModuleOp> inMemory = module.clone();
    if (succeeded(schedule::bufferize(*inMemory))) {
      module.getBodyRegion().takeBody(inMemory->getBodyRegion());
      return;
    }
  }
  if (why)
    emitRemark(why->first) << "tensors can't be bufferized: " << why->second;
}

/// Makes linalg ops of loops without any; their number.
static int64_t raiseLoops(func::FuncOp function,
                          schedule::RefusedLoop onRefused) {
  int64_t count = 0;
  auto loops = llvm::to_vector(function.getOps<LoopLikeOpInterface>());
  for (Operation *loop : loops) {
    if (contains(loop, isStructured))
      continue;
    Result<int64_t> raised = loopnest::raiseToLinalg(loop);
    if (raised)
      count += *raised;
    else if (onRefused)
      onRefused(loop, raised.error().message);
  }
  return count;
}

/// The constant indices of the element to which `op` stores; none if it isn't a
/// store, or if they aren't constants.
static std::optional<SmallVector<int64_t>> findElement(Operation *op) {
  if (auto store = dyn_cast<memref::StoreOp>(op))
    return getConstantIntValues(getAsOpFoldResult(store.getIndices()));
  auto store = dyn_cast<affine::AffineStoreOp>(op);
  if (!store)
    return std::nullopt;
  AffineMap map = store.getAffineMap();
  SmallVector<mlir::Value> operands(store.getMapOperands());
  affine::fullyComposeAffineMapAndOperands(&map, &operands);
  affine::canonicalizeMapAndOperands(&map, &operands);
  if (!map.isConstant())
    return std::nullopt;
  return map.getConstantResults();
}

/// Makes fills of stores outside of loops, to one element, of a value that is
/// there before the function's ops; their number.
static int64_t raiseStores(func::FuncOp function) {
  int64_t count = 0;
  for (Operation &op : llvm::make_early_inc_range(function.getOps())) {
    std::optional<SmallVector<int64_t>> element = findElement(&op);
    if (!element)
      continue;
    mlir::Value value = op.getOperand(0), memref = op.getOperand(1);
    Operation *source = value.getDefiningOp();
    if (!value.getType().isIntOrFloat() || !hasElement(memref, *element) ||
        (source && !source->hasTrait<OpTrait::ConstantLike>()))
      continue;
    OpBuilder builder(&op);
    linalg::FillOp::create(builder, op.getLoc(), value,
                           viewElement(builder, op.getLoc(), memref, *element));
    op.erase();
    ++count;
  }
  return count;
}

/// The ops around products and convolutions, and on rows, which become a part
/// of others' kernels, and stay as they are.
static llvm::SmallPtrSet<Operation *, 8> listParts(func::FuncOp function) {
  llvm::SmallPtrSet<Operation *, 8> parts;
  for (auto op : function.getOps<linalg::LinalgOp>()) {
    if (schedule::hasFusedEpilogue(op))
      parts.insert_range(findEpilogue(op).list());
    for (const PlacedOp &placed : schedule::listRows(op))
      parts.insert(placed.op);
    parts.insert_range(schedule::listChain(op));
  }
  return parts;
}

int64_t schedule::decomposeForGpu(ModuleOp module, RefusedLoop onRefused) {
  putIntoMemory(module);
  module.getContext()
      ->loadDialect<arith::ArithDialect, linalg::LinalgDialect,
                    math::MathDialect, memref::MemRefDialect>();
  size_t count = 0;
  for (auto function : module.getOps<func::FuncOp>()) {
    if (isNoTune(function))
      continue;
    SmallVector<linalg::SoftmaxOp> softmaxes;
    SmallVector<memref::CopyOp> copies;
    // A recipe may make other ops a part of its kernel.
    bool hasRecipe = false;
    function->walk([&](Operation *op) {
      if (op->hasAttr(BacoDialect::kRecipe)) {
        hasRecipe = true;
        return;
      }
      if (auto softmax = dyn_cast<linalg::SoftmaxOp>(op);
          softmax && canExpand(softmax))
        softmaxes.push_back(softmax);
      else if (auto copy = dyn_cast<memref::CopyOp>(op); copy && isPlain(copy))
        copies.push_back(copy);
    });
    count += softmaxes.size() + copies.size();
    IRRewriter rewriter(module.getContext());
    for (linalg::SoftmaxOp softmax : softmaxes)
      loopnest::expandSoftmax(rewriter, makeRow(rewriter, softmax));
    for (memref::CopyOp copy : copies) {
      OpBuilder builder(copy);
      linalg::CopyOp::create(builder, copy.getLoc(), copy.getSource(),
                             copy.getTarget());
      copy.erase();
    }
    if (hasRecipe)
      continue;
    count += raiseLoops(function, onRefused);
    count += raiseStores(function);
    count += dropZeroPoints(rewriter, function);
    count += globalopt::convertPointwise(rewriter, function,
                                         /*takesIntegers=*/true);
    llvm::SmallPtrSet<Operation *, 8> fused = listParts(function);
    count += mergeElementwise(rewriter, function, fused);
    for (linalg::LinalgOp op :
         llvm::to_vector(function.getOps<linalg::LinalgOp>())) {
      if (fused.contains(op))
        continue;
      viewResults(rewriter, op);
      count += reorder(rewriter, op);
      if (op.hasPureBufferSemantics())
        count +=
            bool(globalopt::collapse(rewriter, op, globalopt::listRuns(op)));
    }
    count += addUnitIterators(rewriter, function);
    // A kernel has one view of each memref, and ops on equal views are seen to
    // need each other, as when a schedule has simplified the function.
    DominanceInfo dominance(function);
    eliminateCommonSubExpressions(rewriter, dominance, function);
  }
  return static_cast<int64_t>(count);
}
