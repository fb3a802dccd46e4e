//===- ExpertReport.cpp - Searches and experts ----------------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Numbers of evaluations are those after which the progress, a mean over seeds,
// is at a time; a technique that doesn't get there has none.
//
//===----------------------------------------------------------------------===//

#include "ExpertReport.h"

#include "Report.h"

#include <algorithm>
#include <cmath>

using namespace baco;
using namespace baco::bench;

/// As precise as a trial's time is (docs/Measurement.md): a search that finds
/// what is as good as the expert's configuration has reached it.
static constexpr double precision = 1.015;

/// Numbers of evaluations, or ratios of them, one for each space.
using PerSpace = std::vector<std::optional<double>>;

/// The geometric mean over seeds after each evaluation.
static std::vector<double> progressOf(const Experiment &experiment,
                                      size_t technique, size_t space) {
  const BenchmarkSpace &known = experiment.spaces[space];
  std::vector<double> times;
  for (size_t k = 1; k <= experiment.options.budget; ++k)
    times.push_back(known.best() *
                    ratioScore(experiment, technique, space, k).mean);
  return times;
}

static std::optional<double> evaluationsTo(const std::vector<double> &progress,
                                           double time) {
  // The mean of equal logarithms may differ in its last bits.
  constexpr double rounding = 1 + 1e-9;
  for (size_t k = 0; k < progress.size(); ++k)
    if (progress[k] <= time * rounding)
      return static_cast<double>(k + 1);
  return std::nullopt;
}

static double shareReachingExpert(const Experiment &experiment,
                                  size_t technique, size_t space) {
  size_t reached = 0, numSeeds = experiment.options.numSeeds;
  for (size_t seed = 0; seed < numSeeds; ++seed)
    reached += experiment.run(technique, space, seed).bestTimes.back() <=
               precision * *experiment.spaces[space].expert();
  return static_cast<double>(reached) / static_cast<double>(numSeeds);
}

/// Arithmetic and geometric mean of what there is, and of how many.
static std::vector<std::string> meansOf(const PerSpace &values,
                                        const char *pattern) {
  double sum = 0, logs = 0, count = 0;
  for (const std::optional<double> &value : values)
    if (value) {
      sum += *value;
      logs += std::log(*value);
      ++count;
    }
  if (count == 0)
    return {"-", "-", "0"};
  return {format(pattern, sum / count), format(pattern, std::exp(logs / count)),
          format("%.0f", count)};
}

namespace {

/// The experiment's spaces that have an expert, and all progress on them.
class ExpertReport {
public:
  explicit ExpertReport(const Experiment &experiment);

  bool isEmpty() const { return spaces.empty(); }
  ResultTable performance() const;
  ResultTable evaluations() const;
  ResultTable factors(size_t baco) const;

private:
  /// A table with a line for each technique.
  ResultTable begin(const std::string &title) const;
  const std::vector<double> &progress(size_t technique, size_t i) const {
    return all[technique * spaces.size() + i];
  }
  /// The geometric mean over spaces of reference / progress.
  template <typename Reference>
  std::string relative(size_t technique, size_t evaluations,
                       Reference reference) const;
  PerSpace evaluationsToExpert(size_t technique) const;

  const Experiment &experiment;
  std::vector<size_t> spaces;
  /// By technique, then by space.
  std::vector<std::vector<double>> all;
};

} // namespace

ExpertReport::ExpertReport(const Experiment &experiment)
    : experiment(experiment) {
  for (size_t s = 0; s < experiment.spaces.size(); ++s)
    if (experiment.spaces[s].expert())
      spaces.push_back(s);
  for (size_t t = 0; t < experiment.techniques.size(); ++t)
    for (size_t s : spaces)
      all.push_back(progressOf(experiment, t, s));
}

ResultTable ExpertReport::begin(const std::string &title) const {
  ResultTable table;
  table.title =
      title + " (" + std::to_string(spaces.size()) +
      (spaces.size() == 1 ? " space, " : " spaces, ") +
      std::to_string(experiment.options.numSeeds) + " seeds, " +
      std::to_string(experiment.options.budget) + " evaluations" +
      (experiment.options.defaultFirst ? ", the default first)" : ")");
  table.columns = {"technique"};
  for (const Technique &technique : experiment.techniques)
    table.rows.push_back({technique.name});
  return table;
}

template <typename Reference>
std::string ExpertReport::relative(size_t technique, size_t evaluations,
                                   Reference reference) const {
  double sum = 0;
  for (size_t i = 0; i < spaces.size(); ++i)
    sum += std::log(reference(experiment.spaces[spaces[i]]) /
                    progress(technique, i)[evaluations - 1]);
  return format("%.3f", std::exp(sum / static_cast<double>(spaces.size())));
}

/// The time of the default; the largest if it fails.
static double defaultTime(const BenchmarkSpace &space) {
  return space.time(space.space().defaultPoint()).value_or(space.worst());
}

static double expertTime(const BenchmarkSpace &space) {
  return *space.expert();
}

