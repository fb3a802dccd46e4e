//===- Report.cpp - Tables and files of results ---------------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Text with fixed columns, and CSV.
//
//===----------------------------------------------------------------------===//

#include "Report.h"

#include <cmath>
#include <cstdarg>
#include <cstdio>
#include <numeric>
#include <ostream>

using namespace baco;
using namespace baco::bench;

/// Times within this of the least are the least: decimals were cut in files.
static constexpr double optimal = 1 + 1e-9;
/// Near enough to stop searching.
static constexpr double nearlyOptimal = 1.05;

std::string bench::format(const char *pattern, ...) {
  char text[256];
  va_list arguments;
  va_start(arguments, pattern);
  std::vsnprintf(text, sizeof(text), pattern, arguments);
  va_end(arguments);
  return text;
}

/// The evaluations after which a table shows the ratio.
static std::vector<size_t> shownEvaluations(const Experiment &experiment) {
  size_t budget = experiment.options.budget;
  return {budget / 3, budget * 2 / 3, budget};
}

static std::string formatScore(const Score &score) {
  if (std::isnan(score.standardError))
    return format("  %6.3f        ", score.mean);
  return format("  %6.3f ±%6.3f", score.mean, score.standardError);
}

static std::string formatMilliseconds(double seconds) {
  return std::isnan(seconds) ? "       -" : format("%8.3f", seconds * 1e3);
}

static double meanFailuresOfAll(const Experiment &experiment,
                                size_t technique) {
  double sum = 0;
  for (size_t space = 0; space < experiment.spaces.size(); ++space)
    sum += meanFailures(experiment, technique, space);
  return sum / double(experiment.spaces.size());
}

/// What comes before the columns of a table, and the heads of the first ones.
static void writeHead(std::ostream &out, const Experiment &experiment) {
  out << format("%-18s", "");
  for (size_t evaluations : shownEvaluations(experiment))
    out << format("  %14s", format("after %zu", evaluations).c_str());
}

void bench::writeTable(std::ostream &out, const Experiment &experiment,
                       const std::vector<AskTimes> &askTimes) {
  out << "best time found / least time: geometric mean over "
      << experiment.spaces.size() << " spaces and "
      << experiment.options.numSeeds << " seeds, ± standard error\n\n";
  writeHead(out, experiment);
  out << "  to 5 %  optimum  failures";
  if (!askTimes.empty())
    out << "  ask at 60, 200, ms";
  out << '\n';
  for (size_t t = 0; t < experiment.techniques.size(); ++t) {
    out << format("%-18s", experiment.techniques[t].name.c_str());
    for (size_t evaluations : shownEvaluations(experiment))
      out << formatScore(ratioScore(experiment, t, evaluations));
    double evaluations = medianEvaluationsTo(experiment, t, nearlyOptimal);
    out << (std::isinf(evaluations)
                ? format("%8s",
                         format(">%zu", experiment.options.budget).c_str())
                : format("%8.0f", evaluations))
        << format("%7.0f %%", 100 * shareReaching(experiment, t, optimal))
        << format("%10.1f", meanFailuresOfAll(experiment, t));
    if (!askTimes.empty())
      out << "  " << formatMilliseconds(askTimes[t].at60) << "  "
          << formatMilliseconds(askTimes[t].at200);
    out << '\n';
  }
}

static std::string trim(std::string text) {
  text.erase(0, text.find_first_not_of(' '));
  text.erase(text.find_last_not_of(' ') + 1);
  return text;
}

/// The spaces by number, the seeds and the techniques, for a heading.
static std::string describe(const Experiment &experiment) {
  const ReplayOptions &options = experiment.options;
  return "seeds " + std::to_string(options.firstSeed) + " to " +
         std::to_string(options.firstSeed + options.numSeeds - 1) + ", " +
         experiment.techniques.front().name + " to " +
         experiment.techniques.back().name;
}

