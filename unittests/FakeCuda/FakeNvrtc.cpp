//===- FakeNvrtc.cpp - NVRTC for tests, by clang --------------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The functions of NVRTC that Device/Nvrtc.h loads, for machines without CUDA's
// toolkit: compiles by the clang that FAKE_NVRTC_CLANG names (clang++-22), with
// the built-in variables and what tests use of CUDA's headers.
//
//===----------------------------------------------------------------------===//

#include "baco/Device/Nvrtc.h"

#include <cstdlib>
#include <cstring>
#include <fstream>
#include <sstream>
#include <string>
#include <unistd.h>

/// As baco/Device/Nvrtc.h declares it: UBSan compares the types of functions.
struct baco::runtime::NvrtcProgramObject {
  std::string source, log, ptx;
};

using Program = baco::runtime::NvrtcProgramObject;

namespace {
constexpr int compilationFails = 6;

constexpr const char *prelude = R"(
#define __global__ __attribute__((global))
#define __device__ __attribute__((device))
#define __shared__ __attribute__((shared))
#include <__clang_cuda_builtin_vars.h>
extern "C" __device__ void __nvvm_barrier0(void);
#define __syncthreads() __nvvm_barrier0()
)";

std::string readAll(const std::string &path) {
  std::ostringstream text;
  text << std::ifstream(path, std::ios::binary).rdbuf();
  return text.str();
}
} // namespace

// NOLINTBEGIN(readability-identifier-naming): these are NVRTC's names.
extern "C" {
const char *nvrtcGetErrorString(int code) {
  return code == 0 ? "NVRTC_SUCCESS" : "NVRTC_ERROR_COMPILATION";
}

int nvrtcCreateProgram(Program **program, const char *source, const char *, int,
                       const char *const *, const char *const *) {
  *program = new Program{source, "", ""};
  return 0;
}

int nvrtcDestroyProgram(Program **program) {
  delete *program;
  return 0;
}

int nvrtcAddNameExpression(Program *, const char *) { return 0; }

int nvrtcCompileProgram(Program *program, int count, const char *const *words) {
  std::string chip = "sm_90";
  for (int i = 0; i < count; ++i)
    if (const char *found = std::strstr(words[i], "compute_"))
      chip = std::string("sm_") + (found + std::strlen("compute_"));
  char folder[] = "/tmp/baco-nvrtc-XXXXXX";
  if (!mkdtemp(folder))
    return compilationFails;
  std::string path = folder;
  std::ofstream(path + "/kernel.cu") << prelude << program->source;
  const char *clang = std::getenv("FAKE_NVRTC_CLANG");
  std::string line = std::string(clang ? clang : "clang++-22") +
                     " -x cuda --cuda-device-only --offload-arch=" + chip +
                     " -nocudainc -nocudalib --cuda-feature=+ptx78" +
                     " -O2 -S -o " + path + "/ptx " + path + "/kernel.cu 2> " +
                     path + "/log";
  int status = std::system(line.c_str());
  program->log = readAll(path + "/log");
  program->ptx = readAll(path + "/ptx");
  for (const char *file : {"/kernel.cu", "/ptx", "/log"})
    unlink((path + file).c_str());
  rmdir(folder);
  return status == 0 && !program->ptx.empty() ? 0 : compilationFails;
}

int nvrtcGetLoweredName(Program *, const char *name, const char **lowered) {
  // Tests have C's names.
  *lowered = name;
  return 0;
}

int nvrtcGetProgramLogSize(Program *program, size_t *bytes) {
  *bytes = program->log.size() + 1;
  return 0;
}

int nvrtcGetProgramLog(Program *program, char *log) {
  std::memcpy(log, program->log.c_str(), program->log.size() + 1);
  return 0;
}

int nvrtcGetPTXSize(Program *program, size_t *bytes) {
  *bytes = program->ptx.size() + 1;
  return 0;
}

int nvrtcGetPTX(Program *program, char *ptx) {
  std::memcpy(ptx, program->ptx.c_str(), program->ptx.size() + 1);
  return 0;
}
}
// NOLINTEND(readability-identifier-naming)
