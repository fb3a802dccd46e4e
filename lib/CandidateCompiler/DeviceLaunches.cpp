//===- DeviceLaunches.cpp - Candidates that launch kernels ----------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "DeviceCompiler.h"
#include "StaticCost.h"

#include "baco/IR/DiagnosticRecorder.h"

#include "llvm/Support/SaveAndRestore.h"

using namespace mlir;
using namespace baco;
using namespace baco::target;

llvm::Error DeviceCompiler::transformPlain(ModuleOp module) const {
  return mapElementsToThreads(module, kernel.entry);
}

std::optional<Compiled> DeviceCompiler::load(
    const std::string &object,
    llvm::function_ref<Compiled(const std::string &)> compile) {
  std::optional<DeviceCode> code = DeviceCode::decode(object);
  if (!code)
    return std::nullopt;
  llvm::SaveAndRestore<const DeviceCode *> known(knownCode, &*code);
  return compile(code->configuration);
}

Compiled
DeviceCompiler::prepareLaunches(ModuleOp module, gpu::CompilationTarget format,
                                const DeviceImageMaker &make,
                                const std::string &configuration) const {
  DiagnosticRecorder recorder(module.getContext());
  auto made =
      DeviceFunction::create(module.lookupSymbol<func::FuncOp>(kernel.entry),
                             format, make, kernel.signature, knownCode);
  if (failed(made))
    return runtime::CompileFailure{
        Status::CompileFailed,
        recorder.message("the kernels can't be launched")};
  std::shared_ptr<DeviceFunction> launches = std::move(*made);
  runtime::CompiledKernel compiled;
  compiled.resources = launches->code().resources;
  if (!configuration.empty() && !knownCode) {
    DeviceCode code = launches->code();
    code.configuration = configuration;
    compiled.object = code.encode();
  }
  compiled.launches = [launches](void **arguments) {
    return launches->record(arguments);
  };
  return compiled;
}
