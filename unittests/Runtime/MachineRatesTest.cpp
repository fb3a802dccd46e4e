//===- MachineRatesTest.cpp - Tests of rates that bound a kernel ----------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "baco/Runtime/MachineRates.h"

#include "baco/Protocol/Clock.h"
#include "baco/Support/CpuPermission.h"

#include <gtest/gtest.h>

#include <chrono>

using namespace baco::runtime;

/// Multiplications and additions per second of a loop that a compiler can't
/// make vectors of, in one chain: no CPU is slower in twelve chains.
static double chainRate() {
  constexpr int steps = 2'000'000;
  volatile float factorFromMemory = 1, termFromMemory = 0;
  float factor = factorFromMemory, term = termFromMemory, value = 1;
  int64_t start = nowNs();
  for (int i = 0; i < steps; ++i)
    value = value * factor + term;
  double ns = nowNs() - start;
  volatile float sink = value;
  (void)sink;
  return 2e9 * steps / ns;
}

/// Whether bytes are multiplied in tiles, which Linux must permit.
static bool hasTiles() {
#if defined(__x86_64__)
  return __builtin_cpu_supports("amx-int8") && baco::requestTiles();
#else
  return false;
#endif
}

TEST(MachineRatesTest, AreAboveThoseOfAChain) {
  MachineRates rates = measureRates(1 << 20, /*usesTeam=*/false);
  EXPECT_EQ(rates.threads, 1);
  EXPECT_GT(rates.flopsPerS, chainRate());
  // A CPU that reads a byte for each operation at least, or computes 1000.
  EXPECT_GT(rates.bytesPerS, rates.flopsPerS / 1000);
  EXPECT_LT(rates.bytesPerS, 1e13);
  EXPECT_LT(rates.flopsPerS, 1e13);
  // An instruction has four bytes where one of floats has a float.
  if (rates.byteOpsPerS > 0) {
    EXPECT_GT(rates.byteOpsPerS, rates.flopsPerS);
    if (hasTiles()) {
      // 32 times as many in a cycle, and the unit may be shared.
      EXPECT_GT(rates.byteOpsPerS, 5 * rates.flopsPerS);
      EXPECT_LT(rates.byteOpsPerS, 64 * rates.flopsPerS);
    } else {
      EXPECT_LT(rates.byteOpsPerS, 10 * rates.flopsPerS);
    }
  }
}

TEST(MachineRatesTest, AnySizeIsTaken) {
  for (size_t bytes : {size_t(0), size_t(1), size_t(100'000)})
    EXPECT_GT(measureRates(bytes, /*usesTeam=*/false).bytesPerS, 0) << bytes;
}
