//===- Random.h - Seeded random numbers -------------------------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One generator and our own distributions: those of the standard library
// differ between implementations, and the same seed must give the same bytes
// everywhere.
//
//===----------------------------------------------------------------------===//

#ifndef BACO_SUPPORT_RANDOM_H
#define BACO_SUPPORT_RANDOM_H

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace baco {

/// xoshiro256++ 1.0 (Blackman and Vigna, "Scrambled Linear Pseudorandom Number
/// Generators", ACM TOMS 47 (2021)), seeded through SplitMix64. Copying copies
/// the state. Not thread safe.
class Random {
public:
  /// `stream` selects one of many independent sequences of the same seed: the
  /// k-th suggestion of a search draws from stream k, so that a resumed search
  /// continues with the numbers that it would have drawn.
  explicit Random(uint64_t seed, uint64_t stream = 0);

  /// 64 random bits.
  uint64_t next();
  /// Uniform in [0, 1), a multiple of 2^-53.
  double uniform();
  /// Uniform in [low, high).
  double uniform(double low, double high);
  /// Uniform in {0, ..., bound - 1}, without modulo bias; bound > 0.
  uint64_t below(uint64_t bound);
  /// Standard normal (Marsaglia's polar method).
  double normal();

  /// Uniform random order of `items` (Fisher and Yates).
  template <typename T>
  void shuffle(std::vector<T> &items) {
    for (std::size_t i = items.size(); i > 1; --i)
      std::swap(items[i - 1], items[below(i)]);
  }

private:
  uint64_t state[4];
};

} // namespace baco

#endif // BACO_SUPPORT_RANDOM_H
