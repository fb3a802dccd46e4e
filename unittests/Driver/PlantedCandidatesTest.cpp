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
  EXPECT_EQ(
      missed(plantedReductions()),
      (Names{"f32 row maxima: 16 of a row", "f32 row maxima: 4 of 512 terms",
             "f32 row maxima: 8 of four rows", "f32 row maxima: term 300",
             "f32 row minima: 16 of a row", "f32 row minima: 4 of 512 terms",
             "i16 row minima: 16 of a row", "i16 row minima: 4 of 128 terms",
             "i32 column maxima: 16 of 64 terms",
             "i32 column maxima: 16 of a column", "i32 column maxima: term 37",
             "i32 column maxima: the last term"}));
}
TEST(PlantedCandidatesTest, Integers) {
  EXPECT_EQ(
      missed(plantedIntegers()),
      (Names{"long x / 7: through i16", "long x / 7: through i32",
             "x % 10: through i16", "x % 10: through i8", "x / 7: through f32",
             "x / 7: through i16", "x / 7: through i8", "x / y: through f32",
             "x >> 3: through i16", "x >> 3: through i8"}));
}
TEST(PlantedCandidatesTest, Ranges) {
  EXPECT_EQ(
      missed(plantedRanges()),
      (Names{"f32 to i8: saturating at -127", "f32 to i8: saturating at 100",
             "f32 to i8: without saturation",
             "f32 to i8: without saturation above",
             "f32 to i8: without saturation below", "x >= 1.3: 1.25",
             "x >= 1.3: 1.31", "x >= 1.3: 100", "x >= 1.3: 1e30", "x >= 1.3: >",
             "x >= 1.3: two units more", "|x| >= 0.3: 0.26", "|x| >= 0.3: 0.35",
             "|x| >= 0.3: >"}));
}
TEST(PlantedCandidatesTest, Functions) {
  EXPECT_EQ(
      missed(plantedFunctions()),
      (Names{"erf: 0 from 1.0e-2 to 1.0e-1", "erf: 0 from 1.0e-5 to 1.0e-1",
             "erf: 0 from 5.0 to 20.0", "exp: 0 from 1.0e-2 to 1.0e-1",
             "exp: 0 from 1.0e-5 to 1.0e-1", "exp: 0 from 20.0 to 80.0",
             "exp: 0 from 5.0 to 20.0", "log: 0 from 1.0e-2 to 1.0e-1",
             "log: 0 from 1.0e-5 to 1.0e-1", "log: 0 from 1.0e2 to 1.0e4",
             "log: 0 from 5.0 to 20.0", "sin: 0 from 1.0e-2 to 1.0e-1",
             "sin: 0 from 1.0e-5 to 1.0e-1", "sin: 0 from 5.0 to 20.0",
             "tanh: 0 from 1.0e-2 to 1.0e-1", "tanh: 0 from 1.0e-5 to 1.0e-1",
             "tanh: 0 from 5.0 to 20.0"}));
}
TEST(PlantedCandidatesTest, Scalars) {
  EXPECT_EQ(missed(plantedScalars()),
            (Names{"y = 2 x: 33 < n < 60", "y = 2 x: 4 <= n < 8",
                   "y = 2 x: 40 <= n < 64", "y = 2 x: 8 <= n < 32",
                   "y = 2 x: n % 16 = 6", "y = 2 x: n % 4 = 3",
                   "y = 2 x: n % 8 = 5", "y = 2 x: n % 8 >= 2",
                   "y = 2 x: n = 2", "y = 2 x: n = 3", "y = 2 x: n = 63"}));
}
TEST(PlantedCandidatesTest, RightCandidates) {
  EXPECT_EQ(missed(rightKernels()), Names());
}
