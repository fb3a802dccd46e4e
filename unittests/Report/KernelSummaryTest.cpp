//===- KernelSummaryTest.cpp - Tests of the summary -----------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Texts written by hand.
//
//===----------------------------------------------------------------------===//

#include "baco/Report/SummaryJson.h"

#include <cmath>

#include <gtest/gtest.h>

using namespace baco;
using namespace baco::report;

static KernelSummary matmul() {
  KernelSummary summary;
  summary.name = "matmul";
  summary.kept = Kept::Tuned;
  summary.isConfirmed = true;
  summary.plain = {41.2e6, 0.008};
  summary.defaultSchedule = {3.402e6, 0.012};
  summary.best = {2.1e6, 0.005};
  summary.speedup = {1.62, std::pair(1.594, 1.655)};
  summary.speedupOverPlain = {19.62, {}};
  summary.evaluations = 60;
  summary.counts[static_cast<size_t>(Status::Ok)] = 57;
  summary.counts[static_cast<size_t>(Status::CompileFailed)] = 2;
  summary.counts[static_cast<size_t>(Status::WrongResult)] = 1;
  summary.configuration = R"({"MC":128,"order":[1,0],"mode":"outer"})";
  summary.wallSeconds = 9.75;
  summary.setupSeconds = 0.375;
  summary.searchSeconds = 0.5;
  summary.finalSeconds = 2.125;
  summary.waitedSeconds = 1.5;
  summary.trialSeconds = 7.25;
  summary.compileSlots = 1;
  summary.compileSeconds = 6.125;
  summary.runSeconds = 3.25;
  // 2 * 512^3.
  summary.flops = 268435456;
  return summary;
}

TEST(KernelSummaryTest, TextOfEverything) {
  KernelSummary summary = matmul();
  summary.notes = {"stopped by the user"};
  EXPECT_EQ(writeSummaryText(summary),
            "matmul: 60 evaluations, 3 failed (2 compile-failed, 1 "
            "wrong-result)\n"
            "  plain       41.2 ms  +-0.80 %    6.52 GFLOP/s\n"
            "  default     3.40 ms  +-1.20 %    78.9 GFLOP/s\n"
            "  best        2.10 ms  +-0.50 %     128 GFLOP/s\n"
            "  speed-up    1.62x over the default (1.59x to 1.66x), 19.6x over "
            "plain\n"
            "  chosen      MC = 128, order = (1, 0), mode = outer\n"
            "  wall time   9.8 s: set-up 0.4 s, trials 7.2 s, finals 2.1 s,\n  "
            "            of it waiting for the CPU 1.5 s\n"
            "  trials      compile 6.1 s, run 3.2 s, search 0.5 s, compiling "
            "91.4 % busy\n"
            "  stopped by the user\n");
}

TEST(KernelSummaryTest, SaysWhenConversionsPay) {
  KernelSummary summary = matmul();
  auto has = [&](const std::string &text) {
    return writeSummaryText(summary).find(text) != std::string::npos;
  };
  EXPECT_FALSE(has("converts"));
  EXPECT_EQ(callsThatPay(summary), std::nullopt);
  // A call gains 39.1 ms.
  summary.conversionNs = 80e6;
  EXPECT_EQ(callsThatPay(summary), 3u);
  EXPECT_TRUE(has("  format      each call of "));
  EXPECT_TRUE(has(" converts its tensor, which takes 80.0 ms,"));
  EXPECT_TRUE(has("once for many calls it pays after 3 calls"));
  EXPECT_FALSE(has("_prepare"));
  summary.isPrepared = true;
  EXPECT_TRUE(has("_prepare"));
  summary.conversionNs = 1;
  EXPECT_TRUE(has("it pays after 1 call,"));
  summary.best = summary.plain;
  EXPECT_EQ(callsThatPay(summary), std::nullopt);
  EXPECT_TRUE(has("which never pays"));
  summary.plain = std::nullopt;
  EXPECT_FALSE(has("pays"));
}

TEST(KernelSummaryTest, TextOfAlmostNothing) {
  KernelSummary summary;
  summary.name = "k\n";
  EXPECT_EQ(writeSummaryText(summary),
            "k?: 0 evaluations\n"
            "  wall time   0.0 s: set-up 0.0 s, trials 0.0 s, finals 0.0 s\n"
            "  trials      compile 0.0 s, run 0.0 s, search 0.0 s\n");
}

