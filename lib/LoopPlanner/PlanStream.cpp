//===- PlanStream.cpp - Plans for vectors along one loop ------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ContractionRoles.h"
#include "StreamOrder.h"

#include <algorithm>

using namespace baco::polyhedral;

namespace {
/// The cost of a vector along a loop.
struct VectorCost {
  /// Most of a register would be empty, as along the window of a pooling.
  bool isShort = false;
  int gathered = 0;
  /// Sums of lanes are needed at the end.
  bool isReduction = false;
  /// How far the loop is from its place in the source.
  size_t distance = 0;

  auto key() const {
    return std::tuple(isShort, gathered, isReduction, distance);
  }
};
} // namespace

static std::optional<VectorCost> judgeVector(const StatementModel &model,
                                             unsigned dim, size_t distance) {
  VectorCost cost;
  cost.distance = distance;
  for (const Reference &reference : model.references) {
    Stride stride = reference.stride(dim);
    if (reference.isWrite && stride == Stride::Large)
      return std::nullopt;
    if (reference.isWrite && stride == Stride::None) {
      // Lanes sum up in another order, which needs a reduction that may be
      // reassociated.
      if (!model.commutes)
        return std::nullopt;
      cost.isReduction = true;
    }
    cost.gathered += !reference.isWrite && stride == Stride::Large;
  }
  return cost;
}

bool baco::polyhedral::isStreamAlong(const StatementModel &model,
                                     unsigned dim) {
  std::optional<VectorCost> cost = judgeVector(model, dim, 0);
  return cost && cost->gathered == 0;
}

/// The best loop of `dims` for vectors of `length` elements.
static std::optional<unsigned> findVectorLoop(const StatementModel &model,
                                              const Leaf &leaf,
                                              const std::vector<unsigned> &dims,
                                              int64_t length) {
  std::optional<unsigned> best;
  VectorCost least;
  for (size_t p = 0; p < dims.size(); ++p) {
    // Among equal loops, the one nearest to the innermost place moves least.
    auto cost = judgeVector(model, dims[p], dims.size() - 1 - p);
    int64_t extent = leaf.extents[dims[p]];
    if (cost)
      cost->isShort = extent > 0 && 2 * extent < length;
    if (cost && (!best || cost->key() < least.key())) {
      best = dims[p];
      least = *cost;
    }
  }
  return best;
}

/// Whether iterations of the loop share at least two of the rows that a stencil
/// reads.
static bool sharesRows(const StatementModel &model, unsigned dim) {
  int count = 0;
  for (size_t a = 0; a < model.references.size(); ++a)
    count += !model.references[a].isWrite && model.isReusedAlong(a, dim);
  return count >= 2;
}

/// Unrolls the loops over a window, which take longer than their bodies; false
/// if there is no small window.
static bool unrollWindow(LeafBuilder &builder, const Leaf &leaf,
                         const StreamOrder &order) {
  // More would be copies of code for each row that is jammed, too.
  constexpr int64_t maxSteps = 16;
  int64_t steps = 1;
  // The factors are capped so that long loops can't overflow the product; an
  // unknown extent counts as too long.
  for (unsigned dim : order.sums())
    steps *= leaf.extents[dim] ? std::min(leaf.extents[dim], maxSteps + 1)
                               : maxSteps + 1;
  if (!order.holdsSums || steps > maxSteps)
    return false;
  for (unsigned dim : order.sums())
    if (leaf.extents[dim] > 1)
      builder.unroll(dim, leaf.extents[dim]);
  return true;
}

/// Bytes that a stencil finds in the cache again when the outermost loop,
/// `dims` [0], takes a step: three iterations of an array that it reads at
/// several places. 0 if there is no such array, for an update, or if nothing is
/// known of it.
static double bytesOfPlanes(const StatementModel &model, const Leaf &leaf,
                            const std::vector<unsigned> &dims) {
  std::vector<int64_t> extents = leaf.extents;
  if (model.update || std::ranges::count(extents, 0))
    return 0;
  extents[dims[0]] = 3;
  double bytes = 0;
  for (size_t a = 0; a < model.references.size(); ++a) {
    const Reference &reference = model.references[a];
    // The second reference to an array tells that it is read at several places,
    // and counts it once.
    if (!reference.isWrite && reference.isAffine && reference.uses(dims[0]) &&
        model.countBefore(a) == 1)
      bytes += reference.boxBytes(extents);
  }
  return bytes;
}

/// Planes of a stencil that don't fit into level 2 are cut into strips of their
/// second loop, `dims` [1].
static LoopValue cutPlanes(const PlanState &state, double planes,
                           KnobGroup &knobs) {
  if (planes <= state.host.l2Bytes / 2)
    return 0;
  return knobs.add("TJ", {0, 16, 32, 64, 128, 256});
}

