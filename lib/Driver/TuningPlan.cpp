//===- TuningPlan.cpp - Which kernels are tuned ---------------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "baco/Driver/TuningPlan.h"

#include "BudgetAllocation.h"
#include "baco/Driver/TuneOptions.h"
#include "baco/Measure/Rounds.h"
#include "baco/Report/Units.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/raw_ostream.h"

#include <algorithm>
#include <numeric>

using namespace baco;
using namespace baco::driver;

/// The bytes of the arguments and results of `function`.
static std::optional<double> bytesOf(mlir::func::FuncOp function) {
  double bytes = 0;
  auto addAll = [&](mlir::TypeRange types) {
    for (mlir::Type type : types) {
      auto shaped = mlir::dyn_cast<mlir::ShapedType>(type);
      if (!shaped)
        continue;
      if (!shaped.hasStaticShape() ||
          !shaped.getElementType().isIntOrIndexOrFloat())
        return false;
      unsigned bits = shaped.getElementType().isIndex()
                          ? 64
                          : shaped.getElementTypeBitWidth();
      bytes += static_cast<double>(shaped.getNumElements()) * bits / 8;
    }
    return true;
  };
  if (!addAll(function.getArgumentTypes()) ||
      !addAll(function.getResultTypes()))
    return std::nullopt;
  return bytes;
}

std::optional<double> driver::estimateNs(const Kernel &kernel) {
  // Round figures of a core of today; only their ratio matters for shares.
  constexpr double flopsPerNs = 50, bytesPerNs = 10;
  auto function = mlir::ModuleOp(kernel.payload.get())
                      .lookupSymbol<mlir::func::FuncOp>(kernel.name);
  std::optional<double> bytes =
      function ? bytesOf(function) : std::optional<double>();
  if (!bytes)
    return std::nullopt;
  return kernel.flops.value_or(0) / flopsPerNs + *bytes / bytesPerNs;
}

size_t TuningPlan::numChosen() const {
  return llvm::count_if(kernels, std::mem_fn(&PlannedKernel::isChosen));
}

/// About how long it takes to tune the chosen ones of `kernels`. The constants
/// fit 20 kernels of 1 us to 10 ms on an idle core of today.
static double secondsFor(llvm::ArrayRef<PlannedKernel> kernels,
                         const TuneOptions &options) {
  if (options.budget == UINT64_MAX)
    return options.timeLimitS;
  bool isStatic = options.isEvaluatedBy(EvaluatorKind::Static);
  // Set-up: the plain kernel, which is slower than a candidate, and its checks.
  constexpr double setupS = 0.25, setupRuns = 30;
  // A candidate's checks; its time, which is seldom needed in full. The next
  // one is compiled meanwhile.
  constexpr double costS = 0.045, trialRuns = 5, timedShare = 0.7;
  // Finals: rounds of some finalists, each of which is compiled anew.
  constexpr double roundsOfAll = 28, compileS = 0.02, roundRuns = 5;
  const runtime::Timing &timing = options.measure.timing;
  double seconds = 0;
  std::vector<double> trialsS;
  std::vector<Share> shares;
  for (const PlannedKernel &one : kernels) {
    if (!one.isChosen)
      continue;
    double runS = isStatic ? 0 : one.estimatedNs.value_or(0) * 1e-9;
    double roundMs = timing.comparisonMs / measure::numRounds;
    trialsS.push_back(isStatic ? costS
                               : timedShare * timing.trialMs / 1000 +
                                     trialRuns * runS);
    shares.push_back({.weight = std::max(one.share, 1e-9),
                      .room = std::max<uint64_t>(
                          1, one.numConfigurations.value_or(UINT64_MAX))});
    seconds += setupS + setupRuns * runS;
    if (!isStatic && roundMs > 0)
      seconds +=
          roundsOfAll * (compileS + std::max(roundMs / 1000, roundRuns * runS));
  }
  shareBudget(shares, options.isBudgetPerKernel ? options.budget * shares.size()
                                                : options.budget);
  // Most end soon after the first evaluations that gain nothing.
  constexpr uint64_t withoutGain = 40;
  bool areEnded = shares.size() > 1 && options.endsWithoutGain();
  for (auto [share, trialS] : llvm::zip_equal(shares, trialsS))
    seconds +=
        static_cast<double>(areEnded ? std::min(share.granted, withoutGain)
                                     : share.granted) *
        trialS;
  return options.timeLimitS > 0 ? std::min(seconds, options.timeLimitS)
                                : seconds;
}

/// The numbers of `kernels`, those with the largest shares first.
static std::vector<size_t> sortByShare(llvm::ArrayRef<PlannedKernel> kernels) {
  std::vector<size_t> order(kernels.size());
  std::iota(order.begin(), order.end(), 0);
  llvm::stable_sort(order, [&](size_t a, size_t b) {
    return kernels[a].share > kernels[b].share;
  });
  return order;
}

void TuningPlan::complete(const TuneOptions &options) {
  double sum = 0, numKnown = 0;
  auto timeOf = [](const PlannedKernel &one) {
    return *one.estimatedNs * one.calls.value_or(one.count);
  };
  for (const PlannedKernel &one : kernels)
    if (one.estimatedNs) {
      sum += timeOf(one);
      ++numKnown;
    }
  double usual = numKnown > 0 && sum > 0 ? sum / numKnown : 1;
  double total = 0;
  for (PlannedKernel &one : kernels)
    total += one.share = one.estimatedNs ? timeOf(one) : usual;
  for (PlannedKernel &one : kernels)
    one.share = total > 0 ? one.share / total : 1.0 / kernels.size();

  double covered = 0;
  for (auto [place, index] : llvm::enumerate(sortByShare(kernels))) {
    // Sums of shares have rounding errors.
    constexpr double rounding = 1e-9;
    bool isNeeded = options.share >= 1 || covered < options.share - rounding;
    kernels[index].isChosen =
        isNeeded && (options.top == 0 || place < options.top);
    covered += kernels[index].share;
  }
  seconds = secondsFor(kernels, options);
}

std::string driver::writePlan(const TuningPlan &plan,
                              llvm::ArrayRef<Kernel> kernels) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  size_t count = 0, width = 0;
  for (const PlannedKernel &one : plan.kernels) {
    count += one.count;
    width = std::max(width, report::printable(kernels[one.kernel].name).size());
  }
  stream << "plan: " << plan.numChosen() << " of " << plan.kernels.size()
         << " different kernels";
  if (count > plan.kernels.size())
    stream << " (" << count << " functions)";
  if (plan.seconds > 0)
    stream << ", about " << report::formatDuration(plan.seconds);
  stream << "\n";
  for (size_t index : sortByShare(plan.kernels)) {
    const PlannedKernel &one = plan.kernels[index];
    stream << "  " << report::printable(kernels[one.kernel].name);
    stream.indent(width + 2 -
                  report::printable(kernels[one.kernel].name).size());
    stream << llvm::formatv("{0,5:F1} % of the time (estimate)",
                            100 * one.share);
    if (one.count > 1)
      stream << ", in " << one.count << " functions";
    if (one.calls)
      stream << ", " << report::formatCount(*one.calls)
             << (*one.calls == 1 ? " call" : " calls");
    stream << (one.isChosen ? "\n" : ", stays as it is\n");
  }
  return text;
}