TEST(KernelSummaryTest, TextSaysThatTheDefaultStays) {
  KernelSummary summary;
  summary.name = "k";
  summary.evaluations = 1;
  summary.plain = {3000, std::nullopt};
  summary.defaultSchedule = summary.best = {1500, 0};
  summary.speedup = {1, std::pair(0.98, 1.02)};
  summary.kept = Kept::Default;
  summary.isConfirmed = true;
  EXPECT_EQ(writeSummaryText(summary),
            "k: 1 evaluation\n  plain       3.00 us  one run\n  default     "
            "1.50 us  +-0.00 %\n  best        1.50 us  +-0.00 %\n  speed-up    "
            "1.000x over the default (0.980x to 1.020x)\n              no "
            "candidate is certainly faster than the default, which stays\n  "
            "wall time   0.0 s: set-up 0.0 s, trials 0.0 s, finals 0.0 s\n  "
            "trials      compile 0.0 s, run 0.0 s, search 0.0 s\n");
}

TEST(KernelSummaryTest, TextSaysThatTheOriginalStays) {
  KernelSummary summary;
  summary.name = "k";
  summary.evaluations = 2;
  summary.kept = Kept::Plain;
  summary.isConfirmed = true;
  summary.plain = summary.best = {1000, 0.01};
  summary.defaultSchedule = {1500, 0.01};
  summary.speedup = {1.5, std::pair(1.4, 1.6)};
  summary.speedupOverPlain = {1, std::nullopt};
  summary.bestOther = {0.7, std::pair(0.65, 0.75)};
  EXPECT_EQ(writeSummaryText(summary),
            "k: 2 evaluations\n"
            "  plain       1.00 us  +-1.00 %\n"
            "  default     1.50 us  +-1.00 %\n"
            "  best        1.00 us  +-1.00 %\n"
            "  speed-up    1.50x over the default (1.40x to 1.60x), 1.00x over "
            "plain\n"
            "              plain is certainly faster than the best schedule: "
            "the original code stays\n"
            "              the best schedule: 0.70x over plain (0.65x to "
            "0.75x)\n"
            "              slower than plain\n"
            "  chosen      the original code\n"
            "  wall time   0.0 s: set-up 0.0 s, trials 0.0 s, finals 0.0 s\n"
            "  trials      compile 0.0 s, run 0.0 s, search 0.0 s\n");
  Result<std::string> json = writeSummaryJson({summary});
  ASSERT_TRUE(json);
  EXPECT_NE(json->find("\"kept\": \"plain\""), std::string::npos);
  summary.sameAs = "g";
  EXPECT_EQ(writeSummaryText(summary),
            "k: the same kernel as g: its original code stays as well\n");
}

TEST(KernelSummaryTest, ResultsOfSingleTrialsAreUnconfirmed) {
  KernelSummary summary;
  summary.kept = Kept::Default;
  summary.speedup = {1.5, std::nullopt};
  std::string text = writeSummaryText(summary);
  EXPECT_NE(text.find("speed-up    1.50x over the default, unconfirmed: from "
                      "single trials\n"),
            std::string::npos)
      << text;
  EXPECT_EQ(text.find("stays"), std::string::npos);
}

TEST(KernelSummaryTest, ReportsFailuresOfTheFinalComparison) {
  KernelSummary summary;
  summary.finalFailures = {{7, Status::WrongResult, "differs\n"},
                           {9, Status::Crashed, ""}};
  EXPECT_NE(writeSummaryText(summary).find(
                "  trial 7 failed in the final comparison: wrong-result: "
                "differs?\n"
                "  trial 9 failed in the final comparison: crashed\n"),
            std::string::npos)
      << writeSummaryText(summary);
  Result<std::string> json = writeSummaryJson({summary});
  ASSERT_TRUE(json);
  EXPECT_NE(json->find(R"("final_failures": [
        {
          "trial": 7,
          "status": "wrong-result",
          "message": "differs\n"
        },)"),
            std::string::npos)
      << *json;
}

