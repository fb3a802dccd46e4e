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

#ifndef BACO_RUNTIME_NEARBY_H
#define BACO_RUNTIME_NEARBY_H

#include "baco/Runtime/Candidate.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstring>
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

/// How large elements of `data`, of that shape, are near `index`: the least of
/// the medians of 16 along each dimension. Elements that happen to cancel stand
/// alone. What is small for another reason is so with its neighbors in one
/// dimension at least, and whoever gets them wrong must not hide behind large
/// elements elsewhere.
template <typename T>
double sizeNearby(const std::byte *data, const std::vector<int64_t> &shape,
                  int64_t index) {
  constexpr int64_t window = 16, leastExtent = 8;
  std::optional<double> least;
  int64_t stride = 1;
  for (size_t d = shape.size(); d-- > 0; stride *= shape[d]) {
    if (shape[d] < leastExtent)
      continue;
    int64_t place = index / stride % shape[d];
    int64_t count = std::min(window, shape[d]);
    int64_t start = std::clamp<int64_t>(place - count / 2, 0, shape[d] - count);
    double median =
        medianSize<T>(data, index + (start - place) * stride, count, stride);
    least = std::min(least.value_or(median), median);
  }
  if (least)
    return *least;
  int64_t all = 1;
  for (int64_t extent : shape)
    all *= extent;
  return medianSize<T>(data, 0, all, 1);
}

} // namespace baco::runtime

#endif // BACO_RUNTIME_NEARBY_H
