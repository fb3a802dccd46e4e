//===- HoistParallelBuffers.cpp - Buffers of parallel iterations ----------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// glibc maps blocks of 128 KiB and more anew in each iteration, and the thread
// that touches them first has a fault for each page: a quantized convolution of
// 112 x 112 with its scaling took 169 us on two threads, and 61 us on one,
// whose buffer was in the workspace. Allocated around the loop, the buffers of
// all iterations are in the workspace, too.
//
//===----------------------------------------------------------------------===//

#include "Temporaries.h"

#include "baco/LoopNest/FunctionMemory.h"
#include "baco/Target/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "llvm/Support/DebugLog.h"
#include "llvm/Support/MathExtras.h"

#define DEBUG_TYPE "baco-hoist-parallel-buffers"

namespace baco::target {
#define GEN_PASS_DEF_HOISTPARALLELBUFFERSPASS
#include "baco/Target/Passes.h.inc"
} // namespace baco::target

using namespace mlir;
using namespace baco::target;

/// Smaller buffers stay in the heap, and in the cache of the thread that uses
/// them again and again.
static constexpr int64_t minBytes = 64 << 10;
/// The limit for the buffers of all iterations of a loop.
static constexpr int64_t maxBytes = 32 << 20;

/// The iterations of each dimension; nothing if one isn't known, or none.
static std::optional<SmallVector<int64_t>> tripCounts(scf::ParallelOp loop) {
  SmallVector<int64_t> counts;
  for (auto [lower, upper, step] : llvm::zip_equal(
           loop.getLowerBound(), loop.getUpperBound(), loop.getStep())) {
    std::optional<int64_t> from = getConstantIntValue(lower),
                           to = getConstantIntValue(upper),
                           by = getConstantIntValue(step);
    if (!from || !to || !by || *by < 1 || *to <= *from)
      return std::nullopt;
    counts.push_back(llvm::divideCeilSigned(*to - *from, *by));
  }
  return counts;
}

/// The number of the iteration, from 0, in the order of the loops.
static Value numberIteration(ImplicitLocOpBuilder &builder,
                             scf::ParallelOp loop, ArrayRef<int64_t> counts) {
  Value number;
  for (auto [variable, lower, step, count] :
       llvm::zip_equal(loop.getInductionVars(), loop.getLowerBound(),
                       loop.getStep(), counts)) {
    Value own = arith::DivUIOp::create(
        builder, arith::SubIOp::create(builder, variable, lower), step);
    if (number)
      own = arith::AddIOp::create(
          builder,
          arith::MulIOp::create(builder, number,
                                arith::ConstantIndexOp::create(builder, count)),
          own);
    number = own;
  }
  return number;
}

static void hoistBuffers(scf::ParallelOp loop) {
  std::optional<SmallVector<int64_t>> counts = tripCounts(loop);
  // Around an inner loop the block would still be in a parallel one, and be
  // allocated by each of its iterations.
  if (!counts || loop->getParentOfType<scf::ParallelOp>())
    return;
  int64_t iterations = llvm::product_of(*counts);
  SmallVector<memref::AllocOp> buffers;
  loop.walk([&](memref::AllocOp alloc) {
    std::optional<int64_t> bytes = sizeInBytes(alloc);
    // Without a deallocation in its block it may be in use behind its
    // iteration.
    if (bytes && *bytes >= minBytes && *bytes <= maxBytes / iterations &&
        alloc->getParentOfType<scf::ParallelOp>() == loop &&
        deallocationOf(alloc))
      buffers.push_back(alloc);
  });
  for (memref::AllocOp alloc : buffers) {
    LDBG() << "hoists " << alloc << " of " << iterations << " iterations";
    // A view of bytes has the type of the buffer, which a part of a larger
    // array of its elements wouldn't have.
    ImplicitLocOpBuilder builder(alloc.getLoc(), loop);
    int64_t slot =
        llvm::alignTo(*sizeInBytes(alloc), baco::loopnest::bufferAlignment);
    auto all = memref::AllocOp::create(
        builder, MemRefType::get(iterations * slot, builder.getI8Type()),
        builder.getI64IntegerAttr(baco::loopnest::bufferAlignment));
    builder.setInsertionPointAfter(loop);
    memref::DeallocOp::create(builder, all);
    builder.setInsertionPoint(alloc);
    Value start =
        arith::MulIOp::create(builder, numberIteration(builder, loop, *counts),
                              arith::ConstantIndexOp::create(builder, slot));
    auto own = memref::ViewOp::create(builder, alloc.getType(), all, start,
                                      /*sizes=*/ValueRange());
    deallocationOf(alloc).erase();
    alloc.replaceAllUsesWith(own.getResult());
    alloc.erase();
  }
}

namespace {
struct HoistParallelBuffers
    : baco::target::impl::HoistParallelBuffersPassBase<HoistParallelBuffers> {

protected:
  void runOnOperation() override { getOperation().walk(hoistBuffers); }
};
} // namespace
