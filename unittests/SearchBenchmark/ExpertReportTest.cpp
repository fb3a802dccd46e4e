//===- ExpertReportTest.cpp - Tests of comparisons with experts -----------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Numbers that were computed by hand.
//
//===----------------------------------------------------------------------===//

#include "ExpertReport.h"

#include "Experiments.h"

#include <filesystem>
#include <fstream>
#include <unistd.h>

using namespace baco;
using namespace baco::bench;
namespace fs = std::filesystem;

using Row = std::vector<std::string>;

/// x in 1 ... 8, whose time is x; the default is 8, the expert's 4.
static BenchmarkSpace spaceWithExpert() {
  fs::path folder = fs::path(testing::TempDir()) /
                    ("baco-expert-" + std::to_string(getpid())) / "line";
  fs::create_directories(folder);
  std::ofstream(folder / "space.json")
      << R"({"parameters": [{"name": "x", "kind": "integer",
             "range": [1, 8], "default": 8}], "constraints": []})";
  std::ofstream table(folder / "results.csv");
  table << "x,time\n";
  for (int x = 1; x <= 8; ++x)
    table << x << "," << x << "\n";
  table.close();
  std::ofstream(folder / "expert.json") << R"({"x": 4})";
  Result<BenchmarkSpace> space = BenchmarkSpace::read(folder.string());
  fs::remove_all(folder.parent_path());
  EXPECT_TRUE(space) << space.error().message;
  return *space;
}

TEST(ExpertReportTest, ComparesWithTheExpert) {
  Experiment experiment;
  experiment.options.budget = 6;
  experiment.options.numSeeds = 2;
  // No expert: not in the tables.
  experiment.spaces = {spaceWithExpert(), productSpace()};
  experiment.techniques = {findTechnique("baco"), findTechnique("random"),
                           findTechnique("genetic")};
  for (const std::vector<double> &times :
       {std::vector<double>{8, 4, 2, 2, 2, 2},
        {8, 4, 2, 2, 1, 1},
        // The space without an expert.
        {1, 1, 1, 1, 1, 1},
        {1, 1, 1, 1, 1, 1},
        // A mean of 4 after three evaluations.
        {8, 8, 8, 8, 8, 8},
        {8, 8, 2, 2, 2, 2},
        {1, 1, 1, 1, 1, 1},
        {1, 1, 1, 1, 1, 1},
        // Better than baco in the end.
        {8, 8, 8, 8, 8, 1},
        {8, 8, 8, 8, 8, 1},
        {1, 1, 1, 1, 1, 1},
        {1, 1, 1, 1, 1, 1}})
    experiment.runs.push_back(runOf(times));
  std::vector<ResultTable> tables = makeExpertTables(experiment);
  ASSERT_EQ(tables.size(), 3u);
  EXPECT_EQ(tables[0].title, "Performance relative to the expert (1 space, 2 "
                             "seeds, 6 evaluations)");
  EXPECT_EQ(tables[0].rows[0],
            (Row{"baco", "1.000", "2.000", "2.828", "5.657", "100 %"}));
  EXPECT_EQ(tables[0].rows[1],
            (Row{"random", "0.500", "1.000", "1.000", "2.000", "50 %"}));
  EXPECT_EQ(tables[0].notes[1], "line: expert / least time 4.000, default / "
                                "least time 8.000, 8 configurations, all of "
                                "them measured");
  EXPECT_EQ(tables[1].columns[1], "line");
  EXPECT_EQ(tables[1].rows[0], (Row{"baco", "2 (100 %)", "2.0", "2.0", "1"}));
  EXPECT_EQ(tables[1].rows[1], (Row{"random", "3 (50 %)", "3.0", "3.0", "1"}));
  EXPECT_EQ(tables[1].rows[2],
            (Row{"genetic", "6 (100 %)", "6.0", "6.0", "1"}));
  // baco is where `random` ends after two evaluations of six.
  ASSERT_EQ(tables[2].rows.size(), 2u);
  EXPECT_EQ(tables[2].rows[0], (Row{"random", "3.00", "3.00", "3.00", "1"}));
  EXPECT_EQ(tables[2].rows[1], (Row{"genetic", "-", "-", "-", "0"}));
}

TEST(ExpertReportTest, NeedsAnExpert) {
  Experiment experiment;
  experiment.spaces = {productSpace()};
  experiment.techniques = {findTechnique("baco")};
  EXPECT_TRUE(makeExpertTables(experiment).empty());
}
