//===- PlantedCandidatesTest.cpp - Which wrong code is noticed ------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Each kind of planted candidates, with the names of those that pass.
//
//===----------------------------------------------------------------------===//

#include "PlantedCandidates.h"

#include "baco/Measure/WorkerProcess.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <set>

using namespace baco;
using namespace baco::test;

using Names = std::set<std::string>;

/// The seed of inputs, for experiments with other ones than 0.
static uint64_t inputSeed() {
  const char *seed = std::getenv("BACO_TEST_SEED");
  return seed ? std::strtoull(seed, nullptr, 10) : 0;
}

static std::unique_ptr<measure::WorkerProcess>
startWorker(const PlantedKernel &kernel) {
  measure::WorkerOptions options;
  options.program = BACO_PLANTED_WORKER;
  options.text = kernel.text;
  options.measure.timing = {1, 12, 1, 3};
  options.measure.inputSeed = inputSeed();
  auto worker = measure::WorkerProcess::start(std::move(options));
  EXPECT_TRUE(worker) << kernel.name << ": " << worker.error().message;
  return worker ? std::move(*worker) : nullptr;
}

/// The names of wrong candidates that pass.
static Names missed(const std::vector<PlantedKernel> &kernels) {
  Names names;
  size_t wrong = 0;
  for (const PlantedKernel &kernel : kernels) {
    auto worker = startWorker(kernel);
    if (!worker)
      continue;
    uint64_t trial = 0;
    auto evaluate = [&](const PlantedCandidate &candidate) {
      EXPECT_TRUE(worker->submit(++trial, candidate.text));
      Result<Outcome> outcome = worker->wait(trial);
      EXPECT_TRUE(outcome) << outcome.error().message;
      return outcome ? *outcome : Outcome();
    };
    for (const PlantedCandidate &candidate : kernel.right) {
      Outcome outcome = evaluate(candidate);
      EXPECT_EQ(outcome.status, Status::Ok)
          << kernel.name << ", " << candidate.name << ": " << outcome.message;
    }
    for (const PlantedCandidate &candidate : kernel.wrong) {
      Outcome outcome = evaluate(candidate);
      if (outcome.status == Status::Ok)
        names.insert(kernel.name + ": " + candidate.name);
      else
        EXPECT_EQ(outcome.status, Status::WrongResult) << outcome.message;
    }
    wrong += kernel.wrong.size();
  }
  EXPECT_TRUE(wrong == 0 || wrong >= 10);
  return names;
}

TEST(PlantedCandidatesTest, Reductions) {
  EXPECT_EQ(missed(plantedReductions()), Names{});
}
TEST(PlantedCandidatesTest, Integers) {
  EXPECT_EQ(missed(plantedIntegers()), Names());
}
TEST(PlantedCandidatesTest, Ranges) {
  EXPECT_EQ(missed(plantedRanges()), Names());
}
TEST(PlantedCandidatesTest, Functions) {
  EXPECT_EQ(missed(plantedFunctions()), Names());
}
TEST(PlantedCandidatesTest, Scalars) {
  EXPECT_EQ(missed(plantedScalars()), Names());
}
TEST(PlantedCandidatesTest, RightCandidates) {
  EXPECT_EQ(missed(rightKernels()), Names());
}
