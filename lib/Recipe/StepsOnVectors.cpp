//===- StepsOnVectors.cpp - Vectorize, hoist ------------------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The steps of a recipe that make vector operations of the tile. The order of
// the patterns was chosen by measurements: several of them silently do nothing
// when one before is missing, at two to three times the run time.
//
//===----------------------------------------------------------------------===//

#include "Steps.h"
#include "baco/IR/Structured.h"
#include "baco/TransformOps/GpuOps.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/TransformOps/LinalgTransformOps.h"
#include "mlir/Dialect/MemRef/TransformOps/MemRefTransformOps.h"
#include "mlir/Dialect/Transform/IR/TransformOps.h"
#include "mlir/Dialect/Transform/LoopExtension/LoopExtensionOps.h"
#include "mlir/Dialect/Transform/TuneExtension/TuneExtensionOps.h"
#include "mlir/Dialect/Vector/TransformOps/VectorTransformOps.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/SmallBitVector.h"

using namespace mlir;
using namespace baco;

static void addCanonicalization(OpBuilder &builder, Location loc) {
  transform::ApplyCanonicalizationPatternsOp::create(builder, loc);
}

/// Whether upstream can make contractions of named ops at once: it extends
/// elements by their sign, whatever the op says, and can't narrow them.
static bool canNameContractions(RecipeExpander &expander) {
  return !convertsOtherwise(cast<linalg::LinalgOp>(expander.state.getOp()));
}

/// Makes vector operations of the op behind `target`.
static void vectorize(RecipeExpander &expander, mlir::Value target) {
  bool isNamed = canNameContractions(expander);
  transform::VectorizeOp::create(
      expander.builder, expander.loc, target, /*vector_sizes=*/ValueRange(),
      /*static_vector_sizes=*/ArrayRef<int64_t>(),
      /*vectorize_nd_extract=*/UnitAttr(),
      /*assume_dynamic_dims_match_vec_sizes=*/UnitAttr(),
      /*create_named_contraction=*/
      isNamed ? expander.builder.getUnitAttr() : UnitAttr());
}

/// The iterators to leave out, whatever knobs are, if the op has windows that
/// are of one element by now: those of windows, and of the parallel ones of
/// extent 1 the first ones, but two. Empty if it has none, or larger ones.
static SmallVector<int64_t> listWindowIterators(const RecipeAnalysis &state) {
  auto op = cast<linalg::LinalgOp>(state.getOp());
  if (state.has(OpFact::OnTensors))
    return {};
  for (int64_t iterator = 0; iterator < op.getNumLoops(); ++iterator)
    if (state.getOrigin(iterator) != iterator)
      return {};
  auto isUnit = [&](unsigned iterator) {
    return llvm::all_of(state.getExtents()[iterator], [](const Extent &extent) {
      return extent.count && !extent.count->isKnob() &&
             extent.count->getConstant() == 1;
    });
  };
  llvm::SmallBitVector inWindow(op.getNumLoops());
  for (OpOperand *input : op.getDpsInputOperands())
    for (AffineExpr index : op.getMatchingIndexingMap(input).getResults())
      if (!isa<AffineDimExpr>(index))
        for (unsigned iterator = 0; iterator < op.getNumLoops(); ++iterator)
          if (index.isFunctionOfDim(iterator))
            inWindow.set(iterator);
  SmallVector<int64_t> leftOut;
  unsigned parallel = op.getNumParallelLoops();
  for (auto [iterator, kind] : llvm::enumerate(op.getIteratorTypesArray())) {
    bool isReduction = kind == utils::IteratorType::reduction;
    if (isReduction && inWindow[iterator] && !isUnit(iterator))
      return {};
    if (isUnit(iterator) && (isReduction ? inWindow[iterator] : parallel > 2)) {
      leftOut.push_back(iterator);
      parallel -= !isReduction;
    }
  }
  return inWindow.any() ? leftOut : SmallVector<int64_t>();
}

static void applyCSE(RecipeExpander &expander) {
  transform::ApplyCommonSubexpressionEliminationOp::create(
      expander.builder, expander.loc, expander.function);
}

//===----------------------------------------------------------------------===//
// VectorizeAttr
//===----------------------------------------------------------------------===//

/// Checks that copies can be done by vectors of `length`.
static LogicalResult checkCopies(RecipeAnalysis &state, Quantity length) {
  if (state.getBuffers().empty())
    return state.emitError() << "'copy_length' given, but no earlier 'promote' "
                                "makes a copy";
  const RecipeAnalysis::Buffer *previous = nullptr;
  for (const RecipeAnalysis::Buffer &buffer : state.getBuffers()) {
    if (previous && previous->depth == buffer.depth &&
        previous->rank != buffer.rank)
      return state.emitError()
             << "'copy_length' needs operands of equal rank in one 'promote', "
                "but operand "
             << previous->operand << " has rank " << previous->rank
             << " and operand " << buffer.operand << " rank " << buffer.rank;
    std::string what = "vector length " + length.quoted() +
                       " of the copy of operand " +
                       std::to_string(buffer.operand);
    // Rows of parts differ, and are cut.
    if (!state.has(OpFact::InParts) &&
        failed(state.requireDivides(length, buffer.row, what,
                                    "a row is copied by whole vectors")))
      return failure();
    previous = &buffer;
  }
  return success();
}

