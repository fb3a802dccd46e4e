//===- baco-bench-search.cpp - Search quality on known spaces -------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Runs search techniques on spaces whose times are all known, many seeds each,
// and says how near they come to the optimum; README.md has the options.
//
//===----------------------------------------------------------------------===//

#include "Bars.h"
#include "ExpertReport.h"
#include "GeneratedSpaces.h"
#include "Plot.h"
#include "Report.h"
#include "TransferBenchmark.h"

#include <algorithm>
#include <charconv>
#include <fstream>
#include <iostream>
#include <thread>

using namespace baco;
using namespace baco::bench;

namespace {

struct Settings {
  /// Empty: generated spaces.
  std::vector<std::string> folders;
  std::vector<std::string> optimizers;
  /// How many candidates are in flight at once.
  std::vector<size_t> pending = {1};
  ReplayOptions replay;
  bool details = false, timing = false, check = false, help = false;
  bool transfer = false;
  std::vector<std::string> lessons;
  /// Empty: not written.
  std::string csvPath, plotPath, markdownPath;
};

} // namespace

static constexpr const char *usage = R"(usage: baco-bench-search [options]

Replays search techniques on spaces in which every time is known.

  --spaces=DIR,...      recorded spaces, or folders with any number of them
                        (default: computed spaces)
  --optimizers=NAME,... rows, or techniques, ablations, all (default:
                        techniques)
  --budget=N            evaluations of a run (60)
  --seeds=N             runs of each technique on each space (30)
  --first-seed=N        the first seed (0)
  --default-first       each technique begins with the space's default, as in
                        baco-tune-driver
  --pending=N,...       candidates in flight at once (1); with several numbers
                        a row for each, and a table that compares the others
                        with the first
  --threads=N           runs at a time (as many as the machine has)
  --details             prints a table for each space, too
  --timing              prints the processor time of an ask (one run at a time)
  --csv=FILE            writes every evaluation of every run
  --plot=FILE           draws the progress as SVG
  --markdown=FILE       also writes the tables to this file, which keeps others
  --transfer            instead: searches related spaces with and without the
                        trials of earlier searches of the others
  --lessons=NAME,...    which trials: one (all of another space), short (the
                        first 20), all (of all others), poisoned (of another
                        one with wrong times)
  --check               checks the bars of README.md, for a budget of 60, and
                        exits with 1 if baco misses one; implies --timing
  --help                this text
)";

static Error usageError(const std::string &message) {
  return {ErrorCode::InvalidArgument, message + " (see --help)"};
}

static void addList(std::string_view list, std::vector<std::string> &items) {
  while (true) {
    size_t comma = std::min(list.find(','), list.size());
    if (comma > 0)
      items.emplace_back(list.substr(0, comma));
    if (comma == list.size())
      return;
    list.remove_prefix(comma + 1);
  }
}

/// Sets a number that must be at least `least`.
template <typename Number>
static Result<void> parseNumber(std::string_view option, std::string_view text,
                                Number least, Number &number) {
  auto [end, error] =
      std::from_chars(text.data(), text.data() + text.size(), number);
  if (error == std::errc() && end == text.data() + text.size() &&
      number >= least)
    return {};
  return usageError(
      "option '" + std::string(option) + "' must be an integer of at least " +
      std::to_string(least) + ", but it is '" + std::string(text) + "'");
}

/// Replaces `numbers` by those of a list, each at least 1.
static Result<void> parseNumbers(std::string_view option, std::string_view text,
                                 std::vector<size_t> &numbers) {
  std::vector<std::string> items;
  addList(text, items);
  if (items.empty())
    items.emplace_back();
  numbers.clear();
  for (const std::string &item : items)
    if (Result<void> parsed =
            parseNumber(option, item, size_t(1), numbers.emplace_back());
        !parsed)
      return parsed;
  return {};
}

/// What the option of this name switches on; null if it is no switch.
static bool *findSwitch(std::string_view option, Settings &settings) {
  for (auto [name, flag] : {std::pair("--details", &settings.details),
                            {"--timing", &settings.timing},
                            {"--check", &settings.check},
                            {"--transfer", &settings.transfer},
                            {"--default-first", &settings.replay.defaultFirst},
                            {"--help", &settings.help}})
    if (option == name)
      return flag;
  return nullptr;
}

