//===- Storage.h - Formats of sparse tensors --------------------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The formats of MLIR's sparse_tensor, as Chou, Kjolstad and Amarasinghe
// compose them of levels ("Format Abstraction for Sparse Tensor Algebra
// Compilers", OOPSLA 2018), and tensors packed into them.
//
//===----------------------------------------------------------------------===//

#ifndef BACO_SPARSE_STORAGE_H
#define BACO_SPARSE_STORAGE_H

#include "baco/Sparse/CoordinateTensor.h"

#include <cstddef>
#include <limits>

namespace baco::sparse {

enum class LevelKind {
  /// All coordinates, without storing them.
  Dense,
  /// For each position of the level above, a range of stored coordinates.
  Compressed,
  /// For each position of the level above, one stored coordinate.
  Singleton,
};

/// A level stores the coordinate x of a dimension, or a part of it:
/// x floordiv divisor, of which the remainder by `modulus` is taken, if any.
struct Level {
  LevelKind kind;
  size_t dimension;
  int64_t divisor = 1;
  /// 0 for none.
  int64_t modulus = 0;
  /// Whether entries with equal coordinates share a position. Only a compressed
  /// level and singletons below it may be without.
  bool isUnique = true;

  /// How many coordinates it has in a tensor of these extents.
  int64_t size(std::span<const int64_t> extents) const;
  bool operator==(const Level &) const = default;
};

struct StorageFormat {
  /// From the outermost on.
  std::vector<Level> levels;
  /// Bits of a stored position and of a coordinate: 8, 16, 32 or 64.
  unsigned positionWidth = 64;
  unsigned coordinateWidth = 64;

  bool operator==(const StorageFormat &) const = default;
};

/// The format of that name for a tensor of `rank` dimensions: coo, csf (all
/// compressed) and dense for any rank, csr, csc, dcsr and dcsc for matrices.
/// With dense- before such a name, a dense level of dimension 0 is around the
/// format of the other dimensions: dense-csf for a matrix is csr.
Result<StorageFormat> namedFormat(std::string_view name, size_t rank);

/// Unsigned integers of a fixed width, as code reads them.
class IndexArray {
public:
  /// `width` is 8, 16, 32 or 64. The values must fit it.
  explicit IndexArray(unsigned width, std::span<const uint64_t> values = {});

  size_t size() const { return bytes.size() / bytesOfEach; }
  uint64_t operator[](size_t index) const;
  const std::vector<std::byte> &data() const { return bytes; }
  std::vector<std::byte> takeData() && { return std::move(bytes); }

private:
  size_t bytesOfEach;
  std::vector<std::byte> bytes;
};

struct PackedLevel {
  /// The beginnings of the ranges of a compressed level, and the end of the
  /// last.
  IndexArray positions;
  /// The coordinates of a compressed or singleton level.
  IndexArray coordinates;
};

/// The entries of a tensor in a format, by their numbers.
struct PackedPlaces {
  static constexpr uint32_t noEntry = std::numeric_limits<uint32_t>::max();

  std::vector<PackedLevel> levels;
  /// For each position of the innermost level its entry, or noEntry.
  std::vector<uint32_t> entries;
};

/// A tensor in a format, as buffers for compiled code.
struct PackedTensor {
  std::vector<PackedLevel> levels;
  /// One for each position of the innermost level; zero where there is no
  /// entry.
  std::vector<double> values;

  /// Bytes of all buffers, with values of `valueSize` bytes.
  size_t byteSize(size_t valueSize = sizeof(double)) const;
};

inline constexpr size_t usualMaxPositions = size_t(1) << 28;

/// Packs the entries at `places`. Fails if the levels don't determine each
/// coordinate, if a singleton would need two coordinates, if a position or
/// coordinate doesn't fit its width (which code wouldn't notice), if levels
/// have more than `maxPositions` positions, because of dense ones, or if there
/// are 2^32 - 1 entries or more. O(entries + positions) for each level, and
/// fastest if the levels are in the order of the entries.
Result<PackedPlaces> pack(const Places &places, const StorageFormat &format,
                          size_t maxPositions = usualMaxPositions);
/// The same with values.
Result<PackedTensor> pack(const CoordinateTensor &tensor,
                          const StorageFormat &format,
                          size_t maxPositions = usualMaxPositions);

/// The numbers of elements in buffers.
struct BufferSizes {
  /// The numbers for each level; 0 where it has none.
  std::vector<size_t> positions, coordinates;
  size_t values = 0;
};

/// The most that `pack` makes of tensors of these extents with at most
/// `numEntries` entries. The levels must be ones of such a tensor.
BufferSizes largestBuffers(std::span<const int64_t> extents, size_t numEntries,
                           const StorageFormat &format,
                           size_t maxPositions = usualMaxPositions);

} // namespace baco::sparse

#endif // BACO_SPARSE_STORAGE_H