static std::string describeSpace(const BenchmarkSpace &space) {
  std::string text = space.name() + ": expert / least time " +
                     format("%.3f", expertTime(space) / space.best()) +
                     ", default / least time " +
                     format("%.3f", defaultTime(space) / space.best()) + ", " +
                     space.space().count() + " configurations, ";
  const auto &prediction = space.prediction();
  if (!prediction)
    return text + "all of them measured";
  return text + std::to_string(prediction->numMeasured) +
         " of them measured, from which a random forest predicts all (rank "
         "correlation " +
         format("%.3f", prediction->rankCorrelation) + " in cross-validation)";
}

ResultTable ExpertReport::performance() const {
  ResultTable table = begin("Performance relative to the expert");
  size_t budget = experiment.options.budget;
  std::vector<size_t> shown = {budget / 3, budget * 2 / 3, budget};
  for (size_t evaluations : shown)
    table.columns.push_back("after " + std::to_string(evaluations));
  table.columns.insert(table.columns.end(),
                       {"relative to the default", "runs that reach it"});
  for (size_t t = 0; t < table.rows.size(); ++t) {
    std::vector<std::string> &row = table.rows[t];
    for (size_t evaluations : shown)
      row.push_back(relative(t, evaluations, expertTime));
    row.push_back(relative(t, budget, defaultTime));
    double share = 0;
    for (size_t s : spaces)
      share += shareReachingExpert(experiment, t, s);
    row.push_back(
        format("%.0f %%", 100 * share / static_cast<double>(spaces.size())));
  }
  table.notes.push_back("Geometric means over spaces and seeds of the "
                        "reference's time / the best time; above 1 is faster "
                        "than the reference.");
  for (size_t s : spaces)
    table.notes.push_back(describeSpace(experiment.spaces[s]));
  return table;
}

PerSpace ExpertReport::evaluationsToExpert(size_t technique) const {
  PerSpace values;
  for (size_t i = 0; i < spaces.size(); ++i)
    values.push_back(
        evaluationsTo(progress(technique, i),
                      precision * expertTime(experiment.spaces[spaces[i]])));
  return values;
}

ResultTable ExpertReport::evaluations() const {
  ResultTable table = begin("Evaluations until the expert is reached");
  for (size_t s : spaces)
    table.columns.push_back(experiment.spaces[s].name());
  table.columns.insert(table.columns.end(),
                       {"arithmetic mean", "geometric mean", "spaces"});
  for (size_t t = 0; t < table.rows.size(); ++t) {
    PerSpace values = evaluationsToExpert(t);
    for (size_t i = 0; i < spaces.size(); ++i)
      table.rows[t].push_back(
          (values[i] ? format("%.0f", *values[i])
                     : ">" + std::to_string(experiment.options.budget)) +
          format(" (%.0f %%)",
                 100 * shareReachingExpert(experiment, t, spaces[i])));
    for (std::string &mean : meansOf(values, "%.1f"))
      table.rows[t].push_back(std::move(mean));
  }
  table.notes.push_back("Evaluations after which the geometric mean over seeds "
                        "is at the expert's time, within the 1.5 % of a "
                        "trial's precision, and the share of runs that get "
                        "there; means over the spaces where there is such a "
                        "number.");
  return table;
}

ResultTable ExpertReport::factors(size_t baco) const {
  ResultTable table =
      begin("How many times fewer evaluations baco needs for the others' best");
  for (size_t s : spaces)
    table.columns.push_back(experiment.spaces[s].name());
  table.columns.insert(table.columns.end(),
                       {"arithmetic mean", "geometric mean", "spaces"});
  double budget = static_cast<double>(experiment.options.budget);
  for (size_t t = 0; t < table.rows.size(); ++t) {
    PerSpace values;
    for (size_t i = 0; i < spaces.size(); ++i) {
      std::optional<double> needed =
          evaluationsTo(progress(baco, i), progress(t, i).back());
      values.push_back(needed ? std::optional(budget / *needed) : std::nullopt);
      table.rows[t].push_back(needed ? format("%.2f", *values.back()) : "-");
    }
    for (std::string &mean : meansOf(values, "%.2f"))
      table.rows[t].push_back(std::move(mean));
  }
  table.rows.erase(table.rows.begin() + static_cast<ptrdiff_t>(baco));
  table.notes.push_back("The budget over the evaluations after which baco's "
                        "progress is where the other's ends; - where it "
                        "doesn't get there. Table 9 of the paper has 3.15, "
                        "5.00, 4.96 and 4.32 for ATF, Ytopt, uniform and CoT "
                        "sampling in TACO.");
  return table;
}

std::vector<ResultTable> bench::makeExpertTables(const Experiment &experiment) {
  ExpertReport report(experiment);
  if (report.isEmpty())
    return {};
  std::vector<ResultTable> tables = {report.performance(),
                                     report.evaluations()};
  auto baco = std::ranges::find(experiment.techniques, "baco",
                                [](const Technique &technique) {
                                  return std::string_view(technique.name);
                                });
  if (baco != experiment.techniques.end() && experiment.techniques.size() > 1)
    tables.push_back(report.factors(
        static_cast<size_t>(baco - experiment.techniques.begin())));
  return tables;
}
