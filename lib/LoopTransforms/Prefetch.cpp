//===- Prefetch.cpp - Ask for data some iterations ahead ------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Data that an iteration of a marked loop reads are prefetched in earlier
// iterations. A contiguous piece is prefetched evenly over the whole iteration:
// a core has few line fill buffers, and a burst would wait for them (512
// products of 64^3 took twice as long on znver5). Rows that aren't contiguous
// are prefetched wherever they are loaded, each time: they compete for cache
// sets, and those of 2 KiB pitch were evicted again if they were prefetched
// once (a convolution on Sapphire Rapids, 0.79 against 0.85 of the peak).
//
//===----------------------------------------------------------------------===//

#include "baco/LoopTransforms/LoopTransforms.h"

#include "AccessFootprint.h"
#include "baco/IR/ConstantArgument.h"
#include "baco/IR/Walk.h"
#include "baco/LoopNest/LoopBounds.h"
#include "baco/LoopNest/MemoryAccess.h"

#include "mlir/Dialect/Affine/Utils.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/Builders.h"
#include "mlir/Interfaces/DataLayoutInterfaces.h"
#include "llvm/Support/DebugLog.h"
#include "llvm/Support/MathExtras.h"

#include <numeric>

#define DEBUG_TYPE "baco-prefetch"

using namespace mlir;
using namespace mlir::affine;
using namespace baco;
using namespace baco::loopnest;

static constexpr StringLiteral markName = "baco.prefetch";
/// Cache line size of x86 and most other CPUs; with longer lines some
/// prefetches are redundant.
static constexpr int64_t cacheLineBytes = 64;
/// memref.prefetch's locality hint for level 2: level 1 is full of data in use.
static constexpr unsigned levelTwo = 2;
/// The largest number of lines of a memref that one pass prefetches. Memory
/// doesn't deliver more in that time.
static constexpr int64_t maxPerPass = 16;
/// As many bytes, at most, stay in level 2.
static constexpr int64_t nearBytes = 1 << 20;
/// For few vectors, such as sums that registers hold for an iteration.
static constexpr unsigned levelOne = 3;

void baco::loopnest::markForPrefetch(AffineForOp loop, int64_t ahead) {
  loop->setDiscardableAttr(markName,
                           Builder(loop.getContext()).getI64IntegerAttr(ahead));
}

namespace {
/// The innermost loops of a marked one, as places for prefetches.
struct Innermost {
  AffineForOp loop;
  /// The largest number of its executions in an iteration of the marked loop,
  /// and its trip count.
  int64_t executions = 1, trips = 1;
};
} // namespace

/// Whether `loop` has no loops in it.
static bool isInnermost(AffineForOp loop) {
  return !contains(
      loop, [&](Operation *op) { return op != loop && isa<AffineForOp>(op); });
}

/// Whether `memref` holds copies of constants. Before the first call, these are
/// all made, one behind the other (baco-pack-constants).
static bool isConstantCopy(Value memref) {
  auto alloc = memref.getDefiningOp<memref::AllocOp>();
  return alloc && alloc->hasAttr(kCopyBuffer);
}

/// The bytes of `count` elements of `memref`.
static int64_t bytesOf(Value memref, int64_t count = 1) {
  DataLayout layout =
      DataLayout::closest(memref.getParentBlock()->getParentOp());
  Type element = cast<MemRefType>(memref.getType()).getElementType();
  return count * static_cast<int64_t>(layout.getTypeSize(element));
}

/// Whether `memref` is a buffer of the kernel whose data level 2 may have kept.
static bool isInNearCache(Value memref) {
  auto alloc = memref.getDefiningOp<memref::AllocOp>();
  if (!alloc || isConstantCopy(memref))
    return false;
  MemRefType type = alloc.getType();
  return !type.hasStaticShape() ||
         !VectorType::isValidElementType(type.getElementType()) ||
         bytesOf(memref, type.getNumElements()) <= nearBytes;
}

/// Whether `loop` copies constants, and so is executed before the first call.
static bool copiesConstants(AffineForOp loop) {
  return contains(loop, [](Operation *op) {
    if (auto store = dyn_cast<AffineVectorStoreOp>(op))
      return isConstantCopy(store.getMemref());
    auto store = dyn_cast<AffineStoreOp>(op);
    return store && isConstantCopy(store.getMemref());
  });
}

/// The innermost loops in `outer` but `left`, or itself; nothing if a trip
/// count is unknown.
static std::optional<SmallVector<Innermost>>
findInnermost(AffineForOp outer,
              const llvm::SmallPtrSetImpl<Operation *> &left) {
  SmallVector<Innermost> places;
  WalkResult walked = outer->walk([&](AffineForOp loop) {
    if (!isInnermost(loop) || left.contains(loop))
      return WalkResult::advance();
    Innermost place{loop};
    for (AffineForOp around = loop; around != outer;
         around = around->getParentOfType<AffineForOp>()) {
      std::optional<int64_t> trips = maximalTripCount(around);
      int64_t &count = around == loop ? place.trips : place.executions;
      if (!trips || around.getLowerBoundMap().getNumResults() != 1 ||
          llvm::MulOverflow(count, std::max<int64_t>(*trips, 1), count))
        return WalkResult::interrupt();
    }
    places.push_back(place);
    return WalkResult::advance();
  });
  if (walked.wasInterrupted())
    return std::nullopt;
  return places;
}

