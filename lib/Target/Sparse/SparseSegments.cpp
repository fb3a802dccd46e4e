//===- SparseSegments.cpp - Loops over entries at one coordinate ----------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// If a level stores a coordinate several times, upstream's sparsifier makes an
// scf.while over segments of equal coordinates, which looks for the end of
// each, and in it an scf.for over the segment.
//
//===----------------------------------------------------------------------===//

#include "SparseLoops.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;

/// Whether `value` is the coordinate stored at `place`, of any width.
static bool isCoordinateAt(Value value, Value coordinates, Value place) {
  while (Operation *cast = value.getDefiningOp()) {
    if (!isa<arith::IndexCastUIOp, arith::IndexCastOp, arith::ExtUIOp>(cast))
      break;
    value = cast->getOperand(0);
  }
  auto load = value.getDefiningOp<memref::LoadOp>();
  return load && load.getMemRef() == coordinates &&
         load.getIndices().size() == 1 && load.getIndices().front() == place;
}

/// Whether `value` is that `place` is below `end`.
static bool isBelow(Value value, Value place, Value end) {
  auto compare = value.getDefiningOp<arith::CmpIOp>();
  return compare && compare.getPredicate() == arith::CmpIPredicate::ult &&
         compare.getLhs() == place && compare.getRhs() == end;
}

/// Whether the result of `search` is where the segment that begins at its
/// initial value ends, or `end`.
static bool findsEnd(scf::WhileOp search, Value coordinates, Value end) {
  if (search.getInits().size() != 1 || search.getNumResults() != 1)
    return false;
  Value begin = search.getInits().front();
  Value place = search.getBeforeArguments().front();
  scf::ConditionOp condition = search.getConditionOp();
  auto branch = condition.getCondition().getDefiningOp<scf::IfOp>();
  auto step = search.getYieldOp().getOperand(0).getDefiningOp<arith::AddIOp>();
  if (condition.getArgs().front() != place || !branch ||
      branch.getNumResults() != 1 || branch.getElseRegion().empty() ||
      !isBelow(branch.getCondition(), place, end) || !step ||
      step.getLhs() != search.getAfterArguments().front() ||
      getConstantIntValue(step.getRhs()) != 1 ||
      !matchPattern(branch.elseYield().getOperand(0), m_Zero()))
    return false;
  auto equal = branch.thenYield().getOperand(0).getDefiningOp<arith::CmpIOp>();
  return equal && equal.getPredicate() == arith::CmpIPredicate::eq &&
         isCoordinateAt(equal.getLhs(), coordinates, begin) &&
         isCoordinateAt(equal.getRhs(), coordinates, place);
}

namespace {
/// An scf.while over segments.
struct Segments {
  scf::WhileOp loop;
  /// Over the entries of a segment.
  scf::ForOp entries;
  /// The ops that are computed for a segment.
  SmallVector<Operation *> computed;
};
} // namespace

/// The parts of `loop` if that is over segments in which nothing is summed.
static std::optional<Segments> matchSegments(scf::WhileOp loop) {
  // A loop with other results, or with users of these, sums something.
  if (loop.getInits().size() != 2 || !loop->use_empty())
    return std::nullopt;
  // From (begin, end of the first segment) as long as there are entries.
  auto compare =
      loop.getConditionOp().getCondition().getDefiningOp<arith::CmpIOp>();
  if (!compare ||
      !isBelow(compare, loop.getBeforeArguments()[0], compare.getRhs()) ||
      !llvm::equal(loop.getConditionOp().getArgs(), loop.getBeforeArguments()))
    return std::nullopt;
  Value end = compare.getRhs();
  Value begin = loop.getAfterArguments()[0];
  Value segmentEnd = loop.getAfterArguments()[1];
  Segments segments = {loop, {}, {}};
  scf::WhileOp next;
  Value coordinates;
  // The ops are computed for each entry after merging, and a load of the
  // coordinate gives the same for each entry of a segment.
  auto isCoordinate = [&](memref::LoadOp load) {
    return load.getIndices().size() == 1 &&
           load.getIndices().front() == begin &&
           (!coordinates || load.getMemRef() == coordinates);
  };
  for (Operation &op : loop.getAfterBody()->without_terminator()) {
    if (auto search = dyn_cast<scf::WhileOp>(op); search && !next) {
      next = search;
      continue;
    }
    if (segments.entries)
      return std::nullopt;
    if (auto inner = dyn_cast<scf::ForOp>(op)) {
      segments.entries = inner;
      continue;
    }
    auto load = dyn_cast<memref::LoadOp>(op);
    if (load ? !isCoordinate(load) : !isMemoryEffectFree(&op))
      return std::nullopt;
    if (load)
      coordinates = load.getMemRef();
    segments.computed.push_back(&op);
  }
  scf::ForOp entries = segments.entries;
  if (!entries || !next || !coordinates || entries->getNumResults() != 0 ||
      entries.getLowerBound() != begin ||
      entries.getUpperBound() != segmentEnd ||
      getConstantIntValue(entries.getStep()) != 1)
    return std::nullopt;
  // One loop over all entries doesn't know where segments end.
  bool isEndUsed = llvm::any_of(segmentEnd.getUsers(), [&](Operation *user) {
    return user != entries && user != loop.getYieldOp() &&
           !next->isAncestor(user);
  });
  if (isEndUsed || loop->isAncestor(end.getParentRegion()->getParentOp()))
    return std::nullopt;
  OperandRange yielded = loop.getYieldOp().getOperands();
  auto first = loop.getInits()[1].getDefiningOp<scf::WhileOp>();
  if (yielded[0] != segmentEnd || yielded[1] != next.getResult(0) ||
      next.getInits().front() != segmentEnd ||
      !findsEnd(next, coordinates, end) || !first ||
      first.getInits().front() != loop.getInits()[0] ||
      !findsEnd(first, coordinates, end))
    return std::nullopt;
  return segments;
}

/// Moves the loop over the entries of a segment in place of that over segments.
static void merge(const Segments &segments) {
  scf::WhileOp loop = segments.loop;
  scf::ForOp entries = segments.entries;
  Value begin = loop.getAfterArguments()[0];
  auto compare =
      loop.getConditionOp().getCondition().getDefiningOp<arith::CmpIOp>();
  entries->moveBefore(loop);
  entries.getLowerBoundMutable().assign(loop.getInits()[0]);
  entries.getUpperBoundMutable().assign(compare.getRhs());
  Operation *body = &entries.getBody()->front();
  for (Operation *op : segments.computed)
    op->moveBefore(body);
  // Each entry stands for its segment, whose coordinate it has.
  begin.replaceAllUsesWith(entries.getInductionVar());
  Operation *first = loop.getInits()[1].getDefiningOp();
  loop.erase();
  // The search for the first segment's end has no effects.
  if (first->use_empty())
    first->erase();
}

void baco::target::mergeSegments(Operation *root) {
  SmallVector<scf::WhileOp> loops;
  root->walk([&](scf::WhileOp loop) { loops.push_back(loop); });
  // Inner loops come first. Merging a loop erases the searches in it, which are
  // no segments.
  SmallVector<Segments> found;
  for (scf::WhileOp loop : loops)
    if (std::optional<Segments> segments = matchSegments(loop))
      found.push_back(*segments);
  // Looking for the ends of segments costs more than to load each coordinate.
  for (const Segments &segments : found)
    merge(segments);
}
