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
#include "baco/Report/Units.h"

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

struct AutotunePass : public baco::impl::AutotunePassBase<AutotunePass> {
  using Base::Base;

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
    TuneOptions tuning = readOptions();
    if (failed(check(tuning, found->kernels.front())))
      return signalPassFailure();
    bool isIncomplete = found->isIncomplete;
    std::vector<TunedKernel> tuned;
    for (const Kernel &kernel : found->kernels) {
      FailureOr<TunedKernel> one = tune(kernel, tuning);
      isIncomplete |= failed(one) || one->failed;
      if (succeeded(one))
        tuned.push_back(std::move(*one));
    }
    if (failed(applyBest(module, tuned)) || isIncomplete)
      signalPassFailure();
  }

  TuneOptions readOptions() const {
    TuneOptions options;
    bool isOpen = !stop.empty() && !budget.hasValue();
    options.budget = isOpen ? UINT64_MAX : uint64_t(budget);
    options.stop = stop;
    options.timeLimitS = timeLimit;
    options.measure.cpu = cpu;
    options.seed = seed;
    options.optimizer = optimizer;
    options.evaluator = evaluator;
    options.database = db;
    options.worker = worker;
    options.measure.tolerance = tolerance;
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

  static FailureOr<TunedKernel> tune(const Kernel &kernel,
                                     const TuneOptions &options) {
    NoProgress progress;
    TuneFailure kind = TuneFailure::Environment;
    FailureOr<TunedKernel> tuned = tuneKernel(kernel, options, progress, kind);
    if (failed(tuned))
      return failure();
    const baco::report::KernelSummary &summary = tuned->summary;
    if (!tuned->schedule && tuned->failed)
      return failure();
    if (!tuned->schedule)
      return emitNothingWorks(kernel, *tuned);
    InFlightDiagnostic remark = emitRemark(kernel.location);
    remark << "tuned '" << kernel.name << "' in " << summary.evaluations
           << (summary.evaluations == 1 ? " evaluation: " : " evaluations: ")
           << baco::report::formatTime(summary.best->timeNs);
    if (summary.speedup)
      remark << ", " << baco::report::formatRatio(summary.speedup->ratio)
             << " over the default schedule";
    if (summary.speedupOverPlain)
      remark << ", "
             << baco::report::formatRatio(summary.speedupOverPlain->ratio)
             << " over the plain lowering";
    remark << "; " << summary.configuration;
    return tuned;
  }
};
} // namespace
