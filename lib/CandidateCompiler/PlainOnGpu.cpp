//===- PlainOnGpu.cpp - One thread for each element -----------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What code for GPUs is compared with: what one would write first. The threads
// of a warp have neighboring elements of the last parallel iterator.
//
//===----------------------------------------------------------------------===//

#include "StaticCost.h"

#include "baco/IR/DiagnosticRecorder.h"
#include "baco/LoopNest/UnitIterator.h"
#include "baco/Schedule/Bufferize.h"
#include "baco/Target/CPU/LowerToLoops.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"

using namespace mlir;

/// The threads of a block.
static constexpr int64_t plainThreads = 256;

/// The op with its parallel iterators first; null if it can't be permuted.
static linalg::LinalgOp moveParallelFirst(RewriterBase &rewriter,
                                          linalg::LinalgOp op) {
  SmallVector<unsigned> parallel, others;
  for (auto [index, type] : llvm::enumerate(op.getIteratorTypesArray()))
    (type == utils::IteratorType::parallel ? parallel : others)
        .push_back(index);
  llvm::append_range(parallel, others);
  if (llvm::is_sorted(parallel))
    return op;
  rewriter.setInsertionPoint(op);
  FailureOr<linalg::GenericOp> generic =
      linalg::generalizeNamedOp(rewriter, op);
  if (failed(generic))
    return nullptr;
  FailureOr<linalg::GenericOp> moved =
      linalg::interchangeGenericOp(rewriter, *generic, parallel);
  return failed(moved) ? nullptr
                       : cast<linalg::LinalgOp>(moved->getOperation());
}

/// Takes the loops, which are nested perfectly, into a launch: an iteration of
/// all becomes a thread.
static void launchLoops(RewriterBase &rewriter, ArrayRef<scf::ForOp> loops,
                        ArrayRef<int64_t> extents) {
  scf::ForOp outer = loops.front(), inner = loops.back();
  Location loc = outer.getLoc();
  int64_t count = llvm::product_of(extents);
  rewriter.setInsertionPoint(outer);
  auto constant = [&](int64_t value) -> Value {
    return arith::ConstantIndexOp::create(rewriter, loc, value);
  };
  Value one = constant(1);
  Value blocks = constant(llvm::divideCeil(count, plainThreads));
  Value threads = constant(plainThreads);
  auto launch =
      gpu::LaunchOp::create(rewriter, loc, blocks, one, one, threads, one, one);
  Block &body = launch.getBody().front();
  rewriter.setInsertionPointToEnd(&body);
  auto end = gpu::TerminatorOp::create(rewriter, loc);
  rewriter.setInsertionPoint(end);
  Value first = arith::MulIOp::create(rewriter, loc, launch.getBlockIds().x,
                                      constant(plainThreads));
  Value number =
      arith::AddIOp::create(rewriter, loc, first, launch.getThreadIds().x);
  Block *place = &body;
  if (count % plainThreads != 0) {
    Value isElement = arith::CmpIOp::create(
        rewriter, loc, arith::CmpIPredicate::ult, number, constant(count));
    auto guard = scf::IfOp::create(rewriter, loc, isElement);
    place = guard.thenBlock();
    rewriter.setInsertionPointToStart(place);
  }
  SmallVector<Value> indices(loops.size());
  for (size_t i = loops.size(); i-- > 1;) {
    Value extent = constant(extents[i]);
    indices[i] = arith::RemUIOp::create(rewriter, loc, number, extent);
    number = arith::DivUIOp::create(rewriter, loc, number, extent);
  }
  indices[0] = number;
  for (auto [number, loop] : llvm::enumerate(loops))
    rewriter.replaceAllUsesWith(scf::ForOp(loop).getInductionVar(),
                                indices[number]);
  Block *code = inner.getBody();
  rewriter.eraseOp(code->getTerminator());
  rewriter.inlineBlockBefore(code, rewriter.getInsertionBlock(),
                             rewriter.getInsertionPoint(), indices.back());
  rewriter.eraseOp(outer);
}

/// The error for an op that isn't plain code for a GPU.
static llvm::Error refuse(Operation *op) {
  return llvm::createStringError(
      "'" + op->getName().getStringRef() +
      "' has no plain form on a GPU, where one thread computes each element of "
      "a linalg op with static shapes");
}

static llvm::Error mapToThreads(RewriterBase &rewriter, linalg::LinalgOp op) {
  Operation *original = op;
  if (!op.hasPureBufferSemantics() || op.hasDynamicShape())
    return refuse(original);
  if (auto wider = baco::loopnest::addUnitIterator(rewriter, op);
      succeeded(wider))
    op = *wider;
  if (op.getNumParallelLoops() == 0)
    return refuse(op);
  op = moveParallelFirst(rewriter, op);
  if (!op)
    return refuse(original);
  SmallVector<int64_t> extents = op.getStaticLoopRanges();
  unsigned count = op.getNumParallelLoops();
  rewriter.setInsertionPoint(op);
  FailureOr<linalg::LinalgLoops> loops = linalg::linalgOpToLoops(rewriter, op);
  if (failed(loops) || loops->size() < count ||
      llvm::product_of(ArrayRef(extents).take_front(count)) == 0)
    return refuse(op);
  SmallVector<scf::ForOp> parallel;
  for (Operation *loop : ArrayRef(*loops).take_front(count))
    parallel.push_back(cast<scf::ForOp>(loop));
  launchLoops(rewriter, parallel, ArrayRef(extents).take_front(count));
  rewriter.eraseOp(op);
  return llvm::Error::success();
}

llvm::Error baco::target::mapElementsToThreads(ModuleOp module,
                                               StringRef entry) {
  module.getContext()
      ->loadDialect<arith::ArithDialect, gpu::GPUDialect, scf::SCFDialect>();
  if (schedule::hasTensors(module)) {
    DiagnosticRecorder recorder(module.getContext());
    if (failed(schedule::bufferize(module)))
      return llvm::createStringError(
          recorder.message("tensors can't be bufferized"));
  }
  auto function = module.lookupSymbol<func::FuncOp>(entry);
  IRRewriter rewriter(module.getContext());
  SmallVector<memref::CopyOp> copies;
  function.walk([&](memref::CopyOp copy) { copies.push_back(copy); });
  llvm::for_each(copies, makeCopyLinalg);
  SmallVector<linalg::LinalgOp> ops;
  function.walk([&](linalg::LinalgOp op) { ops.push_back(op); });
  for (linalg::LinalgOp op : ops)
    if (llvm::Error error = mapToThreads(rewriter, op))
      return error;
  if (ops.empty())
    return refuse(function);
  return llvm::Error::success();
}
