//===- StepSparsifyFormats.cpp - Rules of sparse formats ------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LoopOrderConstraints.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace baco;
using baco::sparse::LevelKind;
using baco::sparse::StorageFormat;

/// More would take more than a gigabyte for values and positions.
static constexpr double maxPositions = 1 << 26;

static SmallVector<int64_t> valuesOf(Quantity quantity) {
  SmallVector<int64_t> values;
  (void)quantity.allOf([&](int64_t value) {
    values.push_back(value);
    return true;
  });
  return values;
}

/// The least width for numbers up to `largest`.
static int64_t bitsFor(int64_t largest) {
  int64_t bits = 8;
  while (bits < 64 && largest >> bits != 0)
    bits *= 2;
  return bits;
}

const TiledLoop *SparsifyRules::tilesOf(const sparse::Level &level) const {
  if (level.divisor == 1 && level.modulus == 0)
    return nullptr;
  for (const IterationGraph::Split &split : graph.getSplits())
    for (const IterationGraph::Part &part : graph.getParts())
      if (part.loop == split.inner && part.dimension == level.dimension)
        return llvm::find_if(tiles, [&](const TiledLoop &tiled) {
          return tiled.loop == split.loop;
        });
  llvm_unreachable("the level is of a loop that is split");
}

Expression SparsifyRules::sizeOf(const sparse::Level &level) const {
  int64_t extent = graph.getShape()[level.dimension];
  const TiledLoop *tiled = tilesOf(level);
  if (!tiled)
    return extent;
  Expression size = tiled->size.expression();
  return level.divisor > 1 ? floorDivide(extent, size) : size;
}

/// The most positions of a level, where a level has as many coordinates as
/// `sizeOf` says.
static double
maxPositionsOf(const StorageFormat &format, std::optional<int64_t> numEntries,
               llvm::function_ref<int64_t(const sparse::Level &level)> sizeOf) {
  double count = 1, largest = 1;
  for (const sparse::Level &level : format.levels) {
    count *= static_cast<double>(sizeOf(level));
    // An unknown number may be small.
    if (level.kind != LevelKind::Dense)
      count = std::min(count,
                       numEntries ? static_cast<double>(*numEntries) : largest);
    largest = std::max(largest, count);
  }
  return largest;
}

LogicalResult SparsifyRules::stateSizes(StringRef name,
                                        const KnobConditions &premises,
                                        const StorageFormat &format) {
  // For all sizes of tiles. A dimension has one size, whatever the others have.
  double least = HUGE_VAL, most = 0;
  SmallVector<SmallVector<int64_t>> sizes = {{}};
  for (const TiledLoop &tiled : tiles) {
    SmallVector<SmallVector<int64_t>> more;
    for (const SmallVector<int64_t> &before : sizes)
      for (int64_t size :
           tiled.isSparse ? valuesOf(tiled.size) : SmallVector<int64_t>{1}) {
        more.push_back(before);
        more.back().push_back(size);
      }
    sizes = std::move(more);
  }
  for (ArrayRef<int64_t> each : sizes) {
    double positions = maxPositionsOf(
        format, graph.getNumEntries(), [&](const sparse::Level &level) {
          const TiledLoop *tiled = tilesOf(level);
          int64_t extent = graph.getShape()[level.dimension];
          if (!tiled)
            return extent;
          int64_t size = each[tiled - tiles.begin()];
          return level.divisor > 1 ? extent / size : size;
        });
    least = std::min(least, positions);
    most = std::max(most, positions);
  }
  if (most > maxPositions) {
    KnobConditions few;
    std::string number = llvm::formatv("{0:F0}", most).str();
    if (least <= maxPositions) {
      SmallVector<Expression> factors;
      for (const sparse::Level &level : format.levels) {
        if (level.kind != LevelKind::Dense)
          break;
        factors.push_back(sizeOf(level).enclosed());
      }
      few.push_back(Expression::chain("*", factors) <=
                    static_cast<int64_t>(maxPositions));
      number = "up to " + number;
    }
    if (failed(implies(premises, few,
                       "dense levels of format " + quoted(name) + " have " +
                           number + " positions, more than 2^26")))
      return failure();
  }
  return stateCoordinates(name, premises, format);
}

LogicalResult SparsifyRules::stateCoordinates(StringRef name,
                                              const KnobConditions &premises,
                                              const StorageFormat &format) {
  int64_t stored = -1;
  for (const sparse::Level &level : format.levels) {
    if (level.kind == LevelKind::Dense)
      continue;
    int64_t extent = graph.getShape()[level.dimension];
    const TiledLoop *tiled = tilesOf(level);
    if (!tiled) {
      stored = std::max(stored, extent - 1);
      continue;
    }
    for (int64_t width : {8, 16, 32}) {
      int64_t most = int64_t(1) << width;
      Expression fits =
          level.divisor > 1
              ? compare(tiled->size, ">=", (extent + most - 1) / most)
              : compare(tiled->size, "<=", most);
      if (failed(implies(
              premises, {compare(coordinates, ">=", 2 * width), fits},
              "coordinates of tiles of iterator " +
                  std::to_string(tiled->loop) + " that format " + quoted(name) +
                  " stores need more than " + std::to_string(width) + " bits")))
        return failure();
    }
  }
  if (stored < 0)
    return success();
  return implies(premises, {compare(coordinates, ">=", bitsFor(stored))},
                 "coordinates up to " + std::to_string(stored) +
                     " that format " + quoted(name) + " stores need " +
                     std::to_string(bitsFor(stored)) + " bits");
}

