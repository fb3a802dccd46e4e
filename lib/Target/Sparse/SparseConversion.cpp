//===- SparseConversion.cpp - Code that changes formats -------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// If the order of entries stays, one pass over the levels of the source appends
// the entries to the levels of the target. Otherwise their coordinates are
// listed, and sorted by counting.
//
//===----------------------------------------------------------------------===//

#include "SparseConversion.h"
#include "IndexCode.h"

#include "baco/IR/SparseEncoding.h"
#include "baco/Sparse/Layout.h"

#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace baco;
using namespace baco::target;
using baco::sparse::LevelKind;
using StoredLevel = baco::sparse::Level;
using baco::sparse::StorageFormat;

/// Most buckets of a pass that sorts.
static constexpr int64_t maxBuckets = 1 << 16;

/// The format of a tensor, which is supported.
static StorageFormat formatOf(RankedTensorType type) {
  if (auto encoding = encodingOf(type))
    return llvm::cantFail(storageFormat(encoding));
  return *sparse::namedFormat("dense", static_cast<size_t>(type.getRank()));
}

/// Whether the entries are in the order of the levels.
static bool isOrdered(RankedTensorType type) {
  auto encoding = encodingOf(type);
  return !encoding ||
         llvm::all_of(encoding.getLvlTypes(), sparse_tensor::isOrderedLT);
}

/// How many coordinates `level` has.
static Value sizeOf(IndexCode &code, const StoredLevel &level,
                    ArrayRef<OpFoldResult> extents) {
  std::optional<int64_t> extent = getConstantIntValue(extents[level.dimension]);
  if (!extent) {
    if (level.modulus > 0)
      return code.constant(level.modulus);
    Value whole = code.valueOf(extents[level.dimension]);
    return code.partOf(code.add(whole, code.constant(level.divisor - 1)),
                       level.divisor);
  }
  int64_t parts = llvm::divideCeilSigned(*extent, level.divisor);
  return code.constant(level.modulus > 0 ? std::min(level.modulus, parts)
                                         : parts);
}

//===----------------------------------------------------------------------===//
// Source
//===----------------------------------------------------------------------===//

namespace {
/// Visits the entries of a tensor.
class Source {
public:
  /// Takes a coordinate for each dimension, and the value.
  using Visitor = llvm::function_ref<void(ArrayRef<Value>, Value)>;

  Source(IndexCode &code, const SparseBuffers &tensor)
      : code(code), tensor(tensor), format(formatOf(tensor.type)) {}

  /// The most entries that are visited.
  Value bound() { return code.length(tensor.values()); }

  void visit(Visitor visitor, bool leavesZerosOut) {
    this->leavesZerosOut =
        // Only dense levels store zeros that are no entries; a zero that
        // another level stores is one.
        leavesZerosOut && format.levels.back().kind == LevelKind::Dense;
    visit(0, 0, code.constant(0), visitor);
  }

private:
  /// Visits the entries below position `parent` of the level above `l`, whose
  /// buffers begin with number `buffer`.
  void visit(size_t l, size_t buffer, Value parent, Visitor visitor);
  void visitEntry(Value position, Visitor visitor);

  IndexCode &code;
  const SparseBuffers &tensor;
  StorageFormat format;
  bool leavesZerosOut = false;
  /// The coordinates of the levels outside.
  SmallVector<Value> coordinates;
};
} // namespace

void Source::visit(size_t l, size_t buffer, Value parent, Visitor visitor) {
  if (l == format.levels.size())
    return visitEntry(parent, visitor);
  const StoredLevel &level = format.levels[l];
  auto goOn = [&](size_t next, Value coordinate, Value position) {
    coordinates.push_back(coordinate);
    visit(l + 1, next, position, visitor);
    coordinates.pop_back();
  };
  switch (level.kind) {
  case LevelKind::Dense: {
    Value size = sizeOf(code, level, tensor.extents);
    Value first = code.multiply(parent, size);
    code.loop(code.constant(0), size, [&](Value coordinate) {
      goOn(buffer, coordinate, code.add(first, coordinate));
    });
    return;
  }
  case LevelKind::Compressed: {
    Value positions = tensor.buffers[buffer];
    Value begin = code.loadIndex(positions, parent);
    Value end = code.loadIndex(positions, code.add(parent, code.constant(1)));
    code.loop(begin, end, [&](Value position) {
      // A compressed level has two buffers, positions and coordinates.
      goOn(buffer + 2, code.loadIndex(tensor.buffers[buffer + 1], position),
           position);
    });
    return;
  }
  case LevelKind::Singleton:
    return goOn(buffer + 1, code.loadIndex(tensor.buffers[buffer], parent),
                parent);
  }
}

