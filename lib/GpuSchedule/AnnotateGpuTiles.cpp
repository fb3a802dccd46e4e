//===- AnnotateGpuTiles.cpp - Parallel iterators on GPUs ------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Blocks and threads have tiles of the op's elements. Elements are sums, whose
// parts different blocks may have, or what is at one place of all operands.
//
//===----------------------------------------------------------------------===//

#include "GpuKnobs.h"
#include "baco/IR/RecipeFields.h"
#include "baco/TransformOps/GpuOps.h"

#include "llvm/ADT/SmallBitVector.h"
#include "llvm/Support/MathExtras.h"

#include <numeric>

using namespace mlir;
using namespace baco;
using namespace baco::schedule;

/// The least part of a sum.
static constexpr int64_t minPart = 16;

/// As many threads as hide the latency of loads.
static int64_t threadsOf(const GpuLimits &gpu) {
  return gpu.multiprocessors * nvidia::maxThreads;
}

/// The iterator of the sum, if the op reduces one.
static std::optional<unsigned> findSum(linalg::LinalgOp op) {
  SmallVector<unsigned> reductions;
  op.getReductionDims(reductions);
  return reductions.size() == 1 ? std::optional(reductions[0]) : std::nullopt;
}

/// Inputs that are read through windows, as those of stencils and convolutions.
static SmallVector<int64_t> listWindows(linalg::LinalgOp op) {
  SmallVector<int64_t> windows;
  for (OpOperand *input : op.getDpsInputOperands())
    if (!op.getMatchingIndexingMap(input).isProjectedPermutation(
            /*allowZeroInResults=*/true))
      windows.push_back(input->getOperandNumber());
  return windows;
}

bool schedule::hasWindows(linalg::LinalgOp op) {
  return !listWindows(op).empty();
}

bool schedule::canSplitSum(linalg::LinalgOp op, const GpuLimits &gpu) {
  std::optional<unsigned> sum = findSum(op);
  SmallVector<unsigned> parallel;
  op.getParallelDims(parallel);
  Numbers extents = op.getStaticLoopRanges();
  int64_t elements = 1;
  for (unsigned iterator : parallel)
    elements *= extents[iterator];
  // Blocks along z have the parts.
  if (!sum || parallel.size() > 2 || elements > threadsOf(gpu) / 2 ||
      extents[*sum] < 2 * minPart)
    return false;
  return !llvm::errorToBool(checkSplit(op, *sum));
}

bool schedule::sumsAcrossRows(linalg::LinalgOp op) {
  std::optional<unsigned> sum = findSum(op);
  return sum && llvm::any_of(op.getDpsInputOperands(), [&](OpOperand *input) {
           AffineMap map = op.getMatchingIndexingMap(input);
           return map.isProjectedPermutation() && map.isFunctionOfDim(*sum) &&
                  map.getDimPosition(map.getNumResults() - 1) != *sum &&
                  op.getShape(input).back() >= nvidia::warpSize;
         });
}

namespace {
/// The recipe of an op with parallel iterators: tiles of the up to three that
/// are longest; tiles of inputs that are read through windows may be in shared
/// memory. If few sizes divide the extents, these are padded.
class TilePlan {
public:
  TilePlan(linalg::LinalgOp op, const GpuLimits &gpu, bool isShared,
           bool isPadded)
      : op(op), gpu(gpu), isPadded(isPadded), builder(op.getContext()),
        extents(op.getStaticLoopRanges()), rest(extents),
        restSizes(builder.zeros(extents.size())) {
    op.getParallelDims(parallel);
    // The last ones first, if extents are equal.
    longest = parallel;
    llvm::sort(longest, [&](unsigned a, unsigned b) {
      return std::pair(extents[a], a) > std::pair(extents[b], b);
    });
    longest.resize(std::min<size_t>(longest.size(), 3));
    llvm::sort(longest, std::greater<>());
    if (isPadded)
      for (auto [place, iterator] : llvm::enumerate(longest))
        extents[iterator] = roundUp(extents[iterator], unitOf(place));
    if (isShared)
      chooseShared();
    else if (canSplitSum(op, gpu))
      chooseParts();
  }

