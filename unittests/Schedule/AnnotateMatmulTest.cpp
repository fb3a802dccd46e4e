//===- AnnotateMatmulTest.cpp - Tests of the blockings --------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "AnnotateMatmul.h"

#include "baco/Space/Expression.h"

#include "llvm/ADT/StringExtras.h"

#include <gtest/gtest.h>

using namespace baco;
using namespace baco::schedule;

static const HostInfo avx512{64, 32, 48 << 10, 1 << 20, 32 << 20};
static const HostInfo avx2{32, 16, 32 << 10, 256 << 10, 8 << 20};
static const HostInfo neon{16, 32, 64 << 10, 1 << 20, 0};

/// Whether an expression holds for the default order and a blocking.
static bool holds(const std::string &text, const Blocking &b) {
  auto expression = Expression::parse(text);
  if (!expression) {
    ADD_FAILURE() << text << ": " << expression.error().message;
    return false;
  }
  Value mr = b.mr, nr = b.nr, mc = b.mc, kc = b.kc, order = Permutation{1, 0};
  auto value =
      expression->evaluate([&](std::string_view name) -> const Value * {
        return name == "MR"      ? &mr
               : name == "NR"    ? &nr
               : name == "MC"    ? &mc
               : name == "KC"    ? &kc
               : name == "order" ? &order
                                 : nullptr;
      });
  if (!value) {
    ADD_FAILURE() << text << ": " << value.error().message;
    return false;
  }
  return std::get<bool>(*value);
}

TEST(AnnotateMatmulTest, DefaultIsFeasibleEverywhere) {
  for (const HostInfo &host : {avx512, avx2, neon})
    for (int64_t elementBytes : {4, 8})
      for (MatmulShape shape :
           std::initializer_list<MatmulShape>{{512, 512, 512},
                                              {16, 16, 16},
                                              {48, 48, 48},
                                              {2, 2, 1},
                                              {3, 2, 2},
                                              {960, 960, 960},
                                              {1000, 1000, 1000},
                                              {2042, 64, 4099},
                                              {1, 1, 1},
                                              {7, 13, 5},
                                              {1, 1000, 17},
                                              {1001, 1003, 997},
                                              {4099, 31, 5},
                                              {997, 65, 8191},
                                              {65536, 65536, 65536}}) {
        shape.elementBytes = elementBytes;
        MatmulBlockings found = findBlockings(shape, host);
        const Blocking &best = found.best;
        EXPECT_TRUE(llvm::is_contained(found.mr, best.mr));
        EXPECT_TRUE(llvm::is_contained(found.nr, best.nr));
        EXPECT_TRUE(llvm::is_contained(found.mc, best.mc));
        EXPECT_TRUE(llvm::is_contained(found.kc, best.kc));
        if (found.dividesM) {
          EXPECT_EQ(best.mc % best.mr, 0);
        }
        for (const BlockingRule &rule : found.rules)
          EXPECT_TRUE(holds(rule.expression, best)) << rule.expression;
      }
}

TEST(AnnotateMatmulTest, CandidatesDivideAndIncrease) {
  MatmulShape shape{960, 1152, 1000, 4};
  MatmulBlockings found = findBlockings(shape, avx512);
  for (auto [sizes, extent] :
       {std::pair{&found.mr, shape.m}, std::pair{&found.nr, shape.n},
        std::pair{&found.mc, shape.m}, std::pair{&found.kc, shape.k}}) {
    EXPECT_TRUE(llvm::is_sorted(*sizes));
    for (int64_t size : *sizes)
      EXPECT_EQ(extent % size, 0) << size;
  }
  for (int64_t nr : found.nr)
    EXPECT_EQ(nr & (nr - 1), 0) << nr;
  // 1000 = 8 * 125: rows of blocks can be copied by 8 elements, not by 16.
  EXPECT_EQ(found.kc, (llvm::SmallVector<int64_t>{40, 200, 1000}));
  EXPECT_EQ(found.copyLength, 8);
}

// By hand: 16 sums with the fewest loads; panels in two thirds of level 1;
// blocks in half of level 2.
TEST(AnnotateMatmulTest, DefaultOfKnownMachines) {
  auto spell = [](const Blocking &b) {
    return std::to_string(b.mr) + "x" + std::to_string(b.nr) + " " +
           std::to_string(b.mc) + " " + std::to_string(b.kc);
  };
  EXPECT_EQ(spell(findBlockings({1024, 1024, 1024, 4}, avx512).best),
            "4x64 1024 128");
  EXPECT_EQ(spell(findBlockings({1024, 1024, 1024, 8}, avx512).best),
            "4x32 512 128");
  EXPECT_EQ(spell(findBlockings({1024, 1024, 1024, 4}, avx2).best),
            "4x16 128 256");
  EXPECT_EQ(spell(findBlockings({1024, 1024, 1024, 4}, neon).best),
            "4x16 256 512");
}

TEST(AnnotateMatmulTest, OrderIsAChoiceOnlyIfThereAreBlocks) {
  EXPECT_TRUE(findBlockings({512, 512, 512, 4}, avx512).hasOrder);
  EXPECT_FALSE(findBlockings({16, 512, 512, 4}, avx512).hasOrder);
  EXPECT_FALSE(findBlockings({512, 512, 16, 4}, avx512).hasOrder);
}

// What doesn't say "divides" can leave a rest, and nothing else can.
TEST(AnnotateMatmulTest, SaysWhatDivides) {
  auto dividesAll = [](int64_t extent, llvm::ArrayRef<int64_t> sizes) {
    return llvm::all_of(sizes, [&](int64_t s) { return extent % s == 0; });
  };
  for (const HostInfo &host : {avx512, avx2, neon})
    for (int64_t elementBytes : {4, 8})
      for (int64_t extent = 1; extent <= 300; ++extent) {
        MatmulShape shape{extent, extent, extent, elementBytes};
        MatmulBlockings found = findBlockings(shape, host);
        EXPECT_EQ(found.dividesM, dividesAll(extent, found.mr)) << extent;
        EXPECT_EQ(found.dividesN, dividesAll(extent, found.nr)) << extent;
        EXPECT_EQ(found.dividesK, dividesAll(extent, found.kc)) << extent;
        for (int64_t size :
             llvm::concat<int64_t>(found.mr, found.nr, found.mc, found.kc))
          EXPECT_LE(size, extent);
      }
}

// 1001 = 7 * 11 * 13 has enough divisors; 1003 = 17 * 59 and 997 have not.
TEST(AnnotateMatmulTest, AwkwardExtents) {
  MatmulBlockings found = findBlockings({1001, 1003, 997, 4}, avx512);
  using Sizes = llvm::SmallVector<int64_t>;
  EXPECT_EQ(found.mr, (Sizes{7, 11, 13}));
  EXPECT_EQ(found.nr, (Sizes{16, 32, 64, 128}));
  EXPECT_EQ(found.kc, (Sizes{64, 128, 256, 512, 997}));
  EXPECT_EQ(found.copyLength, 16);
  // A prime number of rows.
  EXPECT_EQ(findBlockings({997, 64, 64, 4}, avx512).mr,
            (Sizes{4, 5, 6, 8, 10, 12, 14, 16}));
}
