//===- MemoryAccess.cpp - Where operations access memory ------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Each index value gets one dimension, so that equal subscripts are equal
// expressions and most comparisons are one of pointers.
//
//===----------------------------------------------------------------------===//

#include "baco/LoopNest/MemoryAccess.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlir::affine;
using namespace baco::loopnest;

bool baco::loopnest::isLoad(Operation *op) {
  return isa<AffineLoadOp, memref::LoadOp>(op);
}

bool baco::loopnest::isStore(Operation *op) {
  return isa<AffineStoreOp, memref::StoreOp>(op);
}

std::optional<Address> baco::loopnest::writtenAddressOf(Operation *op) {
  auto plain = [&](Value memref, ValueRange indices) {
    auto map =
        AffineMap::getMultiDimIdentityMap(indices.size(), op->getContext());
    return Address{memref, map, llvm::to_vector(indices)};
  };
  return llvm::TypeSwitch<Operation *, std::optional<Address>>(op)
      .Case<AffineReadOpInterface, AffineWriteOpInterface>([](auto access) {
        return Address{access.getMemRef(), access.getAffineMap(),
                       llvm::to_vector(access.getMapOperands())};
      })
      .Case<memref::LoadOp, memref::StoreOp>([&](auto access) {
        return plain(access.getMemref(), access.getIndices());
      })
      .Case<vector::LoadOp, vector::StoreOp, vector::MaskedLoadOp,
            vector::MaskedStoreOp>([&](auto access) {
        return plain(access.getBase(), access.getIndices());
      })
      .Default(std::nullopt);
}

void baco::loopnest::compose(AffineMap &map, SmallVectorImpl<Value> &operands) {
  SmallVector<Value> values(operands.begin(), operands.end());
  fullyComposeAffineMapAndOperands(&map, &values);
  canonicalizeMapAndOperands(&map, &values);
  operands.assign(values.begin(), values.end());
}

std::optional<int64_t> baco::loopnest::constantDifference(AffineExpr a,
                                                          AffineExpr b,
                                                          unsigned numDims,
                                                          unsigned numSymbols) {
  auto constant = dyn_cast<AffineConstantExpr>(
      simplifyAffineExpr(a - b, numDims, numSymbols));
  return constant ? std::optional(constant.getValue()) : std::nullopt;
}

AffineMap baco::loopnest::offsetLast(AffineMap map, int64_t offset) {
  SmallVector<AffineExpr> results(map.getResults());
  results.back() = results.back() + offset;
  return AffineMap::get(map.getNumDims(), map.getNumSymbols(), results,
                        map.getContext());
}

std::optional<Address> baco::loopnest::addressOf(Operation *op) {
  if (!isLoad(op) && !isStore(op))
    return std::nullopt;
  std::optional<Address> address = writtenAddressOf(op);
  compose(address->map, address->operands);
  return address;
}

std::optional<MemoryAccess> AccessReader::read(Operation *op) {
  std::optional<Address> address = writtenAddressOf(op);
  if (!address)
    return std::nullopt;
  MemoryAccess access;
  access.op = op;
  access.isWrite = op->getNumResults() == 0;
  if (auto load = dyn_cast<vector::MaskedLoadOp>(op)) {
    access.mask = load.getMask();
    access.passThrough = load.getPassThru();
  } else if (auto store = dyn_cast<vector::MaskedStoreOp>(op)) {
    access.mask = store.getMask();
    access.storedOperand = &store.getValueToStoreMutable();
  } else if (access.isWrite) {
    access.storedOperand = &op->getOpOperand(0);
  }
  access.type =
      access.isWrite ? access.stored().getType() : op->getResult(0).getType();
  access.memref = address->memref;
  access.root = memoryRoot(access.memref);
  auto type = cast<MemRefType>(access.memref.getType());
  unsigned rank = type.getRank();
  access.extents.assign(rank, 1);
  if (auto vector = dyn_cast<VectorType>(access.type);
      vector && access.type != type.getElementType()) {
    // A vector of scalars covers the last dimensions.
    if (isa<VectorType>(type.getElementType()) || vector.isScalable() ||
        vector.getRank() > rank)
      return access;
    llvm::copy(vector.getShape(), access.extents.end() - vector.getRank());
  }
  fullyComposeAffineMapAndOperands(&address->map, &address->operands);
  access.subscripts = expressions(address->map, address->operands);
  return access;
}

SmallVector<AffineExpr> AccessReader::expressions(AffineMap map,
                                                  ValueRange operands) {
  SmallVector<AffineExpr> replacements;
  for (Value operand : operands) {
    if (auto constant = getConstantIntValue(operand)) {
      replacements.push_back(
          getAffineConstantExpr(*constant, map.getContext()));
      continue;
    }
    auto [position, isNew] = dimensions.try_emplace(operand, values.size());
    if (isNew)
      values.push_back(operand);
    replacements.push_back(
        getAffineDimExpr(position->second, map.getContext()));
  }
  ArrayRef<AffineExpr> all = replacements;
  return llvm::map_to_vector(map.getResults(), [&](AffineExpr expr) {
    return simplifyAffineExpr(
        expr.replaceDimsAndSymbols(all.take_front(map.getNumDims()),
                                   all.drop_front(map.getNumDims())),
        values.size(), 0);
  });
}

