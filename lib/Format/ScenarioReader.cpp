//===- ScenarioReader.cpp - Scenario files of BaCO ------------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ScenarioReader.h"
#include "Members.h"
#include "baco/Format/SpaceFormat.h"
#include "baco/Format/TuningSchema.h"

#include <algorithm>

using namespace baco;

/// The keys that readScenario uses.
static constexpr std::string_view usedKeys[] = {
    "application_name",        "baco_mode",        "design_of_experiment",
    "feasible_output",         "hypermapper_mode", "input_parameters",
    "log_transform_output",    "models",           "optimization_method",
    "optimization_iterations", "time_budget",      "optimization_objectives"};

/// The other keys of the reference's branches `master` and `Original` and of
/// HyperMapper 2: settings of their own models and searches, names of files,
/// and keys without effect.
static constexpr std::string_view ignoredKeys[] = {
    "GP_model",
    "acquisition_function",
    "acquisition_function_optimizer",
    "allow_duplicate_samples",
    "append_profiles",
    "bandwidth_n_factor",
    "bandwidth_parameter",
    "batch_size",
    "bounding_box_limits",
    "cot_add_sparsity",
    "cot_bias",
    "doe_allow_repetitions",
    "epsilon_greedy_threshold",
    "estimate_multivariate_priors",
    "evaluations_per_iteration",
    "evaluations_per_optimization_iteration",
    "evolution_crossover",
    "evolution_generations",
    "evolution_population_size",
    "exploration_augmentation",
    "hyperparameter_optimization_iterations",
    "input_noise",
    "lengthscale_prior",
    "local_search_evaluation_limit",
    "local_search_from_best",
    "local_search_improvement_threshold",
    "local_search_random_points",
    "local_search_scalarization_weights",
    "local_search_starting_points",
    "local_search_step_size",
    "log_acq_value",
    "log_file",
    "max_number_of_predictions",
    "model_good_quantile",
    "model_posterior_weight",
    "model_weight",
    "multistart_hyperparameter_optimization",
    "multistart_hyperparameter_optimization_initial_points",
    "multistart_hyperparameter_optimization_iterations",
    "mutation_rate",
    "naive_cot_rs",
    "noise",
    "noise_prior",
    "normalize_inputs",
    "number_of_cpus",
    "number_of_repetitions",
    "objective_value_target",
    "output_data_file",
    "output_image",
    "output_pareto_file",
    "outputscale_prior",
    "predict_noiseless",
    "prior_estimation_file",
    "prior_estimation_quantile",
    "prior_floor",
    "prior_limit_estimation_points",
    "profiling",
    "profiling_file",
    "regularize_evolution",
    "reoptimize_hyperparameters_interval",
    "resume_optimization",
    "resume_optimization_data",
    "resume_optimization_file",
    "reuse_gp_hyperparameters",
    "run_directory",
    "scalarization_key",
    "scalarization_method",
    "standardize_objectives",
    "timestamp",
    "use_STGP",
    "use_c_backend",
    "verbose_logging",
    "weight_sampling",
};

namespace {
/// A key of `ignoredKeys` that changes what is evaluated or found.
struct ChangingKey {
  std::string_view key;
  /// JSON of the values that change nothing; the reference's default is among
  /// them.
  std::vector<std::string_view> harmless;
  std::string_view remedy;
};
} // namespace

static const ChangingKey changingKeys[] = {
    {"acquisition_function", {R"("EI")"}, "remove it: baco uses EI"},
    {"batch_size", {"1"}, "remove it, and use --in-flight"},
    {"bounding_box_limits", {"[]", "null"}, "remove it, and use bounds"},
    {"doe_allow_repetitions", {"false"}, "remove it: trials differ"},
    {"epsilon_greedy_threshold", {"0", "0.0"}, "remove it"},
    {"evaluations_per_iteration", {"1"}, "remove it, and use --in-flight"},
    {"evaluations_per_optimization_iteration",
     {"1"},
     "remove it, and use --in-flight"},
    {"input_noise", {"false"}, "remove it"},
    {"number_of_repetitions", {"1", "0"}, "remove it, and use --seed"},
    {"objective_value_target",
     {"-9999", "-9999.0"},
     "remove it, and use --stop='cost(X)'"},
    {"prior_estimation_file", {R"("")", "null"}, "remove it, and use --like"},
    {"resume_optimization",
     {"false"},
     "remove it: the same command goes on from its journal"},
    {"resume_optimization_data",
     {R"("")", "null"},
     "remove it, and use --like"},
    {"resume_optimization_file",
     {R"("")", "null"},
     "remove it, and use --like"},
    {"scalarization_method",
     {R"("linear")", R"("tchebyshev")", R"("modified_tchebyshev")"},
     "remove it, and use --order"},
    {"weight_sampling", {R"("flat")"}, "remove it"},
};

