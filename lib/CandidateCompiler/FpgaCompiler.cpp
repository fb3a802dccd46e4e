//===- FpgaCompiler.cpp - Candidates for FPGAs ----------------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Nothing is synthesized: a candidate has the cost of its estimated design.
//
//===----------------------------------------------------------------------===//

#include "DeviceCompiler.h"

#include "baco/CostModel/FpgaCost.h"
#include "baco/IR/DiagnosticRecorder.h"
#include "baco/IR/FpgaTarget.h"
#include "baco/Support/CostUnit.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/Passes.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace baco;
using namespace baco::target;
using runtime::CompileFailure;

namespace {
class FpgaCompiler final : public DeviceCompiler {
public:
  FpgaCompiler(const PayloadKernel &kernel, const FpgaDevice &fpga)
      : DeviceCompiler(kernel), fpga(fpga) {}

  Result<void> setUp(const llvm::json::Object &) override { return {}; }
  bool isStatic() const override { return true; }
  std::optional<runtime::DeviceOptions> device() const override {
    return std::nullopt;
  }
  Result<void> enterChild() override { return {}; }
  /// Each affine nest has a design as it is.
  llvm::Error transformPlain(ModuleOp) const override {
    return llvm::Error::success();
  }
  Compiled compile(ModuleOp module, const std::string &configuration) override;

private:
  const FpgaDevice &fpga;
};
} // namespace

/// The resources, and the pipeline that takes longest, in one line.
static std::string describe(const FpgaDesign &design, const FpgaDevice &fpga) {
  std::string text =
      llvm::formatv("{0}: estimated for {1}: {2} DSPs, {3} {4}, {5} registers, "
                    "{6} {7}",
                    staticCostNote, fpga.name, design.needs.dsps,
                    design.needs.logic, fpga.logicName, design.needs.registers,
                    design.needs.memories, fpga.memoryName);
  const auto longest = llvm::max_element(
      design.pipelines, [](const FpgaPipeline &a, const FpgaPipeline &b) {
        return a.cycles() < b.cycles();
      });
  if (longest != design.pipelines.end())
    text += llvm::formatv("; longest pipeline: {0} iterations, {1} deep, "
                          "interval {2} (recurrences {3}, ports {4}, "
                          "transfers {5})",
                          longest->trips, longest->depth, longest->interval(),
                          longest->byRecurrence, longest->byPorts,
                          longest->byTransfers);
  return text;
}

Compiled FpgaCompiler::compile(ModuleOp module, const std::string &) {
  DiagnosticRecorder recorder(module.getContext());
  PassManager manager(module.getContext(), ModuleOp::getOperationName());
  manager.addPass(createCanonicalizerPass());
  manager.addPass(createCSEPass());
  if (failed(manager.run(module)))
    return CompileFailure{Status::CompileFailed,
                          recorder.message("can't be simplified")};
  auto function = module.lookupSymbol<func::FuncOp>(kernel.entry);
  FailureOr<FpgaDesign> design = estimateDesign(function, fpga);
  if (failed(design))
    return CompileFailure{Status::CompileFailed,
                          recorder.message("has no design")};
  std::vector<double> usage = fpga.usage(design->needs);
  if (std::string why = fpga.whyNotFits(design->needs); !why.empty())
    return CompileFailure{Status::LaunchFailed, why, std::move(usage),
                          design->cycles.value_or(0)};
  runtime::CompiledKernel compiled;
  compiled.usage = std::move(usage);
  compiled.staticCost = *design->cycles;
  compiled.note = describe(*design, fpga);
  return compiled;
}

std::unique_ptr<DeviceCompiler>
target::makeFpgaCompiler(const PayloadKernel &kernel) {
  const FpgaDevice *fpga = findFpgaTarget(kernel.payload);
  return fpga ? std::make_unique<FpgaCompiler>(kernel, *fpga) : nullptr;
}
