//===- SparseCandidatesTest.cpp - Tests of sparse arguments ---------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Candidates that take a sparse matrix, each in a format of its own, in
// processes.
//
//===----------------------------------------------------------------------===//

#include "WorkerFixture.h"

#include <cmath>

using namespace baco;
using namespace baco::measure;
using namespace baco::test;

/// 1494 entries, in each row.
static constexpr const char *banded = "300,banded(rows=300, width=2)";

static WorkerOptions sparseOptions(const std::string &matrix) {
  WorkerOptions options = makeOptions();
  options.text = "sparse=" + matrix;
  return options;
}

namespace {
class SparseCandidatesTest : public WorkerTest {};
} // namespace

TEST_F(SparseCandidatesTest, EachHasAFormatOfItsOwn) {
  auto worker = startWorker(sparseOptions(banded));
  ASSERT_TRUE(worker);
  EXPECT_GT(worker->ready().plain.packNs, 0);
  for (const char *name : {"csr", "csr-32", "csr-16", "csc", "coo", "dense"}) {
    Outcome outcome = evaluate(*worker, name);
    EXPECT_EQ(outcome.status, Status::Ok) << name << ": " << outcome.message;
    EXPECT_GT(outcome.timeNs, 0) << name;
    EXPECT_GT(outcome.packNs, 0) << name;
  }
}

TEST_F(SparseCandidatesTest, FormatsThatHoldNotAllEntriesFail) {
  auto worker = startWorker(sparseOptions(banded));
  ASSERT_TRUE(worker);
  std::string unfit = "argument 0 doesn't fit its format: level 1 ";
  expectFault(*worker, {"csr-8", Status::TransformFailed,
                        unfit + "has coordinates up to 299, which 8 bits "
                                "of 'crdWidth' don't hold"});
  expectFault(
      *worker,
      {"csr-8-16", Status::TransformFailed,
       unfit + "has 1494 positions, which 8 bits of 'posWidth' don't hold"});
  expectFault(*worker, {"diagonal", Status::TransformFailed,
                        unfit + "is a singleton, but the level above has "
                                "positions with several entries"});
  expectFault(*worker,
              {"no-columns", Status::TransformFailed,
               "argument 0 doesn't fit its format: the levels don't determine "
               "the coordinates of dimension 1"});
  expectFault(*worker, {"no-format", Status::CompileFailed,
                        "the compiled code has formats for 0 of 1 sparse "
                        "arguments"});
}

TEST_F(SparseCandidatesTest, WrongCodeIsNoticed) {
  auto worker = startWorker(sparseOptions(banded));
  ASSERT_TRUE(worker);
  expectFault(*worker, {"transposed", Status::WrongResult,
                        "argument 2 differs at [0]: got "});
  // Numbers of twice the width, and so beyond the buffer's end, or the values'.
  Outcome wide = evaluate(*worker, "wrong-width");
  EXPECT_TRUE(wide.status == Status::Crashed ||
              wide.status == Status::WrongResult)
      << statusName(wide.status) << ": " << wide.message;
  expectFault(*worker,
              {"writes-positions", Status::WrongResult,
               "wrote to argument 0, which the plain kernel only reads"});
  expectFault(*worker, {"writes-behind-columns", Status::WrongResult,
                        "wrote outside argument 0"});
  expectFault(*worker, {"reads-behind-values", Status::WrongResult,
                        "argument 2 differs at [0]: got nan"});
}

TEST_F(SparseCandidatesTest, OtherPlacesShowWhatTheGivenOnesHide) {
  auto worker = startWorker(sparseOptions(banded));
  ASSERT_TRUE(worker);
  auto expectLate = [&](const char *name, const std::string &when) {
    Outcome outcome = evaluate(*worker, name);
    EXPECT_EQ(outcome.status, Status::WrongResult)
        << name << ": " << outcome.message;
    EXPECT_TRUE(outcome.message.ends_with(", but only " + when))
        << name << ": " << outcome.message;
  };
  expectLate("never-empty", "in the second check");
  expectLate("short-rows", "in the second check");
  expectLate("remembers", "in the second check");
  expectLate("pairs", "with a single entry in sparse arguments");
}

// The format of such a candidate holds the user's matrix, but not all others:
// checks with these say nothing about it.
TEST_F(SparseCandidatesTest, ChecksThatAFormatCantHoldAreLeftOut) {
  auto worker = startWorker(sparseOptions("300,banded(rows=300, width=0)"));
  ASSERT_TRUE(worker);
  Outcome outcome = evaluate(*worker, "diagonal");
  EXPECT_EQ(outcome.status, Status::Ok) << outcome.message;
  EXPECT_EQ(evaluate(*worker, "pairs").status, Status::WrongResult);
}

// Code is loaded again for a comparison, at another place.
TEST_F(SparseCandidatesTest, FormatsStayWithObjectCode) {
  auto worker = startWorker(sparseOptions(banded));
  ASSERT_TRUE(worker);
  for (int round = 0; round < 2; ++round) {
    auto samples = worker->compare({"csr-16", std::nullopt, "coo", "csr-8"});
    ASSERT_TRUE(samples) << samples.error().message;
    for (size_t i = 0; i < 3; ++i)
      EXPECT_EQ((*samples)[i].outcome.status, Status::Ok)
          << (*samples)[i].outcome.message;
    EXPECT_EQ((*samples)[3].outcome.status, Status::TransformFailed);
  }
}

TEST_F(SparseCandidatesTest, FormatsThatTakeMuchMemoryAreRefused) {
  WorkerOptions options =
      sparseOptions("8192,uniform(extents=8192x8192, entries=1000)");
  auto worker = startWorker(std::move(options));
  ASSERT_TRUE(worker);
  // 512 MiB of values, where 256 MiB are allowed for all.
  expectFault(*worker,
              {"dense", Status::TransformFailed,
               "argument 0 doesn't fit its format: level 1 has 8192 x 8192 "
               "positions, more than 8388608; compress it, or one above"});
  EXPECT_EQ(evaluate(*worker, "csr-16").status, Status::Ok);
}

TEST_F(SparseCandidatesTest, TensorsThatDontSuitTheArgumentAreRefused) {
  EXPECT_EQ(errorOfStart(sparseOptions("299,banded(rows=300, width=2)")),
            "argument 0: 'banded(rows=300, width=2)' is a tensor of 300x300, "
            "but the argument is one of 299x299");
  EXPECT_EQ(errorOfStart(sparseOptions("300,/none.mtx")).substr(0, 11),
            "argument 0:");
}

TEST_F(SparseCandidatesTest, AnEmptyMatrixIsOne) {
  auto worker =
      startWorker(sparseOptions("40,uniform(extents=40x40, entries=0)"));
  ASSERT_TRUE(worker);
  for (const char *name : {"csr", "csr-8", "csc", "coo", "dense"}) {
    Outcome outcome = evaluate(*worker, name);
    EXPECT_EQ(outcome.status, Status::Ok) << name << ": " << outcome.message;
  }
}
