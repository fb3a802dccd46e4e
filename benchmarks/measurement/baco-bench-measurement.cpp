//===- baco-bench-measurement.cpp - How far measurements can be trusted ---===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Repeats a tuner's last measurement on variants of which one knows how they
// compare; README.md has the options. The program is its own worker: where it
// finds a coordinator's socket it is the one that runs the variants.
//
//===----------------------------------------------------------------------===//

#include "Bars.h"
#include "NativeMatmul.h"
#include "Neighbours.h"

#include "baco/Runtime/Clock.h"
#include "baco/Runtime/Serve.h"

#include <charconv>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <sched.h>
#include <sys/stat.h>

using namespace baco;
using namespace baco::bench;

namespace {
struct Settings {
  int repeats = numRepeats, comparisons = numComparisons;
  int finalTimeMs = 0, cpu = -1, load = 0;
  bool check = false, help = false;
};
} // namespace

static constexpr const char *usage = R"(usage: baco-bench-measurement [options]

Repeats a tuner's last measurement on variants that are known to be equal, or to
differ by 3 %.

  --repeats=N       measurements of one variant against a reference (10)
  --comparisons=N   comparisons of equal and of different variants, each (20)
  --final-time=MS   for how long each variant is timed (as the tuner does)
  --cpu=N           the CPU to measure on (the last one)
  --load=N          threads that go through memory on the other CPUs (0)
  --check           exits with 1 if a bar of README.md is missed
  --help            this text
)";

static Result<void> parseNumber(std::string_view name, std::string_view text,
                                int least, int most, int &number) {
  auto [end, error] =
      std::from_chars(text.data(), text.data() + text.size(), number);
  if (error == std::errc() && end == text.data() + text.size() &&
      number >= least && number <= most)
    return {};
  return {ErrorCode::InvalidArgument,
          "option '" + std::string(name) + "' must be a number from " +
              std::to_string(least) + " to " + std::to_string(most) +
              ", but it is '" + std::string(text) + "'"};
}

static Result<Settings> parseArguments(int argc, char **argv) {
  Settings settings;
  for (int i = 1; i < argc; ++i) {
    std::string_view argument = argv[i];
    size_t equals = std::min(argument.find('='), argument.size());
    std::string_view name = argument.substr(0, equals);
    std::string_view value =
        argument.substr(std::min(equals + 1, argument.size()));
    Result<void> parsed = {};
    if (argument == "--check")
      settings.check = true;
    else if (argument == "--help")
      settings.help = true;
    else if (name == "--repeats")
      parsed = parseNumber(name, value, 1, 1000, settings.repeats);
    else if (name == "--comparisons")
      parsed = parseNumber(name, value, 1, 1000, settings.comparisons);
    else if (name == "--final-time")
      parsed = parseNumber(name, value, 1, 1000000, settings.finalTimeMs);
    else if (name == "--cpu")
      parsed = parseNumber(name, value, 0, CPU_SETSIZE - 1, settings.cpu);
    else if (name == "--load")
      parsed = parseNumber(name, value, 0, 1024, settings.load);
    else
      parsed =
          Error{ErrorCode::InvalidArgument,
                "unknown option '" + std::string(argument) + "' (see --help)"};
    if (!parsed)
      return parsed.error();
  }
  if (settings.check && (settings.repeats != numRepeats ||
                         settings.comparisons != numComparisons))
    return Error{ErrorCode::InvalidArgument,
                 "the bars of '--check' are for 10 repeats and 20 comparisons"};
  return settings;
}

/// The ratio of the times of two variants.
static Result<Comparison> compare(measure::WorkerProcess &worker,
                                  const char *numerator,
                                  const char *denominator) {
  Result<measure::Comparison> samples =
      measure::compareInRounds(worker, {{numerator}, {denominator}},
                               std::numeric_limits<double>::infinity());
  if (!samples)
    return samples.error();
  for (const measure::Samples &one : samples->finalists)
    if (one.outcome.status != Status::Ok)
      return Error{ErrorCode::IOError, one.outcome.message};
  return measure::compareRounds(samples->finalists[0], samples->finalists[1],
                                measure::finalConfidence);
}

static Result<std::vector<Comparison>> repeat(measure::WorkerProcess &worker,
                                              int times, const char *numerator,
                                              const char *denominator) {
  std::vector<Comparison> all;
  for (int i = 0; i < times; ++i) {
    Result<Comparison> one = compare(worker, numerator, denominator);
    if (!one)
      return one.error();
    std::printf("  %-8s %-8s %.4f (%.4f to %.4f)\n", numerator, denominator,
                one->value, one->interval.low, one->interval.high);
    std::fflush(stdout);
    all.push_back(*one);
  }
  return all;
}

/// Measures and prints everything; whether all bars are met.
static Result<bool> measureAll(const Settings &settings) {
  runtime::MeasureOptions options;
  options.cpu = settings.cpu;
  if (settings.finalTimeMs > 0)
    options.timing.comparisonMs = settings.finalTimeMs;
  auto worker = measure::WorkerProcess::start(
      {.program = std::filesystem::read_symlink("/proc/self/exe").string(),
       .text = "",
       .measure = measure::ofRound(options)});
  if (!worker)
    return worker.error();
  Neighbours neighbours(settings.load, (*worker)->ready().cpu);
  std::printf(
      "numerator, denominator, ratio of their times (99 %% interval)\n");
  double start = runtime::nowNs();
  auto repeated = repeat(**worker, settings.repeats, "longer", "base");
  if (!repeated)
    return repeated.error();
  auto equal = repeat(**worker, settings.comparisons, "same", "base");
  if (!equal)
    return equal.error();
  auto different = repeat(**worker, settings.comparisons, "longer", "base");
  if (!different)
    return different.error();
  double seconds = (runtime::nowNs() - start) * 1e-9;

  bool isGood = true;
  auto judge = [&](bool met) {
    isGood &= met;
    return met ? "met" : "missed";
  };
  std::printf("%d measurements of one ratio: max - min %.2f %% (at most %.0f "
              "%%: %s)\n",
              settings.repeats, 100 * range(*repeated), 100 * maxRange,
              judge(range(*repeated) <= maxRange));
  std::printf("%d comparisons of equal variants: %d claim a difference (at "
              "most %d: %s)\n",
              settings.comparisons, numClaims(*equal), maxFalseClaims,
              judge(numClaims(*equal) <= maxFalseClaims));
  std::printf("%d comparisons of variants that differ by 3 %%: %d ordered "
              "rightly (at least %d: %s), %d of them as a claim\n",
              settings.comparisons, numOrdered(*different), minOrdered,
              judge(numOrdered(*different) >= minOrdered),
              numClaims(*different));
  std::printf("%.2f s each\n",
              seconds / (settings.repeats + 2 * settings.comparisons));
  return isGood;
}

/// Whether this process was started as a worker.
static bool hasCoordinator() {
  struct stat status {};
  return fstat(runtime::workerSocket, &status) == 0 && S_ISSOCK(status.st_mode);
}

int main(int argc, char **argv) {
  if (argc == 1 && hasCoordinator()) {
    NativeMatmul compiler;
    return runtime::serve(compiler) ? 0 : 1;
  }
  Result<Settings> settings = parseArguments(argc, argv);
  Result<bool> good = true;
  if (!settings)
    good = settings.error();
  else if (settings->help)
    std::fputs(usage, stdout);
  else
    good = measureAll(*settings);
  if (!good) {
    std::fprintf(stderr, "baco-bench-measurement: error: %s\n",
                 good.error().message.c_str());
    return 1;
  }
  return *good || !settings->check ? 0 : 1;
}
