//===- VectorEmitter.cpp - The body of a loop, in vectors -----------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Values that are the same for all lanes stay scalars until an operation needs
// them as vectors: they are then broadcast where they are used.
//
//===----------------------------------------------------------------------===//

#include "VectorEmitter.h"

#include "mlir/Dialect/Affine/Utils.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "mlir/IR/IntegerSet.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace mlir::affine;
using namespace baco::loopnest;
using vector::CombiningKind;

SmallVector<Value> VectorEmitter::scalar(ValueRange values) {
  return llvm::map_to_vector(values, [&](Value v) { return scalar(v); });
}

VectorEmitter::VectorEmitter(OpBuilder &builder, const VectorPlan &plan,
                             int64_t width, Value first, Value mask)
    : builder(builder), plan(plan), width(width), mask(mask),
      loc(plan.loop->getLoc()) {
  scalars.map(AffineForOp(plan.loop).getInductionVar(), first);
}

SmallVector<Value> VectorEmitter::emit(ValueRange accumulators) {
  for (auto [reduction, accumulator] :
       llvm::zip_equal(plan.carried, accumulators))
    vectors.map(reduction.start, accumulator);
  Block *body = AffineForOp(plan.loop).getBody();
  emitBlock(body);
  SmallVector<Value> results;
  for (auto [reduction, accumulator] :
       llvm::zip_equal(plan.carried, accumulators)) {
    Value end =
        vector(reduction.store
                   ? AffineStoreOp(reduction.store).getValueToStore()
                   : body->getTerminator()->getOperand(reduction.position));
    if (mask)
      end = arith::SelectOp::create(builder, loc, mask, end, accumulator);
    results.push_back(end);
  }
  return results;
}

void VectorEmitter::emitBlock(Block *block) {
  for (Operation &op : block->without_terminator()) {
    loc = op.getLoc();
    emitOp(&op);
  }
}

void VectorEmitter::emitOp(Operation *op) {
  if (plan.reductionOf(op))
    return;
  if (auto access = plan.accesses.find(op); access != plan.accesses.end()) {
    if (access->second == AccessKind::Uniform)
      builder.clone(*op, scalars);
    else if (op->getNumResults() == 0)
      emitStore(op, access->second);
    else
      emitLoad(op, access->second);
    return;
  }
  if (auto found = plan.combined.find(op); found != plan.combined.end())
    return emitReduction(found->second);
  if (auto loop = dyn_cast<AffineForOp>(op))
    return emitLoop(loop);
  if (auto branch = dyn_cast<AffineIfOp>(op))
    return emitIf(branch);
  if (op->getNumResults() > 0 && plan.isVector(op->getResult(0))) {
    // Applications are made where they are needed as values.
    if (!isa<AffineApplyOp>(op))
      emitElementwise(op);
    return;
  }
  builder.clone(*op, scalars);
}

void VectorEmitter::emitElementwise(Operation *op) {
  SmallVector<Value> operands;
  for (Value operand : op->getOperands())
    operands.push_back(vector(operand));
  // Lanes beyond the iterations are undefined, and must not be divisors.
  if (mask &&
      isa<arith::DivSIOp, arith::DivUIOp, arith::RemSIOp, arith::RemUIOp,
          arith::CeilDivSIOp, arith::CeilDivUIOp, arith::FloorDivSIOp>(op))
    for (Value &operand : operands)
      operand = masked(
          operand, builder.getIntegerAttr(getElementTypeOrSelf(operand), 1));
  SmallVector<Type> types;
  for (Type type : op->getResultTypes())
    types.push_back(vectorOf(type));
  OperationState state(loc, op->getName().getStringRef(), operands, types,
                       op->getAttrs());
  Operation *result = builder.create(state);
  vectors.map(op->getResults(), result->getResults());
}

void VectorEmitter::emitReduction(const ReductionUpdate &reduction) {
  auto [op, kind, position] = reduction;
  Value x = scalar(op->getOperand(position));
  bool isFma = isa<math::FmaOp>(op);
  Value lanes =
      isFma ? arith::MulFOp::create(builder, loc, vector(op->getOperand(0)),
                                    vector(op->getOperand(1)))
                  .getResult()
            : vector(op->getOperand(1 - position));
  Type element = op->getResult(0).getType();
  lanes = masked(lanes, neutralElement(kind, element));
  Value all = vector::ReductionOp::create(builder, loc, kind, lanes,
                                          reassociation(element));
  if (isFma) {
    scalars.map(op->getResult(0), arith::AddFOp::create(builder, loc, x, all));
    return;
  }
  Operation *combined = builder.clone(*op, scalars);
  combined->setOperand(position, x);
  combined->setOperand(1 - position, all);
}

void VectorEmitter::define(ValueRange values, ValueRange results) {
  for (auto [value, result] : llvm::zip_equal(values, results))
    (plan.isVector(value) ? vectors : scalars).map(value, result);
}

