//===- ReportTest.cpp - Tests of tables, files and bars -------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What the program writes about runs that are given.
//
//===----------------------------------------------------------------------===//

#include "Report.h"
#include "Bars.h"
#include "Experiments.h"
#include "Plot.h"

#include <algorithm>
#include <cmath>
#include <sstream>

using namespace baco;
using namespace baco::bench;

/// Two techniques, one seed, three evaluations.
static Experiment shortRuns() {
  Experiment experiment;
  experiment.options.budget = 3;
  experiment.options.numSeeds = 1;
  experiment.options.firstSeed = 5;
  experiment.spaces = {productSpace()};
  experiment.techniques = {findTechnique("baco"), findTechnique("random")};
  experiment.runs = {runOf({infinity, 2.5, 1}), runOf({4, 4, 4})};
  experiment.runs[0].askSeconds = {0.25, 0.5, 0.125};
  experiment.runs[0].failures = 1;
  return experiment;
}

TEST(ReportTest, CsvHasALineForEachEvaluation) {
  std::ostringstream out;
  writeCsv(out, shortRuns());
  EXPECT_EQ(out.str(), "space,optimizer,seed,evaluation,best_time,ask_seconds\n"
                       "product,baco,5,1,,0.25\n"
                       "product,baco,5,2,2.5,0.5\n"
                       "product,baco,5,3,1,0.125\n"
                       "product,random,5,1,4,\n"
                       "product,random,5,2,4,\n"
                       "product,random,5,3,4,\n");
}

TEST(ReportTest, MarkdownHasTheSameCellsAndATableForEachSpace) {
  std::vector<ResultTable> tables = makeTables(shortRuns(), {}, true);
  ASSERT_EQ(tables.size(), 2u);
  EXPECT_EQ(tables[0].title,
            "Best / least time on 1 space, seeds 5 to 5, baco to random");
  EXPECT_EQ(tables[0].columns, (std::vector<std::string>{
                                   "technique", "after 1", "after 2", "after 3",
                                   "to 5 %", "optimum", "failures"}));
  ASSERT_EQ(tables[0].rows.size(), 2u);
  EXPECT_EQ(tables[0].rows[0],
            (std::vector<std::string>{"baco", "12.000", "2.500", "1.000", "3",
                                      "100 %", "1.0"}));
  EXPECT_EQ(tables[0].rows[1],
            (std::vector<std::string>{"random", "4.000", "4.000", "4.000", ">3",
                                      "0 %", "0.0"}));
  EXPECT_EQ(tables[1].title, "product, seeds 5 to 5, baco to random");
  EXPECT_EQ(
      tables[1].rows[1],
      (std::vector<std::string>{"random", "4.000", "4.000", "4.000", "0.0"}));
}

TEST(ReportTest, TableHasALineForEachTechnique) {
  std::ostringstream out;
  writeTable(out, shortRuns(), {{0.001, 0.002}, {0.003, NAN}});
  std::string text = out.str();
  auto line = [&](const char *name) {
    size_t start = text.find(std::string("\n") + name) + 1;
    return text.substr(start, text.find('\n', start) - start);
  };
  std::istringstream ours(line("baco")), random(line("random"));
  std::vector<std::string> words, other;
  for (std::string word; ours >> word;)
    words.push_back(word);
  for (std::string word; random >> word;)
    other.push_back(word);
  EXPECT_EQ(words,
            (std::vector<std::string>{"baco", "12.000", "2.500", "1.000", "3",
                                      "100", "%", "1.0", "1.000", "2.000"}));
  EXPECT_EQ(other,
            (std::vector<std::string>{"random", "4.000", "4.000", "4.000", ">3",
                                      "0", "%", "0.0", "3.000", "-"}));
}

TEST(ReportTest, DetailsNameTheSpaces) {
  std::ostringstream out;
  writeDetails(out, shortRuns());
  EXPECT_NE(out.str().find("product: 10 configurations, 9 of them valid\n"),
            std::string::npos);
}

