//===- GpuCopies.cpp - Copies by the threads of a block -------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Vector v of a copy, counted row by row, is for thread v modulo the number of
// threads, so that neighboring threads access neighboring memory; or runs of
// vectors are shared out in the same way. If there are few vectors per thread,
// all are loaded before the first is stored.
//
//===----------------------------------------------------------------------===//

#include "GpuCopies.h"
#include "baco/IR/BacoDialect.h"
#include "baco/Support/NvidiaGpu.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/NVGPU/IR/NVGPUDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Interfaces/LoopLikeInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/Support/MathExtras.h"

#include <numeric>

using namespace mlir;
using namespace baco;

/// More turns than this become a loop.
static constexpr int64_t maxUnrolledTurns = 16;

std::optional<SmallVector<int64_t>> baco::countThreads(gpu::LaunchOp launch) {
  gpu::KernelDim3 sizes = launch.getBlockSizeOperandValues();
  return getConstantIntValues({sizes.x, sizes.y, sizes.z});
}

llvm::Error baco::checkCopy(Operation *op, const CopyWork &work) {
  auto copy = dyn_cast<linalg::CopyOp>(op);
  auto launch = op->getParentOfType<gpu::LaunchOp>();
  if (!copy || !copy.hasPureBufferSemantics())
    return llvm::createStringError(
        "only 'linalg.copy' on memrefs can be distributed");
  if (!launch || !countThreads(launch))
    return llvm::createStringError("there is no 'gpu.launch' of constantly "
                                   "many threads around the copy");
  auto type = cast<MemRefType>(copy.getInputs()[0].getType());
  if (!type.hasStaticShape() || type.getRank() == 0)
    return llvm::createStringError(
        "the shape of the copy is not static, or has no dimensions");
  if (!work.isConsecutive && type.getShape().back() % work.width != 0)
    return llvm::createStringError("vectors of " + Twine(work.width) +
                                   " elements don't divide rows of " +
                                   Twine(type.getShape().back()));
  if (!type.isLastDimUnitStride())
    return llvm::createStringError("the elements of a row are not contiguous");
  if (copy->hasAttr(BacoDialect::kStages))
    return checkPipelined(copy, work);
  return llvm::Error::success();
}

/// The longest vector that divides the rows of `source` and the part that a
/// thread copies, and at whose multiples the rows of `target` begin.
static int64_t chooseWidth(MemRefType source, MemRefType target,
                           const CopyWork &work) {
  if (!work.isConsecutive)
    return work.width;
  int64_t bytes = llvm::divideCeil(source.getElementTypeBitWidth(), 8);
  int64_t width = std::gcd(std::max<int64_t>(1, nvidia::maxAccessBytes / bytes),
                           std::gcd(work.width, source.getShape().back()));
  auto [strides, offset] = target.getStridesAndOffset();
  for (int64_t stride : ArrayRef(strides).drop_back())
    width = std::gcd(width, stride);
  return width;
}

namespace {
/// Writes the turns of one copy.
class CopyWriter {
public:
  CopyWriter(OpBuilder &builder, Location loc, Value source, Value target,
             const Threads &threads, const CopyWork &work, bool isAsync)
      : builder(builder), loc(loc), source(source), target(target),
        threads(threads), isAsync(isAsync) {
    auto type = cast<MemRefType>(source.getType());
    width = chooseWidth(type, cast<MemRefType>(target.getType()), work);
    runLength = work.width / width;
    shape = llvm::to_vector(type.getShape());
    shape.back() /= width;
    numVectors = llvm::product_of(shape);
    vectorType = VectorType::get({width}, type.getElementType());
  }

  void write() {
    int64_t numTogether = threads.count * runLength;
    int64_t numFull = numVectors / numTogether * runLength;
    int64_t atOnce = numFull;
    while (atOnce > maxUnrolledTurns || (atOnce > 0 && numFull % atOnce != 0))
      --atOnce;
    if (numFull == atOnce) {
      copyTurns({}, atOnce);
    } else {
      auto loop = scf::ForOp::create(builder, loc, constant(0),
                                     constant(numFull / atOnce), constant(1));
      OpBuilder::InsertionGuard guard(builder);
      builder.setInsertionPointToStart(loop.getBody());
      copyTurns({loop.getInductionVar(), atOnce}, atOnce);
    }
    if (int64_t numLeft = numVectors % numTogether; numLeft > 0)
      writeRest(numFull, numLeft);
  }

  /// Loads all vectors of this thread.
  SmallVector<LoadedVector> loadAll() {
    SmallVector<LoadedVector> vectors;
    int64_t count = llvm::divideCeil(numVectors, threads.count);
    for (int64_t turn = 0; turn < count; ++turn) {
      if ((turn + 1) * threads.count <= numVectors) {
        SmallVector<Value> indices = indicesIn({Value(), 0, turn});
        vectors.push_back({indices, load(indices), Value()});
        continue;
      }
      // Threads without a vector load the last one.
      Value number = numberOf(constant(turn)), last = constant(numVectors - 1);
      Value isThere = arith::CmpIOp::create(
          builder, loc, arith::CmpIPredicate::ule, number, last);
      SmallVector<Value> indices =
          indicesOf(arith::MinUIOp::create(builder, loc, number, last));
      vectors.push_back({indices, load(indices), isThere});
    }
    return vectors;
  }

private:
  /// A turn `group` * `scale` + `offset`, in a loop over groups if there is
  /// one.
  struct Turn {
    Value group;
    int64_t scale = 0, offset = 0;
  };

