//===- TileLoops.cpp - Loops that AMX can execute -------------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TileLoops.h"

#include "baco/Analysis/MemoryRoots.h"

#include "mlir/Dialect/Affine/Analysis/LoopAnalysis.h"
#include "mlir/Interfaces/CallInterfaces.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;
using namespace baco;
using namespace baco::target;
using affine::AffineForOp;
using affine::AffineLoadOp;
using affine::AffineValueMap;
using affine::AffineVectorLoadOp;

/// A tile takes 16 cycles for its 16 rows, and loading the other factor 8.
static constexpr int64_t minTileRows = 4;

//===----------------------------------------------------------------------===//
// Addresses
//===----------------------------------------------------------------------===//

std::optional<AffineValueMap> baco::target::elementNumber(MemRefType type,
                                                          AffineMap subscripts,
                                                          ValueRange operands) {
  SmallVector<int64_t> strides;
  int64_t offset;
  if (failed(type.getStridesAndOffset(strides, offset)) ||
      llvm::is_contained(strides, ShapedType::kDynamic))
    return std::nullopt;
  AffineExpr number = getAffineConstantExpr(0, type.getContext());
  for (auto [subscript, stride] :
       llvm::zip_equal(subscripts.getResults(), strides))
    number = number + subscript * stride;
  AffineValueMap result(AffineMap::get(subscripts.getNumDims(),
                                       subscripts.getNumSymbols(), number),
                        operands);
  result.composeSimplifyAndCanonicalize();
  return result;
}

static std::optional<int64_t> constantDifference(const AffineValueMap &a,
                                                 const AffineValueMap &b) {
  AffineValueMap difference;
  AffineValueMap::difference(a, b, &difference);
  if (auto constant = dyn_cast<AffineConstantExpr>(difference.getResult(0)))
    return constant.getValue();
  return std::nullopt;
}

/// How far `number` moves when `iterator` does by one; nullopt if that isn't
/// constant.
static std::optional<int64_t> strideOf(const AffineValueMap &number,
                                       Value iterator) {
  AffineMap map = number.getAffineMap();
  AffineExpr moved = map.getResult(0);
  for (auto [place, operand] : llvm::enumerate(number.getOperands())) {
    if (operand != iterator)
      continue;
    AffineExpr itself =
        place < map.getNumDims()
            ? getAffineDimExpr(place, map.getContext())
            : getAffineSymbolExpr(place - map.getNumDims(), map.getContext());
    moved = moved.replace(itself, itself + 1);
  }
  AffineValueMap next(
      AffineMap::get(map.getNumDims(), map.getNumSymbols(), moved),
      number.getOperands());
  return constantDifference(next, number);
}

//===----------------------------------------------------------------------===//
// Matching
//===----------------------------------------------------------------------===//

int64_t TileLoop::numRepeats() const {
  int64_t count = 1;
  for (AffineForOp each : repeats)
    count *= *affine::getConstantTripCount(each);
  return count;
}

std::optional<int64_t> baco::target::countSteps(AffineForOp loop) {
  // The rest of a loop over tiles has several bounds, of which none is known to
  // be the one that holds.
  AffineMap lower = loop.getLowerBoundMap(), upper = loop.getUpperBoundMap();
  if (lower.getNumResults() != 1 || upper.getNumResults() != 1)
    return std::nullopt;
  AffineValueMap first(lower, loop.getLowerBoundOperands()),
      end(upper, loop.getUpperBoundOperands());
  return constantDifference(end, first);
}

/// Whether nothing happens in the loop's body, `inner` left out, but loads and
/// arithmetic.
static bool isOnlyComputing(AffineForOp loop, Operation *inner = nullptr) {
  return llvm::all_of(loop.getBody()->without_terminator(), [=](Operation &op) {
    return &op == inner ||
           isa<AffineLoadOp, AffineVectorLoadOp, affine::AffinePrefetchOp>(
               op) ||
           isMemoryEffectFree(&op);
  });
}

/// The products that one result of `loop` adds in each iteration: as many as
/// steps are unrolled; none if it isn't such a sum.
static SmallVector<Product> matchResult(AffineForOp loop, unsigned number) {
  auto last = loop.getBody()
                  ->getTerminator()
                  ->getOperand(number)
                  .getDefiningOp<arith::AddIOp>();
  BlockArgument carried = loop.getRegionIterArgs()[number];
  if (!last || !isOfRegisters(last) || !last->hasOneUse() ||
      !carried.hasOneUse())
    return {};
  // A step that is left out, or taken twice, would shift all steps behind it.
  ProductSum sum = matchSum(last);
  if (sum.start != carried || !sum.products.front().isOfBytes() ||
      int64_t(sum.products.size()) != loop.getStepAsInt())
    return {};
  return std::move(sum.products);
}

