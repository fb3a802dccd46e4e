//===- T1Writer.cpp - Spaces as T1 files ----------------------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The schema knows kernels in languages for GPUs only. What it requires is
// there, with the least meaning; `BacoKernel` says what is meant.
//
//===----------------------------------------------------------------------===//

#include "SpaceReader.h"
#include "baco/Expression/Permutation.h"
#include "baco/Format/Python.h"
#include "baco/Format/TuningSchema.h"
#include "baco/Support/Complaint.h"

#include <algorithm>

using namespace baco;

static Error unsupported(const Parameter &parameter, const std::string &why) {
  return {ErrorCode::Unsupported, "parameter '" + parameter.name() +
                                      "' can't be written as T1: " + why};
}

/// All values as a list in Python.
static std::string listOf(const Parameter &parameter) {
  if (parameter.kind() == ParameterKind::Integer) {
    int64_t lower = std::get<int64_t>(parameter.value(0));
    int64_t upper = std::get<int64_t>(parameter.value(parameter.size() - 1));
    return "list(range(" + std::to_string(lower) + ", " +
           std::to_string(upper + 1) + ", " + std::to_string(parameter.step()) +
           "))";
  }
  if (parameter.kind() == ParameterKind::Boolean)
    return "[0, 1]";
  std::string list = "[";
  for (uint64_t i = 0; i < parameter.size(); ++i)
    list += (i ? ", " : "") + pythonLiteral(parameter.value(i));
  return list + "]";
}

/// `int` or `float` if all values are of it; else `string`, the type whose
/// values readers take as they are. Kernel Tuner reads no `bool`.
static std::string typeOf(const Parameter &parameter) {
  if (parameter.kind() == ParameterKind::Integer ||
      parameter.kind() == ParameterKind::Boolean)
    return "int";
  if (parameter.kind() == ParameterKind::Permutation)
    return "string";
  bool areIntegers = true, areNumbers = true;
  for (uint64_t i = 0; i < parameter.size(); ++i) {
    ParameterValue value = parameter.value(i);
    areIntegers &= std::holds_alternative<int64_t>(value);
    areNumbers &= isNumber(value);
  }
  return areIntegers ? "int" : areNumbers ? "float" : "string";
}

static Result<Json> writeParameter(const Parameter &parameter) {
  if (parameter.kind() == ParameterKind::Real)
    return unsupported(parameter, "a real has no list of values; use an "
                                  "ordinal");
  bool isOrder = parameter.kind() == ParameterKind::Permutation;
  if (isOrder && parameter.permutationSize() > maxListedPermutation)
    return unsupported(parameter,
                       "all orders of " +
                           std::to_string(parameter.permutationSize()) +
                           " elements would be listed; the most is " +
                           std::to_string(maxListedPermutation));
  if (!isPythonName(parameter.name()))
    return unsupported(parameter, "it isn't a name in Python; rename it");
  std::string type = typeOf(parameter);
  Json json = {{"Name", parameter.name()},
               {"Type", type},
               {"Values", listOf(parameter)}};
  ParameterValue initial = parameter.initialValue();
  if (const auto *order = std::get_if<Permutation>(&initial))
    json["Default"] = orderText(*order);
  else if (parameter.kind() == ParameterKind::Boolean)
    json["Default"] = std::get<bool>(initial) ? 1 : 0;
  else
    json["Default"] = toJson(initial);
  // Lists of numbers are ordinals.
  if (isOrder || parameter.kind() == ParameterKind::Boolean ||
      (parameter.kind() == ParameterKind::Categorical && type != "string"))
    json["BacoKind"] = kindName(parameter.kind());
  if (isOrder && parameter.metric() != PermutationMetric::Spearman)
    json["Metric"] = metricName(parameter.metric());
  if (parameter.isLog())
    json["Log"] = true;
  if (!parameter.weights.empty())
    json["Weights"] = parameter.weights;
  return json;
}

static Json writeCondition(const Constraint &constraint,
                           const std::vector<Parameter> &parameters) {
  Json json = {
      {"Parameters", constraint.expression.variables()},
      {"Expression", need(writePython(constraint.expression, parameters))}};
  if (!constraint.reason.empty())
    json["Reason"] = constraint.reason;
  if (constraint.advisory)
    json["Advisory"] = true;
  return json;
}

/// The constraint that has an inactive parameter at its default.
static Constraint asConstraint(const Condition &condition, const Space &space) {
  const Parameter &parameter =
      space.parameters()[*space.indexOf(condition.parameter)];
  if (condition.expression.isCall())
    return {condition.expression, "", "", false};
  return {condition.expression.enclosed() ||
              Expression::variable(parameter.name()) ==
                  Expression::literal(parameter.initialValue()),
          "inactive parameters have their default", "", false};
}

Result<std::string> baco::writeT1(const Space &space, std::string_view kernel) {
  Json parameters = Json::array(), conditions = Json::array();
  Result<void> done = attempt([&] {
    for (const Parameter &parameter : space.parameters())
      parameters.push_back(need(writeParameter(parameter)));
    std::vector<Constraint> constraints = space.constraints();
    for (const Condition &condition : space.conditions())
      constraints.push_back(asConstraint(condition, space));
    for (const Constraint &constraint : constraints)
      conditions.push_back(writeCondition(constraint, space.parameters()));
  });
  if (!done)
    return done.error();
  Json json;
  json["General"] = {{"FormatVersion", 1},
                     {"TimeUnit", "Milliseconds"},
                     {"OutputFormat", "JSON"},
                     {"BenchmarkName", kernel}};
  json["ConfigurationSpace"] = {{"TuningParameters", std::move(parameters)},
                                {"Conditions", std::move(conditions)}};
  json["Search"] = {{"Name", "baco"}};
  json["KernelSpecification"] = {{"Language", "Hypertuner"},
                                 {"KernelName", kernel},
                                 {"KernelFile", ""},
                                 {"Device", {{"Name", "CPU"}}},
                                 {"GlobalSize", {{"X", "1"}}},
                                 {"LocalSize", {{"X", "1"}}},
                                 {"ProblemSize", Json::array({1})},
                                 {"Arguments", Json::array()},
                                 {"BacoKernel", {{"Language", "MLIR"}}}};
  return printJson(json, /*indent=*/2) + "\n";
}
