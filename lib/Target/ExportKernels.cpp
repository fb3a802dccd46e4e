//===- ExportKernels.cpp - Kernels as files -------------------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// For machines that have a GPU, but no MLIR.
//
//===----------------------------------------------------------------------===//

#include "baco/IR/OpenClDialect.h"
#include "baco/Target/Passes.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"
#include "mlir/Support/FileUtilities.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/DebugLog.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/ToolOutputFile.h"
#include "llvm/Support/raw_ostream.h"

#define DEBUG_TYPE "baco-export-kernels"

namespace baco::target {
#define GEN_PASS_DEF_EXPORTKERNELSPASS
#include "baco/Target/Passes.h.inc"
} // namespace baco::target

using namespace mlir;

/// Writes `text` to `path`, or fails with an error at `location`.
static LogicalResult writeFile(Location location, StringRef path,
                               StringRef text) {
  std::string message;
  std::unique_ptr<llvm::ToolOutputFile> file = openOutputFile(path, &message);
  if (!file)
    return emitError(location) << "baco-export-kernels: " << message;
  file->os() << text;
  file->os().flush();
  if (std::error_code error = file->os().error()) {
    // Otherwise it would end the program.
    file->os().clear_error();
    return emitError(location) << "baco-export-kernels: can't write '" << path
                               << "': " << error.message();
  }
  file->keep();
  return success();
}

/// The text of the kernel that `launch` launches; null if it has none.
static gpu::ObjectAttr findText(gpu::LaunchFuncOp launch) {
  auto binary = SymbolTable::lookupNearestSymbolFrom<gpu::BinaryOp>(
      launch, launch.getKernelModuleName());
  if (!binary)
    return nullptr;
  for (auto object : binary.getObjects().getAsRange<gpu::ObjectAttr>())
    if (object.getFormat() == gpu::CompilationTarget::Assembly)
      return object;
  return nullptr;
}

/// How it is launched: grid, block, shared memory and arguments, as words.
static FailureOr<std::string> describeLaunch(gpu::LaunchFuncOp launch) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  gpu::KernelDim3 grid = launch.getGridSizeOperandValues();
  gpu::KernelDim3 block = launch.getBlockSizeOperandValues();
  SmallVector<Value> numbers = {grid.x,  grid.y,  grid.z,
                                block.x, block.y, block.z};
  if (Value shared = launch.getDynamicSharedMemorySize())
    numbers.push_back(shared);
  for (Value number : numbers) {
    std::optional<int64_t> constant = getConstantIntValue(number);
    if (!constant)
      return emitError(launch.getLoc())
             << "baco-export-kernels: the launch depends on values that aren't "
                "constant";
    stream << *constant << ' ';
  }
  // The line has a number for shared memory, whether or not there is any.
  if (!launch.getDynamicSharedMemorySize())
    stream << "0 ";
  SmallVector<std::string> arguments;
  for (Value operand : launch.getKernelOperands()) {
    auto argument = dyn_cast<BlockArgument>(operand);
    if (!argument || !isa<func::FuncOp>(argument.getOwner()->getParentOp()))
      return emitError(launch.getLoc())
             << "baco-export-kernels: the kernel takes a value that isn't an "
                "argument of the function";
    arguments.push_back(std::to_string(argument.getArgNumber()));
  }
  // Blanks separate the words of the line, so an empty one would be lost.
  stream << (arguments.empty() ? "-" : llvm::join(arguments, ","));
  return text;
}

namespace {
struct ExportKernelsPass
    : public baco::target::impl::ExportKernelsPassBase<ExportKernelsPass> {
  using Base::Base;

protected:
  void runOnOperation() override {
    markAllAnalysesPreserved();
    SmallVector<gpu::LaunchFuncOp> launches;
    getOperation().walk(
        [&](gpu::LaunchFuncOp launch) { launches.push_back(launch); });
    if (launches.empty()) {
      emitError(getOperation().getLoc())
          << "baco-export-kernels: no kernel is launched; lower the module by "
             "baco-lower-to-nvvm before";
      return signalPassFailure();
    }
    for (auto [index, launch] : llvm::enumerate(launches)) {
      std::string kernel = launch.getKernelName().str();
      std::string file = name.empty() ? kernel : name;
      // Several launches may be of one kernel.
      if (launches.size() > 1)
        file += "_" + std::to_string(index);
      if (failed(exportKernel(launch, kernel, file)))
        return signalPassFailure();
    }
  }

private:
  LogicalResult exportKernel(gpu::LaunchFuncOp launch,
                             const std::string &kernel,
                             const std::string &file) {
    gpu::ObjectAttr text = findText(launch);
    if (!text)
      return emitError(launch.getLoc())
             << "baco-export-kernels: the kernel has no text; lower the module "
                "by baco-lower-to-nvvm or baco-lower-to-opencl before";
    StringRef suffix =
        isa<baco::OpenClTargetAttr>(text.getTarget()) ? ".cl" : ".ptx";
    FailureOr<std::string> words = describeLaunch(launch);
    if (failed(words))
      return failure();
    llvm::SmallString<128> path(folder);
    llvm::sys::path::append(path, file);
    std::string line =
        (Twine(file) + " " + file + suffix + " " + kernel + " " + *words + "\n")
            .str();
    LDBG() << "writes '" << path << "': " << line;
    // Behind the text upstream puts the byte that ends it in C.
    return success(
        succeeded(writeFile(launch.getLoc(), (path + suffix).str(),
                            text.getObject().getValue().rtrim('\0'))) &&
        succeeded(writeFile(launch.getLoc(), (path + ".list").str(), line)));
  }
};
} // namespace
