//===- ModuleTuner.cpp - Tune the kernels of a module ---------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Shares follow from outcomes that the journal has, so nothing else needs to be
// recorded: first every default is measured, then the budget is shared once,
// then it is spent in rounds. Unused evaluations of a round start the next one.
//
//===----------------------------------------------------------------------===//

#include "baco/Driver/ModuleTuner.h"

#include "BudgetAllocation.h"
#include "KernelTuner.h"
#include "ProgramFinals.h"
#include "baco/Analysis/Fingerprint.h"
#include "baco/Format/SpaceFormat.h"
#include "baco/Schedule/ExtractSpace.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

#include <cmath>

using namespace mlir;
using namespace baco;
using namespace baco::driver;

// Anchors the vtable.
ModuleListener::~ModuleListener() = default;

namespace {
/// Kernels that are the same, and their search.
struct Search {
  /// Indices of the kernels; the first one is run.
  SmallVector<size_t> kernels;
  std::unique_ptr<KernelTuner> tuner;
  /// How often they run together, if known.
  std::optional<double> calls;
};

/// The tuning of a module.
class ModuleTuner {
public:
  ModuleTuner(const FoundKernels &found, const TuneOptions &options,
              ModuleListener &listener, const std::atomic<bool> *stop)
      : found(found), kernels(found.kernels), options(options),
        listener(listener), stop(stop), results(kernels.size()) {}

  TunedKernels run();

private:
  bool stopRequested() const { return stop && *stop; }
  bool isUnlimited() const { return options.budget == UINT64_MAX; }
  void findSearches();
  void plan();
  bool isFull(const std::vector<Search> &ready) const;
  void prepare();
  void search(size_t i, uint64_t budget, double seconds);
  void runAlone();
  void measureDefaults();
  void share();
  void runRounds();
  void runRound(const std::vector<bool> &isOpen);
  double secondsLeft() const;
  double searchSecondsLeft() const;
  void finish(Search &search);
  void keep(size_t kernel, TunedKernel tuned, TuneFailure failure);
  void recordFallbacks(TunedKernels &tuned);
  TunedKernel copyFor(const Kernel &kernel, const TunedKernel &tuned) const;

  const FoundKernels &found;
  ArrayRef<Kernel> kernels;
  TuneOptions options;
  ModuleListener &listener;
  const std::atomic<bool> *stop;
  std::vector<Search> searches;
  /// The shared budget.
  uint64_t budget = 0;
  /// The shares of the searches, once the defaults are measured; grants are
  /// parts of the time where evaluations have no limit.
  std::vector<Share> shares;
  /// The result of each kernel so far.
  std::vector<std::optional<TunedKernel>> results;
  std::vector<TuneFailure> failures;
};
} // namespace

/// One search for each kernel that differs from those before it.
void ModuleTuner::findSearches() {
  std::vector<KernelText> texts;
  for (auto [i, kernel] : llvm::enumerate(kernels)) {
    KernelText text =
        canonicalText(kernel.payload.get(), kernel.name, kernel.schedule.get());
    auto same = llvm::find(texts, text);
    size_t place = same - texts.begin();
    if (same == texts.end()) {
      texts.push_back(std::move(text));
      searches.emplace_back();
      searches.back().calls = 0;
    }
    Search &search = searches[place];
    search.kernels.push_back(i);
    search.calls = search.calls && kernel.calls
                       ? std::optional(*search.calls + *kernel.calls)
                       : std::nullopt;
  }
}

/// The size of the space of an annotated kernel, whose extraction is quick;
/// nullopt if it isn't known.
static std::optional<uint64_t> countConfigurations(const Kernel &kernel,
                                                   bool ignoreAdvisory) {
  if (!kernel.isAnnotated)
    return std::nullopt;
  ScopedDiagnosticHandler silence(kernel.location.getContext(),
                                  [](Diagnostic &) { return success(); });
  FailureOr<Space> space = extractSpace(kernel, ignoreAdvisory);
  return succeeded(space) ? space->countIfSmall() : std::nullopt;
}

