//===- GpuInterleave.cpp - Long vectors in shared memory ------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A warp loads 16 bytes of each lane from shared memory without bank conflicts
// if these are next to each other. Lanes whose vectors have 32 bytes would have
// to take turns; as in hand-written products, with a lane's tile in two parts
// half a row apart, they needn't. Here the row is in another order instead, so
// that results keep theirs.
//
//===----------------------------------------------------------------------===//

#include "baco/Analysis/IndexDivisor.h"
#include "baco/Support/NvidiaGpu.h"
#include "baco/TransformOps/GpuOps.h"

#include "mlir/Analysis/FlatLinearValueConstraints.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/NVGPU/IR/NVGPUDialect.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

#include <numeric>

using namespace mlir;
using namespace baco;

namespace {
/// Elements of a row of a buffer that one op accesses.
struct RowAccess {
  Operation *op;
  /// The index of the first one in its row.
  OpOperand *column;
  int64_t width;
};

/// The order of a buffer's rows: parts of vectors are next to those of others.
struct RowOrder {
  /// Elements of a vector, and of a part.
  int64_t vector, part;
  /// Elements of a row in the same parts of all vectors.
  int64_t run;
};
} // namespace

/// Whether `view` has whole rows of what it is a view of.
static bool hasWholeRows(memref::SubViewOp view) {
  return !view.getDroppedDims().test(view.getSourceType().getRank() - 1) &&
         view.getStaticOffsets().back() == 0 &&
         view.getStaticStrides().back() == 1 &&
         view.getStaticSizes().back() == view.getSourceType().getShape().back();
}

/// The access of `use`, a memref; nullopt if it is none of a known width.
static std::optional<RowAccess> findRowAccess(OpOperand &use) {
  Operation *op = use.getOwner();
  auto at = [&](auto access, Type type) -> std::optional<RowAccess> {
    auto vector = dyn_cast<VectorType>(type);
    if (access.getIndices().empty() || (vector && vector.getRank() != 1))
      return std::nullopt;
    return RowAccess{
        op, &access.getIndicesMutable()[access.getIndices().size() - 1],
        vector ? vector.getNumElements() : 1};
  };
  if (auto load = dyn_cast<vector::LoadOp>(op))
    return at(load, load.getVectorType());
  if (auto store = dyn_cast<vector::StoreOp>(op))
    return at(store, store.getVectorType());
  if (auto load = dyn_cast<memref::LoadOp>(op))
    return at(load, load.getType());
  if (auto store = dyn_cast<memref::StoreOp>(op))
    return at(store, store.getValue().getType());
  auto copy = dyn_cast<nvgpu::DeviceAsyncCopyOp>(op);
  if (!copy || copy.getSrc() == use.get())
    return std::nullopt;
  return RowAccess{
      op, &copy.getDstIndicesMutable()[copy.getDstIndices().size() - 1],
      copy.getDstElements().getSExtValue()};
}

/// All accesses of `buffer`; nullopt if there may be others.
static std::optional<SmallVector<RowAccess>> listRowAccesses(Value buffer) {
  SmallVector<RowAccess> accesses;
  SmallVector<Value> parts = {buffer};
  while (!parts.empty())
    for (OpOperand &use : parts.pop_back_val().getUses()) {
      auto view = dyn_cast<memref::SubViewOp>(use.getOwner());
      if ((view && hasWholeRows(view)) || isa<memref::CastOp>(use.getOwner())) {
        parts.push_back(use.getOwner()->getResult(0));
        continue;
      }
      std::optional<RowAccess> access = findRowAccess(use);
      if (!access)
        return std::nullopt;
      accesses.push_back(*access);
    }
  return accesses;
}

/// The order in which `accesses` of a buffer of `type` have fewer conflicts;
/// nullopt if there is none.
static std::optional<RowOrder> findRowOrder(MemRefType type,
                                            ArrayRef<RowAccess> accesses) {
  Type element = type.getElementType();
  if (!element.isIntOrFloat() || element.getIntOrFloatBitWidth() % 8 != 0 ||
      element.getIntOrFloatBitWidth() / 8 > nvidia::maxAccessBytes)
    return std::nullopt;
  RowOrder order{
      0, nvidia::maxAccessBytes / (element.getIntOrFloatBitWidth() / 8), 0};
  for (const RowAccess &access : accesses) {
    if (access.width <= order.part)
      continue;
    bool isOther = order.vector != 0 && access.width != order.vector;
    if (isOther || !isa<vector::LoadOp, vector::StoreOp>(access.op))
      return std::nullopt;
    order.vector = access.width;
  }
  int64_t row = type.getShape().back();
  if (order.vector == 0 || order.vector % order.part != 0 ||
      row % order.vector != 0)
    return std::nullopt;
  order.run = row / order.vector * order.part;
  for (const RowAccess &access : accesses)
    if (findDivisor(access.column->get()) % access.width != 0 ||
        (access.width < order.part && order.part % access.width != 0))
      return std::nullopt;
  return order;
}