  Value constant(int64_t value) {
    return arith::ConstantIndexOp::create(builder, loc, value);
  }

  Value valueOf(const Turn &turn) { return scale(turn, 1); }

  /// `turn`, multiplied by `factor`.
  Value scale(const Turn &turn, int64_t factor) {
    Value offset = constant(turn.offset * factor);
    if (!turn.group)
      return offset;
    return arith::AddIOp::create(
        builder, loc,
        arith::MulIOp::create(builder, loc, turn.group,
                              constant(turn.scale * factor)),
        offset);
  }

  /// `count` turns from `first` on, whose loads come before the stores.
  void copyTurns(Turn first, int64_t count) {
    SmallVector<std::pair<SmallVector<Value>, Value>> loaded;
    for (int64_t i = 0; i < count; ++i, ++first.offset) {
      SmallVector<Value> indices = indicesIn(first);
      if (isAsync)
        copyAsync(indices);
      else
        loaded.push_back({indices, load(indices)});
    }
    for (const auto &[indices, value] : loaded)
      vector::StoreOp::create(builder, loc, value, target, indices);
  }

  /// The last turns, from `turn` on, in which not all threads have a vector.
  void writeRest(int64_t turn, int64_t numLeft) {
    for (int64_t i = 0; i < runLength; ++i) {
      // With runs of one vector, its thread is known without its number.
      Value number = runLength > 1 ? numberOf(constant(turn + i)) : Value();
      Value isLeft =
          arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::ult,
                                number ? number : threads.number,
                                constant(number ? numVectors : numLeft));
      auto rest = scf::IfOp::create(builder, loc, isLeft);
      OpBuilder::InsertionGuard guard(builder);
      builder.setInsertionPointToStart(rest.thenBlock());
      copyVector(number ? number : numberOf(constant(turn)));
    }
  }

  /// The number of the vector that this thread has in a turn.
  Value numberOf(Value turn) {
    Value place, run = turn;
    if (runLength > 1) {
      place = arith::RemUIOp::create(builder, loc, turn, constant(runLength));
      run = arith::DivUIOp::create(builder, loc, turn, constant(runLength));
    }
    Value number = arith::AddIOp::create(
        builder, loc,
        arith::MulIOp::create(builder, loc, run, constant(threads.count)),
        threads.number);
    if (!place)
      return number;
    return arith::AddIOp::create(
        builder, loc,
        arith::MulIOp::create(builder, loc, number, constant(runLength)),
        place);
  }

  /// The indices of a vector.
  SmallVector<Value> indicesOf(Value number) {
    Value rest = number;
    SmallVector<Value> indices(shape.size());
    for (size_t dim = shape.size(); dim-- > 0;) {
      Value extent = constant(shape[dim]);
      indices[dim] =
          dim == 0 ? rest : arith::RemUIOp::create(builder, loc, rest, extent);
      if (dim > 0)
        rest = arith::DivUIOp::create(builder, loc, rest, extent);
    }
    indices.back() =
        arith::MulIOp::create(builder, loc, indices.back(), constant(width));
    return indices;
  }

  /// The indices of the vector that this thread has in a turn: a sum of what
  /// the thread's number says and what the turn's says, if rows have as many
  /// vectors as some threads, or as all of them in some turns. Constant turns
  /// are then constant distances of addresses.
  SmallVector<Value> indicesIn(const Turn &original) {
    Turn turn = original;
    SmallVector<Value> indices(shape.size());
    Value thread = threads.number;
    int64_t count = threads.count;
    for (size_t dim = shape.size(); dim-- > 1;) {
      int64_t extent = shape[dim], turns = extent / count;
      if (runLength == 1 && count % extent == 0) {
        indices[dim] =
            arith::RemUIOp::create(builder, loc, thread, constant(extent));
        thread = arith::DivUIOp::create(builder, loc, thread, constant(extent));
        count /= extent;
      } else if (runLength == 1 && extent % count == 0 &&
                 turn.scale % turns == 0) {
        Turn inRow = {Value(), 0, turn.offset % turns};
        indices[dim] =
            arith::AddIOp::create(builder, loc, thread, scale(inRow, count));
        thread = constant(0);
        count = 1;
        turn = {turn.group, turn.scale / turns, turn.offset / turns};
      } else {
        return indicesOf(numberOf(valueOf(original)));
      }
    }
    indices[0] =
        arith::AddIOp::create(builder, loc, thread, scale(turn, count));
    indices.back() =
        arith::MulIOp::create(builder, loc, indices.back(), constant(width));
    return indices;
  }

  Value load(ValueRange indices) {
    return vector::LoadOp::create(builder, loc, vectorType, source, indices);
  }

