//===- ScenarioParameter.cpp - Parameters of scenario files ---------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One entry of `input_parameters`: its domain, default, prior and constraints.
//
//===----------------------------------------------------------------------===//

#include "Members.h"
#include "ScenarioReader.h"
#include "SpaceReader.h"
#include "baco/Format/Numexpr.h"

#include <algorithm>
#include <cmath>

using namespace baco;

static std::string quoted(const std::string &name) {
  return "parameter '" + name + "'";
}

/// 4.0 is 4: the reference writes and reads whole numbers either way.
static ParameterValue toWhole(ParameterValue value) {
  constexpr double limit = 0x1p53;
  if (const double *real = std::get_if<double>(&value))
    if (*real == std::floor(*real) && std::abs(*real) < limit)
      return static_cast<int64_t>(*real);
  return value;
}

static std::vector<ParameterValue> readWholeValues(const Json &json,
                                                   const std::string &what) {
  std::vector<ParameterValue> values = readValues(json, what);
  for (ParameterValue &value : values)
    value = toWhole(std::move(value));
  return values;
}

/// Two numbers.
static void checkRange(const std::vector<ParameterValue> &values,
                       const std::string &what) {
  if (values.size() == 2 && isNumber(values[0]) && isNumber(values[1]))
    return;
  fail(corrupt("the values of " + what +
               " must be two numbers, the least and the largest"));
}

static Result<Parameter> makeInteger(const std::string &name,
                                     std::vector<ParameterValue> values,
                                     bool log) {
  std::string what = quoted(name);
  checkRange(values, what);
  const int64_t *lower = std::get_if<int64_t>(&values[0]);
  const int64_t *upper = std::get_if<int64_t>(&values[1]);
  if (!lower || !upper)
    return corrupt("the range of " + what + " must hold integers");
  return Parameter::integer(name, std::min(*lower, *upper),
                            std::max(*lower, *upper), 1, log);
}

static Result<Parameter> makeReal(const std::string &name,
                                  const std::vector<ParameterValue> &values,
                                  bool log) {
  checkRange(values, quoted(name));
  return Parameter::real(name, toDouble(values[0]), toDouble(values[1]), log);
}

/// In increasing order; all integers or all reals.
static Result<Parameter> makeOrdinal(const std::string &name,
                                     std::vector<ParameterValue> values,
                                     bool log) {
  if (!std::all_of(values.begin(), values.end(), isNumber))
    return corrupt("the values of " + quoted(name) + " must be numbers");
  std::sort(values.begin(), values.end(),
            [](const ParameterValue &a, const ParameterValue &b) {
              return toDouble(a) < toDouble(b);
            });
  bool anyReal = std::any_of(values.begin(), values.end(),
                             [](const ParameterValue &value) {
                               return std::holds_alternative<double>(value);
                             });
  if (anyReal)
    for (ParameterValue &value : values)
      value = toDouble(value);
  return Parameter::ordinal(name, std::move(values), log);
}

static Result<Parameter>
makePermutation(const std::string &name,
                const std::vector<ParameterValue> &values, const Json &json) {
  std::string what = quoted(name);
  const int64_t *size = std::get_if<int64_t>(&values[0]);
  if (values.size() != 1 || !size)
    return corrupt("the values of " + what +
                   " must hold one number, the number of elements");
  std::string text = readText(json, what, "parametrization", "spearman"),
              lower = text;
  for (char &c : lower)
    if (c >= 'A' && c <= 'Z')
      c = static_cast<char>(c - 'A' + 'a');
  std::optional<PermutationMetric> metric = parseMetric(lower);
  if (!metric)
    return corrupt(what + " has an unknown parametrization '" + text +
                   "': the known ones are spearman, kendall, hamming, naive");
  return Parameter::permutation(
      name, static_cast<int>(std::clamp<int64_t>(*size, 0, 1000)), *metric);
}

