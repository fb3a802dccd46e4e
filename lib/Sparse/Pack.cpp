//===- Pack.cpp - Packs tensors into formats ------------------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Entries are put in the order of the levels' coordinates. The entries below
// each position of a level are then a range, and a level divides the ranges of
// the one above.
//
//===----------------------------------------------------------------------===//

#include "baco/Sparse/Storage.h"

#include <algorithm>
#include <bit>
#include <numeric>

using namespace baco;
using namespace baco::sparse;

using Key = unsigned __int128;

namespace {
class Packer {
public:
  Packer(const Places &places, const StorageFormat &format, size_t maxPositions)
      : places(places), format(format), maxPositions(maxPositions) {}

  Result<PackedPlaces> pack();

private:
  /// Fails unless the levels are a format for this tensor.
  Result<void> checkLevels() const;
  /// Fails unless the coordinates of each dimension follow from its levels.
  Result<void> checkDimension(size_t dimension) const;
  int64_t sizeOf(const Level &level) const {
    return level.size(places.extents);
  }
  /// The coordinates of the entries in `order`.
  std::vector<uint64_t> columnOf(const Level &level) const;
  bool keepsOrder() const;
  /// Sets `order` and `starts` to those of a single range.
  void sortEntries();
  void sortBy(const Level &level);
  /// Divides the ranges in `starts` by the coordinates of level `l`.
  Result<PackedLevel> divide(size_t l);
  Error levelError(size_t l, const std::string &why) const {
    return {ErrorCode::InvalidArgument,
            "level " + std::to_string(l) + " " + why};
  }

  Places places;
  const StorageFormat &format;
  size_t maxPositions;
  std::vector<uint32_t> order;
  /// The first index in `order` of the entries of each position of the level;
  /// then the number of entries.
  std::vector<uint32_t> starts;
};
} // namespace

std::vector<uint64_t> Packer::columnOf(const Level &level) const {
  std::vector<uint64_t> column(order.size());
  const int64_t *all = places.coordinates.data();
  for (size_t i = 0; i < order.size(); ++i)
    column[i] =
        static_cast<uint64_t>(all[order[i] * places.rank() + level.dimension]);
  // Dividing takes longer than all else.
  auto divisor = static_cast<uint64_t>(level.divisor),
       modulus = static_cast<uint64_t>(level.modulus);
  // The divisor is 1 for all levels without blocks, which takes the shift.
  if (std::has_single_bit(divisor))
    for (uint64_t &coordinate : column)
      coordinate >>= std::countr_zero(divisor);
  else
    for (uint64_t &coordinate : column)
      coordinate /= divisor;
  // A modulus of 0, which stands for none, has no bit, and so is left to the
  // second condition.
  if (std::has_single_bit(modulus))
    for (uint64_t &coordinate : column)
      coordinate &= modulus - 1;
  else if (modulus > 0)
    for (uint64_t &coordinate : column)
      coordinate %= modulus;
  return column;
}

Result<void> Packer::checkDimension(size_t dimension) const {
  // The parts, sorted by their divisors, must be adjacent: each begins where
  // the one before ends.
  std::vector<Level> parts;
  std::ranges::copy_if(
      format.levels, std::back_inserter(parts),
      [&](const Level &level) { return level.dimension == dimension; });
  std::ranges::sort(parts, {}, &Level::divisor);
  int64_t known = 1;
  for (const Level &part : parts) {
    if (part.divisor != known)
      break;
    // A part without a modulus holds all higher digits, so the dimension is
    // known.
    known = part.modulus > 0 ? known * part.modulus : 0;
    if (known == 0)
      return {};
  }
  return {ErrorCode::InvalidArgument,
          "the levels don't determine the coordinates of dimension " +
              std::to_string(dimension)};
}

