//===- clblast-gemm.cpp - The time of CLBlast's XgemmDirect ---------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Times C = 1.5 * A * B + 0.5 * C in single precision by CLBlast's XgemmDirect
// at the defaults of its source (WGD = 8, KWID = 1, ...), with the layouts of
// examples/programs/opencl/xgemm-direct.cl: by the device's events, as baco
// does it, and checked against a sum on the host. Compiled by
// benchmarks/opencl/gemm.py, where libclblast-dev is installed.
//
// usage: clblast-gemm PLATFORM M N K [NAME=VALUE...]   prints nanoseconds
//
//===----------------------------------------------------------------------===//

#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>
#include <algorithm>
#include <clblast_c.h>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

static void check(int code, const char *call) {
  if (code == 0)
    return;
  std::fprintf(stderr, "clblast-gemm: %s: error %d\n", call, code);
  std::exit(1);
}

/// The first device of the platform whose name has `part` in it.
static cl_device_id findDevice(const std::string &part) {
  cl_platform_id platforms[16];
  cl_uint count = 0;
  check(clGetPlatformIDs(16, platforms, &count), "clGetPlatformIDs");
  for (cl_uint i = 0; i < std::min<cl_uint>(count, 16); ++i) {
    char name[256] = "";
    clGetPlatformInfo(platforms[i], CL_PLATFORM_NAME, sizeof name - 1, name,
                      nullptr);
    cl_device_id device = nullptr;
    if (std::string(name).find(part) != std::string::npos &&
        clGetDeviceIDs(platforms[i], CL_DEVICE_TYPE_ALL, 1, &device, nullptr) ==
            CL_SUCCESS)
      return device;
  }
  std::fprintf(stderr, "clblast-gemm: no device of a platform '%s'\n",
               part.c_str());
  std::exit(1);
}

int main(int argc, char **argv) {
  if (argc < 5) {
    std::fprintf(stderr,
                 "usage: clblast-gemm PLATFORM M N K [NAME=VALUE...]\n");
    return 1;
  }
  cl_device_id device = findDevice(argv[1]);
  const size_t m = std::strtoul(argv[2], nullptr, 10),
               n = std::strtoul(argv[3], nullptr, 10),
               k = std::strtoul(argv[4], nullptr, 10);
  std::vector<std::pair<std::string, size_t>> parameters = {
      {"WGD", 8},  {"MDIMCD", 8}, {"NDIMCD", 8}, {"MDIMAD", 8}, {"NDIMBD", 8},
      {"KWID", 1}, {"VWMD", 1},   {"VWND", 1},   {"PADA", 1},   {"PADB", 1}};
  for (int i = 5; i < argc; ++i)
    for (auto &[name, value] : parameters)
      if (std::string(argv[i]).starts_with(name + "="))
        value = std::strtoul(argv[i] + name.size() + 1, nullptr, 10);
  std::vector<const char *> names;
  std::vector<size_t> values;
  for (const auto &[name, value] : parameters) {
    names.push_back(name.c_str());
    values.push_back(value);
  }
  check(CLBlastOverrideParameters(device, "XgemmDirect", CLBlastPrecisionSingle,
                                  names.size(), names.data(), values.data()),
        "CLBlastOverrideParameters(XgemmDirect)");
  // The direct kernel, whatever the size.
  const char *least = "XGEMM_MIN_INDIRECT_SIZE";
  size_t always = 1 << 20;
  check(CLBlastOverrideParameters(device, "GemmRoutine", CLBlastPrecisionSingle,
                                  1, &least, &always),
        "CLBlastOverrideParameters(GemmRoutine)");

  int code = 0;
  cl_context context =
      clCreateContext(nullptr, 1, &device, nullptr, nullptr, &code);
  check(code, "clCreateContext");
  cl_command_queue queue =
      clCreateCommandQueue(context, device, CL_QUEUE_PROFILING_ENABLE, &code);
  check(code, "clCreateCommandQueue");
  std::srand(1);
  auto draw = [](size_t count) {
    std::vector<float> all(count);
    for (float &value : all)
      value = float(std::rand() % 2001 - 1000) / 1000;
    return all;
  };
  std::vector<float> a = draw(m * k), b = draw(k * n), c = draw(m * n),
                     got(m * n);
  auto upload = [&](std::vector<float> &from) {
    cl_mem memory =
        clCreateBuffer(context, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR,
                       from.size() * sizeof(float), from.data(), &code);
    check(code, "clCreateBuffer");
    return memory;
  };
  cl_mem onA = upload(a), onB = upload(b), onC = upload(c), initial = upload(c);

  std::vector<double> times;
  double sum = 0;
  // As baco: one launch that is checked, and then until there are enough.
  for (int i = 0; i < 1001 && !(times.size() >= 10 && sum >= 50e6); ++i) {
    check(clEnqueueCopyBuffer(queue, initial, onC, 0, 0,
                              c.size() * sizeof(float), 0, nullptr, nullptr),
          "clEnqueueCopyBuffer");
    check(clFinish(queue), "clFinish");
    cl_event event = nullptr;
    check(CLBlastSgemm(CLBlastLayoutColMajor, CLBlastTransposeNo,
                       CLBlastTransposeYes, m, n, k, 1.5F, onA, 0, m, onB, 0, n,
                       0.5F, onC, 0, m, &queue, &event),
          "CLBlastSgemm");
    check(clWaitForEvents(1, &event), "clWaitForEvents");
    cl_ulong start = 0, end = 0;
    check(clGetEventProfilingInfo(event, CL_PROFILING_COMMAND_START,
                                  sizeof start, &start, nullptr),
          "clGetEventProfilingInfo");
    check(clGetEventProfilingInfo(event, CL_PROFILING_COMMAND_END, sizeof end,
                                  &end, nullptr),
          "clGetEventProfilingInfo");
    clReleaseEvent(event);
    if (i > 0) {
      times.push_back(double(end) - double(start));
      sum += times.back();
      continue;
    }
    check(clEnqueueReadBuffer(queue, onC, CL_TRUE, 0,
                              got.size() * sizeof(float), got.data(), 0,
                              nullptr, nullptr),
          "clEnqueueReadBuffer");
    for (size_t column = 0; column < n; ++column)
      for (size_t row = 0; row < m; ++row) {
        double right = 0;
        for (size_t l = 0; l < k; ++l)
          right += double(a[l * m + row]) * double(b[l * n + column]);
        right = 1.5 * right + 0.5 * double(c[column * m + row]);
        if (!(std::abs(right - double(got[column * m + row])) <= 1e-3)) {
          std::fprintf(stderr, "clblast-gemm: wrong result\n");
          return 1;
        }
      }
  }
  std::ranges::sort(times);
  std::printf("%.0f\n", times[times.size() / 2]);
}
