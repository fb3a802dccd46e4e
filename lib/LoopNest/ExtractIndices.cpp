//===- ExtractIndices.cpp - Index values as affine expressions ------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ExtractIndices.h"
#include "AffineReader.h"
#include "baco/IR/Walk.h"

#include "baco/LoopNest/MemoryAccess.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;
using namespace baco;
using namespace baco::loopnest;

Value baco::loopnest::accessedMemref(Operation *access) {
  // The value comes before the memref in a store.
  return access->getOperand(isStore(access) ? 1 : 0);
}

Value baco::loopnest::storedValue(Operation *store) {
  return store->getOperand(0);
}

bool baco::loopnest::hasOwnEffects(Operation *op) {
  if (auto effects = dyn_cast<MemoryEffectOpInterface>(op))
    return !effects.hasNoEffect();
  return !op->hasTrait<OpTrait::HasRecursiveMemoryEffects>();
}

std::string baco::loopnest::toText(AffineExpr expression) {
  if (auto constant = dyn_cast<AffineConstantExpr>(expression))
    return std::to_string(constant.getValue());
  if (auto dim = dyn_cast<AffineDimExpr>(expression))
    return "i" + std::to_string(dim.getPosition());
  if (auto symbol = dyn_cast<AffineSymbolExpr>(expression))
    return "p" + std::to_string(symbol.getPosition());
  auto binary = cast<AffineBinaryOpExpr>(expression);
  std::string lhs = toText(binary.getLHS()), rhs = toText(binary.getRHS());
  switch (binary.getKind()) {
  case AffineExprKind::Add:
    return "(" + lhs + " + " + rhs + ")";
  case AffineExprKind::Mul:
    // isl expects the constant first.
    if (isa<AffineConstantExpr>(binary.getRHS()))
      std::swap(lhs, rhs);
    return "(" + lhs + " * " + rhs + ")";
  case AffineExprKind::Mod:
    return "((" + lhs + ") mod " + rhs + ")";
  case AffineExprKind::FloorDiv:
    return "floor((" + lhs + ")/" + rhs + ")";
  default:
    return "ceil((" + lhs + ")/" + rhs + ")";
  }
}

IndexReader::IndexReader(Nest &nest, Operation *first, Operation *last)
    : nest(nest), block(first->getBlock()) {
  for (Operation &op : opsFrom(first, last)) {
    operations.insert(&op);
    op.walk([&](Operation *inner) {
      if (isLoad(inner) || isStore(inner))
        connect(accessedMemref(inner));
    });
  }
}

/// Puts a memref into one array with all memrefs that it may alias, which may
/// join some that don't alias each other.
void IndexReader::connect(Value memref) {
  if (connected.contains(memref))
    return;
  connected.insert(memref);
  for (Value other : memrefs)
    if (mayOverlap(memref, other))
      connected.unionSets(memref, other);
  memrefs.push_back(memref);
}

bool IndexReader::isInside(Operation *op) const {
  Operation *ancestor = block->findAncestorOpInBlock(*op);
  return ancestor && operations.contains(ancestor);
}

bool IndexReader::isInside(Value value) const {
  if (Operation *def = value.getDefiningOp())
    return isInside(def);
  Operation *parent = value.getParentBlock()->getParentOp();
  return parent && isInside(parent);
}

AffineExpr IndexReader::parameter(Value value,
                                  std::optional<int64_t> dimension) {
  const NestParameter *known =
      llvm::find_if(nest.parameters, [&](const NestParameter &parameter) {
        return parameter.value == value && parameter.dimension == dimension;
      });
  size_t index = known - nest.parameters.begin();
  if (index == nest.parameters.size())
    nest.parameters.push_back({value, dimension});
  return getAffineSymbolExpr(index, value.getContext());
}

AffineExpr IndexReader::readExtent(Value memref, int64_t dimension) {
  auto type = dyn_cast<MemRefType>(memref.getType());
  if (!type || dimension < 0 || dimension >= type.getRank())
    return {};
  if (!type.isDynamicDim(dimension))
    return getAffineConstantExpr(type.getDimSize(dimension),
                                 memref.getContext());
  if (isInside(memref))
    return {};
  return parameter(memref, dimension);
}

