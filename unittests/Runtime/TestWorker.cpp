//===- TestWorker.cpp - A worker with native kernels ----------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A worker whose candidates are C++ functions: those of NativeCandidates.h,
// HostileCandidates.h, IdleCandidates.h, SparseCandidates.h and
// SubtleCandidates.h. A configuration is the name of a candidate.
//
// The text of the set-up selects misbehavior of the set-up itself.
//
//===----------------------------------------------------------------------===//

#include "HostileCandidates.h"
#include "IdleCandidates.h"
#include "NativeCandidates.h"
#include "SparseCandidates.h"
#include "SubtleCandidates.h"

#include "baco/Device/CudaDriver.h"
#include "baco/Protocol/Clock.h"
#include "baco/Runtime/Serve.h"
#include "baco/Runtime/Team.h"
#include "baco/Verification/Floats.h"

#include <algorithm>
#include <cinttypes>
#include <cmath>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <fstream>
#include <functional>
#include <map>
#include <stdexcept>
#include <string>
#include <sys/mman.h>
#include <sys/ptrace.h>
#include <sys/socket.h>
#include <thread>
#include <unistd.h>

using namespace baco;
using namespace baco::runtime;
using namespace baco::test;

//===----------------------------------------------------------------------===//
// Compilations
//===----------------------------------------------------------------------===//

using CompileResult = std::variant<CompiledKernel, CompileFailure>;

static const std::map<std::string, std::function<CompileResult()>> compilers = {
    {"no-transform",
     [] {
       return CompileFailure{Status::TransformFailed, "tile size 3 is odd"};
     }},
    {"no-compile",
     [] {
       std::fputs("\n  error: cannot select\nmore\n", stderr);
       return CompileFailure{Status::CompileFailed, ""};
     }},
    {"compile-segfault",
     [] {
       segfault(nullptr);
       return CompiledKernel{good, nullptr};
     }},
    {"compile-abort",
     [] {
       complains(nullptr);
       return CompiledKernel{good, nullptr};
     }},
    {"compile-exit",
     [] {
       exits(nullptr);
       return CompiledKernel{good, nullptr};
     }},
    {"compile-hang",
     [] {
       hangs(nullptr);
       return CompiledKernel{good, nullptr};
     }},
    {"compile-allocate",
     [] {
       allocatesNew(nullptr);
       return CompiledKernel{good, nullptr};
     }},
    {"compile-flood",
     [] {
       pour();
       return CompiledKernel{good, nullptr};
     }},
};

namespace {
class TestCompiler : public CandidateCompiler {
public:
  Result<Signature> setUp(const std::string &text) override {
    if (text == "fail")
      return {ErrorCode::InvalidArgument, "the kernel does not parse"};
    if (text == "throw")
      throw std::runtime_error("thrown by the set-up");
    if (text == "crash")
      std::abort();
    if (text == "hang")
      hangs(nullptr);
    // "killed=N,FILE" is killed N times, of which FILE keeps count.
    if (text.rfind("killed=", 0) == 0) {
      std::filesystem::path file = text.substr(text.find(',') + 1);
      std::ofstream(file, std::ios::app) << "x";
      if (std::filesystem::file_size(file) <= std::stoul(text.substr(7)))
        raise(SIGKILL);
    }
    Signature signature;
    signature.arguments = {{ElementType::F32, true, {rows, columns}, false},
                           {ElementType::F32, true, {columns}, false},
                           {ElementType::F32, true, {rows}, true}};
    signature.reductionLength = columns;
    if (text == "dynamic")
      signature.arguments[0].shape[1] = -1;
    if (text == "huge")
      signature.arguments[0].shape[1] = int64_t(1) << 40;
    // "subtle=TYPE" selects the kernel of SubtleCandidates.h,
    // "subtle=TYPE,NAME" the one of them that is the plain kernel.
    if (text.rfind("subtle=", 0) == 0) {
      size_t comma = text.find(',');
      subtle = parseElementType(text.substr(7, comma - 7));
      plain = comma == std::string::npos ? "right" : text.substr(comma + 1);
      reference = plain;
      return test::subtleSignature(*subtle);
    }
    // "idle=ROWSxCOLUMNS" selects the kernel of IdleCandidates.h.
    if (text.rfind("idle=", 0) == 0) {
      int64_t idleRows = 0, idleColumns = 0;
      std::sscanf(text.c_str(), "idle=%" SCNd64 "x%" SCNd64, &idleRows,
                  &idleColumns);
      plain = reference = "idle-never";
      return test::idleSignature(idleRows, idleColumns);
    }
    // "shirk" selects the other one.
    if (text == "shirk") {
      plain = reference = "shirk-never";
      return test::shirkSignature();
    }
    // "sparse=ROWS,SOURCE" selects the kernel of SparseCandidates.h.
    if (text.rfind("sparse=", 0) == 0) {
      size_t comma = text.find(',');
      plain = reference = "csr";
      return test::sparseSignature(text.substr(comma + 1),
                                   std::stoll(text.substr(7)));
    }
    // "scalar" selects a kernel with a scalar that the analysis knows nothing
    // of, and no checks of its accesses.
    if (text == "scalar") {
      Argument count{ElementType::Index, false, {}, false};
      count.isStructural = true;
      signature.arguments = {count, {ElementType::F32, true, {2 * stride}}};
      signature.hasSafeScalars = false;
      plain = reference = "every-stride";
    }
    // "device=LIBRARY" opens the first device of a driver.
    if (text.rfind("device=", 0) == 0) {
      DeviceOptions options{text.substr(7), {}};
      auto all = CudaDevice::list(options.library);
      if (!all)
        return all.error();
      options.uuid = all->front().uuid;
      opened = options;
    }
    // "plain=NAME" selects the plain kernel, "plain=NAME,NAME" also the one
    // that gives the reference.
    if (text.rfind("plain=", 0) == 0) {
      size_t comma = text.find(',');
      plain = text.substr(6, comma - 6);
      reference = comma == std::string::npos ? plain : text.substr(comma + 1);
    }
    return signature;
  }

