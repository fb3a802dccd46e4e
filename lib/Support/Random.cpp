//===- Random.cpp - Seeded random numbers ---------------------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "baco/Support/Random.h"

#include <bit>
#include <cassert>
#include <cmath>

using namespace baco;

/// SplitMix64 (Steele, Lea and Flood, OOPSLA 2014): spreads a seed over the
/// state.
static uint64_t splitMix(uint64_t &x) {
  uint64_t z = (x += 0x9e3779b97f4a7c15);
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
  z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
  return z ^ (z >> 31);
}

Random::Random(uint64_t seed, uint64_t stream) {
  uint64_t x = seed;
  // Mix the stream in after the seed was spread, so that (seed, stream) and
  // (seed + 1, stream - 1) have nothing in common.
  x = splitMix(x) ^ (stream * 0xd1342543de82ef95 + 0x2545f4914f6cdd1d);
  for (uint64_t &word : state)
    word = splitMix(x);
}

uint64_t Random::next() {
  uint64_t result = std::rotl(state[0] + state[3], 23) + state[0];
  uint64_t t = state[1] << 17;
  state[2] ^= state[0];
  state[3] ^= state[1];
  state[1] ^= state[2];
  state[0] ^= state[3];
  state[2] ^= t;
  state[3] = std::rotl(state[3], 45);
  return result;
}

double Random::uniform() { return (next() >> 11) * 0x1.0p-53; }

double Random::uniform(double low, double high) {
  return low + (high - low) * uniform();
}

uint64_t Random::below(uint64_t bound) {
  assert(bound > 0 && "nothing to draw from");
  // Lemire, "Fast Random Integer Generation in an Interval", ACM TOMACS 29
  // (2019): the high word of a product, rejecting the few biased low words.
  unsigned __int128 product = (unsigned __int128)next() * bound;
  if ((uint64_t)product < bound) {
    uint64_t threshold = -bound % bound;
    while ((uint64_t)product < threshold)
      product = (unsigned __int128)next() * bound;
  }
  return product >> 64;
}

double Random::normal() {
  for (;;) {
    double u = uniform(-1, 1), v = uniform(-1, 1);
    double s = u * u + v * v;
    if (s > 0 && s < 1)
      return u * std::sqrt(-2 * std::log(s) / s);
  }
}
