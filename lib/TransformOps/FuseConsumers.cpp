//===- FuseConsumers.cpp - Fuse consumers into tiled loops ----------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The transform op around upstream's scf::tileAndFuseConsumer, which needs to
// be told when it would be wrong.
//
//===----------------------------------------------------------------------===//

#include "baco/IR/Consumers.h"
#include "baco/TransformOps/BacoTransformOps.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/SCF/Transforms/TileUsingInterface.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace baco;
using transform::FuseConsumersOp;

LogicalResult FuseConsumersOp::verify() {
  if (getLoops().empty())
    return emitOpError() << "needs at least one loop";
  if (getNewLoops().size() != getLoops().size())
    return emitOpError() << "has " << getLoops().size()
                         << " loops and needs one result for each of them and "
                            "one for the fused ops, but has "
                         << getNumResults() << " results";
  if (getCountAttr() && getCountAttr().getInt() < 0)
    return emitOpError() << "can't fuse " << getCountAttr().getInt() << " ops";
  return success();
}

void FuseConsumersOp::getEffects(
    SmallVectorImpl<MemoryEffects::EffectInstance> &effects) {
  // Ops in the loops and handles to them stay valid.
  transform::onlyReadsHandle(getLoopsMutable(), effects);
  transform::producesHandle(getOperation()->getOpResults(), effects);
  transform::modifiesPayload(effects);
}

using Loops = SmallVector<LoopLikeOpInterface>;

/// Whether `size` is never more than `limit`; tiling writes what it is in these
/// two ways.
static bool isAtMost(OpFoldResult size, int64_t limit) {
  if (std::optional<int64_t> constant = getConstantIntValue(size))
    return *constant <= limit;
  auto min = cast<Value>(size).getDefiningOp<affine::AffineMinOp>();
  return min && llvm::any_of(min.getMap().getResults(), [&](AffineExpr term) {
           auto constant = dyn_cast<AffineConstantExpr>(term);
           return constant && constant.getValue() <= limit;
         });
}

/// The index in `variables` of the only one that `offset` depends on; nothing
/// if that isn't how tiling writes it.
static std::optional<int64_t> findVariable(OpFoldResult offset,
                                           ArrayRef<Value> variables) {
  auto value = dyn_cast<Value>(offset);
  if (!value)
    return std::nullopt;
  SmallVector<Value> read = {value};
  if (auto apply = value.getDefiningOp<affine::AffineApplyOp>())
    read = llvm::to_vector(apply.getMapOperands());
  std::optional<int64_t> found;
  for (Value operand : read) {
    const Value *variable = llvm::find(variables, operand);
    if (variable == variables.end())
      continue;
    if (found)
      return std::nullopt;
    found = variable - variables.begin();
  }
  return found;
}

/// Which variable of `loops` each dimension of the tensor is tiled by that
/// `slice`, an insertion in the innermost loop, is put into. Nothing if
/// iterations may write to the same elements, or not to all.
template <typename Slice>
static std::optional<TiledDims> getTiles(Slice slice, Loops &loops) {
  SmallVector<Value> variables;
  for (LoopLikeOpInterface loop : loops)
    llvm::append_range(variables, *loop.getLoopInductionVars());
  TiledDims dims;
  SmallVector<OpFoldResult> offsets = slice.getMixedOffsets();
  SmallVector<OpFoldResult> sizes = slice.getMixedSizes();
  for (auto [dim, extent] : llvm::enumerate(slice.getDestType().getShape())) {
    if (isConstantIntValue(offsets[dim], 0) &&
        getConstantIntValue(sizes[dim]) == extent) {
      dims.push_back(kWhole);
      continue;
    }
    std::optional<int64_t> index = findVariable(offsets[dim], variables);
    if (!index)
      return std::nullopt;
    dims.push_back(*index);
    // The iterations of a scf.forall are independent by definition.
    if (isa<scf::ForallOp>(loops.front()))
      continue;
    auto loop = cast<scf::ForOp>(loops[*index].getOperation());
    std::optional<int64_t> step = getConstantIntValue(loop.getStep());
    if (offsets[dim] != OpFoldResult(variables[*index]) || !step ||
        !isAtMost(sizes[dim], *step))
      return std::nullopt;
  }
  for (int64_t index : llvm::seq<int64_t>(0, variables.size()))
    if (llvm::count(dims, index) != 1)
      return std::nullopt;
  return dims;
}