TEST(ReportTest, PendingTableComparesWithTheFirstNumber) {
  Experiment experiment = shortRuns();
  experiment.options.numSeeds = 2;
  experiment.techniques = withPending({findTechnique("baco")}, {1, 8});
  experiment.runs = {runOf({4, 2, 1}), runOf({4, 4, 2}), runOf({4, 3, 2}),
                     runOf({4, 6, 4})};
  ResultTable table = makePendingTable(experiment, 2);
  EXPECT_EQ(table.title, "Change of the ratio by more in flight, budget 3, "
                         "seeds 5 to 6, baco 1 in flight to baco 8 in flight");
  EXPECT_EQ(table.rows, (std::vector<std::vector<std::string>>{
                            {"baco 8 in flight", "all", "+0.0 ± 0.0 %",
                             "+50.0 ± 0.0 %", "+100.0 ± 0.0 %"},
                            {"baco 8 in flight", "product", "+0.0 ± 0.0 %",
                             "+50.0 ± 0.0 %", "+100.0 ± 0.0 %"}}));
}

TEST(PlotTest, HasACurveForEachTechnique) {
  std::ostringstream out;
  writePlot(out, shortRuns());
  std::string text = out.str();
  size_t curves = 0;
  for (size_t at = 0; (at = text.find("<polyline", at)) != std::string::npos;
       ++at)
    ++curves;
  EXPECT_EQ(curves, 2u);
  EXPECT_NE(text.find(">random</text>"), std::string::npos);
  // The first curve ends at the optimum: at the right and at the bottom.
  EXPECT_NE(text.find(" 700,440\"/>"), std::string::npos);
}

/// 60 evaluations; baco finds 1 after `found` of them, random never.
static Experiment judgedRuns(size_t found) {
  Experiment experiment;
  experiment.options.numSeeds = 2;
  experiment.spaces = {productSpace("pnpoly_rtx3090")};
  experiment.techniques = {findTechnique("baco"), findTechnique("random")};
  std::vector<double> ours(60, 1), theirs(60, 2);
  std::fill_n(ours.begin(), found, 3);
  experiment.runs = {runOf(ours), runOf(ours), runOf(theirs), runOf(theirs)};
  return experiment;
}

static std::vector<std::string> missedBars(const std::vector<Bar> &bars) {
  std::vector<std::string> missed;
  for (const Bar &bar : bars)
    if (!bar.isMet())
      missed.push_back(bar.what);
  return missed;
}

TEST(BarsTest, AllCanBeMet) {
  std::vector<Bar> bars = makeBars(judgedRuns(5), {{7e-3, 39e-3}, {0, 0}});
  // Times and lead: two and three; the failures of one space.
  EXPECT_EQ(bars.size(), 6u);
  EXPECT_EQ(missedBars(bars), std::vector<std::string>());
}

TEST(BarsTest, EachCanBeMissed) {
  Experiment experiment = judgedRuns(30);
  experiment.runs[0].failures = 20;
  experiment.runs[1].failures = 4;
  std::vector<Bar> bars = makeBars(experiment, {{9e-3, 41e-3}, {0, 0}});
  EXPECT_EQ(missedBars(bars),
            (std::vector<std::string>{
                "baco: ask at 60 trials, ms", "baco: ask at 200 trials, ms",
                "baco: upper end of log(ratio / ratio of random) after 20 "
                "evaluations",
                "baco: failures on pnpoly_rtx3090"}));
}

TEST(BarsTest, NotAheadIfEqual) {
  Experiment experiment = judgedRuns(0);
  experiment.runs[2] = experiment.runs[3] = experiment.runs[0];
  EXPECT_EQ(missedBars(makeBars(experiment, {{0, 0}, {0, 0}})).size(), 3u);
}

TEST(BarsTest, RivalsAreJudgedWherePackagesWereMeasured) {
  Experiment experiment;
  experiment.options.numSeeds = 2;
  experiment.techniques = {findTechnique("baco"), findTechnique("random")};
  for (const char *name :
       {"convolution_a100", "convolution_rtx3090", "coulomb_rtx2080ti",
        "gemm_rtx3090", "matmul_perm", "pnpoly_rtx3090"})
    experiment.spaces.push_back(productSpace(name));
  experiment.runs.assign(24, runOf(std::vector<double>(60, 1)));
  std::vector<Bar> bars = makeBars(experiment, {{0, 0}, {0, 0}});
  // Three spaces have counts of failures; and the package's three ratios.
  EXPECT_EQ(bars.size(), 2u + 3 + 3 + 3);
  EXPECT_EQ(bars.back().what, "random: ratio less standard error after 60 "
                              "evaluations (uniform choice)");
  EXPECT_EQ(bars.back().limit, 1.19 + 0.005); // rounded
}
