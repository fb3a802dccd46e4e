//===- ModuleTableTest.cpp - What tuning a module gained ------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "baco/Report/ModuleTable.h"

#include <gtest/gtest.h>

using namespace baco;
using namespace baco::report;

/// A confirmed kernel with these times.
static KernelSummary summaryOf(const std::string &name, double plainNs,
                               double defaultNs, double bestNs) {
  KernelSummary summary;
  summary.name = name;
  summary.kept = Kept::Tuned;
  summary.isConfirmed = true;
  summary.plain = MeasuredTime{plainNs, 0.01};
  summary.defaultSchedule = MeasuredTime{defaultNs, 0.01};
  summary.best = MeasuredTime{bestNs, 0.01};
  summary.speedupOverPlain = SpeedUp{plainNs / bestNs, std::nullopt};
  summary.speedup = SpeedUp{defaultNs / bestNs, std::nullopt};
  summary.evaluations = 10;
  summary.wallSeconds = 3;
  summary.setupSeconds = 1;
  summary.trialSeconds = 1.5;
  summary.finalSeconds = 0.5;
  return summary;
}

TEST(ModuleTableTest, TotalsAreOfCallsTimesTime) {
  EXPECT_EQ(writeModuleTable({{summaryOf("large", 4000, 2000, 1000), 3},
                              {summaryOf("k", 500, 500, 250), 8}}),
            "kernel  calls    plain  default    tuned  over plain  over "
            "default  kept\n"
            "large       3  4.00 us  2.00 us  1.00 us       4.00x         "
            "2.00x  tuned\n"
            "k           8   500 ns   500 ns   250 ns       2.00x         "
            "2.00x  tuned\n"
            "total          16.0 us  10.0 us  5.00 us       3.20x         "
            "2.00x\n"
            "20 evaluations in 6.0 s: set-up 2.0 s, trials 3.0 s, finals 1.0 "
            "s\n");
}

TEST(ModuleTableTest, RowsWithoutATimeArentInTheTotal) {
  KernelSummary copy = summaryOf("twin", 4000, 2000, 1000);
  copy.sameAs = "large";
  copy.evaluations = 0;
  KernelSummary broken;
  broken.name = "broken";
  broken.evaluations = 2;
  broken.counts[static_cast<size_t>(Status::Crashed)] = 2;
  KernelSummary single = summaryOf("single", 1000, 1000, 1000);
  single.kept = Kept::Default;
  single.isConfirmed = false;
  single.defaultSchedule.reset();
  std::string text =
      writeModuleTable({{summaryOf("large", 4000, 2000, 1000), 1},
                        {copy, 1},
                        {broken, std::nullopt},
                        {single, std::nullopt}});
  EXPECT_NE(text.find("2.00x  as large\n"), std::string::npos) << text;
  EXPECT_NE(text.find("broken      ?"), std::string::npos) << text;
  EXPECT_NE(text.find("  nothing works\n"), std::string::npos) << text;
  EXPECT_NE(text.find("  default, unconfirmed\n"), std::string::npos) << text;
  // 4 + 4 + 1 over 1 + 1 + 1; no default of one of them.
  EXPECT_NE(text.find("total          9.00 us           3.00 us       3.00x"),
            std::string::npos)
      << text;
  EXPECT_NE(text.find("of 3\n"), std::string::npos) << text;
  EXPECT_NE(text.find("22 evaluations, 2 failed (2 crashed) in"),
            std::string::npos)
      << text;
}

TEST(ModuleTableTest, RowsOfWhatIsDone) {
  DoneRows done(12, {"large", "k"});
  EXPECT_EQ(done.add(summaryOf("large", 4000, 2000, 1000)),
            "   done  kernel       default          best      gain  kept\n"
            "   1/12  large        2.00 us       1.00 us     2.00x  tuned\n");
  KernelSummary failed;
  failed.name = "k\n";
  EXPECT_EQ(
      done.add(failed),
      "   2/12  k?                                            nothing works\n");
}

TEST(ModuleTableTest, EqualNotesAreSaidOnce) {
  KernelSummary one = summaryOf("a", 2, 2, 1), other = summaryOf("b", 2, 2, 1);
  one.notes = {"the CPU was busy", "one run"};
  other.notes = {"the CPU was busy"};
  std::string text = writeModuleTable({{one, 1}, {other, 1}});
  EXPECT_NE(text.find("a, b: the CPU was busy\na: one run\n"),
            std::string::npos)
      << text;
}

TEST(ModuleTableTest, CostsArentTimes) {
  KernelSummary cost = summaryOf("k", 3000, 2000, 1000);
  cost.unit = CostUnit::Cycles;
  std::string text = writeModuleTable({{cost, 1}, {cost, 1}});
  EXPECT_NE(text.find("3000 cycles  2000 cycles  1000 cycles"),
            std::string::npos)
      << text;
  EXPECT_NE(text.find("6000 cycles"), std::string::npos) << text;
  EXPECT_EQ(text.find(" us"), std::string::npos) << text;
}