TEST(KernelSummaryTest, TextSaysHowTheBestOtherCompares) {
  KernelSummary summary;
  summary.kept = Kept::Default;
  summary.isConfirmed = true;
  auto linesWith = [&](double ratio,
                       std::optional<std::pair<double, double>> interval) {
    summary.bestOther = {ratio, interval};
    std::string text = writeSummaryText(summary);
    size_t start = text.find("              the best other");
    return text.substr(start, text.find("  wall time") - start);
  };
  EXPECT_EQ(
      linesWith(1.002, std::pair(0.985, 1.013)),
      "              the best other candidate: 1.002x over the default (0.985x "
      "to 1.013x)\n              not distinguishable from the default\n");
  EXPECT_EQ(linesWith(0.9, std::pair(0.88, 0.92)),
            "              the best other candidate: 0.900x over the default "
            "(0.880x to 0.920x)\n              slower than the default\n");
  // By less than half a percent.
  EXPECT_EQ(
      linesWith(0.998, std::pair(0.9965, 0.9985)),
      "              the best other candidate: 0.998x over the default (0.997x "
      "to 0.999x)\n              not distinguishable from the default\n");
  // After few rounds, which must show 3 %.
  EXPECT_EQ(
      linesWith(1.02, std::pair(1.015, 1.025)),
      "              the best other candidate: 1.020x over the default "
      "(1.015x to 1.025x)\n              faster by less than a comparison "
      "of so few rounds can tell (3 %) than the default\n");
  // Its ends differ.
  EXPECT_EQ(
      linesWith(1, std::pair(0.99996, 1.00003)),
      "              the best other candidate: 1.00000x over the default "
      "(0.99996x to 1.00003x)\n              not distinguishable from the "
      "default\n");
  // It left the comparison early.
  EXPECT_EQ(linesWith(0.8, std::nullopt),
            "              the best other candidate: 0.80x over the default\n  "
            "            not faster than the default\n");
}

TEST(KernelSummaryTest, TheBottleneckIsWhatIsBusier) {
  KernelSummary summary;
  EXPECT_FALSE(findBottleneck(summary));
  summary.trialSeconds = 10;
  summary.compileSeconds = 18;
  summary.runSeconds = 9.5;
  EXPECT_FALSE(findBottleneck(summary));
  summary.compileSlots = 2;
  EXPECT_EQ(findBottleneck(summary)->name, "measuring");
  EXPECT_DOUBLE_EQ(findBottleneck(summary)->busyShare, 0.95);
  summary.compileSlots = 1;
  EXPECT_EQ(findBottleneck(summary)->name, "compiling");
}

static std::string speedupLine(double low, double ratio, double high) {
  KernelSummary summary;
  summary.isConfirmed = true;
  summary.speedup = {ratio, std::pair(low, high)};
  std::string text = writeSummaryText(summary);
  size_t start = text.find("speed-up");
  return text.substr(start, text.find('\n', start) - start);
}

TEST(KernelSummaryTest, IntervalThatExcludesOneShowsIt) {
  EXPECT_EQ(speedupLine(1.0034, 1.021, 1.0512),
            "speed-up    1.021x over the default (1.003x to 1.051x)");
  EXPECT_EQ(speedupLine(1.00012, 1.0021, 1.0032),
            "speed-up    1.0021x over the default (1.0001x to 1.0032x)");
  EXPECT_EQ(speedupLine(0.95, 0.98, 0.9997),
            "speed-up    0.9800x over the default (0.9500x to 0.9997x)");
  EXPECT_EQ(speedupLine(1.2, 1.5, 1.8),
            "speed-up    1.50x over the default (1.20x to 1.80x)");
}

TEST(KernelSummaryTest, OmitsInactiveParameters) {
  KernelSummary summary;
  summary.configuration = R"({"how":0,"size":8})";
  summary.inactive = {"size"};
  std::string text = writeSummaryText(summary);
  EXPECT_NE(text.find("chosen      how = 0\n"), std::string::npos) << text;
}

TEST(KernelSummaryTest, ManyChoicesAreWrapped) {
  KernelSummary summary;
  summary.name = "k";
  summary.configuration = "{";
  for (int i = 10; i < 20; ++i)
    summary.configuration += std::string(i > 10 ? "," : "") + "\"tile" +
                             std::to_string(i) + "\":1024";
  summary.configuration += "}";
  EXPECT_EQ(
      writeSummaryText(summary),
      "k: 0 evaluations\n"
      "  chosen      tile10 = 1024, tile11 = 1024, tile12 = 1024, tile13 = "
      "1024,\n"
      "              tile14 = 1024, tile15 = 1024, tile16 = 1024, tile17 = "
      "1024,\n"
      "              tile18 = 1024, tile19 = 1024\n"
      "  wall time   0.0 s: set-up 0.0 s, trials 0.0 s, finals 0.0 s\n"
      "  trials      compile 0.0 s, run 0.0 s, search 0.0 s\n");
}