/// The references that would be gathered along the vector and are used again by
/// all other loops of the leaf, as a column is by all rows that it is a factor
/// of; nothing if others are gathered, too. A copy of them is contiguous.
static std::vector<size_t> findColumns(const StatementModel &model,
                                       const Leaf &leaf, unsigned vector) {
  // Fewer uses don't pay for a copy.
  constexpr int64_t fewUses = 16;
  std::vector<size_t> columns;
  for (size_t a = 0; a < model.references.size(); ++a) {
    const Reference &reference = model.references[a];
    if (reference.stride(vector) != Stride::Large)
      continue;
    int64_t uses = 1;
    for (unsigned dim : leaf.dims()) {
      if (dim == vector)
        continue;
      if (reference.uses(dim))
        return {};
      uses *= leaf.extents[dim] ? leaf.extents[dim] : fewUses;
    }
    if (uses < fewUses || !reference.isAffine ||
        !movedDimension(reference, vector, 1))
      return {};
    columns.push_back(a);
  }
  return columns;
}

/// Whether `reference` moves by a few elements along loop `dim`, so that
/// several lanes of a gathered vector are in one cache line.
static bool isNearby(const Reference &reference, unsigned dim) {
  constexpr int64_t maxElements = 4;
  if (!reference.isAffine || reference.elementStride != 1)
    return false;
  const auto &rows = reference.coefficients;
  return std::all_of(rows.begin(), rows.end() - 1,
                     [&](const auto &row) { return row[dim] == 0; }) &&
         std::abs(rows.back()[dim]) <= maxElements;
}

/// Whether taking lanes apart and putting them together pays. LLVM does both in
/// an innermost loop, and does it better where lanes next to each other are
/// used, too. LLVM doesn't around a window, as of a pooling.
static bool isGatheringGood(const StatementModel &model, const Leaf &leaf,
                            unsigned vector) {
  return leaf.dims().back() != vector &&
         std::ranges::all_of(model.references, [&](const Reference &reference) {
           return reference.isWrite ||
                  reference.stride(vector) != Stride::Large ||
                  isNearby(reference, vector);
         });
}

/// Copies whose elements follow each other along different loops have squares
/// that are transposed in registers.
static bool isTransposingCopy(const NestModel &model, unsigned statement) {
  const StatementModel &copy = model.statements[statement];
  return model.program.statements[statement].isCopy &&
         std::ranges::all_of(copy.references, [&](const Reference &reference) {
           for (unsigned loop = 0; loop < copy.depth(); ++loop)
             if (reference.stride(loop) == Stride::Unit)
               return true;
           return false;
         });
}

/// How many vectors of `length` elements one operation has at most.
static int64_t maxVectors(int64_t length, bool gathers, bool holdsSums) {
  // Gathered vectors are loaded element by element, and LLVM takes more than
  // twice as long for twice as many: 0.4 s for 32, 1.1 to 1.9 s for 64, which
  // ran no faster.
  constexpr int64_t maxGathered = 32;
  if (gathers)
    return std::clamp<int64_t>(maxGathered / length, 1, 4);
  return holdsSums ? 16 : 4;
}

