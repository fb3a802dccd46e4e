//===- baco-bench-measurement.cpp - How far measurements can be trusted ---===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Repeats a tuner's last measurement on kernels of which one knows how they
// compare, and trials of one candidate over minutes; README.md has the options.
// The program is its own worker: where it finds a coordinator's socket it is
// the one that runs the variants.
//
//===----------------------------------------------------------------------===//

#include "Bars.h"
#include "Experiments.h"
#include "KernelVariants.h"
#include "Neighbors.h"
#include "ResultFile.h"

#include "baco/Protocol/Clock.h"
#include "baco/Runtime/Serve.h"

#include <charconv>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <sched.h>
#include <sys/stat.h>

using namespace baco;
using namespace baco::bench;

namespace {
struct Settings {
  int equal = numEqual, different = numDifferent, trials = 0;
  int finalTimeMs = 0, cpu = -1, load = 0, seed = 1;
  std::string records, markdown;
  bool check = false, help = false;
};

/// An option that is a number.
struct NumberOption {
  const char *name;
  int least, most;
  int Settings::*value;
};
} // namespace

static constexpr NumberOption numberOptions[] = {
    {"--equal", 0, 1000000, &Settings::equal},
    {"--different", 0, 1000000, &Settings::different},
    {"--trials", 0, 1000000, &Settings::trials},
    {"--final-time", 1, 1000000, &Settings::finalTimeMs},
    {"--cpu", 0, CPU_SETSIZE - 1, &Settings::cpu},
    {"--load", 0, 1024, &Settings::load},
    {"--seed", 0, 1000000, &Settings::seed}};

static constexpr const char *usage = R"(usage: baco-bench-measurement [options]

Repeats a tuner's last measurement on variants that are known to be equal, or to
differ by 3 %.

  --equal=N         comparisons of equal variants (400)
  --different=N     comparisons of variants that differ by 3 % (20)
  --trials=N        trials of one candidate of each kernel, one after the other,
                    raw and corrected for the CPU's clock (0)
  --records=FILE    keeps comparisons; the same command continues from them
  --markdown=FILE   also writes the tables to this file, which keeps others
  --final-time=MS   how long each variant is timed (default: as in the tuner)
  --seed=N          seed of the placement in memory (1)
  --cpu=N           the CPU to measure on (the last one)
  --load=N          threads that use memory bandwidth on the other CPUs (0)
  --check           exits with 1 if a bar of README.md is missed
  --help            this text
)";

static Result<void> parseNumber(const NumberOption &option,
                                std::string_view text, Settings &settings) {
  int &number = settings.*option.value;
  auto [end, error] =
      std::from_chars(text.data(), text.data() + text.size(), number);
  if (error == std::errc() && end == text.data() + text.size() &&
      number >= option.least && number <= option.most)
    return {};
  return {ErrorCode::InvalidArgument,
          "option '" + std::string(option.name) + "' must be a number from " +
              std::to_string(option.least) + " to " +
              std::to_string(option.most) + ", but it is '" +
              std::string(text) + "'"};
}

static Result<void> parseArgument(std::string_view argument,
                                  Settings &settings) {
  size_t equals = std::min(argument.find('='), argument.size());
  std::string_view name = argument.substr(0, equals);
  std::string_view value =
      argument.substr(std::min(equals + 1, argument.size()));
  for (const NumberOption &option : numberOptions)
    if (name == option.name)
      return parseNumber(option, value, settings);
  if (argument == "--check")
    settings.check = true;
  else if (argument == "--help")
    settings.help = true;
  else if (name == "--records" && !value.empty())
    settings.records = value;
  else if (name == "--markdown" && !value.empty())
    settings.markdown = value;
  else
    return {ErrorCode::InvalidArgument,
            "unknown option '" + std::string(argument) + "' (see --help)"};
  return {};
}

