//===- ProgramFinals.cpp - Final results of programs ----------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The versions of a program are the modules that would be written. A worker
// compiles, checks and times them as it does candidates of a kernel.
//
//===----------------------------------------------------------------------===//

#include "ProgramFinals.h"

#include "KernelTuner.h"
#include "baco/Driver/Outputs.h"
#include "baco/Driver/StaticEvaluator.h"
#include "baco/Driver/WorkerPath.h"
#include "baco/Finals/FinalComparison.h"
#include "baco/Measure/Noise.h"
#include "baco/Report/Units.h"
#include "baco/Schedule/ExtractSpace.h"

#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using namespace baco;
using namespace baco::driver;
using namespace baco::finals;
using database::Final;
using database::Finalist;

using Clock = std::chrono::steady_clock;

/// The numbers of the versions in the place of those of trials.
static constexpr size_t defaultVersion = 0, tunedVersion = 1;

//===----------------------------------------------------------------------===//
// The code of kernels
//===----------------------------------------------------------------------===//

/// Gives `kernel` the code `kept`, for the sake of `program`.
static void fallBack(TunedKernel &kernel, Kept kept, StringRef program) {
  report::KernelSummary &summary = kernel.summary;
  if (!kernel.schedule || (kept == Kept::Default && !kernel.fallback))
    return;
  ResolvedSchedule none;
  ResolvedSchedule &code = kept == Kept::Default ? *kernel.fallback : none;
  summary.bestOther =
      kept == Kept::Default ? summary.speedup : summary.speedupOverPlain;
  summary.best =
      kept == Kept::Default ? summary.defaultSchedule : summary.plain;
  auto over = [&](const std::optional<report::MeasuredTime> &other) {
    return other && summary.best
               ? std::optional(report::SpeedUp{
                     other->timeNs / summary.best->timeNs, std::nullopt})
               : std::nullopt;
  };
  summary.speedup = over(summary.defaultSchedule);
  summary.speedupOverPlain = over(summary.plain);
  summary.kept = kept;
  summary.keptFor = program;
  summary.configuration = std::move(code.configuration);
  summary.inactive = std::move(code.inactive);
  summary.conversionNs.reset();
  summary.isPrepared = false;
  kernel.schedule = std::move(code.schedule);
  kernel.choices = std::move(code.choices);
  if (kept == Kept::Plain)
    kernel.extents.clear();
  kernel.fallback.reset();
}

namespace {
/// The comparison of one program.
class ProgramComparison {
public:
  ProgramComparison(const Program &program, const ProgramFinals &finals)
      : program(program), finals(finals),
        progress(finals.listener.progressOf(program.calls.front().first)) {
    summary.name = program.whole.name;
  }

  /// Whether a kernel of it has a schedule.
  bool isTuned() const;
  report::ProgramSummary run();
  /// Whether kernels got other code.
  bool hasFallenBack() const { return fellBack; }
  /// Whether it may call `kernel`.
  bool has(const TunedKernel &kernel) const;

private:
  bool stopRequested() const { return finals.stop && *finals.stop; }
  double secondsLeft() const;
  std::string findObstacle() const;
  void leave(const Twine &why);
  const TunedKernel *tunedOf(size_t kernel) const;
  void listParts();
  double estimateNs(const Outcome &plain) const;
  FailureOr<std::string> makeVersion(bool isDefault) const;
  Result<std::unique_ptr<measure::Workers>> startWorker();
  Result<Final> compare(measure::Workers &worker);
  Result<Final> compareOnce(measure::Workers &worker, bool hasPlain);
  bool isPlainMissing(const Final &final, const Outcome *plain) const;
  void decide(const Final &final);
  void keep(Kept kept, const Final &final, const Finalist *winner);
  void tellTimes(const Final &final);

  const Program &program;
  const ProgramFinals &finals;
  report::ProgressListener &progress;
  report::ProgramSummary summary;
  bool hasDefault = false, fellBack = false;
  /// The next comparison draws other placements.
  uint64_t seed = 0;
  Clock::time_point end;
};
} // namespace

