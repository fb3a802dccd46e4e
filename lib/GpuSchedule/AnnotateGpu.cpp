//===- AnnotateGpu.cpp - Recipes for GPUs ---------------------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Chooses the planner of each op. Those of products, convolutions, rows and
// tiles have files of their own.
//
//===----------------------------------------------------------------------===//

#include "baco/GpuSchedule/AnnotateGpu.h"
#include "GpuKnobs.h"
#include "baco/Analysis/BufferedProducers.h"
#include "baco/Analysis/Epilogue.h"
#include "baco/Analysis/RowGroup.h"
#include "baco/IR/BacoDialect.h"
#include "baco/IR/NoTune.h"
#include "baco/IR/Structured.h"
#include "baco/IR/Walk.h"
#include "baco/Recipe/RecipeAnalysis.h"
#include "baco/Schedule/Annotate.h"
#include "baco/Support/GpuLimits.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/TypeUtilities.h"
#include "mlir/Interfaces/LoopLikeInterface.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace baco;
using namespace baco::schedule;

/// The powers of two from `least`, which is one, to `most`.
static Numbers powersOfTwo(int64_t least, int64_t most) {
  Numbers values;
  for (int64_t value = least; value <= most; value *= 2)
    values.push_back(value);
  return values;
}

//===----------------------------------------------------------------------===//
// Other ops
//===----------------------------------------------------------------------===//

/// The recipe of an op that reduces all elements to one. The last chunk may be
/// smaller than the others. By default each multiprocessor has a chunk, unless
/// that is too short for a warp.
static RecipeAttr planReduction(linalg::LinalgOp op, const GpuLimits &gpu) {
  int64_t extent = op.getStaticLoopRanges()[0];
  Numbers all[] = {divisorsWithin(extent, 32, 1024),
                   divisorsWithin(extent, 1, 32),
                   divisorsWithin(extent, 256, 65536)};
  if (isPoor(all[0], extent) || isPoor(all[2], extent)) {
    // A chunk isn't much longer than the sum.
    int64_t longest = static_cast<int64_t>(llvm::PowerOf2Ceil(
        std::clamp<uint64_t>(static_cast<uint64_t>(extent), 32, 65536)));
    all[0] = powersOfTwo(32, std::min<int64_t>(longest, 1024));
    all[1] = powersOfTwo(1, 32);
    all[2] = powersOfTwo(std::min<int64_t>(longest, 256), longest);
  }
  constexpr int64_t run = 8;
  int64_t chunk = std::clamp<int64_t>(extent / gpu.multiprocessors,
                                      run * nvidia::warpSize, 8192);
  Numbers point =
      nearest(all, {std::min<int64_t>(chunk / run, 256), run, chunk},
              [](ArrayRef<int64_t> p) { return p[2] % (p[0] * p[1]) == 0; });
  if (point.empty())
    return {};
  RecipeBuilder builder(op.getContext());
  Attribute local = builder.knob("L", all[0], point[0]),
            groups = builder.knob("G", powersOfTwo(32, 4096), 512);
  Attribute step = GpuReduceAttr::get(
      op.getContext(), /*chunk=*/builder.knob("C", all[2], point[2]),
      /*run=*/builder.knob("R", all[1], point[1]), /*stride=*/local,
      /*global=*/builder.getArrayAttr({groups, local}), local);
  return builder.recipe(step);
}

/// The recipes that `op` may get, the best one first; null ones are none.
static SmallVector<RecipeAttr> listPlans(linalg::LinalgOp op,
                                         const GpuLimits &gpu) {
  if (op.getNumParallelLoops() == 0)
    return {planReduction(op, gpu)};
  SmallVector<RecipeAttr> plans = {planChain(op, gpu)};
  bool isShort = isShortProduct(op);
  if (!isShort)
    plans.push_back(planProduct(op, gpu));
  plans.push_back(planConvolution(op, gpu));
  bool isAcross = sumsAcrossRows(op) && canSplitSum(op, gpu);
  if (!isAcross)
    plans.push_back(planRows(op, gpu));
  bool areShared = hasWindows(op);
  for (bool isPadded : {false, true}) {
    if (areShared)
      plans.push_back(planTiles(op, gpu, /*isShared=*/true, isPadded));
    plans.push_back(planTiles(op, gpu, /*isShared=*/false, isPadded));
  }
  if (isShort)
    plans.push_back(planProduct(op, gpu));
  if (isAcross)
    plans.push_back(planRows(op, gpu));
  return plans;
}