static Result<void> parseOption(std::string_view argument, Settings &settings) {
  size_t equals = argument.find('=');
  std::string_view name = argument.substr(0, equals);
  if (equals == std::string_view::npos)
    return usageError("unknown option '" + std::string(argument) + "'");
  std::string_view value = argument.substr(equals + 1);
  ReplayOptions &replay = settings.replay;
  if (name == "--spaces")
    addList(value, settings.folders);
  else if (findSwitch(name, settings))
    return usageError("option '" + std::string(name) + "' takes no value");
  else if (name == "--optimizers")
    addList(value, settings.optimizers);
  else if (name == "--lessons")
    addList(value, settings.lessons);
  else if (name == "--csv")
    settings.csvPath = value;
  else if (name == "--plot")
    settings.plotPath = value;
  else if (name == "--markdown")
    settings.markdownPath = value;
  else if (name == "--budget")
    return parseNumber(name, value, size_t(3), replay.budget);
  else if (name == "--seeds")
    return parseNumber(name, value, size_t(1), replay.numSeeds);
  else if (name == "--first-seed")
    return parseNumber(name, value, uint64_t(0), replay.firstSeed);
  else if (name == "--pending")
    return parseNumbers(name, value, settings.pending);
  else if (name == "--threads")
    return parseNumber(name, value, size_t(1), replay.numThreads);
  else
    return usageError("unknown option '" + std::string(name) + "'");
  return {};
}

static Result<Settings> parseArguments(int argc, char **argv) {
  Settings settings;
  settings.replay.numThreads =
      std::max(1u, std::thread::hardware_concurrency());
  for (int i = 1; i < argc; ++i)
    if (bool *flag = findSwitch(argv[i], settings))
      *flag = true;
    else if (Result<void> parsed = parseOption(argv[i], settings); !parsed)
      return parsed.error();
  if (settings.check && settings.replay.budget != 60)
    return usageError("the bars of '--check' are for a budget of 60, but it "
                      "is " +
                      std::to_string(settings.replay.budget));
  if (settings.pending.size() > 1 && (settings.check || settings.transfer))
    return usageError("'--check' and '--transfer' take one number of "
                      "'--pending', but there are " +
                      std::to_string(settings.pending.size()));
  settings.replay.pending = settings.pending.front();
  settings.timing |= settings.check;
  // What the command line names adds up, but not to these.
  if (settings.optimizers.empty())
    settings.optimizers = {"techniques"};
  if (settings.lessons.empty())
    for (Lesson lesson : allLessons)
      settings.lessons.emplace_back(nameOf(lesson));
  return settings;
}

static Result<std::vector<BenchmarkSpace>>
readAllSpaces(const std::vector<std::string> &folders) {
  std::vector<BenchmarkSpace> all;
  for (const std::string &folder : folders) {
    Result<std::vector<BenchmarkSpace>> spaces = readSpaces(folder);
    if (!spaces)
      return spaces.error();
    std::ranges::move(*spaces, std::back_inserter(all));
  }
  return all;
}

static Result<Experiment> prepare(const Settings &settings) {
  Experiment experiment;
  experiment.options = settings.replay;
  Result<std::vector<Technique>> techniques =
      findTechniques(settings.optimizers);
  if (!techniques)
    return techniques.error();
  experiment.techniques = std::move(*techniques);
  if (experiment.techniques.empty())
    return usageError("option '--optimizers' names no technique");
  if (settings.pending.size() > 1)
    experiment.techniques =
        withPending(experiment.techniques, settings.pending);
  if (settings.check && experiment.techniques[0].name != "baco")
    return usageError("'--check' needs 'baco' among the optimizers");
  Result<std::vector<BenchmarkSpace>> spaces = readAllSpaces(settings.folders);
  if (!spaces)
    return spaces.error();
  experiment.spaces =
      settings.folders.empty() ? generatedSpaces() : std::move(*spaces);
  return experiment;
}

/// Empty if no times are asked for.
static Result<std::vector<AskTimes>> measureAll(const Settings &settings,
                                                const Experiment &experiment) {
  std::vector<AskTimes> all;
  if (settings.timing)
    for (const Technique &technique : experiment.techniques) {
      Result<AskTimes> times =
          measureAsks(technique, experiment.spaces, settings.replay.firstSeed);
      if (!times)
        return times.error();
      all.push_back(*times);
    }
  return all;
}

/// Writes a file, if it has a path.
static Result<void> writeFile(const std::string &path,
                              void (*write)(std::ostream &, const Experiment &),
                              const Experiment &experiment) {
  if (path.empty())
    return {};
  std::ofstream file(path);
  write(file, experiment);
  if (!file.flush())
    return {ErrorCode::IOError, path + ": cannot be written"};
  return {};
}

/// Whether all bars are met.
static bool judge(const std::vector<Bar> &bars) {
  size_t missed = 0;
  std::cout << '\n';
  for (const Bar &bar : bars) {
    std::printf("%-6s %9.4f < %-7.4g  %s\n", bar.isMet() ? "ok" : "MISSED",
                bar.value, bar.limit, bar.what.c_str());
    missed += !bar.isMet();
  }
  std::printf("%zu of %zu bars missed\n", missed, bars.size());
  return missed == 0;
}