bool ProgramComparison::has(const TunedKernel &kernel) const {
  ModuleOp payload = program.whole.payload.get();
  return payload ? payload.lookupSymbol(kernel.summary.name) != nullptr
                 : llvm::any_of(program.calls, [&](const auto &call) {
                     return finals.found.kernels[call.first].name ==
                            kernel.summary.name;
                   });
}

bool ProgramComparison::isTuned() const {
  return llvm::any_of(finals.kernels, [&](const TunedKernel &kernel) {
    return kernel.schedule && has(kernel);
  });
}

double ProgramComparison::secondsLeft() const {
  return std::max(0.0,
                  std::chrono::duration<double>(end - Clock::now()).count());
}

/// The reason why the program can't be compared; empty if there is none.
std::string ProgramComparison::findObstacle() const {
  if (!program.obstacle.empty())
    return "it can't be run alone, because " + program.obstacle;
  if (!finals.options.isEvaluatedBy(EvaluatorKind::Jit))
    return "evaluator " + finals.options.evaluator + " runs nothing";
  if (!program.whole.target->isCpu())
    return "only programs for the CPU are run as a whole";
  return "";
}

void ProgramComparison::leave(const Twine &why) {
  if (stopRequested())
    return;
  summary.notes.push_back(("not compared as a whole: " + why).str());
  emitRemark(program.whole.location)
      << "'" << program.whole.name << "' isn't compared as a whole: " << why;
}

//===----------------------------------------------------------------------===//
// Times of kernels
//===----------------------------------------------------------------------===//

const TunedKernel *ProgramComparison::tunedOf(size_t kernel) const {
  const auto *found = llvm::find_if(finals.kernels, [&](const auto &tuned) {
    return tuned.summary.name == finals.found.kernels[kernel].name;
  });
  return found == finals.kernels.end() ? nullptr : found;
}

/// Kernels that weren't tuned have no times, and are a part of the rest.
void ProgramComparison::listParts() {
  for (const auto &[kernel, calls] : program.calls)
    if (const TunedKernel *tuned = tunedOf(kernel); tuned && tuned->isSettled())
      summary.parts.push_back({tuned->summary.name, calls,
                               tuned->summary.best
                                   ? std::optional(tuned->summary.best->timeNs)
                                   : std::nullopt});
}

/// The time of the tuned program, if what lies between its kernels takes as
/// long as in the original. At least that of its kernels.
double ProgramComparison::estimateNs(const Outcome &plain) const {
  double kernelsNs = 0, originalNs = 0;
  for (const auto &[kernel, calls] : program.calls) {
    const TunedKernel *tuned = tunedOf(kernel);
    if (!tuned || !tuned->summary.best || !tuned->summary.plain)
      continue;
    kernelsNs += calls.value_or(1) * tuned->summary.best->timeNs;
    originalNs += calls.value_or(1) * tuned->summary.plain->timeNs;
  }
  return kernelsNs + std::max(0.0, plain.timeNs - originalNs);
}

//===----------------------------------------------------------------------===//
// Measuring
//===----------------------------------------------------------------------===//

/// The text of the program with the chosen schedules, or with default ones
/// where others were chosen.
FailureOr<std::string> ProgramComparison::makeVersion(bool isDefault) const {
  OwningOpRef<ModuleOp> module = program.whole.payload.get().clone();
  SmallVector<apply::ScheduledKernel> schedules;
  for (TunedKernel &kernel : finals.kernels) {
    if (!kernel.schedule || !has(kernel))
      continue;
    bool replaces = isDefault && kernel.fallback;
    schedules.push_back(
        {kernel.summary.name,
         replaces ? kernel.fallback->schedule.get() : kernel.schedule.get(),
         schedule::defaultSequence.str()});
  }
  // Writing the tuned module repeats warnings and errors.
  ScopedDiagnosticHandler silence(module->getContext(),
                                  [](Diagnostic &) { return success(); });
  if (failed(applyAll(*module, schedules, program.interface)))
    return failure();
  return printForWorker(*module);
}

