//===- StaticEvaluator.cpp - Evaluate by a model --------------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "baco/Driver/StaticEvaluator.h"

#include "baco/CandidateCompiler/ModuleCompiler.h"
#include "baco/Driver/PtxasProgram.h"
#include "baco/Format/SpaceFormat.h"
#include "baco/IR/GpuTarget.h"

#include "mlir/Dialect/LLVMIR/NVVMDialect.h"

#include "llvm/Support/JSON.h"

using namespace baco;
using namespace baco::driver;

/// The module's text with locations, so that the worker's messages have them.
static std::string printForWorker(mlir::ModuleOp module) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  // The module was verified before; verifying it again takes longer than
  // printing it.
  module.print(stream,
               mlir::OpPrintingFlags().enableDebugInfo().assumeVerified());
  return text;
}

std::string driver::describeForWorker(const Kernel &kernel,
                                      llvm::ArrayRef<std::string> sharedLibs,
                                      const GpuOptions &gpu,
                                      const schedule::HostInfo *costHost,
                                      llvm::StringRef gpuUuid) {
  llvm::json::Object object{{"payload", printForWorker(kernel.payload.get())},
                            {"schedule", printForWorker(kernel.schedule.get())},
                            {"entry", kernel.name},
                            {"libraries", llvm::json::Array(sharedLibs)},
                            {"ptxas", gpu.ptxas},
                            {"verify", gpu.verify}};
  if (!gpuUuid.empty())
    object["device"] = gpuUuid;
  if (costHost) {
    object["cost-host"] = costHost->str();
    object["cost-cpu"] = kernel.costCpu;
  }
  std::string text;
  llvm::raw_string_ostream(text) << llvm::json::Value(std::move(object));
  return text;
}

Result<GpuCompilation> driver::describeCompilation(const Kernel &kernel,
                                                   const GpuOptions &gpu) {
  mlir::NVVM::NVVMTargetAttr target = findGpuTarget(kernel.payload.get());
  if (!target)
    return GpuCompilation{};
  Result<PtxasProgram> assembler = findPtxas(gpu.ptxas, target.getChip().str());
  if (!assembler)
    return assembler.error();
  GpuCompilation compilation{gpu, {}};
  compilation.options.ptxas = assembler->file;
  std::string &key = compilation.key;
  key = (target.getChip() + " " + target.getFeatures()).str();
  if (!assembler->version.empty())
    key += " ptxas " + assembler->version;
  if (!gpu.verify.empty())
    key += " verify " + gpu.verify;
  return compilation;
}

Result<std::unique_ptr<StaticEvaluator>>
StaticEvaluator::create(const Kernel &kernel, const Space &space,
                        const std::string &worker, const GpuOptions &gpu,
                        const runtime::MeasureOptions &options,
                        const std::atomic<bool> *stop) {
  Result<GpuCompilation> compilation = describeCompilation(kernel, gpu);
  if (!compilation)
    return compilation.error();
  bool isForGpu = findGpuTarget(kernel.payload.get()) != nullptr;
  const schedule::HostInfo *host =
      !isForGpu && kernel.host ? &*kernel.host : nullptr;
  if (host && host->threads > 1)
    return Error{ErrorCode::InvalidArgument,
                 "evaluator static has costs of code for one thread only; "
                 "leave out --threads"};
  if (host)
    compilation->key = "cpu " + kernel.costCpu + " " + host->str();
  auto process = measure::WorkerProcess::start(
      {.program = worker,
       .text = describeForWorker(kernel, /*sharedLibs=*/{},
                                 compilation->options, host),
       .measure = options,
       .stop = stop,
       .onWaiting = {}});
  if (!process)
    return process.error();
  return std::unique_ptr<StaticEvaluator>(new StaticEvaluator(
      space, std::move(*process), std::move(compilation->key), options.limits));
}

Result<void> StaticEvaluator::submit(uint64_t trial,
                                     const Configuration &configuration) {
  return worker->submit(trial, writeConfiguration(space, configuration));
}

std::string StaticEvaluator::fingerprint() const {
  // A candidate that was stopped may pass under other limits.
  return "static " + std::to_string(target::staticCostVersion) + " " + target +
         " compile " + std::to_string(limits.compileTimeoutMs) + " memory " +
         std::to_string(limits.memoryLimitMiB);
}
