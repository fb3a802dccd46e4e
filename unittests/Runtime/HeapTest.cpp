//===- HeapTest.cpp - Tests of the heap that kernels find -----------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "baco/Verification/Heap.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <cstring>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>
#include <vector>

using namespace baco::runtime;

/// Allocates, writes and frees `count` blocks of `bytes`, and returns how many
/// pages the system gave for that.
static long pagesOf(size_t count, size_t bytes) {
  rusage before{}, after{};
  getrusage(RUSAGE_SELF, &before);
  std::vector<void *> blocks(count);
  for (void *&block : blocks) {
    block = std::malloc(bytes);
    std::memset(block, 1, bytes);
    // Keep the compiler from leaving it out.
    asm volatile("" : "+r"(block)::"memory");
  }
  for (void *block : blocks)
    std::free(block);
  getrusage(RUSAGE_SELF, &after);
  return after.ru_minflt - before.ru_minflt;
}

/// The exit code of `body` in a process of its own.
template <typename Body>
static int runApart(Body body) {
  pid_t child = fork();
  if (child == 0)
    _exit(body());
  int status = 0;
  waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

/// Leaves what a compiler leaves: high thresholds, free blocks between others,
/// and a free end.
static void useHeap() {
  pagesOf(1, 24 << 20);
  std::vector<void *> blocks;
  for (int i = 0; i < 16; ++i) {
    blocks.push_back(std::malloc(4 << 20));
    std::memset(blocks.back(), 1, 4 << 20);
    // Never freed.
    void *volatile wall = std::malloc(100);
    (void)wall;
  }
  for (void *block : blocks)
    std::free(block);
}

constexpr size_t count = 4, bytes = 3 << 20;
constexpr long allPages = count * bytes / 4096;

TEST(HeapTest, PagesOfBuffersAreFaultedInEachCall) {
  if (!canPoisonHeap)
    GTEST_SKIP() << "the heap is a sanitizer's";
  EXPECT_EQ(runApart([] {
              useHeap();
              pagesOf(count, bytes);
              return pagesOf(count, bytes) < allPages / 2 ? 0 : 1;
            }),
            0)
      << "a heap that was used a lot keeps them";
  EXPECT_EQ(runApart([] {
              useHeap();
              startHeapAnew();
              pagesOf(count, bytes);
              pagesOf(count, bytes);
              return pagesOf(count, bytes) > allPages / 2 ? 0 : 1;
            }),
            0)
      << "a new one gives them back";
}

/// The four blocks together are less than twice the one that was freed before.
TEST(HeapTest, ThresholdsGrowAsInANewProgram) {
  if (!canPoisonHeap)
    GTEST_SKIP() << "the heap is a sanitizer's";
  EXPECT_EQ(runApart([] {
              useHeap();
              startHeapAnew();
              pagesOf(1, 8 << 20);
              pagesOf(count, bytes);
              pagesOf(count, bytes);
              return pagesOf(count, bytes) < allPages / 10 ? 0 : 1;
            }),
            0);
}

/// A new process, to compare with.
TEST(HeapTest, ANewProgramGivesPagesBack) {
  if (!canPoisonHeap)
    GTEST_SKIP() << "the heap is a sanitizer's";
  EXPECT_EQ(runApart([] {
              const char *program = "/proc/self/exe";
              execl(program, program,
                    "--gtest_filter=HeapTest.DISABLED_InANewProgram",
                    "--gtest_also_run_disabled_tests", nullptr);
              return 1;
            }),
            0);
}

TEST(HeapTest, DISABLED_InANewProgram) {
  pagesOf(count, bytes);
  pagesOf(count, bytes);
  EXPECT_GT(pagesOf(count, bytes), allPages / 2);
  pagesOf(1, 8 << 20);
  pagesOf(count, bytes);
  pagesOf(count, bytes);
  EXPECT_LT(pagesOf(count, bytes), allPages / 10);
}
