//===- ResultTest.cpp - Tests of values or errors -------------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include <gtest/gtest.h>

#include "baco/Support/Result.h"

#include <memory>

using namespace baco;

static Result<int> half(int x) {
  if (x % 2)
    return {ErrorCode::InvalidArgument, std::to_string(x) + " is odd"};
  return x / 2;
}

TEST(ResultTest, HoldsAValue) {
  Result<int> result = half(6);
  ASSERT_TRUE(result);
  EXPECT_EQ(*result, 3);
}

TEST(ResultTest, HoldsAnError) {
  Result<int> result = half(7);
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().code, ErrorCode::InvalidArgument);
  EXPECT_EQ(result.error().message, "7 is odd");
}

TEST(ResultTest, MovesItsValueOut) {
  Result<std::unique_ptr<int>> result = std::make_unique<int>(4);
  ASSERT_TRUE(result);
  EXPECT_EQ(**result, 4);
  std::unique_ptr<int> owned = *std::move(result);
  EXPECT_EQ(*owned, 4);
}

TEST(ResultTest, SuccessWithoutValue) {
  Result<void> good;
  EXPECT_TRUE(good);
  Result<void> bad(ErrorCode::NotFound, "no such thing");
  ASSERT_FALSE(bad);
  EXPECT_EQ(bad.error().code, ErrorCode::NotFound);
  EXPECT_EQ(bad.error().message, "no such thing");
}