namespace {
/// Writes index arithmetic. No operand is negative, which affine ops can't
/// assume.
class Writer {
public:
  Writer(OpBuilder &builder, Location loc) : builder(builder), loc(loc) {}

  Value constant(int64_t value) {
    return arith::ConstantIndexOp::create(builder, loc, value);
  }
  Value plus(Value a, Value b) {
    return builder.createOrFold<arith::AddIOp>(loc, a, b);
  }
  Value times(Value a, int64_t b) {
    return builder.createOrFold<arith::MulIOp>(loc, a, constant(b));
  }
  Value over(Value a, int64_t b) {
    return builder.createOrFold<arith::DivUIOp>(loc, a, constant(b));
  }
  /// `a` * `b` / `c`, rounded down.
  Value scale(Value a, int64_t b, int64_t c) {
    int64_t common = std::gcd(b, c);
    return over(times(a, b / common), c / common);
  }
  Value value(const Linear &linear) {
    Value result = constant(linear.constant);
    for (auto [value, coefficient] : linear.coefficients)
      if (coefficient != 0)
        result = plus(result, times(value, coefficient));
    return result;
  }
  /// The number of iterations of `loop` before this one.
  Value iterationsBefore(AffineForOp loop) {
    Value start = builder.createOrFold<AffineApplyOp>(
        loc, loop.getLowerBoundMap(), loop.getLowerBoundOperands());
    Value way =
        builder.createOrFold<arith::SubIOp>(loc, loop.getInductionVar(), start);
    return over(way, loop.getStepAsInt());
  }
  /// The number of earlier executions of `inner` in this iteration of `outer`.
  Value executionsBefore(AffineForOp inner, AffineForOp outer) {
    Value result = constant(0);
    int64_t stride = 1;
    for (AffineForOp loop = inner; loop != outer;
         loop = loop->getParentOfType<AffineForOp>()) {
      if (loop == inner)
        continue;
      result = plus(result, times(iterationsBefore(loop), stride));
      stride *= std::max<int64_t>(*maximalTripCount(loop), 1);
    }
    return result;
  }

private:
  OpBuilder &builder;
  Location loc;
};
} // namespace

/// Prefetches `count` elements from the first of `box` on, spread over the
/// executions of the innermost loops. Addresses are cheap to compute, because
/// the loops' own work needs the units.
static void spread(AffineForOp outer, ArrayRef<Innermost> places, Value memref,
                   const Box &box, int64_t count, int64_t ahead) {
  int64_t line = std::max<int64_t>(1, cacheLineBytes / bytesOf(memref));
  int64_t executions = 0;
  for (const Innermost &place : places)
    executions += place.executions;
  int64_t lines = llvm::divideCeil(count, line);
  // Each execution of an innermost loop prefetches this many of them.
  int64_t share = llvm::divideCeil(lines, executions);
  int64_t before = 0;
  for (auto [loop, ownExecutions, trips] : places) {
    OpBuilder inside(loop.getBody(), loop.getBody()->begin());
    OpBuilder outside = loop == outer ? inside : OpBuilder(loop);
    Writer prepare(outside, loop.getLoc()), write(inside, loop.getLoc());
    SmallVector<Value> indices;
    for (const Interval &interval : box) {
      Linear first = interval.first;
      first.constant += first.coefficients.lookup(outer.getInductionVar()) *
                        ahead * outer.getStepAsInt();
      indices.push_back(prepare.value(first));
    }
    Value execution = prepare.plus(prepare.executionsBefore(loop, outer),
                                   prepare.constant(before));
    before += ownExecutions;
    // An index may be beyond the end of its dimension.
    Value start = prepare.plus(
        indices.back(),
        prepare.times(prepare.scale(execution, lines, executions), line));
    Value pass =
        loop == outer ? write.constant(0) : write.iterationsBefore(loop);
    // A line in each of so many passes, or so many in each.
    int64_t passes =
                llvm::bit_floor(uint64_t(std::max<int64_t>(trips / share, 1))),
            perPass = llvm::divideCeil(share, trips);
    Value first = write.times(write.over(pass, passes), perPass * line);
    for (int64_t n = 0; n < std::min(perPass, maxPerPass); ++n) {
      Value way = write.plus(first, write.constant(n * line));
      indices.back() = write.plus(start, way);
      memref::PrefetchOp::create(inside, loop.getLoc(), memref, indices,
                                 /*isWrite=*/false, levelTwo,
                                 /*isDataCache=*/true);
    }
  }
}

