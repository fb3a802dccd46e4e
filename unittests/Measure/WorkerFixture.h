//===- WorkerFixture.h - Test workers and what is left of them --*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BACO_UNITTESTS_MEASURE_WORKERFIXTURE_H
#define BACO_UNITTESTS_MEASURE_WORKERFIXTURE_H

#include "baco/Measure/WorkerProcess.h"

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <sys/types.h>
#include <vector>

namespace baco::test {

/// The name of the copy of the test worker that this program starts, by which
/// its processes are told from those of other tests that run at the same time.
const std::string &workerName();
/// The path of that copy.
const std::string &workerPath();

/// Options under which the test worker's candidates are done at once.
measure::WorkerOptions makeOptions();

/// Null, and a failed test, if there is none.
std::unique_ptr<measure::WorkerProcess>
startWorker(measure::WorkerOptions options);

/// Why a worker does not start.
std::string errorOfStart(measure::WorkerOptions options);

/// What becomes of a candidate.
Outcome evaluate(measure::WorkerProcess &worker, const std::string &candidate);

/// How a candidate fails.
struct Fault {
  const char *candidate;
  Status status;
  /// What the message starts with.
  std::string message;
};
void expectFault(measure::WorkerProcess &worker, const Fault &fault);

/// The workers and everything that was forked by them, wherever it went.
std::vector<pid_t> findWorkers();

/// Whether `number` of these are left, after a while in which the system may
/// clean up.
bool areLeft(size_t number);

/// Nothing is left after a test.
class WorkerTest : public testing::Test {
protected:
  void TearDown() override { EXPECT_TRUE(areLeft(0)); }
};

} // namespace baco::test

#endif // BACO_UNITTESTS_MEASURE_WORKERFIXTURE_H
