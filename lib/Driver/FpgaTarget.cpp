//===- FpgaTarget.cpp - Target fpga ---------------------------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TargetKinds.h"

#include "baco/CostModel/FpgaCost.h"
#include "baco/Driver/DeviceOptions.h"
#include "baco/Driver/Kernel.h"
#include "baco/IR/FpgaTarget.h"
#include "baco/IR/NoTune.h"
#include "baco/Schedule/Annotate.h"

using namespace mlir;
using namespace baco;
using namespace baco::driver;

namespace {
class FpgaTarget final : public TuningTarget {
public:
  explicit FpgaTarget(const FpgaDevice &device)
      : TuningTarget("fpga:" + std::string(device.name), /*runs=*/false),
        device(device) {}

  Result<void> checkOptions(const DeviceOptions &options,
                            const std::string &) const override {
    return refuseDeviceOptions(options, "fpga",
                               "choose an NVIDIA GPU by --target=nvvm:CHIP");
  }

  Result<void> checkTF32() const override {
    return {ErrorCode::InvalidArgument,
            "tf32: an FPGA has no such operators; leave the option out"};
  }

  llvm::Expected<apply::Machine> machine(const KernelOptions &,
                                         StringRef) const override {
    apply::Machine machine;
    machine.gpu = chip;
    return machine;
  }

  void choosePreparation(frontend::PrepareOptions &options) const override {
    options.layout = globalopt::Layout::Keep;
    options.winograd = {};
    options.padsResults = false;
    options.flattensConvolutions = false;
    options.transposesConstants = false;
  }

  void mark(ModuleOp module) const override {
    module->setAttr(kFpgaTarget, StringAttr::get(module.getContext(),
                                                 llvm::StringRef(device.name)));
  }

  int64_t annotate(ModuleOp module, const KernelOptions &) const override {
    int64_t count = 0;
    for (auto function : module.getOps<func::FuncOp>())
      if (!function.isExternal() && !isNoTune(function) && hasDesign(function))
        count += schedule::annotateForFpga(function);
    return count;
  }

  LogicalResult explainNothing(ModuleOp module, Operation *) const override {
    return emitError(module->getLoc())
           << "nothing to tune for " << chip
           << ": no schedule, no 'baco.recipe', and no nest of affine loops "
              "with a choice; see docs/FPGA.md";
  }

  Result<WorkerSetUp> setUpWorker(const Kernel &, const DeviceOptions &,
                                  bool) const override {
    return WorkerSetUp{llvm::json::Object{}, chip};
  }

private:
  /// Whether `function` has one; else a remark says at an op why not, because
  /// others may.
  bool hasDesign(func::FuncOp function) const {
    std::optional<Diagnostic> why;
    bool has;
    {
      ScopedDiagnosticHandler handler(function.getContext(),
                                      [&](Diagnostic &diagnostic) {
                                        why = std::move(diagnostic);
                                        return success();
                                      });
      has = succeeded(target::estimateDesign(function, device));
    }
    if (!has && why)
      emitRemark(why->getLocation()) << why->str();
    return has;
  }

  const FpgaDevice &device;
};
} // namespace

std::string driver::findFpgaMark(ModuleOp module) {
  const FpgaDevice *mark = findFpgaTarget(module);
  return mark ? std::string(mark->name) : "";
}

Result<std::shared_ptr<const TuningTarget>>
driver::makeFpgaTarget(const std::string &what, StringRef device) {
  if (const FpgaDevice *found = findFpgaDevice(device.str()))
    return std::shared_ptr<const TuningTarget>(
        std::make_shared<FpgaTarget>(*found));
  return Error{ErrorCode::InvalidArgument, what + "device '" + device.str() +
                                               "' is unknown; it can be " +
                                               listFpgaDevices()};
}
