//===- CpuCostTest.cpp - Tests of the parts of costs for CPUs -------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "baco/CostModel/CpuCost.h"

#include "llvm/Analysis/AssumptionCache.h"
#include "llvm/Analysis/TargetLibraryInfo.h"
#include "llvm/AsmParser/Parser.h"
#include "llvm/IR/Dominators.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/SourceMgr.h"

#include <gtest/gtest.h>

using namespace llvm;
using namespace baco::target;

namespace {

/// A function `@f` with what its costs are computed from.
class ParsedFunction {
public:
  explicit ParsedFunction(const std::string &text)
      : module(parseAssemblyString(text, error, context)),
        function(*module->getFunction("f")),
        libraryImpl(module->getTargetTriple()), library(libraryImpl),
        assumptions(function), dominators(function), loops(dominators),
        evolution(function, library, assumptions, dominators, loops),
        frequencies(
            cantFail(BlockFrequencies::compute(function, loops, evolution))) {}

  /// How often the block of that name runs.
  double timesOf(StringRef name) const {
    for (const BasicBlock &block : function)
      if (block.getName() == name)
        return frequencies.of(&block);
    return -1;
  }
  /// The cycles of all traffic.
  double traffic(const baco::schedule::HostInfo &host) {
    double sum = 0;
    for (const auto &loop :
         cyclesOfTraffic(function, loops, evolution, frequencies, host))
      sum += loop.second;
    return sum;
  }

private:
  LLVMContext context;
  SMDiagnostic error;
  std::unique_ptr<Module> module;
  Function &function;
  TargetLibraryInfoImpl libraryImpl;
  TargetLibraryInfo library;
  AssumptionCache assumptions;
  DominatorTree dominators;
  LoopInfo loops;
  ScalarEvolution evolution;
  BlockFrequencies frequencies;
};

} // namespace

/// Blocks of `mc` of `m` rows, in tiles of `mr`. Tiles are entered under two
/// conditions that always hold, and take one way if they are whole.
static std::string blockRows(int64_t m, int64_t mc, int64_t mr) {
  return formatv(R"(
    define void @f() {{
    entry:
      br label %blocks
    blocks:
      %block = phi i64 [ 0, %entry ], [ %block.next, %blocks.latch ]
      %block.more = icmp slt i64 %block, {0}
      br i1 %block.more, label %block.body, label %exit
    block.body:
      %block.next = add i64 %block, {1}
      %inside = icmp slt i64 %block.next, {0}
      %end = select i1 %inside, i64 %block.next, i64 {0}
      br label %tiles
    tiles:
      %tile = phi i64 [ %block, %block.body ], [ %tile.next, %tiles.latch ]
      %tile.more = icmp slt i64 %tile, %end
      br i1 %tile.more, label %tile.body, label %blocks.latch
    tile.body:
      %tile.next = add i64 %tile, {2}
      %rest = sub i64 %end, %tile
      %some = icmp sge i64 %rest, 1
      %below = icmp slt i64 %tile, {0}
      %guard = and i1 %some, %below
      br i1 %guard, label %guarded, label %never
    never:
      br label %tiles.latch
    guarded:
      %enough = icmp sge i64 %rest, {2}
      %whole.if = select i1 %guard, i1 %enough, i1 false
      br i1 %whole.if, label %whole, label %partial
    whole:
      br label %rows.before
    partial:
      br label %rows.before
    rows.before:
      %cut = icmp slt i64 %tile.next, %end
      %rows.end = select i1 %cut, i64 %tile.next, i64 %end
      br label %rows
    rows:
      %row = phi i64 [ %tile, %rows.before ], [ %row.next, %row.body ]
      %row.more = icmp slt i64 %row, %rows.end
      br i1 %row.more, label %row.body, label %tiles.latch
    row.body:
      %row.next = add i64 %row, 1
      br label %rows
    tiles.latch:
      br label %tiles
    blocks.latch:
      br label %blocks
    exit:
      ret void
    })",
                 m, mc, mr)
      .str();
}

TEST(BlockFrequenciesTest, RowsOfTilesAddUp) {
  const int64_t sizes[][3] = {{512, 336, 5},  {512, 48, 14}, {512, 384, 14},
                              {512, 120, 12}, {500, 168, 7}, {7, 48, 5}};
  for (auto [m, mc, mr] : sizes) {
    double tiles = 0, whole = 0;
    for (int64_t begin = 0; begin < m; begin += mc) {
      int64_t rows = std::min(mc, m - begin);
      tiles += static_cast<double>(divideCeil(rows, mr));
      whole += static_cast<double>(rows / mr);
    }
    ParsedFunction code(blockRows(m, mc, mr));
    SCOPED_TRACE(formatv("{0} {1} {2}", m, mc, mr).str());
    EXPECT_NEAR(code.timesOf("guarded"), tiles, 1e-6);
    EXPECT_NEAR(code.timesOf("never"), 0, 1e-6);
    EXPECT_NEAR(code.timesOf("whole"), whole, 1e-6);
    EXPECT_NEAR(code.timesOf("partial"), tiles - whole, 1e-6);
    EXPECT_NEAR(code.timesOf("row.body"), static_cast<double>(m), 1e-6);
  }
}

TEST(BlockFrequenciesTest, ManyIterationsAreSampled) {
  // 10001 rows in 209 blocks of 10 tiles, the last one of 4.
  ParsedFunction code(blockRows(10001, 48, 5));
  EXPECT_NEAR(code.timesOf("row.body"), 10001, 100);
}

/// Reads 1024 columns of 12 rows of floats, `pitch` bytes apart, 10 times.
static std::string readRows(int64_t pitch) {
  std::string loads;
  for (int64_t row = 0; row < 12; ++row)
    loads += formatv(R"(
      %p{0} = getelementptr i8, ptr %column, i64 {1}
      %v{0} = load volatile float, ptr %p{0})",
                     row, row * pitch)
                 .str();
  return R"(
    define void @f(ptr %a) {
    entry:
      br label %again
    again:
      %n = phi i64 [ 0, %entry ], [ %n.next, %again.latch ]
      br label %columns
    columns:
      %k = phi i64 [ 0, %again ], [ %k.next, %columns ]
      %column = getelementptr float, ptr %a, i64 %k)" +
         loads + R"(
      %k.next = add i64 %k, 1
      %k.more = icmp slt i64 %k.next, 1024
      br i1 %k.more, label %columns, label %again.latch
    again.latch:
      %n.next = add i64 %n, 1
      %n.more = icmp slt i64 %n.next, 10
      br i1 %n.more, label %again, label %exit
    exit:
      ret void
    })";
}

TEST(CpuTrafficTest, FullSetsGiveLinesBackLate) {
  // Level 1 has 8 ways, and no level beyond level 2 counts.
  baco::schedule::HostInfo host;
  host.l1Bytes = 32 << 10;
  host.l2Bytes = 1 << 20;
  // Half a cycle for each line.
  constexpr double fromL2 = 0.5;
  EXPECT_NEAR(ParsedFunction(readRows(4096 + 64)).traffic(host),
              fromL2 * 10 * 12 * 65, 10);
  // All rows are in one set: each access is late for a line of its own.
  EXPECT_NEAR(ParsedFunction(readRows(4096)).traffic(host),
              4 * fromL2 * 10 * 1024 * 12, 1e-6);
}
