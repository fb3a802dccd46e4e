//===- CoordinateTensor.cpp - Sparse tensors as lists of entries ----------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "baco/Sparse/CoordinateTensor.h"

#include <algorithm>
#include <numeric>

using namespace baco;
using namespace baco::sparse;

using Key = unsigned __int128;

std::vector<size_t> sparse::sortByKey(const std::vector<Key> &keys) {
  std::vector<size_t> order(keys.size());
  std::iota(order.begin(), order.end(), size_t(0));
  // Checking takes one pass, and entries in order need no sort.
  if (!std::ranges::is_sorted(keys))
    std::ranges::sort(order, [&](size_t a, size_t b) {
      // The index breaks ties, so that equal keys stay in order although
      // std::sort isn't stable.
      return std::pair(keys[a], a) < std::pair(keys[b], b);
    });
  return order;
}

Result<TensorBuilder> TensorBuilder::create(std::vector<int64_t> extents) {
  if (extents.empty() || extents.size() > CoordinateTensor::maxRank)
    return {ErrorCode::InvalidArgument,
            "a tensor has 1 to " + std::to_string(CoordinateTensor::maxRank) +
                " dimensions, not " + std::to_string(extents.size())};
  Key places = 1;
  for (int64_t extent : extents) {
    if (extent < 1)
      return {ErrorCode::InvalidArgument,
              "the extent " + std::to_string(extent) + " is not positive"};
    // Keys, which number the places, must not overflow.
    if (places > (Key(1) << 127) / static_cast<uint64_t>(extent))
      return {ErrorCode::Unsupported,
              "the product of the extents exceeds 2^127"};
    places *= static_cast<uint64_t>(extent);
  }
  TensorBuilder builder;
  builder.tensor.sizes = std::move(extents);
  return builder;
}

void TensorBuilder::add(std::span<const int64_t> coordinates, double value) {
  assert(coordinates.size() == tensor.rank() && "one for each dimension");
  tensor.places.insert(tensor.places.end(), coordinates.begin(),
                       coordinates.end());
  tensor.numbers.push_back(value);
}

CoordinateTensor
TensorBuilder::finish(std::optional<Duplicates> *duplicates) && {
  std::vector<Key> keys;
  keys.reserve(tensor.numEntries());
  for (size_t entry = 0; entry < tensor.numEntries(); ++entry) {
    Key key = 0;
    std::span<const int64_t> at = tensor.coordinates(entry);
    // The last dimension is the lowest digit, so that keys are in the
    // lexicographic order of coordinates.
    for (size_t d = 0; d < at.size(); ++d)
      key = key * static_cast<uint64_t>(tensor.sizes[d]) +
            static_cast<uint64_t>(at[d]);
    keys.push_back(key);
  }
  std::vector<size_t> order = sortByKey(keys);
  CoordinateTensor sorted;
  sorted.sizes = std::move(tensor.sizes);
  sorted.places.reserve(tensor.places.size());
  sorted.numbers.reserve(order.size());
  if (duplicates)
    duplicates->reset();
  for (size_t i = 0; i < order.size(); ++i) {
    size_t entry = order[i];
    if (i > 0 && keys[order[i - 1]] == keys[entry]) {
      // Ties are in the order of adding, so the entry before is the first one
      // of that place.
      if (duplicates && !*duplicates)
        *duplicates = {order[i - 1], entry};
      continue;
    }
    const int64_t *at = &tensor.places[entry * sorted.rank()];
    sorted.places.insert(sorted.places.end(), at, at + sorted.rank());
    sorted.numbers.push_back(tensor.numbers[entry]);
  }
  return sorted;
}
