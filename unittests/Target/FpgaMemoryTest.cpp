//===- FpgaMemoryTest.cpp - Tests of distances, banks and transfers -------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Distances are compared with those by brute force: all pairs of iterations.
//
//===----------------------------------------------------------------------===//

#include "FpgaMemory.h"
#include "FpgaDesignFixture.h"

using namespace mlir;
using namespace baco;
using namespace baco::target;

namespace {
class FpgaMemoryTest : public FpgaDesignFixture {
protected:
  /// The accesses in the only loop of a function with `body` on %x, a memory of
  /// 64 by 64, and the loop over %i from 0 to 12 by steps of `step`.
  SmallVector<FpgaAccess> read(const std::string &body, int step = 1) {
    func::FuncOp function =
        parse("func.func @f(%x: memref<64x64xf32>, %v: f32) {\n"
              "affine.for %i = 0 to 12 step " +
              std::to_string(step) + " {\n" + body + "}\nreturn\n}");
    SmallVector<FpgaAccess> accesses;
    function.walk([&](Operation *op) {
      if (auto found = dyn_cast<affine::AffineForOp>(op))
        loop = found;
      if (auto access = readAccess(op))
        accesses.push_back(*access);
    });
    return accesses;
  }

  affine::AffineForOp loop;
};
} // namespace

static std::string load(int a, int b, int c, int d) {
  std::string text = std::to_string(a) + " * %i + " + std::to_string(b) + ", " +
                     std::to_string(c) + " * %i + " + std::to_string(d);
  return "affine.load %x[" + text + "] : memref<64x64xf32>\n";
}

TEST_F(FpgaMemoryTest, DistancesAreThoseOfAllPairs) {
  int numFound = 0;
  for (int step = 1; step <= 3; ++step)
    for (int a = 0; a <= 2; ++a)
      for (int c = 0; c <= 1; ++c)
        for (int b = 0; b <= 4; ++b)
          for (int d = 0; d <= 2; ++d) {
            auto accesses = read(load(a, b, c, d).insert(0, "%l = ") +
                                     load(a, 0, c, 0).insert(0, "%m = "),
                                 step);
            for (bool isBehind : {false, true}) {
              std::optional<int64_t> expected;
              for (int i = 0, n = 0; i < 12; i += step, ++n)
                for (int j = 0, m = 0; j < 12; j += step, ++m)
                  if (m - n >= (isBehind ? 0 : 1) && a * i + b == a * j &&
                      c * i + d == c * j && (!expected || *expected > m - n))
                    expected = m - n;
              EXPECT_EQ(findDistance(accesses[0], accesses[1], loop, isBehind),
                        expected)
                  << step << " " << a << " " << b << " " << c << " " << d;
              numFound += expected.has_value();
            }
          }
  EXPECT_GT(numFound, 50);
}

TEST_F(FpgaMemoryTest, BanksAreRemainders) {
  std::string body;
  for (int i : {0, 1, 2, 3, 5})
    body += "%a" + std::to_string(i) + " = " + load(1, 0, 1, i);
  auto accesses = read(body);
  EXPECT_EQ(countBankAccesses(accesses, {1, 1}), 5);
  // 1, 3 and 5; 1 and 5.
  EXPECT_EQ(countBankAccesses(accesses, {1, 2}), 3);
  EXPECT_EQ(countBankAccesses(accesses, {1, 4}), 2);
  EXPECT_EQ(countBankAccesses(accesses, {1, 8}), 1);
  // All are in one row.
  EXPECT_EQ(countBankAccesses(accesses, {0, 8}), 5);
}

TEST_F(FpgaMemoryTest, LoadsOfOneElementCountOnce) {
  auto accesses = read("%a = " + load(1, 0, 1, 0) + "%b = " + load(1, 0, 1, 0) +
                       "affine.store %v, %x[%i, %i] : memref<64x64xf32>\n");
  EXPECT_EQ(countBankAccesses(accesses, {1, 1}), 3);
  EXPECT_EQ(countBankAccesses(mergeLoads(accesses), {1, 1}), 2);
}

TEST_F(FpgaMemoryTest, NeighborsShareTransfers) {
  const FpgaDevice &device = *findFpgaDevice("arria10");
  // Along a row: 4 bytes of 64.
  EXPECT_EQ(countTransfers(read("%a = " + load(0, 0, 1, 0)), loop, device),
            4.0 / 64);
  // Four iterations at a time.
  EXPECT_EQ(
      countTransfers(
          read("%a = " + load(0, 0, 1, 0) + "%b = " + load(0, 0, 1, 1) +
                   "%c = " + load(0, 0, 1, 2) + "%d = " + load(0, 0, 1, 3),
               4),
          loop, device),
      16.0 / 64);
  // Two rows.
  EXPECT_EQ(countTransfers(
                read("%a = " + load(0, 0, 1, 0) + "%b = " + load(0, 1, 1, 0)),
                loop, device),
            8.0 / 64);
  // Down a column, and two neighbors there.
  EXPECT_EQ(countTransfers(read("%a = " + load(1, 0, 0, 0)), loop, device), 1);
  EXPECT_EQ(countTransfers(
                read("%a = " + load(1, 0, 0, 0) + "%b = " + load(1, 0, 0, 1)),
                loop, device),
            1);
  // The same element in all iterations.
  EXPECT_EQ(countTransfers(read("%a = " + load(0, 3, 0, 3)), loop, device), 0);
}
