//===- Autotune.cpp - Tune the kernels of a module ------------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "baco/Transforms/Passes.h"

#include "baco/Driver/Outputs.h"
#include "baco/IR/BacoDialect.h"
#include "baco/LoopNest/GeneratedDialects.h"
#include "baco/Report/Units.h"
#include "baco/Schedule/Bufferize.h"
#include "baco/TransformOps/BacoTransformOps.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SMT/IR/SMTDialect.h"
#include "mlir/Dialect/Transform/IR/TransformDialect.h"

namespace baco {
#define GEN_PASS_DEF_AUTOTUNEPASS
#include "baco/Transforms/Passes.h.inc"
} // namespace baco

using namespace mlir;
using namespace baco::driver;

namespace {
/// A pass has nobody to tell how far it is.
class NoProgress final : public baco::report::ProgressListener {
public:
  void update(const baco::report::Progress &) override {}
};

/// Says of each kernel what came of it.
class Listener final : public ModuleListener {
public:
  explicit Listener(llvm::ArrayRef<Kernel> kernels) : kernels(kernels) {}

  baco::report::ProgressListener &progressOf(size_t) override {
    return progress;
  }
  void finished(size_t kernel, TunedKernel *one, TuneFailure) override;

  /// Not every kernel has a best schedule.
  bool isIncomplete = false;

private:
  llvm::ArrayRef<Kernel> kernels;
  NoProgress progress;
};

void Listener::finished(size_t index, TunedKernel *one, TuneFailure) {
  const Kernel &kernel = kernels[index];
  isIncomplete |= !one || one->failed || !one->schedule;
  if (!one || (!one->schedule && one->failed))
    return;
  const baco::report::KernelSummary &summary = one->summary;
  if (!one->schedule) {
    if (summary.sameAs.empty())
      emitNothingWorks(kernel, *one);
    return;
  }
  InFlightDiagnostic remark = emitRemark(kernel.location);
  if (!summary.sameAs.empty())
    remark << "'" << kernel.name << "' is the same kernel as '"
           << summary.sameAs << "' and gets its schedule";
  else
    remark << "tuned '" << kernel.name << "' in " << summary.evaluations
           << (summary.evaluations == 1 ? " evaluation: " : " evaluations: ")
           << baco::report::formatTime(summary.best->timeNs);
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
  keep(index, std::move(*one));
}

struct AutotunePass : public baco::impl::AutotunePassBase<AutotunePass> {
  using Base::Base;

  void getDependentDialects(DialectRegistry &registry) const override {
    Base::getDependentDialects(registry);
    baco::loopnest::registerGeneratedDialects(registry);
    baco::schedule::registerBufferizeDialects(registry);
    // A plugin of passes can't register them.
    baco::registerTransformOps(registry);
  }

  void runOnOperation() override {
    ModuleOp module = getOperation();
    auto hostInfo = baco::schedule::HostInfo::parse(host);
    if (!hostInfo) {
      module.emitError() << "host: " << toString(hostInfo.takeError());
      return signalPassFailure();
    }
    FailureOr<FoundKernels> found =
        takeKernels(module, {schedule, entry, *hostInfo});
    if (failed(found))
      return signalPassFailure();
    std::optional<baco::runtime::Caches> held =
        baco::runtime::parseCaches(caches);
    if (!held) {
      module.emitError() << "caches must be hot or flushed, but is '" << caches
                         << "'";
      return signalPassFailure();
    }
    TuneOptions tuning = readOptions();
    tuning.measure.timing.caches = *held;
    if (failed(check(tuning, found->kernels.front())))
      return signalPassFailure();
    bool isIncomplete = found->isIncomplete;
    Listener listener(found->kernels);
    tuneModule(found->kernels, tuning, listener);
    isIncomplete |= listener.isIncomplete;
    std::vector<TunedKernel> tuned = listener.takeKept();
    if (failed(applyBest(module, tuned)) || isIncomplete)
      signalPassFailure();
  }

  TuneOptions readOptions() const {
    TuneOptions options;
    bool isOpen = !stop.empty() && !budget.hasValue();
    options.budget = isOpen ? UINT64_MAX : uint64_t(budget);
    options.isBudgetPerKernel = !budget.hasValue();
    options.stop = stop;
    options.timeLimitS = timeLimit;
    options.measure.cpu = cpu;
    options.seed = seed;
    options.optimizer = optimizer;
    options.evaluator = evaluator;
    options.database = db;
    options.worker = worker;
    options.measure.tolerance = tolerance;
    options.measure.timing.trialMs = trialTime;
    options.measure.timing.comparisonMs = finalTime;
    options.ignoreAdvisory = ignoreAdvisory;
    return options;
  }

  /// Says once, not for each kernel, what is wrong with the options.
  static LogicalResult check(const TuneOptions &options, const Kernel &first) {
    auto valid = options.validate();
    if (valid)
      valid = options.checkEnvironment();
    if (valid)
      return success();
    return emitError(first.location) << valid.error().message;
  }
};
} // namespace