/// The indices of part `number` of the vector at `indices`.
static SmallVector<Value> indicesOfPart(RewriterBase &rewriter, Location loc,
                                        ValueRange indices, int64_t number,
                                        const RowOrder &order) {
  SmallVector<Value> at(indices);
  AffineExpr column = rewriter.getAffineDimExpr(0);
  at.back() = affine::makeComposedAffineApply(
      rewriter, loc,
      column.floorDiv(order.vector) * order.part + number * order.run,
      OpFoldResult(indices.back()));
  return at;
}

/// Loads the parts of a vector.
static void loadParts(RewriterBase &rewriter, vector::LoadOp load,
                      const RowOrder &order) {
  Location loc = load.getLoc();
  rewriter.setInsertionPoint(load);
  auto type =
      VectorType::get({order.part}, load.getVectorType().getElementType());
  Value all;
  for (int64_t number = 0; number * order.part < order.vector; ++number) {
    Value part = vector::LoadOp::create(
        rewriter, loc, type, load.getBase(),
        indicesOfPart(rewriter, loc, load.getIndices(), number, order));
    if (!all) {
      all = part;
      continue;
    }
    auto elements = llvm::to_vector(llvm::seq((number + 1) * order.part));
    all = vector::ShuffleOp::create(rewriter, loc, all, part, elements);
  }
  rewriter.replaceOp(load, all);
}

/// Stores the parts of a vector.
static void storeParts(RewriterBase &rewriter, vector::StoreOp store,
                       const RowOrder &order) {
  Location loc = store.getLoc();
  rewriter.setInsertionPoint(store);
  for (int64_t number = 0; number * order.part < order.vector; ++number) {
    Value part = vector::ExtractStridedSliceOp::create(
        rewriter, loc, store.getValueToStore(),
        ArrayRef<int64_t>{number * order.part}, ArrayRef<int64_t>{order.part},
        ArrayRef<int64_t>{1});
    vector::StoreOp::create(
        rewriter, loc, part, store.getBase(),
        indicesOfPart(rewriter, loc, store.getIndices(), number, order));
  }
  rewriter.eraseOp(store);
}

/// Lets an access of at most a part of a vector find it.
static void moveColumn(RewriterBase &rewriter, const RowAccess &access,
                       const RowOrder &order) {
  Location loc = access.op->getLoc();
  rewriter.setInsertionPoint(access.op);
  Value column = access.column->get();
  auto constant = [&](int64_t value) -> Value {
    return arith::ConstantIndexOp::create(rewriter, loc, value);
  };
  auto quotient = [&](Value value, int64_t by) -> Value {
    return arith::DivUIOp::create(rewriter, loc, value, constant(by));
  };
  auto remainder = [&](Value value, int64_t by) -> Value {
    return arith::RemUIOp::create(rewriter, loc, value, constant(by));
  };
  auto product = [&](Value value, int64_t by) -> Value {
    return arith::MulIOp::create(rewriter, loc, value, constant(by));
  };
  Value number = quotient(remainder(column, order.vector), order.part);
  Value moved = arith::AddIOp::create(
      rewriter, loc, product(quotient(column, order.vector), order.part),
      product(number, order.run));
  if (access.width != order.part)
    moved = arith::AddIOp::create(rewriter, loc, moved,
                                  remainder(column, order.part));
  rewriter.modifyOpInPlace(access.op, [&] { access.column->set(moved); });
}

static void interleave(RewriterBase &rewriter, Value buffer) {
  auto type = cast<MemRefType>(buffer.getType());
  // Others may access global memory.
  if (!type.hasStaticShape() || type.getRank() == 0 ||
      !gpu::GPUDialect::isWorkgroupMemoryAddressSpace(type.getMemorySpace()))
    return;
  std::optional<SmallVector<RowAccess>> accesses = listRowAccesses(buffer);
  std::optional<RowOrder> order =
      accesses ? findRowOrder(type, *accesses) : std::nullopt;
  if (!order)
    return;
  for (const RowAccess &access : *accesses)
    if (access.width != order->vector)
      moveColumn(rewriter, access, *order);
    else if (auto load = dyn_cast<vector::LoadOp>(access.op))
      loadParts(rewriter, load, *order);
    else
      storeParts(rewriter, cast<vector::StoreOp>(access.op), *order);
}

//===----------------------------------------------------------------------===//
// Rows
//===----------------------------------------------------------------------===//