/// Drops the searches that the options leave out.
void ModuleTuner::plan() {
  TuningPlan plan;
  for (const Search &search : searches) {
    const Kernel &kernel = kernels[search.kernels.front()];
    plan.kernels.push_back({.kernel = search.kernels.front(),
                            .count = search.kernels.size(),
                            .calls = search.calls,
                            .estimatedNs = estimateNs(kernel),
                            .numConfigurations = countConfigurations(
                                kernel, options.ignoreAdvisory)});
  }
  plan.complete(options);
  listener.planned(plan);
  std::vector<Search> chosen;
  for (auto [search, planned] : llvm::zip_equal(searches, plan.kernels))
    if (planned.isChosen)
      chosen.push_back(std::move(search));
  searches = std::move(chosen);
  if (searches.size() > 1 && options.endsWithoutGain())
    options.stop = TuneOptions::stopWithoutGain;
}

/// Whether no time is left for one more search than `ready`, all of which have
/// a default to measure and a comparison at the end.
bool ModuleTuner::isFull(const std::vector<Search> &ready) const {
  if (ready.empty())
    return false;
  double setup = 0;
  for (const Search &search : ready)
    setup += search.tuner->preparedSeconds();
  // A default takes about as long as the set-up does; a comparison has about as
  // many turns of each of two or three modules.
  constexpr double turns = 10;
  double rest =
      setup + static_cast<double>(ready.size()) * turns *
                  static_cast<double>(options.measure.timing.comparisonMs) /
                  1000;
  // A few kernels may take a few seconds in any case.
  return std::max(0.0, rest - minSeconds) > secondsLeft();
}

/// Starts the searches; those that can't be are dropped.
void ModuleTuner::prepare() {
  std::vector<Search> ready;
  for (auto [i, search] : llvm::enumerate(searches)) {
    if (stopRequested())
      break;
    if (isFull(ready)) {
      const Kernel &kernel = kernels[search.kernels.front()];
      emitWarning(kernel.location)
          << "'" << kernel.name << "' and " << searches.size() - i - 1
          << " more kernels stay as they are: the "
          << "time limit is too short for all kernels; raise --time-limit, or "
             "choose one with --entry";
      break;
    }
    size_t first = search.kernels.front();
    search.tuner = std::make_unique<KernelTuner>(
        kernels[first], options, listener.progressOf(first), stop);
    bool works = succeeded(search.tuner->prepare());
    listener.pause(first);
    if (works)
      ready.push_back(std::move(search));
    else
      failures.insert(failures.end(), search.kernels.size(),
                      search.tuner->failureKind());
  }
  searches = std::move(ready);
}

void ModuleTuner::search(size_t i, uint64_t trials, double seconds) {
  searches[i].tuner->search(trials, seconds);
  listener.pause(searches[i].kernels.front());
}

/// One trial each: the shares follow from them.
void ModuleTuner::measureDefaults() {
  for (size_t i = 0; i < searches.size() && !stopRequested(); ++i)
    search(i, 1, 0);
}

void ModuleTuner::share() {
  std::vector<std::optional<double>> weights;
  double sum = 0;
  size_t numKnown = 0;
  for (const Search &search : searches) {
    std::optional<double> weight = search.tuner->defaultNs();
    // Assume one call where the number of calls is unknown.
    if (weight)
      *weight *= search.calls.value_or(search.kernels.size());
    // A kernel that isn't called still gets a small share, because it is in the
    // module.
    if (weight && !(*weight > 0))
      weight = 1e-9;
    weights.push_back(weight);
    sum += weight.value_or(0);
    numKnown += weight.has_value();
  }
  double usual = numKnown > 0 ? sum / static_cast<double>(numKnown) : 1;
  for (auto [search, weight] : llvm::zip_equal(searches, weights))
    shares.push_back({weight.value_or(usual),
                      isUnlimited()
                          ? UINT64_MAX
                          : search.tuner->spaceSize().value_or(UINT64_MAX)});
  bool isTotal = !isUnlimited() && !options.isBudgetPerKernel;
  uint64_t each = isUnlimited() ? TuneOptions().budget : options.budget;
  budget = isTotal ? options.budget : each * searches.size();
  shareBudget(shares, budget);
}

/// The remaining time of all searches; infinite without a limit.
double ModuleTuner::secondsLeft() const {
  return options.secondsLeft().value_or(
      std::numeric_limits<double>::infinity());
}

