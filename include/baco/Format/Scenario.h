//===- Scenario.h - Scenario files of BaCO ----------------------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Reads the JSON files that describe a tuning problem to the reference
// implementation of BaCO (github.com/baco-authors/baco, both branches) and to
// HyperMapper, from which it descends: the space, and those settings that have
// a meaning here.
//
//===----------------------------------------------------------------------===//

#ifndef BACO_FORMAT_SCENARIO_H
#define BACO_FORMAT_SCENARIO_H

#include "baco/Space/Space.h"

#include <string>
#include <string_view>
#include <vector>

namespace baco {

/// How a scenario's black box says whether a configuration works.
struct FeasibleOutput {
  /// Whether the search learns from failures (`enable_feasible_predictor`).
  bool isEnabled = false;
  /// The name of that output, and its texts for "works" and "doesn't".
  std::string name = "Valid", trueValue = "True", falseValue = "False";
};

/// A tuning problem, and how to search. Settings that the file omits have the
/// reference's defaults.
struct Scenario {
  Space space;
  std::string applicationName = "application";
  /// The names of what is minimized, at least one.
  std::vector<std::string> objectives = {};
  FeasibleOutput feasibleOutput = {};

  /// Whether candidates are evaluated by a client (`baco_mode`).
  bool isClientServer = false;
  /// The technique's name for search::makeOptimizer. A Bayesian optimization
  /// without iterations is how the reference asks for its baselines: `random`,
  /// or `random-walk` for embedding random sampling.
  std::string technique = "baco";
  /// `models.model` is a random forest.
  bool usesForest = false;
  /// The model is of the objective's logarithm (`log_transform_output`).
  bool usesLogObjective = false;
  /// Trials before the first model, and with a model.
  uint64_t initialDesign = 10, iterations = 50;
  /// Wall time, in seconds; 0: no limit. The file has minutes.
  double timeLimitSeconds = 0;

  /// The keys that were given, are known, and have no effect here, such as
  /// "GP_model", "models.bootstrap", or "input_parameters.x.prior" for a prior
  /// that is neither a list of weights nor, of a real, gaussian.
  std::vector<std::string> ignored = {};

  /// Settings that would make another result, and aren't supported: for each a
  /// line with the key and what to do.
  std::vector<std::string> unsupported = {};

  /// The number of trials.
  uint64_t budget() const { return initialDesign + iterations; }
};

/// Reads a scenario. Keys that start with `x_` are ours or the user's own, and
/// not looked at. Integers and reals get an expert's weights at equal distances
/// over their range, linearly interpolated.
///
/// With the name of the `file` that the text is from, constraints, parameters
/// and errors have the place in it, `file:line:column`.
///
/// Errors: Corrupt if the text isn't JSON, misses something, or has an unknown
/// key, naming it; Unsupported for constraints that Numexpr.h refuses; else
/// those of Parameter and Space::create.
Result<Scenario> readScenario(std::string_view json,
                              const std::string &file = "");

/// The space of a scenario (a JSON object with `input_parameters`), of a T1
/// file
/// (`ConfigurationSpace`) or a cache file of Kernel Tuner (`tune_params_keys`;
/// TuningSchema.h), or one that writeSpace has written. `ignored`, if it isn't
/// null, becomes that of the scenario or T1 file. Errors: those of the readers.
Result<Space> readAnySpace(std::string_view json, const std::string &file = "",
                           std::vector<std::string> *ignored = nullptr);

} // namespace baco

#endif // BACO_FORMAT_SCENARIO_H
