//===- OpenClTesting.h - Tests with PoCL ------------------------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BACO_UNITTESTS_OPENCL_OPENCLTESTING_H
#define BACO_UNITTESTS_OPENCL_OPENCLTESTING_H

#include "baco/Device/OpenClDriver.h"

#include <cstdlib>

#include <gtest/gtest.h>

namespace baco::runtime::test {

/// The platform of Debian's package pocl-opencl-icd.
inline constexpr const char *pocl = "portable computing";

/// Skips a test where there is no PoCL; in CI, it fails.
class PoclTest : public testing::Test {
protected:
  void SetUp() override {
    Result<OpenClApi> loaded = OpenClApi::load();
    if (loaded && findOpenClDevice(*loaded, pocl, "")) {
      api = *loaded;
      return;
    }
    if (std::getenv("BACO_REQUIRE_ALL"))
      FAIL() << "pocl-opencl-icd is missing, and BACO_REQUIRE_ALL is set";
    GTEST_SKIP() << "pocl-opencl-icd is missing";
  }

  OpenClApi api = {};
};

} // namespace baco::runtime::test

#endif // BACO_UNITTESTS_OPENCL_OPENCLTESTING_H
