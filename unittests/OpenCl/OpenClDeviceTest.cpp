//===- OpenClDeviceTest.cpp - A device of OpenCL --------------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "baco/Device/OpenClDevice.h"

#include "OpenClTesting.h"

#include <cmath>
#include <cstring>
#include <numeric>

using namespace baco;
using namespace baco::runtime;
using namespace baco::runtime::test;

namespace {
/// y[i] += a * x[i], with arguments as `baco-lower-to-opencl` writes them.
constexpr const char *axpy = R"(
__kernel void axpy(__global uchar *x, ulong xBytes, __global uchar *y, ulong yBytes,
                   ulong a) {
  __local float copy[64];
  const size_t i = get_global_id(0);
  copy[get_local_id(0)] = ((__global float *)(x + xBytes))[i];
  barrier(CLK_LOCAL_MEM_FENCE);
  ((__global float *)(y + yBytes))[i] += as_float((uint)a) * copy[get_local_id(0)];
}
)";

class OpenClDeviceTest : public PoclTest {
protected:
  void SetUp() override {
    PoclTest::SetUp();
    if (HasFatalFailure() || IsSkipped())
      return;
    auto opened = OpenClDevice::open("");
    ASSERT_TRUE(opened) << opened.error().message;
    device = std::move(*opened);
  }

  /// The message of what must fail.
  static std::string messageOf(const std::optional<DeviceFailure> &failure,
                               Status status) {
    if (!failure)
      return "it didn't fail";
    EXPECT_EQ(failure->status, status);
    return failure->message;
  }

  std::unique_ptr<OpenClDevice> device;
};
} // namespace

TEST_F(OpenClDeviceTest, LimitsAreTheDevices) {
  auto asked = describeOpenClDevice("");
  ASSERT_TRUE(asked) << asked.error().message;
  const OpenClDeviceFacts &facts = device->facts();
  EXPECT_EQ(asked->name, facts.name);
  EXPECT_EQ(asked->version, facts.version);
  EXPECT_EQ(asked->threads, facts.threads);
  EXPECT_EQ(asked->items, facts.items);
  EXPECT_EQ(asked->localBytes, facts.localBytes);
  EXPECT_EQ(asked->units, facts.units);
  EXPECT_EQ(asked->doubles, facts.doubles);
  EXPECT_EQ(asked->cacheBytes, facts.cacheBytes);
  EXPECT_GT(facts.threads, 0u);
  EXPECT_GT(facts.localBytes, 0u);
  EXPECT_NE(device->identity().text.find(facts.name), std::string::npos);
}

TEST_F(OpenClDeviceTest, UnknownDeviceIsOneLine) {
  auto asked = describeOpenClDevice("no such device");
  ASSERT_FALSE(asked);
  EXPECT_EQ(asked.error().code, ErrorCode::NotFound);
  EXPECT_EQ(asked.error().message.find('\n'), std::string::npos);
  EXPECT_NE(asked.error().message.find("'no such device'"), std::string::npos);
  auto library = describeOpenClDevice("", "libNoSuchOpenCL.so.1");
  ASSERT_FALSE(library);
  EXPECT_EQ(library.error().code, ErrorCode::NotFound);
}