/// The recipe of `op`, or why there is none.
static llvm::Expected<RecipeAttr> plan(linalg::LinalgOp op,
                                       const GpuLimits &gpu) {
  if (!op.hasPureBufferSemantics())
    return llvm::createStringError(
        "it is on tensors, which are not bufferized");
  if (llvm::any_of(op.getStaticLoopRanges(), ShapedType::isDynamic) ||
      llvm::is_contained(op.getStaticLoopRanges(), 0))
    return llvm::createStringError("its shape is not static, or empty");
  for (mlir::Value operand : op->getOperands()) {
    Type type = getElementTypeOrSelf(operand.getType());
    if (isa<MemRefType>(operand.getType()) && !type.isIntOrFloat())
      return llvm::createStringError(
          "GPUs have no elements of the type of an operand");
    if ((type.isF16() && !gpu.hasHalf) || (type.isBF16() && !gpu.hasBF16) ||
        (type.isF64() && !gpu.hasDoubles))
      return llvm::createStringError(gpu.name + " doesn't compute in " +
                                     llvm::formatv("{0}", type).str());
  }
  if (op.getNumParallelLoops() == 0 && op.getNumLoops() != 1)
    return llvm::createStringError(
        "its result is one element, but not the reduction of one iterator");
  // Blocks add their sums atomically.
  if (op.getNumParallelLoops() == 0 && !gpu.hasWideAtomics &&
      countBytes(op.getDpsInits()[0].getType()) > 4)
    return llvm::createStringError(gpu.name +
                                   " has no atomic operations on 64 bits");
  std::string why = "no sizes of blocks and threads divide its extents";
  for (RecipeAttr recipe : listPlans(op, gpu)) {
    if (!recipe)
      continue;
    // Report the step's diagnostic.
    ScopedDiagnosticHandler handler(op.getContext(),
                                    [&](Diagnostic &diagnostic) {
                                      why = diagnostic.str();
                                      return success();
                                    });
    if (succeeded(RecipeAnalysis(op, recipe).run()))
      return recipe;
  }
  return llvm::createStringError(why);
}

/// The ops that recipes make a part of the kernels of others.
static llvm::SmallPtrSet<Operation *, 8> findFused(func::FuncOp function) {
  llvm::SmallPtrSet<Operation *, 8> fused;
  function->walk([&](linalg::LinalgOp op) {
    auto recipe = op->getAttrOfType<RecipeAttr>(BacoDialect::kRecipe);
    if (!recipe)
      return;
    if (llvm::any_of(recipe.getSteps(), llvm::IsaPred<GpuEpilogueAttr>))
      fused.insert_range(findEpilogue(op).list());
    if (llvm::any_of(recipe.getSteps(), llvm::IsaPred<GpuRowsAttr>))
      for (const PlacedOp &placed : listRows(op))
        if (placed.op != op)
          fused.insert(placed.op);
    fused.insert_range(listFusedProducers(op, recipe));
  });
  return fused;
}

/// Gives ops for which `isHead` holds their recipes, which make ops before
/// them, too, a part of their kernels; their number.
static int64_t annotateHeads(func::FuncOp function, const GpuLimits &gpu,
                             function_ref<bool(linalg::LinalgOp)> isHead) {
  int64_t count = 0;
  llvm::SmallPtrSet<Operation *, 8> fused = findFused(function);
  function->walk([&](linalg::LinalgOp op) {
    if (op->hasAttr(BacoDialect::kRecipe) || fused.contains(op) || !isHead(op))
      return;
    llvm::Expected<RecipeAttr> recipe = plan(op, gpu);
    if (llvm::errorToBool(recipe.takeError()))
      return; // The walk over all ops reports it.
    op->setAttr(BacoDialect::kRecipe, *recipe);
    fused.insert_range(findFused(function));
    ++count;
  });
  return count;
}

int64_t baco::schedule::annotateForGpu(ModuleOp module, const GpuLimits &gpu) {
  module.getContext()->getOrLoadDialect<BacoDialect>();
  llvm::DenseMap<Operation *, std::string> refused;
  decomposeForGpu(module, [&](Operation *loop, llvm::StringRef why) {
    refused[loop] = why;
  });
  int64_t count = 0;
  for (auto function : module.getOps<func::FuncOp>()) {
    if (isNoTune(function))
      continue;
    count += annotateHeads(function, gpu, [&](linalg::LinalgOp op) {
      return planChain(op, gpu) != RecipeAttr();
    });
    count += annotateHeads(function, gpu, hasFusedEpilogue);
    count += annotateHeads(function, gpu, hasRows);
    llvm::SmallPtrSet<Operation *, 8> fused = findFused(function);
    function->walk<WalkOrder::PreOrder>([&](Operation *op) {
      if (op->hasAttr(BacoDialect::kRecipe) || fused.contains(op))
        return WalkResult::skip();
      if (isa<LoopLikeOpInterface>(op) && !contains(op, isStructured)) {
        std::string why = refused.lookup(op);
        emitNoRecipe(
            op, "GPUs get linalg ops only, which these loops can't become" +
                    (why.empty() ? why : ": " + why));
        return WalkResult::skip();
      }
      auto structured = dyn_cast<linalg::LinalgOp>(op);
      if (isa<memref::CopyOp>(op))
        emitNoRecipe(op, "its shape is not static");
      else if (!structured && isStructured(op))
        emitNoRecipe(op, "it is several linalg ops; decompose it first");
      if (!structured)
        return WalkResult::advance();
      llvm::Expected<RecipeAttr> recipe = plan(structured, gpu);
      if (!recipe) {
        emitNoRecipe(op, llvm::toString(recipe.takeError()));
      } else {
        op->setAttr(BacoDialect::kRecipe, *recipe);
        ++count;
      }
      return WalkResult::skip();
    });
  }
  return count;
}
