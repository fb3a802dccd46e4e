//===- replay.cpp - Search quality on recorded spaces ---------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Runs search techniques on tables of recorded times, many seeds each, and
// prints how near they come to the best time after 20, 40 and 60 evaluations,
// and what the search itself costs.
//
//   baco-replay-spaces DIR... [--seeds=N] [--first-seed=N] [--budget=N]
//                      [--pending=N] [--names=baco,random] [--forest]
//
// Each DIR holds `space.json` (a BaCO scenario) and `results.csv` (one row per
// feasible configuration: its values, `time`, `valid`).
//
//===----------------------------------------------------------------------===//

#include "baco/Search/OptimizerFactory.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <ctime>
#include <deque>
#include <fstream>
#include <map>
#include <sstream>

using namespace baco;
using namespace baco::search;

namespace {

/// A recorded space.
struct Table {
  std::string name;
  std::optional<Space> space;
  std::map<Configuration, double> times;
  double best = 0, worst = 0;
};

struct Settings {
  std::vector<std::string> directories;
  std::vector<std::string> names = {"random", "baco"};
  int seeds = 20;
  int firstSeed = 0;
  int budget = 60;
  int pending = 1;
  OptimizerOptions options;
};

[[noreturn]] void fail(const std::string &message) {
  std::fprintf(stderr, "baco-replay-spaces: %s\n", message.c_str());
  std::exit(1);
}

template <typename T>
T orFail(Result<T> result) {
  if (!result)
    fail(result.error().message);
  return std::move(*result);
}

/// The scenario's constraints are numexpr, whose `&` and `|` are our `&&` and
/// `||` where, as here, all comparisons are in parentheses.
std::string translate(const std::string &numexpr) {
  std::string text;
  for (char c : numexpr)
    text += c == '&' ? "&&" : c == '|' ? "||" : std::string(1, c);
  return text;
}

Parameter readParameter(const std::string &name,
                        const nlohmann::ordered_json &json) {
  std::string type = json.at("parameter_type");
  bool log = json.value("transform", "none") == "log";
  std::vector<Value> values;
  for (const auto &each : json.at("values"))
    if (each.is_string())
      values.push_back(each.get<std::string>());
    else if (each.is_number_integer())
      values.push_back(each.get<int64_t>());
    else
      values.push_back(each.get<double>());
  if (type == "ordinal")
    return orFail(Parameter::ordinal(name, values, log));
  if (type == "categorical")
    return orFail(Parameter::categorical(name, values));
  if (type == "permutation") {
    static const std::map<std::string, PermutationMetric> metrics = {
        {"spearman", PermutationMetric::Spearman},
        {"kendall", PermutationMetric::Kendall},
        {"hamming", PermutationMetric::Hamming},
        {"naive", PermutationMetric::Naive}};
    return orFail(Parameter::permutation(
        name, static_cast<int>(std::get<int64_t>(values.at(0))),
        metrics.at(json.value("parametrization", "spearman"))));
  }
  fail(name + ": unknown parameter type '" + type + "'");
}

/// The fields of a line; quotes protect commas.
std::vector<std::string> splitLine(const std::string &line) {
  std::vector<std::string> fields(1);
  bool quoted = false;
  for (char c : line)
    if (c == '"')
      quoted = !quoted;
    else if (c == ',' && !quoted)
      fields.emplace_back();
    else if (c != '\r')
      fields.back() += c;
  return fields;
}

Value readValue(const Parameter &parameter, const std::string &text) {
  if (parameter.kind() == ParameterKind::Permutation) {
    Permutation order;
    for (char c : text)
      if (c >= '0' && c <= '9')
        order.push_back(c - '0');
    return order;
  }
  if (parameter.kind() == ParameterKind::Categorical)
    return text;
  double number = std::strtod(text.c_str(), nullptr);
  if (number == std::floor(number))
    return static_cast<int64_t>(number);
  return number;
}

Table readTable(const std::string &directory) {
  Table table;
  table.name = directory.substr(directory.find_last_of('/') + 1);
  std::ifstream scenario(directory + "/space.json");
  std::ifstream rows(directory + "/results.csv");
  if (!scenario || !rows)
    fail(directory + ": cannot read space.json or results.csv (uncompress it)");
  auto json = nlohmann::ordered_json::parse(scenario);
  std::vector<Parameter> parameters;
  std::vector<Constraint> constraints;
  for (const auto &[name, description] : json.at("input_parameters").items()) {
    parameters.push_back(readParameter(name, description));
    if (description.contains("constraints"))
      for (const std::string text : description.at("constraints"))
        constraints.push_back(
            {orFail(Expression::parse(translate(text))), "", "", false});
  }
  table.space = orFail(Space::create(parameters, constraints));
  std::string line;
  std::getline(rows, line);
  table.best = INFINITY;
  while (std::getline(rows, line)) {
    std::vector<std::string> fields = splitLine(line);
    Configuration configuration;
    for (size_t p = 0; p < parameters.size(); ++p)
      configuration.push_back(readValue(parameters[p], fields.at(p)));
    bool valid = fields.at(parameters.size() + 1) == "1";
    double time =
        valid ? std::strtod(fields[parameters.size()].c_str(), nullptr) : NAN;
    table.times[configuration] = time;
    if (valid) {
      table.best = std::min(table.best, time);
      table.worst = std::max(table.worst, time);
    }
  }
  return table;
}

/// What one run found: the best time after each evaluation, over the optimum.
struct Run {
  std::vector<double> ratios;
  double searchSeconds = 0;
  double slowestAsk = 0;
};

/// Processor time so far: what a busy machine does besides doesn't count.
double processorSeconds() { return double(std::clock()) / CLOCKS_PER_SEC; }

Run runOnce(const Table &table, const std::string &name,
            const Settings &settings, uint64_t seed) {
  OptimizerOptions options = settings.options;
  options.seed = seed;
  auto optimizer = orFail(makeOptimizer(name, *table.space, options));
  Run run;
  double best = table.worst;
  std::deque<Suggestion> inFlight;
  for (int k = 0; k < settings.budget + settings.pending - 1; ++k) {
    if (k < settings.budget) {
      double start = processorSeconds();
      auto suggestion = orFail(optimizer->ask());
      double seconds = processorSeconds() - start;
      run.searchSeconds += seconds;
      run.slowestAsk = std::max(run.slowestAsk, seconds);
      if (suggestion)
        inFlight.push_back(*suggestion);
    }
    if (inFlight.empty() || k + 1 < settings.pending)
      continue;
    double time = table.times.at(inFlight.front().configuration);
    Observation observation;
    observation.feasible = !std::isnan(time);
    observation.objective = time;
    if (Result<void> told =
            optimizer->tell(inFlight.front().trial, observation);
        !told)
      fail(told.error().message);
    inFlight.pop_front();
    if (observation.feasible)
      best = std::min(best, time);
    run.ratios.push_back(best / table.best);
  }
  run.ratios.resize(settings.budget, best / table.best);
  return run;
}

double mean(const std::vector<Run> &runs, size_t evaluation) {
  double sum = 0;
  for (const Run &run : runs)
    sum += run.ratios[evaluation];
  return sum / double(runs.size());
}

void report(const Table &table, const std::string &name,
            const Settings &settings) {
  std::vector<Run> runs;
  double seconds = 0, slowest = 0, found = 0;
  for (int seed = 0; seed < settings.seeds; ++seed) {
    runs.push_back(runOnce(table, name, settings, settings.firstSeed + seed));
    seconds += runs.back().searchSeconds / settings.seeds;
    slowest = std::max(slowest, runs.back().slowestAsk);
    found += runs.back().ratios.back() <= 1.0 + 1e-9;
  }
  size_t last = settings.budget - 1;
  std::sort(runs.begin(), runs.end(), [&](const Run &a, const Run &b) {
    return a.ratios[last] < b.ratios[last];
  });
  std::printf("%-20s %-7s %7.4f %7.4f %7.4f | %7.4f %7.4f %3.0f%% | %6.3f "
              "%6.1f\n",
              table.name.c_str(), name.c_str(), mean(runs, last / 3),
              mean(runs, 2 * last / 3), mean(runs, last),
              runs[runs.size() / 2].ratios[last], runs.back().ratios[last],
              100 * found / settings.seeds, seconds, slowest * 1e3);
  std::fflush(stdout);
}

} // namespace

