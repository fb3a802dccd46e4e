//===- Extract.cpp - The static control part in a block -------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Walks loops and conditions and collects the domains of their statements;
// ExtractStatements.cpp defines statements, ExtractIndices.cpp indices.
//
//===----------------------------------------------------------------------===//

#include "baco/LoopNest/Extract.h"
#include "ArgumentAliasing.h"
#include "ExtractStatements.h"
#include "baco/IR/Walk.h"

#include "baco/LoopNest/MemoryAccess.h"
#include "baco/LoopNest/ReductionKind.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/IR/IntegerSet.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/DebugLog.h"

#define DEBUG_TYPE "baco-extract-nest"

using namespace mlir;
using namespace baco;
using namespace baco::loopnest;

namespace {
class Extractor {
public:
  Extractor(Operation *first, Operation *last)
      : first(first), last(last), indices(nest, first, last) {}

  FailureOr<Nest> run();

private:
  LogicalResult visitBlock(Block &block, ArrayRef<Operation *> ops,
                           int64_t &place);
  LogicalResult visitLoop(affine::AffineForOp loop);
  LogicalResult visitIf(affine::AffineIfOp op, int64_t &place);
  LogicalResult addStatement(const Group &group, int64_t place);
  LogicalResult addAccesses(Operation *op, NestStatement &statement);
  LogicalResult checkUses();
  LogicalResult checkMemory(Operation *access);
  void mergeViews();

  Nest nest;
  Operation *first, *last;
  IndexReader indices;
  /// The loops and conditions around the place that is being visited.
  SmallVector<Value> iterators;
  SmallVector<std::string> conditions;
  SmallVector<int64_t> places;
};
} // namespace

/// The operations of the body of a loop or condition.
static SmallVector<Operation *> operationsOf(Block &block) {
  return llvm::map_to_vector(block, [](Operation &op) { return &op; });
}

LogicalResult Extractor::visitLoop(affine::AffineForOp loop) {
  // Upstream doesn't refuse that.
  if (loop.getStepAsInt() == 0)
    return loop.emitError() << "has a step of 0 and can't be scheduled";
  auto lower = indices.read(loop.getLowerBoundMap(),
                            loop.getLowerBoundOperands(), iterators);
  auto upper = indices.read(loop.getUpperBoundMap(),
                            loop.getUpperBoundOperands(), iterators);
  if (!lower || !upper)
    return loop.emitError()
           << "the " << (lower ? "upper" : "lower")
           << " bound of the loop isn't affine in the loops around it and in "
              "loop-invariant values, so that it can't be scheduled";

  std::string iterator = "i" + std::to_string(iterators.size());
  size_t numConditions = conditions.size();
  SmallVector<std::string> starts;
  for (AffineExpr bound : *lower) {
    starts.push_back(toText(bound));
    conditions.push_back(iterator + " >= " + starts.back());
  }
  for (AffineExpr bound : *upper)
    conditions.push_back(iterator + " < " + toText(bound));
  if (int64_t step = loop.getStepAsInt(); step != 1) {
    std::string start = starts.front();
    for (StringRef other : ArrayRef(starts).drop_front())
      start = "max(" + start + ", " + other.str() + ")";
    conditions.push_back("(" + iterator + " - " + start + ") mod " +
                         std::to_string(step) + " = 0");
  }
  iterators.push_back(loop.getInductionVar());
  int64_t place = 0;
  LogicalResult result =
      visitBlock(*loop.getBody(), operationsOf(*loop.getBody()), place);
  iterators.pop_back();
  conditions.truncate(numConditions);
  return result;
}

LogicalResult Extractor::visitIf(affine::AffineIfOp op, int64_t &place) {
  IntegerSet set = op.getIntegerSet();
  auto map = AffineMap::get(set.getNumDims(), set.getNumSymbols(),
                            set.getConstraints(), op.getContext());
  auto expressions = indices.read(map, op.getOperands(), iterators);
  if (!expressions)
    return op.emitError()
           << "the condition isn't affine in the loops around it and in "
              "loop-invariant values, so that it can't be scheduled";
  SmallVector<std::string> all;
  for (auto [index, expression] : llvm::enumerate(*expressions))
    all.push_back(toText(expression) + (set.isEq(index) ? " = 0" : " >= 0"));
  std::string holds = "(" + llvm::join(all, " and ") + ")";
  conditions.push_back(holds);
  LogicalResult result =
      visitBlock(*op.getThenBlock(), operationsOf(*op.getThenBlock()), place);
  if (succeeded(result) && op.hasElse()) {
    conditions.back() = "(not " + holds + ")";
    result =
        visitBlock(*op.getElseBlock(), operationsOf(*op.getElseBlock()), place);
  }
  conditions.pop_back();
  return result;
}

