//===- AccessBounds.cpp - Accesses outside of memrefs ---------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// By upstream's access relations, exactly: its own check takes strided loops
// for dense ones, and would refuse accesses that are right.
//
//===----------------------------------------------------------------------===//

#include "AccessBounds.h"

#include "mlir/Dialect/Affine/Analysis/AffineAnalysis.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/IR/BuiltinTypes.h"

using namespace mlir;
using namespace baco;
using namespace baco::schedule;
using presburger::BoundType;
using presburger::IntegerRelation;

/// The value beyond `bound` that index `dimension` of the access takes for some
/// iteration; nothing if it takes none.
static std::optional<int64_t> findBeyond(IntegerRelation relation,
                                         unsigned dimension, BoundType type,
                                         int64_t bound) {
  unsigned index =
      relation.getVarKindOffset(presburger::VarKind::Range) + dimension;
  relation.addBound(type, index, bound);
  auto sample = relation.findIntegerSample();
  if (!sample)
    return std::nullopt;
  return int64_t((*sample)[index]);
}

/// Whether only affine loops and conditions decide about `op`: others don't
/// enter its relation.
static bool isUnderAffineOpsOnly(Operation *op) {
  for (Operation *parent = op->getParentOp();
       parent && !parent->hasTrait<OpTrait::AffineScope>();
       parent = parent->getParentOp())
    if (!isa<affine::AffineForOp, affine::AffineIfOp, affine::AffineParallelOp>(
            parent))
      return false;
  return true;
}

/// Says how `op`, an affine access, is out of bounds; nothing if it isn't known
/// to be.
static std::optional<std::string> describeOverrun(Operation *op) {
  // With more iterators and divisions, integer points can be hard to find.
  constexpr unsigned maxVariables = 16;
  affine::MemRefAccess access(op);
  auto type = cast<MemRefType>(access.memref.getType());
  IntegerRelation relation(presburger::PresburgerSpace::getRelationSpace());
  if (failed(access.getAccessRelation(relation)) ||
      relation.getNumVars() > maxVariables || relation.getNumSymbolVars() > 0)
    return std::nullopt;
  for (int64_t dimension = 0; dimension < type.getRank(); ++dimension) {
    if (type.isDynamicDim(dimension))
      continue;
    int64_t extent = type.getDimSize(dimension);
    auto beyond = findBeyond(relation, dimension, BoundType::UB, -1);
    if (!beyond)
      beyond = findBeyond(relation, dimension, BoundType::LB, extent);
    if (beyond)
      return "it is out of bounds: index " + std::to_string(dimension) +
             " can be " + std::to_string(*beyond) + ", of " +
             std::to_string(extent);
  }
  return std::nullopt;
}

std::optional<BadAccess> baco::schedule::findBadAccess(Operation *nest) {
  std::optional<BadAccess> bad;
  nest->walk([&](Operation *op) {
    if (!isa<affine::AffineReadOpInterface, affine::AffineWriteOpInterface>(
            op) ||
        !isUnderAffineOpsOnly(op))
      return WalkResult::advance();
    std::optional<std::string> overrun = describeOverrun(op);
    if (!overrun)
      return WalkResult::advance();
    bad = {op, std::move(*overrun)};
    return WalkResult::interrupt();
  });
  return bad;
}
