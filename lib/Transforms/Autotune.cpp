//===- Autotune.cpp - Tune the kernels of a module ------------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "baco/Transforms/Passes.h"

#include "KernelDialects.h"
#include "baco/Driver/MeasureWinograd.h"
#include "baco/Driver/OptionTable.h"
#include "baco/Driver/Outputs.h"
#include "baco/IR/BacoDialect.h"
#include "baco/Report/Units.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SMT/IR/SMTDialect.h"
#include "mlir/Dialect/Transform/IR/TransformDialect.h"
#include "llvm/Support/DebugLog.h"

#define DEBUG_TYPE "baco-autotune"

namespace baco {
#define GEN_PASS_DEF_AUTOTUNEPASS
#include "baco/Transforms/Passes.h.inc"
} // namespace baco

using namespace mlir;
using namespace baco::driver;

namespace {
/// Reports the result of each kernel.
class Listener final : public ModuleListener {
public:
  explicit Listener(llvm::ArrayRef<Kernel> kernels) : kernels(kernels) {}

  baco::report::ProgressListener &progressOf(size_t) override {
    return progress;
  }
  void finished(size_t kernel, const TunedKernel &tuned) override;

private:
  llvm::ArrayRef<Kernel> kernels;
  baco::report::NoProgress progress;
};

/// Says that nothing is done to a kernel.
static void remarkThatItStays(const Kernel &kernel,
                              const baco::report::KernelSummary &summary) {
  InFlightDiagnostic remark = emitRemark(kernel.location);
  remark << "left '" << kernel.name << "' as it is: the plain lowering, "
         << baco::report::formatTime(summary.best->timeNs)
         << ", is certainly faster than the best schedule";
  if (summary.bestOther)
    remark << " (" << baco::report::formatRatio(summary.bestOther->ratio)
           << " over it)";
}

void Listener::finished(size_t index, const TunedKernel &tuned) {
  if (!tuned.isSettled())
    return;
  const Kernel &kernel = kernels[index];
  const baco::report::KernelSummary &summary = tuned.summary;
  if (summary.kept == baco::Kept::Plain)
    return remarkThatItStays(kernel, summary);
  InFlightDiagnostic remark = emitRemark(kernel.location);
  if (!summary.sameAs.empty())
    remark << "'" << kernel.name << "' is the same kernel as '"
           << summary.sameAs << "' and gets its schedule";
  else
    remark << "tuned '" << kernel.name << "' in " << summary.evaluations
           << (summary.evaluations == 1 ? " evaluation: " : " evaluations: ")
           << (summary.isStaticCost()
                   ? baco::report::formatCycles(summary.best->timeNs) +
                         " of static cost, not a time"
                   : baco::report::formatTime(summary.best->timeNs));
  if (summary.speedup)
    remark << ", " << baco::report::formatRatio(summary.speedup->ratio)
           << " over the default schedule";
  if (summary.speedupOverPlain)
    remark << ", " << baco::report::formatRatio(summary.speedupOverPlain->ratio)
           << " over the plain lowering";
  remark << "; " << summary.configuration;
  if (std::optional<std::string> warning =
          baco::report::warnOfShortTime(summary);
      warning && summary.sameAs.empty())
    remark.attachNote() << *warning;
}

/// Reports the time of each program that was run.
static void remarkPrograms(const FoundKernels &found,
                           const TunedKernels &tuned) {
  for (const Program &program : found.programs)
    for (const baco::report::ProgramSummary &summary : tuned.programs) {
      if (summary.name != program.whole.name || !summary.best())
        continue;
      InFlightDiagnostic remark = emitRemark(program.whole.location);
      remark << "'" << summary.name << "' as a whole takes "
             << baco::report::formatTime(summary.best()->timeNs);
      if (summary.speedup)
        remark << ", "
               << baco::report::writeSpeedUp(*summary.speedup, "the default");
      if (summary.speedupOverPlain)
        remark << ", "
               << baco::report::writeSpeedUp(*summary.speedupOverPlain,
                                             "plain");
      if (std::optional<double> between = timeBetween(summary))
        remark << "; " << baco::report::formatTime(*between)
               << " of it lie between kernels";
    }
}

struct AutotunePass : public baco::impl::AutotunePassBase<AutotunePass> {
  using Base::Base;

