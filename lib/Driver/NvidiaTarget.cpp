//===- NvidiaTarget.cpp - Targets nvvm and cuda ---------------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TargetKinds.h"

#include "baco/Driver/DeviceOptions.h"
#include "baco/Driver/Kernel.h"
#include "baco/Driver/MeasuredGpus.h"
#include "baco/Driver/PtxasProgram.h"
#include "baco/GpuSchedule/AnnotateGpu.h"
#include "baco/IR/GpuTarget.h"
#include "baco/Target/NVVM/NvvmTarget.h"

#include "mlir/Dialect/LLVMIR/NVVMDialect.h"

using namespace mlir;
using namespace baco;
using namespace baco::driver;

namespace {
class NvidiaTarget final : public GpuTarget {
public:
  NvidiaTarget(std::string chip, std::string features, bool runs)
      : GpuTarget(std::move(chip), runs), features(std::move(features)) {}

  Result<void> checkOptions(const DeviceOptions &options,
                            const std::string &evaluator) const override {
    std::optional<EvaluatorKind> kind = parseEvaluator(evaluator);
    bool isMeasured = runs && kind == EvaluatorKind::Jit,
         isCompiled = isMeasured || kind == EvaluatorKind::Static;
    if (!options.assembler.empty() && !isCompiled)
      return {ErrorCode::InvalidArgument,
              "ptxas: evaluator " + evaluator +
                  " assembles nothing; leave it out, or add "
                  "--evaluator=static"};
    if (options.ids != DeviceOptions().ids && !isMeasured)
      return {ErrorCode::InvalidArgument,
              "gpus: nothing runs on a GPU; leave it out, or add "
              "--target=cuda:CHIP"};
    if (options.verify.empty())
      return {};
    if (options.verify != "emulate")
      return {ErrorCode::InvalidArgument,
              "verify must be emulate, but is '" + options.verify + "'"};
    if (!isCompiled)
      return {ErrorCode::InvalidArgument,
              "verify=emulate: evaluator " + evaluator +
                  " compiles nothing for a GPU; leave it out, or add "
                  "--evaluator=static"};
    return {};
  }

  Result<void> checkEnvironment(const DeviceOptions &options) const override {
    if (auto found = devices(options.ids); !found)
      return found.error();
    auto found = findPtxas(options.assembler, chip);
    return found ? Result<void>() : found.error();
  }

  Result<void> checkTF32() const override {
    if (findNvidiaGpu(chip)->hasMmaSync())
      return {};
    return {ErrorCode::InvalidArgument,
            "tf32: " + chip +
                " has no tensor cores for f32; leave the option out"};
  }

  llvm::Expected<apply::Machine> machine(const KernelOptions &options,
                                         StringRef cpu) const override {
    apply::Machine machine;
    machine.gpu = chip + (features.empty() ? "" : ":" + features);
    return machine;
  }

  void choosePreparation(frontend::PrepareOptions &options) const override {
    if (options.layout == globalopt::Layout::Auto &&
        findNvidiaGpu(chip)->hasMmaSync())
      options.layout = globalopt::Layout::TensorCores;
    GpuTarget::choosePreparation(options);
  }

  void mark(ModuleOp module) const override {
    MLIRContext *context = module.getContext();
    context->getOrLoadDialect<NVVM::NVVMDialect>();
    module->setAttr(kGpuTarget, NVVM::NVVMTargetAttr::get(
                                    context, /*optLevel=*/3, target::nvvmTriple,
                                    chip, features));
  }

  int64_t annotate(ModuleOp module,
                   const KernelOptions &options) const override {
    return schedule::annotateForGpu(module,
                                    GpuLimits::of(*findNvidiaGpu(chip)));
  }

  Result<std::vector<std::string>>
  devices(const std::string &ids) const override {
    if (!runs)
      return TuningTarget::devices(ids);
    auto found = findGpus(chip, ids);
    if (!found)
      return found.error();
    std::vector<std::string> uuids;
    for (const runtime::CudaDeviceFacts &facts : *found)
      uuids.push_back(facts.uuid);
    return uuids;
  }

  Result<WorkerSetUp> setUpWorker(const Kernel &kernel,
                                  const DeviceOptions &device,
                                  bool isStatic) const override {
    Result<PtxasProgram> assembler = findPtxas(device.assembler, chip);
    if (!assembler)
      return assembler.error();
    std::string key = chip + " " + features;
    if (!assembler->version.empty())
      key += " ptxas " + assembler->version;
    if (!device.verify.empty())
      key += " verify " + device.verify;
    bool isChecked = !isStatic || !device.verify.empty();
    llvm::json::Object fields =
        isChecked ? describeSource(kernel) : llvm::json::Object();
    fields["ptxas"] = assembler->file;
    fields["verify"] = device.verify;
    return WorkerSetUp{std::move(fields), std::move(key)};
  }

private:
  /// As LLVM names them; may be empty.
  const std::string features;
};
} // namespace

std::string driver::findNvidiaMark(ModuleOp module) {
  NVVM::NVVMTargetAttr mark = findGpuTarget(module);
  if (!mark)
    return {};
  return (mark.getChip() + (mark.getFeatures().empty() ? "" : ":") +
          mark.getFeatures())
      .str();
}

Result<std::shared_ptr<const TuningTarget>>
driver::makeNvidiaTarget(const std::string &what, StringRef device, bool runs) {
  auto [chip, features] = device.split(':');
  if (!findNvidiaGpu(chip))
    return Error{ErrorCode::InvalidArgument, what + "chip '" + chip.str() +
                                                 "' is unknown; it can be " +
                                                 listNvidiaChips()};
  if (llvm::Error error = target::checkNvvmTarget(chip, features))
    return Error{ErrorCode::InvalidArgument,
                 what + llvm::toString(std::move(error))};
  return std::shared_ptr<const TuningTarget>(
      std::make_shared<NvidiaTarget>(chip.str(), features.str(), runs));
}