/// For all formats: those that store no positions don't care.
LogicalResult SparsifyRules::statePositions() {
  std::optional<int64_t> numEntries = graph.getNumEntries();
  if (!numEntries)
    return success();
  return implies({}, {compare(positions, ">=", bitsFor(*numEntries))},
                 "positions up to " + std::to_string(*numEntries) +
                     ", the number of entries, need " +
                     std::to_string(bitsFor(*numEntries)) + " bits");
}

/// The loops of `graph` but for `loops`.
static SmallVector<int64_t> otherLoops(const IterationGraph &graph,
                                       ArrayRef<int64_t> loops) {
  SmallVector<int64_t> others;
  for (int64_t loop = 0; loop < static_cast<int64_t>(graph.getNumLoops());
       ++loop)
    if (!llvm::is_contained(loops, loop))
      others.push_back(loop);
  return others;
}

LogicalResult SparsifyRules::stateOrder(StringRef name,
                                        const IterationGraph::Offer &offer) {
  if (offer.isArranged) {
    SmallVector<int64_t> all;
    for (const IterationGraph::Part &part : graph.getParts())
      all.push_back(part.loop);
    return stateRepeats(name, offer.format, all);
  }
  SmallVector<int64_t> loops = graph.loopsOfLevels(offer.format);
  for (size_t l = 1; l < loops.size(); ++l)
    if (failed(implies({isFormat(name)}, {isAround(loops[l - 1], loops[l])},
                       "format " + quoted(name) + " stores iterator " +
                           std::to_string(loops[l - 1]) +
                           " outside of iterator " + std::to_string(loops[l]) +
                           ", so that its loop must be outside, too")))
      return failure();
  return stateRepeats(name, offer.format, loops.front());
}

LogicalResult SparsifyRules::stateRepeats(StringRef name,
                                          const StorageFormat &format,
                                          ArrayRef<int64_t> loops) {
  if (format.levels.front().isUnique)
    return success();
  return implies({isFormat(name)},
                 {isSequential(), isOutermost(otherLoops(graph, loops))},
                 "upstream doesn't run the loop over a level that repeats "
                 "coordinates on several threads, so that the code would be "
                 "the same");
}

LogicalResult SparsifyRules::stateArranged(StringRef name,
                                           const LoopVariant &variant,
                                           const StorageFormat &format) {
  ArrayRef<IterationGraph::Part> parts = variant.graph.getParts();
  size_t rank = parts.size();
  size_t numDense = llvm::count_if(format.levels, [](const auto &level) {
    return level.kind == LevelKind::Dense;
  });
  // Which dimensions have the dense levels depends on the order.
  for (uint64_t set = 0; set < uint64_t(1) << rank; ++set) {
    if (static_cast<size_t>(llvm::popcount(set)) != numDense)
      continue;
    KnobConditions premises = variant.premises;
    premises.push_back(isFormat(name));
    StorageFormat arranged = format;
    size_t nextDense = 0, nextOther = numDense;
    for (size_t p = 0; p < rank; ++p) {
      bool isDense = set >> p & 1;
      parts[p].assignTo(arranged.levels[isDense ? nextDense++ : nextOther++]);
      for (size_t other = 0; other < rank; ++other)
        if (isDense && !(set >> other & 1))
          premises.push_back(isAround(parts[p].loop, parts[other].loop));
    }
    if (failed(stateSizes(name, premises, arranged)))
      return failure();
  }
  return success();
}

/// The format that equals `name` for a matrix, according to the order of loops.
static ArrayRef<StringRef> otherNames(StringRef name) {
  static constexpr StringRef rows[] = {"csr", "csc"}, both[] = {"dcsr", "dcsc"};
  return name == "dense-csf" ? ArrayRef(rows)
         : name == "csf"     ? ArrayRef(both)
                             : ArrayRef<StringRef>();
}

/// Whether the step chooses among all of `names`, too.
static bool isOffered(SparsifyAttr step, ArrayRef<StringRef> names) {
  SmallVector<StringRef> offered = textsOf(step.getFormat());
  return !names.empty() && llvm::all_of(names, [&](StringRef name) {
    return llvm::is_contained(offered, name);
  });
}

LogicalResult SparsifyRules::stateFormat(StringRef name) {
  auto offer = graph.findFormat(name);
  if (!offer)
    return state.emitError() << llvm::toString(offer.takeError());
  if (failed(stateOrder(name, *offer)))
    return failure();
  for (const LoopVariant &variant : variants) {
    KnobConditions premises = variant.premises;
    premises.push_back(isFormat(name));
    auto own = variant.graph.findFormat(name);
    LogicalResult stated = success();
    if (!own) {
      stated = implies(premises, {}, llvm::toString(own.takeError()));
    } else if (variant.graph.getParts().size() == graph.getShape().size() &&
               isOffered(step, otherNames(name))) {
      stated = implies(premises, {},
                       "format " + quoted(name) + " without tiles is '" +
                           llvm::join(otherNames(name), "' or '") + "'");
    } else if (own->isArranged) {
      stated = stateArranged(name, variant, own->format);
    } else {
      stated = stateSizes(name, premises, own->format);
    }
    if (failed(stated))
      return failure();
  }
  return success();
}
