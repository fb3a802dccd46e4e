//===- GpuPipeline.cpp - Copies for later iterations ----------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Vectors that `cp.async` can't copy are loaded to registers for the next
// iteration, and stored at the end of this one to the other of two buffers. Of
// rows of an odd number of halves, every second one begins at a word: these are
// copied by `cp.async`, word by word.
//
// With n buffers of each operand, tiles of the next n - 1 iterations are on
// their way while the threads compute. One barrier in an iteration is enough:
// behind it the tile of the iteration is there for all threads, and nobody
// reads that of the iteration before any more, whose buffer is then filled.
//
// Upstream's `transform.nvgpu.pipeline_shared_memory_copies` refuses loops with
// loops or conditions in them, as they are here. The ops for groups are those
// of the NVVM dialect: upstream can't parse its own text of a group in nvgpu
// that lists no copies, and copies under a condition can't be listed.
//
//===----------------------------------------------------------------------===//

#include "GpuCopies.h"
#include "baco/Analysis/IndexDivisor.h"
#include "baco/IR/BacoDialect.h"
#include "baco/Support/NvidiaGpu.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;
using namespace baco;

/// Whether `value` can be computed again for another iteration of `loop`.
static bool canRecompute(Value value, scf::ForOp loop) {
  Operation *op = value.getDefiningOp();
  if (!op || op->getBlock() != loop.getBody())
    return true;
  return op->getNumRegions() == 0 && isMemoryEffectFree(op) &&
         llvm::all_of(op->getOperands(), [&](Value operand) {
           return canRecompute(operand, loop);
         });
}

static int64_t countStages(linalg::CopyOp copy) {
  return cast<IntegerAttr>(copy->getAttr(BacoDialect::kStages)).getInt();
}

/// Whether `cp.async` can copy the vectors: they have a size that it can, and
/// rows of the source begin at whole ones.
static bool isAsync(linalg::CopyOp copy, const CopyWork &work) {
  Value source = copy.getInputs()[0];
  int64_t bytes =
      work.width *
      llvm::divideCeil(
          getElementTypeOrSelf(source.getType()).getIntOrFloatBitWidth(), 8);
  if (bytes < nvidia::minAsyncBytes || nvidia::maxAccessBytes % bytes != 0)
    return false;
  // Tiles begin at whole vectors of the memory, or of a view of it, which may
  // begin elsewhere.
  while (auto part = source.getDefiningOp<memref::SubViewOp>()) {
    int64_t begin = part.getType().getStridesAndOffset().second;
    if (ShapedType::isStatic(begin) && begin % work.width != 0)
      return false;
    source = part.getSource();
  }
  int64_t offset;
  SmallVector<int64_t> strides;
  if (failed(cast<MemRefType>(source.getType())
                 .getStridesAndOffset(strides, offset)))
    return false;
  strides.back() = offset;
  return llvm::all_of(strides, [&](int64_t stride) {
    return ShapedType::isStatic(stride) && stride % work.width == 0;
  });
}

/// Elements of a word, if every second row of the copy's source, from the first
/// one on, begins at a word, and those between do not; else 0.
static int64_t wordInEvenRows(linalg::CopyOp copy, const CopyWork &work) {
  Value source = copy.getInputs()[0];
  auto type = cast<MemRefType>(source.getType());
  int64_t bits = getElementTypeOrSelf(type).getIntOrFloatBitWidth(),
          word = 8 * nvidia::minAsyncBytes / bits;
  if (word != 2 || work.width % word != 0 || type.getRank() != 2 ||
      type.getDimSize(0) % 2 != 0 || type.getDimSize(1) % word != 0)
    return 0;
  while (auto part = source.getDefiningOp<memref::SubViewOp>()) {
    if (part.getType().getRank() != 2 || part.getSourceType().getRank() != 2 ||
        !part.hasUnitStride())
      return 0;
    for (OpFoldResult offset : part.getMixedOffsets()) {
      std::optional<int64_t> number = getConstantIntValue(offset);
      if (number ? *number % 2 != 0 : findDivisor(cast<Value>(offset)) % 2 != 0)
        return 0;
    }
    source = part.getSource();
  }
  auto [strides, offset] =
      cast<MemRefType>(source.getType()).getStridesAndOffset();
  bool isOdd = ShapedType::isStatic(strides[0]) && strides[0] % 2 != 0;
  return isOdd && offset == 0 && strides[1] == 1 ? word : 0;
}

