//===- FakeDriver.cpp - A driver without a GPU, for tests -----------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The functions of libcuda.so.1 that baco calls. What is loaded as PTX is a
// word that says how the kernel behaves: `right` computes C += A B for matrices
// of 64 x 64, `wrong` changes an element of that, the others fail. A launch
// takes as many milliseconds as its grid has blocks along x.
//
//===----------------------------------------------------------------------===//

#include <cstdlib>
#include <cstring>
#include <string>
#include <unistd.h>
#include <vector>

namespace {
constexpr int size = 64;
constexpr int invalidValue = 1, noDevice = 100, invalidPtx = 218,
              illegalAddress = 700, outOfResources = 701;
std::string behavior;
/// What all calls return once a kernel has faulted.
int broken = 0;
bool willFault = false;
float elapsed = 0;
unsigned dynamicLimit = 48 * 1024;

void multiply(const float *a, const float *b, float *c) {
  for (int i = 0; i < size; ++i)
    for (int k = 0; k < size; ++k)
      for (int j = 0; j < size; ++j)
        c[i * size + j] += a[i * size + k] * b[k * size + j];
}
} // namespace

using Address = unsigned long long;

// The names are those of the driver.
// NOLINTBEGIN(readability-identifier-naming)
extern "C" {
int cuInit(unsigned) { return std::getenv("FAKE_NO_DEVICE") ? noDevice : 0; }
int cuDriverGetVersion(int *version) {
  *version = 13000;
  return 0;
}
int cuGetErrorName(int code, const char **name) {
  *name = code == invalidPtx       ? "CUDA_ERROR_INVALID_PTX"
          : code == illegalAddress ? "CUDA_ERROR_ILLEGAL_ADDRESS"
          : code == outOfResources ? "CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES"
          : code == invalidValue   ? "CUDA_ERROR_INVALID_VALUE"
                                   : nullptr;
  return *name ? 0 : invalidValue;
}
int cuDeviceGetCount(int *count) {
  *count = 1;
  return 0;
}
int cuDeviceGet(int *device, int index) {
  *device = index;
  return 0;
}
int cuDeviceGetName(char *name, int length, int) {
  std::strncpy(name, "Fake GPU", length);
  return 0;
}
int cuDeviceGetAttribute(int *value, int attribute, int) {
  *value = attribute == 75 ? 9 : attribute == 76 ? 0 : 1000;
  return 0;
}
int cuDevicePrimaryCtxRetain(void **context, int) {
  *context = &broken;
  return 0;
}
int cuDevicePrimaryCtxRelease_v2(int) { return 0; }
int cuCtxSetCurrent(void *) { return 0; }
int cuCtxSynchronize() {
  if (behavior == "hang")
    for (;;)
      pause();
  if (behavior == "crash")
    std::abort();
  if (willFault)
    broken = illegalAddress;
  return broken;
}
int cuMemAlloc_v2(Address *address, size_t bytes) {
  *address = reinterpret_cast<Address>(std::malloc(bytes));
  return broken;
}
int cuMemcpyHtoD_v2(Address to, const void *from, size_t bytes) {
  std::memcpy(reinterpret_cast<void *>(to), from, bytes);
  return broken;
}
int cuMemcpyDtoH_v2(void *to, Address from, size_t bytes) {
  std::memcpy(to, reinterpret_cast<void *>(from), bytes);
  return broken;
}
int cuModuleLoadDataEx(void **module, const void *image, unsigned count,
                       int *options, void **values) {
  behavior = static_cast<const char *>(image);
  while (!behavior.empty() && behavior.back() == '\n')
    behavior.pop_back();
  *module = &behavior;
  dynamicLimit = 48 * 1024;
  if (behavior != "refused")
    return broken;
  for (unsigned i = 0; i < count; ++i)
    if (options[i] == 5)
      std::strcpy(static_cast<char *>(values[i]),
                  "ptxas fatal : too much shared data\nmore lines");
  return invalidPtx;
}
int cuModuleUnload(void *) { return broken; }
int cuModuleGetFunction(void **function, void *, const char *) {
  *function = &behavior;
  return broken;
}
int cuFuncGetAttribute(int *value, int attribute, void *) {
  *value = attribute == 4 ? 62 : attribute == 3 ? 8 : 4096;
  return broken;
}
int cuFuncSetAttribute(void *, int attribute, int value) {
  if (attribute != 8 || value > 232448)
    return invalidValue;
  dynamicLimit = value;
  return broken;
}
int cuLaunchKernel(void *, unsigned gridX, unsigned, unsigned, unsigned blockX,
                   unsigned blockY, unsigned, unsigned shared, void *,
                   void **arguments, void **) {
  if (shared > dynamicLimit)
    return invalidValue;
  if (blockX * blockY > 1024)
    return outOfResources;
  willFault = behavior == "fault";
  elapsed = static_cast<float>(gridX);
  auto at = [&](int index) {
    return reinterpret_cast<float *>(*static_cast<Address *>(arguments[index]));
  };
  if (behavior == "right" || behavior == "wrong")
    multiply(at(0), at(1), at(2));
  if (behavior == "wrong")
    at(2)[5 * size + 7] += 0.015625f;
  return broken;
}
int cuEventCreate(void **event, unsigned) {
  *event = &elapsed;
  return 0;
}
int cuEventRecord(void *, void *) { return broken; }
int cuEventSynchronize(void *) { return cuCtxSynchronize(); }
int cuEventElapsedTime(float *milliseconds, void *, void *) {
  *milliseconds = elapsed;
  return broken;
}
}
// NOLINTEND(readability-identifier-naming)
