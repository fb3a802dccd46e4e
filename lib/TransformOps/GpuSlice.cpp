//===- GpuSlice.cpp - Sums in parts, of several threads -------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Threads along z have the same tile of the result, and each adds its part of
// what a block has in shared memory. Where a result has few tiles, a block has
// more warps so, without smaller tiles, which would read shared memory more
// often. In the end the parts are added there in order, so that the result is
// the same each time.
//
//===----------------------------------------------------------------------===//

#include "GpuParts.h"

#include "baco/TransformOps/GpuOps.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;
using namespace baco;

/// The loop over blocks around `op`; null if there is none.
static scf::ForallOp findBlock(Operation *op) {
  auto block = op->getParentOfType<scf::ForallOp>();
  while (block && !(block.getMapping() &&
                    llvm::all_of(*block.getMapping(),
                                 llvm::IsaPred<gpu::GPUBlockMappingAttr>)))
    block = block->getParentOfType<scf::ForallOp>();
  return block;
}

/// The ancestor of `op` that is directly in `block`.
static Operation *outermostIn(scf::ForallOp block, Operation *op) {
  while (op->getParentOp() != block)
    op = op->getParentOp();
  return op;
}

/// The tile of a block of which `tile` is a part; null if it isn't computed
/// outside of the loops in the block, of which `outermost` has all.
static Value findTileOfBlock(memref::SubViewOp tile, Operation *outermost) {
  auto isWhole = [](memref::SubViewOp view) {
    return view.getType().getShape() == view.getSourceType().getShape() &&
           view.hasZeroOffset() && view.hasUnitStride();
  };
  Value source = tile.getSource();
  // Loops over a sum have all of the result.
  for (auto view = source.getDefiningOp<memref::SubViewOp>();
       view && outermost->isAncestor(view) && isWhole(view);
       view = source.getDefiningOp<memref::SubViewOp>())
    source = view.getSource();
  Operation *definition = source.getDefiningOp();
  return definition && outermost->isAncestor(definition) ? Value() : source;
}

/// The first dimension of a tile of `shape` that consists of `numParts` equal
/// parts; nullopt if there is none.
static std::optional<unsigned> findDivisible(ArrayRef<int64_t> shape,
                                             int64_t numParts) {
  for (auto [dim, extent] : llvm::enumerate(shape))
    if (extent % numParts == 0)
      return dim;
  return std::nullopt;
}

/// The error says why threads can't have parts of `size` of the sum of
/// `payload` along `iterator`.
static llvm::Error checkSliced(Operation *payload, int64_t iterator,
                               int64_t size) {
  auto op = dyn_cast<linalg::LinalgOp>(payload);
  if (!op || !op.hasPureBufferSemantics())
    return llvm::createStringError(
        "only the sum of a linalg op on memrefs can be sliced");
  if (llvm::Error why = checkParts(op, iterator, size))
    return why;
  if (op.getStaticLoopRanges()[iterator] == size)
    return llvm::Error::success();
  auto loop = dyn_cast<scf::ForallOp>(op->getParentOp());
  scf::ForallOp block = findBlock(op);
  if (!leavesZ<gpu::GPUThreadMappingAttr>(loop) || !block)
    return llvm::createStringError("the op isn't in a loop that is mapped to "
                                   "threads along x, or x and y, of a block");
  auto tile = op.getDpsInits()[0].getDefiningOp<memref::SubViewOp>();
  if (!tile || !tile.hasUnitStride() || !loop->isAncestor(tile) ||
      !tile.getSourceType().hasStaticShape() ||
      tile.getType().getRank() != tile.getSourceType().getRank() ||
      !findTileOfBlock(tile, outermostIn(block, op)))
    return llvm::createStringError(
        "the result is no tile of what a block has of it");
  int64_t numParts = op.getStaticLoopRanges()[iterator] / size;
  if (!findDivisible(tile.getType().getShape(), numParts))
    return llvm::createStringError("no dimension of a thread's tile consists "
                                   "of " +
                                   Twine(numParts) +
                                   " parts, one for each slice of the sum");
  return llvm::Error::success();
}

namespace {
/// Slices the sum of one op.
class SliceWriter : PartWriter {
public:
  SliceWriter(RewriterBase &builder, linalg::LinalgOp op, int64_t iterator,
              int64_t size)
      : PartWriter(builder, op, iterator, size) {}