Result<std::unique_ptr<measure::Workers>> ProgramComparison::startWorker() {
  const TuneOptions &options = finals.options;
  Result<WorkerPlace> place = options.workerPlace();
  if (!place)
    return place.error();
  FailureOr<std::string> tuned = makeVersion(/*isDefault=*/false);
  if (failed(tuned))
    return {ErrorCode::InvalidArgument, "its schedules can't be applied"};
  llvm::json::Object versions{{"tuned", *tuned}};
  if (hasDefault) {
    FailureOr<std::string> version = makeVersion(/*isDefault=*/true);
    hasDefault = succeeded(version);
    if (hasDefault)
      versions["default"] = *version;
  }
  Result<WorkerSetUp> setUp = program.whole.target->setUpWorker(
      program.whole, options.device, /*isStatic=*/false);
  if (!setUp)
    return setUp.error();
  setUp->fields["versions"] = std::move(versions);
  runtime::MeasureOptions measure = measure::ofRound(options.measure);
  measure.inputSeed = options.seed;
  auto leftMs = static_cast<int64_t>(1000 * secondsLeft()) + 1;
  runtime::Limits &limits = measure.limits;
  limits.setupTimeoutMs = std::min(limits.setupTimeoutMs, leftMs);
  // It has the code of all kernels.
  limits.compileTimeoutMs = std::max(limits.compileTimeoutMs, leftMs);
  return place->start(
      {{.text = describeForWorker(program.whole, options.sharedLibs,
                                  std::move(setUp->fields)),
        .measure = measure,
        .stop = finals.stop,
        .onWaiting = [this](const std::string &holder, double) {
          if (!holder.empty())
            progress.announce(
                "waiting for the CPU, which another tuner uses (" + holder +
                ")");
        }}});
}

/// The rounds of all versions, and of the original if `hasPlain`.
Result<Final> ProgramComparison::compareOnce(measure::Workers &worker,
                                             bool hasPlain) {
  FinalistSet ballot;
  ballot.trials = {tunedVersion};
  std::vector<measure::Finalist> contenders = {{R"({"version":"tuned"})"}};
  if (hasDefault) {
    ballot.trials.push_back(defaultVersion);
    contenders.push_back({R"({"version":"default"})"});
  }
  ballot.hasPlain = hasPlain;
  if (hasPlain)
    contenders.push_back({std::nullopt});
  double comparisonMs = finals.options.measure.timing.comparisonMs;
  measure::RoundsOptions rounds;
  rounds.longestMs = measure::longestComparisonMs(comparisonMs);
  rounds.seed = finals.options.seed + seed++;
  // The others have to beat the tuned program.
  rounds.defender = 0;
  rounds.onRound = [&](int round) {
    progress.announce("comparing '" + program.whole.name + "' as a whole",
                      "round " + std::to_string(round + 1) + " of at most " +
                          std::to_string(measure::maxRounds));
  };
  Result<measure::Comparison> compared = worker.compare(contenders, rounds);
  if (!compared)
    return compared.error();
  Final final = recordOf(ballot, *compared, &worker.ready().plain);
  std::optional<measure::Ratio> decisive;
  if (hasDefault && llvm::all_of(ArrayRef(final.finalists).take_front(2),
                                 [](const Finalist &finalist) {
                                   return finalist.outcome.status == Status::Ok;
                                 }))
    decisive =
        ratioOf(final.finalists[1], final.finalists[0], final.confidence);
  llvm::append_range(summary.notes,
                     measure::describeNoise(worker.ready().cpu, /*trials=*/{},
                                            compared->finalists, decisive));
  if (compared->cut != measure::Cut::None && contenders.size() > 1)
    summary.notes.push_back(
        "its comparison has " + std::to_string(numRoundsOf(final)) +
        " rounds instead of " + std::to_string(measure::numRounds) +
        ", for lack of time: the confidence of its intervals is " +
        report::formatNumber(100 * final.confidence) +
        " %; raise --program-time and --final-time for more");
  return final;
}