  /// Null if there are no sizes, or if those that divide the extents are poor.
  RecipeAttr make() {
    // Integers can't be divided by zeros outside of operands.
    bool isVector =
        isElementwise(op) &&
        (!isPadded ||
         llvm::all_of(op.getBlock()->without_terminator(),
                      [](Operation &inner) { return isSpeculatable(&inner); }));
    if (isVector || !shared.empty())
      // A turn has one value of each iterator that isn't distributed.
      for (unsigned iterator : parallel)
        if (!llvm::is_contained(longest, iterator)) {
          rest[iterator] = 1;
          restSizes[iterator] = builder.getI64IntegerAttr(1);
        }
    Numbers point = choosePoint(isVector);
    if (point.empty() || (!isPadded && isPoorPoint(point)))
      return {};
    SmallVector<Attribute> blocks = builder.zeros(extents.size()),
                           threads(blocks);
    const StringRef names[] = {"X", "Y", "Z"};
    for (auto [place, iterator] : llvm::enumerate(longest)) {
      blocks[iterator] = builder.knob(("B" + names[place]).str(),
                                      all[2 * place], point[2 * place]);
      threads[iterator] = builder.knob(
          ("T" + names[place]).str(), all[2 * place + 1], point[2 * place + 1]);
    }
    MLIRContext *context = op.getContext();
    SmallVector<Attribute> steps = {
        GpuBlocksAttr::get(context, builder.getArrayAttr(blocks), /*global=*/{},
                           /*local=*/{})};
    if (!parts.empty())
      steps.push_back(makeSplit());
    auto addTile = [&] {
      if (llvm::any_of(restSizes, makesLoop))
        steps.push_back(builder.tile(restSizes));
    };
    if (!shared.empty()) {
      addTile();
      steps.push_back(makeShared(point));
    }
    steps.push_back(GpuThreadsAttr::get(context, builder.getArrayAttr(threads),
                                        /*local=*/{}));
    if (isVector) {
      // Element by element.
      addTile();
      steps.push_back(VectorizeAttr::get(context, {}, {}));
    }
    builder.pad(steps, op, extents);
    return builder.recipe(steps);
  }

private:
  /// Chooses the sizes that parts of the sum may have.
  void chooseParts() {
    constexpr int64_t maxParts = 64;
    sum = *findSum(op);
    auto list = [&] {
      parts = divisorsWithin(
          extents[sum],
          std::max(minPart, llvm::divideCeilSigned(extents[sum], maxParts)),
          extents[sum]);
    };
    list();
    if (parts.size() > 2)
      return;
    // Zeros change no sum.
    extents[sum] = llvm::alignTo(extents[sum], maxParts);
    list();
  }

  /// By default there are as many parts as give enough threads, and no more
  /// than another kernel's thread adds at once.
  Attribute makeSplit() {
    constexpr int64_t maxAdded = 32;
    int64_t size = parts.back();
    for (int64_t smaller : llvm::reverse(parts))
      if (extents[sum] / smaller <= maxAdded &&
          countElements() * (extents[sum] / size) < threadsOf(gpu))
        size = smaller;
    SmallVector<Attribute> sizes = builder.zeros(extents.size());
    sizes[sum] = builder.knob("KS", parts, size);
    return GpuSplitAttr::get(op.getContext(), builder.getArrayAttr(sizes));
  }

  /// Extents at `place` are multiples of at most this.
  int64_t unitOf(size_t place) const {
    return longest.size() == 1 ? (isLarge() ? 4096 : 256)
           : place == 0        ? 128
                               : 16;
  }

