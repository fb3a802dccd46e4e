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

using namespace baco;
using namespace baco::sparse;

using Key = unsigned __int128;

namespace {
class Packer {
public:
  Packer(const CoordinateTensor &tensor, const StorageFormat &format,
         size_t maxPositions)
      : tensor(tensor), format(format), maxPositions(maxPositions) {}

  Result<PackedTensor> pack();

private:
  /// Fails unless the levels are a format for this tensor.
  Result<void> checkLevels() const;
  /// Fails unless the coordinates of each dimension follow from its levels.
  Result<void> checkDimension(size_t dimension) const;
  /// How many coordinates a level has.
  int64_t sizeOf(const Level &level) const;
  int64_t coordinateOf(size_t entry, const Level &level) const;
  /// Sets `order` and `starts` to those of a single range.
  void sortEntries();
  /// Divides the ranges in `starts` by the coordinates of level `l`.
  Result<PackedLevel> divide(size_t l);
  Error levelError(size_t l, const std::string &why) const {
    return {ErrorCode::InvalidArgument,
            "level " + std::to_string(l) + " " + why};
  }

  const CoordinateTensor &tensor;
  const StorageFormat &format;
  size_t maxPositions;
  std::vector<size_t> order;
  /// Where in `order` the entries of each position of the level begin; then
  /// their number.
  std::vector<size_t> starts;
};
} // namespace

int64_t Packer::sizeOf(const Level &level) const {
  int64_t extent = tensor.extents()[level.dimension];
  int64_t parts = (extent - 1) / level.divisor + 1;
  return level.modulus > 0 ? std::min(level.modulus, parts) : parts;
}

int64_t Packer::coordinateOf(size_t entry, const Level &level) const {
  int64_t part = tensor.coordinates(entry)[level.dimension] / level.divisor;
  return level.modulus > 0 ? part % level.modulus : part;
}

Result<void> Packer::checkDimension(size_t dimension) const {
  // Of the parts, sorted by their divisors, each must begin where the one
  // before ends.
  std::vector<Level> parts;
  std::ranges::copy_if(
      format.levels, std::back_inserter(parts),
      [&](const Level &level) { return level.dimension == dimension; });
  std::ranges::sort(parts, {}, &Level::divisor);
  int64_t known = 1;
  for (const Level &part : parts) {
    if (part.divisor != known)
      break;
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
  Key places = 1;
  for (size_t l = 0; l < format.levels.size(); ++l) {
    const Level &level = format.levels[l];
    if (level.dimension >= tensor.rank() || level.divisor < 1 ||
        level.modulus < 0)
      return levelError(l, "is not of this tensor");
    // Parts may have more places than the whole.
    if (places > (Key(1) << 127) / static_cast<uint64_t>(sizeOf(level)))
      return levelError(l, "makes the product of the levels exceed 2^127");
    places *= static_cast<uint64_t>(sizeOf(level));
    bool isSingleton = level.kind == LevelKind::Singleton;
    if (l == 0 && isSingleton)
      return levelError(l, "is outermost, and can't be a singleton");
    if (!isUnique && !isSingleton)
      return levelError(l, "must be a singleton, because the one above has "
                           "several positions for one coordinate");
    if (!level.isUnique && level.kind == LevelKind::Dense)
      return levelError(l, "is dense, and has each coordinate once");
    isUnique = level.isUnique;
    Key largest = (Key(1) << format.coordinateWidth) - 1;
    if (level.kind != LevelKind::Dense &&
        static_cast<uint64_t>(sizeOf(level) - 1) > largest)
      return levelError(l, "has coordinates up to " +
                               std::to_string(sizeOf(level) - 1) + ", which " +
                               std::to_string(format.coordinateWidth) +
                               " bits don't hold");
  }
  for (size_t d = 0; d < tensor.rank(); ++d)
    if (Result<void> known = checkDimension(d); !known)
      return known;
  return {};
}

void Packer::sortEntries() {
  std::vector<Key> keys(tensor.numEntries());
  for (size_t entry = 0; entry < keys.size(); ++entry)
    for (const Level &level : format.levels)
      keys[entry] = keys[entry] * static_cast<uint64_t>(sizeOf(level)) +
                    static_cast<uint64_t>(coordinateOf(entry, level));
  order = sortByKey(keys);
  starts = {0, order.size()};
}

Result<PackedLevel> Packer::divide(size_t l) {
  const Level &level = format.levels[l];
  PackedLevel packed{IndexArray(format.positionWidth),
                     IndexArray(format.coordinateWidth)};
  auto coordinateAt = [&](size_t i) { return coordinateOf(order[i], level); };
  std::vector<size_t> below;
  auto pushPosition = [&] { packed.positions.push(below.size()); };
  size_t parents = starts.size() - 1;
  int64_t size = sizeOf(level);
  if (level.kind == LevelKind::Dense &&
      parents > maxPositions / static_cast<size_t>(size))
    return levelError(l, "has " + std::to_string(parents) + " x " +
                             std::to_string(size) + " positions, more than " +
                             std::to_string(maxPositions) +
                             "; compress it, or one above");
  for (size_t parent = 0; parent < parents; ++parent) {
    size_t at = starts[parent];
    size_t end = starts[parent + 1];
    switch (level.kind) {
    case LevelKind::Dense:
      for (int64_t x = 0; x < size; ++x) {
        below.push_back(at);
        while (at < end && coordinateAt(at) == x)
          ++at;
      }
      break;
    case LevelKind::Singleton:
      below.push_back(at);
      packed.coordinates.push(at < end ? static_cast<uint64_t>(coordinateAt(at))
                                       : 0);
      if (at < end && coordinateAt(at) != coordinateAt(end - 1))
        return levelError(l, "is a singleton, but the level above has "
                             "positions with several entries");
      break;
    case LevelKind::Compressed:
      pushPosition();
      while (at < end) {
        int64_t x = coordinateAt(at);
        below.push_back(at);
        packed.coordinates.push(static_cast<uint64_t>(x));
        ++at;
        while (level.isUnique && at < end && coordinateAt(at) == x)
          ++at;
      }
      break;
    }
  }
  if (level.kind == LevelKind::Compressed) {
    pushPosition();
    Key largest = (Key(1) << format.positionWidth) - 1;
    if (below.size() > largest)
      return levelError(
          l, "has " + std::to_string(below.size()) + " positions, which " +
                 std::to_string(format.positionWidth) + " bits don't hold");
  }
  below.push_back(order.size());
  starts = std::move(below);
  return packed;
}

Result<PackedTensor> Packer::pack() {
  if (Result<void> fits = checkLevels(); !fits)
    return fits.error();
  sortEntries();
  PackedTensor packed;
  for (size_t l = 0; l < format.levels.size(); ++l) {
    Result<PackedLevel> level = divide(l);
    if (!level)
      return level.error();
    packed.levels.push_back(std::move(*level));
  }
  packed.values.reserve(starts.size() - 1);
  for (size_t position = 0; position + 1 < starts.size(); ++position) {
    size_t at = starts[position];
    packed.values.push_back(
        at < starts[position + 1] ? tensor.values()[order[at]] : 0);
  }
  return packed;
}

Result<PackedTensor> sparse::pack(const CoordinateTensor &tensor,
                                  const StorageFormat &format,
                                  size_t maxPositions) {
  return Packer(tensor, format, maxPositions).pack();
}