/// Takes the constant term, which comes last in simplified sums, off `expr`.
static int64_t splitConstant(AffineExpr &expr) {
  int64_t term = 0;
  if (auto constant = dyn_cast<AffineConstantExpr>(expr)) {
    term = constant.getValue();
    expr = getAffineConstantExpr(0, expr.getContext());
  } else if (auto sum = dyn_cast<AffineBinaryOpExpr>(expr);
             sum && sum.getKind() == AffineExprKind::Add) {
    if (auto constant = dyn_cast<AffineConstantExpr>(sum.getRHS())) {
      term = constant.getValue();
      expr = sum.getLHS();
    }
  }
  return term;
}

std::optional<int64_t> AccessReader::minValue(AffineExpr expr, unsigned steps) {
  if (auto constant = dyn_cast<AffineConstantExpr>(expr))
    return constant.getValue();
  if (steps == 0)
    return std::nullopt;
  // Bounds of an inner loop may cancel what is left of the outer ones.
  AffineForOp inner;
  unsigned position = 0;
  for (auto [i, value] : llvm::enumerate(values)) {
    // Other values may have been erased.
    if (!expr.isFunctionOfDim(i))
      continue;
    AffineForOp loop = getForInductionVarOwner(value);
    if (loop && (!inner || inner->isProperAncestor(loop))) {
      inner = loop;
      position = i;
    }
  }
  if (!inner)
    return std::nullopt;
  AffineExpr dim = getAffineDimExpr(position, expr.getContext());
  std::optional<int64_t> factor =
      constantDifference(expr.replace(dim, dim + 1), expr, values.size());
  if (!factor || *factor == 0)
    return std::nullopt;
  bool isLower = *factor > 0;
  AffineMap map = isLower ? inner.getLowerBoundMap() : inner.getUpperBoundMap();
  SmallVector<Value> operands(isLower ? inner.getLowerBoundOperands()
                                      : inner.getUpperBoundOperands());
  fullyComposeAffineMapAndOperands(&map, &operands);
  std::optional<int64_t> best;
  // All of a maximum are lower bounds, and all of a minimum upper ones.
  for (AffineExpr bound : expressions(map, operands)) {
    AffineExpr extreme = isLower ? bound : bound - 1;
    std::optional<int64_t> least = minValue(
        simplifyAffineExpr(expr.replace(dim, extreme), values.size(), 0),
        steps - 1);
    if (least && (!best || *least > *best))
      best = least;
  }
  return best;
}

AccessReader::Range AccessReader::difference(AffineExpr a, AffineExpr b) {
  // Loops around, at most, whose bounds are looked at.
  constexpr unsigned maxSteps = 4;
  int64_t terms = splitConstant(a) - splitConstant(b);
  if (a == b)
    return {terms, terms};
  // Copies of unrolled loops differ in their constants, so there are few pairs.
  auto found = differences.find({a, b});
  if (found == differences.end()) {
    Range range;
    AffineExpr difference = simplifyAffineExpr(a - b, values.size(), 0);
    range.least = minValue(difference, maxSteps);
    if (auto negated = minValue(
            simplifyAffineExpr(-difference, values.size(), 0), maxSteps))
      range.most = -*negated;
    found = differences.try_emplace({a, b}, range).first;
  }
  Range range = found->second;
  if (range.least)
    *range.least += terms;
  if (range.most)
    *range.most += terms;
  return range;
}

/// Whether two masks, or two that are null, enable the same lanes. Those of
/// different loops are different values: neither dominates the other one.
static bool isSameMask(Value a, Value b) {
  if (a == b)
    return true;
  auto first = a ? a.getDefiningOp<vector::ConstantMaskOp>() : nullptr;
  auto second = b ? b.getDefiningOp<vector::ConstantMaskOp>() : nullptr;
  return first && second &&
         first.getMaskDimSizes() == second.getMaskDimSizes() &&
         first.getType() == second.getType();
}

Overlap AccessReader::overlap(const MemoryAccess &a, const MemoryAccess &b) {
  if (a.root && b.root && !isSameRoot(a.root, b.root))
    return Overlap::None;
  if (a.memref != b.memref && areDisjointViews(a.memref, b.memref))
    return Overlap::None;
  if (a.memref != b.memref || !a.subscripts || !b.subscripts)
    return Overlap::Unknown;
  bool same = true;
  for (size_t i = 0; i < a.subscripts->size(); ++i) {
    Range range = difference((*a.subscripts)[i], (*b.subscripts)[i]);
    if ((range.least && *range.least >= b.extents[i]) ||
        (range.most && -*range.most >= a.extents[i]))
      return Overlap::None;
    same &= range.least == 0 && range.most == 0;
  }
  return same && a.type == b.type && isSameMask(a.mask, b.mask)
             ? Overlap::Same
             : Overlap::Unknown;
}

void baco::loopnest::forEachAccess(
    Operation *op, AccessReader &reader,
    function_ref<void(const MemoryAccess &)> onAccess,
    function_ref<void(Operation *)> onUnknown) {
  op->walk([&](Operation *inner) {
    if (auto access = reader.read(inner))
      return onAccess(*access);
    if (inner->hasTrait<OpTrait::HasRecursiveMemoryEffects>() ||
        isMemoryEffectFree(inner))
      return;
    // Allocating and freeing memory neither reads nor writes other memory.
    auto effects = dyn_cast<MemoryEffectOpInterface>(inner);
    if (effects && !effects.hasEffect<MemoryEffects::Read>() &&
        !effects.hasEffect<MemoryEffects::Write>() &&
        !effects.hasEffect<MemoryEffects::Free>())
      return;
    onUnknown(inner);
  });
}
