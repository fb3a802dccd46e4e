//===- ReferenceContents.cpp - Properties of expected outputs -------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Whether outputs are finite, how large they are, and how many of them the
// kernel changes.
//
//===----------------------------------------------------------------------===//

#include "baco/Verification/Verify.h"

#include "Nearby.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

using namespace baco;
using namespace baco::runtime;

/// Whether all numbers are finite, but for those that are `initial` still.
template <typename T>
static bool areFinite(const std::byte *data, const std::byte *initial,
                      size_t byteSize) {
  for (size_t at = 0; at < byteSize; at += sizeof(T))
    if (!std::isfinite(double(element<T>(data + at, 0))) &&
        std::memcmp(data + at, initial + at, sizeof(T)) != 0)
      return false;
  return true;
}

/// The largest size of the elements that differ from `initial` in the results
/// `expected`; infinite if one isn't finite.
template <typename T>
static double largestSize(const std::byte *data, const std::byte *expected,
                          const std::byte *initial, size_t byteSize) {
  double largest = 0;
  for (size_t at = 0; at < byteSize; at += sizeof(T)) {
    if (std::memcmp(expected + at, initial + at, sizeof(T)) == 0)
      continue;
    double size = std::abs(double(element<T>(data + at, 0)));
    if (!std::isfinite(size))
      return std::numeric_limits<double>::infinity();
    largest = std::max(largest, size);
  }
  return largest;
}

bool runtime::areMagnitudesTight(const Signature &signature,
                                 const Reference &reference,
                                 const std::vector<ArgumentData> &inputs) {
  // A tolerance of a thousandth of the largest result still tells a wrong one.
  // Clamps need room: their results are small, and not the terms.
  constexpr double minRatio = 64, maxRatio = 1024, share = 0x1p-10;
  OutputLayout layout(signature);
  for (size_t i = 0; i < signature.arguments.size(); ++i) {
    const Argument &argument = signature.arguments[i];
    if (!argument.isOutput || !isFloat(argument.type))
      continue;
    FloatFormat format = resultFormat(signature, argument.type);
    double ratio =
        std::clamp(share / (toleranceFactor(signature.reductionLength, format) *
                            format.epsilon()),
                   minRatio, maxRatio);
    bool isTight = withFloat(argument.type, [&](auto zero) {
      using T = decltype(zero);
      const std::byte *expected = reference.expected.data() + layout.offset(i);
      auto largest = [&](const std::byte *data) {
        return largestSize<T>(data, expected, inputs[i].data(),
                              argument.byteSize());
      };
      double bound = largest(reference.magnitude.data() + layout.offset(i));
      return std::isfinite(bound) && bound <= ratio * largest(expected);
    });
    if (!isTight)
      return false;
  }
  return true;
}

bool runtime::isFinite(const Signature &signature, const Reference &reference,
                       const std::vector<ArgumentData> &inputs) {
  OutputLayout layout(signature);
  for (size_t i = 0; i < signature.arguments.size(); ++i) {
    const Argument &argument = signature.arguments[i];
    if (!argument.isOutput || !isFloat(argument.type))
      continue;
    const std::byte *data = reference.expected.data() + layout.offset(i);
    if (!withFloat(argument.type, [&](auto zero) {
          return areFinite<decltype(zero)>(data, inputs[i].data(),
                                           inputs[i].size());
        }))
      return false;
  }
  return true;
}

double runtime::finiteShare(const Signature &signature,
                            const Reference &reference) {
  OutputLayout layout(signature);
  int64_t finite = 0, all = 0;
  for (size_t i = 0; i < signature.arguments.size(); ++i) {
    const Argument &argument = signature.arguments[i];
    if (!argument.isOutput || !isFloat(argument.type))
      continue;
    const std::byte *data = reference.expected.data() + layout.offset(i);
    int64_t count = argument.numElements() * partsOf(argument.type);
    all += count;
    withFloat(argument.type, [&](auto zero) {
      for (int64_t k = 0; k < count; ++k)
        finite += std::isfinite(double(element<decltype(zero)>(data, k)));
    });
  }
  return all == 0 ? 1 : static_cast<double>(finite) / static_cast<double>(all);
}

std::vector<size_t>
runtime::changedBytes(const Signature &signature, const Reference &reference,
                      const std::vector<ArgumentData> &inputs) {
  OutputLayout layout(signature);
  std::vector<size_t> counts(signature.arguments.size());
  for (size_t i = 0; i < signature.arguments.size(); ++i) {
    if (!signature.arguments[i].isOutput)
      continue;
    const std::byte *expected = reference.expected.data() + layout.offset(i);
    size_t size = elementSize(signature.arguments[i].type);
    for (size_t at = 0; at < inputs[i].size(); at += size)
      if (std::memcmp(expected + at, &inputs[i][at], size) != 0)
        counts[i] += size;
  }
  return counts;
}