  void getDependentDialects(DialectRegistry &registry) const override {
    Base::getDependentDialects(registry);
    baco::registerKernelDialects(registry);
    // The dialect of the attribute for a GPU.
    registry.insert<NVVM::NVVMDialect>();
  }

protected:
  void runOnOperation() override {
    ModuleOp module = getOperation();
    OptionValues values = readOptions();
    auto announce = [&](const std::string &text) {
      module.emitRemark() << text;
    };
    if (auto met = values.tuning.meetWorkers(announce); !met) {
      emitError(module->getLoc()) << met.error().message;
      return signalPassFailure();
    }
    auto kernels = values.kernelOptions();
    if (!kernels) {
      emitError(module->getLoc()) << toString(kernels.takeError());
      return signalPassFailure();
    }
    kernels->onWinograd =
        [&](ModuleOp inner,
            baco::globalopt::WinogradOptions &winograd) -> LogicalResult {
      OptionValues complete = values;
      auto valid = complete.complete(isBudgetGiven());
      if (valid)
        valid = complete.tuning.validate();
      if (valid)
        valid = complete.tuning.checkEnvironment();
      if (!valid)
        return emitError(inner.getLoc()) << valid.error().message;
      return measureWinograd(inner, *kernels, complete.tuning, /*stop=*/nullptr,
                             announce, winograd);
    };
    FailureOr<FoundKernels> found = takeKernels(module, *kernels);
    if (failed(found))
      return signalPassFailure();
    if (found->kernels.empty()) {
      if (failed(applyBest(module, {}, kernels->interface)))
        signalPassFailure();
      return;
    }
    if (failed(check(values, found->kernels.front())))
      return signalPassFailure();
    const TuneOptions &tuning = values.tuning;
    Listener listener(found->kernels);
    TunedKernels tuned = tuneModule(*found, tuning, listener);
    remarkPrograms(*found, tuned);
    LDBG() << "of " << found->kernels.size() << " kernels "
           << tuned.failures.size() << " failed";
    llvm::erase_if(tuned.kernels,
                   [](const TunedKernel &one) { return !one.isSettled(); });
    if (failed(applyBest(module, tuned.kernels, kernels->interface)) ||
        found->isIncomplete || !tuned.failures.empty())
      signalPassFailure();
  }

  OptionValues readOptions() const {
    OptionValues values;
    for (const TuneOption &row : tuneOptions())
      std::visit(
          [&](auto *member) {
            using Value = std::remove_pointer_t<decltype(member)>;
            *member = optionOf<Value>(row.argument).getValue();
          },
          row.member(values));
    return values;
  }

  /// The option of this name. MLIR keeps the options of a pass in a subcommand
  /// of LLVM's command line.
  template <typename Value>
  const Option<Value> &optionOf(llvm::StringRef argument) const {
    llvm::cl::SubCommand *mine = *entry.Subs.begin();
    auto *found =
        static_cast<Option<Value> *>(mine->OptionsMap.lookup(argument));
    assert(dynamic_cast<Option<Value> *>(mine->OptionsMap.lookup(argument)) &&
           "TuneOptions.td gives the type of the member");
    return *found;
  }

  bool isBudgetGiven() const { return optionOf<uint64_t>("budget").hasValue(); }

  /// Reports errors in the options once, not for each kernel.
  LogicalResult check(OptionValues &values, const Kernel &first) const {
    auto valid = values.complete(isBudgetGiven());
    if (valid)
      valid = values.tuning.validate();
    if (valid)
      valid = values.tuning.checkEnvironment();
    if (valid)
      return success();
    return emitError(first.location) << valid.error().message;
  }
};
} // namespace
