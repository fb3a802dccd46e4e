//===- CodeSamplerTest.cpp - Tests of samples of code ---------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "baco/Runtime/CodeSampler.h"

#include "baco/Protocol/Clock.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>

using namespace baco::runtime;

static volatile double sink;
static constexpr int64_t periodUs = 250;

/// A chain of divisions, in code of at most `codeBytes`.
static constexpr int64_t codeBytes = 1000;
__attribute__((noinline)) static void divide(int64_t times) {
  double value = 1;
  for (int64_t i = 0; i < times; ++i) {
    value = value / 1.000001 + 1;
    asm volatile("" : : "r"(&value) : "memory");
  }
  sink = value;
}

static void divideFor(int64_t ms) {
  for (int64_t end = nowNs() + ms * 1000000; nowNs() < end;)
    divide(1000);
}

TEST(CodeSamplerTest, PlacesAreInTheBusyFunction) {
  std::array<int64_t, 256> places{};
  prepareToSample();
  startSampling(places, reinterpret_cast<const void *>(divide), periodUs);
  pauseSampling(false);
  divideFor(50);
  size_t count = stopSampling();
  // A busy machine leaves few of 200.
  ASSERT_GT(count, 4u);
  ASSERT_LE(count, places.size());
  int64_t inside =
      std::ranges::count_if(std::span(places).first(count), [](int64_t place) {
        return place >= 0 && place < codeBytes;
      });
  EXPECT_GT(2 * inside, static_cast<int64_t>(count));
}

TEST(CodeSamplerTest, ItEndsWhereNoPlaceIsLeft) {
  std::array<int64_t, 3> places = {7, 7, 7};
  prepareToSample();
  startSampling(std::span(places).first(2), nullptr, periodUs);
  pauseSampling(false);
  divideFor(50);
  EXPECT_EQ(stopSampling(), 2u);
  EXPECT_NE(places[1], 7);
  EXPECT_EQ(places[2], 7);
}

TEST(CodeSamplerTest, NothingComesBehindTheEnd) {
  std::array<int64_t, 2> places = {7, 7};
  prepareToSample();
  startSampling(places, nullptr, periodUs);
  pauseSampling(false);
  size_t count = stopSampling();
  std::array<int64_t, 2> before = places;
  divideFor(5);
  EXPECT_LE(count, places.size());
  EXPECT_EQ(places, before);
}

TEST(CodeSamplerTest, NothingIsStoredInAPause) {
  std::array<int64_t, 2> places = {7, 7};
  prepareToSample();
  startSampling(places, nullptr, periodUs);
  divideFor(5);
  EXPECT_EQ(stopSampling(), 0u);
  EXPECT_EQ(places[0], 7);
}
