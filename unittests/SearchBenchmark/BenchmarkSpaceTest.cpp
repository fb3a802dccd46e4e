//===- BenchmarkSpaceTest.cpp - Tests of known spaces ---------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Spaces from formulas and from files.
//
//===----------------------------------------------------------------------===//

#include "Experiments.h"
#include "GeneratedSpaces.h"

#include <zlib.h>

#include <filesystem>
#include <fstream>
#include <unistd.h>

using namespace baco;
using namespace baco::bench;
namespace fs = std::filesystem;

TEST(BenchmarkSpaceTest, KnowsEveryTime) {
  BenchmarkSpace space = productSpace();
  EXPECT_EQ(space.best(), 1);
  EXPECT_EQ(space.worst(), 12);
  EXPECT_EQ(space.numValid(), 9u);
  auto time = [&](int64_t x, int64_t y) {
    return space.time(*space.space().toPoint({x, y}));
  };
  EXPECT_EQ(time(2, 3), 6);
  // Fails, and violates a constraint.
  EXPECT_EQ(time(4, 4), std::nullopt);
  EXPECT_EQ(time(3, 2), std::nullopt);
}

TEST(BenchmarkSpaceTest, RefusesWhatCannotBeKnown) {
  auto one = [](const Configuration &) { return std::optional(1.0); };
  auto fails = [](const Configuration &) { return std::optional<double>(); };
  auto negative = [](const Configuration &) { return std::optional(-1.0); };
  Space real = *Space::create({*Parameter::real("r", 0, 1)});
  Space large = *Space::create({*Parameter::integer("n", 1, 20'000'000)});
  Space two = *Space::create({*Parameter::boolean("b")});
  EXPECT_EQ(BenchmarkSpace::compute("s", real, one).error().message,
            "s: a benchmark has at most 10000000 configurations, but this "
            "space is infinite");
  EXPECT_EQ(BenchmarkSpace::compute("s", large, one).error().message,
            "s: a benchmark has at most 10000000 configurations, but 20000000 "
            "are feasible");
  EXPECT_EQ(BenchmarkSpace::compute("s", two, fails).error().message,
            "s: no configuration is valid");
  EXPECT_EQ(BenchmarkSpace::compute("s", two, negative).error().message,
            "s: times must be positive and finite, but one is -1.000000");
}

TEST(GeneratedSpacesTest, HaveWhatTheyPromise) {
  std::vector<BenchmarkSpace> spaces = generatedSpaces();
  ASSERT_EQ(spaces.size(), 3u);
  for (const BenchmarkSpace &space : spaces)
    EXPECT_GT(space.worst(), 2 * space.best()) << space.name();
  EXPECT_EQ(spaces[0].space().constraints().size(), 4u);
  EXPECT_EQ(spaces[1].space().count(), "5880"); // 5! * 7 * 7
  double share =
      double(spaces[2].numValid()) / double(*spaces[2].space().countIfSmall());
  EXPECT_NEAR(share, 0.75, 0.05);
}

static constexpr const char *scenario = R"json({
  "application_name": "small",
  "optimization_objectives": ["time"],
  "input_parameters": {
    "tile": {
      "parameter_type": "ordinal", "values": [1, 2, 4], "transform": "log"
    },
    "order": {
      "parameter_type": "permutation", "values": [2],
      "parametrization": "kendall", "dependencies": ["tile"],
      "constraints": ["(tile == 1) | (order_0 == 0)"]
    }
  },
  "x_units": {"time": "ms"}
})json";

namespace {

/// A folder with one recorded space, removed at the end.
class RecordedSpaceTest : public testing::Test {
protected:
  RecordedSpaceTest()
      : root(fs::path(testing::TempDir()) /
             ("baco-recorded-" + std::to_string(getpid()))),
        folder(root / "small") {
    fs::create_directories(folder);
    write("space.json", scenario);
  }
  ~RecordedSpaceTest() override { fs::remove_all(root); }

  void write(const char *name, const std::string &text) {
    std::ofstream(folder / name) << text;
  }

  fs::path root, folder;
  const std::string table = "tile,order,time,valid\r\n"
                            "1,\"(0, 1)\",5.5,1\r\n"
                            "1,\"(1, 0)\",2.5,1\r\n"
                            "2,\"(0, 1)\",,0\r\n"
                            "4,\"(0, 1)\",3.0,1\r\n";
};

} // namespace

TEST_F(RecordedSpaceTest, ReadsATable) {
  write("results.csv", table);
  Result<BenchmarkSpace> read = BenchmarkSpace::read(folder.string());
  ASSERT_TRUE(read) << read.error().message;
  EXPECT_EQ(read->name(), "small");
  EXPECT_EQ(read->numValid(), 3u);
  EXPECT_EQ(read->best(), 2.5);
  EXPECT_EQ(read->worst(), 5.5);
  Result<Point> fastest =
      read->space().toPoint({int64_t(1), Permutation{1, 0}});
  ASSERT_TRUE(fastest);
  EXPECT_EQ(read->time(*fastest), 2.5);
}

TEST_F(RecordedSpaceTest, ReadsACompressedTable) {
  gzFile file = gzopen((folder / "results.csv.gz").c_str(), "wb");
  gzwrite(file, table.data(), unsigned(table.size()));
  gzclose(file);
  Result<std::vector<BenchmarkSpace>> read = readSpaces(root.string());
  ASSERT_TRUE(read) << read.error().message;
  ASSERT_EQ(read->size(), 1u);
  EXPECT_EQ(read->front().best(), 2.5);
}