/// The settings that would change a result.
static std::vector<std::string> findChangingKeys(const Json &json) {
  std::vector<std::string> found;
  for (const ChangingKey &changing : changingKeys) {
    auto member = json.find(std::string(changing.key));
    if (member == json.end())
      continue;
    std::string text = printJson(*member, -1);
    if (std::ranges::find(changing.harmless, text) == changing.harmless.end())
      found.push_back("'" + std::string(changing.key) + "' is " + text +
                      ", which isn't supported; " +
                      std::string(changing.remedy));
  }
  return found;
}

static bool contains(std::span<const std::string_view> keys,
                     std::string_view key) {
  return std::find(keys.begin(), keys.end(), key) != keys.end();
}

void baco::checkKeys(const Json &json, const std::string &prefix,
                     std::span<const std::string_view> used,
                     std::span<const std::string_view> ignored,
                     std::vector<std::string> &notes) {
  for (const auto &[key, member] : json.items()) {
    if (key.starts_with("x_") || contains(used, key))
      continue;
    if (!contains(ignored, key))
      fail(corrupt("a scenario has no key '" + prefix + key +
                   "'; keys of your own start with 'x_'"));
    notes.push_back(prefix + key);
  }
}

namespace {

/// Reads everything but the space.
class SettingsReader {
public:
  SettingsReader(const Json &json, Scenario &scenario)
      : json(json), scenario(scenario) {}

  void read();

private:
  void readObjectives();
  void readTechnique();
  void readModel();
  void readDesign();
  void readFeasibleOutput();
  void readTimeLimit();
  void readMode();
  /// A member object; nullptr if it isn't there.
  const Json *object(const char *name) const;

  const Json &json;
  Scenario &scenario;
  /// `doe_type` is "embedding random sampling".
  bool walks = false;
};

} // namespace

const Json *SettingsReader::object(const char *name) const {
  auto found = json.find(name);
  if (found == json.end())
    return nullptr;
  if (!found->is_object())
    fail(corrupt("'" + std::string(name) + "' must be a JSON object"));
  return &*found;
}

void SettingsReader::readObjectives() {
  auto list = json.find("optimization_objectives");
  const Error error =
      corrupt("a scenario needs 'optimization_objectives', a list of at least "
              "one name");
  if (list == json.end() || !list->is_array() || list->empty())
    fail(error);
  for (const Json &name : *list) {
    if (!name.is_string())
      fail(error);
    scenario.objectives.push_back(name.get<std::string>());
  }
}

void SettingsReader::readModel() {
  static constexpr std::string_view used[] = {"model"};
  static constexpr std::string_view ignored[] = {
      "bootstrap",
      "max_features",
      "min_samples_split",
      "number_of_trees",
      "use_all_data_to_fit_mean",
      "use_all_data_to_fit_variance"};
  const Json *models = object("models");
  if (!models)
    return;
  checkKeys(*models, "models.", used, ignored, scenario.ignored);
  std::string model =
      readText(*models, "'models'", "model", "gaussian_process");
  if (model != "gaussian_process" && model != "random_forest")
    fail(corrupt("unknown model '" + model +
                 "': the known ones are gaussian_process, random_forest"));
  scenario.usesForest = model == "random_forest";
}

