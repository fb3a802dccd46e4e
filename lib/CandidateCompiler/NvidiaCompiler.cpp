//===- NvidiaCompiler.cpp - Candidates for NVIDIA GPUs --------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "DeviceCompiler.h"
#include "StaticCost.h"

#include "baco/Device/Ptxas.h"
#include "baco/IR/DiagnosticRecorder.h"
#include "baco/IR/GpuTarget.h"
#include "baco/KernelEmulation/EmulateKernels.h"
#include "baco/Target/NVVM/PtxText.h"
#include "baco/Verification/Inputs.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace baco;
using namespace baco::target;
using runtime::CompiledKernel;
using runtime::CompileFailure;

namespace {
class NvidiaCompiler final : public DeviceCompiler {
public:
  NvidiaCompiler(const PayloadKernel &kernel, NVVM::NVVMTargetAttr target)
      : DeviceCompiler(kernel), target(target) {}

  Result<void> setUp(const llvm::json::Object &object) override {
    ptxasProgram = object.getString("ptxas").value_or("");
    isEmulated = object.getString("verify") == "emulate";
    if (std::optional<StringRef> uuid = object.getString("device")) {
      gpu.emplace();
      gpu->uuid = *uuid;
    }
    return isEmulated ? prepareEmulation() : Result<void>();
  }

  bool isStatic() const override { return !gpu; }
  std::optional<runtime::DeviceOptions> device() const override { return gpu; }

  Result<void> enterChild() override {
    if (ptxasProgram.empty())
      return {};
    auto started =
        runtime::PtxAssembler::start(ptxasProgram, target.getChip().str());
    if (!started)
      return started.error();
    ptxas = std::move(*started);
    return {};
  }

  Compiled compile(ModuleOp module, const std::string &configuration) override;

private:
  Result<void> prepareEmulation();
  std::optional<CompileFailure> emulate(ModuleOp module);
  Compiled findCost(ModuleOp module, runtime::PtxAssembler *assembler);

  NVVM::NVVMTargetAttr target;
  /// The assembler's program; empty: none. The process that runs it in this
  /// child.
  std::string ptxasProgram;
  std::unique_ptr<runtime::PtxAssembler> ptxas;
  /// The device that runs candidates; nullopt: they are not run.
  std::optional<runtime::DeviceOptions> gpu;
  /// Whether candidates are emulated.
  bool isEmulated = false;
};
} // namespace

Result<void> NvidiaCompiler::prepareEmulation() {
  auto count =
      countIterations(kernel.payload.lookupSymbol<func::FuncOp>(kernel.entry));
  if (!count)
    return {ErrorCode::Unsupported,
            "verify=emulate: function '" + kernel.entry +
                "' can't be emulated: " + llvm::toString(count.takeError())};
  if (*count > maxEmulatedIterations)
    return {ErrorCode::Unsupported,
            llvm::formatv("verify=emulate: function '{0}' has {1} iterations, "
                          "but at most {2} are emulated for each candidate; "
                          "take smaller shapes, or leave it out",
                          kernel.entry, static_cast<int64_t>(*count),
                          static_cast<int64_t>(maxEmulatedIterations))
                .str()};
  return runtime::loadSources(kernel.signature);
}

std::optional<CompileFailure> NvidiaCompiler::emulate(ModuleOp module) {
  DiagnosticRecorder recorder(module.getContext());
  EmulationOptions options;
  options.signature = &kernel.signature;
  EmulationResult result = emulateFunction(
      module.lookupSymbol<func::FuncOp>(kernel.entry),
      *cloneInLocalOrder(kernel.reference, kernel.entry), options);
  if (result.status == Status::Ok)
    return std::nullopt;
  return CompileFailure{result.status,
                        "emulator: " + (result.message.empty()
                                            ? recorder.message("failed")
                                            : result.message)};
}

Compiled NvidiaCompiler::compile(ModuleOp module,
                                 const std::string &configuration) {
  // It is reaped before this process ends.
  auto assembler = std::move(ptxas);
  if (llvm::Error error = lowerKernels(module, target, kernel.entry))
    return CompileFailure{Status::CompileFailed,
                          llvm::toString(std::move(error))};
  if (isEmulated && !knownCode)
    if (std::optional<CompileFailure> failure = emulate(module))
      return std::move(*failure);
  if (!gpu)
    return findCost(module, assembler.get());
  return prepareLaunches(module, gpu::CompilationTarget::Offload,
                         ptxImages(target, assembler.get()), configuration);
}

Compiled NvidiaCompiler::findCost(ModuleOp module,
                                  runtime::PtxAssembler *assembler) {
  auto cost = costOfModule(module, target, assembler);
  if (!cost)
    return CompileFailure{Status::CompileFailed,
                          llvm::toString(cost.takeError())};
  CompiledKernel kernel;
  kernel.staticCost = cost->cycles;
  kernel.note = std::move(cost->note);
  kernel.resources = cost->resources;
  return kernel;
}

std::unique_ptr<DeviceCompiler>
target::makeNvidiaCompiler(const PayloadKernel &kernel) {
  NVVM::NVVMTargetAttr target = findGpuTarget(kernel.payload);
  return target ? std::make_unique<NvidiaCompiler>(kernel, target) : nullptr;
}
