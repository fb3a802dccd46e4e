//===- baco-bench-study.cpp - A study of many trials ----------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What a study costs besides its candidates: time of an ask as trials pile up,
// size of the database, memory, time to resume. Outcomes are computed.
//
//===----------------------------------------------------------------------===//

#include "baco/Search/Techniques/OptimizerFactory.h"
#include "baco/Study/Study.h"

#include <algorithm>
#include <charconv>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <map>
#include <numeric>
#include <string>

#include <sys/resource.h>
#include <unistd.h>

using namespace baco;
using namespace baco::study;

static constexpr const char *usage = R"(usage: baco-bench-study [options]

Runs a study of computed outcomes, and says what it costs.

  --trials=N        how many (10000)
  --optimizer=NAME  the search technique (baco)
  --given=N         so many of them are random, and there before (0): a look at
                    the end of a long study without the wait
  --in-flight=N     candidates in flight (2)
  --database=FILE   goes on with the study in this file, or makes it, and keeps
                    it (a temporary one)
  --check           exits with 1 if a limit of README.md is missed
  --help            this text
)";

namespace {

struct Settings {
  uint64_t trials = 10000, given = 0, inFlight = 2;
  std::string optimizer = "baco";
  /// Empty: a temporary one.
  std::string database;
  bool check = false;
};

/// The limits of --check.
constexpr double maxMedianAskMs = 100, maxDatabaseMB = 50, maxMemoryMB = 300,
                 maxResumeSeconds = 2;

double now() {
  return std::chrono::duration<double>(
             std::chrono::steady_clock::now().time_since_epoch())
      .count();
}

[[noreturn]] void fail(const std::string &message) {
  std::fprintf(stderr, "baco-bench-study: error: %s\n", message.c_str());
  std::exit(2);
}

/// Passes everything on and takes the time of each ask.
class TimedOptimizer final : public search::Optimizer {
public:
  explicit TimedOptimizer(std::unique_ptr<search::Optimizer> technique)
      : technique(std::move(technique)) {}

  Result<std::optional<search::Suggestion>> ask() override {
    double start = now();
    auto suggestion = technique->ask();
    askMs.push_back(1e3 * (now() - start));
    return suggestion;
  }
  Result<void> tell(uint64_t trial,
                    const search::Observation &observation) override {
    return technique->tell(trial, observation);
  }
  Result<void> cancel(uint64_t trial) override {
    return technique->cancel(trial);
  }
  std::vector<uint64_t> unwanted() const override {
    return technique->unwanted();
  }
  Result<void> restore(const std::vector<search::PastTrial> &trials) override {
    double start = now();
    Result<void> restored = technique->restore(trials);
    restoreSeconds = now() - start;
    return restored;
  }

