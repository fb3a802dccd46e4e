//===- ReplayStudyTest.cpp - Tests of whole searches ----------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The real optimizers on a recorded table: the same seed gives the same bytes,
// however often the process was killed on the way.
//
//===----------------------------------------------------------------------===//

#include "../Database/TestHelpers.h"
#include "Fakes.h"

#include "baco/Database/Export.h"
#include "baco/Database/Files.h"
#include "baco/Database/Journal.h"
#include "baco/Search/Techniques/OptimizerFactory.h"
#include "baco/Study/ReplayEvaluator.h"
#include "baco/Study/Study.h"

using namespace baco;
using namespace baco::study;
using namespace baco::test;

static constexpr uint64_t budget = 16;

/// The bowl of Fakes.h as a table; some configurations fail.
static void writeTable(const std::string &path, const Space &space) {
  std::string table = "x,y,time_ns\n";
  for (uint64_t i = 0; i < *space.countIfSmall(); ++i) {
    Configuration c = space.toConfiguration(space.at(i));
    Result<Outcome> outcome = bowl(0, c);
    table +=
        std::to_string(std::get<int64_t>(c[0])) + "," +
        std::to_string(std::get<int64_t>(c[1])) + "," +
        (outcome->status == Status::Ok ? std::to_string(outcome->timeNs) : "") +
        "\n";
  }
  ASSERT_TRUE(database::writeFileAtomically(path, table));
}

/// Passes candidates on; kills the process when one is waited for.
class Killer : public Evaluator {
public:
  Killer(Evaluator &evaluator, uint64_t victim)
      : evaluator(evaluator), victim(victim) {}
  Result<void> submit(uint64_t trial, const Configuration &c) override {
    return evaluator.submit(trial, c);
  }
  Result<Outcome> wait(uint64_t trial) override {
    if (trial == victim)
      raise(SIGKILL);
    return evaluator.wait(trial);
  }
  void cancel(uint64_t trial) override { evaluator.cancel(trial); }
  std::string fingerprint() const override { return evaluator.fingerprint(); }

private:
  Evaluator &evaluator;
  uint64_t victim;
};

/// The trials of a search with seed 1 that continues what the database holds;
/// the error's message if there is one.
static std::string runSearch(const std::string &technique,
                             const TemporaryFolder &folder,
                             const std::string &database,
                             uint64_t victim = budget) {
  Space space = smallSpace();
  auto replay = ReplayEvaluator::open(folder.file("t.csv"), space);
  if (!replay)
    return replay.error().message;
  search::OptimizerOptions options;
  options.seed = 1;
  auto optimizer = search::makeOptimizer(technique, space, options);
  if (!optimizer)
    return optimizer.error().message;
  auto journal = database::Journal::open(folder.file(database));
  if (!journal)
    return journal.error().message;
  auto writer = journal->openStudy({"k", "n", "{}", "{}", ""});
  if (!writer)
    return writer.error().message;
  Killer killer(**replay, victim);
  StudyParts parts = {space, **optimizer, killer, &*writer};
  StudyOptions studyOptions;
  studyOptions.budget = budget;
  auto result = runStudy(parts, studyOptions);
  return result ? writeTrialsJsonl(result->trials) : result.error().message;
}

class ReplayStudyTest : public testing::TestWithParam<const char *> {};

TEST_P(ReplayStudyTest, SameSeedSameBytesKilledOrNot) {
  TemporaryFolder folder;
  writeTable(folder.file("t.csv"), smallSpace());
  std::string expected = runSearch(GetParam(), folder, "whole.db");
  EXPECT_EQ(std::count(expected.begin(), expected.end(), '\n'),
            static_cast<long>(budget))
      << expected;
  EXPECT_EQ(runSearch(GetParam(), folder, "again.db"), expected);
  // One journal for all: each life gets a little further than the one before.
  for (uint64_t victim = 0; victim < budget; ++victim)
    EXPECT_EQ(runInChild([&] {
                runSearch(GetParam(), folder, "killed.db", victim);
                return 0;
              }),
              -SIGKILL);
  EXPECT_EQ(runSearch(GetParam(), folder, "killed.db"), expected);
}

INSTANTIATE_TEST_SUITE_P(Techniques, ReplayStudyTest,
                         testing::Values("baco", "random", "exhaustive"),
                         [](const auto &info) {
                           return std::string(info.param);
                         });
