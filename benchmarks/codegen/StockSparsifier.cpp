//===- StockSparsifier.cpp - What upstream's tools make of it -------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Programs, as in a shell.
//
//===----------------------------------------------------------------------===//

#include "StockSparsifier.h"

#include "MlirKernels.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileUtilities.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Program.h"

#include <dlfcn.h>

using namespace baco;
using namespace baco::benchmarks;

/// Buffers in place of the sparse operand, loops, and no copy of the result,
/// for which a user has memory, too.
static constexpr llvm::StringLiteral toLoops =
    "--pass-pipeline=builtin.module(sparse-assembler,inline,"
    "sparsification-and-bufferization,buffer-results-to-out-params{"
    "hoist-static-allocs=true modify-public-functions=true},"
    "func.func(llvm-request-c-wrappers))";

/// Calls the C interface with `count` descriptors.
static std::string entryInC(size_t count) {
  std::vector<std::string> types(count, "void *"), arguments;
  for (size_t i = 0; i < count; ++i)
    arguments.push_back("operands[" + std::to_string(i) + "]");
  return "void _mlir_ciface_kernel(" + llvm::join(types, ", ") +
         ");\nvoid baco_entry(void **operands) {\n  _mlir_ciface_kernel(" +
         llvm::join(arguments, ", ") + ");\n}\n";
}

/// How many buffers a tensor in `format` has.
static size_t countBuffers(const sparse::StorageFormat &format) {
  size_t count = 1;
  for (const sparse::Level &level : format.levels) {
    count += level.kind == sparse::LevelKind::Compressed;
    count += level.kind != sparse::LevelKind::Dense;
  }
  return count;
}

llvm::Expected<runtime::CompiledKernel> baco::benchmarks::compileByStockTools(
    const std::string &file, const sparse::StorageFormat &format,
    size_t numArguments, const std::string &optimizer,
    const std::string &stem) {
  auto clang = llvm::sys::findProgramByName("clang-22");
  if (!clang)
    return llvm::createStringError("there is no clang-22: apt install "
                                   "clang-22");
  std::string translator =
      (llvm::sys::path::parent_path(optimizer) + "/mlir-translate").str();
  std::string entry = stem + "-entry.c", library = stem + ".so";
  size_t count = countBuffers(format) + numArguments - 1;
  if (llvm::Error error =
          llvm::writeToOutput(entry, [&](llvm::raw_ostream &out) {
            out << entryInC(count);
            return llvm::Error::success();
          }))
    return error;
  const std::vector<std::vector<std::string>> commands = {
      {optimizer, file, toLoops.str(), "-o", stem + "-loops.mlir"},
      {optimizer, stem + "-loops.mlir",
       "--sparsifier=enable-runtime-library=false", "-o", stem + "-llvm.mlir"},
      {translator, stem + "-llvm.mlir", "--mlir-to-llvmir", "-o", stem + ".ll"},
      {*clang, "-O3", "-march=native", "-shared", "-fPIC", "-w", stem + ".ll",
       entry, "-o", library}};
  for (const std::vector<std::string> &command : commands)
    if (std::optional<std::string> complaint =
            runLogged(command, stem + ".log"))
      return llvm::createStringError(
          llvm::sys::path::filename(command.front()) +
          " failed: " + *complaint);
  // The code stays loaded, as that of C sources does.
  void *handle = dlopen(library.c_str(), RTLD_NOW | RTLD_LOCAL);
  void *symbol = handle ? dlsym(handle, "baco_entry") : nullptr;
  if (!symbol)
    return llvm::createStringError("'" + library + "' can't be loaded");
  runtime::CompiledKernel kernel;
  kernel.entry = reinterpret_cast<void (*)(void **)>(symbol);
  kernel.formats = {format};
  return kernel;
}