TEST(KernelSummaryTest, NumbersOfProgramsAreNotTimes) {
  KernelSummary summary = matmul();
  summary.unit = CostUnit::Number;
  summary.plain = std::nullopt;
  summary.defaultSchedule = {0.0125, 0.02};
  summary.best = {-3, {}};
  summary.speedup = std::nullopt;
  std::string text = writeSummaryText(summary);
  EXPECT_NE(text.find("  default     0.0125         +-2.00 %\n"
                      "  best        -3\n"),
            std::string::npos)
      << text;
  Result<std::string> json = writeSummaryJson({summary});
  ASSERT_TRUE(json);
  EXPECT_NE(json->find("\"best_time_ns\": null"), std::string::npos) << *json;
  EXPECT_NE(json->find("\"best\": -3.0"), std::string::npos) << *json;
}

// A cost isn't written as a time, nor is what follows from times.
TEST(KernelSummaryTest, CostsAreNotTimes) {
  KernelSummary summary = matmul();
  summary.unit = CostUnit::Cycles;
  summary.isConfirmed = false;
  summary.plain = {1378477.4, {}};
  summary.best = {900, {}};
  std::string text = writeSummaryText(summary);
  EXPECT_NE(text.find("  plain       1378477 cycles\n"
                      "  default     3402000 cycles\n"
                      "  best        900 cycles\n"
                      "              static cost in cycles, not a time\n"
                      "  by cost     1.62x over the default"),
            std::string::npos)
      << text;
  for (const char *absent : {"GFLOP", "unconfirmed", " ms ", "+-"})
    EXPECT_EQ(text.find(absent), std::string::npos) << text;
  EXPECT_FALSE(warnOfShortTime(summary));
  Result<std::string> json = writeSummaryJson({summary});
  ASSERT_TRUE(json) << json.error().message;
  EXPECT_NE(json->find("\"best_time_ns\": null"), std::string::npos);
  EXPECT_NE(json->find(R"("static_cost": {
        "plain_cycles": 1378477.4,
        "default_cycles": 3402000.0,
        "best_cycles": 900.0,
        "note": "static cost in cycles, not a time"
      })"),
            std::string::npos)
      << *json;
}

TEST(KernelSummaryTest, JsonOfEverything) {
  Result<std::string> json = writeSummaryJson({matmul()});
  ASSERT_TRUE(json) << json.error().message;
  EXPECT_EQ(*json, R"({
  "kernels": [
    {
      "name": "matmul",
      "plain_time_ns": 41200000.0,
      "default_time_ns": 3402000.0,
      "best_time_ns": 2100000.0,
      "speedup": 1.62,
      "speedup_interval": [
        1.594,
        1.655
      ],
      "keeps_default": false,
      "best_other_speedup": null,
      "best_other_interval": null,
      "speedup_over_plain": 19.62,
      "conversion_ns": null,
      "pays_after_calls": null,
      "evaluations": 60,
      "failures": {
        "compile-failed": 2,
        "wrong-result": 1
      },
      "configuration": {
        "MC": 128,
        "order": [
          1,
          0
        ],
        "mode": "outer"
      },
      "wall_seconds": 9.75,
      "setup_seconds": 0.375,
      "trial_seconds": 7.25,
      "search_seconds": 0.5,
      "compile_seconds": 6.125,
      "run_seconds": 3.25,
      "final_seconds": 2.125,
      "waited_seconds": 1.5,
      "bottleneck": "compiling",
      "busy_share": 0.9137931034482759,
      "same_as": null,
      "share": null,
      "notes": [],
      "kept": "tuned",
      "confirmed": true,
      "speedup_over_plain_interval": null,
      "final_failures": [],
      "static_cost": null,
      "result": null,
      "kept_for": null
    }
  ],
  "programs": []
}
)");
}

