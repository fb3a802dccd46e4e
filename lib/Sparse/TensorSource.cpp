//===- TensorSource.cpp - Where entries come from -------------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "baco/Sparse/TensorSource.h"

#include "baco/Support/ContentHash.h"

#include <algorithm>

using namespace baco;
using namespace baco::sparse;

/// Takes SOURCE out of numbered(SOURCE); whether it was that.
static bool takeNumbered(std::string_view &source) {
  constexpr std::string_view head = "numbered(";
  if (!source.starts_with(head) || !source.ends_with(')'))
    return false;
  source.remove_prefix(head.size());
  source.remove_suffix(1);
  return true;
}

/// Names of files have another end.
static bool isGenerated(std::string_view source) {
  return source.ends_with(')');
}

std::string_view sparse::fileOfSource(std::string_view source) {
  takeNumbered(source);
  return isGenerated(source) ? std::string_view() : source;
}

static Result<CoordinateTensor> numberEntries(const CoordinateTensor &tensor) {
  std::vector<int64_t> extents = tensor.extents();
  // A tensor without entries still needs a positive extent.
  extents.push_back(std::max<int64_t>(tensor.numEntries(), 1));
  Result<TensorBuilder> builder = TensorBuilder::create(std::move(extents));
  if (!builder)
    return builder.error();
  std::vector<int64_t> place(tensor.rank() + 1);
  for (size_t entry = 0; entry < tensor.numEntries(); ++entry) {
    std::ranges::copy(tensor.coordinates(entry), place.begin());
    // Entries are in lexicographic order, so the numbers rise with the places,
    // and the new dimension doesn't change the order.
    place.back() = static_cast<int64_t>(entry);
    builder->add(place, tensor.values()[entry]);
  }
  return std::move(*builder).finish();
}

Result<CoordinateTensor> sparse::readTensor(const std::string &source) {
  std::string_view text = source;
  bool isNumbered = takeNumbered(text);
  Result<CoordinateTensor> tensor = isGenerated(text)
                                        ? generateTensor(text)
                                        : readTensorFile(std::string(text));
  return tensor && isNumbered ? numberEntries(*tensor) : std::move(tensor);
}

std::string sparse::makeUpSource(std::span<const int64_t> extents) {
  constexpr double inRow = 8, most = 1 << 20;
  // The product of the extents may exceed 64 bits, but a double only loses
  // digits, which don't matter for a number of entries.
  double places = 1;
  std::string shape;
  for (int64_t extent : extents) {
    places *= static_cast<double>(extent);
    shape += (shape.empty() ? "" : "x") + std::to_string(extent);
  }
  double rows = places / static_cast<double>(extents.back());
  auto entries =
      // Half of the places bounds tensors of few columns, where eight entries
      // in a row would be all of it.
      static_cast<int64_t>(std::min({rows * inRow, places / 2, most}));
  return "uniform(extents=" + shape +
         ", entries=" + std::to_string(std::max<int64_t>(entries, 1)) + ")";
}

std::string sparse::hashTensor(const CoordinateTensor &tensor) {
  ContentHash hash;
  auto add = [&](const auto *numbers, size_t count) {
    hash.add(
        {reinterpret_cast<const char *>(numbers), count * sizeof(*numbers)});
  };
  // The rank tells where the extents end.
  size_t rank = tensor.rank();
  add(&rank, 1);
  add(tensor.extents().data(), rank);
  for (size_t entry = 0; entry < tensor.numEntries(); ++entry)
    add(tensor.coordinates(entry).data(), rank);
  add(tensor.values().data(), tensor.numEntries());
  return hash.digits();
}
