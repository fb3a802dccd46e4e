//===- ContiguousOrder.cpp - Loops that walk along memory -----------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// First each statement chooses its innermost loop by a cost. Then, from the
// outermost loop on, statements that share loops are separated if one of them
// prefers another order there; separate statements get it. Illegal changes are
// undone.
//
//===----------------------------------------------------------------------===//

#include "RestructureBy.h"
#include "baco/LoopNest/PrepareNest.h"

#include "baco/LoopNest/MemoryAccess.h"

#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Diagnostics.h"
#include "llvm/Support/DebugLog.h"

#include <map>

#define DEBUG_TYPE "baco-contiguous-order"

using namespace mlir;
using namespace baco;
using namespace baco::loopnest;
using polyhedral::LoopSchedule;

/// Steps of isl for one question; some tenths of a second.
static constexpr unsigned long maxOperations = 3'000'000;

/// The number of elements by which the address of `access` grows from one
/// iteration of loop `loop` (from 0) to the next; unknown if it isn't constant.
static std::optional<int64_t> strideOf(const Nest &nest,
                                       const NestStatement &statement,
                                       const NestAccess &access, size_t loop) {
  auto type = cast<MemRefType>(nest.arrays[access.array].memref.getType());
  SmallVector<int64_t> strides;
  int64_t offset;
  if (!access.subscripts || failed(type.getStridesAndOffset(strides, offset)) ||
      strides.size() != access.subscripts->size())
    return std::nullopt;
  int64_t total = 0;
  AffineExpr iterator = getAffineDimExpr(loop, type.getContext());
  for (auto [stride, subscript] :
       llvm::zip_equal(strides, *access.subscripts)) {
    std::optional<int64_t> growth =
        constantDifference(subscript.replace(iterator, iterator + 1), subscript,
                           statement.iterators.size(), nest.parameters.size());
    if (!growth || (*growth != 0 && ShapedType::isDynamic(stride)))
      return std::nullopt;
    total += *growth == 0 ? 0 : stride * *growth;
  }
  return total;
}

/// The cost of an iteration with loop `loop` (from 0) innermost. Only the order
/// of the numbers matters: a strided access costs a line of the cache and keeps
/// LLVM from making vectors; an element that all iterations write is a
/// loop-carried dependence.
static int64_t costOf(const Nest &nest, const NestStatement &statement,
                      size_t loop) {
  constexpr int64_t strided = 8, waiting = 4;
  int64_t cost = 0;
  for (const NestAccess &access : statement.accesses) {
    std::optional<int64_t> stride = strideOf(nest, statement, access, loop);
    if (!stride || std::abs(*stride) > 1)
      cost += strided;
    else if (access.isWrite && *stride == 0)
      cost += waiting;
  }
  return cost;
}

/// The loop (from 1) to move innermost; 0 if it already is.
static unsigned chooseInnermost(const Nest &nest,
                                const NestStatement &statement) {
  size_t depth = statement.iterators.size();
  if (depth < 2)
    return 0;
  size_t best = depth - 1;
  int64_t bestCost = costOf(nest, statement, best);
  for (size_t loop = depth - 1; loop-- > 0;)
    if (int64_t cost = costOf(nest, statement, loop); cost < bestCost) {
      best = loop;
      bestCost = cost;
    }
  return best == depth - 1 ? 0 : best + 1;
}

namespace {
/// Finds the order of one nest.
class Reordering {
public:
  Reordering(const Nest &nest, LoopSchedule &schedule)
      : nest(nest), schedule(schedule) {
    for (const NestStatement &statement : nest.statements)
      wanted.push_back(chooseInnermost(nest, statement));
  }

  /// Whether the order has changed.
  bool run() {
    SmallVector<unsigned> all(nest.statements.size());
    for (unsigned index = 0; index < all.size(); ++index)
      all[index] = index;
    visit(all, 1);
    return changed;
  }

private:
  /// `members` share the loops outside of `level` and no others with anyone.
  void visit(ArrayRef<unsigned> members, unsigned level);
  /// Moves the statement's preferred loop, `level` or one in it, inwards; other
  /// statements don't share these loops.
  void reorder(unsigned statement, unsigned level);
  bool wantsChange(unsigned statement, unsigned level) const {
    return wanted[statement] >= level;
  }

  const Nest &nest;
  LoopSchedule &schedule;
  /// See chooseInnermost.
  SmallVector<unsigned> wanted;
  bool changed = false;
};
} // namespace

void Reordering::visit(ArrayRef<unsigned> members, unsigned level) {
  if (members.size() == 1)
    return reorder(members[0], level);
  // The statements that share loop `level`, by its place.
  std::map<int64_t, SmallVector<unsigned>> parts;
  for (unsigned statement : members)
    if (nest.statements[statement].iterators.size() >= level)
      parts[nest.statements[statement].places[level - 1]].push_back(statement);
  for (auto &[place, part] : parts) {
    if (llvm::none_of(part, [&](unsigned statement) {
          return wantsChange(statement, level);
        }))
      continue;
    if (part.size() == 1) {
      reorder(part[0], level);
      continue;
    }
    // Commands that fail leave the schedule as it was.
    polyhedral::LoopCommand distribute{
        polyhedral::LoopCommandKind::Distribute,
        {std::vector<int64_t>(part.begin(), part.end()), level}};
    if (Result<void> done = schedule.apply(distribute); !done) {
      visit(part, level + 1);
      continue;
    }
    for (unsigned statement : part)
      reorder(statement, level);
  }
}

void Reordering::reorder(unsigned statement, unsigned level) {
  if (!wantsChange(statement, level))
    return;
  LoopSchedule before = schedule;
  unsigned loop = wanted[statement];
  unsigned depth = nest.statements[statement].iterators.size();
  for (unsigned moved = 0; moved < depth - loop; ++moved) {
    // A tile of one iteration: the loop comes to the outside of `loop`, and its
    // rest at the old place still counts.
    polyhedral::LoopCommand tile{
        polyhedral::LoopCommandKind::Tile,
        {statement, loop + 1 + 2 * moved, 1, loop + moved}};
    if (Result<void> done = schedule.apply(tile); !done) {
      schedule = before;
      return;
    }
  }
  if (Result<void> legal = schedule.checkLegal(); !legal) {
    schedule = before;
    return;
  }
  LDBG() << "statement " << statement << ": loops in another order";
  changed = true;
}

bool baco::loopnest::makeInnermostContiguous(Operation *nest) {
  ScopedDiagnosticHandler silence(nest->getContext(),
                                  [](Diagnostic &) { return success(); });
  IRRewriter rewriter(nest->getContext());
  Operation *raised = raiseToAffine(rewriter, nest);
  raiseConditionals(rewriter, raised);
  raised = demoteCarriedValues(rewriter, raised);
  polyhedral::LoopScheduleOptions options;
  options.maxOperations = maxOperations;
  auto change = [](const Nest &nest, LoopSchedule &schedule) -> LogicalResult {
    return success(Reordering(nest, schedule).run());
  };
  return succeeded(restructureBy(rewriter, raised, raised, change, options));
}
