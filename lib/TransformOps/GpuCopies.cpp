//===- GpuCopies.cpp - Copies by the threads of a block -------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Vector v of a copy, counted row by row, is for thread v modulo the number of
// threads, so that neighboring threads access neighboring memory. If there are
// few vectors per thread, all are loaded before the first is stored.
//
//===----------------------------------------------------------------------===//

#include "GpuCopies.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Interfaces/LoopLikeInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace baco;

/// More turns than this become a loop.
static constexpr int64_t maxUnrolledTurns = 16;

/// The threads of a block of `launch`: along x, y and z.
static std::optional<SmallVector<int64_t>> countThreads(gpu::LaunchOp launch) {
  gpu::KernelDim3 sizes = launch.getBlockSizeOperandValues();
  return getConstantIntValues({sizes.x, sizes.y, sizes.z});
}

bool baco::canDistribute(Operation *op, int64_t width, std::string &why) {
  auto copy = dyn_cast<linalg::CopyOp>(op);
  auto launch = op->getParentOfType<gpu::LaunchOp>();
  if (!copy || !copy.hasPureBufferSemantics())
    why = "only 'linalg.copy' on memrefs can be distributed";
  else if (!launch || !countThreads(launch))
    why = "there is no 'gpu.launch' of constantly many threads around the copy";
  else if (auto type = cast<MemRefType>(copy.getInputs()[0].getType());
           !type.hasStaticShape() || type.getRank() == 0)
    why = "the shape of the copy is not static, or has no dimensions";
  else if (type.getShape().back() % width != 0)
    why = "vectors of " + std::to_string(width) +
          " elements don't divide rows of " +
          std::to_string(type.getShape().back());
  else if (!type.isLastDimUnitStride())
    why = "the elements of a row are not contiguous";
  return why.empty();
}

namespace {
/// Writes the turns of one copy. `thread` is the number of the thread.
class CopyWriter {
public:
  CopyWriter(OpBuilder &builder, linalg::CopyOp copy, Value thread,
             int64_t numThreads, int64_t width)
      : builder(builder), loc(copy.getLoc()), source(copy.getInputs()[0]),
        target(copy.getOutputs()[0]), thread(thread), numThreads(numThreads),
        width(width) {
    auto type = cast<MemRefType>(source.getType());
    shape = llvm::to_vector(type.getShape());
    shape.back() /= width;
    numVectors = llvm::product_of(shape);
    vectorType = VectorType::get({width}, type.getElementType());
  }

  void write() {
    int64_t numFull = numVectors / numThreads;
    if (numFull <= maxUnrolledTurns) {
      SmallVector<std::pair<SmallVector<Value>, Value>> loaded;
      for (int64_t turn = 0; turn < numFull; ++turn) {
        SmallVector<Value> indices = indicesOf(constant(turn));
        loaded.push_back({indices, load(indices)});
      }
      for (const auto &[indices, value] : loaded)
        vector::StoreOp::create(builder, loc, value, target, indices);
    } else {
      auto loop = scf::ForOp::create(builder, loc, constant(0),
                                     constant(numFull), constant(1));
      OpBuilder::InsertionGuard guard(builder);
      builder.setInsertionPointToStart(loop.getBody());
      copyTurn(loop.getInductionVar());
    }
    int64_t numLeft = numVectors % numThreads;
    if (numLeft == 0)
      return;
    Value isLeft = arith::CmpIOp::create(
        builder, loc, arith::CmpIPredicate::ult, thread, constant(numLeft));
    auto rest = scf::IfOp::create(builder, loc, isLeft);
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(rest.thenBlock());
    copyTurn(constant(numFull));
  }

private:
  Value constant(int64_t value) {
    return arith::ConstantIndexOp::create(builder, loc, value);
  }

  /// Where the vector of this thread is in a turn.
  SmallVector<Value> indicesOf(Value turn) {
    Value rest = arith::AddIOp::create(
        builder, loc,
        arith::MulIOp::create(builder, loc, turn, constant(numThreads)),
        thread);
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

  Value load(ValueRange indices) {
    return vector::LoadOp::create(builder, loc, vectorType, source, indices);
  }

  void copyTurn(Value turn) {
    SmallVector<Value> indices = indicesOf(turn);
    vector::StoreOp::create(builder, loc, load(indices), target, indices);
  }

  OpBuilder &builder;
  Location loc;
  Value source, target, thread;
  int64_t numThreads, width, numVectors;
  SmallVector<int64_t> shape;
  VectorType vectorType;
};
} // namespace

/// The number of the thread in its block, written at the start of `launch`.
static Value numberThread(OpBuilder &builder, gpu::LaunchOp launch,
                          ArrayRef<int64_t> sizes) {
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(&launch.getBody().front());
  Location loc = launch.getLoc();
  gpu::KernelDim3 ids = launch.getThreadIds();
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
  return number;
}

/// Whether nothing between the copies reads or writes memory.
static bool isNextTo(Operation *first, Operation *second) {
  if (first->getBlock() != second->getBlock() ||
      !first->isBeforeInBlock(second))
    return false;
  for (Operation *op = first->getNextNode(); op != second;
       op = op->getNextNode())
    if (!isMemoryEffectFree(op))
      return false;
  return true;
}

/// Whether the copy may run again before the launch ends.
static bool isRepeated(Operation *copy, Operation *launch) {
  for (Operation *op = copy->getParentOp(); op != launch;
       op = op->getParentOp())
    if (isa<LoopLikeOpInterface>(op))
      return true;
  return false;
}

void baco::distributeCopies(RewriterBase &rewriter,
                            ArrayRef<linalg::CopyOp> copies, int64_t width) {
  Operation *launchBefore = nullptr;
  Value thread;
  for (size_t index = 0; index < copies.size(); ++index) {
    linalg::CopyOp copy = copies[index];
    auto launch = copy->getParentOfType<gpu::LaunchOp>();
    SmallVector<int64_t> sizes = *countThreads(launch);
    if (launch != launchBefore)
      thread = numberThread(rewriter, launch, sizes);
    launchBefore = launch;
    bool isFirst = index == 0 || !isNextTo(copies[index - 1], copy);
    bool isLast =
        index + 1 == copies.size() || !isNextTo(copy, copies[index + 1]);
    rewriter.setInsertionPoint(copy);
    if (isFirst && isRepeated(copy, launch))
      gpu::BarrierOp::create(rewriter, copy.getLoc());
    // Erased together, because the neighbors look for each other.
    CopyWriter(rewriter, copy, thread, llvm::product_of(sizes), width).write();
    if (isLast) {
      rewriter.setInsertionPointAfter(copy);
      gpu::BarrierOp::create(rewriter, copy.getLoc());
    }
  }
  for (linalg::CopyOp copy : copies)
    rewriter.eraseOp(copy);
}
