//===- GpuSplit.cpp - Sums in parts, of several blocks --------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Each part of a sum has blocks of its own, along z, which write to a result of
// their own; a second launch adds these to the result, in order, so that the
// result is the same each time. Upstream's
// `transform.structured.split_reduction` and `tile_reduction_using_forall` work
// on tensors.
//
//===----------------------------------------------------------------------===//

#include "GpuParts.h"

#include "baco/Analysis/Epilogue.h"
#include "baco/TransformOps/GpuOps.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace baco;

/// The threads of a block that adds the parts.
static constexpr int64_t threadsThatAdd = 256;

/// The memory of which `tile`, in `loop`, is a part; null if it isn't the whole
/// of memory outside, or a part of that.
static Value memoryOf(Value tile, scf::ForallOp loop) {
  if (auto part = tile.getDefiningOp<memref::SubViewOp>();
      part && loop->isAncestor(part))
    tile = part.getSource();
  Operation *definition = tile.getDefiningOp();
  return definition && loop->isAncestor(definition) ? Value() : tile;
}

/// The error says why the sum of `payload` along `iterator` can't be done in
/// parts of `size`.
static llvm::Error checkTarget(Operation *payload, int64_t iterator,
                               int64_t size) {
  auto op = dyn_cast<linalg::LinalgOp>(payload);
  if (!op || !op.hasPureBufferSemantics())
    return llvm::createStringError(
        "only the sum of a linalg op on memrefs can be split");
  if (llvm::Error why = checkParts(op, iterator, size))
    return why;
  auto loop = dyn_cast<scf::ForallOp>(op->getParentOp());
  if (!leavesZ<gpu::GPUBlockMappingAttr>(loop))
    return llvm::createStringError(
        "the op isn't in a loop that is mapped to blocks along x, or x and y");
  Value memory = memoryOf(op.getDpsInits()[0], loop);
  if (!memory || !cast<MemRefType>(memory.getType()).hasStaticShape())
    return llvm::createStringError(
        "the result is no tile of memory of static shape");
  return llvm::Error::success();
}

namespace {
/// Splits the sum of one op.
class SplitWriter : PartWriter {
public:
  SplitWriter(RewriterBase &builder, linalg::LinalgOp op, int64_t iterator,
              int64_t size)
      : PartWriter(builder, op, iterator, size) {}

  /// Returns the op that sets the tile of a block to zeros.
  linalg::FillOp write() {
    scf::ForallOp loop = addDimension(gpu::GPUBlockMappingAttr::get(
        builder.getContext(), gpu::MappingId::DimZ));
    Value memory = memoryOf(op.getDpsInits()[0], loop);
    builder.setInsertionPoint(loop);
    auto type = cast<MemRefType>(memory.getType());
    SmallVector<int64_t> shape(type.getShape());
    shape.insert(shape.begin(), numParts);
    Value parts = memref::AllocOp::create(
        builder, loc, MemRefType::get(shape, type.getElementType()));
    takeParts();
    linalg::FillOp fill = writeTo(parts);
    // A view by gpu_pad is larger than its memory.
    if (auto view = memory.getDefiningOp<UnrealizedConversionCastOp>();
        view && cast<MemRefType>(view.getOperand(0).getType()).getShape() !=
                    type.getShape())
      memory = view.getOperand(0);
    Epilogue epilogue = findEpilogueOf(loop, memory);
    builder.setInsertionPointAfter(loop);
    Operation *last = addUp(parts, memory);
    // The launch that adds has the epilogue, whose ops stay next to it. The
    // loop doesn't access the result any more.
    if (epilogue.before)
      builder.moveOpBefore(epilogue.before->op, last);
    if (!epilogue.after.empty())
      last = epilogue.after.back().op;
    builder.setInsertionPointAfter(last);
    memref::DeallocOp::create(builder, loc, parts);
    return fill;
  }

private:
  /// The ops around `loop` that gpu_epilogue has prepared, if `memory` is the
  /// name that it gives the result.
  static Epilogue findEpilogueOf(scf::ForallOp loop, Value memory) {
    auto name = memory.getDefiningOp<UnrealizedConversionCastOp>();
    if (!name)
      return Epilogue();
    return findEpilogue(loop, name.getOperand(0));
  }