void Source::visitEntry(Value position, Visitor visitor) {
  SmallVector<Value> whole(tensor.extents.size());
  for (auto [level, coordinate] : llvm::zip_equal(format.levels, coordinates)) {
    Value part = code.multiply(coordinate, code.constant(level.divisor));
    Value &sum = whole[level.dimension];
    sum = sum ? code.add(sum, part) : part;
  }
  Value value = code.load(tensor.values(), position);
  if (!leavesZerosOut)
    return visitor(whole, value);
  code.when(code.isNotZero(value), [&] { visitor(whole, value); });
}

//===----------------------------------------------------------------------===//
// Target
//===----------------------------------------------------------------------===//

namespace {
/// Appends entries to a tensor in the order of its levels.
class Target {
public:
  /// With memory for `bound` entries.
  Target(IndexCode &code, RankedTensorType type, ArrayRef<OpFoldResult> extents,
         Value bound);

  void append(ArrayRef<Value> whole, Value value);
  SparseBuffers finish();

private:
  struct State {
    StoredLevel level;
    Value size;
    Value positions, coordinates;
    /// How many positions there are; the last coordinate.
    Variable count, last;
  };

  IndexCode &code;
  SparseBuffers tensor;
  std::vector<State> levels;
};
} // namespace

Target::Target(IndexCode &code, RankedTensorType type,
               ArrayRef<OpFoldResult> extents, Value bound)
    : code(code), tensor{type, {}, llvm::to_vector(extents)} {
  auto encoding = encodingOf(type);
  Value most = code.constant(1);
  bool hasGaps = false;
  for (const StoredLevel &level : formatOf(type).levels) {
    State state = {
        level,           sizeOf(code, level, extents), {}, {}, code.declare(0),
        code.declare(-1)};
    if (level.kind == LevelKind::Dense) {
      most = code.multiply(most, state.size);
      // Nothing is written at positions without an entry, so the values have to
      // be cleared.
      hasGaps = true;
    } else if (level.kind == LevelKind::Compressed) {
      Value length = code.add(most, code.constant(1));
      state.positions = code.allocate(encoding.getPosElemType(), length);
      // `append` writes the ends of positions that have entries only; the first
      // beginning is 0, and `finish` fills the others.
      code.clear(state.positions, length);
      tensor.buffers.push_back(state.positions);
      // Positions of a compressed level have entries below them, so there are
      // no more than entries.
      most = bound;
      hasGaps = false;
    }
    if (level.kind != LevelKind::Dense) {
      state.coordinates = code.allocate(encoding.getCrdElemType(), most);
      tensor.buffers.push_back(state.coordinates);
    }
    levels.push_back(state);
  }
  Value values = code.allocate(type.getElementType(), most);
  if (hasGaps)
    code.clear(values, most);
  tensor.buffers.push_back(values);
}

void Target::append(ArrayRef<Value> whole, Value value) {
  Value position = code.constant(0);
  /// Whether the entry isn't below the last position of the level above; null:
  /// it is.
  Value isNew = {};
  for (State &state : levels) {
    Value coordinate = code.partOf(whole[state.level.dimension],
                                   state.level.divisor, state.level.modulus);
    bool isLast = &state == &levels.back();
    auto compare = [&] {
      Value differs = code.isNotEqual(coordinate, code.get(state.last));
      // The coordinate is kept even where a level above differs already: the
      // next entry is compared with this one.
      code.set(state.last, coordinate);
      return isNew ? code.either(isNew, differs) : differs;
    };
    switch (state.level.kind) {
    case LevelKind::Dense:
      position = code.add(code.multiply(position, state.size), coordinate);
      isNew = compare();
      break;
    case LevelKind::Compressed: {
      // Entries have different places.
      isNew = isLast || !state.level.isUnique ? code.isTrue() : compare();
      Value count =
          code.add(code.get(state.count), code.cast(isNew, code.indexType()));
      code.set(state.count, count);
      // Behind the last entry below a position, this is where the next begins.
      code.storeIndex(count, state.positions,
                      code.add(position, code.constant(1)));
      position = code.subtract(count, code.constant(1));
      code.storeIndex(coordinate, state.coordinates, position);
      break;
    }
    case LevelKind::Singleton:
      code.storeIndex(coordinate, state.coordinates, position);
      break;
    }
  }
  code.store(value, tensor.values(), position);
}

