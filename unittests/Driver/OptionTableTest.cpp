//===- OptionTableTest.cpp - Tests of the options of driver and pass ------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "baco/Driver/OptionTable.h"
#include "baco/Transforms/Passes.h"

#include <gtest/gtest.h>

using namespace baco;
using namespace baco::driver;

/// A value as MLIR prints it in a pipeline.
static std::string print(OptionMember member) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  std::visit(
      [&](auto *value) {
        if constexpr (std::is_same_v<decltype(value), bool *>)
          stream << (*value ? "true" : "false");
        else
          stream << *value;
      },
      member);
  return text;
}

/// The defaults of TuneOptions.td, which the pass has, are those of the
/// members, which the driver has.
TEST(OptionTableTest, DefaultsAreThoseOfTheMembers) {
  std::string pipeline;
  llvm::raw_string_ostream stream(pipeline);
  baco::createAutotunePass()->printAsTextualPipeline(stream);
  OptionValues values;
  for (const TuneOption &row : tuneOptions()) {
    std::string option = row.argument.str() + "=" + print(row.member(values));
    EXPECT_TRUE(pipeline.find("{" + option) != std::string::npos ||
                pipeline.find(" " + option + " ") != std::string::npos ||
                pipeline.find(" " + option + "}") != std::string::npos)
        << option << " isn't in " << pipeline;
  }
  EXPECT_TRUE(values.complete(/*isBudgetGiven=*/false));
  EXPECT_TRUE(values.tuning.validate());
}

TEST(OptionTableTest, BudgetIsOpenWhereAConditionEndsTheSearch) {
  OptionValues values;
  values.tuning.stop = "duration(1s)";
  EXPECT_TRUE(values.complete(/*isBudgetGiven=*/false));
  EXPECT_EQ(values.tuning.budget, UINT64_MAX);
  EXPECT_TRUE(values.tuning.isBudgetPerKernel);

  values = {};
  values.tuning.stop = "duration(1s)";
  values.tuning.budget = 7;
  EXPECT_TRUE(values.complete(/*isBudgetGiven=*/true));
  EXPECT_EQ(values.tuning.budget, 7u);
  EXPECT_FALSE(values.tuning.isBudgetPerKernel);
}

TEST(OptionTableTest, SharesAndLibrariesAreRead) {
  OptionValues values;
  values.share = " 95 %";
  values.sharedLibs = "a.so,, /b/c.so";
  EXPECT_TRUE(values.complete(/*isBudgetGiven=*/true));
  EXPECT_DOUBLE_EQ(values.tuning.share, 0.95);
  EXPECT_EQ(values.tuning.sharedLibs,
            (std::vector<std::string>{"a.so", "/b/c.so"}));
  for (const char *wrong : {"", "%", "0", "-5%", "100.1", "nan", "inf"}) {
    values.share = wrong;
    EXPECT_FALSE(values.complete(/*isBudgetGiven=*/true)) << wrong;
  }
}

TEST(OptionTableTest, CachesAreRead) {
  OptionValues values;
  values.caches = "flushed";
  EXPECT_TRUE(values.complete(/*isBudgetGiven=*/true));
  EXPECT_EQ(values.tuning.measure.timing.caches, runtime::Caches::Flushed);
  values.caches = "warm";
  Result<void> done = values.complete(/*isBudgetGiven=*/true);
  ASSERT_FALSE(done);
  EXPECT_EQ(done.error().message,
            "caches must be hot or flushed, but is 'warm'");
}
