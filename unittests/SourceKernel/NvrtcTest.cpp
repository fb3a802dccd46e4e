//===- NvrtcTest.cpp ------------------------------------------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The compiler is FakeNvrtc.cpp.
//
//===----------------------------------------------------------------------===//

#include "baco/Device/Nvrtc.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

using namespace baco;
using namespace baco::runtime;
using testing::HasSubstr;

TEST(NvrtcTest, LibraryIsMissing) {
  Result<Nvrtc> compiler = Nvrtc::load("libNoNvrtc.so");
  ASSERT_FALSE(compiler);
  EXPECT_EQ(compiler.error().code, ErrorCode::NotFound);
  EXPECT_THAT(compiler.error().message,
              HasSubstr("there is no NVRTC (libNoNvrtc.so: "));
}

TEST(NvrtcTest, LibraryIsAnother) {
  Result<Nvrtc> compiler = Nvrtc::load("libm.so.6");
  ASSERT_FALSE(compiler);
  EXPECT_EQ(compiler.error().code, ErrorCode::Unsupported);
  EXPECT_THAT(compiler.error().message, HasSubstr("nvrtcGetErrorString"));
}

TEST(NvrtcTest, Compiles) {
  Result<Nvrtc> compiler = Nvrtc::load(BACO_FAKE_NVRTC);
  ASSERT_TRUE(compiler) << compiler.error().message;
  const std::vector<std::string> options = {"--gpu-architecture=compute_80"};
  Result<Nvrtc::Code> code = compiler->compile(
      "extern \"C\" __global__ void one(int *x) { *x = 1; }", "one", options);
  ASSERT_TRUE(code) << code.error().message;
  EXPECT_EQ(code->kernel, "one");
  EXPECT_THAT(code->ptx, HasSubstr(".target sm_80"));
  EXPECT_THAT(code->ptx, HasSubstr(".entry one("));
  code = compiler->compile("#line 1 \"a.cu\"\nint x = y;\n", "one", options);
  ASSERT_FALSE(code);
  EXPECT_THAT(code.error().message, HasSubstr("a.cu:1:9: error: "));
}
