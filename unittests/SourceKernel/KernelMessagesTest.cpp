//===- KernelMessagesTest.cpp
//-----------------------------------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SourceKernel/KernelMessages.h"

#include <gtest/gtest.h>

using namespace baco;
using namespace baco::kernels;

TEST(KernelMessagesTest, RequestsComeBack) {
  LaunchPlan plan = {
      {{"N", "8"}, {"TYPE", "float"}}, {64, 2}, {8, 1}, {0, UINT64_MAX}};
  Result<KernelRequest> build =
      KernelRequest::decode(KernelRequest{plan}.encode());
  ASSERT_TRUE(build) << build.error().message;
  ASSERT_TRUE(build->plan);
  EXPECT_EQ(build->plan->macros, plan.macros);
  EXPECT_EQ(build->plan->global, plan.global);
  EXPECT_EQ(build->plan->local, plan.local);
  EXPECT_EQ(build->plan->values, plan.values);
  Result<KernelRequest> run =
      KernelRequest::decode(KernelRequest{std::nullopt, 7}.encode());
  ASSERT_TRUE(run);
  EXPECT_FALSE(run->plan);
  EXPECT_EQ(run->repeat, 7u);
  EXPECT_EQ(KernelRequest::decode("{\"run\": -1}").error().code,
            ErrorCode::Corrupt);
}

TEST(KernelMessagesTest, AnswersComeBack) {
  KernelAnswer sent;
  sent.failure = {Status::CompileFailed, "in \xff Latin-1", true};
  sent.times = {1.5, 2};
  sent.device = "a device";
  sent.code = ErrorCode::NotFound;
  Result<KernelAnswer> answer = KernelAnswer::decode(sent.encode());
  ASSERT_TRUE(answer) << answer.error().message;
  EXPECT_EQ(answer->failure.status, Status::CompileFailed);
  EXPECT_EQ(answer->failure.message.find("in "), 0u);
  EXPECT_TRUE(answer->failure.isSticky);
  EXPECT_EQ(answer->times, sent.times);
  EXPECT_EQ(answer->device, "a device");
  EXPECT_EQ(answer->code, ErrorCode::NotFound);
  EXPECT_EQ(KernelAnswer::decode("[]").error().code, ErrorCode::Corrupt);
}