AffineExpr IndexReader::read(Value value, Iterators iterators) {
  for (auto [depth, iterator] : llvm::enumerate(iterators))
    if (iterator == value)
      return getAffineDimExpr(depth, value.getContext());
  if (std::optional<int64_t> constant = getConstantIntValue(value))
    return getAffineConstantExpr(*constant, value.getContext());
  Operation *def = value.getDefiningOp();
  if (auto dim = dyn_cast_or_null<memref::DimOp>(def))
    if (std::optional<int64_t> index = dim.getConstantIndex())
      if (AffineExpr extent = readExtent(dim.getSource(), *index))
        return extent;
  if (!isInside(value))
    return affine::isValidDim(value) || affine::isValidSymbol(value)
               ? parameter(value)
               : AffineExpr();
  if (!def)
    return {};
  if (auto apply = dyn_cast<affine::AffineApplyOp>(def)) {
    auto results =
        read(apply.getAffineMap(), apply.getMapOperands(), iterators);
    return results ? results->front() : AffineExpr();
  }
  return readIndexArithmetic(def, [&](Value v) { return read(v, iterators); });
}

std::optional<SmallVector<AffineExpr>>
IndexReader::read(AffineMap map, ValueRange operands, Iterators iterators) {
  SmallVector<AffineExpr> dims, symbols;
  for (auto [index, operand] : llvm::enumerate(operands)) {
    AffineExpr expression = read(operand, iterators);
    if (!expression)
      return std::nullopt;
    (index < map.getNumDims() ? dims : symbols).push_back(expression);
  }
  SmallVector<AffineExpr> results;
  for (AffineExpr result : map.getResults()) {
    results.push_back(result.replaceDimsAndSymbols(dims, symbols));
    // A product or quotient of two parameters is not affine for isl.
    if (!results.back().isPureAffine())
      return std::nullopt;
  }
  return results;
}

std::optional<SmallVector<AffineExpr>>
IndexReader::readSubscripts(Operation *access, Iterators iterators) {
  Address address = *writtenAddressOf(access);
  return read(address.map, address.operands, iterators);
}

void IndexReader::readLastSubscript(NestAccess &access, Iterators iterators) {
  Address address = *writtenAddressOf(access.op);
  if (address.map.getNumResults() == 0)
    return;
  unsigned last = address.map.getNumResults() - 1;
  AffineMap lastMap = address.map.getSubMap({last});
  SmallVector<Value> operands = address.operands;
  affine::canonicalizeMapAndOperands(&lastMap, &operands);
  auto known = read(lastMap, operands, iterators);
  if (!known)
    return;
  access.lastSubscript = known->front();
  auto isContiguous = [&](unsigned depth) {
    AffineExpr rest = simplifyAffineExpr(
        access.lastSubscript - getAffineDimExpr(depth, access.op->getContext()),
        iterators.size(), nest.parameters.size());
    auto loop = affine::getForInductionVarOwner(iterators[depth]);
    return loop && !rest.isFunctionOfDim(depth) &&
           llvm::none_of(llvm::seq(last), [&](unsigned result) {
             AffineMap map = address.map.getSubMap({result});
             SmallVector<Value> used = address.operands;
             affine::canonicalizeMapAndOperands(&map, &used);
             return llvm::any_of(
                 used, [&](Value value) { return dependsOn(value, loop); });
           });
  };
  for (unsigned depth = iterators.size(); depth-- > 0;)
    if (isContiguous(depth)) {
      access.contiguousLoop = depth;
      return;
    }
}

size_t IndexReader::array(Value memref) {
  if (auto it = arrays.find(memref); it != arrays.end())
    return it->second;
  connect(memref);
  size_t index = 0;
  for (; index < nest.arrays.size(); ++index) {
    Value known = nest.arrays[index].memref;
    if (!connected.isEquivalent(known, memref))
      continue;
    // Two views, or a view and its source: subscripts don't compare.
    if (!isSameRoot(known, memref))
      nest.arrays[index].isOpaque = true;
    break;
  }
  if (index == nest.arrays.size())
    nest.arrays.push_back({memref});
  return arrays[memref] = index;
}
