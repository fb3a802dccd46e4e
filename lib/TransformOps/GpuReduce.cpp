//===- GpuReduce.cpp - Reductions of all elements -------------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Threads add in registers, blocks in shared memory, and all blocks by atomic
// operations. Upstream's `transform.structured.split_reduction` and
// `tile_reduction_using_forall` work on tensors, and leave the last sum to the
// host.
//
//===----------------------------------------------------------------------===//

#include "GpuViews.h"
#include "IntegerOperand.h"
#include "TargetError.h"

#include "baco/Analysis/AtomicReduction.h"
#include "baco/Support/NvidiaGpu.h"
#include "baco/TransformOps/GpuOps.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Transform/IR/TransformTypes.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/IRMapping.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace baco;

namespace {
struct ReductionWork {
  int64_t chunk, run, stride, global, local;
};
} // namespace

/// The error says why `payload` can't be reduced in this way.
static llvm::Error checkReduction(Operation *payload,
                                  const ReductionWork &work) {
  auto op = dyn_cast<linalg::LinalgOp>(payload);
  if (!op || !op.hasPureBufferSemantics())
    return llvm::createStringError(
        "only linalg ops on memrefs can be reduced by a launch");
  llvm::Expected<AtomicReduction> reduction = matchAtomicReduction(op);
  if (!reduction)
    return reduction.takeError();
  int64_t extent = op.getStaticLoopRanges().front();
  if (ShapedType::isDynamic(extent))
    return llvm::createStringError("the extent of the reduction is not static");
  for (int64_t number :
       {work.chunk, work.run, work.stride, work.global, work.local})
    if (number < 1)
      return llvm::createStringError("the number " + Twine(number) +
                                     " must be positive");
  if (work.chunk % (work.run * work.stride) != 0)
    return llvm::createStringError(
        Twine(work.stride) + " runs of " + Twine(work.run) +
        " elements don't divide chunks of " + Twine(work.chunk));
  if (work.local > nvidia::maxThreads || work.global % work.local != 0)
    return llvm::createStringError("blocks of " + Twine(work.local) +
                                   " threads, at most 1024, don't divide " +
                                   Twine(work.global) + " threads");
  return llvm::Error::success();
}

namespace {
/// Writes the launch of one op.
class ReductionWriter : IndexWriter {
public:
  ReductionWriter(RewriterBase &builder, linalg::LinalgOp op,
                  const ReductionWork &work)
      : IndexWriter(builder, op.getLoc()), op(op), work(work),
        reduction(llvm::cantFail(matchAtomicReduction(op))),
        type(reduction.combiner->getResult(0).getType()),
        extent(op.getStaticLoopRanges().front()) {}

  void write() {
    int64_t numBlocks = std::min<int64_t>(work.global / work.local,
                                          llvm::divideCeil(extent, work.chunk));
    builder.setInsertionPoint(op);
    Value one = constant(1), blocks = constant(numBlocks),
          threads = constant(work.local);
    auto launch = gpu::LaunchOp::create(builder, loc, blocks, one, one, threads,
                                        one, one);
    auto space = gpu::AddressSpaceAttr::get(
        builder.getContext(), gpu::GPUDialect::getWorkgroupAddressSpace());
    Value sums = launch.addWorkgroupAttribution(
        MemRefType::get({work.local}, type, MemRefLayoutAttrInterface(), space),
        loc);
    builder.setInsertionPointToStart(&launch.getBody().front());
    gpu::TerminatorOp::create(builder, loc);
    builder.setInsertionPointToStart(&launch.getBody().front());
    Value thread = launch.getThreadIds().x, block = launch.getBlockIds().x;
    Value first = multiply(block, work.chunk);
    Value neutral = arith::ConstantOp::create(
        builder, loc, *arith::getNeutralElement(reduction.combiner));
    Value sum = loop(
        first, extent, numBlocks * work.chunk, neutral,
        [&](Value chunk, Value sum) { return addChunk(chunk, thread, sum); });
    memref::StoreOp::create(builder, loc, sum, sums, thread);
    addThreads(sums, thread);
    ifLess(thread, 1, [&] {
      Value all = memref::LoadOp::create(builder, loc, sums, constant(0));
      OpOperand *result = op.getDpsInitOperand(0);
      memref::AtomicRMWOp::create(builder, loc, reduction.kind, all,
                                  result->get(),
                                  indicesOf(result, constant(0)));
    });
    builder.eraseOp(op);
  }

private:
  using Add = function_ref<Value(Value, Value)>;

  Value multiply(Value value, int64_t factor) {
    return arith::MulIOp::create(builder, loc, value, constant(factor));
  }

  /// A loop that carries `sum` through `add` from `lower` on, in steps; returns
  /// the last sum.
  Value loop(Value lower, int64_t upper, int64_t step, Value sum, Add add) {
    auto loop = scf::ForOp::create(builder, loc, lower, constant(upper),
                                   constant(step), sum);
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(loop.getBody());
    Value next = add(loop.getInductionVar(), loop.getRegionIterArg(0));
    scf::YieldOp::create(builder, loc, next);
    return loop.getResult(0);
  }

  void ifLess(Value value, int64_t limit, function_ref<void()> write) {
    auto branch = scf::IfOp::create(builder, loc, isLess(value, limit));
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(branch.thenBlock());
    write();
  }