/// Whether `view` has all rows of what it is a view of.
static bool hasAllRows(memref::SubViewOp view) {
  int64_t rank = view.getSourceType().getRank();
  return rank >= 2 && !view.getDroppedDims().test(rank - 1) &&
         !view.getDroppedDims().test(rank - 2) &&
         view.getStaticOffsets()[rank - 2] == 0 &&
         view.getStaticOffsets()[rank - 1] == 0 &&
         view.getStaticStrides()[rank - 2] == 1 &&
         view.getStaticStrides()[rank - 1] == 1 &&
         view.getStaticSizes()[rank - 2] ==
             view.getSourceType().getDimSize(rank - 2);
}

/// The numbers of the rows that ops access in `buffer`; nullopt if there may be
/// others.
static std::optional<SmallVector<OpOperand *>> listRows(Value buffer) {
  SmallVector<OpOperand *> rows;
  SmallVector<Value> parts = {buffer};
  while (!parts.empty())
    for (OpOperand &use : parts.pop_back_val().getUses()) {
      auto view = dyn_cast<memref::SubViewOp>(use.getOwner());
      if ((view && hasAllRows(view)) || isa<memref::CastOp>(use.getOwner())) {
        parts.push_back(use.getOwner()->getResult(0));
        continue;
      }
      std::optional<RowAccess> access = findRowAccess(use);
      if (!access)
        return std::nullopt;
      rows.push_back(
          &access->op->getOpOperand(access->column->getOperandNumber() - 1));
    }
  return rows;
}

/// `row` as a multiple of the first number and the second one, a constant.
static std::pair<int64_t, int64_t> splitRow(Value row) {
  if (std::optional<int64_t> constant = getConstantIntValue(row))
    return {0, *constant};
  auto apply = row.getDefiningOp<affine::AffineApplyOp>();
  AffineMap map = apply ? apply.getAffineMap() : AffineMap();
  SmallVector<int64_t> terms;
  if (!map || failed(getFlattenedAffineExpr(map.getResult(0), map.getNumDims(),
                                            map.getNumSymbols(), &terms)))
    return {1, 0};
  int64_t divisor = 0;
  for (int64_t factor : ArrayRef(terms).drop_back())
    divisor = std::gcd(divisor, factor);
  return {divisor, terms.back()};
}

/// How many rows next to each other a thread loads, if neighbors load the next
/// ones; 1 otherwise.
static int64_t findRun(ArrayRef<OpOperand *> rows) {
  int64_t run = 0, last = 0;
  for (OpOperand *row : rows)
    if (isa<vector::LoadOp, memref::LoadOp>(row->getOwner())) {
      auto [divisor, constant] = splitRow(row->get());
      run = std::gcd(run, divisor);
      last = std::max(last, constant);
    }
  return run > 1 && last == run - 1 ? run : 1;
}

/// Puts the first rows of all threads before the second ones, and so on, if
/// their vectors of 16 bytes are in different banks then.
static void spreadRows(RewriterBase &rewriter, Value buffer) {
  auto type = cast<MemRefType>(buffer.getType());
  if (!type.hasStaticShape() || type.getRank() < 2 ||
      !type.getElementType().isIntOrFloat() ||
      !gpu::GPUDialect::isWorkgroupMemoryAddressSpace(type.getMemorySpace()))
    return;
  std::optional<SmallVector<OpOperand *>> rows = listRows(buffer);
  int64_t run = rows ? findRun(*rows) : 1,
          count = type.getDimSize(type.getRank() - 2),
          bits = type.getElementTypeBitWidth() * type.getShape().back(),
          bank = 8 * nvidia::maxAccessBytes;
  constexpr int64_t numBanks = 8;
  if (run == 1 || count % run != 0 || bits % bank != 0 ||
      std::gcd(bits / bank, numBanks) >= std::gcd(run * bits / bank, numBanks))
    return;
  AffineExpr row = rewriter.getAffineDimExpr(0);
  AffineExpr moved = (row % run) * (count / run) + row.floorDiv(run);
  for (OpOperand *operand : *rows) {
    Operation *op = operand->getOwner();
    rewriter.setInsertionPoint(op);
    Value place = affine::makeComposedAffineApply(rewriter, op->getLoc(), moved,
                                                  OpFoldResult(operand->get()));
    rewriter.modifyOpInPlace(op, [&] { operand->set(place); });
  }
}

DiagnosedSilenceableFailure
GpuInterleaveOp::apply(transform::TransformRewriter &rewriter,
                       transform::TransformResults &results,
                       transform::TransformState &state) {
  for (Operation *function : state.getPayloadOps(getTarget())) {
    SmallVector<Value> buffers;
    function->walk([&](gpu::LaunchOp launch) {
      llvm::append_range(buffers, launch.getWorkgroupAttributions());
      launch.walk([&](memref::ViewOp view) { buffers.push_back(view); });
    });
    for (Value buffer : buffers) {
      interleave(rewriter, buffer);
      if (getRows())
        spreadRows(rewriter, buffer);
    }
  }
  return DiagnosedSilenceableFailure::success();
}