SparseBuffers Target::finish() {
  Value parents = code.constant(1);
  /// Whether the buffers for `parents` have just the length that they need.
  bool isExact = true, hasGaps = false;
  size_t next = 0;
  auto takeUsed = [&](Value length) {
    Value &buffer = tensor.buffers[next++];
    // Behind a compressed level, memory was allocated for all entries that the
    // source may have.
    if (!isExact)
      buffer = code.takeFirst(buffer, length);
  };
  for (State &state : levels) {
    if (state.level.kind == LevelKind::Dense) {
      parents = code.multiply(parents, state.size);
      hasGaps = true;
      continue;
    }
    if (state.level.kind == LevelKind::Compressed) {
      // A position below which nothing was appended ends where it begins.
      if (hasGaps)
        code.accumulateMaximum(state.positions, parents);
      takeUsed(code.add(parents, code.constant(1)));
      parents = code.get(state.count);
      isExact = hasGaps = false;
    }
    takeUsed(parents);
  }
  takeUsed(parents);
  return tensor;
}

//===----------------------------------------------------------------------===//
// Sort
//===----------------------------------------------------------------------===//

namespace {
/// A list of entries with their coordinates.
class EntryList {
public:
  EntryList(IndexCode &code, Source &source, bool leavesZerosOut,
            const SparseBuffers &tensor);

  /// Sorts stably by the coordinates of `level`.
  void sortBy(const StoredLevel &level);
  /// Appends all to `target`, and frees the list.
  void moveTo(Target &target);

private:
  Value coordinate(size_t dimension, Value entry) {
    return code.loadIndex(columns[dimension], entry);
  }
  /// The entry at that place of the order.
  Value entryAt(Value place) { return order ? code.load(order, place) : place; }
  /// Sorts by the digits of parts of `level` from `divisor` on.
  void sortByDigit(const StoredLevel &level, Value size, int64_t divisor);

  IndexCode &code;
  ArrayRef<OpFoldResult> extents;
  SmallVector<Value> columns;
  Value values, bound, count;
  /// Null: that of the list.
  Value order;
};
} // namespace

EntryList::EntryList(IndexCode &code, Source &source, bool leavesZerosOut,
                     const SparseBuffers &tensor)
    : code(code), extents(tensor.extents), bound(source.bound()) {
  for (OpFoldResult extent : extents) {
    std::optional<int64_t> known = getConstantIntValue(extent);
    // The sort reads the columns again in each pass, and narrow ones take half
    // of the memory.
    bool isNarrow = known && *known <= INT32_MAX;
    columns.push_back(code.allocate(
        isNarrow ? code.integerType(32) : code.indexType(), bound));
  }
  values = code.allocate(tensor.type.getElementType(), bound);
  Variable number = code.declare(0);
  source.visit(
      [&](ArrayRef<Value> whole, Value value) {
        Value entry = code.get(number);
        for (auto [column, coordinate] : llvm::zip_equal(columns, whole))
          code.storeIndex(coordinate, column, entry);
        code.store(value, values, entry);
        code.set(number, code.add(entry, code.constant(1)));
      },
      leavesZerosOut);
  // Zeros that are left out make the list shorter than `bound`.
  count = code.get(number);
}