void SettingsReader::readDesign() {
  static constexpr std::string_view used[] = {"doe_type", "number_of_samples"};
  static constexpr std::string_view ignored[] = {"allow_repetitions"};
  // The Latin hypercubes are HyperMapper's: any space-filling design will do.
  static constexpr std::string_view types[] = {
      "random sampling", "embedding random sampling",
      "standard latin hypercube", "k latin hypercube", "grid_search"};
  const Json *design = object("design_of_experiment");
  if (!design)
    return;
  checkKeys(*design, "design_of_experiment.", used, ignored, scenario.ignored);
  std::string what = "'design_of_experiment'";
  std::string type = readText(*design, what, "doe_type", std::string(types[0]));
  if (!contains(types, type))
    fail(corrupt("unknown doe_type '" + type +
                 "': the known ones are random sampling, embedding random "
                 "sampling"));
  if (type != types[0] && type != types[1])
    scenario.ignored.push_back("design_of_experiment.doe_type");
  walks = type == types[1];
  int64_t number = readInteger(*design, what, "number_of_samples", 10);
  if (number < 0)
    fail(corrupt("'number_of_samples' can't be negative, but it is " +
                 std::to_string(number)));
  scenario.initialDesign = static_cast<uint64_t>(number);
}

/// Reads what follows the design and the number of iterations.
void SettingsReader::readTechnique() {
  static constexpr std::pair<std::string_view, std::string_view> techniques[] =
      {{"bayesian_optimization", "baco"},
       {"exhaustive", "exhaustive"},
       {"opentuner", "opentuner"},
       {"ytopt", "forest"},
       {"ytopt_ccs", "forest"},
       {"evolutionary_optimization", "genetic"},
       // HyperMapper's.
       {"gaussian_process", "baco"},
       {"local_search", "baco"},
       {"prior_guided_optimization", "baco"},
       {"random_scalarizations", "baco"}};
  std::string method = readText(json, "a scenario", "optimization_method",
                                "bayesian_optimization");
  const auto *found =
      std::find_if(std::begin(techniques), std::end(techniques),
                   [&](const auto &entry) { return entry.first == method; });
  if (found == std::end(techniques)) {
    std::string known;
    for (const auto &[name, technique] : techniques)
      known += (known.empty() ? "" : ", ") + std::string(name);
    fail(corrupt("unknown optimization_method '" + method +
                 "': the known ones are " + known));
  }
  scenario.technique = found->second;
  if (method == "bayesian_optimization" && scenario.iterations == 0)
    scenario.technique = walks ? "random-walk" : "random";
}

/// A value as Python prints it: the reference compares texts.
static std::string pythonText(const Json &json) {
  if (json.is_string())
    return json.get<std::string>();
  if (json.is_boolean())
    return json.get<bool>() ? "True" : "False";
  return printJson(json, -1);
}

void SettingsReader::readFeasibleOutput() {
  static constexpr std::string_view used[] = {
      "enable_feasible_predictor", "name", "true_value", "false_value"};
  static constexpr std::string_view ignored[] = {
      "feasibility_threshold",
      // HyperMapper's.
      "enable_feasible_predictor_grid_search_on_recall_and_precision",
      "feasible_predictor_grid_search_validation_file"};
  const Json *output = object("feasible_output");
  if (!output)
    return;
  checkKeys(*output, "feasible_output.", used, ignored, scenario.ignored);
  FeasibleOutput &feasible = scenario.feasibleOutput;
  std::string what = "'feasible_output'";
  feasible.isEnabled = readFlag(*output, what, "enable_feasible_predictor");
  feasible.name = readText(*output, what, "name", feasible.name);
  // The reference's defaults are in lower case where the object is given.
  feasible.trueValue = pythonText(output->value("true_value", Json("true")));
  feasible.falseValue = pythonText(output->value("false_value", Json("false")));
}

void SettingsReader::readTimeLimit() {
  auto found = json.find("time_budget");
  if (found == json.end())
    return;
  if (!found->is_number())
    fail(corrupt("'time_budget' must be a number of minutes"));
  double minutes = found->get<double>();
  if (minutes == 0)
    fail(corrupt("'time_budget' is 0 minutes; -1 stands for no limit"));
  if (minutes > 0)
    scenario.timeLimitSeconds = 60 * minutes;
}

