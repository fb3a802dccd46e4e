//===- Conditioning.cpp - Effects of rounding on outputs ------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Spreads of outputs, seen in runs with other roundings.
//
//===----------------------------------------------------------------------===//

#include "Nearby.h"
#include "baco/Verification/Verify.h"

#include <limits>

using namespace baco;
using namespace baco::runtime;

/// Calls `action(i, offset, zero)` for each float output `i`, with a number of
/// its parts' type.
template <typename Action>
static void forEachFloatOutput(const Signature &signature, Action action) {
  OutputLayout layout(signature);
  for (size_t i = 0; i < signature.arguments.size(); ++i) {
    const Argument &argument = signature.arguments[i];
    if (argument.isOutput && isFloat(argument.type))
      withFloat(argument.type,
                [&](auto zero) { action(i, layout.offset(i), zero); });
  }
}

/// The distance of two results that should be one.
static double distance(double got, double expected) {
  if (got == expected || (std::isnan(got) && std::isnan(expected)))
    return 0;
  double difference = std::abs(got - expected);
  return std::isnan(difference) ? std::numeric_limits<double>::infinity()
                                : difference;
}

void runtime::addSpread(const Signature &signature, const std::byte *outputs,
                        Reference &reference) {
  reference.spread.resize(reference.expected.size());
  forEachFloatOutput(signature, [&](size_t i, size_t offset, auto zero) {
    using T = decltype(zero);
    std::byte *spread = reference.spread.data() + offset;
    const std::byte *expected = reference.expected.data() + offset;
    const Argument &argument = signature.arguments[i];
    int64_t n = argument.numElements() * partsOf(argument.type);
    for (int64_t at = 0; at < n; ++at) {
      double seen =
          distance(element<T>(outputs + offset, at), element<T>(expected, at));
      T largest = makeFloat<T>(std::max(seen, double(element<T>(spread, at))));
      std::memcpy(spread + at * sizeof(T), &largest, sizeof(T));
    }
  });
}

namespace {
/// Numbers of elements of an output, by their remaining precision.
struct Census {
  int64_t all = 0, precise = 0, known = 0;

  Conditioning conditioning() const {
    if (16 * precise >= 15 * all)
      return Conditioning::Good;
    return 2 * known >= all ? Conditioning::Poor : Conditioning::None;
  }
};
} // namespace

template <typename T>
static Census countKnown(const Argument &argument, int digits,
                         const std::byte *expected, const std::byte *spread,
                         const ArgumentData &initial, double scale) {
  // Shares of an element's size; two decimal digits are seven binary ones.
  double preciseShare = std::exp2(-digits / 3.0);
  double knownShare = std::max(preciseShare, 0.01);
  Census census;
  int64_t parts = partsOf(argument.type), n = argument.numElements() * parts;
  for (int64_t at = 0; at < n; ++at) {
    double size = std::abs(double(element<T>(expected, at)));
    if (!std::isfinite(size) ||
        std::memcmp(expected + at * sizeof(T), &initial[at * sizeof(T)],
                    sizeof(T)) == 0)
      continue;
    ++census.all;
    double allowed = spreadFactor * scale * element<T>(spread, at);
    auto keeps = [&](double share) {
      return allowed <= share * size ||
             (parts == 1 &&
              allowed <= share * sizeNearby<T>(expected, argument.shape, at));
    };
    bool isPrecise = keeps(preciseShare);
    census.precise += isPrecise;
    census.known += isPrecise || keeps(knownShare);
  }
  return census;
}

bool runtime::areMagnitudesFinite(const Signature &signature,
                                  const Reference &reference) {
  bool areFinite = true;
  if (reference.magnitude.empty())
    return areFinite;
  forEachFloatOutput(signature, [&](size_t i, size_t offset, auto zero) {
    using T = decltype(zero);
    const Argument &argument = signature.arguments[i];
    int64_t n = argument.numElements() * partsOf(argument.type);
    for (int64_t at = 0; at < n && areFinite; ++at)
      areFinite = std::isfinite(
          double(element<T>(reference.magnitude.data() + offset, at)));
  });
  return areFinite;
}

Conditioning runtime::conditioningOf(const Signature &signature,
                                     const Reference &reference,
                                     const std::vector<ArgumentData> &inputs,
                                     double scale) {
  Conditioning worst = Conditioning::Good;
  if (reference.spread.empty())
    return worst;
  forEachFloatOutput(signature, [&](size_t i, size_t offset, auto zero) {
    const Argument &argument = signature.arguments[i];
    Census census = countKnown<decltype(zero)>(
        argument, resultFormat(signature, argument.type).digits,
        reference.expected.data() + offset, reference.spread.data() + offset,
        inputs[i], scale);
    worst = std::max(worst, census.conditioning());
  });
  return worst;
}
