//===- VectorPlan.cpp - How each operation is vectorized ------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Three steps: reductions are found from their stores and carried values, then
// it is propagated which values differ between the lanes, and then each
// operation is checked.
//
//===----------------------------------------------------------------------===//

#include "baco/LoopNest/VectorPlan.h"

#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;
using namespace mlir::affine;
using namespace baco::loopnest;
using vector::CombiningKind;

const Reduction *VectorPlan::reductionOf(Operation *op) const {
  for (const Reduction &reduction : carried)
    if (reduction.load == op || reduction.store == op)
      return &reduction;
  return nullptr;
}

Address baco::loopnest::laneOf(const Address &address, AffineForOp loop,
                               int64_t lane) {
  unsigned numDims = address.map.getNumDims(),
           numSymbols = address.map.getNumSymbols();
  Address result = address;
  for (auto [i, operand] : llvm::enumerate(address.operands)) {
    if (operand != loop.getInductionVar())
      continue;
    AffineExpr expr = i < numDims
                          ? getAffineDimExpr(i, loop.getContext())
                          : getAffineSymbolExpr(i - numDims, loop.getContext());
    result.map = result.map.replace(expr, expr + lane * loop.getStepAsInt(),
                                    numDims, numSymbols);
  }
  result.map = simplifyAffineMap(result.map);
  return result;
}

std::optional<SmallVector<int64_t>>
baco::loopnest::findStrides(const Address &address, AffineForOp loop) {
  Address next = laneOf(address, loop, 1);
  SmallVector<int64_t> strides;
  for (auto [a, b] :
       llvm::zip_equal(next.map.getResults(), address.map.getResults()))
    if (auto stride = constantDifference(a, b, address.map.getNumDims(),
                                         address.map.getNumSymbols()))
      strides.push_back(*stride);
    else
      return std::nullopt;
  return strides;
}

namespace {
class Planner {
public:
  Planner(AffineForOp loop) { plan.loop = loop; }

  FailureOr<VectorPlan> run() {
    Block *body = plan.loop.getBody();
    if (failed(findCarriedValues()))
      return failure();
    body->walk([&](AffineStoreOp store) { findReduction(store); });
    plan.vectors.insert(plan.loop.getInductionVar());
    for (const Reduction &reduction : plan.carried)
      plan.vectors.insert(reduction.start);
    // Values carried by inner loops make it a fixed point.
    size_t known;
    do {
      known = plan.vectors.size();
      propagate(*body);
    } while (plan.vectors.size() != known);
    WalkResult result = body->walk<WalkOrder::PreOrder>(
        [&](Operation *op) -> WalkResult { return check(op); });
    if (result.wasInterrupted())
      return failure();
    return std::move(plan);
  }

private:
  LogicalResult findCarriedValues();
  void findReduction(AffineStoreOp store);
  bool isAlone(const Reduction &reduction);
  AccessKind classify(Operation *op);
  void propagate(Operation *op);
  void propagate(Block &block) {
    for (Operation &op : block)
      propagate(&op);
  }
  LogicalResult check(Operation *op);
  LogicalResult checkAccess(Operation *op);

  bool anyVector(ValueRange values) {
    return llvm::any_of(values, [&](Value v) { return plan.isVector(v); });
  }

  VectorPlan plan;
  AccessReader reader;
};
} // namespace

/// Finds the operations of one block that combine the value for which `isStart`
/// holds to `value`, all in one kind.
static bool findChain(Value value, Block *block,
                      function_ref<bool(Value)> isStart,
                      std::optional<CombiningKind> kind, Reduction &reduction) {
  if (!value.hasOneUse())
    return false;
  if (kind && isStart(value)) {
    reduction.kind = *kind;
    reduction.start = value;
    return true;
  }
  Operation *op = value.getDefiningOp();
  if (!op || op->getBlock() != block)
    return false;
  for (OpOperand &operand : op->getOpOperands()) {
    auto own = combiningKind(op, operand.getOperandNumber());
    if (!own || (kind && *kind != *own) ||
        !findChain(operand.get(), block, isStart, own, reduction))
      continue;
    reduction.chain.push_back({op, *own, operand.getOperandNumber()});
    return true;
  }
  return false;
}