static Result<Settings> parseArguments(int argc, char **argv) {
  Settings settings;
  for (int i = 1; i < argc; ++i)
    if (Result<void> parsed = parseArgument(argv[i], settings); !parsed)
      return parsed.error();
  if (settings.check &&
      (settings.equal != numEqual || settings.different != numDifferent))
    return Error{ErrorCode::InvalidArgument,
                 "the bars of '--check' are for 400 comparisons of equal "
                 "variants and 20 of different ones"};
  return settings;
}

/// Makes the comparisons of a kind that aren't recorded yet.
static Result<void> compareAll(KernelWorkers &workers, Records &records,
                               const std::string &kind, int count,
                               uint64_t seed) {
  for (int number = 0; number < count; ++number) {
    if (records.find(kind, number))
      continue;
    Result<Record> record = compare(workers, kind, number, seed + number);
    if (!record)
      return record.error();
    std::printf("  %-7s %-8s %4d  %.4f (%.4f to %.4f)  %2d rounds%s\n",
                kind.c_str(), record->kernel.c_str(), number, record->ratio,
                record->low, record->high, record->rounds,
                record->isClaim ? "  called faster" : "");
    std::fflush(stdout);
    if (Result<void> added = records.add(*record); !added)
      return added;
  }
  return {};
}

/// Empty where comparisons ended before there was an interval.
static std::string percent(double share) {
  if (!std::isfinite(share))
    return "";
  char text[32];
  std::snprintf(text, sizeof text, "±%.2f %%", 100 * share);
  return text;
}

/// Prints what came of a kind, and adds it to `table`; how many claims there
/// are.
static int printTally(const Records &records, const std::string &kind,
                      ResultTable &table) {
  for (const std::string &kernel : kernelNames()) {
    Tally one = tally(records.all(), kind, kernel);
    if (one.comparisons == 0)
      continue;
    std::string interval = percent(one.halfWidth);
    std::printf("  %-8s %4d comparisons, %3d with a second stage, interval %s, "
                "%d called faster\n",
                kernel.c_str(), one.comparisons, one.secondStages,
                interval.empty() ? "unknown" : interval.c_str(), one.claims);
    table.rows.push_back({kind, kernel, std::to_string(one.comparisons),
                          std::to_string(one.secondStages),
                          percent(one.halfWidth), std::to_string(one.claims)});
  }
  return tally(records.all(), kind).claims;
}

static const char *judge(bool met, bool &isGood) {
  isGood &= met;
  return met ? "met" : "missed";
}

/// Makes all comparisons; whether the bars are met.
static Result<bool> compareVariants(const Settings &settings,
                                    KernelWorkers &workers,
                                    std::vector<ResultTable> &tables) {
  Result<Records> records = Records::open(settings.records);
  if (!records)
    return records.error();
  std::printf("kind, kernel, number, ratio of times (interval), rounds\n");
  int64_t start = runtime::nowNs();
  size_t before = records->all().size();
  // Streams that don't meet.
  uint64_t seed = uint64_t(settings.seed) << 32;
  Result<void> done =
      compareAll(workers, *records, "longer", settings.different, seed);
  if (done)
    done = compareAll(workers, *records, "equal", settings.equal,
                      seed + (uint64_t(1) << 31));
  if (!done)
    return done.error();
  double seconds = static_cast<double>(runtime::nowNs() - start) * 1e-9;

  bool isGood = true;
  ResultTable table{"Comparisons",
                    {"kind", "kernel", "comparisons", "second stages",
                     "interval", "called faster"},
                    {},
                    {}};
  std::printf("variants that differ by 3 %%:\n");
  int found = printTally(*records, "longer", table);
  std::printf("  %d of %d found (at least %d of %d: %s)\n", found,
              settings.different, minFound, numDifferent,
              judge(found >= minFound, isGood));
  std::printf("equal variants:\n");
  int claims = printTally(*records, "equal", table);
  std::printf("  %d of %d called faster (at most %d of %d: %s)\n", claims,
              settings.equal, maxFalseClaims, numEqual,
              judge(claims <= maxFalseClaims, isGood));
  if (size_t made = records->all().size() - before; made > 0)
    std::printf("%zu comparisons in %.0f s, %.2f s each\n", made, seconds,
                seconds / static_cast<double>(made));
  tables.push_back(std::move(table));
  return isGood;
}

