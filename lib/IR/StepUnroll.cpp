//===- StepUnroll.cpp - Unroll --------------------------------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The step that unrolls loops. Most of it finds the loop again: between the
// tile that made it and this step it may have been replaced or removed.
//
//===----------------------------------------------------------------------===//

#include "baco/IR/RecipeExpander.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/SCF/TransformOps/SCFTransformOps.h"
#include "mlir/Dialect/Transform/IR/TransformOps.h"

using namespace mlir;
using namespace baco;

using EmitError = function_ref<InFlightDiagnostic()>;

LogicalResult UnrollAttr::verify(EmitError emitError, int64_t iterator,
                                 Attribute factor) {
  if (iterator < 0)
    return emitError() << "iterator " << iterator << " is negative";
  return verifyQuantity(emitError, "an unroll factor", factor, /*minimum=*/1);
}

/// Index of the innermost loop over `iterator`; nothing if there is none.
static std::optional<size_t> findLoop(ArrayRef<RecipeState::Loop> loops,
                                      int64_t iterator) {
  for (size_t index = loops.size(); index-- > 0;)
    if (loops[index].iterator == iterator)
      return index;
  return std::nullopt;
}

LogicalResult UnrollAttr::advance(RecipeState &state) const {
  std::optional<size_t> index = findLoop(state.getLoops(), getIterator());
  if (!index)
    return state.emitError()
           << "no earlier 'tile' makes a loop over iterator " << getIterator();
  if (state.hasParts())
    return state.emitError() << "a remainder that is not \"exact\" has cut the "
                                "op into parts, each with its own loops";
  if (state.areLoopsOpen())
    return state.emitError()
           << "a knob decides whether an earlier step changes loops "
              "('vectorize' or 'hoist' with 'enabled', or a tile size that may "
              "be 0), so that the loop can't be found again";
  if (*index < state.getLoopsAroundTurns())
    return state.emitError()
           << "a step for GPUs with 'local' has made loops over several tiles "
              "inside the loop over iterator "
           << getIterator() << ", so that it can't be found again";
  const RecipeState::Loop &loop = state.getLoops()[*index];
  if (loop.orderedByKnob)
    return state.emitError()
           << "a knob orders the loops of the 'tile' that "
              "makes the loop over iterator "
           << getIterator() << "; make that loop with a separate 'tile'";
  if (loop.isUnrolled)
    return state.emitError() << "an earlier step has unrolled the loop over "
                                "iterator "
                             << getIterator() << "; multiply the factors";
  Quantity factor(getFactor());
  std::string reason = "unrolling the loop over iterator " +
                       std::to_string(getIterator()) + " by " +
                       factor.quoted() + " needs as many iterations";
  if (failed(state.requireAtLeast(loop.extents, factor, loop.step, reason)))
    return failure();
  state.setUnrolled(*index);
  return success();
}

/// Whether canonicalization removes `loop`, because it has a single iteration;
/// nothing if that depends on knobs.
static std::optional<bool> isRemoved(const RecipeState::Loop &loop) {
  if (loop.extents.size() != 1 || !loop.extents.front().count)
    return std::nullopt;
  const Quantity &count = *loop.extents.front().count;
  if (count == loop.step || loop.step.smallest() >= count.largest())
    return true;
  if (loop.step.largest() < count.smallest())
    return false;
  return std::nullopt;
}

/// The name of the op that replaces the original one, stays in its innermost
/// loop when transfers are hoisted, and is lowered at the end; empty if there
/// is none.
static StringRef findKernelOf(const RecipeState &state) {
  auto op = cast<linalg::LinalgOp>(state.getOp());
  if (state.isReductionSplit())
    return "";
  if (linalg::isaContractionOpInterface(op))
    return "vector.contract";
  // Every iteration writes other elements. Copies to buffers are transfers,
  // too.
  bool writesApart =
      llvm::all_of(op.getDpsInitsMutable(), [&](OpOperand &output) {
        return op.getMatchingIndexingMap(&output).isPermutation();
      });
  return writesApart && state.getBuffers().empty() ? "vector.transfer_write"
                                                   : "";
}

/// How many loops there are from the innermost one out to loop `index`, that
/// one included; nothing if that depends on knobs.
static std::optional<int64_t> countLoopsUpTo(const RecipeExpander &expander,
                                             size_t index) {
  int64_t count = 1;
  for (auto [i, loop] : llvm::enumerate(expander.loops)) {
    if (loop.depth <= expander.loops[index].depth)
      continue;
    std::optional<bool> removed = isRemoved(expander.state.getLoops()[i]);
    if (!removed)
      return std::nullopt;
    count += !*removed;
  }
  return count;
}