  void copyAsync(ValueRange indices) {
    // Vectors of 16 bytes need not go through the L1 cache.
    bool isLong = width * vectorType.getElementTypeBitWidth() ==
                  8 * nvidia::maxAccessBytes;
    nvgpu::DeviceAsyncCopyOp::create(
        builder, loc, nvgpu::DeviceAsyncTokenType::get(builder.getContext()),
        target, indices, source, indices, builder.getIndexAttr(width),
        /*srcElements=*/Value(), isLong ? builder.getUnitAttr() : UnitAttr());
  }

  void copyVector(Value number) {
    SmallVector<Value> indices = indicesOf(number);
    if (isAsync)
      return copyAsync(indices);
    vector::StoreOp::create(builder, loc, load(indices), target, indices);
  }

  OpBuilder &builder;
  Location loc;
  Value source, target;
  Threads threads;
  bool isAsync;
  /// Elements of a vector, and vectors that a thread has one after another.
  int64_t width, runLength;
  int64_t numVectors;
  SmallVector<int64_t> shape;
  VectorType vectorType;
};
} // namespace

void baco::writeCopy(OpBuilder &builder, Location loc, Value source,
                     Value target, const Threads &threads, const CopyWork &work,
                     bool isAsync) {
  CopyWriter(builder, loc, source, target, threads, work, isAsync).write();
}

SmallVector<LoadedVector> baco::loadVectors(OpBuilder &builder, Location loc,
                                            Value source,
                                            const Threads &threads,
                                            int64_t width) {
  return CopyWriter(builder, loc, source, /*target=*/source, threads, {width},
                    /*isAsync=*/false)
      .loadAll();
}

void baco::storeVectors(OpBuilder &builder, Location loc,
                        ArrayRef<LoadedVector> vectors, Value target) {
  for (const LoadedVector &vector : vectors) {
    OpBuilder::InsertionGuard guard(builder);
    if (vector.isThere)
      builder.setInsertionPointToStart(
          scf::IfOp::create(builder, loc, vector.isThere).thenBlock());
    vector::StoreOp::create(builder, loc, vector.value, target, vector.indices);
  }
}

Threads baco::numberThreads(OpBuilder &builder, gpu::LaunchOp launch,
                            ArrayRef<int64_t> sizes) {
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(&launch.getBody().front());
  return numberThreads(builder, launch.getLoc(), launch.getThreadIds(), sizes);
}

Threads baco::numberThreads(OpBuilder &builder, Location loc,
                            const gpu::KernelDim3 &ids,
                            ArrayRef<int64_t> sizes) {
  Value number = ids.x;
  int64_t stride = sizes[0];
  for (auto [id, size] :
       {std::pair(ids.y, sizes[1]), std::pair(ids.z, sizes[2])}) {
    if (size > 1) {
      Value factor = arith::ConstantIndexOp::create(builder, loc, stride);
      number = arith::AddIOp::create(
          builder, loc, number,
          arith::MulIOp::create(builder, loc, id, factor));
    }
    stride *= size;
  }
  return {number, llvm::product_of(sizes)};
}

bool baco::isNextTo(Operation *first, Operation *second) {
  if (first->getBlock() != second->getBlock() ||
      !first->isBeforeInBlock(second))
    return false;
  for (Operation *op = first->getNextNode(); op != second;
       op = op->getNextNode())
    if (!isMemoryEffectFree(op))
      return false;
  return true;
}

bool baco::isRepeated(Operation *op, Operation *launch) {
  for (op = op->getParentOp(); op != launch; op = op->getParentOp())
    if (isa<LoopLikeOpInterface>(op))
      return true;
  return false;
}

void baco::distributeCopies(RewriterBase &rewriter,
                            ArrayRef<linalg::CopyOp> copies,
                            const CopyWork &work) {
  Operation *launchBefore = nullptr;
  Threads threads;
  for (size_t first = 0, end; first < copies.size(); first = end) {
    end = first + 1;
    while (end < copies.size() && isNextTo(copies[end - 1], copies[end]))
      ++end;
    ArrayRef<linalg::CopyOp> group = copies.slice(first, end - first);
    linalg::CopyOp copy = group.front();
    auto launch = copy->getParentOfType<gpu::LaunchOp>();
    SmallVector<int64_t> sizes = *countThreads(launch);
    if (launch != launchBefore)
      threads = numberThreads(rewriter, launch, sizes);
    launchBefore = launch;
    if (copy->hasAttr(BacoDialect::kStages)) {
      pipelineCopies(rewriter, group, threads, work);
      continue;
    }
    rewriter.setInsertionPoint(copy);
    if (isRepeated(copy, launch))
      gpu::BarrierOp::create(rewriter, copy.getLoc());
    for (linalg::CopyOp one : group) {
      rewriter.setInsertionPoint(one);
      writeCopy(rewriter, one.getLoc(), one.getInputs()[0], one.getOutputs()[0],
                threads, work, /*isAsync=*/false);
    }
    rewriter.setInsertionPointAfter(group.back());
    gpu::BarrierOp::create(rewriter, copy.getLoc());
    for (linalg::CopyOp one : group)
      rewriter.eraseOp(one);
  }
}