/// The same without the time for the last measurements, but at least half of
/// it.
double ModuleTuner::searchSecondsLeft() const {
  double rest = 0;
  for (const Search &search : searches)
    rest += std::max(0.0, search.tuner->expectedFinalSeconds() - minSeconds);
  double left = secondsLeft();
  return std::max(left - rest, left / 2);
}

/// Lets the open searches spend their grants; each gets its part of the time
/// that is left when its turn comes.
void ModuleTuner::runRound(const std::vector<bool> &isOpen) {
  double granted = 0;
  for (size_t i = 0; i < searches.size(); ++i)
    if (isOpen[i])
      granted += static_cast<double>(shares[i].granted);
  for (size_t i = 0; i < searches.size() && !stopRequested(); ++i) {
    if (!isOpen[i])
      continue;
    // A search without time adds a note.
    double left = std::max(searchSecondsLeft(), 1e-9);
    double part = static_cast<double>(shares[i].granted);
    double seconds =
        std::isfinite(left)
            ? searches[i].tuner->searchedSeconds() + left * part / granted
            : 0;
    granted -= part;
    // A search reports an exhausted space only when it is asked for more.
    bool isFull = shares[i].granted == shares[i].room;
    search(i, isUnlimited() || isFull ? UINT64_MAX : shares[i].granted,
           seconds);
  }
}

void ModuleTuner::runRounds() {
  std::vector<bool> isOpen(searches.size(), true);
  while (true) {
    runRound(isOpen);
    if (stopRequested())
      return;
    uint64_t spare = isUnlimited() ? 0 : budget;
    bool wantsTime = false;
    for (auto [i, search] : llvm::enumerate(searches)) {
      const KernelTuner &tuner = *search.tuner;
      isOpen[i] = !tuner.isClosed();
      uint64_t used = isOpen[i]
                          ? shares[i].granted
                          : std::min(tuner.numTrials(), shares[i].granted);
      spare -= std::min(spare, used);
      wantsTime |= isOpen[i] && tuner.isOutOfTime();
    }
    uint64_t rest = grantByWeight(shares, isOpen, spare);
    if (rest == spare && !(wantsTime && searchSecondsLeft() > 0))
      return;
  }
}

/// Runs the searches one after the other, if there is no budget to share.
void ModuleTuner::runAlone() {
  for (size_t i = 0; i < searches.size(); ++i) {
    bool isTimed = options.timeLimitS > 0;
    // Without a default there is no result.
    if (!stopRequested() && isTimed)
      search(i, 1, 0);
    double seconds = searches[i].tuner->searchedSeconds() +
                     std::max(searchSecondsLeft(), 1e-9);
    if (!stopRequested() && !(isTimed && searches[i].tuner->isClosed()))
      search(i, options.budget, isTimed ? seconds : 0);
    finish(searches[i]);
  }
}

/// The result of a kernel that is equal to a tuned one: its schedule, without
/// trials.
TunedKernel ModuleTuner::copyFor(const Kernel &kernel,
                                 const TunedKernel &tuned) const {
  TunedKernel copy;
  copy.summary = tuned.summary;
  report::KernelSummary &summary = copy.summary;
  summary.sameAs = tuned.summary.name;
  summary.name = kernel.name;
  summary.share.reset();
  summary.evaluations = 0;
  summary.counts = {};
  summary.wallSeconds = summary.setupSeconds = summary.trialSeconds = 0;
  summary.finalSeconds = summary.searchSeconds = 0;
  summary.compileSeconds = summary.runSeconds = 0;
  copy.study = tuned.study;
  copy.interrupted = tuned.interrupted;
  copy.failed = tuned.failed;
  if (!tuned.schedule)
    return copy;
  // Its parameters may have other names. Warnings about the first one aren't
  // repeated.
  ScopedDiagnosticHandler quiet(
      kernel.location.getContext(), [](Diagnostic &diagnostic) {
        return success(diagnostic.getSeverity() != DiagnosticSeverity::Error);
      });
  FailureOr<Space> space = extractSpace(kernel, options.ignoreAdvisory);
  if (failed(space))
    return copy;
  auto resolved = resolveSchedule(kernel, *space, tuned.choices, nullptr);
  if (failed(resolved))
    return copy;
  copy.schedule = std::move(*resolved);
  if (tuned.fallback)
    copy.fallback = resolve(kernel, *space, tuned.fallback->choices);
  copy.choices = tuned.choices;
  copy.extents = writeExtents(*space);
  summary.configuration = writeConfiguration(*space, tuned.choices);
  return copy;
}

