//===- Storage.cpp - Formats of sparse tensors ----------------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "baco/Sparse/Storage.h"

#include <bit>
#include <cstring>

using namespace baco;
using namespace baco::sparse;

static_assert(std::endian::native == std::endian::little,
              "the lower bytes of an integer come first");

void IndexArray::push(uint64_t value) {
  const auto *first = reinterpret_cast<const std::byte *>(&value);
  bytes.insert(bytes.end(), first, first + bytesOfEach);
}

uint64_t IndexArray::operator[](size_t index) const {
  uint64_t value = 0;
  std::memcpy(&value, &bytes[index * bytesOfEach], bytesOfEach);
  return value;
}

size_t PackedTensor::byteSize(size_t valueSize) const {
  size_t bytes = values.size() * valueSize;
  for (const PackedLevel &level : levels)
    bytes += level.positions.data().size() + level.coordinates.data().size();
  return bytes;
}

static std::vector<Level> levelsOf(std::vector<size_t> dimensions,
                                   LevelKind first, LevelKind rest) {
  std::vector<Level> levels;
  for (size_t dimension : dimensions)
    levels.push_back({levels.empty() ? first : rest, dimension});
  return levels;
}

Result<StorageFormat> sparse::namedFormat(std::string_view name, size_t rank) {
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
                "' is unknown; it is coo, csf, csr, csc, dcsr, dcsc or dense"};
  }
  return format;
}
