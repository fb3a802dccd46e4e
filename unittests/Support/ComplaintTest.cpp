//===- ComplaintTest.cpp - Errors that end what is under way --------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "baco/Support/Complaint.h"

#include <gtest/gtest.h>

using namespace baco;

static Result<int> halfOf(int number) {
  if (number % 2 != 0)
    return {ErrorCode::Corrupt, std::to_string(number) + " is odd"};
  return number / 2;
}

TEST(ComplaintTest, AValueGoesOn) {
  auto quarter = attempt([] { return need(halfOf(need(halfOf(12)))); });
  ASSERT_TRUE(quarter);
  EXPECT_EQ(*quarter, 3);
}

TEST(ComplaintTest, TheFirstErrorEndsIt) {
  int calls = 0;
  auto eighth = attempt([&] {
    int quarter = need(halfOf(need(halfOf(10))));
    ++calls;
    return need(halfOf(quarter));
  });
  ASSERT_FALSE(eighth);
  EXPECT_EQ(eighth.error().code, ErrorCode::Corrupt);
  EXPECT_EQ(eighth.error().message, "5 is odd");
  EXPECT_EQ(calls, 0);
}

TEST(ComplaintTest, AnErrorOfAnInputIsAMistakeThere) {
  auto read = attempt([] { return needInput(halfOf(7)); });
  ASSERT_FALSE(read);
  EXPECT_EQ(read.error().code, ErrorCode::InvalidArgument);
  EXPECT_EQ(read.error().message, "7 is odd");
  auto checked = attempt([] {
    need(Result<void>());
    need(Result<void>(ErrorCode::NotFound, "gone"));
  });
  ASSERT_FALSE(checked);
  EXPECT_EQ(checked.error().code, ErrorCode::NotFound);
  EXPECT_TRUE(attempt([] { need(Result<void>()); }));
}
