//===- CoordinateTensor.h - Sparse tensors as lists of entries --*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What files hold and generators make, before it is packed into a format.
//
//===----------------------------------------------------------------------===//

#ifndef BACO_SPARSE_COORDINATETENSOR_H
#define BACO_SPARSE_COORDINATETENSOR_H

#include "baco/Support/Result.h"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace baco::sparse {

/// The coordinates of a tensor's entries: all different, in lexicographic
/// order. Doesn't own the memory.
struct Places {
  /// One for each dimension, at least 1. Their product is less than 2^127.
  std::span<const int64_t> extents;
  /// The coordinates of one entry, one for each dimension, then those of the
  /// next.
  std::span<const int64_t> coordinates;

  size_t rank() const { return extents.size(); }
  size_t numEntries() const { return coordinates.size() / rank(); }
};

/// Entries of a sparse tensor, each at another place, in lexicographic order of
/// their coordinates. An entry may be zero.
class CoordinateTensor {
public:
  /// The most dimensions that a tensor may have.
  static constexpr size_t maxRank = 16;

  size_t rank() const { return sizes.size(); }
  /// One for each dimension, at least 1. Their product is less than 2^127.
  const std::vector<int64_t> &extents() const { return sizes; }
  size_t numEntries() const { return numbers.size(); }
  /// `rank()` coordinates from 0 for entry `entry` < numEntries().
  std::span<const int64_t> coordinates(size_t entry) const {
    return {places.data() + entry * rank(), rank()};
  }
  const std::vector<double> &values() const { return numbers; }
  /// Valid as long as the tensor.
  Places allPlaces() const { return {sizes, places}; }

private:
  friend class TensorBuilder;

  std::vector<int64_t> sizes;
  std::vector<int64_t> places;
  std::vector<double> numbers;
};

/// Collects entries in any order.
class TensorBuilder {
public:
  /// Fails unless these can be the extents of a tensor.
  static Result<TensorBuilder> create(std::vector<int64_t> extents);

  /// Adds an entry. `coordinates` has one number for each dimension, within
  /// its extent.
  void add(std::span<const int64_t> coordinates, double value);
  size_t numEntries() const { return tensor.numEntries(); }
  const std::vector<int64_t> &extents() const { return tensor.sizes; }

  /// Two entries at one place, by their numbers in the order of adding.
  using Duplicates = std::pair<size_t, size_t>;

  /// Puts the entries in order. The first of several entries at one place is
  /// kept; `duplicates`, if not null, gets the first two of one place, if there
  /// are.
  CoordinateTensor finish(std::optional<Duplicates> *duplicates = nullptr) &&;

private:
  TensorBuilder() = default;

  CoordinateTensor tensor;
};

/// The indices of `keys` in the order of their keys; equal ones stay in order.
std::vector<size_t> sortByKey(const std::vector<unsigned __int128> &keys);

} // namespace baco::sparse

#endif // BACO_SPARSE_COORDINATETENSOR_H