std::vector<ResultTable>
bench::makeTables(const Experiment &experiment,
                  const std::vector<AskTimes> &askTimes, bool hasDetails) {
  std::vector<ResultTable> tables(1);
  ResultTable &all = tables.front();
  size_t numSpaces = experiment.spaces.size();
  all.title = "Best / least time on " + std::to_string(numSpaces) +
              (numSpaces == 1 ? " space, " : " spaces, ") +
              describe(experiment);
  std::vector<std::string> columns = {"technique"};
  for (size_t evaluations : shownEvaluations(experiment))
    columns.push_back(format("after %zu", evaluations));
  all.columns = columns;
  all.columns.insert(all.columns.end(), {"to 5 %", "optimum", "failures"});
  if (!askTimes.empty())
    all.columns.insert(all.columns.end(), {"ask at 60, ms", "ask at 200, ms"});
  for (size_t t = 0; t < experiment.techniques.size(); ++t) {
    std::vector<std::string> row = {experiment.techniques[t].name};
    for (size_t evaluations : shownEvaluations(experiment))
      row.push_back(trim(formatScore(ratioScore(experiment, t, evaluations))));
    double evaluations = medianEvaluationsTo(experiment, t, nearlyOptimal);
    row.push_back(std::isinf(evaluations)
                      ? format(">%zu", experiment.options.budget)
                      : format("%.0f", evaluations));
    row.push_back(
        format("%.0f %%", 100 * shareReaching(experiment, t, optimal)));
    row.push_back(format("%.1f", meanFailuresOfAll(experiment, t)));
    if (!askTimes.empty())
      for (double seconds : {askTimes[t].at60, askTimes[t].at200})
        row.push_back(trim(formatMilliseconds(seconds)));
    all.rows.push_back(std::move(row));
  }
  for (size_t s = 0; hasDetails && s < experiment.spaces.size(); ++s) {
    ResultTable table{experiment.spaces[s].name() + ", " + describe(experiment),
                      columns,
                      {},
                      {}};
    table.columns.push_back("failures");
    for (size_t t = 0; t < experiment.techniques.size(); ++t) {
      std::vector<std::string> row = {experiment.techniques[t].name};
      for (size_t evaluations : shownEvaluations(experiment))
        row.push_back(
            trim(formatScore(ratioScore(experiment, t, s, evaluations))));
      row.push_back(format("%.1f", meanFailures(experiment, t, s)));
      table.rows.push_back(std::move(row));
    }
    tables.push_back(std::move(table));
  }
  return tables;
}

ResultTable bench::makePendingTable(const Experiment &experiment,
                                    size_t numNumbers) {
  ResultTable table;
  table.title = "Change of the ratio by more in flight, budget " +
                std::to_string(experiment.options.budget) + ", " +
                describe(experiment);
  table.columns = {"technique", "space"};
  for (size_t evaluations : shownEvaluations(experiment))
    table.columns.push_back(format("after %zu", evaluations));
  std::vector<size_t> all(experiment.spaces.size());
  std::iota(all.begin(), all.end(), 0);
  for (size_t t = 0; t < experiment.techniques.size(); ++t) {
    size_t first = t - t % numNumbers;
    auto add = [&](const std::string &name, const std::vector<size_t> &spaces) {
      std::vector<std::string> row = {experiment.techniques[t].name, name};
      for (size_t evaluations : shownEvaluations(experiment)) {
        Score score = relativeScore(experiment, t, first, spaces, evaluations);
        row.push_back(format("%+.1f ± %.1f %%", 100 * (score.mean - 1),
                             100 * score.standardError));
      }
      table.rows.push_back(std::move(row));
    };
    if (t == first)
      continue;
    add("all", all);
    for (size_t space : all)
      add(experiment.spaces[space].name(), {space});
  }
  return table;
}

void bench::writeDetails(std::ostream &out, const Experiment &experiment) {
  for (size_t s = 0; s < experiment.spaces.size(); ++s) {
    const BenchmarkSpace &space = experiment.spaces[s];
    out << '\n'
        << space.name() << ": " << space.space().count() << " configurations, "
        << space.numValid() << " of them valid\n";
    writeHead(out, experiment);
    out << "  failures\n";
    for (size_t t = 0; t < experiment.techniques.size(); ++t) {
      out << format("%-18s", experiment.techniques[t].name.c_str());
      for (size_t evaluations : shownEvaluations(experiment))
        out << formatScore(ratioScore(experiment, t, s, evaluations));
      out << format("%10.1f\n", meanFailures(experiment, t, s));
    }
  }
}

/// The lines of one run.
static void writeCsvRun(std::ostream &out, const std::string &prefix,
                        const Run &run) {
  for (size_t k = 0; k < run.bestTimes.size(); ++k) {
    out << prefix << k + 1 << ',';
    if (std::isfinite(run.bestTimes[k]))
      out << format("%.17g", run.bestTimes[k]);
    out << ',';
    if (k < run.askSeconds.size())
      out << format("%.6g", run.askSeconds[k]);
    out << '\n';
  }
}

void bench::writeCsv(std::ostream &out, const Experiment &experiment) {
  out << "space,optimizer,seed,evaluation,best_time,ask_seconds\n";
  for (size_t s = 0; s < experiment.spaces.size(); ++s)
    for (size_t t = 0; t < experiment.techniques.size(); ++t)
      for (size_t k = 0; k < experiment.options.numSeeds; ++k)
        writeCsvRun(out,
                    experiment.spaces[s].name() + "," +
                        experiment.techniques[t].name + "," +
                        std::to_string(experiment.options.firstSeed + k) + ",",
                    experiment.run(t, s, k));
}