  /// Chooses the operands for shared memory, and how much of the iterators that
  /// no window has is summed up at once.
  void chooseShared() {
    SmallVector<int64_t> windows = listWindows(op);
    llvm::SmallBitVector inWindow(extents.size());
    for (int64_t operand : windows)
      for (AffineExpr expression :
           op.getMatchingIndexingMap(&op->getOpOperand(operand)).getResults())
        if (!isa<AffineDimExpr>(expression))
          expression.walk([&](AffineExpr part) {
            if (auto dim = dyn_cast<AffineDimExpr>(part))
              inWindow.set(dim.getPosition());
          });
    shared = windows;
    SmallVector<unsigned> reductions;
    op.getReductionDims(reductions);
    for (unsigned iterator : reductions) {
      if (inWindow[iterator])
        continue;
      Numbers values = divisorsWithin(extents[iterator], 4, 32);
      rest[iterator] = nearest({values}, {8}, [](auto) { return true; })[0];
      restSizes[iterator] =
          builder.knob("C" + std::to_string(iterator), values, rest[iterator]);
      // Other inputs have as many elements then.
      shared.clear();
      for (OpOperand *input : op.getDpsInputOperands())
        if (op.getRank(input) > 0)
          shared.push_back(input->getOperandNumber());
    }
  }

  /// The sizes of the tile that a block copies.
  Numbers tileAt(ArrayRef<int64_t> point) {
    Numbers tile(rest);
    for (auto [place, iterator] : llvm::enumerate(longest))
      tile[iterator] = point[2 * place];
    return tile;
  }

  int64_t countElements() const {
    int64_t elements = 1;
    for (unsigned iterator : longest)
      elements *= extents[iterator];
    return elements;
  }

  /// Whether there are more elements than there can be threads at a time.
  bool isLarge() const {
    return countElements() >= gpu.maxResidentThreads * gpu.multiprocessors;
  }

  /// How many elements of a row a block has by default.
  int64_t chooseRow() {
    int64_t elements = countElements();
    // A warp, if each thread has a sum and few of them are for a
    // multiprocessor.
    if (op.getNumReductionLoops() > 0 && longest.size() == 1)
      return std::clamp<int64_t>(elements / gpu.multiprocessors,
                                 nvidia::warpSize, 256);
    return areRowsAligned() ? 128 : 256;
  }

  /// The place among `longest`, but the first, of the iterator along which an
  /// operand has its rows; nothing if there is none, or one of both is short.
  std::optional<size_t> findTransposed() {
    constexpr int64_t minRow = 16;
    for (OpOperand &operand : op->getOpOperands()) {
      AffineMap map = op.getMatchingIndexingMap(&operand);
      if (map.getNumResults() < 2)
        continue;
      auto last = dyn_cast<AffineDimExpr>(map.getResults().back());
      for (size_t place = 1; last && place < longest.size(); ++place)
        if (longest[place] == last.getPosition() &&
            extents[longest[place]] >= minRow && extents[longest[0]] >= minRow)
          return place;
    }
    return std::nullopt;
  }

  Numbers choosePoint(bool isVector) {
    SmallVector<int64_t> targets;
    std::optional<size_t> transposed;
    if (isVector)
      transposed = findTransposed();
    // Short rows leave threads to columns.
    bool isShort = extents[longest[0]] < nvidia::warpSize;
    const int64_t maxInBlock[] = {1024, isShort ? 512 : 64, 8},
                  inBlock[] = {chooseRow(), isShort ? 64 : 4, 1},
                  withShared[] = {32, 16, 1};
    for (auto [place, iterator] : llvm::enumerate(longest)) {
      bool isOnly = longest.size() == 1;
      int64_t extent = extents[iterator];
      all.push_back(divisorsWithin(extent, place == 0 ? 16 : 1,
                                   isOnly                ? 4096
                                   : place == transposed ? 64
                                                         : maxInBlock[place]));
      // A thread has several elements, or a sum of some.
      targets.push_back(isOnly && isVector ? (isLarge() ? 1024 : 256)
                        : shared.empty()   ? inBlock[place]
                                           : withShared[place]);
      all.push_back(divisorsWithin(extent, 1, 8));
      if (transposed) {
        // Whole sectors of all rows.
        targets.back() = place == 0 ? 16 : place == transposed ? 32 : 1;
        targets.push_back(place == 0 ? 2 : place == transposed ? 8 : 1);
        continue;
      }
      // Vectors, or rows if these don't begin at whole vectors.
      bool isLong = isOnly || (place == 0) == areRowsAligned();
      targets.push_back(
          place < 2 && isVector && isLong && isLarge() && !isShort ? 4 : 1);
    }
    return nearest(all, targets, [&](ArrayRef<int64_t> p) {
      int64_t threads = 1;
      for (size_t i = 0; i < p.size(); i += 2) {
        if (p[i] % p[i + 1] != 0)
          return false;
        threads *= p[i] / p[i + 1];
      }
      int64_t bytes = 0;
      for (int64_t operand : shared)
        bytes += llvm::product_of(extentsOf(op, operand, tileAt(p))) *
                 countBytes(op->getOperand(operand).getType());
      return threads <= gpu.maxThreads && bytes <= gpu.maxShared / 2;
    });
  }