LogicalResult baco::advance(VectorizeAttr step, RecipeAnalysis &state) {
  for (auto [iterator, extents] : llvm::enumerate(state.getExtents()))
    for (const Extent &extent : extents)
      if (!extent.isStatic())
        return state.emitError()
               << "the extent of iterator " << iterator << " is not static";
  return step.getCopyLength()
             ? checkCopies(state, Quantity(step.getCopyLength()))
             : success();
}

/// Makes vectors of one dimension of `copies`, all of rank `rank`.
static void vectorizeRows(RecipeExpander &expander, mlir::Value copies,
                          int64_t rank, OpFoldResult length) {
  SmallVector<OpFoldResult> sizes(rank, expander.builder.getI64IntegerAttr(1));
  sizes.back() = length;
  SmallVector<Type> loopTypes(sizes.size(), expander.anyOp);
  auto tiled = transform::TileUsingForOp::create(
      expander.builder, expander.loc, TypeRange(loopTypes), copies, sizes);
  vectorize(expander, tiled.getTiledLinalgOp());
}

/// The same for the copies of an op in parts: those called `mark` in the
/// function, whose rows have any static length.
static void vectorizeMarkedRows(RecipeExpander &expander, StringRef mark,
                                int64_t rank, Attribute length) {
  OpBuilder &builder = expander.builder;
  OpBuilder::InsertionGuard guard(builder);
  transform::ForeachOp copies = expander.startForeach(
      expander.match(expander.function, "linalg.copy", mark));
  expander.target = copies.getBody().getArgument(0);
  mlir::Value size = expander.cutInParts(rank - 1, length, Remainder::Balance);
  vectorizeRows(expander, expander.target, rank, size);
  expander.joinParts();
}

/// Makes vectors of the copies that fill buffers.
static void vectorizeCopies(RecipeExpander &expander, Attribute length) {
  OpBuilder &builder = expander.builder;
  ArrayRef<RecipeExpander::Promotion> promotions = expander.promotions;
  ArrayRef<RecipeAnalysis::Buffer> buffers = expander.state.getBuffers();
  llvm::SmallSetVector<int64_t, 2> markedRanks;
  auto markOf = [&](int64_t rank) {
    return expander.tag + "_copy_" + std::to_string(rank);
  };
  for (auto [index, promotion] : llvm::enumerate(promotions)) {
    // The last promotion of a loop sees the copies of all.
    if (index + 1 < promotions.size() &&
        promotions[index + 1].loop == promotion.loop)
      continue;
    int64_t rank = llvm::find_if(buffers, [&](const auto &buffer) {
                     return buffer.operand == promotion.operand;
                   })->rank;
    mlir::Value copies;
    {
      // Later the handle to the loop may be invalid, and there are more copies.
      OpBuilder::InsertionGuard guard(builder);
      builder.setInsertionPointAfter(promotion.op);
      copies = expander.match(promotion.loop, "linalg.copy");
      if (expander.state.has(OpFact::InParts)) {
        transform::AnnotateOp::create(builder, expander.loc, copies,
                                      markOf(rank), /*param=*/mlir::Value());
        markedRanks.insert(rank);
      }
    }
    if (expander.state.has(OpFact::InParts))
      continue;
    OpFoldResult size = expander.mixed(length);
    OpBuilder::InsertionGuard guard(builder);
    // If a knob switches it off there are none, so that params have no sizes.
    if (isa<mlir::Value>(size) &&
        isa<transform::tune::AlternativesOp>(promotion.op))
      copies = expander.startForeach(copies).getBody().getArgument(0);
    vectorizeRows(expander, copies, rank, size);
  }
  for (int64_t rank : markedRanks)
    vectorizeMarkedRows(expander, markOf(rank), rank, length);
}

/// Lowers contractions to fused multiply-adds of vectors, and transfers to
/// loads and stores of one dimension.
static void lowerVectors(RecipeExpander &expander) {
  expander.applyPatterns([](OpBuilder &builder, Location loc) {
    transform::ApplyLowerContractionPatternsOp::create(builder, loc);
  });
  // Without lower_broadcast: with canonicalization it doesn't end on
  // vector<1xN>.
  expander.applyPatterns([](OpBuilder &builder, Location loc) {
    transform::ApplyLowerOuterProductPatternsOp::create(builder, loc);
    transform::ApplyLowerTransposePatternsOp::create(builder, loc);
    addCanonicalization(builder, loc);
  });
  expander.applyPatterns([](OpBuilder &builder, Location loc) {
    transform::ApplyTransferPermutationPatternsOp::create(builder, loc);
    transform::ApplyTransferToScfPatternsOp::create(
        builder, loc, /*max_transfer_rank=*/1, /*full_unroll=*/true);
    transform::ApplyLowerTransferPatternsOp::create(builder, loc);
    addCanonicalization(builder, loc);
  });
  // Without canonicalization, which makes a cast from vector<Nx1> again.
  expander.applyPatterns([](OpBuilder &builder, Location loc) {
    transform::ApplyLowerShapeCastPatternsOp::create(builder, loc);
  });
}