/// Lets patterns remove a loop behind a handle, which is empty then, until
/// loops are replaced.
static void allowRemoval(const RecipeExpander &expander, mlir::Value loop) {
  for (Operation *op = loop.getDefiningOp();
       op && op != expander.loopsReplacedBy; op = op->getNextNode())
    if (isa<transform::ApplyPatternsOp>(op))
      op->setAttr(transform::FindPayloadReplacementOpInterface::
                      kSilenceTrackingFailuresAttrName,
                  UnitAttr::get(op->getContext()));
}

/// Marks the ops called `name` in `loop`, if that is there.
static void markInside(RecipeExpander &expander, mlir::Value loop,
                       StringRef name, StringRef mark) {
  OpBuilder &builder = expander.builder;
  OpBuilder::InsertionGuard guard(builder);
  // `match` needs a handle to exactly one op.
  auto foreach = transform::ForeachOp::create(
      builder, expander.loc, TypeRange(), loop, /*with_zip_shortest=*/false);
  Block *body = builder.createBlock(&foreach.getBody(), {}, {expander.anyOp},
                                    {expander.loc});
  mlir::Value inside = expander.match(body->getArgument(0), name);
  transform::AnnotateOp::create(builder, expander.loc, inside,
                                builder.getStringAttr(mark),
                                /*param=*/mlir::Value());
  transform::YieldOp::create(builder, expander.loc);
}

/// A handle to loop `index` that is good at the insertion point. Hoisting and
/// bufferization replace loops without telling their handles, but keeps what is
/// in them, and attributes.
static mlir::Value findLoopAgain(RecipeExpander &expander, size_t index) {
  mlir::Value loop = expander.loops[index].handle;
  if (isRemoved(expander.state.getLoops()[index]) != false)
    allowRemoval(expander, loop);
  if (!expander.loopsReplacedBy)
    return loop;
  OpBuilder &builder = expander.builder;
  std::string mark = expander.tag + "_loop_" + std::to_string(index);
  StringRef kernel = findKernelOf(expander.state);
  std::optional<int64_t> numLoops = countLoopsUpTo(expander, index);
  bool isAboveKernel = !kernel.empty() && numLoops && expander.hadVectors;
  {
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPoint(expander.loopsReplacedBy);
    if (isAboveKernel)
      markInside(expander, loop, kernel, mark);
    else
      transform::AnnotateOp::create(builder, expander.loc, loop,
                                    builder.getStringAttr(mark),
                                    /*param=*/mlir::Value());
  }
  if (!isAboveKernel)
    return expander.match(expander.function, "scf.for", mark);
  return transform::GetParentOp::create(
      builder, expander.loc, expander.anyOp,
      expander.match(expander.function, kernel, mark),
      /*isolated_from_above=*/false, /*allow_empty_results=*/false,
      builder.getStringAttr("scf.for"), /*deduplicate=*/true, *numLoops);
}

void UnrollAttr::expand(RecipeExpander &expander) const {
  OpBuilder &builder = expander.builder;
  OpBuilder::InsertionGuard guard(builder);
  size_t index = *findLoop(expander.state.getLoops(), getIterator());
  size_t depth = expander.loops[index].depth;

  // All loops are found before any is unrolled, and inner ones unrolled first:
  // that leaves handles to outer ones as they are.
  auto &unrollings = expander.unrollings;
  if (!unrollings.empty())
    builder.setInsertionPoint(unrollings.front().op);
  mlir::Value loop = findLoopAgain(expander, index);
  auto *next = llvm::find_if(
      unrollings, [&](const auto &other) { return other.depth < depth; });
  if (next != unrollings.end())
    builder.setInsertionPoint(next->op);
  else if (!unrollings.empty())
    builder.setInsertionPointAfter(unrollings.back().op);

  NamedAttrList bindings;
  auto factor =
      cast<IntegerAttr>(expander.bound("factor", getFactor(), bindings));
  auto op = transform::LoopUnrollOp::create(
      builder, expander.loc, loop, builder.getI64IntegerAttr(factor.getInt()));
  RecipeExpander::setBindings(op, bindings);
  unrollings.insert(next, {op, depth});
}