/// Whether the original, which was expected to be too slow, may be the fastest.
bool ProgramComparison::isPlainMissing(const Final &final,
                                       const Outcome *plain) const {
  constexpr double nearFactor = 2;
  double longestMs =
      measure::longestComparisonMs(finals.options.measure.timing.comparisonMs);
  return llvm::any_of(final.finalists, [&](const Finalist &finalist) {
    return finalist.outcome.status == Status::Ok &&
           couldPlainWin(plain, finalist.outcome.timeNs, longestMs) &&
           plain->timeNs < nearFactor * finalist.outcome.timeNs;
  });
}

Result<Final> ProgramComparison::compare(measure::Workers &worker) {
  worker.endIn(secondsLeft());
  if (Result<void> done = worker.complete(); !done)
    return done.error();
  const Outcome *plain = &worker.ready().plain;
  bool isKnown = plain->status == Status::Ok;
  bool hasPlain =
      isKnown && couldPlainWin(plain, estimateNs(*plain),
                               measure::longestComparisonMs(
                                   finals.options.measure.timing.comparisonMs));
  Result<Final> final = compareOnce(worker, hasPlain);
  if (final && !hasPlain && isPlainMissing(*final, plain)) {
    summary.notes.clear();
    final = compareOnce(worker, /*hasPlain=*/true);
  }
  return final;
}

//===----------------------------------------------------------------------===//
// Deciding
//===----------------------------------------------------------------------===//

static Kept keptOf(const Finalist &finalist) {
  return !finalist.trial                     ? Kept::Plain
         : *finalist.trial == defaultVersion ? Kept::Default
                                             : Kept::Tuned;
}

/// Writes the times of all finalists.
void ProgramComparison::tellTimes(const Final &final) {
  if (final.plain)
    summary.plain = timeOf(*final.plain);
  for (const Finalist &finalist : final.finalists) {
    if (finalist.outcome.status != Status::Ok)
      continue;
    Kept kept = keptOf(finalist);
    (kept == Kept::Plain     ? summary.plain
     : kept == Kept::Default ? summary.defaultSchedule
                             : summary.tuned) = timeOf(finalist.outcome);
  }
}

/// Keeps that code, which was in the comparison if `winner` isn't null.
void ProgramComparison::keep(Kept kept, const Final &final,
                             const Finalist *winner) {
  summary.kept = kept;
  auto speedUpOver = [&](Kept slower) -> std::optional<report::SpeedUp> {
    if (slower == kept)
      return report::SpeedUp();
    for (const Finalist &finalist : final.finalists)
      if (winner && keptOf(finalist) == slower &&
          finalist.outcome.status == Status::Ok)
        return speedUp(finalist, *winner, final.confidence);
    if (slower == Kept::Plain && summary.plain && summary.best())
      return report::SpeedUp{summary.plain->timeNs / summary.best()->timeNs,
                             std::nullopt};
    return std::nullopt;
  };
  if (hasDefault)
    summary.speedup = speedUpOver(Kept::Default);
  summary.speedupOverPlain = speedUpOver(Kept::Plain);
  if (kept == Kept::Tuned)
    return;
  for (TunedKernel &kernel : finals.kernels)
    if (has(kernel))
      fallBack(kernel, kept, program.whole.name);
  fellBack = true;
  StringRef code =
      kept == Kept::Default ? "their default schedules" : "the original code";
  const Finalist &tuned = final.finalists.front();
  std::string why = ": with the chosen schedules it is " +
                    std::string(statusName(tuned.outcome.status)) +
                    " as a whole: " + tuned.outcome.message;
  if (tuned.outcome.status == Status::Ok)
    why = ", with which it is certainly faster as a whole: " +
          report::writeSpeedUp(*speedUpOver(Kept::Tuned), "the tuned program");
  summary.notes.push_back(("its kernels keep " + code + why).str());
  InFlightDiagnostic diagnostic = tuned.outcome.status == Status::Ok
                                      ? emitRemark(program.whole.location)
                                      : emitWarning(program.whole.location);
  diagnostic << "the kernels of '" << program.whole.name << "' keep " << code
             << why;
}

