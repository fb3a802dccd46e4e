//===- KernelDetailsTest.cpp - Tests of details in metadata ---------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "baco/Database/KernelDetails.h"

#include <gtest/gtest.h>

using namespace baco::database;

static std::optional<KernelDetails> read(const std::string &kernel) {
  return readKernelDetails(R"({"optimizer":"baco","kernel":)" + kernel + "}");
}

TEST(KernelDetailsTest, ReadsWhatItWrites) {
  KernelDetails details{
      .calls = 3,
      .flops = 1e6,
      .bytes = 4096,
      .flopsPerS = 5e10,
      .bytesPerS = 2e10,
      .countsIntegers = true,
      .threads = 2,
      .listings = {{std::nullopt, "ret\n"},
                   {7, "jne\xff", baco::TimeShares{0.5, 0.25, 0.25}}}};
  std::optional<KernelDetails> same = read(details.write());
  ASSERT_TRUE(same);
  EXPECT_EQ(same->calls, 3);
  EXPECT_EQ(same->flops, 1e6);
  EXPECT_EQ(same->bytes, 4096);
  EXPECT_EQ(same->flopsPerS, 5e10);
  EXPECT_EQ(same->bytesPerS, 2e10);
  EXPECT_TRUE(same->countsIntegers);
  EXPECT_EQ(same->threads, 2u);
  ASSERT_EQ(same->listings.size(), 2u);
  EXPECT_FALSE(same->listings[0].trial);
  EXPECT_EQ(same->listings[1].trial, 7u);
  EXPECT_FALSE(same->listings[0].shares);
  EXPECT_EQ(same->listings[1].shares, (baco::TimeShares{0.5, 0.25, 0.25}));
  // What isn't UTF-8 is replaced.
  EXPECT_EQ(same->listings[1].text, "jne\xef\xbf\xbd");
}

TEST(KernelDetailsTest, TheSlowerPartIsTheBound) {
  KernelDetails details{
      .flops = 100, .bytes = 50, .flopsPerS = 1e9, .bytesPerS = 1e9};
  EXPECT_EQ(details.bound()->ns, 100);
  EXPECT_EQ(details.bound()->kind, BoundKind::Computing);
  details.bytesPerS = 1e8;
  EXPECT_EQ(details.bound()->ns, 500);
  EXPECT_EQ(details.bound()->kind, BoundKind::Memory);
  details.bytes.reset();
  EXPECT_EQ(details.bound()->kind, BoundKind::Computing);
  details.flopsPerS.reset();
  EXPECT_FALSE(details.bound());
}

TEST(KernelDetailsTest, OtherFormsAreUnknown) {
  for (const char *text :
       {"", "[]", "{}", "{\"kernel\":3}", "{\"kernel\":null}"})
    EXPECT_FALSE(readKernelDetails(text)) << text;
  std::optional<KernelDetails> details =
      read(R"({"calls":"3","flops":-1,"bytes":0,"flops_per_s":[1],
               "threads":-2,"listings":[3,{"text":3},{"text":"nop"}]})");
  ASSERT_TRUE(details);
  EXPECT_FALSE(details->calls);
  EXPECT_FALSE(details->flops);
  EXPECT_FALSE(details->bytes);
  EXPECT_EQ(details->threads, 1u);
  ASSERT_EQ(details->listings.size(), 1u);
  EXPECT_EQ(details->listings[0].text, "nop");
  for (const char *shares : {"3", "{}", R"({"computing":1,"moving":0})",
                             R"({"computing":"1","moving":0,"elsewhere":0})",
                             R"({"computing":-1,"moving":1,"elsewhere":1})",
                             R"({"computing":2,"moving":0,"elsewhere":0})"}) {
    details = read(R"({"listings":[{"text":"nop","shares":)" +
                   std::string(shares) + "}]}");
    ASSERT_TRUE(details) << shares;
    EXPECT_FALSE(details->listings[0].shares) << shares;
  }
}