  /// Lets the op add to its tile in this part of `parts`, which is set to zeros
  /// before.
  linalg::FillOp writeTo(Value parts) {
    Value tile = tileIn(parts);
    Value zero = arith::ConstantOp::create(
        builder, loc,
        builder.getZeroAttr(cast<MemRefType>(tile.getType()).getElementType()));
    auto fill = linalg::FillOp::create(builder, loc, zero, tile);
    builder.modifyOpInPlace(op, [&] { op.getDpsInitOperand(0)->set(tile); });
    return fill;
  }

  /// A launch in which each thread adds all parts of one element of `memory`.
  Operation *addUp(Value parts, Value memory) {
    auto type = cast<MemRefType>(memory.getType());
    int64_t count = type.getNumElements();
    Value one = constant(1), threads = constant(threadsThatAdd),
          blocks = constant(llvm::divideCeil(count, threadsThatAdd));
    auto launch = gpu::LaunchOp::create(builder, loc, blocks, one, one, threads,
                                        one, one);
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(&launch.getBody().front());
    gpu::TerminatorOp::create(builder, loc);
    builder.setInsertionPointToStart(&launch.getBody().front());
    Value number = arith::AddIOp::create(
        builder, loc,
        arith::MulIOp::create(builder, loc, launch.getBlockIds().x,
                              constant(threadsThatAdd)),
        launch.getThreadIds().x);
    Value isThere = arith::CmpIOp::create(
        builder, loc, arith::CmpIPredicate::ult, number, constant(count));
    builder.setInsertionPointToStart(
        scf::IfOp::create(builder, loc, isThere).thenBlock());
    // gpu_inline looks for names in launches.
    if (auto name = memory.getDefiningOp<UnrealizedConversionCastOp>())
      memory = builder.clone(*name)->getResult(0);
    SmallVector<Value> at(type.getRank());
    for (int64_t dim = type.getRank() - 1; dim >= 0; --dim) {
      Value extent = constant(type.getDimSize(dim));
      at[dim] = dim == 0 ? number
                         : arith::RemUIOp::create(builder, loc, number, extent);
      number = arith::DivUIOp::create(builder, loc, number, extent);
    }
    Value before = memref::LoadOp::create(builder, loc, memory, at);
    auto sum = scf::ForOp::create(
        builder, loc, constant(0), constant(numParts), constant(1), before,
        [&](OpBuilder &, Location, Value number, ValueRange sums) {
          SmallVector<Value> inPart = {number};
          llvm::append_range(inPart, at);
          Value next = memref::LoadOp::create(builder, loc, parts, inPart);
          bool isFloat = isa<FloatType>(next.getType());
          Value added =
              isFloat ? arith::AddFOp::create(builder, loc, sums[0], next)
                            .getResult()
                      : arith::AddIOp::create(builder, loc, sums[0], next);
          scf::YieldOp::create(builder, loc, added);
        });
    memref::StoreOp::create(builder, loc, sum.getResult(0), memory, at);
    return launch;
  }
};
} // namespace

DiagnosedSilenceableFailure
GpuSplitOp::apply(transform::TransformRewriter &rewriter,
                  transform::TransformResults &results,
                  transform::TransformState &state) {
  int64_t size = 0;
  SmallVector<linalg::LinalgOp> ops;
  auto found = findOpsInParts(*this, state, checkTarget, size, ops);
  if (!found.succeeded())
    return found;
  SmallVector<Operation *> fills;
  for (linalg::LinalgOp op : ops)
    fills.push_back(SplitWriter(rewriter, op, getIterator(), size).write());
  results.set(cast<OpResult>(getZeros()), fills);
  return DiagnosedSilenceableFailure::success();
}

LogicalResult GpuSplitOp::verify() {
  return verifyInteger(*this, "size", getSize(), getSizeParam(), "by",
                       /*isNeeded=*/true);
}