void ProgramComparison::decide(const Final &final) {
  const Outcome &tuned = final.finalists.front().outcome;
  if (isFailure(tuned.status) && !isOwnFault(tuned.status))
    return leave("it could not be measured (" + tuned.message + ")");
  // Each kernel is right: their roundings add up.
  if (tuned.narrowMiss > 0)
    return leave("the results of its kernels are right, but roundings add up "
                 "in the whole: " +
                 tuned.message);
  if (!finals.mayChange && isFailure(tuned.status))
    return leave("it is " + std::string(statusName(tuned.status)) + ": " +
                 tuned.message);
  tellTimes(final);
  std::optional<size_t> best =
      finals.mayChange ? decideProgram(final.finalists, final.confidence) : 0;
  if (best)
    return keep(keptOf(final.finalists[*best]), final, &final.finalists[*best]);
  if (final.plain)
    return keep(Kept::Plain, final, /*winner=*/nullptr);
  leave("no version of it works (" + tuned.message + ")");
}

report::ProgramSummary ProgramComparison::run() {
  auto start = Clock::now();
  std::string obstacle = findObstacle();
  if (!obstacle.empty()) {
    leave(obstacle);
    return std::move(summary);
  }
  end = start +
        std::chrono::duration_cast<Clock::duration>(
            std::chrono::duration<double>(finals.options.programSeconds()));
  hasDefault = llvm::any_of(finals.kernels, [&](const TunedKernel &kernel) {
    return kernel.fallback && has(kernel);
  });
  progress.announce(
      "running '" + program.whole.name + "' as a whole, for at most " +
      report::formatTime(1e9 * secondsLeft()) + " (--program-time)");
  auto worker = startWorker();
  Result<Final> final = worker ? compare(**worker) : worker.error();
  if (worker)
    worker->reset();
  if (final)
    decide(*final);
  else
    leave(final.error().message +
          (final.error().code == ErrorCode::TimedOut
               ? "; give it more time with --program-time"
               : ""));
  finals.listener.pause(program.calls.front().first);
  listParts();
  summary.wallSeconds =
      std::chrono::duration<double>(Clock::now() - start).count();
  return std::move(summary);
}

static bool shareKernels(const Program &a, const Program &b) {
  return llvm::any_of(a.calls, [&](const auto &one) {
    return llvm::any_of(
        b.calls, [&](const auto &other) { return one.first == other.first; });
  });
}

std::vector<report::ProgramSummary>
driver::comparePrograms(const ProgramFinals &finals) {
  ArrayRef<Program> programs = finals.found.programs;
  std::vector<std::optional<report::ProgramSummary>> results(programs.size());
  // A kernel of two programs may fall back for the second: the first one is
  // another program then. Each time fewer kernels are tuned.
  bool isDone = finals.options.programTimeS == 0 ||
                !finals.options.measure.timing.hasFinalComparison();
  while (!isDone) {
    isDone = true;
    for (auto [i, program] : llvm::enumerate(programs)) {
      ProgramComparison comparison(program, finals);
      if (results[i] || !comparison.isTuned())
        continue;
      if (finals.stop && *finals.stop)
        return {};
      results[i] = comparison.run();
      if (!comparison.hasFallenBack())
        continue;
      isDone = false;
      for (auto [j, other] : llvm::enumerate(programs))
        if (j != i && shareKernels(program, other))
          results[j].reset();
    }
  }
  std::vector<report::ProgramSummary> summaries;
  for (std::optional<report::ProgramSummary> &one : results)
    if (one)
      summaries.push_back(std::move(*one));
  return summaries;
}