static void print(const ResultTable &table) {
  std::cout << '\n' << table.title << '\n';
  std::vector<size_t> widths(table.columns.size());
  auto each = [&](auto visit) {
    visit(table.columns);
    for (const std::vector<std::string> &row : table.rows)
      visit(row);
  };
  each([&](const std::vector<std::string> &row) {
    for (size_t k = 0; k < row.size(); ++k)
      widths[k] = std::max(widths[k], row[k].size());
  });
  each([&](const std::vector<std::string> &row) {
    for (size_t k = 0; k < row.size(); ++k)
      std::cout << row[k]
                << std::string(
                       k + 1 < row.size() ? widths[k] - row[k].size() + 2 : 0,
                       ' ');
    std::cout << '\n';
  });
  for (const std::string &note : table.notes)
    std::cout << note << '\n';
}

/// Searches with what related spaces teach.
static Result<void> runTransferMode(const Settings &settings,
                                    const Provenance &provenance) {
  Result<std::vector<BenchmarkSpace>> spaces = readAllSpaces(settings.folders);
  if (!spaces)
    return spaces.error();
  std::vector<Family> families =
      settings.folders.empty() ? generatedFamilies() : findFamilies(*spaces);
  if (families.empty())
    return Error{ErrorCode::NotFound,
                 "no two of the spaces in one folder have most parameters in "
                 "common, so that '--transfer' has nothing to do"};
  std::vector<Lesson> lessons;
  for (const std::string &name : settings.lessons) {
    Result<Lesson> lesson = findLesson(name);
    if (!lesson)
      return lesson.error();
    lessons.push_back(*lesson);
  }
  if (Result<void> writable = checkResultFile(settings.markdownPath); !writable)
    return writable;
  Result<std::vector<TransferPair>> pairs =
      runTransfer(families, lessons, settings.replay);
  if (!pairs)
    return pairs.error();
  std::vector<ResultTable> tables =
      makeTransferTables(*pairs, settings.replay, settings.details);
  for (const ResultTable &table : tables)
    print(table);
  if (settings.markdownPath.empty())
    return {};
  return updateResultFile(settings.markdownPath, "baco-bench-search", tables,
                          provenance);
}

/// Whether all bars are met, if there are any.
static Result<bool> run(const Settings &settings,
                        const Provenance &provenance) {
  if (settings.transfer) {
    Result<void> done = runTransferMode(settings, provenance);
    return done ? Result<bool>(true) : done.error();
  }
  Result<Experiment> experiment = prepare(settings);
  if (!experiment)
    return experiment.error();
  for (const std::string &path :
       {settings.csvPath, settings.plotPath, settings.markdownPath})
    if (Result<void> writable = checkResultFile(path); !writable)
      return writable.error();
  if (Result<void> done = runAll(*experiment); !done)
    return done.error();
  Result<std::vector<AskTimes>> askTimes = measureAll(settings, *experiment);
  if (!askTimes)
    return askTimes.error();
  writeTable(std::cout, *experiment, *askTimes);
  if (settings.details)
    writeDetails(std::cout, *experiment);
  std::vector<ResultTable> more = makeExpertTables(*experiment);
  if (size_t number = settings.pending.size(); number > 1)
    more.push_back(makePendingTable(*experiment, number));
  for (const ResultTable &table : more)
    print(table);
  if (Result<void> done = writeFile(settings.csvPath, writeCsv, *experiment);
      !done)
    return done.error();
  if (Result<void> done = writeFile(settings.plotPath, writePlot, *experiment);
      !done)
    return done.error();
  if (!settings.markdownPath.empty()) {
    std::vector<ResultTable> tables =
        makeTables(*experiment, *askTimes, settings.details);
    std::ranges::move(more, std::back_inserter(tables));
    if (Result<void> done = updateResultFile(
            settings.markdownPath, "baco-bench-search", tables, provenance);
        !done)
      return done.error();
  }
  return !settings.check || judge(makeBars(*experiment, *askTimes));
}

int main(int argc, char **argv) {
  Result<Settings> settings = parseArguments(argc, argv);
  if (settings && settings->help) {
    std::cout << usage;
    return 0;
  }
  Result<bool> ok =
      settings ? run(*settings, describeRun(argc, argv)) : settings.error();
  if (!ok) {
    std::cerr << "baco-bench-search: " << ok.error().message << '\n';
    return 2;
  }
  return *ok ? 0 : 1;
}
