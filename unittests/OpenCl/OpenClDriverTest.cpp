//===- OpenClDriverTest.cpp -----------------------------------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "OpenClTesting.h"

#include <gmock/gmock.h>

using namespace baco;
using namespace baco::runtime;
using namespace baco::runtime::test;
using testing::HasSubstr;

// Threads of PoCL may still compile a kernel for larger groups when the process
// ends, and then nobody has what they allocated.
// NOLINTBEGIN(readability-identifier-naming): the sanitizer's own name.
extern "C" const char *__lsan_default_suppressions();
extern "C" const char *__lsan_default_suppressions() {
  return "leak:libpocl\nleak:libLLVM\n";
}
// NOLINTEND(readability-identifier-naming)

TEST(OpenClDriverTest, LoaderIsMissing) {
  Result<OpenClApi> api = OpenClApi::load("libNoOpenCL.so.1");
  ASSERT_FALSE(api);
  EXPECT_EQ(api.error().code, ErrorCode::NotFound);
  EXPECT_THAT(api.error().message, HasSubstr("libNoOpenCL.so.1"));
  EXPECT_THAT(api.error().message, HasSubstr("ocl-icd-libopencl1"));
  EXPECT_EQ(api.error().message.find('\n'), std::string::npos);
}

TEST(OpenClDriverTest, LibraryIsNoLoader) {
  Result<OpenClApi> api = OpenClApi::load("libm.so.6");
  ASSERT_FALSE(api);
  EXPECT_EQ(api.error().code, ErrorCode::Unsupported);
  EXPECT_THAT(api.error().message,
              HasSubstr("libm.so.6 has no clGetPlatformIDs"));
}

TEST(OpenClDriverTest, ErrorsHaveNames) {
  EXPECT_EQ(nameOfClError(-5), "CL_OUT_OF_RESOURCES");
  EXPECT_EQ(nameOfClError(-63), "CL_INVALID_GLOBAL_WORK_SIZE");
  EXPECT_EQ(nameOfClError(-9999), "error -9999");
}

TEST_F(PoclTest, DevicesAreFoundByParts) {
  Result<OpenClDeviceName> any = findOpenClDevice(api, "", "");
  ASSERT_TRUE(any) << any.error().message;
  Result<OpenClDeviceName> found =
      findOpenClDevice(api, "PORTABLE computing", "pthread");
  ASSERT_TRUE(found) << found.error().message;
  EXPECT_EQ(found->platformName, "Portable Computing Language");
  EXPECT_THAT(found->deviceName, HasSubstr("pthread"));
  EXPECT_THAT(found->version, HasSubstr("OpenCL"));
  EXPECT_FALSE(found->driver.empty());
}

TEST_F(PoclTest, UnknownDevice) {
  Result<OpenClDeviceName> found = findOpenClDevice(api, pocl, "teapot");
  ASSERT_FALSE(found);
  EXPECT_EQ(found.error().code, ErrorCode::NotFound);
  EXPECT_THAT(found.error().message,
              HasSubstr("there is no OpenCL device 'teapot' on a platform "
                        "'portable computing'; there is '"));
  EXPECT_THAT(found.error().message,
              HasSubstr("of platform 'Portable Computing Language'"));
}