static Result<Parameter> readDomain(const std::string &name, const Json &json) {
  std::string what = quoted(name);
  std::string type = readText(json, what, "parameter_type");
  std::string transform = readText(json, what, "transform", "none");
  if (transform != "none" && transform != "log")
    fail(corrupt(what + " has an unknown transform '" + transform +
                 "': the known ones are none, log"));
  std::vector<ParameterValue> values = readWholeValues(json, what);
  bool log = transform == "log";
  if (type == "real")
    return makeReal(name, values, log);
  if (type == "integer")
    return makeInteger(name, std::move(values), log);
  if (type == "ordinal")
    return makeOrdinal(name, std::move(values), log);
  if (log)
    return corrupt(what + " has no logarithm: its type is '" + type + "'");
  if (type == "categorical")
    return Parameter::categorical(name, std::move(values));
  if (type == "permutation")
    return makePermutation(name, values, json);
  return corrupt(what + " has an unknown type '" + type +
                 "': the known ones are real, integer, ordinal, categorical, "
                 "permutation");
}

/// The piecewise linear function through `weights` at equal distances, at
/// `number` equal distances.
static std::vector<double> interpolate(const std::vector<double> &weights,
                                       uint64_t number) {
  std::vector<double> result;
  double last = static_cast<double>(weights.size() - 1);
  for (uint64_t i = 0; i < number; ++i) {
    double x =
        number == 1 ? 0 : last * static_cast<double>(i) / double(number - 1);
    size_t left = static_cast<size_t>(x);
    size_t right = std::min(left + 1, weights.size() - 1);
    double share = x - static_cast<double>(left);
    result.push_back((1 - share) * weights[left] + share * weights[right]);
  }
  return result;
}

static std::vector<double> readWeights(const Json &prior,
                                       const Parameter &parameter) {
  std::string what = quoted(parameter.name());
  std::vector<double> weights;
  for (const Json &weight : prior) {
    if (!weight.is_number())
      fail(corrupt("the prior of " + what + " must be a list of numbers"));
    weights.push_back(weight.get<double>());
  }
  if (weights.empty())
    fail(corrupt("the prior of " + what + " is an empty list"));
  if (parameter.kind() == ParameterKind::Integer)
    return interpolate(weights, parameter.size());
  return weights;
}

/// The density of a normal distribution, `prior_parameters` being its mean and
/// deviation, at equal distances over the range of a real, relative to that at
/// the mean.
static std::vector<double> readGaussian(const Json &json,
                                        const Parameter &parameter) {
  std::string what = quoted(parameter.name());
  auto numbers = json.find("prior_parameters");
  if (numbers == json.end() || !numbers->is_array() || numbers->size() != 2 ||
      !(*numbers)[0].is_number() || !(*numbers)[1].is_number() ||
      !((*numbers)[1].get<double>() > 0))
    fail(corrupt("the gaussian prior of " + what +
                 " needs 'prior_parameters': a mean, and a deviation above 0"));
  auto mean = (*numbers)[0].get<double>(),
       deviation = (*numbers)[1].get<double>();
  // Linear between them, which is good enough for advice.
  constexpr int numPoints = 129;
  std::vector<double> weights;
  for (int i = 0; i < numPoints; ++i) {
    double x = parameter.lower() +
               (parameter.upper() - parameter.lower()) * i / (numPoints - 1);
    double z = (x - mean) / deviation;
    weights.push_back(std::exp(-0.5 * z * z));
  }
  return weights;
}

/// Whether the prior is of a kind that we have: weights on values. An integer
/// with more values than that isn't given a table of them.
static bool isWeights(const Json &prior, const Parameter &parameter) {
  constexpr uint64_t maxValues = 1 << 20;
  if (parameter.kind() == ParameterKind::Real)
    return prior.is_array() || prior == "gaussian";
  return prior.is_array() && parameter.kind() != ParameterKind::Permutation &&
         parameter.size() <= maxValues;
}