/// The tiles of result `index` of the nest `loops`; nothing if it isn't made of
/// tiles.
static std::optional<TiledDims> getTilesOfResult(unsigned index, Loops &loops) {
  if (auto forall = dyn_cast<scf::ForallOp>(loops.front().getOperation())) {
    BlockArgument arg = forall.getRegionIterArgs()[index];
    SmallVector<Operation *> insertions = forall.getCombiningOps(arg);
    auto slice =
        insertions.size() == 1
            ? dyn_cast<tensor::ParallelInsertSliceOp>(insertions.front())
            : tensor::ParallelInsertSliceOp();
    return slice ? getTiles(slice, loops) : std::nullopt;
  }
  for (auto [outer, inner] : llvm::zip(loops, llvm::drop_begin(loops))) {
    auto result = dyn_cast<OpResult>(outer.getYieldedValues()[index]);
    if (!result || result.getOwner() != inner.getOperation() ||
        inner.getInits()[result.getResultNumber()] !=
            outer.getRegionIterArgs()[index])
      return std::nullopt;
    index = result.getResultNumber();
  }
  LoopLikeOpInterface innermost = loops.back();
  auto slice = innermost.getYieldedValues()[index]
                   .getDefiningOp<tensor::InsertSliceOp>();
  if (!slice || slice.getDest() != innermost.getRegionIterArgs()[index])
    return std::nullopt;
  return getTiles(slice, loops);
}

/// The loops that the handles are to, outermost first, one in the other.
static DiagnosedSilenceableFailure
getNest(FuseConsumersOp op, const transform::TransformState &state,
        Loops &loops) {
  for (Value handle : op.getLoops()) {
    SmallVector<Operation *> targets =
        llvm::to_vector(state.getPayloadOps(handle));
    if (targets.size() != 1)
      return op.emitSilenceableError()
             << "each handle must refer to one loop, but one refers to "
             << targets.size() << " operations";
    Operation *loop = targets.front();
    bool fits = isa<scf::ForOp>(loop) ||
                (isa<scf::ForallOp>(loop) && op.getLoops().size() == 1);
    if (!fits || (!loops.empty() && loop->getParentOp() != loops.back())) {
      auto diag = op.emitSilenceableError()
                  << "the loops must be scf.for, each in the body of the one "
                     "before, or one scf.forall";
      diag.attachNote(loop->getLoc()) << "here";
      return diag;
    }
    loops.push_back(cast<LoopLikeOpInterface>(loop));
  }
  return DiagnosedSilenceableFailure::success();
}

DiagnosedSilenceableFailure
FuseConsumersOp::apply(transform::TransformRewriter &rewriter,
                       transform::TransformResults &results,
                       transform::TransformState &state) {
  Loops loops;
  for (OpResult result : getOperation()->getOpResults())
    results.set(result, {});
  if (DiagnosedSilenceableFailure nest = getNest(*this, state, loops);
      !nest.succeeded())
    return nest;
  auto setResults = [&](ArrayRef<Operation *> fused) {
    for (auto [handle, loop] : llvm::zip(getNewLoops(), loops))
      results.set(cast<OpResult>(handle), {loop.getOperation()});
    results.set(cast<OpResult>(getFused()), fused);
    return DiagnosedSilenceableFailure::success();
  };
  if (getCount() == 0)
    return setResults({});

  Operation *outermost = loops.front();
  SmallVector<TiledDims> tiles;
  for (unsigned index : llvm::seq(outermost->getNumResults())) {
    std::optional<TiledDims> dims = getTilesOfResult(index, loops);
    if (!dims) {
      auto diag = emitSilenceableError()
                  << "the iterations of the loops don't compute tiles of "
                     "result "
                  << index << ", one each; a loop that reduces has none";
      diag.attachNote(outermost->getLoc()) << "here";
      return diag;
    }
    tiles.push_back(*dims);
  }
  Consumers consumers = findConsumers(outermost, tiles);
  size_t wanted =
      getCount().value_or(std::max<size_t>(consumers.ops.size(), 1));
  if (wanted > consumers.ops.size()) {
    auto diag = emitSilenceableError()
                << "only " << consumers.ops.size() << " of " << wanted
                << " consumers can be fused";
    consumers.explain(diag, outermost);
    return diag;
  }
  SmallVector<Operation *> fused;
  for (linalg::LinalgOp consumer : ArrayRef(consumers.ops).take_front(wanted)) {
    Location where = consumer.getLoc();
    rewriter.setInsertionPoint(consumer);
    auto done = scf::tileAndFuseConsumer(rewriter, consumer, loops);
    if (failed(done))
      // Upstream may have begun.
      return emitDefiniteFailure()
             << "upstream can't fuse a consumer at " << where;
    llvm::append_range(fused, done->tiledOps);
    if (consumer->use_empty())
      rewriter.eraseOp(consumer);
  }
  return setResults(fused);
}