TEST_F(OpenClDeviceTest, KernelsGetPartsOfBuffers) {
  constexpr size_t count = 256, shift = 64;
  std::vector<float> x(count + shift), y(count), got(count);
  std::iota(x.begin(), x.end(), 1.0F);
  std::iota(y.begin(), y.end(), -7.0F);
  DeviceAddress atX = 0, atY = 0;
  ASSERT_FALSE(device->allocate(x.size() * sizeof(float), atX));
  ASSERT_FALSE(device->allocate(y.size() * sizeof(float), atY));
  ASSERT_FALSE(device->write(atX, x.data(), x.size() * sizeof(float)));
  ASSERT_FALSE(device->write(atY, y.data(), y.size() * sizeof(float)));
  void *module = nullptr;
  ASSERT_FALSE(device->load(axpy, module));
  DeviceKernel kernel;
  ASSERT_FALSE(device->find(module, "axpy", 0, kernel));
  EXPECT_EQ(kernel.facts.sharedBytes, 256);
  float factor = 0.5F;
  LaunchOperand scalar;
  std::memcpy(&scalar.word, &factor, sizeof factor);
  LaunchSizes sizes;
  sizes.grid[0] = count / 64;
  sizes.block[0] = 64;
  ASSERT_FALSE(device->startTiming());
  ASSERT_FALSE(device->enqueue(
      kernel, sizes,
      {{true, atX + shift * sizeof(float)}, {true, atY}, scalar}));
  float milliseconds = 0;
  ASSERT_FALSE(device->stopTiming(milliseconds));
  EXPECT_GT(milliseconds, 0);
  ASSERT_FALSE(device->read(got.data(), atY, got.size() * sizeof(float)));
  for (size_t i = 0; i < count; ++i)
    EXPECT_EQ(got[i], y[i] + factor * x[i + shift]) << i;
  ASSERT_FALSE(device->fill(atY + 4, 0xff, 8));
  ASSERT_FALSE(device->read(got.data(), atY, got.size() * sizeof(float)));
  EXPECT_EQ(got[0], y[0] + factor * x[shift]);
  EXPECT_TRUE(std::isnan(got[1]) && std::isnan(got[2]));
  EXPECT_FALSE(std::isnan(got[3]));
  device->unload(module);
  device->free(atX);
}

TEST_F(OpenClDeviceTest, FailuresAreOneLineWithTheReason) {
  void *module = nullptr;
  std::string message =
      messageOf(device->load("__kernel void f() { unknown(); }\n", module),
                Status::CompileFailed);
  EXPECT_EQ(message.find("clBuildProgram: CL_BUILD_PROGRAM_FAILURE: error:"),
            0u)
      << message;
  EXPECT_EQ(message.find('\n'), std::string::npos);
  ASSERT_FALSE(device->load(axpy, module));
  DeviceKernel kernel;
  EXPECT_EQ(messageOf(device->find(module, "other", 0, kernel),
                      Status::CompileFailed),
            "the source has no kernel 'other'; its kernels are: axpy");
  ASSERT_FALSE(device->find(module, "axpy", 0, kernel));
  LaunchSizes sizes;
  sizes.block[0] = static_cast<unsigned>(device->facts().threads) * 2;
  DeviceAddress memory = 0;
  ASSERT_FALSE(device->allocate(16, memory));
  EXPECT_EQ(messageOf(device->enqueue(kernel, sizes,
                                      {{true, memory}, {true, memory}, {}}),
                      Status::LaunchFailed)
                .find("clEnqueueNDRangeKernel: CL_INVALID_WORK_"),
            0u);
  std::string large = "__kernel void g(__global int *x) { __local int a[" +
                      std::to_string(device->facts().localBytes) +
                      "]; a[get_local_id(0)] = 1; barrier(1); x[0] = a[1]; }";
  ASSERT_FALSE(device->load(large, module));
  EXPECT_NE(messageOf(device->find(module, "g", 0, kernel), Status::OutOfMemory)
                .find("bytes of local memory, but the device has"),
            std::string::npos);
}

TEST_F(OpenClDeviceTest, MemoryReaderReads) {
  MemoryReader reader = device->memoryReader();
  void *module = nullptr;
  ASSERT_FALSE(device->load(reader.program, module));
  DeviceKernel kernel;
  ASSERT_FALSE(device->find(module, reader.kernel, 0, kernel));
  DeviceAddress memory = 0;
  ASSERT_FALSE(device->allocate(2 * 16 * 256, memory));
  LaunchSizes sizes;
  sizes.grid[0] = 2;
  sizes.block[0] = 256;
  ASSERT_FALSE(device->startTiming());
  ASSERT_FALSE(device->enqueue(kernel, sizes, {{true, memory}}));
  float milliseconds = 0;
  EXPECT_FALSE(device->stopTiming(milliseconds));
}
