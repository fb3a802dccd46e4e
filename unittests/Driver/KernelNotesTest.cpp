//===- KernelNotesTest.cpp - Tests of notes about kernels -----------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "KernelNotes.h"

#include <gtest/gtest.h>

using namespace baco;
using namespace baco::driver;

TEST(KernelNotesTest, ScalarsAndFiles) {
  runtime::Signature signature;
  runtime::Argument argument{runtime::ElementType::I32, false, {}, false};
  signature.arguments = {argument};
  EXPECT_EQ(noteInputs(signature), std::nullopt);
  argument.values = {256, 129, 1, 0};
  signature.arguments.push_back(argument);
  EXPECT_EQ(noteInputs(signature),
            "timed with 256 for argument 1, verified with 129, 1, 0, too");
  argument.values = {1};
  signature.arguments.push_back(argument);
  EXPECT_EQ(noteInputs(signature),
            "timed with 256 for argument 1, verified with 129, 1, 0, too; with "
            "1 for argument 2");
  runtime::Argument memory;
  memory.source.emplace();
  signature.arguments = {memory};
  EXPECT_EQ(noteInputs(signature), std::nullopt);
  memory.source->kind = runtime::Source::Kind::File;
  memory.source->file = "/data/x.npy";
  signature.arguments.push_back(memory);
  EXPECT_EQ(noteInputs(signature),
            "timed with the contents of x.npy for argument 1");
  memory.source->kind = runtime::Source::Kind::Tensor;
  memory.source->file = "numbered(/data/x.mtx)";
  signature.arguments = {memory};
  memory.source->file = "rmat(scale=4)";
  signature.arguments.push_back(memory);
  EXPECT_EQ(
      noteInputs(signature),
      "timed with the contents of x.mtx for argument 0; with the contents "
      "of rmat(scale=4) for argument 1");
}

static database::Trial makeTrial(Status status, double narrowMiss = 0) {
  database::Trial trial;
  trial.outcome.emplace();
  trial.outcome->status = status;
  trial.outcome->narrowMiss = narrowMiss;
  return trial;
}

TEST(KernelNotesTest, NarrowMissesNameATolerance) {
  std::vector<database::Trial> trials;
  EXPECT_EQ(noteNarrowMisses(trials, 1), std::nullopt);
  trials.push_back(makeTrial(Status::CompileFailed));
  EXPECT_EQ(noteNarrowMisses(trials, 1), std::nullopt);
  trials.push_back(makeTrial(Status::WrongResult, 12));
  trials.push_back(makeTrial(Status::WrongResult, 3.5));
  EXPECT_EQ(noteNarrowMisses(trials, 1),
            "all candidates that ran are nearly right, the best one within 3.5 "
            "times the tolerance; if that is precise enough, pass "
            "--tolerance=3.5");
  trials.push_back(makeTrial(Status::WrongResult));
  EXPECT_EQ(noteNarrowMisses(trials, 1), std::nullopt);
  trials.back() = makeTrial(Status::Ok);
  EXPECT_EQ(noteNarrowMisses(trials, 1), std::nullopt);
}
