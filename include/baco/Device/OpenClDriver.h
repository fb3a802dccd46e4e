//===- OpenClDriver.h - OpenCL, loaded at run time --------------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The part of OpenCL 1.2 that runs kernels, from libOpenCL.so.1 by dlopen:
// neither the build nor a machine without a device needs OpenCL. Types and
// numbers are those of its ABI, which doesn't change, so that no headers are
// needed either. Functions have the names of the specification without `cl`.
//
// A process must not fork after it has loaded a device's driver, which has
// threads.
//
//===----------------------------------------------------------------------===//

#ifndef BACO_DEVICE_OPENCLDRIVER_H
#define BACO_DEVICE_OPENCLDRIVER_H

#include "baco/Device/FunctionFinder.h"
#include "baco/Support/Result.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace baco::runtime {

/// Handles.
using ClPlatform = struct ClPlatformObject *;
using ClDevice = struct ClDeviceObject *;
using ClContext = struct ClContextObject *;
using ClQueue = struct ClQueueObject *;
using ClMemory = struct ClMemoryObject *;
using ClProgram = struct ClProgramObject *;
using ClKernel = struct ClKernelObject *;
using ClEvent = struct ClEventObject *;

/// Error codes that callers tell apart; nameOfClError has all.
enum ClError : int32_t {
  ClSuccess = 0,
  ClDeviceNotFound = -1,
  ClMemObjectAllocationFailure = -4,
  ClOutOfHostMemory = -6,
  ClInvalidKernelName = -46,
  ClInvalidBufferSize = -61,
  ClPlatformNotFound = -1001,
};

/// Bits and parameters of calls.
enum ClConstant : uint64_t {
  ClDeviceTypeAll = 0xFFFFFFFF,
  ClQueueProfiling = 1 << 1,
  ClMemReadWrite = 1 << 0,
  // clGetPlatformInfo
  ClPlatformName = 0x0902,
  // clGetDeviceInfo
  ClDeviceMaxComputeUnits = 0x1002,
  ClDeviceMaxWorkGroupSize = 0x1004,
  ClDeviceMaxWorkItemSizes = 0x1005,
  ClDeviceSingleFpConfig = 0x101B,
  ClDeviceGlobalMemCacheSize = 0x101E,
  ClDeviceLocalMemSize = 0x1023,
  ClDeviceName = 0x102B,
  ClDriverVersion = 0x102D,
  ClDeviceVersion = 0x102F,
  ClDeviceExtensions = 0x1030,
  // clGetProgramInfo, clGetProgramBuildInfo
  ClProgramKernelNames = 0x1168,
  ClProgramBuildLog = 0x1183,
  // clGetKernelInfo, clGetKernelWorkGroupInfo
  ClKernelNumArgs = 0x1191,
  ClKernelWorkGroupSize = 0x11B0,
  ClKernelLocalMemSize = 0x11B2,
  // clGetEventInfo, clGetEventProfilingInfo (nanoseconds)
  ClEventStatus = 0x11D3,
  ClProfilingStart = 0x1282,
  ClProfilingEnd = 0x1283,
};

/// `CL_OUT_OF_RESOURCES`, or `error -9999` for a number that OpenCL hasn't.
std::string nameOfClError(int32_t code);

/// OpenCL's functions. The library stays loaded: its own threads may run.
struct OpenClApi {
  /// NotFound if there is no `library`, and Unsupported if it lacks a function;
  /// each in one line.
  static Result<OpenClApi> load(const std::string &library = "libOpenCL.so.1");