/// HyperMapper has another name for the same key.
void SettingsReader::readMode() {
  static constexpr std::string_view used[] = {"mode"};
  for (const char *key : {"baco_mode", "hypermapper_mode"}) {
    const Json *member = object(key);
    if (!member)
      continue;
    checkKeys(*member, key + std::string("."), used, {}, scenario.ignored);
    std::string mode =
        readText(*member, "'" + std::string(key) + "'", "mode", "default");
    if (mode != "default" && mode != "client-server")
      fail(corrupt("unknown mode '" + mode +
                   "': the known ones are default, client-server"));
    scenario.isClientServer = mode == "client-server";
  }
}

void SettingsReader::read() {
  scenario.applicationName = readText(json, "a scenario", "application_name",
                                      scenario.applicationName);
  scenario.usesLogObjective =
      readFlag(json, "a scenario", "log_transform_output");
  int64_t iterations =
      readInteger(json, "a scenario", "optimization_iterations",
                  static_cast<int64_t>(scenario.iterations));
  if (iterations < 0)
    fail(corrupt("'optimization_iterations' can't be negative, but it is " +
                 std::to_string(iterations)));
  scenario.unsupported = findChangingKeys(json);
  scenario.iterations = static_cast<uint64_t>(iterations);
  for (auto step : {&SettingsReader::readObjectives, &SettingsReader::readModel,
                    &SettingsReader::readDesign, &SettingsReader::readTechnique,
                    &SettingsReader::readFeasibleOutput,
                    &SettingsReader::readTimeLimit, &SettingsReader::readMode})
    (this->*step)();
}

static Space readScenarioSpace(const Json &json,
                               std::vector<std::string> &notes,
                               JsonPlaces &places) {
  auto entries = json.find("input_parameters");
  if (entries == json.end() || !entries->is_object() || entries->empty())
    fail(corrupt("a scenario needs 'input_parameters', an object with at "
                 "least one parameter"));
  std::vector<Parameter> parameters;
  for (const auto &[name, member] : entries->items()) {
    parameters.push_back(places.within(
        member, [&] { return readScenarioParameter(name, member, notes); }));
    parameters.back().location = places.of(member);
  }
  std::vector<Constraint> constraints =
      readScenarioConstraints(*entries, parameters, places);
  return need(Space::create(std::move(parameters), std::move(constraints)));
}

Result<Scenario> baco::readScenario(std::string_view text,
                                    const std::string &file) {
  return readJson(text, file, [](const Json &json, JsonPlaces &places) {
    if (!json.is_object())
      fail(corrupt("a scenario must be a JSON object"));
    std::vector<std::string> notes;
    checkKeys(json, "", usedKeys, ignoredKeys, notes);
    Scenario scenario = {.space = readScenarioSpace(json, notes, places)};
    scenario.ignored = std::move(notes);
    SettingsReader(json, scenario).read();
    return scenario;
  });
}

Result<Space> baco::readAnySpace(std::string_view text, const std::string &file,
                                 std::vector<std::string> *ignored) {
  Result<Json> json = parseJson(text, file);
  // A cache file needn't have an end.
  bool isCache = text.find("\"tune_params_keys\"") != std::string_view::npos;
  if (isCache && (!json || json->contains("tune_params_keys")))
    return readKernelTunerSpace(text, file);
  if (!json)
    return json.error();
  if (json->is_object() && json->contains("ConfigurationSpace"))
    return readT1(text, file, ignored);
  if (json->is_object() && json->contains("results") &&
      !json->contains("parameters"))
    return corrupt((file.empty() ? "" : file + ":1:1: ") +
                   "these are T4 results, which don't say what their space is: "
                   "give the T1 file of the kernel");
  if (!json->is_object() || !json->contains("input_parameters"))
    return readSpace(text, file);
  Result<Scenario> scenario = baco::readScenario(text, file);
  if (!scenario)
    return scenario.error();
  if (ignored)
    *ignored = std::move(scenario->ignored);
  return std::move(scenario->space);
}