LogicalResult Planner::findCarriedValues() {
  Block *body = plan.loop.getBody();
  for (auto [i, argument] : llvm::enumerate(plan.loop.getRegionIterArgs())) {
    Reduction reduction;
    reduction.position = i;
    Value yielded = body->getTerminator()->getOperand(i);
    if (!findChain(
            yielded, body, [&](Value value) { return value == argument; },
            std::nullopt, reduction))
      return plan.loop.emitOpError("can't be vectorized: its carried value ")
             << i << " isn't a reduction";
    plan.carried.push_back(std::move(reduction));
  }
  return success();
}

void Planner::findReduction(AffineStoreOp store) {
  if (classify(store) != AccessKind::Uniform)
    return;
  auto written = reader.read(store);
  auto isStart = [&](Value value) {
    auto load = value.getDefiningOp<AffineLoadOp>();
    return load && load->getBlock() == store->getBlock() &&
           reader.overlap(*reader.read(load), *written) == Overlap::Same;
  };
  Reduction reduction;
  if (!findChain(store.getValueToStore(), store->getBlock(), isStart,
                 std::nullopt, reduction))
    return;
  reduction.load = reduction.start.getDefiningOp<AffineLoadOp>();
  reduction.store = store;
  if (store->getBlock() == plan.loop.getBody() && isAlone(reduction)) {
    plan.carried.push_back(std::move(reduction));
    return;
  }
  plan.accesses[store] = AccessKind::Uniform;
  for (const ReductionUpdate &combination : reduction.chain)
    plan.combined.insert({combination.op, combination});
}

/// Whether nothing else in the loop touches X.
bool Planner::isAlone(const Reduction &reduction) {
  auto x = reader.read(reduction.store);
  bool isAlone = true;
  forEachAccess(
      plan.loop, reader,
      [&](const MemoryAccess &access) {
        if (access.op != reduction.load && access.op != reduction.store &&
            reader.overlap(*x, access) != Overlap::None)
          isAlone = false;
      },
      [&](Operation *) { isAlone = false; });
  return isAlone;
}

/// Whether LLVM stores vectors of `type` as MLIR lays out arrays of it.
static bool isPackedAsVector(Type type) {
  if (type.isIndex())
    return true;
  if (!type.isIntOrFloat())
    return false;
  unsigned width = type.getIntOrFloatBitWidth();
  return width >= 8 && width <= 64 && llvm::isPowerOf2_32(width);
}

AccessKind Planner::classify(Operation *op) {
  Address address = *addressOf(op);
  Value iv = plan.loop.getInductionVar();
  for (Value operand : address.operands)
    if (operand != iv && plan.isVector(operand))
      return AccessKind::PerLane;
  if (!llvm::is_contained(address.operands, iv))
    return AccessKind::Uniform;
  std::optional<SmallVector<int64_t>> strides = findStrides(address, plan.loop);
  if (!strides)
    return AccessKind::PerLane;
  auto isZero = [](int64_t stride) { return stride == 0; };
  if (llvm::all_of(*strides, isZero))
    return AccessKind::Uniform;
  auto type = cast<MemRefType>(address.memref.getType());
  if (!llvm::all_of(ArrayRef(*strides).drop_back(), isZero) ||
      !type.isLastDimUnitStride() || !isPackedAsVector(type.getElementType()))
    return AccessKind::PerLane;
  int64_t stride = strides->back();
  if (stride == 1)
    return AccessKind::Contiguous;
  if (stride == -1)
    return AccessKind::Reversed;
  return isLoad(op) && stride > 1 && stride <= maxVectorStride
             ? AccessKind::Strided
             : AccessKind::PerLane;
}