/// `place` is that of the next loop or statement in the innermost loop.
LogicalResult Extractor::visitBlock(Block &block, ArrayRef<Operation *> ops,
                                    int64_t &place) {
  for (Operation *op : ops)
    if (failed(roleOf(op)))
      return failure();
  FailureOr<SmallVector<Group>> groups = groupStatements(block, indices, ops);
  if (failed(groups))
    return failure();
  llvm::MapVector<Operation *, const Group *> byAnchor;
  for (const Group &group : *groups)
    byAnchor[group.anchor] = &group;
  for (Operation *op : ops) {
    if (const Group *group = byAnchor.lookup(op)) {
      if (failed(addStatement(*group, place++)))
        return failure();
    } else if (*roleOf(op) != Role::Structure) {
      continue;
    } else if (auto condition = dyn_cast<affine::AffineIfOp>(op)) {
      if (failed(visitIf(condition, place)))
        return failure();
    } else {
      places.push_back(place++);
      LogicalResult result = visitLoop(cast<affine::AffineForOp>(op));
      places.pop_back();
      if (failed(result))
        return failure();
    }
  }
  return success();
}

LogicalResult Extractor::addAccesses(Operation *op, NestStatement &statement) {
  return visitAll<Operation *>(op, [&](Operation *inner) -> LogicalResult {
    if (!isLoad(inner) && !isStore(inner))
      return success();
    Value memref = accessedMemref(inner);
    if (indices.isInside(memref))
      return inner->emitError()
             << "accesses memory that is allocated or viewed in the nest, so "
                "that the loops around it can't be scheduled";
    if (failed(checkMemory(inner)))
      return failure();
    NestAccess access{inner,
                      indices.array(memref),
                      isStore(inner),
                      indices.readSubscripts(inner, iterators),
                      {}};
    if (!access.subscripts)
      indices.readLastSubscript(access, iterators);
    statement.accesses.push_back(access);
    // A conditional write may keep the old value, so that it counts as a read,
    // too.
    if (access.isWrite && (inner != op || !access.subscripts)) {
      access.isWrite = false;
      statement.accesses.push_back(access);
    }
    return success();
  });
}

LogicalResult Extractor::addStatement(const Group &group, int64_t place) {
  NestStatement statement{
      group.ops, iterators, conditions, places, {}, {}, group.anchor->getLoc()};
  statement.places.push_back(place);
  for (Operation *op : group.ops)
    if (failed(addAccesses(op, statement)))
      return failure();
  // Writes first, as references are counted.
  SmallVector<NestAccess> reads;
  for (const NestAccess &access : statement.accesses)
    if (!access.isWrite)
      reads.push_back(access);
  llvm::erase_if(statement.accesses,
                 [](const NestAccess &access) { return !access.isWrite; });
  statement.accesses.append(reads);
  statement.reduction = findReduction(statement);
  nest.statements.push_back(std::move(statement));
  return success();
}

/// Memory that is reached in several ways has no subscripts.
void Extractor::mergeViews() {
  for (NestStatement &statement : nest.statements)
    for (size_t i = 0; i < statement.accesses.size(); ++i)
      if (nest.arrays[statement.accesses[i].array].isOpaque) {
        statement.accesses[i].subscripts = SmallVector<AffineExpr>();
        statement.reduction.reset();
      }
}

/// Values of the nest must not be used after it.
LogicalResult Extractor::checkUses() {
  for (Operation &op : opsFrom(first, last))
    for (Operation *user : op.getUsers())
      if (!indices.isInside(user)) {
        InFlightDiagnostic diag = op.emitError()
                                  << "computes a value that is used after the "
                                     "loops, so that they can't be scheduled";
        diag.attachNote(user->getLoc()) << "used here";
        return diag;
      }
  return success();
}

/// Memory of unknown origin must be the only memory: it may alias other
/// memrefs, whose subscripts don't refer to it.
LogicalResult Extractor::checkMemory(Operation *access) {
  Value memref = accessedMemref(access);
  if (memoryRoot(memref))
    return success();
  Operation *other = nullptr;
  for (Operation &op : opsFrom(first, last))
    op.walk([&](Operation *inner) {
      if ((isLoad(inner) || isStore(inner)) && accessedMemref(inner) != memref)
        other = inner;
    });
  if (!other)
    return success();
  InFlightDiagnostic diag =
      access->emitError()
      << "accesses memory that may alias any other memref: it comes from ";
  if (Operation *def = memref.getDefiningOp())
    diag << "'" << def->getName() << "'";
  else
    diag << "a block argument";
  diag << ", so that the loops around it can't be scheduled; use the "
          "arguments, allocations and globals themselves, or views of them";
  diag.attachNote(memref.getLoc()) << "it comes from here";
  return diag;
}

FailureOr<Nest> Extractor::run() {
  SmallVector<Operation *> ops;
  for (Operation &op : opsFrom(first, last))
    ops.push_back(&op);
  int64_t place = 0;
  if (failed(checkUses()) || failed(checkCalls(first, last)) ||
      failed(visitBlock(*first->getBlock(), ops, place)))
    return failure();
  if (nest.statements.empty())
    return first->emitError() << "there is nothing to schedule: no store to "
                                 "memory in the loops";
  mergeViews();
  LDBG() << "read " << nest.statements.size() << " statements at "
         << first->getLoc();
  return std::move(nest);
}

FailureOr<Nest> baco::loopnest::extractNest(Operation *first, Operation *last) {
  return Extractor(first, last).run();
}
