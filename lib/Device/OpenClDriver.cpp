//===- OpenClDriver.cpp - OpenCL, loaded at run time ----------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "baco/Device/OpenClDriver.h"

#include <algorithm>
#include <cctype>
#include <dlfcn.h>
#include <type_traits>

using namespace baco;
using namespace baco::runtime;

std::string runtime::nameOfClError(int32_t code) {
  struct Name {
    int32_t code;
    const char *name;
  };
  static constexpr Name names[] = {
      {0, "CL_SUCCESS"},
      {-1, "CL_DEVICE_NOT_FOUND"},
      {-2, "CL_DEVICE_NOT_AVAILABLE"},
      {-3, "CL_COMPILER_NOT_AVAILABLE"},
      {-4, "CL_MEM_OBJECT_ALLOCATION_FAILURE"},
      {-5, "CL_OUT_OF_RESOURCES"},
      {-6, "CL_OUT_OF_HOST_MEMORY"},
      {-7, "CL_PROFILING_INFO_NOT_AVAILABLE"},
      {-8, "CL_MEM_COPY_OVERLAP"},
      {-11, "CL_BUILD_PROGRAM_FAILURE"},
      {-12, "CL_MAP_FAILURE"},
      {-13, "CL_MISALIGNED_SUB_BUFFER_OFFSET"},
      {-14, "CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST"},
      {-15, "CL_COMPILE_PROGRAM_FAILURE"},
      {-16, "CL_LINKER_NOT_AVAILABLE"},
      {-17, "CL_LINK_PROGRAM_FAILURE"},
      {-19, "CL_KERNEL_ARG_INFO_NOT_AVAILABLE"},
      {-30, "CL_INVALID_VALUE"},
      {-31, "CL_INVALID_DEVICE_TYPE"},
      {-32, "CL_INVALID_PLATFORM"},
      {-33, "CL_INVALID_DEVICE"},
      {-34, "CL_INVALID_CONTEXT"},
      {-35, "CL_INVALID_QUEUE_PROPERTIES"},
      {-36, "CL_INVALID_COMMAND_QUEUE"},
      {-37, "CL_INVALID_HOST_PTR"},
      {-38, "CL_INVALID_MEM_OBJECT"},
      {-42, "CL_INVALID_BINARY"},
      {-43, "CL_INVALID_BUILD_OPTIONS"},
      {-44, "CL_INVALID_PROGRAM"},
      {-45, "CL_INVALID_PROGRAM_EXECUTABLE"},
      {-46, "CL_INVALID_KERNEL_NAME"},
      {-47, "CL_INVALID_KERNEL_DEFINITION"},
      {-48, "CL_INVALID_KERNEL"},
      {-49, "CL_INVALID_ARG_INDEX"},
      {-50, "CL_INVALID_ARG_VALUE"},
      {-51, "CL_INVALID_ARG_SIZE"},
      {-52, "CL_INVALID_KERNEL_ARGS"},
      {-53, "CL_INVALID_WORK_DIMENSION"},
      {-54, "CL_INVALID_WORK_GROUP_SIZE"},
      {-55, "CL_INVALID_WORK_ITEM_SIZE"},
      {-56, "CL_INVALID_GLOBAL_OFFSET"},
      {-57, "CL_INVALID_EVENT_WAIT_LIST"},
      {-58, "CL_INVALID_EVENT"},
      {-59, "CL_INVALID_OPERATION"},
      {-61, "CL_INVALID_BUFFER_SIZE"},
      {-63, "CL_INVALID_GLOBAL_WORK_SIZE"},
      {-64, "CL_INVALID_PROPERTY"},
      {-66, "CL_INVALID_COMPILER_OPTIONS"},
      {-67, "CL_INVALID_LINKER_OPTIONS"},
      {-1001, "CL_PLATFORM_NOT_FOUND_KHR"},
  };
  const auto *found = std::ranges::find(names, code, &Name::code);
  return found != std::ranges::end(names) ? found->name
                                          : "error " + std::to_string(code);
}