  std::optional<DeviceOptions> device() const override { return opened; }
  CompileResult compilePlain() override { return compile(plain); }
  CompileResult compileReference() override { return compile(reference); }

  CompileResult compile(const std::string &configuration) override {
    if (subtle)
      if (auto it = test::subtleKernels(*subtle).find(configuration);
          it != test::subtleKernels(*subtle).end())
        return CompiledKernel{it->second, nullptr};
    if (test::Kernel kernel = test::findIdleKernel(configuration))
      return CompiledKernel{kernel, nullptr};
    if (test::Kernel kernel = test::findShirkingKernel(configuration))
      return CompiledKernel{kernel, nullptr};
    if (auto kernel = test::findSparseKernel(configuration))
      return *kernel;
    // Right in the first process that it is compiled in.
    if (configuration == "good-once")
      return CompiledKernel{(*compilations)++ == 0 ? good : segfault, nullptr};
    // Right in the first three processes; it hangs in later ones.
    if (configuration == "good-thrice")
      return CompiledKernel{(*compilations)++ < 3 ? good : hangs, nullptr};
    if (auto it = compilers.find(configuration); it != compilers.end())
      return it->second();
    if (auto it = test::nativeKernels.find(configuration);
        it != test::nativeKernels.end())
      return CompiledKernel{it->second, nullptr};
    if (auto it = test::parallelKernels.find(configuration);
        it != test::parallelKernels.end()) {
      CompiledKernel kernel{it->second, nullptr};
      kernel.isParallel = true;
      return kernel;
    }
    if (auto it = test::hostileKernels.find(configuration);
        it != test::hostileKernels.end())
      return CompiledKernel{it->second, nullptr};
    if (auto it = test::hostileCompilations.find(configuration);
        it != test::hostileCompilations.end()) {
      std::string message;
      test::Kernel kernel = it->second(message);
      if (kernel)
        return CompiledKernel{kernel, nullptr};
      return CompileFailure{Status::CompileFailed, message};
    }
    return CompileFailure{Status::TransformFailed,
                          "no candidate '" + configuration + "'"};
  }

  /// Only sparse candidates have object code.
  CompileResult load(const std::string &object,
                     std::optional<size_t>) override {
    CompiledKernel kernel = *test::findSparseKernel(object);
    kernel.object.clear();
    return kernel;
  }

private:
  std::string plain = "good", reference = "good";
  std::optional<ElementType> subtle;
  std::optional<DeviceOptions> opened;
  /// Of "good-once" and "good-thrice", in all processes.
  int *compilations =
      static_cast<int *>(mmap(nullptr, sizeof(int), PROT_READ | PROT_WRITE,
                              MAP_SHARED | MAP_ANONYMOUS, -1, 0));
};
} // namespace

int main() {
  test::setRightKernel(good);
  TestCompiler compiler;
  return serve(compiler) ? 0 : 1;
}