  /// The sum that `then` writes if `condition` holds, or `otherwise`.
  Value choose(Value condition, function_ref<Value()> then,
               function_ref<Value()> otherwise) {
    auto branch = scf::IfOp::create(builder, loc, TypeRange(type), condition,
                                    /*withElseRegion=*/true);
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(branch.thenBlock());
    scf::YieldOp::create(builder, loc, then());
    builder.setInsertionPointToStart(branch.elseBlock());
    scf::YieldOp::create(builder, loc, otherwise());
    return branch.getResult(0);
  }

  Value isLess(Value value, int64_t limit) {
    return arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::ult, value,
                                 constant(limit));
  }

  /// The runs of `thread` in the chunk that begins at `chunk`. Only the last
  /// chunk may reach behind the last element.
  Value addChunk(Value chunk, Value thread, Value sum) {
    if (extent % work.chunk == 0)
      return addRuns(chunk, thread, sum, /*isWhole=*/true);
    Value isWhole = isLess(chunk, extent - extent % work.chunk);
    return choose(
        isWhole, [&] { return addRuns(chunk, thread, sum, true); },
        [&] { return addRuns(chunk, thread, sum, false); });
  }

  Value addRuns(Value chunk, Value thread, Value sum, bool isWhole) {
    return loop(
        thread, work.chunk / work.run, work.local, sum,
        [&](Value number, Value sum) {
          Value group = arith::DivUIOp::create(builder, loc, number,
                                               constant(work.stride));
          Value place = arith::RemUIOp::create(builder, loc, number,
                                               constant(work.stride));
          Value start = arith::AddIOp::create(
              builder, loc, chunk,
              arith::AddIOp::create(builder, loc,
                                    multiply(group, work.run * work.stride),
                                    place));
          return loop(constant(0), work.run, 1, sum, [&](Value i, Value sum) {
            Value index = arith::AddIOp::create(builder, loc, start,
                                                multiply(i, work.stride));
            if (isWhole)
              return addElement(index, sum);
            return choose(
                isLess(index, extent), [&] { return addElement(index, sum); },
                [&] { return sum; });
          });
        });
  }

  SmallVector<Value> indicesOf(OpOperand *operand, Value index) {
    AffineMap map = op.getMatchingIndexingMap(operand);
    SmallVector<Value> indices;
    for (AffineExpr result : map.getResults())
      indices.push_back(affine::makeComposedAffineApply(
          builder, loc, AffineMap::get(1, 0, result), {index}));
    return indices;
  }

  /// The result of the op's body for the element at `index` and `sum`.
  Value addElement(Value index, Value sum) {
    IRMapping mapping;
    Block *body = op.getBlock();
    for (OpOperand &operand : op->getOpOperands()) {
      BlockArgument argument = body->getArgument(operand.getOperandNumber());
      Value value = operand.get();
      if (op.isDpsInit(&operand))
        value = sum;
      else if (isa<MemRefType>(value.getType()))
        value = memref::LoadOp::create(builder, loc, value,
                                       indicesOf(&operand, index));
      mapping.map(argument, value);
    }
    for (Operation &inner : body->without_terminator())
      builder.clone(inner, mapping);
    return mapping.lookupOrDefault(body->getTerminator()->getOperand(0));
  }

  /// Adds the sums of all threads of a block to that of the first.
  void addThreads(Value sums, Value thread) {
    for (int64_t left = work.local; left > 1;) {
      int64_t half = llvm::divideCeil(left, 2);
      gpu::BarrierOp::create(builder, loc);
      ifLess(thread, left - half, [&] {
        Value mine = memref::LoadOp::create(builder, loc, sums, thread);
        Value other =
            memref::LoadOp::create(builder, loc, sums,
                                   ValueRange{arith::AddIOp::create(
                                       builder, loc, thread, constant(half))});
        Operation *sum = builder.clone(*reduction.combiner);
        sum->setOperands({mine, other});
        memref::StoreOp::create(builder, loc, sum->getResult(0), sums, thread);
      });
      left = half;
    }
  }

  linalg::LinalgOp op;
  const ReductionWork &work;
  AtomicReduction reduction;
  Type type;
  int64_t extent;
};
} // namespace

DiagnosedSilenceableFailure
GpuReduceOp::apply(transform::TransformRewriter &rewriter,
                   transform::TransformResults &results,
                   transform::TransformState &state) {
  SmallVector<int64_t> numbers;
  DiagnosedSilenceableFailure read =
      readIntegers(*this, getParams(), getNumbers(), state, numbers);
  if (!read.succeeded())
    return read;
  ReductionWork work{numbers[0], numbers[1], numbers[2], numbers[3],
                     numbers[4]};
  SmallVector<linalg::LinalgOp> ops;
  for (Operation *payload : state.getPayloadOps(getTarget())) {
    if (llvm::Error why = checkReduction(payload, work))
      return refuseTarget(*this, payload, std::move(why));
    ops.push_back(cast<linalg::LinalgOp>(payload));
  }
  for (linalg::LinalgOp op : ops)
    ReductionWriter(rewriter, op, work).write();
  return DiagnosedSilenceableFailure::success();
}

LogicalResult GpuReduceOp::verify() {
  return verifyIntegers(*this, getParams(), getNumbers(), 5,
                        "five numbers: chunk, run, stride, global, local");
}