/// Whether `loop` itself stores vectors to `memref`.
static bool storesTo(AffineForOp loop, Value memref) {
  return llvm::any_of(
      loop.getOps<AffineVectorStoreOp>(),
      [&](AffineVectorStoreOp store) { return store.getMemref() == memref; });
}

/// Whether a loop in an iteration of `outer` fills `memref`.
static bool isFilledIn(AffineForOp outer, Value memref) {
  return llvm::any_of(memref.getUsers(), [&](Operation *user) {
    return isa<AffineStoreOp, AffineVectorStoreOp>(user) &&
           outer->isProperAncestor(user);
  });
}

/// Whether the loop around `outer` reads in each iteration what this one did,
/// so that level 2 has kept it.
static bool isReadAgain(Value memref, const Box &box, int64_t count,
                        AffineForOp outer) {
  auto around = outer->getParentOfType<AffineForOp>();
  std::optional<int64_t> trips = maximalTripCount(outer);
  // A loop over a tile starts elsewhere in each iteration around it.
  if (!around || !trips || !outer.hasConstantLowerBound() || moves(box, around))
    return false;
  return bytesOf(memref, count * *trips) <= nearBytes;
}

/// Adds prefetches of the elements that `load`, which is in `outer`, reads
/// `ahead` iterations of that loop later, if it is in an innermost loop, or in
/// `outer` itself before one.
static void prefetchLike(AffineVectorLoadOp load, AffineForOp outer,
                         int64_t ahead) {
  auto inner = dyn_cast<AffineForOp>(load->getParentOp());
  bool isOwn = inner == outer;
  if (!inner || isInnermost(inner) == isOwn)
    return;
  AffineMap map = load.getAffineMap();
  SmallVector<Value> operands(load.getMapOperands());
  compose(map, operands);
  unsigned place =
      llvm::find(operands, outer.getInductionVar()) - operands.begin();
  if (place >= map.getNumDims() ||
      (!isOwn && !llvm::is_contained(operands, inner.getInductionVar())))
    return;
  OpBuilder builder(load);
  AffineExpr iterator = builder.getAffineDimExpr(place);
  map = map.replace(iterator, iterator + ahead * outer.getStepAsInt(),
                    map.getNumDims(), map.getNumSymbols());
  VectorType type = load.getVectorType();
  int64_t line =
      std::max<int64_t>(1, cacheLineBytes / bytesOf(load.getMemref()));
  for (int64_t lane = 0; lane < type.getNumElements(); lane += line) {
    AffinePrefetchOp::create(builder, load.getLoc(), load.getMemref(),
                             offsetLast(map, lane), operands,
                             isOwn && storesTo(outer, load.getMemref()),
                             isOwn ? levelOne : levelTwo,
                             /*isDataCache=*/true);
  }
}

void baco::loopnest::prefetchMarked(Operation *root) {
  root->walk([](AffineForOp outer) {
    auto ahead = outer->getAttrOfType<IntegerAttr>(markName);
    if (!ahead)
      return;
    outer->removeDiscardableAttr(markName);
    llvm::SmallPtrSet<Operation *, 4> copying;
    outer->walk([&](AffineForOp loop) {
      if (copiesConstants(loop))
        copying.insert(loop);
    });
    auto isCounted = [&](Operation *load) {
      auto loop = load->getParentOfType<AffineForOp>();
      return loop == outer || !copying.contains(loop);
    };
    SmallVector<AffineVectorLoadOp> loads;
    outer.getBody()->walk([&](AffineVectorLoadOp load) {
      if (isCounted(load))
        loads.push_back(load);
    });
    // Panels in buffers are numbered by quotients, which are sums then.
    if (llvm::any_of(loads, [](AffineVectorLoadOp load) {
          return load.getMemref().getDefiningOp<memref::AllocOp>() &&
                 !isInNearCache(load.getMemref());
        }))
      (void)normalizeAffineFor(outer);
    std::optional<SmallVector<Innermost>> places =
        findInnermost(outer, copying);
    llvm::SmallPtrSet<Value, 4> spreadOnes;
    if (places)
      for (auto [memref, box] : findReadFootprints(outer, isCounted)) {
        auto type = cast<MemRefType>(memref.getType());
        auto count = countInOnePiece(box, type);
        bool isCopy = isConstantCopy(memref) && isFilledIn(outer, memref);
        if (!count ||
            (!isCopy && (!moves(box, outer) || isInNearCache(memref) ||
                         isReadAgain(memref, box, *count, outer))))
          continue;
        LDBG() << outer->getLoc() << ": prefetches " << *count
               << " elements of " << memref << ", " << ahead.getInt()
               << " iterations ahead";
        // The copy for the next iteration is behind this one.
        if (isCopy)
          box.back().first.constant += ahead.getInt() * type.getNumElements();
        spread(outer, *places, memref, box, *count, ahead.getInt());
        spreadOnes.insert(memref);
      }
    for (AffineVectorLoadOp load : loads)
      if (!spreadOnes.contains(load.getMemRef()) &&
          !isInNearCache(load.getMemRef()))
        prefetchLike(load, outer, ahead.getInt());
  });
}