/// The place of the first scalar of `products` behind that of `origin`; nullopt
/// if the others don't follow it one by one.
static std::optional<int64_t> placeOf(ArrayRef<Product> products,
                                      AffineLoadOp origin) {
  auto start = elementNumber(origin);
  std::optional<int64_t> place;
  for (auto [term, product] : llvm::enumerate(products)) {
    auto load = product.scalar.value.getDefiningOp<AffineLoadOp>();
    if (!load || load.getMemRef() != origin.getMemRef())
      return std::nullopt;
    auto at = constantDifference(*elementNumber(load), *start);
    if (!at || *at - int64_t(term) != place.value_or(*at))
      return std::nullopt;
    if (!place)
      place = at;
  }
  return place;
}

/// Whether the vectors are of steps that follow each other at equal distances.
static bool areConsecutive(ArrayRef<Value> lanes, Value iterator) {
  auto first = lanes.front().getDefiningOp<AffineVectorLoadOp>();
  auto start = first ? elementNumber(first) : std::nullopt;
  auto stride = start ? strideOf(*start, iterator) : std::nullopt;
  if (!stride)
    return false;
  for (auto [term, vector] : llvm::enumerate(lanes)) {
    auto load = vector.getDefiningOp<AffineVectorLoadOp>();
    if (!load || load.getMemRef() != first.getMemRef() ||
        constantDifference(*elementNumber(load), *start) !=
            int64_t(term) * *stride)
      return false;
  }
  return true;
}

/// Whether rows of each tile lie at equal distances.
static bool areEquidistant(ArrayRef<SumRow> rows, int64_t tileRows,
                           int64_t stride) {
  for (size_t row = 1; row < rows.size(); ++row)
    // Another tile may begin anywhere, as lines of an image do.
    if (row % tileRows != 0 && rows[row].place != rows[row - 1].place + stride)
      return false;
  return true;
}

/// Sets the sizes of tiles for the loop's rows; false if there are none.
static bool chooseRows(TileLoop &found) {
  llvm::sort(found.rows, [](const SumRow &a, const SumRow &b) {
    return a.place < b.place;
  });
  int64_t count = found.rows.size(), numColumnTiles = found.numColumnTiles();
  if (count < minTileRows)
    return false;
  // An instruction loads a tile from rows at equal distances.
  found.rowStride = found.rows[1].place - found.rows[0].place;
  for (int64_t number = llvm::divideCeil(count, maxTileRows);
       number * numColumnTiles + number + 1 <= numTiles; ++number) {
    found.tileRows = count / number;
    if (count % number == 0 && found.tileRows > 1 &&
        areEquidistant(found.rows, found.tileRows, found.rowStride))
      return true;
  }
  return false;
}

/// Sets the steps of tiles; false if the loop has too few.
static bool chooseSteps(TileLoop &found, int64_t steps) {
  int64_t unit = found.loop.getStepAsInt();
  if (unit % groupSteps != 0 || steps < unit)
    return false;
  // A tile takes 16 cycles whatever its steps are; so does a group of steps
  // without tiles, for the same rows and columns.
  int64_t fewest = llvm::divideCeil(steps, tileRowBytes),
          least = std::numeric_limits<int64_t>::max();
  for (int64_t number = fewest; number <= 2 * fewest; ++number) {
    int64_t each = steps / number / unit * unit,
            cost = number + (steps - number * each) / groupSteps;
    if (each > 0 && cost < least) {
      least = cost;
      found.tileSteps = each;
      found.numSteps = number;
    }
  }
  return found.tileSteps > 0;
}

/// Whether `around`, which has constant bounds, does nothing but repeat `loop`
/// on the same sums.
static bool isRepeat(AffineForOp around, AffineForOp loop) {
  if (!around.hasConstantBounds() ||
      around.getNumIterOperands() != loop.getNumIterOperands() ||
      !isOnlyComputing(around, loop))
    return false;
  Operation *yield = around.getBody()->getTerminator();
  return llvm::all_of(llvm::zip_equal(around.getRegionIterArgs(),
                                      loop.getInits(), loop.getResults(),
                                      yield->getOperands()),
                      [](const auto &values) {
                        auto [carried, start, result, yielded] = values;
                        return start == carried && yielded == result &&
                               carried.hasOneUse() && result.hasOneUse();
                      });
}

