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

#include "mlir/Bytecode/BytecodeWriter.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Parser/Parser.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"

using namespace mlir;
using namespace baco;
using namespace baco::driver;
using globalopt::WinogradCandidate;

namespace {
/// The time of an algorithm, or why it has none.
struct ProbeTime {
  std::optional<double> ns;
  std::string problem;
};

/// Measures the algorithms of a shape.
class ProbeTimer {
public:
  ProbeTimer(const WinogradCandidate &candidate, const KernelOptions &kernels,
             const TuneOptions &tuning, const std::atomic<bool> *stop);

  /// The time under default schedules by tiles of that extent, or of the
  /// convolution itself (0). Fails, with a diagnostic, where the environment
  /// does.
  FailureOr<ProbeTime> measure(int64_t tile);

private:
  OwningOpRef<ModuleOp> makeModule(MLIRContext &context, int64_t tile) const;

  const WinogradCandidate &candidate;
  const TuneOptions &tuning;
  const std::atomic<bool> *stop;
  KernelOptions options;
  /// The probe, aligned as its resources need it.
  std::unique_ptr<llvm::WritableMemoryBuffer> bytecode;
};
} // namespace

ProbeTimer::ProbeTimer(const WinogradCandidate &candidate,
                       const KernelOptions &kernels, const TuneOptions &tuning,
                       const std::atomic<bool> *stop)
    : candidate(candidate), tuning(tuning), stop(stop) {
  options.layout = kernels.layout;
  options.host = kernels.host;
  options.costCpu = kernels.costCpu;
  options.cpu = kernels.cpu;
  options.plans = kernels.plans;
  options.target = kernels.target;
  std::string bytes;
  llvm::raw_string_ostream stream(bytes);
  // A stream in memory takes it.
  (void)writeBytecodeToFile(candidate.probe.get(), stream);
  const llvm::Align alignment(4096);
  bytecode = llvm::WritableMemoryBuffer::getNewUninitMemBuffer(
      bytes.size(), candidate.shape, alignment);
  llvm::copy(bytes, bytecode->getBufferStart());
}

OwningOpRef<ModuleOp> ProbeTimer::makeModule(MLIRContext &context,
                                             int64_t tile) const {
  auto module = parseSourceString<ModuleOp>(
      StringRef(bytecode->getBufferStart(), bytecode->getBufferSize()),
      &context);
  if (module && tile > 0)
    for (auto function : module->getOps<func::FuncOp>())
      function.setName(
          (function.getName() + "_tile" + std::to_string(tile)).str());
  return module;
}

FailureOr<ProbeTime> ProbeTimer::measure(int64_t tile) {
  // Resources of a context have names of their own: transformed filters of the
  // module must have those that they have without a measurement.
  MLIRContext context(candidate.probe.get()->getContext()->getDialectRegistry(),
                      MLIRContext::Threading::DISABLED);
  context.loadAllAvailableDialects();
  std::string problem;
  ScopedDiagnosticHandler record(&context, [&](Diagnostic &diagnostic) {
    if (diagnostic.getSeverity() == DiagnosticSeverity::Error &&
        problem.empty())
      problem = diagnostic.str();
    return success();
  });
  OwningOpRef<ModuleOp> module = makeModule(context, tile);
  options.winograd = {.maxTile = tile, .isForced = true};
  FailureOr<FoundKernels> found =
      module ? takeKernels(*module, options) : FailureOr<FoundKernels>();
  if (failed(found) || found->kernels.empty())
    return ProbeTime{std::nullopt, problem};
  double sum = 0;
  report::NoProgress progress;
  for (const Kernel &kernel : found->kernels) {
    KernelTuner tuner(kernel, tuning, progress, stop);
    if (succeeded(tuner.prepare()))
      tuner.search(/*budget=*/1, /*seconds=*/0);
    if (!problem.empty() && tuner.failureKind() == TuneFailure::Environment)
      return emitError(candidate.location)
             << "winograd: can't measure " << candidate.shape << ": "
             << problem;
    std::optional<double> ns =
        problem.empty() ? tuner.defaultNs() : std::nullopt;
    if (!ns)
      return ProbeTime{std::nullopt, problem};
    sum += *ns * kernel.calls.value_or(1);
  }
  return ProbeTime{sum, ""};
}

