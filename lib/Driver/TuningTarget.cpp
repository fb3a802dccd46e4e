//===- TuningTarget.cpp - The machine that is tuned for -------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "baco/Driver/TuningTarget.h"

#include "TargetKinds.h"
#include "baco/Driver/DeviceOptions.h"
#include "baco/Driver/Kernel.h"
#include "baco/Driver/StaticEvaluator.h"
#include "baco/IR/FpgaTarget.h"
#include "baco/IR/GpuTarget.h"
#include "baco/Schedule/Annotate.h"

using namespace mlir;
using namespace baco;
using namespace baco::driver;

using ParsedTarget = Result<std::shared_ptr<const TuningTarget>>;

Result<void> driver::refuseDeviceOptions(const DeviceOptions &options,
                                         StringRef target, StringRef remedy) {
  if (options == DeviceOptions())
    return {};
  std::string option = !options.assembler.empty() ? "ptxas"
                       : !options.verify.empty()  ? "verify=" + options.verify
                                                  : "gpus";
  return {ErrorCode::InvalidArgument,
          (option + ": target " + target +
           " has no use for it; leave it out, or " + remedy)
              .str()};
}

namespace {
class CpuTarget final : public TuningTarget {
public:
  CpuTarget() : TuningTarget(/*chip=*/"", /*runs=*/true) {}

  Result<void> checkOptions(const DeviceOptions &options,
                            const std::string &) const override {
    return refuseDeviceOptions(options, "cpu", "choose a GPU by --target");
  }

  Result<void> checkTF32() const override {
    return {ErrorCode::InvalidArgument,
            "tf32: target cpu has no such numbers; leave the option out"};
  }

  llvm::Expected<apply::Machine> machine(const KernelOptions &options,
                                         StringRef cpu) const override {
    if (cpu.empty())
      return apply::Machine::ofCpu(options.cpu ? *options.cpu
                                               : schedule::HostCpu::detect(),
                                   options.host);
    llvm::Expected<schedule::HostCpu> known = schedule::HostCpu::named(cpu);
    if (!known)
      return known.takeError();
    return apply::Machine::ofCpu(*known, options.host);
  }

  int64_t annotate(ModuleOp module,
                   const KernelOptions &options) const override {
    return schedule::annotate(
        module, *makePlanner(module, options.host, options.plans));
  }

  LogicalResult explainNothing(ModuleOp module,
                               Operation *root) const override {
    if (schedule::remarkNothingToGain(root))
      return success();
    return emitError(module->getLoc(),
                     "nothing to tune: no schedule, no 'baco.recipe', and no "
                     "op that can be annotated automatically");
  }

  Result<WorkerSetUp> setUpWorker(const Kernel &kernel,
                                  const DeviceOptions &device,
                                  bool isStatic) const override {
    if (!isStatic || !kernel.host)
      return WorkerSetUp{};
    if (kernel.host->threads > 1)
      return Error{ErrorCode::InvalidArgument,
                   "evaluator static has costs of code for one thread only; "
                   "leave out --threads"};
    std::string host = kernel.host->str();
    return WorkerSetUp{
        llvm::json::Object{{"cost-host", host}, {"cost-cpu", kernel.costCpu}},
        "cpu " + kernel.costCpu + " " + host};
  }
};

/// A row of the table of targets.
struct TargetKind {
  /// Its name, and what follows a colon.
  StringLiteral form;
  /// Makes it of the part after the colon; errors start with `what`.
  ParsedTarget (*make)(const std::string &what, StringRef device);
  /// The device that a module is marked for; empty if that is another target.
  std::string (*findMark)(ModuleOp module) = nullptr;
  /// Stands for the device where none is needed to be a certain one.
  StringLiteral usualDevice = "";
};
} // namespace

static const TargetKind kinds[] = {
    {"cpu",
     [](const std::string &, StringRef) -> ParsedTarget {
       return TuningTarget::cpu();
     }},
    {"nvvm:CHIP",
     [](const std::string &what, StringRef device) {
       return makeNvidiaTarget(what, device, /*runs=*/false);
     },
     findNvidiaMark, "sm_90"},
    {"cuda:CHIP",
     [](const std::string &what, StringRef device) {
       return makeNvidiaTarget(what, device, /*runs=*/true);
     },
     findNvidiaMark, "sm_90"},
    {"opencl:DEVICE",
     [](const std::string &what, StringRef device) {
       return makeOpenClTarget(what, device);
     },
     findOpenClMark},
    {"fpga:DEVICE",
     [](const std::string &what, StringRef device) {
       return makeFpgaTarget(what, device);
     },
     findFpgaMark},
};

llvm::json::Object GpuTarget::describeSource(const Kernel &kernel) {
  llvm::json::Object fields;
  if (kernel.source)
    fields["source"] = printForWorker(kernel.source.get());
  return fields;
}

void GpuTarget::choosePreparation(frontend::PrepareOptions &options) const {
  if (options.layout == globalopt::Layout::Auto)
    options.layout = globalopt::Layout::Keep;
  options.winograd = {};
  options.padsResults = false;
  options.flattensConvolutions = false;
  options.transposesConstants = options.layout != globalopt::Layout::Keep;
  options.decomposes = true;
  options.hasMemorySpaces = true;
}

LogicalResult GpuTarget::explainNothing(ModuleOp module,
                                        Operation *root) const {
  return emitError(module->getLoc())
         << "nothing to tune for " << chip
         << ": no schedule, no 'baco.recipe', and no op that can be "
            "annotated automatically; see docs/Gpu.md";
}

std::shared_ptr<const TuningTarget> TuningTarget::cpu() {
  return std::make_shared<CpuTarget>();
}

std::string TuningTarget::complete(const std::string &text, ModuleOp module) {
  for (const TargetKind &kind : kinds) {
    StringRef name = kind.form.split(':').first;
    if (!kind.findMark || (!text.empty() && name != text))
      continue;
    std::string device = kind.findMark(module);
    if (device.empty() && !text.empty())
      device = kind.usualDevice.str();
    if (!device.empty())
      return name.str() + ":" + device;
  }
  return text.empty() ? "cpu" : text;
}

void TuningTarget::unmark(ModuleOp module) {
  module->removeAttr(kGpuTarget);
  module->removeAttr(kFpgaTarget);
}

ParsedTarget TuningTarget::parse(const std::string &text) {
  auto [name, device] = StringRef(text).split(':');
  std::string forms;
  for (const TargetKind &kind : kinds) {
    if (name == kind.form.split(':').first &&
        (name == text || kind.form.contains(':')))
      return kind.make("target '" + text + "': ", device);
    forms += (forms.empty()                  ? ""
              : &kind == std::end(kinds) - 1 ? " or "
                                             : ", ") +
             kind.form.str();
  }
  return Error{ErrorCode::InvalidArgument,
               "target must be " + forms + ", but is '" + text + "'"};
}

Result<void> driver::checkTarget(const std::string &text,
                                 const std::string &evaluator) {
  ParsedTarget target = TuningTarget::parse(text);
  if (!target)
    return target.error();
  if (!(*target)->runs && parseEvaluator(evaluator) == EvaluatorKind::Jit)
    return {ErrorCode::InvalidArgument,
            "target " + text +
                ": candidates can't be run; add --evaluator=static"};
  return {};
}
