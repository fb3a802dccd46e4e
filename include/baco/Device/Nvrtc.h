//===- Nvrtc.h - NVIDIA's compiler of CUDA C++ at run time ------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// NVRTC from CUDA's toolkit by dlopen, as CudaDriver has the driver.
//
//===----------------------------------------------------------------------===//

#ifndef BACO_DEVICE_NVRTC_H
#define BACO_DEVICE_NVRTC_H

#include "baco/Device/FunctionFinder.h"
#include "baco/Support/Result.h"

#include <string>
#include <vector>

namespace baco::runtime {

class Nvrtc {
public:
  /// Loads `library`, or, if that is empty, libnvrtc.so of the system or of
  /// /usr/local/cuda. NotFound if there is none, and Unsupported if it lacks a
  /// function.
  static Result<Nvrtc> load(const std::string &library = "");

  struct Code {
    std::string ptx;
    /// The name that `kernel` has in it.
    std::string kernel;
  };
  /// Compiles `source`. InvalidArgument, with the whole log, if the compiler
  /// refuses it.
  ///
  /// \param options  such as `--gpu-architecture=compute_90`
  Result<Code> compile(const std::string &source, const std::string &kernel,
                       const std::vector<std::string> &options) const;

private:
  using Program = struct NvrtcProgramObject *;

  explicit Nvrtc(FunctionFinder find) : find(find) {}

  FunctionFinder find;
  const char *(*getErrorString)(int) = find("nvrtcGetErrorString");
  int (*createProgram)(Program *, const char *, const char *, int,
                       const char *const *,
                       const char *const *) = find("nvrtcCreateProgram");
  int (*destroyProgram)(Program *) = find("nvrtcDestroyProgram");
  int (*addNameExpression)(Program,
                           const char *) = find("nvrtcAddNameExpression");
  int (*compileProgram)(Program, int,
                        const char *const *) = find("nvrtcCompileProgram");
  int (*getLoweredName)(Program, const char *,
                        const char **) = find("nvrtcGetLoweredName");
  int (*getLogSize)(Program, size_t *) = find("nvrtcGetProgramLogSize");
  int (*getLog)(Program, char *) = find("nvrtcGetProgramLog");
  int (*getPtxSize)(Program, size_t *) = find("nvrtcGetPTXSize");
  int (*getPtx)(Program, char *) = find("nvrtcGetPTX");
};

} // namespace baco::runtime

#endif // BACO_DEVICE_NVRTC_H
