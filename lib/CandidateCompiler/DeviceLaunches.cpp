//===- DeviceLaunches.cpp - Candidates that launch kernels ----------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "DeviceCompiler.h"

#include "baco/IR/DiagnosticRecorder.h"

using namespace mlir;
using namespace baco;
using namespace baco::target;

Compiled target::prepareLaunches(func::FuncOp function,
                                 gpu::CompilationTarget format,
                                 const DeviceImageMaker &make,
                                 const runtime::Signature &signature,
                                 const std::string &configuration,
                                 const DeviceCode *known) {
  DiagnosticRecorder recorder(function.getContext());
  auto made = DeviceFunction::create(function, format, make, signature, known);
  if (failed(made))
    return runtime::CompileFailure{
        Status::CompileFailed,
        recorder.message("the kernels can't be launched")};
  std::shared_ptr<DeviceFunction> launches = std::move(*made);
  runtime::CompiledKernel kernel;
  kernel.resources = launches->code().resources;
  if (!configuration.empty() && !known) {
    DeviceCode code = launches->code();
    code.configuration = configuration;
    kernel.object = code.encode();
  }
  kernel.launches = [launches](void **arguments) {
    return launches->record(arguments);
  };
  return kernel;
}