  void write() {
    scf::ForallOp loop = addDimension(gpu::GPUThreadMappingAttr::get(
        builder.getContext(), gpu::MappingId::DimZ));
    auto tile = op.getDpsInits()[0].getDefiningOp<memref::SubViewOp>();
    shape = llvm::to_vector(tile.getType().getShape());
    type = tile.getType().getElementType();
    Operation *outermost = outermostIn(findBlock(op), op);
    result = findTileOfBlock(tile, outermost);
    builder.setInsertionPoint(outermost);
    SmallVector<int64_t> ofParts(tile.getSourceType().getShape());
    ofParts.insert(ofParts.begin(), numParts);
    parts = allocateBuffer(builder, loc, MemRefType::get(ofParts, type),
                           /*padding=*/0, /*stages=*/1);
    copyLoop(loop, [&](Value part, ArrayRef<OpFoldResult> at) {
      setToZeros(part, at);
    });
    builder.setInsertionPointAfter(outermost);
    gpu::BarrierOp::create(builder, loc);
    copyLoop(loop,
             [&](Value part, ArrayRef<OpFoldResult> at) { addUp(part, at); });
    takeParts();
    Value inParts = tileIn(parts);
    builder.modifyOpInPlace(op, [&] { op.getDpsInitOperand(0)->set(inParts); });
  }

private:
  using Write = function_ref<void(Value, ArrayRef<OpFoldResult>)>;

  /// A loop as `loop` in which the op is what `write` writes for a part and the
  /// tile's offsets.
  void copyLoop(scf::ForallOp loop, Write write) {
    OpBuilder::InsertionGuard guard(builder);
    IRMapping mapping;
    auto copy = cast<scf::ForallOp>(builder.clone(*loop, mapping));
    auto inCopy = cast<linalg::LinalgOp>(mapping.lookup(op.getOperation()));
    builder.setInsertionPoint(inCopy);
    write(copy.getInductionVars().front(),
          inCopy.getDpsInits()[0]
              .getDefiningOp<memref::SubViewOp>()
              .getMixedOffsets());
    builder.eraseOp(inCopy);
    // Operands may not be there outside of other loops.
    for (Operation &inner :
         llvm::make_early_inc_range(llvm::reverse(*copy.getBody())))
      if (isOpTriviallyDead(&inner))
        builder.eraseOp(&inner);
  }

  SmallVector<Value> indicesOf(ArrayRef<OpFoldResult> offsets) {
    return getValueOrCreateConstantIndexOp(builder, loc, offsets);
  }

  /// Indices of `at` in result number `part` of the parts.
  static SmallVector<Value> inPart(Value part, ArrayRef<Value> at) {
    SmallVector<Value> indices = {part};
    llvm::append_range(indices, at);
    return indices;
  }

  void setToZeros(Value part, ArrayRef<OpFoldResult> offsets) {
    auto vector = VectorType::get(shape, type);
    Value zeros =
        arith::ConstantOp::create(builder, loc, builder.getZeroAttr(vector));
    SmallVector<bool> inBounds(shape.size(), true);
    vector::TransferWriteOp::create(builder, loc, zeros, parts,
                                    inPart(part, indicesOf(offsets)), inBounds);
  }

  /// Adds all parts of as many elements as this thread has then.
  void addUp(Value number, ArrayRef<OpFoldResult> offsets) {
    unsigned dim = *findDivisible(shape, numParts);
    SmallVector<int64_t> own(shape);
    own[dim] /= numParts;
    SmallVector<OpFoldResult> from(offsets);
    AffineExpr first =
        builder.getAffineDimExpr(0) + builder.getAffineDimExpr(1) * own[dim];
    from[dim] = affine::makeComposedFoldedAffineApply(
        builder, loc, first, {offsets[dim], OpFoldResult(number)});
    SmallVector<Value> at = indicesOf(from);
    auto vector = VectorType::get(own, type);
    SmallVector<bool> inBounds(own.size(), true);
    auto read = [&](Value memory, ArrayRef<Value> indices) -> Value {
      return vector::TransferReadOp::create(builder, loc, vector, memory,
                                            indices, /*padding=*/std::nullopt,
                                            inBounds);
    };
    Value sum = read(result, at);
    for (int64_t i = 0; i < numParts; ++i) {
      Value next = read(parts, inPart(constant(i), at));
      sum = isa<FloatType>(type)
                ? arith::AddFOp::create(builder, loc, sum, next).getResult()
                : arith::AddIOp::create(builder, loc, sum, next).getResult();
    }
    vector::TransferWriteOp::create(builder, loc, sum, result, at, inBounds);
  }

  /// The shape of a thread's tile.
  SmallVector<int64_t> shape;
  Type type;
  /// The tile of a block, and its sums of all parts.
  Value result, parts;
};
} // namespace

DiagnosedSilenceableFailure
GpuSliceOp::apply(transform::TransformRewriter &rewriter,
                  transform::TransformResults &results,
                  transform::TransformState &state) {
  int64_t size = 0;
  SmallVector<linalg::LinalgOp> ops;
  auto found = findOpsInParts(*this, state, checkSliced, size, ops);
  if (!found.succeeded())
    return found;
  for (linalg::LinalgOp op : ops)
    SliceWriter(rewriter, op, getIterator(), size).write();
  return DiagnosedSilenceableFailure::success();
}

LogicalResult GpuSliceOp::verify() {
  return verifyInteger(*this, "size", getSize(), getSizeParam(), "by",
                       /*isNeeded=*/true);
}
