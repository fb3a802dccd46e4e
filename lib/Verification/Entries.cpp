//===- Entries.cpp - Where sparse arguments have entries ------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The places of entries in inputs: those of the user's tensor, and others that
// code may be wrong for.
//
//===----------------------------------------------------------------------===//

#include "baco/Verification/Inputs.h"

#include "baco/Support/Random.h"

#include <algorithm>
#include <cstring>

using namespace baco;
using namespace baco::runtime;

/// The offset of the elements in the data of `argument`.
static size_t elementsBegin(const Argument &argument, size_t dataBytes) {
  if (!argument.isSparse)
    return 0;
  size_t placeBytes = argument.shape.size() * sizeof(int64_t);
  return dataBytes / (placeBytes + elementSize(argument.type)) * placeBytes;
}

std::span<std::byte> runtime::elementsOf(const Argument &argument,
                                         ArgumentData &data) {
  return std::span(data).subspan(elementsBegin(argument, data.size()));
}

std::span<const std::byte> runtime::elementsOf(const Argument &argument,
                                               const ArgumentData &data) {
  return std::span(data).subspan(elementsBegin(argument, data.size()));
}

bool runtime::hasSparse(const Signature &signature) {
  return std::ranges::any_of(signature.arguments, &Argument::isSparse);
}

/// The places in the source.
static std::vector<int64_t> givenPlaces(const Argument &argument) {
  const std::vector<std::byte> &bytes = *argument.source->contents;
  std::vector<int64_t> places(bytes.size() / sizeof(int64_t));
  if (!places.empty())
    std::memcpy(places.data(), bytes.data(), bytes.size());
  return places;
}

static std::vector<int64_t> lastPlace(std::vector<int64_t> extents) {
  for (int64_t &extent : extents)
    --extent;
  return extents;
}

namespace {
/// Makes the places of EntryPlaces::Uneven.
class UnevenPlaces {
public:
  UnevenPlaces(const Argument &argument, uint64_t seed)
      : extents(argument.shape), random(seed, extents.size()),
        given(givenPlaces(argument)),
        // A tensor of these extents has been loaded.
        entries(*sparse::TensorBuilder::create(extents)) {
    for (size_t d = 0; d < rank(); ++d)
      keys.push_back(random.next());
  }

  std::vector<int64_t> make();

private:
  size_t rank() const { return extents.size(); }
  bool isEmpty(size_t dimension, int64_t coordinate) const;
  /// Adds the entry unless it is in an empty row. Whether it is added.
  bool add(std::span<const int64_t> entry);
  /// Adds up to `count` entries with one coordinate in dimension `fixed`, at
  /// all places if that is enough, or else as far apart as they can be.
  void fillRow(size_t fixed, size_t count);

  const std::vector<int64_t> &extents;
  Random random;
  std::vector<int64_t> given;
  /// One number for each dimension decides which rows are empty.
  std::vector<uint64_t> keys;
  sparse::TensorBuilder entries;
};
} // namespace

bool UnevenPlaces::isEmpty(size_t dimension, int64_t coordinate) const {
  if (coordinate == extents[dimension] - 1)
    return false;
  return coordinate == 0 ||
         Random(keys[dimension], static_cast<uint64_t>(coordinate)).below(4) ==
             0;
}

bool UnevenPlaces::add(std::span<const int64_t> entry) {
  for (size_t d = 0; d < rank(); ++d)
    if (isEmpty(d, entry[d]))
      return false;
  entries.add(entry, 0);
  return true;
}

void UnevenPlaces::fillRow(size_t fixed, size_t count) {
  std::vector<int64_t> entry(rank());
  entry[fixed] =
      static_cast<int64_t>(random.below(static_cast<uint64_t>(extents[fixed])));
  if (isEmpty(fixed, entry[fixed]))
    entry[fixed] = extents[fixed] - 1;
  // Rows of high rank are filled in part.
  constexpr uint64_t maxPlaces = uint64_t(1) << 40;
  uint64_t all = 1;
  for (size_t d = 0; d < rank(); ++d)
    if (d != fixed)
      all = std::min(maxPlaces,
                     all * std::min<uint64_t>(maxPlaces / all + 1, extents[d]));
  count = std::min<uint64_t>(count, all);
  for (size_t i = 0; i < count; ++i) {
    uint64_t place = all / count * i;
    for (size_t d = rank(); d-- > 0;) {
      if (d == fixed)
        continue;
      auto extent = static_cast<uint64_t>(extents[d]);
      entry[d] = static_cast<int64_t>(place % extent);
      place /= extent;
    }
    add(entry);
  }
}

std::vector<int64_t> UnevenPlaces::make() {
  size_t most = std::max<size_t>(1, given.size() / rank());
  size_t spare = 0;
  for (size_t at = 0; at < given.size(); at += rank())
    spare += !add(std::span(given).subspan(at, rank()));
  if (rank() > 1) {
    fillRow(0, spare / 2);
    fillRow(rank() - 1, spare / 2);
  }
  entries.add(lastPlace(extents), 0);
  sparse::CoordinateTensor tensor = std::move(entries).finish();
  std::span<const int64_t> all = tensor.allPlaces().coordinates;
  // The last place may be one too many.
  if (tensor.numEntries() > most)
    all = all.subspan(rank());
  return {all.begin(), all.end()};
}

std::vector<int64_t> runtime::placesOf(const Argument &argument,
                                       EntryPlaces places, uint64_t seed) {
  switch (places) {
  case EntryPlaces::Given:
    return givenPlaces(argument);
  case EntryPlaces::Uneven:
    return UnevenPlaces(argument, seed).make();
  case EntryPlaces::Single:
    return lastPlace(argument.shape);
  }
  std::abort();
}
