//===- ContextTest.cpp - Limits on what isl does --------------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "baco/Polyhedral/Context.h"

#include "TestPrograms.h"
#include "baco/LoopPlanner/LoopPlan.h"
#include "baco/Polyhedral/LoopSchedule.h"
#include "baco/Support/StopScope.h"

#include <gtest/gtest.h>

// Where isl is stopped, what it worked on stays allocated.
extern "C" const char *__lsan_default_suppressions() {
  return "leak:isl_malloc_or_die\nleak:isl_calloc_or_die\n"
         "leak:isl_realloc_or_die\nleak:isl_ctx_alloc\n"
         "leak:strdup\n";
}

using namespace baco;
using namespace baco::polyhedral;
using namespace baco::polyhedral::test;

/// What it takes to plan a stencil.
static uint64_t workOfPlan() {
  Context context;
  EXPECT_TRUE(planLoops(seidel2d(context, "20", "100"), {}));
  return context.work();
}

TEST(ContextTest, CountsTheSameEachTime) {
  uint64_t work = workOfPlan();
  EXPECT_GT(work, 1000u);
  EXPECT_EQ(work, workOfPlan());
}

TEST(ContextTest, StopsPlansThatTakeTooMuch) {
  uint64_t work = workOfPlan();
  for (uint64_t part : {2, 3, 7}) {
    Context context(work / part);
    Program program = seidel2d(context, "20", "100");
    Result<LoopPlan> plan = planLoops(program, {});
    ASSERT_FALSE(plan);
    EXPECT_EQ(plan.error().code, ErrorCode::TimedOut);
    EXPECT_EQ(plan.error().message.find("the loop nest is too complex"), 0u);
    // It stays so.
    EXPECT_FALSE(LoopSchedule::create(program));
  }
}

TEST(ContextTest, GivesBackWhatWasLeftBefore) {
  Context outer(100'000'000);
  uint64_t before = outer.work();
  {
    Context inner(1000);
    EXPECT_THROW(seidel2d(inner, "20", "100"), TooMuchWork);
  }
  EXPECT_EQ(outer.work(), before);
  EXPECT_TRUE(LoopSchedule::create(seidel2d(outer, "20", "100")));
}

TEST(ContextTest, StopsOnRequest) {
  std::atomic<bool> stop = false;
  StopScope scope(&stop);
  Context context;
  Program program = seidel2d(context, "20", "100");
  EXPECT_TRUE(LoopSchedule::create(program));
  EXPECT_FALSE(StopScope::isStopped());
  stop = true;
  EXPECT_TRUE(StopScope::isStopped());
  EXPECT_THROW(while (true)
                   seidel2d(context, "20", "100"), // for more than a slice
               TooMuchWork);
  // At once, where nothing has begun.
  Context other;
  EXPECT_THROW(seidel2d(other, "20", "100"), TooMuchWork);
  {
    StopScope none(nullptr);
    Context third;
    EXPECT_TRUE(LoopSchedule::create(seidel2d(third, "20", "100")));
  }
}

// isl counts a step in a linear program as one, whatever the size of that.
TEST(ContextTest, StopsLargeLinearPrograms) {
  std::string dims, bounds;
  for (int d = 0; d < 80; ++d) {
    std::string name = "i" + std::to_string(d);
    dims += (d ? ", " : "") + name;
    bounds += (d ? " and 0 <= " : "0 <= ") + name +
              (d ? " <= i" + std::to_string(d - 1) : " <= 9");
  }
  Context context(1'000'000);
  EXPECT_THROW(
      {
        isl::set set(context.get(), "{ [" + dims + "] : " + bounds + " }");
        set.lexmax();
      },
      TooMuchWork);
}
