//===- PtxasReportTest.cpp - The report of ptxas --------------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "baco/Device/Ptxas.h"

#include <gtest/gtest.h>

#include <chrono>
#include <csignal>
#include <cstdlib>
#include <fstream>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

using namespace baco;
using namespace baco::runtime;

static constexpr const char *report = R"(ptxas info    : 0 bytes gmem
ptxas info    : Compiling entry function 'first' for 'sm_90'
ptxas info    : Function properties for helper
    96 bytes stack frame, 5 bytes spill stores, 6 bytes spill loads
ptxas info    : Function properties for first
    8 bytes stack frame, 12 bytes spill stores, 20 bytes spill loads
ptxas info    : Used 168 registers, used 1 barriers, 8192 bytes smem, 384 bytes cmem[0]
ptxas info    : Compile time = 36.355 ms
ptxas info    : Compiling entry function 'second' for 'sm_90'
ptxas info    : Function properties for second
    0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads
ptxas info    : Used 8 registers, used 0 barriers
)";

TEST(PtxasReportTest, NumbersOfEachKernelAreRead) {
  auto kernels = parsePtxasReport(report);
  ASSERT_EQ(kernels.size(), 2u);
  EXPECT_EQ(kernels["first"], (KernelResources{168, 32, 8192, 8}));
  EXPECT_EQ(kernels["second"], (KernelResources{8, 0, 0, 0}));
  EXPECT_TRUE(parsePtxasReport("").empty());
  EXPECT_TRUE(
      parsePtxasReport(": Used 8 registers\n9 bytes stack frame").empty());
}

TEST(PtxasReportTest, TheFirstErrorIsFound) {
  EXPECT_EQ(findPtxasError("ptxas error   : Entry function 'big' uses too much "
                           "shared data (0x10000 bytes, 0xc000 max)\n"),
            "Entry function 'big' uses too much shared data (0x10000 bytes, "
            "0xc000 max)");
  EXPECT_EQ(
      findPtxasError("ptxas info    : 0 bytes gmem\n"
                     "ptxas /dev/stdin, line 1; fatal   : Missing .version\n"
                     "ptxas fatal   : Ptx assembly aborted due to errors\n"),
      "Missing .version");
  EXPECT_EQ(findPtxasError("\nKilled\n"), "Killed");
  EXPECT_EQ(findPtxasError(""), "");
}