void baco::expand(VectorizeAttr step, RecipeExpander &expander) {
  using Values = SmallVector<mlir::Value>;
  // Tiling finds extents, but what is promoted last isn't tiled any more.
  if (!expander.promotions.empty() &&
      expander.promotions.back().loop == expander.innermostLoop)
    expander.makeBuffersStatic();
  SmallVector<int64_t> leftOut = listWindowIterators(expander.state);
  expander.ifEnabled(
      step.getEnabled(), /*numHandles=*/0, [] { return Values(); },
      [&] {
        mlir::Value target = expander.target;
        if (!leftOut.empty())
          target = DropIteratorsOp::create(expander.builder, expander.loc,
                                           expander.anyOp, target, leftOut);
        vectorize(expander, target);
        return Values();
      });
  expander.joinParts();
  expander.target = mlir::Value();
  // Other ops become a product and a reduction at first.
  if (!leftOut.empty() || !expander.state.has(OpFact::Named) ||
      !canNameContractions(expander))
    expander.applyPatterns([](OpBuilder &builder, Location loc) {
      transform::ApplyVectorReductionToContractPatternsOp::create(builder, loc);
      transform::ApplyTransferPermutationPatternsOp::create(builder, loc);
    });
  // Makes the types of promoted buffers static. What else is in the function
  // can wait for the passes over all of it.
  if (step.getCopyLength()) {
    transform::ApplyPatternsOp::create(expander.builder, expander.loc,
                                       expander.nest(), addCanonicalization);
    vectorizeCopies(expander, step.getCopyLength());
  } else {
    expander.applyPatterns(addCanonicalization);
  }
  expander.atEnd(lowerVectors);
}

//===----------------------------------------------------------------------===//
// HoistAttr
//===----------------------------------------------------------------------===//

/// Beyond the three iterators of a matmul there are tiles of extent 1.
static void addUnitDims(const RecipeAnalysis &state, OpBuilder &builder,
                        Location loc) {
  if (state.getNumIterators() > 3)
    transform::ApplyCastAwayVectorLeadingOneDimPatternsOp::create(builder, loc);
}

/// On tensors: what a loop carries from one iteration to the next as a tensor
/// it then carries as a vector. Returns the function.
static mlir::Value hoistSubsets(RecipeExpander &expander) {
  OpBuilder &builder = expander.builder;
  Location loc = expander.loc;
  expander.applyPatterns([&](OpBuilder &builder, Location loc) {
    addUnitDims(expander.state, builder, loc);
    addCanonicalization(builder, loc);
  });
  mlir::Value loops = expander.match(expander.function, "scf.for");
  transform::ApplyLoopInvariantCodeMotionOp::create(builder, loc, loops);
  transform::HoistLoopInvariantSubsetsOp::create(builder, loc, loops);
  return expander.function;
}

/// On memrefs. Returns the function.
static mlir::Value hoistTransfers(RecipeExpander &expander) {
  OpBuilder &builder = expander.builder;
  Location loc = expander.loc;
  expander.applyPatterns([&](OpBuilder &builder, Location loc) {
    transform::ApplyFoldMemrefAliasOpsPatternsOp::create(builder, loc);
    addUnitDims(expander.state, builder, loc);
    addCanonicalization(builder, loc);
  });
  // All loops of the function: a loop of one iteration is gone by now, and its
  // handle is empty.
  transform::ApplyLoopInvariantCodeMotionOp::create(
      builder, loc, expander.match(expander.function, "scf.for"));
  applyCSE(expander);
  expander.applyPatterns(addCanonicalization);
  applyCSE(expander);
  mlir::Value function = expander.function;
  if (expander.state.has(OpFact::Chained) || expander.state.has(OpFact::Sliced))
    function = GpuHoistOp::create(builder, loc, expander.anyOp, function)
                   .getTransformed();
  return transform::HoistRedundantVectorTransfersOp::create(
             builder, loc, expander.anyOp, function)
      .getTransformed();
}

void baco::expand(HoistAttr step, RecipeExpander &expander) {
  expander.function =
      expander.ifEnabled(step.getEnabled(), expander.function, [&] {
        return expander.state.has(OpFact::OnTensors) ? hoistSubsets(expander)
                                                     : hoistTransfers(expander);
      });
}
