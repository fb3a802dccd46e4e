//===- PlainTimesTest.cpp - Tests of machines that are off ----------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Cluster/PlainTimes.h"

#include <gtest/gtest.h>

using namespace baco::cluster;

TEST(PlainTimesTest, TheMachineThatIsOffIsNamed) {
  EXPECT_TRUE(describePlainTimes({}).empty());
  EXPECT_TRUE(describePlainTimes({{"a", 100}}).empty());
  EXPECT_TRUE(describePlainTimes({{"a", 100}, {"b", 109}, {"c", 95}}).empty());
  auto lines = describePlainTimes({{"a", 100}, {"b", 150}, {"c", 95}});
  ASSERT_EQ(lines.size(), 1u);
  EXPECT_TRUE(lines[0].starts_with(
      "worker b is off: the plain kernel takes 150 % of the median time"))
      << lines[0];
}