llvm::Error baco::checkPipelined(linalg::CopyOp copy, const CopyWork &work) {
  auto loop = dyn_cast<scf::ForOp>(copy->getParentOp());
  auto target = copy.getOutputs()[0].getDefiningOp<memref::SubViewOp>();
  if (!target || target.getOffsets().size() != 1)
    return llvm::createStringError(
        "the target of a copy in stages is no part of several buffers");
  if (!loop || loop.getNumRegionIterArgs() > 0 ||
      !getConstantIntValue(loop.getLowerBound()) ||
      !getConstantIntValue(loop.getUpperBound()) ||
      !getConstantIntValue(loop.getStep()))
    return llvm::createStringError(
        "a copy in stages is not in a loop with constant bounds");
  if (!canRecompute(copy.getInputs()[0], loop))
    return llvm::createStringError("the source of a copy in stages can't be "
                                   "computed an iteration earlier");
  if (work.isConsecutive || (!isAsync(copy, work) && countStages(copy) > 2))
    return llvm::createStringError("copies in more than two stages are "
                                   "asynchronous, of vectors of 4, 8 or "
                                   "16 bytes, with which rows begin");
  return llvm::Error::success();
}

/// `value` for the iteration that `mapping` maps the loop's variable to.
static Value recompute(OpBuilder &builder, Value value, scf::ForOp loop,
                       IRMapping &mapping) {
  if (Value known = mapping.lookupOrNull(value))
    return known;
  Operation *op = value.getDefiningOp();
  if (!op || op->getBlock() != loop.getBody())
    return value;
  for (Value operand : op->getOperands())
    recompute(builder, operand, loop, mapping);
  builder.clone(*op, mapping);
  return mapping.lookup(value);
}

namespace {
/// Writes the copies of one loop.
class PipelineWriter {
public:
  PipelineWriter(OpBuilder &builder, ArrayRef<linalg::CopyOp> copies,
                 const Threads &threads, const CopyWork &work)
      : builder(builder), copies(copies),
        loop(cast<scf::ForOp>(copies.front()->getParentOp())),
        loc(loop.getLoc()), threads(threads), work(work),
        lower(*getConstantIntValue(loop.getLowerBound())),
        upper(*getConstantIntValue(loop.getUpperBound())),
        step(*getConstantIntValue(loop.getStep())),
        stages(countStages(copies.front())),
        areAsync(llvm::all_of(
            copies, [&](linalg::CopyOp copy) { return isAsync(copy, work); })) {
    for (linalg::CopyOp copy : copies)
      words.push_back(areAsync || stages != 2 ? 0 : wordInEvenRows(copy, work));
    hasWords = llvm::any_of(words, [](int64_t word) { return word > 0; });
  }

  void write() {
    builder.setInsertionPoint(loop);
    // The last iterations of the loop before still read.
    if (isRepeated(loop, loop->getParentOfType<gpu::LaunchOp>()))
      gpu::BarrierOp::create(builder, loc);
    for (int64_t stage = 0; stage < stages - 1; ++stage) {
      if (lower + stage * step < upper)
        copy(constant(lower + stage * step), constant(stage));
      if (areAsync || hasWords)
        NVVM::CpAsyncCommitGroupOp::create(builder, loc);
    }
    builder.setInsertionPointToStart(loop.getBody());
    Value iteration = arith::DivUIOp::create(
        builder, loc,
        arith::SubIOp::create(builder, loc, loop.getInductionVar(),
                              constant(lower)),
        constant(step));
    Value stage = modulo(iteration);
    for (linalg::CopyOp copy : copies) {
      auto target = copy.getOutputs()[0].getDefiningOp<memref::SubViewOp>();
      target.getOffsetsMutable().assign(stage);
    }
    builder.setInsertionPoint(copies.front());
    if (areAsync)
      copyAhead(iteration);
    else
      loadAhead(iteration);
  }

private:
  /// Starts copies for an iteration that is `stages` - 1 later.
  void copyAhead(Value iteration) {
    // There is one group for each iteration. The oldest pending one must be
    // complete, the others may be pending.
    NVVM::CpAsyncWaitGroupOp::create(builder, loc, stages - 2);
    gpu::BarrierOp::create(builder, loc);
    Value next = arith::AddIOp::create(builder, loc, loop.getInductionVar(),
                                       constant((stages - 1) * step));
    Value isNext = arith::CmpIOp::create(
        builder, loc, arith::CmpIPredicate::slt, next, constant(upper));
    Value place = modulo(
        arith::AddIOp::create(builder, loc, iteration, constant(stages - 1)));
    auto guard = scf::IfOp::create(builder, loc, isNext);
    {
      OpBuilder::InsertionGuard inside(builder);
      builder.setInsertionPointToStart(guard.thenBlock());
      copy(next, place);
    }
    // Even if it is empty, so that the number of pending ones is known.
    NVVM::CpAsyncCommitGroupOp::create(builder, loc);
  }

