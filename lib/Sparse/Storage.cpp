//===- Storage.cpp - Formats of sparse tensors ----------------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "baco/Sparse/Storage.h"

#include <algorithm>
#include <bit>
#include <cstring>

using namespace baco;
using namespace baco::sparse;

static_assert(std::endian::native == std::endian::little,
              "the lower bytes of an integer come first");

template <typename T>
static void narrow(std::span<const uint64_t> values, std::byte *to) {
  for (size_t i = 0; i < values.size(); ++i) {
    T value = static_cast<T>(values[i]);
    std::memcpy(to + i * sizeof(T), &value, sizeof(T));
  }
}

IndexArray::IndexArray(unsigned width, std::span<const uint64_t> values)
    : bytesOfEach(width / 8), bytes(values.size() * bytesOfEach) {
  if (width == 8)
    narrow<uint8_t>(values, bytes.data());
  else if (width == 16)
    narrow<uint16_t>(values, bytes.data());
  else if (width == 32)
    narrow<uint32_t>(values, bytes.data());
  else
    narrow<uint64_t>(values, bytes.data());
}

uint64_t IndexArray::operator[](size_t index) const {
  uint64_t value = 0;
  // The higher bytes stay zero, as integers are unsigned.
  std::memcpy(&value, &bytes[index * bytesOfEach], bytesOfEach);
  return value;
}

int64_t Level::size(std::span<const int64_t> extents) const {
  // This rounds up, and can't overflow as adding `divisor - 1` might.
  int64_t parts = (extents[dimension] - 1) / divisor + 1;
  return modulus > 0 ? std::min(modulus, parts) : parts;
}

BufferSizes sparse::largestBuffers(std::span<const int64_t> extents,
                                   size_t numEntries,
                                   const StorageFormat &format,
                                   size_t maxPositions) {
  using Wide = unsigned __int128;
  BufferSizes sizes;
  size_t positions = 1;
  for (const Level &level : format.levels) {
    // Below 2^64 * 2^63.
    Wide all = Wide(positions) * static_cast<uint64_t>(level.size(extents));
    bool isCompressed = level.kind == LevelKind::Compressed;
    sizes.positions.push_back(isCompressed ? positions + 1 : 0);
    // `pack` fails above the limit, so that no buffer becomes larger.
    if (level.kind == LevelKind::Dense)
      positions = static_cast<size_t>(std::min<Wide>(all, maxPositions));
    else if (isCompressed)
      positions = level.isUnique
                      ? static_cast<size_t>(std::min<Wide>(all, numEntries))
                      : numEntries;
    sizes.coordinates.push_back(level.kind == LevelKind::Dense ? 0 : positions);
  }
  sizes.values = positions;
  return sizes;
}

size_t PackedTensor::byteSize(size_t valueSize) const {
  size_t bytes = values.size() * valueSize;
  for (const PackedLevel &level : levels)
    bytes += level.positions.data().size() + level.coordinates.data().size();
  return bytes;
}

static std::vector<Level> levelsOf(const std::vector<size_t> &dimensions,
                                   LevelKind first, LevelKind rest) {
  std::vector<Level> levels;
  for (size_t dimension : dimensions)
    levels.push_back({levels.empty() ? first : rest, dimension});
  return levels;
}

Result<StorageFormat> sparse::namedFormat(std::string_view name, size_t rank) {
  if (constexpr std::string_view prefix = "dense-";
      name.starts_with(prefix) && rank > 1) {
    Result<StorageFormat> inner =
        namedFormat(name.substr(prefix.size()), rank - 1);
    if (!inner)
      return inner;
    for (Level &level : inner->levels)
      ++level.dimension;
    inner->levels.insert(inner->levels.begin(), {LevelKind::Dense, 0});
    return inner;
  }
  constexpr LevelKind dense = LevelKind::Dense;
  constexpr LevelKind compressed = LevelKind::Compressed;
  std::vector<size_t> inOrder;
  for (size_t d = 0; d < rank; ++d)
    inOrder.push_back(d);
  StorageFormat format;
  if (name == "dense") {
    format.levels = levelsOf(inOrder, dense, dense);
  } else if (name == "csf") {
    format.levels = levelsOf(inOrder, compressed, compressed);
  } else if (name == "coo") {
    format.levels = levelsOf(inOrder, compressed, LevelKind::Singleton);
    // Places are all different, so the innermost coordinate is unique below the
    // others.
    for (size_t l = 0; l + 1 < rank; ++l)
      format.levels[l].isUnique = false;
  } else if (name == "csr" || name == "csc" || name == "dcsr" ||
             name == "dcsc") {
    if (rank != 2)
      return {ErrorCode::InvalidArgument,
              "the format " + std::string(name) +
                  " is for matrices, but the tensor has " +
                  std::to_string(rank) + " dimensions; use coo or csf"};
    bool isByRows = name.ends_with('r');
    format.levels = levelsOf(isByRows ? std::vector<size_t>{0, 1}
                                      : std::vector<size_t>{1, 0},
                             name.size() == 3 ? dense : compressed, compressed);
  } else {
    return {ErrorCode::InvalidArgument,
            "the format '" + std::string(name) +
                "' is unknown; it is coo, csf, csr, csc, dcsr, dcsc or dense, "
                "or dense- before one of these"};
  }
  return format;
}