/// Tells the costs and errors of the tiles of a shape.
static void remarkTimes(const WinogradCandidate &candidate,
                        ArrayRef<ProbeTime> times, CostUnit unit) {
  InFlightDiagnostic remark = emitRemark(candidate.location);
  remark << "3x3 convolution " << candidate.shape << ": ";
  for (auto [i, tile] : llvm::enumerate(candidate.tiles)) {
    std::string size = std::to_string(tile.size), error;
    llvm::raw_string_ostream(error) << llvm::format("%.1e", tile.error);
    remark << (i == 0 ? "directly "
                      : "; by Winograd's tiles of " + size + "x" + size + " ")
           << (times[i].ns ? report::formatCost(*times[i].ns, unit)
                           : "without a right result in time");
    if (!times[i].problem.empty())
      remark << " (" << times[i].problem << ")";
    remark << ", error " << error;
  }
  remark << " of the largest result";
}

/// Whether the rest of the time is for the search.
static bool isHalfOver(const TuneOptions &tuning) {
  return tuning.timeLimitS > 0 && *tuning.secondsLeft() < tuning.timeLimitS / 2;
}

/// The journal of probes beside another one.
static std::string journalBeside(StringRef database) {
  SmallString<256> path(database);
  llvm::sys::path::replace_extension(path, "winograd.db");
  return path.str().str();
}

LogicalResult driver::measureWinograd(
    ModuleOp module, const KernelOptions &kernels, const TuneOptions &tuning,
    const std::atomic<bool> *stop,
    const std::function<void(const std::string &)> &announce,
    globalopt::WinogradOptions &winograd) {
  // Less may be noise, and changes roundings for nothing.
  constexpr double enough = 0.95;
  winograd.isMeasured = false;
  TuneOptions once = tuning;
  once.budget = 1;
  once.stop.clear();
  once.like.clear();
  if (!tuning.database.empty())
    once.database = journalBeside(tuning.database);
  auto candidates = globalopt::findWinogradCandidates(module, winograd);
  winograd.maxTile = 0;
  for (auto [i, candidate] : llvm::enumerate(candidates)) {
    if (stop && *stop)
      break;
    announce("measuring convolutions of " + candidate.shape + " (" +
             std::to_string(i + 1) + " of " +
             std::to_string(candidates.size()) + ")");
    ProbeTimer timer(candidate, kernels, once, stop);
    std::vector<ProbeTime> times;
    for (const WinogradCandidate::Tile &tile : candidate.tiles) {
      if (isHalfOver(tuning)) {
        emitWarning(candidate.location)
            << candidates.size() - i
            << " shapes of 3x3 convolutions stay as they are: half of the time "
               "limit was over before they were measured; raise --time-limit";
        return success();
      }
      FailureOr<ProbeTime> time = timer.measure(tile.size);
      if (failed(time))
        return failure();
      times.push_back(*time);
    }
    if (stop && *stop)
      break;
    remarkTimes(candidate, times,
                tuning.isEvaluatedBy(EvaluatorKind::Static)
                    ? CostUnit::Cycles
                    : CostUnit::Nanoseconds);
    // Without a time there is nothing to compare with.
    double least = enough * times.front().ns.value_or(0);
    for (auto [tile, time] : llvm::zip_equal(candidate.tiles, times))
      if (tile.size > 0 && time.ns && *time.ns < least) {
        least = *time.ns;
        winograd.tiles[candidate.shape] = tile.size;
      }
  }
  return success();
}