  /// Loads what the next iteration needs to registers, and stores it at the end
  /// of this one, or starts copies. After the last one, nobody reads it.
  void loadAhead(Value iteration) {
    if (hasWords)
      NVVM::CpAsyncWaitGroupOp::create(builder, loc, 0);
    gpu::BarrierOp::create(builder, loc);
    Value stage =
        modulo(arith::AddIOp::create(builder, loc, iteration, constant(1)));
    Value next = arith::MinSIOp::create(
        builder, loc,
        arith::AddIOp::create(builder, loc, loop.getInductionVar(),
                              constant(step)),
        constant(lower + (upper - 1 - lower) / step * step));
    IRMapping mapping;
    mapping.map(loop.getInductionVar(), next);
    SmallVector<Value> sources;
    for (linalg::CopyOp copy : copies)
      sources.push_back(recompute(builder, copy.getInputs()[0], loop, mapping));
    if (hasWords) {
      for (auto [copy, word, source] : llvm::zip_equal(copies, words, sources))
        if (word > 0)
          copyWords(copy, source, bufferAt(copy, stage), word);
      NVVM::CpAsyncCommitGroupOp::create(builder, loc);
    }
    SmallVector<SmallVector<LoadedVector>> loaded;
    for (auto [copy, word, source] : llvm::zip_equal(copies, words, sources))
      loaded.push_back(loadVectors(builder, copy.getLoc(), rowsOf(source, word),
                                   threads, work.width));
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPoint(loop.getBody()->getTerminator());
    for (auto [copy, word, vectors] : llvm::zip_equal(copies, words, loaded))
      storeVectors(builder, loc, vectors, rowsOf(bufferAt(copy, stage), word));
    // Whatever uses the buffers next may write to them.
    builder.setInsertionPointAfter(loop);
    if (hasWords)
      NVVM::CpAsyncWaitGroupOp::create(builder, loc, 0);
  }

  void copyWords(linalg::CopyOp copy, Value source, Value target,
                 int64_t word) {
    writeCopy(builder, copy.getLoc(), everySecondRow(source, 0),
              everySecondRow(target, 0), threads, {word}, /*isAsync=*/true);
  }

  /// The rows that are copied by registers: all, or those that don't begin at
  /// a `word`.
  Value rowsOf(Value memref, int64_t word) {
    return word > 0 ? everySecondRow(memref, 1) : memref;
  }

  Value everySecondRow(Value memref, int64_t first) {
    auto type = cast<MemRefType>(memref.getType());
    auto attributes = [&](ArrayRef<int64_t> numbers) {
      return getAsIndexOpFoldResult(builder.getContext(), numbers);
    };
    return memref::SubViewOp::create(
        builder, loc, memref, attributes({first, 0}),
        attributes({type.getDimSize(0) / 2, type.getDimSize(1)}),
        attributes({2, 1}));
  }

  Value constant(int64_t value) {
    return arith::ConstantIndexOp::create(builder, loc, value);
  }

  Value modulo(Value iteration) {
    return arith::RemUIOp::create(builder, loc, iteration, constant(stages));
  }

  /// Copies the tiles of the iteration at `variable` to the buffers `stage`.
  void copy(Value variable, Value stage) {
    IRMapping mapping;
    mapping.map(loop.getInductionVar(), variable);
    for (auto [copy, word] : llvm::zip_equal(copies, words)) {
      Value buffer = bufferAt(copy, stage);
      Value source = recompute(builder, copy.getInputs()[0], loop, mapping);
      if (word > 0)
        copyWords(copy, source, buffer, word);
      writeCopy(builder, copy.getLoc(), rowsOf(source, word),
                rowsOf(buffer, word), threads, work, areAsync);
    }
  }

  /// The target of `copy` in the buffers `stage`.
  Value bufferAt(linalg::CopyOp copy, Value stage) {
    auto target = copy.getOutputs()[0].getDefiningOp<memref::SubViewOp>();
    IRMapping buffers;
    buffers.map(target.getOffsets()[0], stage);
    return builder.clone(*target, buffers)->getResult(0);
  }

  OpBuilder &builder;
  SmallVector<linalg::CopyOp> copies;
  scf::ForOp loop;
  Location loc;
  const Threads &threads;
  const CopyWork &work;
  int64_t lower, upper, step, stages;
  /// Whether copies are asynchronous, instead of by registers.
  bool areAsync;
  /// Of each copy, the elements of a word if every second row is copied by
  /// words, else 0; and whether there is such a copy.
  SmallVector<int64_t> words;
  bool hasWords = false;
};
} // namespace

void baco::pipelineCopies(RewriterBase &rewriter,
                          ArrayRef<linalg::CopyOp> copies,
                          const Threads &threads, const CopyWork &work) {
  PipelineWriter(rewriter, copies, threads, work).write();
  for (linalg::CopyOp copy : copies)
    rewriter.eraseOp(copy);
}
