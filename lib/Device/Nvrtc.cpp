//===- Nvrtc.cpp - NVIDIA's compiler of CUDA C++ at run time --------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "baco/Device/Nvrtc.h"

#include <dlfcn.h>
#include <memory>
#include <type_traits>

using namespace baco;
using namespace baco::runtime;

Result<Nvrtc> Nvrtc::load(const std::string &path) {
  std::vector<std::string> paths = {path};
  if (path.empty())
    paths = {"libnvrtc.so", "libnvrtc.so.13", "libnvrtc.so.12",
             "/usr/local/cuda/lib64/libnvrtc.so"};
  void *library = nullptr;
  std::string why;
  for (const std::string &name : paths) {
    library = dlopen(name.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (library)
      break;
    if (why.empty())
      why = dlerror();
  }
  if (!library)
    return Error{ErrorCode::NotFound,
                 "there is no NVRTC (" + why +
                     "); install CUDA's toolkit, or its package cuda-nvrtc"};
  Nvrtc compiler{FunctionFinder(library)};
  if (const char *missing = compiler.find.missing())
    return Error{ErrorCode::Unsupported,
                 std::string("NVRTC is too old: it has no ") + missing +
                     "; install a newer toolkit"};
  return compiler;
}

Result<Nvrtc::Code>
Nvrtc::compile(const std::string &source, const std::string &kernel,
               const std::vector<std::string> &options) const {
  Program program = nullptr;
  auto refuse = [&](int code, const std::string &call) {
    return Error{ErrorCode::InvalidArgument,
                 call + ": " + getErrorString(code)};
  };
  if (int code = createProgram(&program, source.c_str(), "kernel.cu", 0,
                               nullptr, nullptr);
      code != 0)
    return refuse(code, "nvrtcCreateProgram");
  auto destroy = [this](Program *owned) { destroyProgram(owned); };
  std::unique_ptr<Program, decltype(destroy)> owner(&program, destroy);
  if (int code = addNameExpression(program, kernel.c_str()); code != 0)
    return refuse(code, "nvrtcAddNameExpression");
  std::vector<const char *> words;
  for (const std::string &option : options)
    words.push_back(option.c_str());
  if (int code =
          compileProgram(program, static_cast<int>(words.size()), words.data());
      code != 0) {
    Error error = refuse(code, "nvrtcCompileProgram");
    size_t bytes = 0;
    if (getLogSize(program, &bytes) == 0 && bytes > 0) {
      std::string log(bytes, '\0');
      if (getLog(program, log.data()) == 0)
        error.message += "\n" + log;
    }
    return error;
  }
  Code compiled;
  const char *lowered = nullptr;
  if (int code = getLoweredName(program, kernel.c_str(), &lowered); code != 0)
    return refuse(code, "nvrtcGetLoweredName");
  compiled.kernel = lowered;
  size_t bytes = 0;
  if (int code = getPtxSize(program, &bytes); code != 0)
    return refuse(code, "nvrtcGetPTXSize");
  compiled.ptx.resize(bytes);
  if (int code = getPtx(program, compiled.ptx.data()); code != 0)
    return refuse(code, "nvrtcGetPTX");
  compiled.ptx.resize(compiled.ptx.find('\0'));
  return compiled;
}