TEST_F(RecordedSpaceTest, NamesArePathsFromTheRoot) {
  for (const char *name : {"k/b", "k/a", "a"}) {
    fs::create_directories(root / name);
    fs::copy_file(folder / "space.json", root / name / "space.json");
    std::ofstream(root / name / "results.csv") << table;
  }
  fs::remove_all(folder);
  std::vector<std::string> names, groups;
  auto readNames = [&](const fs::path &from) {
    Result<std::vector<BenchmarkSpace>> spaces = readSpaces(from.string());
    ASSERT_TRUE(spaces) << spaces.error().message;
    names.clear();
    groups.clear();
    for (const BenchmarkSpace &space : *spaces) {
      names.push_back(space.name());
      groups.push_back(space.group());
    }
  };
  readNames(root);
  EXPECT_EQ(names, (std::vector<std::string>{"a", "k/a", "k/b"}));
  EXPECT_EQ(groups, (std::vector<std::string>{root, root / "k", root / "k"}));
  readNames(root / "k/b/");
  EXPECT_EQ(names, std::vector<std::string>{"b"});
  EXPECT_EQ(groups, std::vector<std::string>{root / "k"});
}

TEST_F(RecordedSpaceTest, PredictsWhatWasNotMeasured) {
  write("space.json", R"({"parameters": [
    {"name": "x", "kind": "integer", "range": [1, 30], "default": 2},
    {"name": "y", "kind": "integer", "range": [1, 30]}], "constraints": []})");
  // Every other configuration; what has a large x fails.
  std::string rows = "x,y,status,time_ns\n";
  for (int x = 1; x <= 30; ++x)
    for (int y = 1 + x % 2; y <= 30; y += 2)
      rows += std::to_string(x) + "," + std::to_string(y) +
              (x > 20 ? ",crashed,\n"
                      : ",ok," + std::to_string(100 + 10 * x + y) + "\n");
  write("measured.csv", rows);
  Result<BenchmarkSpace> read = BenchmarkSpace::read(folder.string());
  ASSERT_TRUE(read) << read.error().message;
  ASSERT_TRUE(read->prediction());
  EXPECT_EQ(read->prediction()->numMeasured, 450u);
  EXPECT_GT(read->prediction()->rankCorrelation, 0.95);
  auto time = [&](int64_t x, int64_t y) {
    return read->time(*read->space().toPoint({x, y}));
  };
  // The first was measured.
  for (auto [x, y] : {std::pair(10, 11), {10, 12}}) {
    ASSERT_TRUE(time(x, y));
    EXPECT_NEAR(*time(x, y), 100 + 10 * x + y, 10);
  }
  EXPECT_EQ(time(28, 15), std::nullopt);
  EXPECT_NEAR(read->best(), 112, 5);
  EXPECT_EQ(read->expert(), std::nullopt);

  // What is measured whole needs no predictions, whatever the file's name.
  write("space.json", scenario);
  write("measured.csv", table);
  read = BenchmarkSpace::read(folder.string());
  ASSERT_TRUE(read) << read.error().message;
  EXPECT_FALSE(read->prediction());
  // Nothing to predict from.
  write("measured.csv", "tile,order,time,valid\n4,\"(0, 1)\",,0\n");
  read = BenchmarkSpace::read(folder.string());
  ASSERT_FALSE(read);
  EXPECT_EQ(read.error().message, "small: no configuration is valid");
}

TEST_F(RecordedSpaceTest, KnowsTheExpert) {
  write("results.csv", table);
  write("expert.json", R"({"tile": 4, "order": [0, 1]})");
  Result<BenchmarkSpace> read = BenchmarkSpace::read(folder.string());
  ASSERT_TRUE(read) << read.error().message;
  EXPECT_EQ(read->expert(), 3);
  for (auto [text, message] :
       {std::pair(R"({"tile": 2, "order": [0, 1]})",
                  "the configuration isn't in the table, or failed"),
        {R"({"tile": 4})", "parameter 'order' has no value"}}) {
    write("expert.json", text);
    read = BenchmarkSpace::read(folder.string());
    ASSERT_FALSE(read);
    EXPECT_EQ(read.error().message,
              (folder / "expert.json").string() + ": " + message);
  }
}

TEST_F(RecordedSpaceTest, SaysWhatIsMissing) {
  Result<BenchmarkSpace> without = BenchmarkSpace::read(folder.string());
  ASSERT_FALSE(without);
  EXPECT_EQ(without.error().message,
            folder.string() + ": has none of results.csv, results.csv.gz, "
                              "measured.csv and measured.csv.gz");
  // The last row.
  write("results.csv", table.substr(0, table.rfind("4,")));
  Result<BenchmarkSpace> incomplete = BenchmarkSpace::read(folder.string());
  ASSERT_FALSE(incomplete);
  EXPECT_EQ(incomplete.error().message,
            folder.string() + ": 4 configurations are feasible, but the table "
                              "has results of 3");
  fs::remove_all(folder);
  Result<std::vector<BenchmarkSpace>> none = readSpaces(root.string());
  ASSERT_FALSE(none);
  EXPECT_EQ(none.error().code, ErrorCode::NotFound);
}
