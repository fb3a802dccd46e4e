//===- OutcomeTest.cpp - Tests of statuses --------------------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include <gtest/gtest.h>

#include "baco/Support/Outcome.h"

#include <set>

using namespace baco;

TEST(OutcomeTest, NamesRoundTrip) {
  std::set<std::string_view> names;
  for (int i = 0; i < numStatuses; ++i) {
    Status status = static_cast<Status>(i);
    EXPECT_EQ(parseStatus(statusName(status)), status);
    names.insert(statusName(status));
  }
  EXPECT_EQ(names.size(), size_t(numStatuses));
}

TEST(OutcomeTest, NamesInFiles) {
  EXPECT_EQ(statusName(Status::Ok), "ok");
  EXPECT_EQ(statusName(Status::TransformFailed), "transform-failed");
  EXPECT_EQ(statusName(Status::OutOfMemory), "out-of-memory");
  EXPECT_EQ(statusName(Status::WrongResult), "wrong-result");
  EXPECT_EQ(statusName(Status::Lost), "lost");
  EXPECT_EQ(statusName(Status::Cancelled), "cancelled");
}

TEST(OutcomeTest, WhatFails) {
  EXPECT_FALSE(isFailure(Status::Ok));
  EXPECT_FALSE(isFailure(Status::Cancelled));
  EXPECT_TRUE(isFailure(Status::Crashed));
  EXPECT_TRUE(isFailure(Status::Lost));
}

TEST(OutcomeTest, UnknownNames) {
  EXPECT_EQ(parseStatus(""), std::nullopt);
  EXPECT_EQ(parseStatus("OK"), std::nullopt);
  EXPECT_EQ(parseStatus("timed out"), std::nullopt);
}