TEST(KernelSummaryTest, JsonHasNullWhereUnknown) {
  KernelSummary summary;
  summary.name = "\xff\"";
  summary.best = {std::nan(""), 0};
  Result<std::string> json = writeSummaryJson({summary});
  ASSERT_TRUE(json) << json.error().message;
  EXPECT_EQ(*json, "{\n"
                   "  \"kernels\": [\n"
                   "    {\n"
                   "      \"name\": \"\xEF\xBF\xBD\\\"\",\n"
                   "      \"plain_time_ns\": null,\n"
                   "      \"default_time_ns\": null,\n"
                   "      \"best_time_ns\": null,\n"
                   "      \"speedup\": null,\n"
                   "      \"speedup_interval\": null,\n"
                   "      \"keeps_default\": false,\n"
                   "      \"best_other_speedup\": null,\n"
                   "      \"best_other_interval\": null,\n"
                   "      \"speedup_over_plain\": null,\n"
                   "      \"conversion_ns\": null,\n"
                   "      \"pays_after_calls\": null,\n"
                   "      \"evaluations\": 0,\n"
                   "      \"failures\": {},\n"
                   "      \"configuration\": null,\n"
                   "      \"wall_seconds\": 0.0,\n"
                   "      \"setup_seconds\": 0.0,\n"
                   "      \"trial_seconds\": 0.0,\n"
                   "      \"search_seconds\": 0.0,\n"
                   "      \"compile_seconds\": 0.0,\n"
                   "      \"run_seconds\": 0.0,\n"
                   "      \"final_seconds\": 0.0,\n"
                   "      \"waited_seconds\": 0.0,\n"
                   "      \"bottleneck\": null,\n"
                   "      \"busy_share\": null,\n"
                   "      \"same_as\": null,\n"
                   "      \"share\": null,\n"
                   "      \"notes\": [],\n"
                   "      \"kept\": null,\n"
                   "      \"confirmed\": false,\n"
                   "      \"speedup_over_plain_interval\": null,\n"
                   "      \"final_failures\": [],\n"
                   "      \"static_cost\": null,\n"
                   "      \"result\": null,\n"
                   "      \"kept_for\": null\n"
                   "    }\n"
                   "  ],\n"
                   "  \"programs\": []\n"
                   "}\n");
  Result<std::string> none = writeSummaryJson({});
  ASSERT_TRUE(none);
  EXPECT_EQ(*none, "{\n  \"kernels\": [],\n  \"programs\": []\n}\n");
}

TEST(KernelSummaryTest, JsonRefusesABrokenConfiguration) {
  KernelSummary summary;
  summary.name = "k";
  for (const char *broken : {"{", "[1]", "x"}) {
    summary.configuration = broken;
    Result<std::string> json = writeSummaryJson({summary});
    ASSERT_FALSE(json) << broken;
    EXPECT_EQ(
        json.error().message,
        std::string("kernel 'k': the configuration isn't a JSON object: ") +
            broken);
  }
}

TEST(KernelSummaryTest, SharesAreTold) {
  KernelSummary summary;
  summary.name = "f";
  summary.share = {0.9375, 17, 32};
  EXPECT_NE(writeSummaryText(summary).find(
                "  share       93.8 % of the kernels' time, 17 calls, 32 "
                "evaluations granted\n"),
            std::string::npos)
      << writeSummaryText(summary);
  Result<std::string> json = writeSummaryJson({summary});
  ASSERT_TRUE(json);
  EXPECT_NE(json->find(R"("share": {
        "weight": 0.9375,
        "calls": 17.0,
        "granted": 32
      })"),
            std::string::npos)
      << *json;
  // Nothing is known of the calls, and nothing is limited.
  summary.share = {0.5, std::nullopt, 0};
  EXPECT_NE(writeSummaryText(summary).find(
                "  share       50.0 % of the kernels' time\n"),
            std::string::npos);
}

TEST(KernelSummaryTest, TheSameKernelIsNotToldTwice) {
  KernelSummary summary;
  summary.name = "g\n";
  summary.sameAs = "f";
  summary.evaluations = 0;
  EXPECT_EQ(writeSummaryText(summary),
            "g?: the same kernel as f, whose schedule it gets\n");
  Result<std::string> json = writeSummaryJson({summary});
  ASSERT_TRUE(json);
  EXPECT_NE(json->find(R"("same_as": "f")"), std::string::npos);
}