  /// Whether the threads of a block don't fill a warp, or neighbors among them
  /// don't access neighboring elements, although there are enough.
  bool isPoorPoint(ArrayRef<int64_t> point) {
    int64_t threads = 1, elements = 1;
    for (auto [place, iterator] : llvm::enumerate(longest)) {
      threads *= point[2 * place] / point[2 * place + 1];
      elements *= extents[iterator];
    }
    bool isRow = longest.size() > 1 &&
                 extents[longest[1]] >= nvidia::warpSize &&
                 llvm::none_of(all[2], [](int64_t size) {
                   return size > 1 && size < nvidia::warpSize / 2;
                 });
    if (isRow)
      return true;
    return isPoor(all[0], extents[longest[0]]) ||
           (threads < nvidia::warpSize && elements >= 2 * nvidia::warpSize);
  }

  /// Whether the rows of all operands begin at multiples of 16 bytes.
  bool areRowsAligned() {
    return llvm::all_of(op->getOpOperands(), [&](OpOperand &operand) {
      return op.getRank(&operand) < 2 ||
             op.getShape(&operand).back() *
                     countBytes(operand.get().getType()) %
                     nvidia::maxAccessBytes ==
                 0;
    });
  }

  Attribute makeShared(ArrayRef<int64_t> point) {
    int64_t longestVector = nvidia::maxAccessBytes, width = longestVector;
    for (int64_t operand : shared) {
      int64_t bytes = countBytes(op->getOperand(operand).getType());
      longestVector = std::min(longestVector, nvidia::maxAccessBytes / bytes);
      width = std::gcd(width, extentsOf(op, operand, tileAt(point)).back());
    }
    Attribute vector =
        builder.knob("V", divisorsWithin(longestVector, 1, longestVector),
                     std::gcd(width, longestVector));
    return GpuSharedAttr::get(
        op.getContext(), builder.getDenseI64ArrayAttr(shared), vector,
        /*padding=*/{}, /*run=*/{}, /*stages=*/{}, gpu.maxShared,
        /*enabled=*/builder.knob("S", {0, 1}, readsOften() ? 1 : 0));
  }

  /// Whether windows overlap so much that elements are read more often than
  /// caches serve as well as shared memory. Few threads wait longer for all
  /// copies of a turn than for what each needs.
  bool readsOften() {
    constexpr int64_t often = 3, large = 64, threads = 128;
    if (countElements() < threads * gpu.multiprocessors)
      return false;
    Numbers tile(extents);
    for (unsigned iterator : parallel)
      tile[iterator] = large;
    int64_t elements = 0;
    for (int64_t operand : listWindows(op))
      elements += llvm::product_of(extentsOf(op, operand, tile));
    return llvm::product_of(tile) > often * elements;
  }

  linalg::LinalgOp op;
  const GpuLimits &gpu;
  bool isPadded;
  RecipeBuilder builder;
  Numbers extents;
  SmallVector<unsigned> parallel, longest;
  /// Domains of the sizes of blocks and threads along each of `longest`.
  SmallVector<Numbers> all;
  SmallVector<int64_t> shared;
  /// The extents of the other iterators in a turn, and their sizes in the tile
  /// step.
  Numbers rest;
  SmallVector<Attribute> restSizes;
  /// The iterator of the sum of which blocks have parts, and their sizes; empty
  /// if they don't.
  unsigned sum = 0;
  Numbers parts;
};
} // namespace

RecipeAttr schedule::planTiles(linalg::LinalgOp op, const GpuLimits &gpu,
                               bool isShared, bool isPadded) {
  return TilePlan(op, gpu, isShared, isPadded).make();
}