/// Prints how repeated trials of one candidate spread.
static Result<void> printTrials(const Settings &settings,
                                KernelWorkers &workers,
                                std::vector<ResultTable> &tables) {
  int64_t start = runtime::nowNs();
  auto all = repeatTrials(workers, settings.trials);
  if (!all)
    return all.error();
  std::printf("%d trials of each kernel in %.0f s; half the distance from the "
              "10th to the 90th percentile\n",
              settings.trials,
              static_cast<double>(runtime::nowNs() - start) * 1e-9);
  ResultTable table{
      "Trials",
      {"kernel", "trials", "median µs", "clock", "times", "corrected times"},
      {},
      {}};
  for (const auto &[kernel, times] : *all) {
    char median[32];
    std::snprintf(median, sizeof median, "%.3f",
                  runtime::median(times.corrected) * 1e-3);
    table.rows.push_back({kernel, std::to_string(settings.trials), median,
                          percent(spreadOf(times.referencesNs)),
                          percent(spreadOf(times.raw)),
                          percent(spreadOf(times.corrected))});
    std::printf("  %-8s %9.3f us: clock +-%.2f %%, times +-%.2f %%, corrected "
                "+-%.2f %%\n",
                kernel.c_str(), runtime::median(times.corrected) * 1e-3,
                100 * spreadOf(times.referencesNs), 100 * spreadOf(times.raw),
                100 * spreadOf(times.corrected));
  }
  tables.push_back(std::move(table));
  return {};
}

/// Measures and prints everything; whether all bars are met.
static Result<bool> measureAll(const Settings &settings,
                               std::vector<ResultTable> &tables) {
  if (Result<void> writable = checkResultFile(settings.markdown); !writable)
    return writable.error();
  runtime::MeasureOptions options;
  options.cpu = settings.cpu;
  if (settings.finalTimeMs > 0)
    options.timing.comparisonMs = settings.finalTimeMs;
  KernelWorkers workers(options);
  Result<int> cpu = workers.cpu();
  if (!cpu)
    return cpu.error();
  Neighbors neighbors(settings.load, *cpu);
  if (settings.trials > 0)
    if (Result<void> printed = printTrials(settings, workers, tables); !printed)
      return printed.error();
  if (settings.equal == 0 && settings.different == 0)
    return true;
  return compareVariants(settings, workers, tables);
}

/// Whether this process was started as a worker.
static bool hasCoordinator() {
  struct stat status{};
  return fstat(runtime::workerSocket, &status) == 0 && S_ISSOCK(status.st_mode);
}

int main(int argc, char **argv) {
  if (argc == 1 && hasCoordinator()) {
    KernelVariants compiler;
    return runtime::serve(compiler) ? 0 : 1;
  }
  Result<Settings> settings = parseArguments(argc, argv);
  Result<bool> good = true;
  if (!settings)
    good = settings.error();
  else if (settings->help)
    std::fputs(usage, stdout);
  else {
    std::vector<ResultTable> tables;
    good = measureAll(*settings, tables);
    if (good && !settings->markdown.empty())
      if (Result<void> written =
              updateResultFile(settings->markdown, "baco-bench-measurement",
                               tables, describeRun(argc, argv));
          !written)
        good = written.error();
  }
  if (!good) {
    std::fprintf(stderr, "baco-bench-measurement: error: %s\n",
                 good.error().message.c_str());
    return 1;
  }
  return *good || !settings->check ? 0 : 1;
}