void EntryList::sortByDigit(const StoredLevel &level, Value size,
                            int64_t divisor) {
  Value sorted = code.allocate(code.indexType(), bound);
  // The next place for an entry of each digit.
  // A level of few coordinates has no more digits than coordinates.
  Value numBuckets = code.smaller(size, code.constant(maxBuckets));
  Value length = code.add(numBuckets, code.constant(1));
  Value next = code.allocate(code.indexType(), length);
  code.clear(next, length);
  auto digitOf = [&](Value entry) {
    Value part = code.partOf(coordinate(level.dimension, entry), level.divisor,
                             level.modulus);
    return code.partOf(part, divisor, maxBuckets);
  };
  Value zero = code.constant(0), one = code.constant(1);
  code.loop(zero, count, [&](Value place) {
    // Counts stand one place further up, so that their sums are the beginnings.
    Value after = code.add(digitOf(entryAt(place)), one);
    code.store(code.add(code.load(next, after), one), next, after);
  });
  code.loop(zero, numBuckets, [&](Value bucket) {
    Value after = code.add(bucket, one);
    Value sum = code.add(code.load(next, bucket), code.load(next, after));
    code.store(sum, next, after);
  });
  code.loop(zero, count, [&](Value place) {
    // Places are visited in their order, which makes the sort stable.
    Value entry = entryAt(place), digit = digitOf(entry);
    Value target = code.load(next, digit);
    code.store(entry, sorted, target);
    code.store(code.add(target, one), next, digit);
  });
  code.free(next);
  if (order)
    code.free(order);
  order = sorted;
}

void EntryList::sortBy(const StoredLevel &level) {
  Value size = sizeOf(code, level, extents);
  // 2^62 if it isn't known.
  int64_t most = getConstantIntValue(size).value_or(int64_t(1) << 62);
  int64_t divisor = 1;
  do {
    sortByDigit(level, size, divisor);
    divisor *= maxBuckets;
  } while (divisor < most && divisor <= (int64_t(1) << 46));
}

void EntryList::moveTo(Target &target) {
  code.loop(code.constant(0), count, [&](Value place) {
    Value entry = entryAt(place);
    SmallVector<Value> whole;
    for (size_t d = 0; d < columns.size(); ++d)
      whole.push_back(coordinate(d, entry));
    target.append(whole, code.load(values, entry));
  });
  for (Value column : columns)
    code.free(column);
  code.free(values);
  if (order)
    code.free(order);
}

//===----------------------------------------------------------------------===//
// Conversion
//===----------------------------------------------------------------------===//

/// With the same numbers in buffers of other widths.
static SparseBuffers castBuffers(IndexCode &code, const SparseBuffers &source,
                                 RankedTensorType type,
                                 llvm::function_ref<bool(Value)> isFreed) {
  SparseBuffers result = {type, {}, source.extents};
  for (auto [buffer, element] :
       llvm::zip_equal(source.buffers, elementTypes(type))) {
    // Buffers of the right width are shared, unless something frees them with
    // the source.
    if (cast<MemRefType>(buffer.getType()).getElementType() == element &&
        !isFreed(buffer)) {
      result.buffers.push_back(buffer);
      continue;
    }
    Value length = code.length(buffer);
    Value copy = code.allocate(element, length);
    code.loop(code.constant(0), length, [&, from = buffer](Value i) {
      code.store(code.cast(code.load(from, i), element), copy, i);
    });
    result.buffers.push_back(copy);
  }
  return result;
}

SparseBuffers baco::target::convertBuffers(IndexCode &code,
                                           const SparseBuffers &tensor,
                                           RankedTensorType type,
                                           function_ref<bool(Value)> isFreed) {
  StorageFormat before = formatOf(tensor.type), after = formatOf(type);
  bool isSorted = isOrdered(tensor.type);
  // A list in any order has to be sorted even if its levels are the same.
  if (isSorted && sparse::haveSameLayout(before, after))
    return castBuffers(code, tensor, type, isFreed);
  // A target of dense levels only stores each zero anyway.
  bool leavesZerosOut =
      llvm::any_of(after.levels, [](const StoredLevel &level) {
        return level.kind != LevelKind::Dense;
      });
  Source source(code, tensor);
  // Memory is allocated for the most entries that there may be, as their number
  // is only known at the end.
  Target target(code, type, tensor.extents, source.bound());
  size_t unsorted =
      isSorted ? sparse::countLevelsToSort(before, after) : after.levels.size();
  if (unsorted == 0) {
    source.visit([&](ArrayRef<Value> whole,
                     Value value) { target.append(whole, value); },
                 leavesZerosOut);
    return target.finish();
  }
  EntryList entries(code, source, leavesZerosOut, tensor);
  // The outermost level comes last, as the last of several stable sorts decides
  // most.
  while (unsorted-- > 0)
    entries.sortBy(after.levels[unsorted]);
  entries.moveTo(target);
  return target.finish();
}