int main(int argc, char **argv) {
  Settings settings;
  for (int i = 1; i < argc; ++i) {
    std::string argument = argv[i];
    auto value = [&] { return argument.substr(argument.find('=') + 1); };
    if (argument.starts_with("--seeds="))
      settings.seeds = std::max(1, std::atoi(value().c_str()));
    else if (argument.starts_with("--first-seed="))
      settings.firstSeed = std::max(0, std::atoi(value().c_str()));
    else if (argument.starts_with("--budget="))
      settings.budget = std::max(3, std::atoi(value().c_str()));
    else if (argument.starts_with("--pending="))
      settings.pending = std::max(1, std::atoi(value().c_str()));
    else if (argument.starts_with("--names="))
      settings.names = splitLine(value());
    else if (argument == "--forest")
      settings.options.surrogate = Surrogate::RandomForest;
    else if (argument.starts_with("--"))
      fail("unknown option '" + argument + "'");
    else
      settings.directories.push_back(argument);
  }
  if (settings.directories.empty())
    fail("name the directories of recorded spaces");
  std::printf("best time / optimum, mean over %d seeds, after 1/3, 2/3 and all "
              "of %d evaluations; then\nmedian, worst, share of seeds that "
              "found the optimum; search seconds, slowest ask ms\n",
              settings.seeds, settings.budget);
  for (const std::string &directory : settings.directories) {
    Table table = readTable(directory);
    for (const std::string &name : settings.names)
      report(table, name, settings);
  }
}
