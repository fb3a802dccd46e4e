//===- MeasureWinograd.cpp - Choose tiles by times ------------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "baco/Driver/MeasureWinograd.h"

#include "KernelTuner.h"
#include "baco/Report/Progress.h"
#include "baco/Report/Units.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/Support/Format.h"

using namespace mlir;
using namespace baco;
using namespace baco::driver;
using globalopt::WinogradCandidate;

/// The time of `probe` under default schedules, by tiles of that extent, or of
/// the convolution itself (0); nullopt if it doesn't work.
static std::optional<double> timeOf(ModuleOp probe, int64_t tile,
                                    const KernelOptions &kernels,
                                    const TuneOptions &tuning,
                                    const std::atomic<bool> *stop) {
  OwningOpRef<ModuleOp> module = probe.clone();
  auto function = *module->getOps<func::FuncOp>().begin();
  if (tile > 0)
    function.setName(
        (function.getName() + "_tile" + std::to_string(tile)).str());
  KernelOptions options;
  options.layout = kernels.layout;
  options.host = kernels.host;
  options.costCpu = kernels.costCpu;
  options.cpu = kernels.cpu;
  options.plans = kernels.plans;
  options.target = kernels.target;
  options.winograd = {.maxTile = tile, .isForced = true};
  FailureOr<FoundKernels> found = takeKernels(*module, options);
  if (failed(found) || found->kernels.empty())
    return std::nullopt;
  double sum = 0;
  report::NoProgress progress;
  for (const Kernel &kernel : found->kernels) {
    KernelTuner tuner(kernel, tuning, progress, stop);
    if (failed(tuner.prepare()))
      return std::nullopt;
    tuner.search(/*budget=*/1, /*seconds=*/0);
    std::optional<double> ns = tuner.defaultNs();
    if (!ns)
      return std::nullopt;
    sum += *ns * kernel.calls.value_or(1);
  }
  return sum;
}

/// Tells the costs and errors of the tiles of a shape.
static void remarkTimes(const WinogradCandidate &candidate,
                        ArrayRef<std::optional<double>> times, CostUnit unit) {
  InFlightDiagnostic remark = emitRemark(candidate.location);
  remark << "3x3 convolution " << candidate.shape << ": ";
  for (auto [i, tile] : llvm::enumerate(candidate.tiles)) {
    std::string size = std::to_string(tile.size), error;
    llvm::raw_string_ostream(error) << llvm::format("%.1e", tile.error);
    remark << (i == 0 ? "directly "
                      : "; by Winograd's tiles of " + size + "x" + size + " ")
           << (times[i] ? report::formatCost(*times[i], unit)
                        : "no right result")
           << ", error " << error;
  }
  remark << " of the largest result";
}

void driver::measureWinograd(ModuleOp module, const KernelOptions &kernels,
                             const TuneOptions &tuning,
                             const std::atomic<bool> *stop,
                             globalopt::WinogradOptions &winograd) {
  // Less may be noise, and changes roundings for nothing.
  constexpr double enough = 0.95;
  TuneOptions once = tuning;
  once.budget = 1;
  once.stop.clear();
  once.like.clear();
  for (const WinogradCandidate &candidate :
       globalopt::findWinogradCandidates(module, winograd)) {
    std::vector<std::optional<double>> times;
    {
      ScopedDiagnosticHandler silence(module.getContext(),
                                      [](Diagnostic &) { return success(); });
      for (const WinogradCandidate::Tile &tile : candidate.tiles)
        times.push_back(
            timeOf(*candidate.probe, tile.size, kernels, once, stop));
    }
    if (stop && *stop)
      break;
    remarkTimes(candidate, times,
                tuning.isEvaluatedBy(EvaluatorKind::Static)
                    ? CostUnit::Cycles
                    : CostUnit::Nanoseconds);
    // Without a time there is nothing to compare with.
    double least = enough * times.front().value_or(0);
    for (auto [tile, time] : llvm::zip_equal(candidate.tiles, times))
      if (tile.size > 0 && time && *time < least) {
        least = *time;
        winograd.tiles[candidate.shape] = tile.size;
      }
  }
  winograd.isMeasured = false;
  winograd.maxTile = 0;
}
