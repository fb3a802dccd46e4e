//===- KernelVariants.cpp - Kernels of known ratios -----------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "KernelVariants.h"

#include "llvm/Support/JSON.h"
#include "llvm/Support/MemoryBuffer.h"

using namespace baco;
using namespace baco::bench;
using namespace baco::runtime;

const std::vector<std::string> &bench::kernelNames() {
  static const std::vector<std::string> names = {"matmul", "stencil", "triad",
                                                 "small"};
  return names;
}

Result<std::string> bench::readKernel(const std::string &name) {
  std::string path =
      std::string(BACO_MEASUREMENT_KERNELS) + "/" + name + ".mlir";
  auto text = llvm::MemoryBuffer::getFile(path);
  if (!text)
    return {ErrorCode::NotFound, "cannot read the kernel '" + path +
                                     "': " + text.getError().message()};
  return (*text)->getBuffer().str();
}

/// The set-up of a compiler for `parts` parts.
static std::string describe(std::string payload, const std::string &parts) {
  const std::string word = "WORK :";
  if (size_t at = payload.find(word); at != std::string::npos)
    payload.replace(at, word.size(), parts + " :");
  std::string text;
  llvm::raw_string_ostream(text) << llvm::json::Value(llvm::json::Object{
      {"payload", payload}, {"schedule", "module {}"}, {"entry", "kernel"}});
  return text;
}

Result<Signature> KernelVariants::setUp(const std::string &text) {
  if (Result<Signature> set = longer.setUp(describe(text, "67")); !set)
    return set.error();
  return base.setUp(describe(text, "65"));
}

std::variant<CompiledKernel, CompileFailure> KernelVariants::compilePlain() {
  return base.compilePlain();
}

std::variant<CompiledKernel, CompileFailure>
KernelVariants::compile(const std::string &configuration) {
  if (configuration == "base" || configuration == "same" ||
      configuration == "other")
    return base.compilePlain();
  if (configuration == "longer")
    return longer.compilePlain();
  return CompileFailure{Status::TransformFailed,
                        "there is no variant '" + configuration + "'"};
}

std::variant<CompiledKernel, CompileFailure>
KernelVariants::load(const std::string &object,
                     std::optional<size_t> codeOffset) {
  return base.load(object, codeOffset);
}