void Planner::propagate(Operation *op) {
  if (plan.combined.contains(op))
    return;
  if (addressOf(op)) {
    AccessKind kind = classify(op);
    if (kind != AccessKind::Uniform && op->getNumResults() == 1)
      plan.vectors.insert(op->getResult(0));
    return;
  }
  if (auto loop = dyn_cast<AffineForOp>(op)) {
    for (auto [init, argument] :
         llvm::zip_equal(loop.getInits(), loop.getRegionIterArgs()))
      if (plan.isVector(init))
        plan.vectors.insert(argument);
    propagate(*loop.getBody());
    for (auto [yielded, argument, result] :
         llvm::zip_equal(loop.getBody()->getTerminator()->getOperands(),
                         loop.getRegionIterArgs(), loop.getResults()))
      if (plan.isVector(yielded) || plan.isVector(argument))
        plan.vectors.insert_range(ValueRange{argument, result});
    return;
  }
  if (auto branch = dyn_cast<AffineIfOp>(op)) {
    for (Region &region : branch->getRegions())
      for (Block &block : region) {
        propagate(block);
        for (auto [yielded, result] : llvm::zip(
                 block.getTerminator()->getOperands(), branch.getResults()))
          if (plan.isVector(yielded))
            plan.vectors.insert(result);
      }
    return;
  }
  if (anyVector(op->getOperands()))
    plan.vectors.insert_range(op->getResults());
}

LogicalResult Planner::checkAccess(Operation *op) {
  if (plan.reductionOf(op))
    return success();
  AccessKind kind = classify(op);
  bool isStore = op->getNumResults() == 0;
  if (kind == AccessKind::Uniform && isStore && !plan.accesses.contains(op))
    return op->emitOpError("can't be vectorized: every iteration of the loop "
                           "writes the same element, and not as a reduction");
  if (kind != AccessKind::Uniform &&
      !VectorType::isValidElementType(
          cast<MemRefType>(addressOf(op)->memref.getType()).getElementType()))
    return op->emitOpError(
        "can't be vectorized: its element type can't be in a vector");
  plan.accesses[op] = kind;
  plan.isMaskable &= kind != AccessKind::PerLane && kind != AccessKind::Strided;
  return success();
}

bool baco::loopnest::hasVectorForm(Operation *op) {
  return OpTrait::hasElementwiseMappableTraits(op) &&
         op->getNumRegions() == 0 &&
         llvm::all_of(op->getOperandTypes(), VectorType::isValidElementType) &&
         llvm::all_of(op->getResultTypes(), VectorType::isValidElementType);
}

bool baco::loopnest::callsLibrary(Operation *op) {
  if (!isa<math::ExpOp, math::Exp2Op, math::ExpM1Op, math::LogOp, math::Log2Op,
           math::Log10Op, math::Log1pOp, math::PowFOp, math::SinOp, math::CosOp,
           math::TanOp, math::AsinOp, math::AcosOp, math::AtanOp, math::Atan2Op,
           math::SinhOp, math::CoshOp, math::TanhOp, math::ErfOp, math::ErfcOp,
           math::CbrtOp>(op))
    return false;
  return !op->getResult(0).getType().isF32();
}

LogicalResult Planner::check(Operation *op) {
  if (addressOf(op))
    return checkAccess(op);
  if (isa<AffineYieldOp, AffineApplyOp>(op) || plan.combined.contains(op))
    return success();
  if (auto loop = dyn_cast<AffineForOp>(op)) {
    if (anyVector(loop.getLowerBoundOperands()) ||
        anyVector(loop.getUpperBoundOperands()))
      return op->emitOpError("its bounds depend on the loop to vectorize");
    return success();
  }
  if (auto branch = dyn_cast<AffineIfOp>(op)) {
    if (anyVector(branch.getOperands()))
      return op->emitOpError("its condition depends on the loop to vectorize");
    return success();
  }
  if (!anyVector(op->getOperands())) {
    if (isMemoryEffectFree(op))
      return success();
    return op->emitOpError("has side effects that can't be vectorized");
  }
  if (!hasVectorForm(op))
    return op->emitOpError("has no vector form");
  return success();
}

FailureOr<VectorPlan> baco::loopnest::planVectorization(AffineForOp loop) {
  return Planner(loop).run();
}
