//===- Technique.cpp - The rows of the benchmark --------------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The table, and the spaces that its rows get.
//
//===----------------------------------------------------------------------===//

#include "Technique.h"

#include <algorithm>

using namespace baco;
using namespace baco::bench;
using search::OptimizerOptions;

/// A Gaussian process of plain numbers, as Ytopt has one: nothing is
/// transformed, failures teach nothing.
static void useLikeYtopt(OptimizerOptions &options) {
  options.baco = search::BacoOptions::minusMinus();
  options.baco.fit = search::HyperparameterFit::Multistart;
  options.baco.logObjective = false;
  options.baco.feasibilityModel = false;
}

/// What the techniques of makeOptimizer don't show by themselves.
static const std::vector<Technique> &variants() {
  using enum Technique::Kind;
  static const std::vector<Technique> table = {
      // What it chooses against the constraints counts as a failure.
      {"opentuner-raw", "opentuner", Rival, nullptr, false},
      {"kendall", "baco", Ablation, nullptr, true, PermutationMetric::Kendall},
      {"spearman", "baco", Ablation, nullptr, true,
       PermutationMetric::Spearman},
      {"hamming", "baco", Ablation, nullptr, true, PermutationMetric::Hamming},
      {"naive", "baco", Ablation, nullptr, true, PermutationMetric::Naive},
      {"no-log-variables", "baco", Ablation,
       [](OptimizerOptions &options) { options.baco.logVariables = false; }},
      {"no-log-objective", "baco", Ablation,
       [](OptimizerOptions &options) { options.baco.logObjective = false; }},
      {"no-labels", "baco", Ablation,
       [](OptimizerOptions &options) { options.baco.labeledNumbers = false; }},
      {"no-least-gain", "baco", Ablation,
       [](OptimizerOptions &options) { options.baco.minGain = false; }},
      {"not-compressed", "baco", Ablation,
       [](OptimizerOptions &options) {
         options.baco.compressedOutputs = false;
       }},
      {"feasibility-once", "baco", Ablation,
       [](OptimizerOptions &options) {
         options.baco.squaredFeasibility = false;
       }},
      {"gamma-prior", "baco", Ablation,
       [](OptimizerOptions &options) {
         options.baco.lengthScalePrior = search::LengthScalePrior::Gamma;
       }},
      {"no-prior", "baco", Ablation,
       [](OptimizerOptions &options) {
         options.baco.lengthScalePrior = search::LengthScalePrior::None;
       }},
      {"multistart", "baco", Ablation,
       [](OptimizerOptions &options) {
         options.baco.fit = search::HyperparameterFit::Multistart;
       }},
      {"single-start", "baco", Ablation,
       [](OptimizerOptions &options) {
         options.baco.fit = search::HyperparameterFit::SingleStart;
       }},
      {"no-local-search", "baco", Ablation,
       [](OptimizerOptions &options) { options.baco.localSearch = false; }},
      {"forest-surrogate", "baco", Ablation,
       [](OptimizerOptions &options) {
         options.surrogate = search::Surrogate::RandomForest;
       }},
      {"no-feasibility", "baco", Ablation,
       [](OptimizerOptions &options) {
         options.baco.feasibilityModel = false;
       }},
      {"no-threshold", "baco", Ablation,
       [](OptimizerOptions &options) {
         options.baco.feasibilityThreshold = false;
       }},
      {"no-chain-of-trees", "baco", Ablation, nullptr, false},
      {"ytopt-gp", "baco", Ablation, useLikeYtopt, false, std::nullopt, true},
  };
  return table;
}

static std::vector<Technique> makeTable() {
  using enum Technique::Kind;
  std::vector<Technique> unsorted;
  for (std::string_view name : search::optimizerNames())
    unsorted.push_back({std::string(name), name,
                        name == "baco" ? Ours
                        // The paper's simple version of itself is no rival.
                        : name.starts_with("baco-") ? Ablation
                                                    : Rival});
  unsorted.insert(unsorted.end(), variants().begin(), variants().end());
  std::vector<Technique> table;
  for (Technique::Kind kind : {Ours, Rival, Ablation})
    for (const Technique &each : unsorted)
      if (each.kind == kind)
        table.push_back(each);
  return table;
}

const std::vector<Technique> &bench::techniqueTable() {
  static const std::vector<Technique> table = makeTable();
  return table;
}

static bool isIn(std::string_view group, const Technique &technique) {
  using enum Technique::Kind;
  if (group == technique.name || group == "all")
    return true;
  if (group == "techniques")
    return technique.kind != Ablation;
  return group == "ablations" && technique.kind != Rival;
}

Result<std::vector<Technique>>
bench::findTechniques(const std::vector<std::string> &names) {
  const std::vector<Technique> &table = techniqueTable();
  for (const std::string &name : names) {
    bool isKnown =
        std::any_of(table.begin(), table.end(),
                    [&](const Technique &each) { return isIn(name, each); });
    if (isKnown)
      continue;
    std::string known = "techniques, ablations, all";
    for (const Technique &each : table)
      known += ", " + each.name;
    return {ErrorCode::NotFound,
            "unknown optimizer '" + name + "': the known ones are " + known};
  }
  std::vector<Technique> found;
  for (const Technique &each : table)
    if (std::any_of(names.begin(), names.end(),
                    [&](const std::string &name) { return isIn(name, each); }))
      found.push_back(each);
  return found;
}

std::vector<Technique>
bench::withPending(const std::vector<Technique> &techniques,
                   const std::vector<size_t> &numbers) {
  std::vector<Technique> rows;
  for (Technique row : techniques) {
    std::string name = row.name;
    for (size_t number : numbers) {
      row.name = name + " " + std::to_string(number) + " in flight";
      row.pending = number;
      rows.push_back(row);
    }
  }
  return rows;
}

static Result<Parameter> withMetric(const Parameter &parameter,
                                    PermutationMetric metric) {
  Result<Parameter> changed = Parameter::permutation(
      parameter.name(), parameter.permutationSize(), metric);
  if (!changed)
    return changed.error();
  changed->location = parameter.location;
  changed->defaultValue = parameter.defaultValue;
  changed->weights = parameter.weights;
  return changed;
}

Result<Space> bench::spaceFor(const Technique &technique, const Space &space) {
  if (technique.knowsConstraints && !technique.metric)
    return space;
  std::vector<Parameter> parameters = space.parameters();
  if (technique.metric)
    for (Parameter &parameter : parameters)
      if (parameter.kind() == ParameterKind::Permutation) {
        Result<Parameter> changed = withMetric(parameter, *technique.metric);
        if (!changed)
          return changed.error();
        parameter = std::move(*changed);
      }
  return Space::create(std::move(parameters),
                       technique.knowsConstraints ? space.constraints()
                                                  : std::vector<Constraint>(),
                       space.conditions());
}
