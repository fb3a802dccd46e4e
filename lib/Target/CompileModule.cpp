//===- CompileModule.cpp - Machine code of a module -----------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "baco/Target/CompileModule.h"
#include "baco/IR/DiagnosticRecorder.h"
#include "baco/Target/Pipelines.h"
#include "baco/Target/Sparse/TunedFormats.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Pass/PassManager.h"

using namespace mlir;
using namespace baco::target;
using baco::DiagnosticRecorder;
using baco::runtime::CompiledKernel;

/// Lowers `module` to the LLVM dialect.
static LogicalResult lowerToCPU(ModuleOp module) {
  PassManager manager(module.getContext(), ModuleOp::getOperationName());
  // Arguments stay those of the function's type.
  LowerToCPUOptions options;
  options.packing = ConstantPacking::Global;
  buildLowerToCPUPipeline(manager, options);
  // The module was verified before; the translation verifies the output of
  // upstream's passes where it matters.
  manager.enableVerifier(false);
  return manager.run(module);
}

llvm::Expected<CompiledKernel>
baco::target::compileModule(ModuleOp module, StringRef entry, PhaseClock *clock,
                            ArrayRef<std::string> variables, StringRef cpu) {
  std::vector<baco::sparse::StorageFormat> formats;
  // The lowering drops the types that say the formats, so they are read before.
  if (auto function = module.lookupSymbol<func::FuncOp>(entry)) {
    auto found = sparseFormats(function);
    if (!found)
      return found.takeError();
    formats = std::move(*found);
  }
  DiagnosticRecorder recorder(module.getContext());
  if (failed(lowerToCPU(module)))
    return llvm::createStringError(
        recorder.message("lowering to the LLVM dialect failed"));
  PhaseClock::lap(clock, "lower");
  auto kernel = compileToMachineCode(module, entry, clock, variables, cpu);
  if (!kernel)
    return llvm::createStringError(
        recorder.message(llvm::toString(kernel.takeError())));
  kernel->formats = std::move(formats);
  return kernel;
}

llvm::Expected<CompiledKernel>
baco::target::findCostOfModule(ModuleOp module, StringRef entry,
                               const schedule::HostInfo &host, StringRef cpu) {
  DiagnosticRecorder recorder(module.getContext());
  if (failed(lowerToCPU(module)))
    return llvm::createStringError(
        recorder.message("lowering to the LLVM dialect failed"));
  auto kernel = findCostOfCode(module, entry, host, cpu);
  if (kernel)
    return kernel;
  return llvm::createStringError(
      recorder.message(llvm::toString(kernel.takeError())));
}