  FunctionFinder find;
  int32_t (*getPlatformIDs)(uint32_t, ClPlatform *,
                            uint32_t *) = find("clGetPlatformIDs");
  int32_t (*getPlatformInfo)(ClPlatform, uint32_t, size_t, void *,
                             size_t *) = find("clGetPlatformInfo");
  int32_t (*getDeviceIDs)(ClPlatform, uint64_t, uint32_t, ClDevice *,
                          uint32_t *) = find("clGetDeviceIDs");
  int32_t (*getDeviceInfo)(ClDevice, uint32_t, size_t, void *,
                           size_t *) = find("clGetDeviceInfo");
  ClContext (*createContext)(const intptr_t *, uint32_t, const ClDevice *,
                             void (*)(const char *, const void *, size_t,
                                      void *),
                             void *, int32_t *) = find("clCreateContext");
  int32_t (*releaseContext)(ClContext) = find("clReleaseContext");
  ClQueue (*createCommandQueue)(ClContext, ClDevice, uint64_t,
                                int32_t *) = find("clCreateCommandQueue");
  int32_t (*releaseCommandQueue)(ClQueue) = find("clReleaseCommandQueue");
  ClMemory (*createBuffer)(ClContext, uint64_t, size_t, void *,
                           int32_t *) = find("clCreateBuffer");
  int32_t (*releaseMemObject)(ClMemory) = find("clReleaseMemObject");
  /// The booleans say whether the call waits for the copy.
  int32_t (*enqueueWriteBuffer)(ClQueue, ClMemory, uint32_t, size_t, size_t,
                                const void *, uint32_t, const ClEvent *,
                                ClEvent *) = find("clEnqueueWriteBuffer");
  int32_t (*enqueueReadBuffer)(ClQueue, ClMemory, uint32_t, size_t, size_t,
                               void *, uint32_t, const ClEvent *,
                               ClEvent *) = find("clEnqueueReadBuffer");
  int32_t (*enqueueCopyBuffer)(ClQueue, ClMemory, ClMemory, size_t, size_t,
                               size_t, uint32_t, const ClEvent *,
                               ClEvent *) = find("clEnqueueCopyBuffer");
  int32_t (*enqueueFillBuffer)(ClQueue, ClMemory, const void *, size_t, size_t,
                               size_t, uint32_t, const ClEvent *,
                               ClEvent *) = find("clEnqueueFillBuffer");
  ClProgram (*createProgramWithSource)(ClContext, uint32_t, const char **,
                                       const size_t *, int32_t *) =
      find("clCreateProgramWithSource");
  int32_t (*buildProgram)(ClProgram, uint32_t, const ClDevice *, const char *,
                          void (*)(ClProgram, void *),
                          void *) = find("clBuildProgram");
  int32_t (*getProgramInfo)(ClProgram, uint32_t, size_t, void *,
                            size_t *) = find("clGetProgramInfo");
  int32_t (*getProgramBuildInfo)(ClProgram, ClDevice, uint32_t, size_t, void *,
                                 size_t *) = find("clGetProgramBuildInfo");
  int32_t (*releaseProgram)(ClProgram) = find("clReleaseProgram");
  ClKernel (*createKernel)(ClProgram, const char *,
                           int32_t *) = find("clCreateKernel");
  int32_t (*setKernelArg)(ClKernel, uint32_t, size_t,
                          const void *) = find("clSetKernelArg");
  int32_t (*getKernelInfo)(ClKernel, uint32_t, size_t, void *,
                           size_t *) = find("clGetKernelInfo");
  int32_t (*getKernelWorkGroupInfo)(ClKernel, ClDevice, uint32_t, size_t,
                                    void *, size_t *) =
      find("clGetKernelWorkGroupInfo");
  int32_t (*releaseKernel)(ClKernel) = find("clReleaseKernel");
  int32_t (*enqueueNDRangeKernel)(ClQueue, ClKernel, uint32_t, const size_t *,
                                  const size_t *, const size_t *, uint32_t,
                                  const ClEvent *,
                                  ClEvent *) = find("clEnqueueNDRangeKernel");
  int32_t (*getEventInfo)(ClEvent, uint32_t, size_t, void *,
                          size_t *) = find("clGetEventInfo");
  int32_t (*getEventProfilingInfo)(ClEvent, uint32_t, size_t, void *,
                                   size_t *) = find("clGetEventProfilingInfo");
  int32_t (*releaseEvent)(ClEvent) = find("clReleaseEvent");
  int32_t (*finish)(ClQueue) = find("clFinish");
};

/// A device and the names that people choose it by.
struct OpenClDeviceName {
  ClPlatform platform = nullptr;
  ClDevice device = nullptr;
  std::string platformName, deviceName;
  /// What the device and its driver say of themselves, as in
  /// `OpenCL 3.0 PoCL ...`.
  std::string version, driver;
};

/// All devices, in the order of platforms and devices. NotFound if there is
/// none, and IOError if OpenCL refuses.
Result<std::vector<OpenClDeviceName>> listOpenClDevices(const OpenClApi &api);

/// Whether `name` has `part` in it, whatever the case of letters.
bool containsName(const std::string &name, const std::string &part);

/// The first device whose names contain `platform` and `device`, whatever the
/// case of letters; empty: any. NotFound, with the names that there are.
Result<OpenClDeviceName> findOpenClDevice(const OpenClApi &api,
                                          const std::string &platform,
                                          const std::string &device);

} // namespace baco::runtime

#endif // BACO_DEVICE_OPENCLDRIVER_H