Result<OpenClApi> OpenClApi::load(const std::string &path) {
  void *library = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (!library)
    return Error{ErrorCode::NotFound,
                 std::string("there is no OpenCL loader (") + dlerror() +
                     "); install it (Debian: ocl-icd-libopencl1) and a "
                     "device's driver (for the CPU: pocl-opencl-icd)"};
  OpenClApi api = {FunctionFinder(library)};
  if (const char *missing = api.find.missing())
    return Error{ErrorCode::Unsupported,
                 "the OpenCL loader is too old: " + path + " has no " +
                     missing + "; install one of OpenCL 1.2 or later"};
  return api;
}

static Error refusal(const char *call, int32_t code) {
  return {ErrorCode::IOError,
          std::string("OpenCL refuses: ") + call + ": " + nameOfClError(code)};
}

/// A text of clGet...Info; `ask` has its last three parameters. Empty if it
/// can't be read.
template <typename Ask>
static std::string readText(Ask ask) {
  size_t bytes = 0;
  if (ask(0, nullptr, &bytes) != ClSuccess || bytes == 0)
    return "";
  std::string text(bytes, '\0');
  if (ask(bytes, text.data(), nullptr) != ClSuccess)
    return "";
  text.resize(text.find_last_not_of(std::string_view("\0 ", 2)) + 1);
  return text;
}

Result<std::vector<OpenClDeviceName>>
runtime::listOpenClDevices(const OpenClApi &api) {
  const Error none = {ErrorCode::NotFound,
                      "OpenCL finds no device; install a driver (for the CPU, "
                      "Debian's pocl-opencl-icd), and see 'clinfo -l'"};
  uint32_t count = 0;
  int32_t code = api.getPlatformIDs(0, nullptr, &count);
  if (code == ClPlatformNotFound || (code == ClSuccess && count == 0))
    return none;
  std::vector<ClPlatform> platforms(count);
  if (code == ClSuccess)
    code = api.getPlatformIDs(count, platforms.data(), nullptr);
  if (code != ClSuccess)
    return refusal("clGetPlatformIDs", code);
  std::vector<OpenClDeviceName> all;
  for (ClPlatform platform : platforms) {
    code = api.getDeviceIDs(platform, ClDeviceTypeAll, 0, nullptr, &count);
    if (code == ClDeviceNotFound || (code == ClSuccess && count == 0))
      continue;
    std::vector<ClDevice> devices(count);
    if (code == ClSuccess)
      code = api.getDeviceIDs(platform, ClDeviceTypeAll, count, devices.data(),
                              nullptr);
    if (code != ClSuccess)
      return refusal("clGetDeviceIDs", code);
    for (ClDevice device : devices) {
      auto read = [&](ClConstant what) {
        return readText([&](size_t bytes, void *to, size_t *needed) {
          return api.getDeviceInfo(device, what, bytes, to, needed);
        });
      };
      std::string platformName = readText([&](size_t bytes, void *to,
                                              size_t *needed) {
        return api.getPlatformInfo(platform, ClPlatformName, bytes, to, needed);
      });
      all.push_back({platform, device, platformName, read(ClDeviceName),
                     read(ClDeviceVersion), read(ClDriverVersion)});
    }
  }
  if (all.empty())
    return none;
  return all;
}

bool runtime::containsName(const std::string &text, const std::string &part) {
  return !std::ranges::search(text, part,
                              [](unsigned char a, unsigned char b) {
                                return std::tolower(a) == std::tolower(b);
                              })
              .empty() ||
         part.empty();
}

Result<OpenClDeviceName> runtime::findOpenClDevice(const OpenClApi &api,
                                                   const std::string &platform,
                                                   const std::string &device) {
  Result<std::vector<OpenClDeviceName>> all = listOpenClDevices(api);
  if (!all)
    return all.error();
  std::string names;
  for (const OpenClDeviceName &one : *all) {
    if (containsName(one.platformName, platform) &&
        containsName(one.deviceName, device))
      return one;
    names += (names.empty() ? "'" : ", '") + one.deviceName +
             "' of platform '" + one.platformName + "'";
  }
  std::string wanted;
  if (!device.empty())
    wanted += " '" + device + "'";
  if (!platform.empty())
    wanted += " on a platform '" + platform + "'";
  return Error{ErrorCode::NotFound,
               "there is no OpenCL device" + wanted + "; there is " + names};
}
