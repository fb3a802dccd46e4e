//===- StorageTest.cpp - Tests of formats of sparse tensors
//-----------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "baco/Sparse/Storage.h"
#include "SmallMatrix.h"
#include "baco/Sparse/TensorSource.h"
#include "baco/Support/Random.h"

#include <gtest/gtest.h>

#include <map>

using namespace baco;
using namespace baco::sparse;

namespace {
/// Finds the entries again, as code that walks over the levels does.
class Walker {
public:
  using Entries = std::map<std::vector<int64_t>, double>;

  Walker(const CoordinateTensor &tensor, const StorageFormat &format,
         const PackedTensor &packed)
      : tensor(tensor), format(format), packed(packed) {}

  Entries walk() {
    visit(0, 0, std::vector<int64_t>(tensor.rank(), 0));
    return entries;
  }

private:
  void visit(size_t l, size_t position, const std::vector<int64_t> &at) {
    if (l == format.levels.size()) {
      if (packed.values[position] != 0) {
        EXPECT_FALSE(entries.contains(at));
        entries[at] = packed.values[position];
      }
      return;
    }
    const Level &level = format.levels[l];
    const PackedLevel &arrays = packed.levels[l];
    auto descend = [&](size_t below, uint64_t coordinate) {
      std::vector<int64_t> place = at;
      place[level.dimension] +=
          static_cast<int64_t>(coordinate) * level.divisor;
      visit(l + 1, below, place);
    };
    if (level.kind == LevelKind::Singleton)
      return descend(position, arrays.coordinates[position]);
    if (level.kind == LevelKind::Compressed) {
      for (uint64_t p = arrays.positions[position];
           p < arrays.positions[position + 1]; ++p)
        descend(p, arrays.coordinates[p]);
      return;
    }
    int64_t extent = tensor.extents()[level.dimension];
    int64_t size = (extent + level.divisor - 1) / level.divisor;
    if (level.modulus > 0)
      size = std::min(size, level.modulus);
    for (int64_t x = 0; x < size; ++x)
      descend(position * static_cast<size_t>(size) + static_cast<size_t>(x),
              static_cast<uint64_t>(x));
  }

  const CoordinateTensor &tensor;
  const StorageFormat &format;
  const PackedTensor &packed;
  Entries entries;
};
} // namespace

static Walker::Entries entriesOf(const CoordinateTensor &tensor) {
  Walker::Entries entries;
  for (size_t entry = 0; entry < tensor.numEntries(); ++entry) {
    std::span<const int64_t> at = tensor.coordinates(entry);
    entries[{at.begin(), at.end()}] = tensor.values()[entry];
  }
  return entries;
}

/// A random order of dense and compressed levels, with a split of dimension 0.
static StorageFormat drawFormat(Random &random, size_t rank) {
  StorageFormat format;
  auto kind = [&] {
    return random.below(2) ? LevelKind::Dense : LevelKind::Compressed;
  };
  int64_t chunk = 1 + static_cast<int64_t>(random.below(4));
  if (chunk > 1)
    format.levels.push_back({kind(), 0, 1, chunk});
  for (size_t d = 0; d < rank; ++d)
    format.levels.push_back({kind(), d, d == 0 ? chunk : 1});
  random.shuffle(format.levels);
  format.positionWidth = 16u << random.below(3);
  format.coordinateWidth = 8u << random.below(4);
  return format;
}

TEST(StorageTest, KeepsAllEntriesInAnyFormat) {
  Random random(7);
  const char *const tensors[] = {
      "uniform(extents=7x5, entries=12)", "uniform(extents=9, entries=4)",
      "uniform(extents=4x3x5, entries=0)", "skewed(extents=6x5x4, entries=30)",
      "uniform(extents=3x4x2x3, entries=20)"};
  for (const char *text : tensors) {
    Result<CoordinateTensor> tensor = generateTensor(text);
    ASSERT_TRUE(tensor) << tensor.error().message;
    for (int draw = 0; draw < 50; ++draw) {
      StorageFormat format = drawFormat(random, tensor->rank());
      Result<PackedTensor> packed = pack(*tensor, format);
      ASSERT_TRUE(packed) << packed.error().message;
      EXPECT_EQ(Walker(*tensor, format, *packed).walk(), entriesOf(*tensor));
    }
    for (const char *name : {"coo", "csf", "dense"}) {
      Result<StorageFormat> format = namedFormat(name, tensor->rank());
      Result<PackedTensor> packed = pack(*tensor, *format);
      ASSERT_TRUE(packed) << packed.error().message;
      EXPECT_EQ(Walker(*tensor, *format, *packed).walk(), entriesOf(*tensor));
    }
  }
}

TEST(StorageTest, LevelsThatAreNoFormatAreErrors) {
  CoordinateTensor tensor = makeMatrix();
  auto error = [&](std::vector<Level> levels, size_t limit = 1000) {
    Result<PackedTensor> packed = pack(tensor, {std::move(levels)}, limit);
    return packed ? "" : packed.error().message;
  };
  constexpr LevelKind dense = LevelKind::Dense;
  constexpr LevelKind compressed = LevelKind::Compressed;
  constexpr LevelKind singleton = LevelKind::Singleton;
  EXPECT_EQ(error({{dense, 0}, {dense, 1}}, 11),
            "level 1 has 3 x 4 positions, more than 11; compress it, or one "
            "above");
  EXPECT_EQ(error({{dense, 0}}),
            "the levels don't determine the coordinates of dimension 1");
  EXPECT_EQ(error({{dense, 0, 2}, {dense, 1}}),
            "the levels don't determine the coordinates of dimension 0");
  EXPECT_EQ(error({{dense, 0}, {dense, 1}, {dense, 2}}),
            "level 2 is not of this tensor");
  EXPECT_EQ(error({{singleton, 0}, {dense, 1}}),
            "level 0 is outermost, and can't be a singleton");
  EXPECT_EQ(error({{compressed, 0}, {singleton, 1}}),
            "level 1 is a singleton, but the level above has positions with "
            "several entries");
  EXPECT_EQ(error({{compressed, 0, 1, 0, false}, {compressed, 1}}),
            "level 1 must be a singleton, because the one above has several "
            "positions for one coordinate");
  EXPECT_EQ(error({{dense, 0, 1, 0, false}, {singleton, 1}}),
            "level 0 is dense, and has each coordinate once");
}

// Radix sort, dividing and bounds, against the entries as a sorted list.
TEST(StorageTest, BoundsTheBuffersOfAnyTensor) {
  Random random(11);
  for (int draw = 0; draw < 60; ++draw) {
    Result<CoordinateTensor> tensor = generateTensor(
        "uniform(extents=37x5000x3, entries=" + std::to_string(draw * 15) +
        ", seed=" + std::to_string(draw) + ")");
    ASSERT_TRUE(tensor) << tensor.error().message;
    StorageFormat format = drawFormat(random, 3);
    format.positionWidth = 64;
    format.coordinateWidth = 16u << random.below(3);
    Result<PackedTensor> packed = pack(*tensor, format);
    ASSERT_TRUE(packed) << packed.error().message;
    EXPECT_EQ(Walker(*tensor, format, *packed).walk(), entriesOf(*tensor));
    BufferSizes bounds = largestBuffers(
        tensor->extents(), tensor->numEntries() + draw % 2, format);
    for (size_t l = 0; l < format.levels.size(); ++l) {
      EXPECT_LE(packed->levels[l].positions.size(), bounds.positions[l]);
      EXPECT_LE(packed->levels[l].coordinates.size(), bounds.coordinates[l]);
    }
    EXPECT_LE(packed->values.size(), bounds.values);
  }
}
