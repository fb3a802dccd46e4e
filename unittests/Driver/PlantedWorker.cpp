//===- PlantedWorker.cpp - A worker that takes any code as a candidate ----===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// baco-worker, but that a configuration is the text of a module, whose function
// `f` runs in the place of the kernel of this name.
//
//===----------------------------------------------------------------------===//

#include "baco/CandidateCompiler/ModuleCompiler.h"
#include "baco/Runtime/Serve.h"

#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"

using namespace baco;

namespace {
class PlantedCompiler : public target::ModuleCompiler {
public:
  Result<runtime::Signature> setUp(const std::string &text) override {
    return ModuleCompiler::setUp(textOf(text));
  }
  std::variant<runtime::CompiledKernel, runtime::CompileFailure>
  compile(const std::string &module) override {
    target::ModuleCompiler candidate;
    if (auto read = candidate.setUp(textOf(module)); !read)
      return runtime::CompileFailure{Status::CompileFailed,
                                     read.error().message};
    return candidate.compilePlain();
  }

private:
  static std::string textOf(const std::string &module) {
    std::string text;
    llvm::raw_string_ostream(text) << llvm::json::Value(llvm::json::Object{
        {"payload", module}, {"schedule", "module {}"}, {"entry", "f"}});
    return text;
  }
};
} // namespace

int main() {
  PlantedCompiler compiler;
  return runtime::serve(compiler) ? 0 : 1;
}
