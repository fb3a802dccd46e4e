//===- WarpClockTest.cpp - How long a warp takes alone --------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "KernelWorkFixture.h"

#include <algorithm>

using namespace baco;
using namespace baco::target;

namespace {
class WarpClockTest : public KernelWorkTest {
protected:
  double time(const std::string &body) {
    return count(body, {.grid = {1, 1, 1}, .block = {32, 1, 1}}).latency;
  }
};
} // namespace

static constexpr double arithmetic = 4, shared = 25, global = 400;

/// A loop, one block, of `trips` iterations; `body` may use %i, and
/// `carried` are phis before it.
static std::string loopOf(int trips, const std::string &body,
                          const std::string &carried = "") {
  return "br label %loop\nloop:\n%i = phi i32 [ 0, %0 ], [ %j, %loop ]\n" +
         carried + body +
         "%j = add i32 %i, 1\n"
         "%goes = icmp ult i32 %j, " +
         std::to_string(trips) +
         "\nbr i1 %goes, label %loop, label %end\nend:\nret void";
}

/// `count` additions, each to the sum before.
static std::string chainOf(const std::string &first, int count) {
  std::string text, last = first;
  for (int i = 0; i < count; ++i) {
    std::string next = "%s" + std::to_string(i);
    text += next + " = fadd float " + last + ", 1.0\n";
    last = next;
  }
  return text;
}

// A chain in one block waits for each of its links. As a chain of the loop's
// iterations, it does, too; an iteration that starts anew is as long as its
// issue but for the last.
TEST_F(WarpClockTest, ChainsOverIterations) {
  constexpr int trips = 50, links = 8;
  std::string carried = "%s = phi float [ 0.0, %0 ], [ %s7, %loop ]\n";
  double chained = time(loopOf(trips, chainOf("%s", links), carried)),
         anew = time(loopOf(trips, chainOf("0.5", links)));
  EXPECT_NEAR(chained, trips * links * arithmetic, 2 * arithmetic + shared);
  // The last link of an iteration starts when seven are there.
  EXPECT_NEAR(anew, trips * (links - 1) * arithmetic, trips * 4.0);
  EXPECT_LT(anew, chained);
}

// A load whose value the same iteration needs makes the warp wait; one for the
// next iteration doesn't.
TEST_F(WarpClockTest, LoadsForTheNextIteration) {
  constexpr int trips = 40;
  std::string load =
      "%p = getelementptr float, ptr addrspace(3) @shared, i32 %i\n"
      "%v = load float, ptr addrspace(3) %p\n";
  std::string use = "store float %r, ptr addrspace(1) %a\n";
  double now = time(loopOf(trips, load + "%r = fadd float %v, 1.0\n" + use));
  double ahead = time(loopOf(trips, "%r = fadd float %w, 1.0\n" + load + use,
                             "%w = phi float [ 0.0, %0 ], [ %v, %loop ]\n"));
  EXPECT_GT(now, trips * (shared + arithmetic));
  EXPECT_LT(ahead, now);
}

/// A loop that, with `ahead` groups of copies under way, waits for the oldest.
static std::string copyLoop(int trips, int ahead) {
  std::string copy =
      "call void @llvm.nvvm.cp.async.ca.shared.global.4(ptr addrspace(3) "
      "@shared, ptr addrspace(1) %a)\n"
      "call void @llvm.nvvm.cp.async.commit.group()\n";
  std::string before;
  for (int i = 0; i < ahead; ++i)
    before += copy;
  return before +
         loopOf(trips, copy + "call void @llvm.nvvm.cp.async.wait.group(i32 " +
                           std::to_string(ahead) + ")\n");
}

// With n groups ahead, n + 1 iterations share one latency, until what the loop
// issues takes longer.
TEST_F(WarpClockTest, CopiesAhead) {
  constexpr int trips = 120;
  double alone = time(copyLoop(trips, 0));
  EXPECT_NEAR(alone, trips * global, trips * 3 * arithmetic);
  for (int ahead : {1, 3, 7})
    EXPECT_NEAR(time(copyLoop(trips, ahead)), alone / (ahead + 1),
                global + 0.02 * alone)
        << ahead;
}

// Nothing moves over a barrier, so that a loop whose iterations begin with one
// takes as long as the same code without the loop.
TEST_F(WarpClockTest, LoopsAreAsLongAsTheirCode) {
  constexpr int trips = 24;
  auto iteration = [](const std::string &n, const std::string &sum) {
    return "call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)\n"
           "%v" +
           n + " = load float, ptr addrspace(3) @shared\n%w" + n +
           " = fmul float %v" + n + ", 2.0\n%x" + n + " = fadd float %w" + n +
           ", " + sum + "\n";
  };
  std::string unrolled;
  for (int i = 0; i < trips; ++i)
    unrolled += iteration(std::to_string(i),
                          i == 0 ? "0.0" : "%x" + std::to_string(i - 1));
  unrolled += "ret void";
  double rolled = time(loopOf(trips, iteration("", "%s"),
                              "%s = phi float [ 0.0, %0 ], [ %x, %loop ]\n"));
  // Each iteration counts and branches.
  EXPECT_GE(rolled, time(unrolled));
  EXPECT_LE(rolled, time(unrolled) + trips * 3 * arithmetic);
}

// A block that runs in one of four iterations counts as a quarter.
TEST_F(WarpClockTest, BlocksThatRunSometimes) {
  auto time = [&](int bound) {
    return this->time(
        "br label %loop\nloop:\n%i = phi i32 [ 0, %0 ], [ %j, %latch ]\n"
        "%some = icmp ult i32 %i, " +
        std::to_string(bound) + "\nbr i1 %some, label %then, label %latch\n" +
        "then:\n" + chainOf("0.5", 100) +
        "store float %s99, ptr addrspace(1) %b\nbr label %latch\nlatch:\n"
        "%j = add i32 %i, 1\n%goes = icmp ult i32 %j, 80\n"
        "br i1 %goes, label %loop, label %end\nend:\nret void");
  };
  double never = time(0), sometimes = time(20), always = time(80);
  EXPECT_GT(always - never, 80 * 99 * arithmetic);
  EXPECT_NEAR(sometimes - never, (always - never) / 4, 0.01 * always);
}

// Two nested loops are one after another.
TEST_F(WarpClockTest, NestedLoops) {
  auto nest = [&](int outer, int inner) {
    return time("br label %outer\nouter:\n%o = phi i32 [ 0, %0 ], [ %n, "
                "%latch ]\nbr label %inner\ninner:\n"
                "%i = phi i32 [ 0, %outer ], [ %j, %inner ]\n"
                "%s = phi float [ 0.0, %outer ], [ %s4, %inner ]\n" +
                chainOf("%s", 5) +
                "%j = add i32 %i, 1\n%c = icmp ult i32 %j, " +
                std::to_string(inner) +
                "\nbr i1 %c, label %inner, label %latch\nlatch:\n"
                "store float %s4, ptr addrspace(1) %b\n"
                "%n = add i32 %o, 1\n%d = icmp ult i32 %n, " +
                std::to_string(outer) +
                "\nbr i1 %d, label %outer, label %end\nend:\nret void");
  };
  EXPECT_NEAR(nest(30, 20), 30 * 20 * 5 * arithmetic, 30 * 4 * arithmetic);
  EXPECT_NEAR(nest(60, 20), 2 * nest(30, 20), 0.01 * nest(60, 20));
}