SmallVector<Value> VectorEmitter::convert(ValueRange values, ValueRange to) {
  SmallVector<Value> results;
  for (auto [value, place] : llvm::zip_equal(values, to))
    results.push_back(plan.isVector(place) ? vector(value) : scalar(value));
  return results;
}

void VectorEmitter::emitLoop(AffineForOp loop) {
  SmallVector<Value> inits = convert(loop.getInits(), loop.getRegionIterArgs());
  auto result = AffineForOp::create(
      builder, loc, scalar(loop.getLowerBoundOperands()),
      loop.getLowerBoundMap(), scalar(loop.getUpperBoundOperands()),
      loop.getUpperBoundMap(), loop.getStepAsInt(), inits,
      [](OpBuilder &, Location, Value, ValueRange) {});
  result->setDiscardableAttrs(loop->getDiscardableAttrDictionary());
  scalars.map(loop.getInductionVar(), result.getInductionVar());
  define(loop.getRegionIterArgs(), result.getRegionIterArgs());
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(result.getBody());
  emitBlock(loop.getBody());
  SmallVector<Value> yielded = convert(
      loop.getBody()->getTerminator()->getOperands(), loop.getRegionIterArgs());
  AffineYieldOp::create(builder, loop.getLoc(), yielded);
  define(loop.getResults(), result.getResults());
}

void VectorEmitter::emitIf(AffineIfOp branch) {
  SmallVector<Type> types;
  for (Value result : branch.getResults())
    types.push_back(plan.isVector(result) ? vectorOf(result.getType())
                                          : result.getType());
  auto result = AffineIfOp::create(builder, loc, types, branch.getIntegerSet(),
                                   scalar(branch.getOperands()),
                                   /*withElseRegion=*/branch.hasElse());
  for (auto [from, to] :
       llvm::zip_equal(branch->getRegions(), result->getRegions())) {
    if (from.empty())
      continue;
    to.front().clear();
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(&to.front());
    emitBlock(&from.front());
    SmallVector<Value> yielded = convert(
        from.front().getTerminator()->getOperands(), branch.getResults());
    AffineYieldOp::create(builder, branch.getLoc(), yielded);
  }
  define(branch.getResults(), result.getResults());
}

Value VectorEmitter::constant(TypedAttr element) {
  auto type = vectorOf(element.getType());
  return arith::ConstantOp::create(builder, loc,
                                   DenseElementsAttr::get(type, element));
}

Value VectorEmitter::masked(Value value, TypedAttr element) {
  if (!mask)
    return value;
  return arith::SelectOp::create(builder, loc, mask, value, constant(element));
}

Value VectorEmitter::vector(Value value) {
  if (Value known = vectors.lookupOrNull(value))
    return known;
  AffineForOp loop = plan.loop;
  if (value == loop.getInductionVar()) {
    VectorType type = vectorOf(value.getType());
    Value steps = vector::StepOp::create(builder, loc, type);
    if (loop.getStepAsInt() != 1)
      steps = arith::MulIOp::create(
          builder, loc, steps,
          constant(builder.getIndexAttr(loop.getStepAsInt())));
    Value first =
        vector::BroadcastOp::create(builder, loc, type, scalar(value));
    return arith::AddIOp::create(builder, loc, first, steps);
  }
  auto apply = value.getDefiningOp<AffineApplyOp>();
  if (apply && plan.isVector(value)) {
    Address address{Value(), apply.getAffineMap(),
                    llvm::to_vector(apply.getMapOperands())};
    fullyComposeAffineMapAndOperands(&address.map, &address.operands);
    SmallVector<Value> lanes;
    for (int64_t lane = 0; lane < width; ++lane)
      lanes.push_back(indices(laneOf(address, loop, lane)).front());
    return vector::FromElementsOp::create(builder, loc,
                                          vectorOf(value.getType()), lanes);
  }
  return vector::BroadcastOp::create(builder, loc, vectorOf(value.getType()),
                                     scalar(value));
}

/// Whether affine operations may take the operands.
static bool isAffine(const Address &address) {
  return llvm::all_of(address.operands, [](Value operand) {
    return isValidDim(operand) || isValidSymbol(operand);
  });
}

SmallVector<Value> VectorEmitter::indices(const Address &address) {
  SmallVector<Value> operands = scalar(ValueRange(address.operands));
  unsigned numDims = address.map.getNumDims();
  if (!isAffine(address))
    return llvm::to_vector_of<Value>(
        *expandAffineMap(builder, loc, address.map, operands));
  return llvm::map_to_vector(
      address.map.getResults(), [&](AffineExpr expr) -> Value {
        if (auto dim = dyn_cast<AffineDimExpr>(expr))
          return operands[dim.getPosition()];
        auto map = AffineMap::get(numDims, address.map.getNumSymbols(), expr);
        return AffineApplyOp::create(builder, loc, map, operands);
      });
}

Address VectorEmitter::blockAddress(Operation *op, AccessKind kind) {
  Address address = *addressOf(op);
  return kind == AccessKind::Reversed ? laneOf(address, plan.loop, width - 1)
                                      : address;
}

