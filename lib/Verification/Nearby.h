//===- Nearby.h - Elements and their neighbors ------------------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The floats of an output as numbers, and how large those near one of them are.
//
//===----------------------------------------------------------------------===//

#ifndef BACO_LIB_VERIFICATION_NEARBY_H
#define BACO_LIB_VERIFICATION_NEARBY_H

#include "baco/Protocol/Candidate.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstring>
#include <limits>
#include <vector>

namespace baco::runtime {

template <typename T>
T element(const std::byte *data, int64_t index) {
  T value;
  std::memcpy(&value, data + index * sizeof(T), sizeof(T));
  return value;
}

/// How many numbers an element consists of.
inline int64_t partsOf(ElementType type) { return isComplex(type) ? 2 : 1; }

/// The median of the finite ones of `count` sizes from `first` on; 0 if none
/// is.
template <typename T>
double medianSize(const std::byte *data, int64_t first, int64_t count,
                  int64_t stride) {
  std::vector<double> sizes;
  for (int64_t i = 0; i < count; ++i) {
    double size = std::abs(double(element<T>(data, first + i * stride)));
    if (std::isfinite(size))
      sizes.push_back(size);
  }
  if (sizes.empty())
    return 0;
  auto middle = sizes.begin() + std::ptrdiff_t(sizes.size() / 2);
  std::nth_element(sizes.begin(), middle, sizes.end());
  return *middle;
}

/// Calls `action(first, count, stride)` for 16 elements near `index`, of an
/// array of that shape, along each dimension that has some.
template <typename Action>
void forEachWindow(const std::vector<int64_t> &shape, int64_t index,
                   Action action) {
  constexpr int64_t window = 16, minExtent = 8;
  int64_t stride = 1;
  bool isAlone = true;
  for (size_t d = shape.size(); d-- > 0; stride *= shape[d]) {
    if (shape[d] < minExtent)
      continue;
    int64_t place = index / stride % shape[d];
    int64_t count = std::min(window, shape[d]);
    int64_t start = std::clamp<int64_t>(place - count / 2, 0, shape[d] - count);
    action(index + (start - place) * stride, count, stride);
    isAlone = false;
  }
  // Then all are near.
  if (isAlone)
    action(0, stride, 1);
}

/// How large elements of `data`, of that shape, are near `index`: the least of
/// the medians of 16 along each dimension. Elements that happen to cancel stand
/// alone. Elements that are small for another reason have small neighbors in at
/// least one dimension, and errors in them must not hide behind large elements
/// elsewhere.
template <typename T>
double sizeNearby(const std::byte *data, const std::vector<int64_t> &shape,
                  int64_t index) {
  double least = std::numeric_limits<double>::infinity();
  forEachWindow(
      shape, index, [&](int64_t first, int64_t count, int64_t stride) {
        least = std::min(least, medianSize<T>(data, first, count, stride));
      });
  return least;
}

/// The rounding error of elements of `expected` near `index`, by their
/// `spread`: the largest median of 16 along a dimension, as a share of their
/// sizes, of the size of the element or, if that is more, of those near it. A
/// common factor of a row, such as its mean, may be the same in all samples by
/// chance, but not in most rows. The sizes of a softmax have nothing to do with
/// those near them.
template <typename T>
double spreadNearby(const std::byte *spread, const std::byte *expected,
                    const std::vector<int64_t> &shape, int64_t index) {
  double largest = 0;
  forEachWindow(
      shape, index, [&](int64_t first, int64_t count, int64_t stride) {
        std::vector<double> shares;
        for (int64_t i = 0; i < count; ++i) {
          int64_t at = first + i * stride;
          double size = std::abs(double(element<T>(expected, at)));
          double share = double(element<T>(spread, at)) / size;
          if (std::isfinite(share))
            shares.push_back(share);
        }
        if (shares.empty())
          return;
        auto middle = shares.begin() + std::ptrdiff_t(shares.size() / 2);
        std::nth_element(shares.begin(), middle, shares.end());
        largest = std::max(largest, *middle);
      });
  double size = std::abs(double(element<T>(expected, index)));
  return largest * std::max(size, sizeNearby<T>(expected, shape, index));
}

} // namespace baco::runtime

#endif // BACO_LIB_VERIFICATION_NEARBY_H