void ModuleTuner::finish(Search &search) {
  size_t first = search.kernels.front();
  FailureOr<TunedKernel> tuned = search.tuner->finish(search.calls);
  TuneFailure failure = search.tuner->failureKind();
  listener.pause(first);
  if (failed(tuned)) {
    // A search that had no turn is passed over.
    if (!stopRequested())
      failures.insert(failures.end(), search.kernels.size(), failure);
    return;
  }
  if (!shares.empty()) {
    double sum = 0;
    for (const Share &share : shares)
      sum += share.weight;
    const Share &share = shares[&search - searches.data()];
    tuned->summary.share = {share.weight / sum, search.calls,
                            isUnlimited() ? 0 : share.granted};
  }
  auto others = ArrayRef(search.kernels).drop_front();
  std::vector<TunedKernel> copies;
  for (size_t kernel : others)
    copies.push_back(copyFor(kernels[kernel], *tuned));
  keep(first, std::move(*tuned), failure);
  for (auto [kernel, copy] : llvm::zip_equal(others, copies))
    keep(kernel, std::move(copy), failure);
}

/// How to raise the limit that most candidates ran into; empty if it was none.
static std::string describeRemedy(const report::StatusCounts &counts) {
  auto status = static_cast<Status>(
      std::distance(counts.begin(), llvm::max_element(counts)));
  if (status == Status::TimedOut)
    return "; for more time, see baco-tune-driver --compile-timeout and "
           "--run-timeout";
  if (status == Status::OutOfMemory)
    return "; for more memory, see baco-tune-driver --memory-limit";
  return {};
}

/// Says why no schedule of a kernel works.
static void emitNothingWorks(const Kernel &kernel, const TunedKernel &tuned) {
  const std::vector<std::string> &notes = tuned.summary.notes;
  emitError(kernel.location)
      << "'" << kernel.name << "' has no schedule that works: "
      << (notes.empty() ? "no candidate was tried" : llvm::join(notes, "; "))
      << describeRemedy(tuned.summary.counts);
}

/// Adds to the result; `failure` is why `tuned` failed, if it did.
void ModuleTuner::keep(size_t kernel, TunedKernel tuned, TuneFailure failure) {
  listener.finished(kernel, tuned);
  if (tuned.failed) {
    failures.push_back(failure);
  } else if (!tuned.isSettled() && !tuned.interrupted) {
    if (tuned.summary.sameAs.empty())
      emitNothingWorks(kernels[kernel], tuned);
    failures.push_back(TuneFailure::NothingWorks);
  }
  results[kernel] = std::move(tuned);
}

/// Journals which kernels have other code for the sake of a program.
void ModuleTuner::recordFallbacks(TunedKernels &tuned) {
  for (Search &search : searches) {
    const Kernel &kernel = kernels[search.kernels.front()];
    for (const TunedKernel &one : tuned.kernels) {
      if (one.summary.name != kernel.name || one.summary.keptFor.empty())
        continue;
      Result<void> recorded = search.tuner->recordFallback(*one.summary.kept);
      if (recorded)
        continue;
      emitError(kernel.location) << recorded.error().message;
      tuned.failures.push_back(TuneFailure::Environment);
    }
  }
}

TunedKernels ModuleTuner::run() {
  findSearches();
  plan();
  prepare();
  if (searches.size() == 1 || (isUnlimited() && options.timeLimitS == 0)) {
    runAlone();
  } else {
    measureDefaults();
    if (!stopRequested()) {
      share();
      runRounds();
    }
    for (Search &search : searches)
      finish(search);
  }
  TunedKernels tuned;
  tuned.failures = std::move(failures);
  for (std::optional<TunedKernel> &kernel : results)
    if (kernel)
      tuned.kernels.push_back(std::move(*kernel));
  tuned.programs =
      comparePrograms({found, tuned.kernels, options, listener, stop});
  recordFallbacks(tuned);
  return tuned;
}

TunedKernels driver::tuneModule(const FoundKernels &found,
                                const TuneOptions &options,
                                ModuleListener &listener,
                                const std::atomic<bool> *stop) {
  return ModuleTuner(found, options, listener, stop).run();
}
