//===- SubtleCandidatesTest.cpp - Candidates that are nearly right --------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Each candidate of unittests/Runtime/SubtleCandidates.cpp that is wrong must
// be noticed, and what is right must not be.
//
//===----------------------------------------------------------------------===//

#include "SubtleCandidates.h"
#include "WorkerFixture.h"

#include "baco/Support/Sanitizer.h"
#include "baco/Verification/Heap.h"

#include <set>

using namespace baco;
using namespace baco::test;

namespace {
class SubtleCandidatesTest
    : public WorkerTest,
      public testing::WithParamInterface<runtime::ElementType> {
protected:
  /// The names of those that are right and refused, or wrong and not noticed;
  /// of all but the second and third size of what is unwritten if `areFew`.
  std::set<std::string> misjudged(const std::string &plain, bool areFew) {
    std::set<std::string> names;
    measure::WorkerOptions options = makeOptions();
    options.text =
        "subtle=" + std::string(runtime::elementTypeName(GetParam())) + "," +
        plain;
    auto worker = startWorker(options);
    if (!worker)
      return {"set-up"};
    for (const auto &[name, kernel] : subtleKernels(GetParam())) {
      if (areFew && (name.ends_with("-16") || name.ends_with("-300")))
        continue;
      Outcome outcome = evaluate(*worker, name);
      Status wanted = name.starts_with("right") ? Status::Ok
                      : name.starts_with("wrong-loads-al")
                          ? Status::Crashed
                          : Status::WrongResult;
      if (outcome.status != wanted)
        names.insert(name);
    }
    return names;
  }
};
} // namespace

using Names = std::set<std::string>;

TEST_P(SubtleCandidatesTest, WhatIsWrongIsNoticed) {
  if (!runtime::canPoisonHeap || isAddressSanitized)
    GTEST_SKIP() << "a sanitizer has its own stack and allocator";
  int wrong = 0, unwritten = 0;
  for (const auto &[name, kernel] : subtleKernels(GetParam())) {
    wrong += name.starts_with("wrong-");
    unwritten += name.starts_with("unwritten-");
  }
  EXPECT_GE(wrong, 24);
  EXPECT_GE(unwritten, 48);
  EXPECT_EQ(misjudged("right", /*areFew=*/false), Names());
}

TEST_P(SubtleCandidatesTest, KernelsThatTakeLongerGetFewerChecks) {
  if (!runtime::canPoisonHeap || isAddressSanitized)
    GTEST_SKIP() << "a sanitizer has its own stack and allocator";
  // The largest number is for kernels that take no time.
  EXPECT_EQ(misjudged("right-slow", /*areFew=*/true), Names{"wrong-largest"});
}

INSTANTIATE_TEST_SUITE_P(Types, SubtleCandidatesTest,
                         testing::Values(runtime::ElementType::F32,
                                         runtime::ElementType::F64),
                         [](const auto &info) {
                           return std::string(
                               runtime::elementTypeName(info.param));
                         });