/// Whether something in `loop` may write to `memory`.
static bool mayWrite(AffineForOp loop, Value memory) {
  return loop
      .walk([&](Operation *op) {
        if (isa<AffineForOp>(op) || isMemoryEffectFree(op) ||
            isa<affine::AffinePrefetchOp, affine::AffineYieldOp>(op))
          return WalkResult::advance();
        auto effects = getEffectsRecursively(op);
        if (!effects)
          return WalkResult::interrupt();
        for (const MemoryEffects::EffectInstance &effect : *effects)
          if (isa<MemoryEffects::Write, MemoryEffects::Free>(
                  effect.getEffect()) &&
              (!effect.getValue() || mayOverlap(effect.getValue(), memory)))
            return WalkResult::interrupt();
        return WalkResult::advance();
      })
      .wasInterrupted();
}

/// See TileLoop::place.
static AffineForOp findPlace(const TileLoop &found) {
  auto load = found.lanes.front().getDefiningOp<AffineVectorLoadOp>();
  AffineForOp loop = found.loop, place = found.outermost();
  while (auto around = dyn_cast<AffineForOp>(place->getParentOp())) {
    auto isOutside = [&](Value value) {
      bool isRepeated = llvm::any_of(found.repeats, [&](AffineForOp repeat) {
        return repeat.getInductionVar() == value;
      });
      return isRepeated || value == loop.getInductionVar() ||
             around.isDefinedOutsideOfLoop(value);
    };
    // A copy of what changes would be made in each iteration, and used once.
    if (!llvm::all_of(load->getOperands(), isOutside) ||
        !llvm::all_of(loop.getLowerBoundOperands(), isOutside) ||
        mayWrite(around, load.getMemRef()))
      break;
    place = around;
  }
  return place;
}

std::optional<TileLoop> baco::target::matchTileLoop(AffineForOp loop) {
  std::optional<int64_t> steps = countSteps(loop);
  if (!steps || loop.getNumIterOperands() == 0 || !isOnlyComputing(loop))
    return std::nullopt;
  TileLoop found{loop, {}, {}, {}, {}, 0, 0, 0, 0, {}};
  AffineLoadOp origin;
  for (unsigned number = 0; number < loop.getNumIterOperands(); ++number) {
    SmallVector<Product> products = matchResult(loop, number);
    if (products.empty())
      return std::nullopt;
    SmallVector<Value> lanes = llvm::map_to_vector(
        products, [](const Product &each) { return each.lanes.value; });
    if (number == 0) {
      found.product = products.front();
      found.lanes = lanes;
      origin = found.product.scalar.value.getDefiningOp<AffineLoadOp>();
      auto at = origin ? elementNumber(origin) : std::nullopt;
      if (!at || strideOf(*at, loop.getInductionVar()) != 1)
        return std::nullopt;
    }
    // All sums have the same columns, and each has a row of its own.
    std::optional<int64_t> place = placeOf(products, origin);
    if (!place || lanes != found.lanes ||
        !products.front().isLike(found.product))
      return std::nullopt;
    found.rows.push_back({number, *place});
  }
  if (found.numLanes() % tileColumns != 0 || !chooseRows(found) ||
      !chooseSteps(found, *steps) ||
      !areConsecutive(found.lanes, loop.getInductionVar()))
    return std::nullopt;
  // Sums stay in tiles while loops around repeat this one, as those over a
  // window do. Other steps than those of tiles would come between.
  while (found.numDone() == *steps) {
    auto around = dyn_cast<AffineForOp>(found.outermost()->getParentOp());
    if (!around || !isRepeat(around, found.outermost()) ||
        llvm::is_contained(loop.getLowerBoundOperands(),
                           around.getInductionVar()))
      break;
    found.repeats.push_back(around);
  }
  // The instructions of tiles, once there are some, hide what a loop writes.
  found.place = findPlace(found);
  return found;
}

AffineForOp baco::target::findOwner(AffineForOp loop,
                                    const DenseSet<Operation *> &tileLoops) {
  AffineForOp owner = loop;
  while (auto around = dyn_cast<AffineForOp>(owner->getParentOp())) {
    bool hasOthers =
        around
            .walk([&](Operation *op) {
              bool isOther =
                  (op != loop && tileLoops.contains(op)) ||
                  (op->getNumRegions() > 0 && !isa<AffineForOp>(op)) ||
                  isa<CallOpInterface>(op);
              return isOther ? WalkResult::interrupt() : WalkResult::advance();
            })
            .wasInterrupted();
    if (hasOthers)
      break;
    owner = around;
  }
  return owner;
}