  std::vector<double> askMs;
  double restoreSeconds = 0;

private:
  std::unique_ptr<search::Optimizer> technique;
};

/// Tiles, an order, unrolling, switches: as the spaces of matmuls, with a few
/// million configurations.
Space makeSpace() {
  std::vector<Parameter> parameters;
  auto add = [&](Result<Parameter> parameter) {
    if (!parameter)
      fail(parameter.error().message);
    parameters.push_back(std::move(*parameter));
  };
  std::vector<ParameterValue> sizes;
  for (int64_t size = 4; size <= 1024; size *= 2)
    sizes.emplace_back(size);
  add(Parameter::ordinal("MC", sizes, true));
  add(Parameter::ordinal("KC", sizes, true));
  add(Parameter::ordinal("NC", sizes, true));
  add(Parameter::integer("MR", 1, 16));
  add(Parameter::integer("NR", 1, 16));
  add(Parameter::permutation("order", 3));
  add(Parameter::boolean("pack"));
  add(Parameter::categorical(
      "unroll",
      {std::string("none"), std::string("inner"), std::string("outer")}));
  std::vector<Constraint> constraints;
  for (const char *text : {"MR * NR <= 128", "MC * KC <= 131072"}) {
    Result<Expression> expression = Expression::parse(text);
    if (!expression)
      fail(expression.error().message);
    constraints.push_back({std::move(*expression), "", ""});
  }
  Result<Space> space = Space::create(parameters, constraints);
  if (!space)
    fail(space.error().message);
  return *space;
}

double number(const ParameterValue &value) {
  return static_cast<double>(std::get<int64_t>(value));
}

/// A valley in every direction, with some interactions, a bumpy ground and a
/// part where nothing works.
Outcome evaluate(const Configuration &c) {
  Outcome outcome;
  outcome.timeNs = std::nan("");
  double mc = std::log2(number(c[0])), kc = std::log2(number(c[1])),
         nc = std::log2(number(c[2])), mr = number(c[3]), nr = number(c[4]);
  const auto &order = std::get<Permutation>(c[5]);
  if (mr * nr > 96 && std::get<bool>(c[6])) {
    outcome.status = Status::CompileFailed;
    outcome.message = "error: the register allocator ran out of registers";
    return outcome;
  }
  double log = 0.1 * std::pow(mc - 7, 2) + 0.05 * std::pow(kc - 8, 2) +
               0.02 * std::pow(nc - 6, 2) + 0.01 * std::pow(mr - 6, 2) +
               0.02 * std::pow(nr - 8, 2) + 0.3 * (order[0] != 0) +
               0.1 * (order[1] == 2) + (std::get<bool>(c[6]) ? 0 : 0.2) +
               0.02 * std::sin(3 * mc + 5 * kc + 7 * mr + 11 * nr);
  log += std::get<std::string>(c[7]) == "inner" ? 0 : 0.15;
  outcome.status = Status::Ok;
  outcome.timeNs = 1e6 * std::exp(log);
  outcome.numSamples = 40;
  outcome.spread = 0.01;
  outcome.compileNs = 2e7;
  outcome.runNs = 5e7;
  return outcome;
}

class ComputedEvaluator final : public Evaluator {
public:
  Result<void> submit(uint64_t trial,
                      const Configuration &configuration) override {
    inFlight[trial] = evaluate(configuration);
    return {};
  }
  Result<Outcome> wait(uint64_t trial) override {
    Outcome outcome = std::move(inFlight[trial]);
    inFlight.erase(trial);
    return outcome;
  }
  void cancel(uint64_t trial) override { inFlight.erase(trial); }
  std::string fingerprint() const override { return "computed"; }

private:
  std::map<uint64_t, Outcome> inFlight;
};

/// One run of the study in the database, and what it took.
struct Run {
  std::unique_ptr<TimedOptimizer> optimizer;
  StudyResult result;
  /// To open everything and take up what is there.
  double seconds = 0;
};

Run runOnce(const std::string &database, const Space &space,
            const std::string &optimizer, uint64_t inFlight, uint64_t trials) {
  double start = now();
  auto technique = search::makeOptimizer(optimizer, space, {});
  if (!technique)
    fail(technique.error().message);
  Run run;
  run.optimizer = std::make_unique<TimedOptimizer>(std::move(*technique));
  ComputedEvaluator evaluator;
  auto journal = database::Journal::open(database);
  if (!journal)
    fail(journal.error().message);
  auto writer = journal->openStudy({"k", "bench", "{}", "{}"});
  if (!writer)
    fail(writer.error().message);
  StudyOptions options;
  options.budget = trials;
  options.inFlight = inFlight;
  auto result = runStudy({space, *run.optimizer, evaluator, &*writer}, options);
  if (!result)
    fail(result.error().message);
  if (result->failure)
    fail(result->failure->message);
  run.result = std::move(*result);
  run.seconds = now() - start;
  return run;
}

double quantile(std::vector<double> values, double share) {
  if (values.empty())
    return 0;
  std::sort(values.begin(), values.end());
  return values[std::min(values.size() - 1,
                         static_cast<size_t>(share * values.size()))];
}

/// The largest memory that this process ever had.
double peakMemoryMB() {
  rusage usage = {};
  getrusage(RUSAGE_SELF, &usage);
  return usage.ru_maxrss * 1024e-6;
}

/// Times of asks by tenths of the study: they grow.
void printAsks(const std::vector<double> &askMs, uint64_t given) {
  std::printf("%-16s %12s %12s %12s\n", "trials", "median ask", "99 %",
              "longest");
  constexpr size_t parts = 10;
  for (size_t i = 0; i < parts; ++i) {
    size_t begin = askMs.size() * i / parts,
           end = askMs.size() * (i + 1) / parts;
    if (begin == end)
      continue;
    std::vector<double> part(askMs.begin() + begin, askMs.begin() + end);
    std::string range = std::to_string(given + begin) + " to " +
                        std::to_string(given + end - 1);
    std::printf("%-16s %9.2f ms %9.2f ms %9.2f ms\n", range.c_str(),
                quantile(part, 0.5), quantile(part, 0.99), quantile(part, 1));
  }
}

/// A line of the table of limits; whether it is kept.
bool printLimit(const char *what, double value, double limit,
                const char *unit) {
  bool isKept = value <= limit;
  std::printf("%-16s %9.2f %-3s limit %g %s%s\n", what, value, unit, limit,
              unit, isKept ? "" : "  MISSED");
  return isKept;
}

int benchmark(const Settings &settings, const std::string &database) {
  Space space = makeSpace();
  auto continueBy = [&](const std::string &optimizer, uint64_t trials) {
    return runOnce(database, space, optimizer, settings.inFlight, trials);
  };
  if (settings.given > 0)
    continueBy("random", settings.given);
  Run first = continueBy(settings.optimizer, settings.trials);
  double memory = peakMemoryMB();
  const std::vector<double> &askMs = first.optimizer->askMs;
  printAsks(askMs, settings.given);
  double askSeconds = 1e-3 * std::accumulate(askMs.begin(), askMs.end(), 0.0);
  std::printf("%llu trials of %s in %.1f s, of which asking took %.1f s\n",
              static_cast<unsigned long long>(first.result.trials.size()),
              settings.optimizer.c_str(), first.seconds, askSeconds);
  double medianMs = quantile(askMs, 0.5);
  double databaseMB = std::filesystem::file_size(database) * 1e-6;
  uint64_t numTrials = first.result.evaluations;
  first = Run();

  // Nothing is left to do but to take everything up.
  Run again = continueBy(settings.optimizer, numTrials);
  std::printf("resuming: %.2f s in the search, %.2f s around it\n",
              again.optimizer->restoreSeconds,
              again.seconds - again.optimizer->restoreSeconds);
  bool areKept = printLimit("median ask", medianMs, maxMedianAskMs, "ms");
  areKept &= printLimit("database", databaseMB, maxDatabaseMB, "MB");
  areKept &= printLimit("memory", memory, maxMemoryMB, "MB");
  areKept &= printLimit("resume", again.seconds, maxResumeSeconds, "s");
  return settings.check && !areKept ? 1 : 0;
}

Settings parseSettings(int argc, char **argv) {
  Settings settings;
  for (int i = 1; i < argc; ++i) {
    std::string_view word = argv[i];
    size_t equals = std::min(word.find('='), word.size());
    std::string_view name = word.substr(0, equals),
                     value = word.substr(std::min(equals + 1, word.size()));
    auto readCount = [&](uint64_t &number) {
      auto [end, error] =
          std::from_chars(value.data(), value.data() + value.size(), number);
      if (error != std::errc() || end != value.data() + value.size() ||
          number < 1)
        fail("option '" + std::string(name) +
             "' must be a whole number of at least 1, but is '" +
             std::string(value) + "'");
    };
    if (name == "--trials") {
      readCount(settings.trials);
    } else if (name == "--given") {
      readCount(settings.given);
    } else if (name == "--in-flight") {
      readCount(settings.inFlight);
    } else if (name == "--optimizer") {
      settings.optimizer = value;
    } else if (name == "--database") {
      settings.database = value;
    } else if (word == "--check") {
      settings.check = true;
    } else if (word == "--help") {
      std::fputs(usage, stdout);
      std::exit(0);
    } else {
      fail("unknown option '" + std::string(word) + "' (see --help)");
    }
  }
  return settings;
}

} // namespace

int main(int argc, char **argv) {
  Settings settings = parseSettings(argc, argv);
  if (!settings.database.empty())
    return benchmark(settings, settings.database);
  std::string folder =
      (std::filesystem::temp_directory_path() / "baco-bench-study-XXXXXX")
          .string();
  if (!mkdtemp(folder.data()))
    fail("cannot make a folder '" + folder + "': " + std::strerror(errno));
  int code = benchmark(settings, folder + "/study.db");
  std::filesystem::remove_all(folder);
  return code;
}