bool baco::polyhedral::planStream(PlanState &state, Leaf leaf,
                                  const LeafOptions &options) {
  const StatementModel &model = state.model.statements[leaf.statement];
  std::vector<unsigned> dims = leaf.dims();
  if (!options.moves && !dims.empty())
    dims = {dims.back()};
  // A loop that runs once would fill a single lane.
  std::erase_if(dims, [&](unsigned dim) { return leaf.extents[dim] == 1; });
  int64_t length = state.vectorLength(model.elementBytes);
  // Innermost, LLVM makes a repeated update of integers a product or a single
  // maximum, which no vectors beat.
  auto isRepeated = [&](unsigned dim) {
    return model.commutes && model.isRepeated(dim) &&
           state.model.program.statements[leaf.statement].isInteger;
  };
  bool isFolded = std::erase_if(dims, isRepeated) > 0;
  std::optional<unsigned> vector = findVectorLoop(model, leaf, dims, length);
  if (!vector)
    return false;
  std::vector<size_t> columns;
  if (options.copies != Copies::None) {
    columns = findColumns(model, leaf, *vector);
    if (columns.empty())
      return false;
  }
  bool gathers =
      columns.empty() && judgeVector(model, *vector, 0)->gathered > 0;
  // Moving some loops would make other references walk across rows.
  bool keepsOrder = gathers || isFolded;
  StreamOrder order = keepsOrder ? StreamOrder{leaf.dims(), *vector}
                                 : orderLoops(state, leaf, *vector, options);
  if (options.isPermutable)
    std::ranges::stable_partition(
        order.dims, [&](unsigned dim) { return !isRepeated(dim); });
  LeafBuilder builder(state, leaf);
  builder.reorder(order.dims);
  for (size_t access : columns)
    builder.copy(leaf.outer + 1, access,
                 *movedDimension(model.references[access], *vector, 1), 1);
  if (options.isMinor) {
    builder.vectorize(*vector,
                      vectorWidths(length, leaf.extents[*vector], 2).back());
    return true;
  }
  bool isReduction = model.update && !model.update->uses(*vector);
  // Many results, as those of a Winograd transform, fill the registers.
  constexpr int64_t maxResults = 4;
  bool isJamGood =
      std::ranges::count_if(model.references, &Reference::isWrite) <=
          maxResults &&
      (model.update || (order.jam && sharesRows(model, *order.jam)));
  auto wantedFactor =
      double(countStreams(state, leaf, order).value_or(isJamGood ? 4 : 1));
  KnobGroup knobs(state, leaf.statement);
  std::vector<int64_t> widths =
      vectorWidths(length, leaf.extents[*vector],
                   maxVectors(length, gathers, order.holdsSums));
  // Then vectors only take lanes apart and put them together.
  bool isSplit =
      keepsOrder || state.model.program.statements[leaf.statement].callsLibrary;
  if (isSplit)
    widths.push_back(0);
  bool isTransposed = gathers && isTransposingCopy(state.model, leaf.statement);
  // LLVM makes no vectors of what each iteration computes of the one before, as
  // the place of a maximum. Measured: lanes of several such chains, gathered,
  // are 2.3 to 6.7 times as fast.
  bool isChain =
      model.update && !model.commutes && leaf.dims().back() != *vector;
  bool isScalarBetter =
      isSplit && !isTransposed &&
      !(gathers && (isChain || isGatheringGood(model, leaf, *vector)));
  LoopValue width = knobs.add("W", widths);
  LoopValue factor =
      order.jam ? knobs.add("U", {1, 2, 3, 4, 6, 8}) : LoopValue(1);
  double planes = options.isPermutable && order.dims.size() >= 3
                      ? bytesOfPlanes(model, leaf, order.dims)
                      : 0;
  LoopValue strip = cutPlanes(state, planes, knobs);
  Expression jammed = toExpression(factor) * toExpression(width);
  Expression jammedVectors = floorDivide(jammed, length),
             sharedVectors = floorDivide(toExpression(width), length);
  // Each row has sums of its own.
  if (order.rows) {
    Expression &sums = isReduction ? jammedVectors : sharedVectors;
    sums = leaf.extents[*order.rows] * sums;
  }
  knobs.requireRegisters(jammedVectors + sharedVectors + 1,
                         "what is jammed fits");
  if (isKnob(strip)) {
    // These are the bytes of three planes for each iteration of the second
    // loop.
    auto rowBytes = int64_t(planes / double(leaf.extents[order.dims[1]]));
    Expression columns = toExpression(strip);
    knobs.requireAtMost(columns * rowBytes, state.host.l2Bytes,
                        "what the next plane uses again of a strip stays in "
                        "level 2",
                        {columns == 0});
  }
  knobs.choose([&](const auto &value) -> std::vector<double> {
    // Measured: matrix times vector is bound by memory from 4 rows on.
    // Stencils of three rows gain up to 2 times by 4; those of two rows don't,
    // and maps that share a single row lose 2 times by writing to several.
    // Sums need registers enough to hide the latency of their additions.
    double lanes = double(value(width)) / length;
    // Measured: rows of squares that are a cache line take two thirds of the
    // time of those that are half of one, or two.
    if (isTransposed)
      return {std::abs(double(value(width)) * double(model.elementBytes) - 64),
              double(value(factor))};
    if (isScalarBetter)
      return {lanes, double(value(factor))};
    double wantedLanes = order.holdsSums ? 8 : isReduction ? 4 : 1;
    // Measured: strips gain 15 % where planes are larger than level 2, and cost
    // 5 % where they take two thirds of it.
    double wantedStrip = planes > state.host.l2Bytes * 0.75 ? 64 : 0;
    return {std::abs(value(factor) - wantedFactor),
            std::abs(lanes - wantedLanes),
            std::abs(value(strip) - wantedStrip)};
  });
  if (isKnob(strip))
    builder.tile(order.dims[1], strip, leaf.outer + 1);
  if (order.jam)
    builder.unroll(*order.jam, factor);
  if (order.rows)
    builder.unroll(*order.rows, leaf.extents[*order.rows]);
  builder.vectorize(*vector, width);
  if (unrollWindow(builder, leaf, order) && state.host.hasDotProducts &&
      state.model.addsByteProducts(leaf.statement, *vector))
    state.plan.usesDotProducts = true;
  state.remark(leaf.statement, std::string(model.update ? "reduces" : "maps") +
                                   " along vectors");
  return true;
}