Value VectorEmitter::reversed(Value value) {
  SmallVector<int64_t> order;
  for (int64_t lane = width - 1; lane >= 0; --lane)
    order.push_back(lane);
  return vector::ShuffleOp::create(builder, loc, value, value, order);
}

Value VectorEmitter::blockMask(AccessKind kind) {
  return kind == AccessKind::Reversed ? reversed(mask) : mask;
}

SmallVector<Value> VectorEmitter::laneIndices(Operation *op, int64_t lane) {
  SmallVector<Value> results;
  unsigned rank = cast<MemRefType>(addressOf(op)->memref.getType()).getRank();
  for (Value index : op->getOperands().take_back(rank))
    results.push_back(
        plan.isVector(index)
            ? vector::ExtractOp::create(builder, loc, vector(index), lane)
                  .getResult()
            : scalar(index));
  return results;
}

Value VectorEmitter::loadLane(Operation *op, int64_t lane) {
  Address address = laneOf(*addressOf(op), plan.loop, lane);
  Value memref = scalar(address.memref);
  if (isa<memref::LoadOp>(op))
    return memref::LoadOp::create(builder, loc, memref, laneIndices(op, lane));
  return AffineLoadOp::create(builder, loc, memref, address.map,
                              scalar(ValueRange(address.operands)));
}

void VectorEmitter::storeLane(Operation *op, int64_t lane, Value value) {
  Address address = laneOf(*addressOf(op), plan.loop, lane);
  Value memref = scalar(address.memref);
  if (isa<memref::StoreOp>(op))
    memref::StoreOp::create(builder, loc, value, memref, laneIndices(op, lane));
  else
    AffineStoreOp::create(builder, loc, value, memref, address.map,
                          scalar(ValueRange(address.operands)));
}

Value VectorEmitter::loadBlock(const Address &address, VectorType type) {
  Value memref = scalar(address.memref);
  if (!isAffine(address))
    return vector::LoadOp::create(builder, loc, type, memref, indices(address));
  return AffineVectorLoadOp::create(builder, loc, type, memref, address.map,
                                    scalar(ValueRange(address.operands)));
}

Value VectorEmitter::loadStrided(Operation *op) {
  Address address = *addressOf(op);
  VectorType type = vectorOf(op->getResult(0).getType());
  int64_t stride = findStrides(address, plan.loop)->back();
  // The last one ends with the last element.
  int64_t lastStart = (width - 1) * (stride - 1);
  Value result;
  for (int64_t part = 0; part < stride; ++part) {
    int64_t start = std::min(part * width, lastStart);
    Value loaded = loadBlock(
        {address.memref, offsetLast(address.map, start), address.operands},
        type);
    SmallVector<int64_t> lanes;
    for (int64_t lane = 0; lane < width; ++lane) {
      int64_t element = lane * stride;
      bool isHere = std::min(element / width, stride - 1) == part;
      lanes.push_back(isHere ? width + element - start : lane);
    }
    result = part == 0 ? loaded : result;
    // In the first part no lane has its element yet.
    result = vector::ShuffleOp::create(builder, loc, result, loaded, lanes);
  }
  return result;
}

void VectorEmitter::emitLoad(Operation *op, AccessKind kind) {
  Value result = op->getResult(0);
  VectorType type = vectorOf(result.getType());
  if (kind == AccessKind::Strided && width >= maxVectorStride) {
    vectors.map(result, loadStrided(op));
    return;
  }
  if (kind == AccessKind::PerLane || kind == AccessKind::Strided) {
    SmallVector<Value> lanes;
    for (int64_t lane = 0; lane < width; ++lane)
      lanes.push_back(loadLane(op, lane));
    vectors.map(result,
                vector::FromElementsOp::create(builder, loc, type, lanes));
    return;
  }
  Address address = blockAddress(op, kind);
  Value loaded =
      mask ? vector::MaskedLoadOp::create(
                 builder, loc, type, scalar(address.memref), indices(address),
                 blockMask(kind), ub::PoisonOp::create(builder, loc, type))
                 .getResult()
           : loadBlock(address, type);
  vectors.map(result, kind == AccessKind::Reversed ? reversed(loaded) : loaded);
}

void VectorEmitter::emitStore(Operation *op, AccessKind kind) {
  Value value = vector(op->getOperand(0));
  Value memref = scalar(addressOf(op)->memref);
  if (kind == AccessKind::PerLane) {
    for (int64_t lane = 0; lane < width; ++lane)
      storeLane(op, lane, vector::ExtractOp::create(builder, loc, value, lane));
    return;
  }
  if (kind == AccessKind::Reversed)
    value = reversed(value);
  Address address = blockAddress(op, kind);
  if (mask) {
    vector::MaskedStoreOp::create(builder, loc, memref, indices(address),
                                  blockMask(kind), value);
    return;
  }
  SmallVector<Value> operands = scalar(ValueRange(address.operands));
  if (isAffine(address))
    AffineVectorStoreOp::create(builder, loc, value, memref, address.map,
                                operands);
  else
    vector::StoreOp::create(builder, loc, value, memref, indices(address));
}
