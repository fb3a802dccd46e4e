//===- TransferBenchmarkTest.cpp - Tests of the transfer benchmark --------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TransferBenchmark.h"

#include "Experiments.h"

using namespace baco;
using namespace baco::bench;

static BenchmarkSpace spaceOf(std::string name,
                              const std::vector<std::string> &parameters,
                              std::string group = "") {
  std::vector<Parameter> made;
  for (const std::string &parameter : parameters)
    made.push_back(*Parameter::integer(parameter, 1, 3));
  return *BenchmarkSpace::compute(
      std::move(name), *Space::create(made),
      [](const Configuration &) { return 1.0; }, std::move(group));
}

TEST(TransferBenchmarkTest, FindsFamilies) {
  std::vector<Family> families =
      findFamilies({spaceOf("a", {"x", "y", "z", "t"}),
                    spaceOf("b", {"p", "q"}), spaceOf("c", {"t", "z", "y"}),
                    spaceOf("d", {"x", "y"}), spaceOf("e", {"p", "q"})});
  ASSERT_EQ(families.size(), 2u);
  ASSERT_EQ(families[0].size(), 2u);
  EXPECT_EQ(families[0][0].name(), "a");
  EXPECT_EQ(families[0][1].name(), "c");
  EXPECT_EQ(families[1][1].name(), "e");
}

TEST(TransferBenchmarkTest, GroupsHaveFamiliesOfTheirOwn) {
  std::vector<Family> families =
      findFamilies({spaceOf("a", {"x"}, "k"), spaceOf("b", {"x"}, "l"),
                    spaceOf("c", {"x"}, "k"), spaceOf("d", {"x"})});
  ASSERT_EQ(families.size(), 1u);
  ASSERT_EQ(families[0].size(), 2u);
  EXPECT_EQ(families[0][1].name(), "c");
}

TEST(TransferBenchmarkTest, ScoresPairs) {
  std::vector<TransferPair> pairs = {
      {"a -> b", Lesson::One, {{-1, -2}, {-3, -4}}, {{5, 6}, {7, 8}}},
      {"b -> a", Lesson::One, {{1, 2}, {1, 2}}, {{1, 2}, {3, 4}}},
      {"b -> a", Lesson::Poisoned, {{9, 9}, {9, 9}}, {{0, 0}, {0, 0}}}};
  TransferScore score = scoreTransfer(pairs, Lesson::One, 2);
  EXPECT_DOUBLE_EQ(score.mean, -0.5);
  EXPECT_DOUBLE_EQ(score.without, 5);
  EXPECT_DOUBLE_EQ(score.worst, 2);
  EXPECT_EQ(score.worstPair, "b -> a");
  EXPECT_LE(score.interval.low, -0.5);
  EXPECT_GE(score.interval.high, -0.5);
  EXPECT_TRUE(scoreTransfer(pairs, Lesson::All, 1).worstPair.empty());
}

/// A row for each lesson that there is; the results don't depend on threads.
TEST(TransferBenchmarkTest, RunsAllPairs) {
  Family family = {productSpace("a"), productSpace("b"), productSpace("c")};
  std::vector<Lesson> lessons(std::begin(allLessons), std::end(allLessons));
  ReplayOptions options;
  options.budget = 6;
  options.numSeeds = 2;
  Result<std::vector<TransferPair>> pairs =
      runTransfer({family}, lessons, options);
  ASSERT_TRUE(pairs);
  // One other, twice two of them, and both.
  EXPECT_EQ(pairs->size(), 3u * (3 * 2 + 1));
  options.numThreads = 2;
  Result<std::vector<TransferPair>> again =
      runTransfer({family}, lessons, options);
  ASSERT_TRUE(again);
  ASSERT_EQ(again->size(), pairs->size());
  for (size_t i = 0; i < pairs->size(); ++i) {
    EXPECT_EQ((*again)[i].name, (*pairs)[i].name);
    EXPECT_EQ((*again)[i].changes, (*pairs)[i].changes);
    EXPECT_EQ((*pairs)[i].changes.size(), 2u);
  }
  std::vector<ResultTable> tables = makeTransferTables(*pairs, options, true);
  ASSERT_EQ(tables.size(), 2u);
  EXPECT_EQ(tables[0].rows.size(), lessons.size());
  EXPECT_EQ(tables[1].rows.size(), pairs->size());
  for (const ResultTable &table : tables)
    for (const std::vector<std::string> &row : table.rows)
      EXPECT_EQ(row.size(), table.columns.size());
}

TEST(TransferBenchmarkTest, FindsLessons) {
  for (Lesson lesson : allLessons)
    EXPECT_EQ(*findLesson(nameOf(lesson)), lesson);
  Result<Lesson> unknown = findLesson("two");
  ASSERT_FALSE(unknown);
  EXPECT_EQ(unknown.error().message,
            "unknown lesson 'two': the known ones are one, short, all, "
            "poisoned");
}

/// The families are what they seem: neighbors with the same parameters.
TEST(TransferBenchmarkTest, GeneratesFamilies) {
  for (const Family &family : generatedFamilies()) {
    ASSERT_EQ(family.size(), 3u);
    ASSERT_EQ(findFamilies(family).size(), 1u);
    EXPECT_EQ(findFamilies(family)[0].size(), 3u);
  }
}
