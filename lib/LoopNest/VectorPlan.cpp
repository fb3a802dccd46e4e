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

#include "VectorPlan.h"

#include "MemoryAccess.h"
#include "StridedLoad.h"

#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/TypeSwitch.h"

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

std::optional<Address> baco::loopnest::addressOf(Operation *op) {
  Address address;
  auto affine = [&](auto access) {
    address = {access.getMemref(), access.getAffineMap(),
               llvm::to_vector(access.getMapOperands())};
    return true;
  };
  auto plain = [&](auto access) {
    address = {access.getMemref(),
               AffineMap::getMultiDimIdentityMap(access.getIndices().size(),
                                                 op->getContext()),
               llvm::to_vector(access.getIndices())};
    return true;
  };
  bool isAccess = llvm::TypeSwitch<Operation *, bool>(op)
                      .Case<AffineLoadOp, AffineStoreOp>(affine)
                      .Case<memref::LoadOp, memref::StoreOp>(plain)
                      .Default([](Operation *) { return false; });
  if (!isAccess)
    return std::nullopt;
  fullyComposeAffineMapAndOperands(&address.map, &address.operands);
  canonicalizeMapAndOperands(&address.map, &address.operands);
  return address;
}

Address baco::loopnest::laneOf(const Address &address, AffineForOp loop,
                               int64_t lane) {
  MLIRContext *context = loop.getContext();
  SmallVector<AffineExpr> dims, symbols;
  unsigned numDims = address.map.getNumDims();
  for (unsigned i = 0; i < numDims; ++i)
    dims.push_back(getAffineDimExpr(i, context));
  for (unsigned i = 0; i < address.map.getNumSymbols(); ++i)
    symbols.push_back(getAffineSymbolExpr(i, context));
  for (auto [i, operand] : llvm::enumerate(address.operands))
    if (operand == loop.getInductionVar())
      (i < numDims ? dims[i] : symbols[i - numDims]) =
          (i < numDims ? dims[i] : symbols[i - numDims]) +
          lane * loop.getStepAsInt();
  Address result = address;
  result.map = simplifyAffineMap(address.map.replaceDimsAndSymbols(
      dims, symbols, numDims, address.map.getNumSymbols()));
  return result;
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
    WalkResult result = body->walk<WalkOrder::PreOrder>([&](Operation *op) {
      return failed(check(op)) ? WalkResult::interrupt()
                               : WalkResult::advance();
    });
    if (result.wasInterrupted())
      return failure();
    return std::move(plan);
  }

private:
  LogicalResult findCarriedValues();
  void findReduction(AffineStoreOp store);
  bool isAlone(const Reduction &reduction);
  AccessKind classify(Operation *op);
  void propagate(Block &block);
  void propagate(Operation *op);
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
  Address next = laneOf(address, plan.loop, 1);
  SmallVector<int64_t> deltas;
  for (auto [a, b] :
       llvm::zip_equal(next.map.getResults(), address.map.getResults())) {
    auto delta = dyn_cast<AffineConstantExpr>(simplifyAffineExpr(
        a - b, address.map.getNumDims(), address.map.getNumSymbols()));
    if (!delta)
      return AccessKind::PerLane;
    deltas.push_back(delta.getValue());
  }
  if (llvm::all_of(deltas, [](int64_t delta) { return delta == 0; }))
    return AccessKind::Uniform;
  auto type = cast<MemRefType>(address.memref.getType());
  if (llvm::any_of(ArrayRef(deltas).drop_back(),
                   [](int64_t delta) { return delta != 0; }) ||
      !type.isLastDimUnitStride() || !isPackedAsVector(type.getElementType()))
    return AccessKind::PerLane;
  if (deltas.back() == 1)
    return AccessKind::Contiguous;
  if (deltas.back() == -1)
    return AccessKind::Reversed;
  bool isLoad = op->getNumResults() == 1;
  return isLoad && deltas.back() > 1 && deltas.back() <= maxVectorStride
             ? AccessKind::Strided
             : AccessKind::PerLane;
}

void Planner::propagate(Block &block) {
  for (Operation &op : block)
    propagate(&op);
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