/// A prior of another kind is only noted: it is advice, and the space is the
/// same without.
static void readPrior(const Json &json, Parameter &parameter,
                      std::vector<std::string> &notes) {
  auto prior = json.find("prior");
  if (prior == json.end() || *prior == "uniform")
    return;
  if (!prior->is_array() && !prior->is_string())
    fail(corrupt("the prior of " + quoted(parameter.name()) +
                 " must be a name or a list of numbers"));
  if (!isWeights(*prior, parameter)) {
    notes.push_back("input_parameters." + parameter.name() + ".prior");
    return;
  }
  const Json &values = json.at("values");
  if (parameter.kind() == ParameterKind::Ordinal &&
      !std::is_sorted(values.begin(), values.end()))
    fail({ErrorCode::Unsupported,
          quoted(parameter.name()) +
              " has a prior, but its values aren't in increasing order: "
              "sort both"});
  parameter.weights = prior->is_array() ? readWeights(*prior, parameter)
                                        : readGaussian(json, parameter);
}

Parameter baco::readScenarioParameter(const std::string &name, const Json &json,
                                      std::vector<std::string> &notes) {
  static constexpr std::string_view used[] = {
      "parameter_type",   "values",    "parameter_default", "constraints",
      "dependencies",     "transform", "parametrization",   "prior",
      "prior_parameters", "extent"};
  if (!json.is_object())
    fail(corrupt(quoted(name) + " must be a JSON object"));
  checkKeys(json, "input_parameters." + name + ".", used, {}, notes);
  Parameter parameter = need(readDomain(name, json));
  if (auto found = json.find("parameter_default"); found != json.end()) {
    std::optional<ParameterValue> value = toValue(*found);
    if (!value)
      fail(corrupt("the default of " + quoted(name) + " isn't a value"));
    parameter.defaultValue = toWhole(std::move(*value));
  }
  readPrior(json, parameter, notes);
  parameter.extent = readNumber(json, quoted(name), "extent");
  return parameter;
}

/// A member that is a list of strings; null if it isn't there.
static const Json *findTexts(const Json &json, const std::string &what,
                             const char *name) {
  auto list = json.find(name);
  if (list == json.end())
    return nullptr;
  if (!list->is_array() ||
      !std::all_of(list->begin(), list->end(),
                   [](const Json &text) { return text.is_string(); }))
    fail(corrupt("'" + std::string(name) + "' of " + what +
                 " must be a list of strings"));
  return &*list;
}

static void checkDependencies(const Json &json, const std::string &what,
                              const std::vector<Parameter> &parameters,
                              JsonPlaces &places) {
  const Json *names = places.within(
      json, [&] { return findTexts(json, what, "dependencies"); });
  if (!names)
    return;
  for (const Json &member : *names) {
    std::string name = member.get<std::string>();
    if (std::none_of(parameters.begin(), parameters.end(),
                     [&](const Parameter &p) { return p.name() == name; }))
      fail(places.locate(
          member, {ErrorCode::NotFound, what + " depends on '" + name +
                                            "', which isn't a parameter"}));
  }
}

std::vector<Constraint>
baco::readScenarioConstraints(const Json &json,
                              const std::vector<Parameter> &parameters,
                              JsonPlaces &places) {
  std::vector<Constraint> constraints;
  for (const auto &[name, member] : json.items()) {
    std::string what = quoted(name);
    checkDependencies(member, what, parameters, places);
    const Json *texts = places.within(
        member, [&] { return findTexts(member, what, "constraints"); });
    if (!texts)
      continue;
    for (const Json &text : *texts) {
      Result<Expression> expression =
          parseNumexpr(text.get<std::string>(), parameters);
      if (!expression)
        fail(places.locate(text, {expression.error().code,
                                  what + ": " + expression.error().message}));
      constraints.push_back({*expression, "", places.of(text), false});
    }
  }
  return constraints;
}
