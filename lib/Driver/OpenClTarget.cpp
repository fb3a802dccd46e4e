//===- OpenClTarget.cpp - Target opencl -----------------------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TargetKinds.h"

#include "baco/Device/OpenClDevice.h"
#include "baco/Driver/DeviceOptions.h"
#include "baco/Driver/Kernel.h"
#include "baco/GpuSchedule/AnnotateGpu.h"
#include "baco/IR/GpuTarget.h"

#include "mlir/IR/Builders.h"

#include <map>

using namespace mlir;
using namespace baco;
using namespace baco::driver;
using runtime::OpenClDeviceFacts;

namespace {
class OpenClTarget final : public GpuTarget {
public:
  explicit OpenClTarget(OpenClDeviceFacts facts)
      : GpuTarget("opencl:" + facts.name, /*runs=*/true),
        facts(std::move(facts)) {}

  Result<void> checkOptions(const DeviceOptions &options,
                            const std::string &evaluator) const override {
    if (parseEvaluator(evaluator) == EvaluatorKind::Static)
      return {ErrorCode::InvalidArgument,
              "evaluator static: there is no static cost of OpenCL C; leave it "
              "out, or choose --target=nvvm:CHIP"};
    return refuseDeviceOptions(options, "opencl",
                               "choose an NVIDIA GPU by --target=cuda:CHIP");
  }

  Result<void> checkTF32() const override {
    return {ErrorCode::InvalidArgument,
            "tf32: OpenCL C has no such numbers; leave the option out"};
  }

  llvm::Expected<apply::Machine> machine(const KernelOptions &options,
                                         StringRef cpu) const override {
    apply::Machine machine;
    machine.gpu = chip;
    return machine;
  }

  void mark(ModuleOp module) const override {
    MLIRContext *context = module.getContext();
    context->getOrLoadDialect<OpenClDialect>();
    SmallVector<int64_t> items(facts.items.begin(), facts.items.end());
    module->setAttr(kGpuTarget, OpenClTargetAttr::get(
                                    context, facts.name,
                                    static_cast<int64_t>(facts.threads), items,
                                    static_cast<int64_t>(facts.localBytes),
                                    facts.units, facts.half, facts.doubles));
  }

  int64_t annotate(ModuleOp module,
                   const KernelOptions &options) const override {
    // Its steps ask for the limits of what the module is marked for.
    mark(module);
    return schedule::annotateForGpu(module, limitsOf(findOpenClTarget(module)));
  }

  Result<std::vector<std::string>>
  devices(const std::string &ids) const override {
    return std::vector<std::string>{facts.name};
  }

  Result<WorkerSetUp> setUpWorker(const Kernel &kernel,
                                  const DeviceOptions &device,
                                  bool isStatic) const override {
    return WorkerSetUp{isStatic ? llvm::json::Object() : describeSource(kernel),
                       chip + " " + facts.platform + " " + facts.version + " " +
                           facts.driver};
  }

private:
  const OpenClDeviceFacts facts;
};
} // namespace

std::string driver::findOpenClMark(ModuleOp module) {
  OpenClTargetAttr mark = findOpenClTarget(module);
  return mark ? mark.getName().str() : "";
}

Result<std::shared_ptr<const TuningTarget>>
driver::makeOpenClTarget(const std::string &what, StringRef device) {
  // Options are checked several times, and the device is the same.
  static std::map<std::string, Result<OpenClDeviceFacts>> known;
  auto found = known.find(device.str());
  if (found == known.end())
    found =
        known.emplace(device.str(), runtime::describeOpenClDevice(device.str()))
            .first;
  if (const Result<OpenClDeviceFacts> &facts = found->second; !facts)
    return Error{facts.error().code, what + facts.error().message};
  return std::shared_ptr<const TuningTarget>(
      std::make_shared<OpenClTarget>(*found->second));
}
