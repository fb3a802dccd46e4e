//===- CompilerLogTest.cpp
//--------------------------------------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "baco/Device/CompilerLog.h"

#include <gtest/gtest.h>

using namespace baco::runtime;

TEST(CompilerLogTest, TheFirstErrorCounts) {
  EXPECT_EQ(firstError("\na.cl:1:1: warning: odd\r\na.cl:2:3: error: bad\n"
                       "a.cl:4:4: error: worse\n"),
            "a.cl:2:3: error: bad");
}

TEST(CompilerLogTest, OrElseTheFirstLine) {
  EXPECT_EQ(firstError("  \n\nld: no memory\nmore"), "ld: no memory");
  EXPECT_EQ(firstError(""), "");
  EXPECT_EQ(firstError(std::string_view("\0\n", 2)), "");
}