Result<void> Packer::checkLevels() const {
  bool isUnique = true;
  Key product = 1;
  for (size_t l = 0; l < format.levels.size(); ++l) {
    const Level &level = format.levels[l];
    if (level.dimension >= places.rank() || level.divisor < 1 ||
        level.modulus < 0)
      return levelError(l, "is not of this tensor");
    // Parts may have more places than the whole.
    if (product > (Key(1) << 127) / static_cast<uint64_t>(sizeOf(level)))
      return levelError(l, "makes the product of the levels exceed 2^127");
    product *= static_cast<uint64_t>(sizeOf(level));
    bool isSingleton = level.kind == LevelKind::Singleton;
    if (l == 0 && isSingleton)
      return levelError(l, "is outermost, and can't be a singleton");
    if (!isUnique && !isSingleton)
      return levelError(l, "must be a singleton, because the one above has "
                           "several positions for one coordinate");
    if (!level.isUnique && level.kind == LevelKind::Dense)
      return levelError(l, "is dense, and has each coordinate once");
    isUnique = level.isUnique;
    // The shift needs the wide type, as coordinates may have 64 bits.
    Key largest = (Key(1) << format.coordinateWidth) - 1;
    if (level.kind != LevelKind::Dense &&
        static_cast<uint64_t>(sizeOf(level) - 1) > largest)
      return levelError(l, "has coordinates up to " +
                               std::to_string(sizeOf(level) - 1) + ", which " +
                               std::to_string(format.coordinateWidth) +
                               " bits of 'crdWidth' don't hold");
  }
  for (size_t d = 0; d < places.rank(); ++d)
    if (Result<void> known = checkDimension(d); !known)
      return known;
  return {};
}

/// Whether the order of the levels' coordinates is that of the entries:
/// dimension after dimension, from the highest part to the lowest.
bool Packer::keepsOrder() const {
  const Level *above = nullptr;
  for (const Level &level : format.levels) {
    // The first part of a dimension has to be the highest one, which has no
    // modulus, and each other part lower than the one before.
    bool isFirst = !above || above->dimension != level.dimension;
    if (isFirst
            ? level.modulus > 0 || (above && above->dimension > level.dimension)
            : above->divisor <= level.divisor)
      return false;
    above = &level;
  }
  return true;
}

/// Radix sort, which is stable.
void Packer::sortBy(const Level &level) {
  constexpr int digitBits = 11;
  std::vector<uint64_t> column = columnOf(level);
  // The sort is stable, so a sorted column leaves the order as it is.
  if (std::ranges::is_sorted(column))
    return;
  std::vector<uint64_t> sortedColumn(column.size());
  std::vector<uint32_t> sortedOrder(order.size());
  // Higher bits are zero in all coordinates, and a level of one coordinate
  // takes no pass at all.
  int bits = std::bit_width(static_cast<uint64_t>(sizeOf(level) - 1));
  for (int shift = 0; shift < bits; shift += digitBits) {
    auto digitOf = [&](uint64_t coordinate) {
      return coordinate >> shift & ((1 << digitBits) - 1);
    };
    std::vector<uint32_t> begins((1 << digitBits) + 1);
    // Counts stand one place further up, so that their sums are the index at
    // which each digit begins.
    for (uint64_t coordinate : column)
      ++begins[digitOf(coordinate) + 1];
    std::partial_sum(begins.begin(), begins.end(), begins.begin());
    for (size_t i = 0; i < order.size(); ++i) {
      uint32_t to = begins[digitOf(column[i])]++;
      sortedColumn[to] = column[i];
      sortedOrder[to] = order[i];
    }
    column.swap(sortedColumn);
    order.swap(sortedOrder);
  }
}

void Packer::sortEntries() {
  order.resize(places.numEntries());
  std::iota(order.begin(), order.end(), 0);
  starts = {0, static_cast<uint32_t>(order.size())};
  if (keepsOrder())
    return;
  // The last sort decides most, so the outermost level comes last.
  for (size_t l = format.levels.size(); l-- > 0;)
    sortBy(format.levels[l]);
}

