//===- AccessFootprint.cpp - Elements that an iteration reads -------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "AccessFootprint.h"

#include "baco/LoopNest/LoopBounds.h"
#include "baco/LoopNest/MemoryAccess.h"

#include "mlir/Analysis/FlatLinearValueConstraints.h"
#include "llvm/ADT/SmallVectorExtras.h"

using namespace mlir;
using namespace mlir::affine;
using namespace baco::loopnest;

namespace {
/// The values of an induction variable: `first`, and each `step` more.
struct Steps {
  int64_t step = 1, first = 0;
};
} // namespace

/// The steps of a loop that starts at a constant; of other values, 1 from 0 on.
static Steps stepsOf(Value value) {
  if (AffineForOp loop = getForInductionVarOwner(value))
    return loop.hasConstantLowerBound()
               ? Steps{loop.getStepAsInt(), loop.getConstantLowerBound()}
               : Steps();
  AffineParallelOp parallel = getAffineParallelInductionVarOwner(value);
  if (!parallel)
    return {};
  unsigned number = cast<BlockArgument>(value).getArgNumber();
  AffineMap lowest = parallel.getLowerBoundMap(number);
  return lowest.isSingleConstant() ? Steps{parallel.getSteps()[number],
                                           lowest.getSingleConstantResult()}
                                   : Steps();
}

/// The results of `map` as sums; nothing if one isn't a sum. Quotients of steps
/// are sums, such as the number of a panel, of columns in chunks for threads.
static std::optional<SmallVector<Linear, 4>> linearize(AffineMap map,
                                                       ValueRange values) {
  SmallVector<Value> operands(values);
  compose(map, operands);
  SmallVector<Steps> steps = llvm::map_to_vector(operands, stepsOf);
  Builder builder(map.getContext());
  SmallVector<AffineExpr> dims, symbols;
  for (auto [index, each] : llvm::enumerate(steps)) {
    bool isDim = index < map.getNumDims();
    AffineExpr one =
        isDim ? builder.getAffineDimExpr(index)
              : builder.getAffineSymbolExpr(index - map.getNumDims());
    (isDim ? dims : symbols).push_back(one * each.step + each.first);
  }
  map = map.replaceDimsAndSymbols(dims, symbols, map.getNumDims(),
                                  map.getNumSymbols());
  std::vector<SmallVector<int64_t, 8>> flat;
  if (failed(getFlattenedAffineExprs(map, &flat)))
    return std::nullopt;
  SmallVector<Linear, 4> results;
  for (const SmallVector<int64_t, 8> &row : flat) {
    // Larger positions represent remainders and quotients.
    if (row.size() != operands.size() + 1)
      return std::nullopt;
    Linear &result = results.emplace_back();
    result.constant = row.back();
    for (auto [value, each, perStep] : llvm::zip(operands, steps, row)) {
      if (perStep % each.step != 0)
        return std::nullopt;
      int64_t coefficient = perStep / each.step;
      result.coefficients[value] += coefficient;
      result.constant -= coefficient * each.first;
    }
  }
  return results;
}

/// Loops around `op` within `outer`, innermost first; `op` itself is none.
static SmallVector<AffineForOp> loopsWithin(Operation *op, AffineForOp outer) {
  SmallVector<AffineForOp> loops;
  for (op = op->getParentOp(); op != outer; op = op->getParentOp())
    if (auto loop = dyn_cast<AffineForOp>(op))
      loops.push_back(loop);
  return loops;
}

/// The range of `interval` over all iterations of `loops`, innermost first.
static LogicalResult extend(Interval &interval, ArrayRef<AffineForOp> loops) {
  for (AffineForOp loop : loops) {
    auto *found = interval.first.coefficients.find(loop.getInductionVar());
    if (found == interval.first.coefficients.end() || found->second == 0)
      continue;
    int64_t coefficient = found->second;
    std::optional<int64_t> trips = maximalTripCount(loop);
    auto start =
        linearize(loop.getLowerBoundMap(), loop.getLowerBoundOperands());
    if (!trips || *trips < 1 || !start || start->size() != 1)
      return failure();
    int64_t way = coefficient * (*trips - 1) * loop.getStepAsInt();
    interval.count += std::abs(way);
    interval.first.constant += std::min<int64_t>(way, 0);
    found->second = 0;
    interval.first.add(start->front(), coefficient);
  }
  return success();
}

/// The elements that all executions of `load` in an iteration of `outer` read.
static std::optional<Box> boxOf(AffineReadOpInterface load, AffineForOp outer) {
  auto type = dyn_cast<VectorType>(load.getValue().getType());
  if (type && type.getRank() != 1)
    return std::nullopt;
  auto indices = linearize(load.getAffineMap(), load.getMapOperands());
  if (!indices || indices->empty())
    return std::nullopt;
  Box box;
  SmallVector<AffineForOp> loops = loopsWithin(load, outer);
  for (const Linear &first : *indices) {
    Interval &interval = box.emplace_back(Interval{first});
    if (failed(extend(interval, loops)))
      return std::nullopt;
    for (auto [value, coefficient] : interval.first.coefficients)
      if (coefficient != 0 && value != outer.getInductionVar() &&
          !outer.isDefinedOutsideOfLoop(value))
        return std::nullopt;
  }
  if (type)
    box.back().count += type.getNumElements() - 1;
  return box;
}

/// Makes `box` contain `other`, if their distance is constant.
static void unite(Box &box, const Box &other) {
  if (!llvm::all_of_zip(box, other, [](const Interval &a, const Interval &b) {
        return a.first.isParallelTo(b.first);
      }))
    return;
  for (auto [interval, added] : llvm::zip(box, other)) {
    int64_t first = std::min(interval.first.constant, added.first.constant);
    int64_t end = std::max(interval.first.constant + interval.count,
                           added.first.constant + added.count);
    interval.first.constant = first;
    interval.count = end - first;
  }
}

llvm::MapVector<Value, Box>
baco::loopnest::findReadFootprints(AffineForOp outer,
                                   function_ref<bool(Operation *)> isCounted) {
  llvm::MapVector<Value, Box> boxes;
  outer.getBody()->walk([&](AffineReadOpInterface load) {
    if (!outer.isDefinedOutsideOfLoop(load.getMemRef()) || !isCounted(load))
      return;
    std::optional<Box> box = boxOf(load, outer);
    if (!box)
      return;
    auto [place, isNew] = boxes.try_emplace(load.getMemRef(), *box);
    if (!isNew)
      unite(place->second, *box);
  });
  return boxes;
}

bool baco::loopnest::moves(const Box &box, AffineForOp outer) {
  return llvm::any_of(box, [&](const Interval &interval) {
    return interval.first.coefficients.lookup(outer.getInductionVar()) != 0;
  });
}

std::optional<int64_t> baco::loopnest::countInOnePiece(const Box &box,
                                                       MemRefType type) {
  if (!type.getLayout().isIdentity())
    return std::nullopt;
  int64_t count = 1;
  bool isWhole = true;
  for (unsigned d = box.size(); d-- > 0;) {
    if (!isWhole && box[d].count > 1)
      return std::nullopt;
    count *= box[d].count;
    isWhole &= box[d].count == type.getDimSize(d);
  }
  return count;
}