Result<PackedLevel> Packer::divide(size_t l) {
  const Level &level = format.levels[l];
  std::vector<uint64_t> column = columnOf(level), positions, coordinates;
  std::vector<uint32_t> below;
  size_t parents = starts.size() - 1;
  auto size = static_cast<uint64_t>(sizeOf(level));
  bool isCompressed = level.kind == LevelKind::Compressed;
  if (level.kind == LevelKind::Dense) {
    // The product may overflow, so the check divides.
    if (parents > maxPositions / size)
      return levelError(l, "has " + std::to_string(parents) + " x " +
                               std::to_string(size) + " positions, more than " +
                               std::to_string(maxPositions) +
                               "; compress it, or one above");
    below.reserve(parents * size + 1);
  } else {
    below.reserve(order.size() + 1);
    coordinates.reserve(order.size());
    positions.reserve(isCompressed ? parents + 1 : 0);
  }
  for (size_t parent = 0; parent < parents; ++parent) {
    uint32_t at = starts[parent];
    uint32_t end = starts[parent + 1];
    switch (level.kind) {
    case LevelKind::Dense:
      for (uint64_t x = 0; x < size; ++x) {
        below.push_back(at);
        while (at < end && column[at] == x)
          ++at;
      }
      break;
    case LevelKind::Singleton:
      below.push_back(at);
      coordinates.push_back(at < end ? column[at] : 0);
      // The range is sorted, so its first and last coordinate differ if any do.
      if (at < end && column[at] != column[end - 1])
        return levelError(l, "is a singleton, but the level above has "
                             "positions with several entries");
      break;
    case LevelKind::Compressed:
      positions.push_back(below.size());
      while (at < end) {
        uint64_t x = column[at];
        below.push_back(at);
        coordinates.push_back(x);
        ++at;
        // A level that isn't unique gives each entry a position of its own.
        while (level.isUnique && at < end && column[at] == x)
          ++at;
      }
      break;
    }
  }
  if (isCompressed) {
    positions.push_back(below.size());
    // The number of positions is stored itself, as the end of the last range.
    Key largest = (Key(1) << format.positionWidth) - 1;
    if (below.size() > largest)
      return levelError(l, "has " + std::to_string(below.size()) +
                               " positions, which " +
                               std::to_string(format.positionWidth) +
                               " bits of 'posWidth' don't hold");
  }
  below.push_back(static_cast<uint32_t>(order.size()));
  starts = std::move(below);
  return PackedLevel{IndexArray(format.positionWidth, positions),
                     IndexArray(format.coordinateWidth, coordinates)};
}

Result<PackedPlaces> Packer::pack() {
  if (Result<void> fits = checkLevels(); !fits)
    return fits.error();
  // Indices of entries have 32 bits, and the largest number of these means that
  // there is no entry.
  if (places.numEntries() >= PackedPlaces::noEntry)
    return {ErrorCode::Unsupported,
            std::to_string(places.numEntries()) + " entries are too many"};
  sortEntries();
  PackedPlaces packed;
  for (size_t l = 0; l < format.levels.size(); ++l) {
    Result<PackedLevel> level = divide(l);
    if (!level)
      return level.error();
    packed.levels.push_back(std::move(*level));
  }
  packed.entries.resize(starts.size() - 1);
  for (size_t position = 0; position + 1 < starts.size(); ++position) {
    // The levels determine all coordinates, so a position of the innermost
    // level has one entry at most.
    uint32_t at = starts[position];
    packed.entries[position] =
        at < starts[position + 1] ? order[at] : PackedPlaces::noEntry;
  }
  return packed;
}

Result<PackedPlaces> sparse::pack(const Places &places,
                                  const StorageFormat &format,
                                  size_t maxPositions) {
  return Packer(places, format, maxPositions).pack();
}

Result<PackedTensor> sparse::pack(const CoordinateTensor &tensor,
                                  const StorageFormat &format,
                                  size_t maxPositions) {
  Result<PackedPlaces> places = pack(tensor.allPlaces(), format, maxPositions);
  if (!places)
    return places.error();
  PackedTensor packed{std::move(places->levels), {}};
  packed.values.reserve(places->entries.size());
  for (uint32_t entry : places->entries)
    packed.values.push_back(
        entry == PackedPlaces::noEntry ? 0 : tensor.values()[entry]);
  return packed;
}
