//===- CommonSpace.cpp - The common part of two spaces --------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "baco/Search/CommonSpace.h"

#include <algorithm>
#include <cmath>

using namespace baco;
using namespace baco::search;

/// Numbers of more values than this are a range.
static constexpr uint64_t maxListed = 4096;

static bool isChoice(const Parameter &parameter) {
  return parameter.kind() == ParameterKind::Boolean ||
         parameter.kind() == ParameterKind::Categorical;
}

static bool isListed(const Parameter &parameter) {
  return parameter.size() > 0 && parameter.size() <= maxListed;
}

/// The numbers of both parameters, those of `a` times `factor`.
static Result<Parameter> uniteNumbers(const Parameter &a, const Parameter &b,
                                      double factor) {
  double low = std::min(a.lower() * factor, b.lower());
  double high = std::max(a.upper() * factor, b.upper());
  bool isLog = b.isLog() && low > 0;
  if (!isListed(a) || !isListed(b))
    return Parameter::real(b.name(), low, high, isLog);
  std::vector<double> numbers;
  for (uint64_t i = 0; i < a.size(); ++i)
    numbers.push_back(toDouble(a.value(i)) * factor);
  for (uint64_t i = 0; i < b.size(); ++i)
    numbers.push_back(toDouble(b.value(i)));
  std::sort(numbers.begin(), numbers.end());
  numbers.erase(std::unique(numbers.begin(), numbers.end()), numbers.end());
  return Parameter::ordinal(b.name(), {numbers.begin(), numbers.end()}, isLog);
}

static Result<Parameter> uniteChoices(const Parameter &a, const Parameter &b) {
  std::vector<ParameterValue> values;
  for (uint64_t i = 0; i < b.size(); ++i)
    values.push_back(b.value(i));
  for (uint64_t i = 0; i < a.size(); ++i)
    if (!b.contains(a.value(i)))
      values.push_back(a.value(i));
  return Parameter::categorical(b.name(), std::move(values));
}

/// The parameter with the values of both; an error if they have nothing in
/// common, or no arithmetic holds them.
static Result<Parameter> unite(const Parameter &a, const Parameter &b,
                               double factor) {
  if (a.isNumeric() && b.isNumeric())
    return uniteNumbers(a, b, factor);
  if (isChoice(a) && isChoice(b))
    return uniteChoices(a, b);
  if (a.kind() == b.kind() && a.permutationSize() == b.permutationSize())
    return Parameter::permutation(b.name(), b.permutationSize(), b.metric());
  return {ErrorCode::InvalidArgument, "parameters of different kinds"};
}

/// A space without parameters.
static Space emptySpace() {
  Result<Space> made = Space::create({});
  assert(made && "nothing can clash");
  return std::move(*made);
}

/// The coordinate of a value that `parameter` has.
static double coordinateOf(const Parameter &parameter,
                           const ParameterValue &value) {
  if (parameter.kind() == ParameterKind::Real)
    return std::clamp(toDouble(value), parameter.lower(), parameter.upper());
  std::optional<uint64_t> index = parameter.indexOf(value);
  assert(index && "the parameter has the values of both spaces");
  return parameter.coordinate(*index);
}

CommonSpace::CommonSpace(const Space &source, Space theTarget, Reading reading)
    : target(std::move(theTarget)), common(emptySpace()) {
  std::vector<Parameter> united;
  for (size_t p = 0; p < target.parameters().size(); ++p) {
    const Parameter &ours = target.parameters()[p];
    std::optional<size_t> index = source.indexOf(ours.name());
    if (!index)
      continue;
    const Parameter &theirs = source.parameters()[*index];
    bool isShare = reading == Reading::Shares && theirs.extent && ours.extent;
    double factor = isShare ? *ours.extent / *theirs.extent : 1;
    // No arithmetic holds such shares.
    if (!std::isfinite(factor) || factor == 0)
      factor = 1;
    Result<Parameter> parameter = unite(theirs, ours, factor);
    if (!parameter)
      continue;
    Match &match = matches.emplace_back(Match{*index, p, factor, {}});
    for (uint64_t i = 0; isListed(ours) && i < ours.size(); ++i)
      match.coordinates.push_back(coordinateOf(*parameter, ours.value(i)));
    united.push_back(std::move(*parameter));
  }
  Result<Space> made = Space::create(std::move(united));
  assert(made && "the names are those of the target");
  common = std::move(*made);
}

bool CommonSpace::isScaled() const {
  return std::any_of(matches.begin(), matches.end(), [&](const Match &match) {
    return match.factor != 1 && target.parameters()[match.target].isNumeric();
  });
}

ParameterValue CommonSpace::scaled(const Match &match,
                                   const ParameterValue &value) const {
  // As uniteNumbers computes it.
  return isNumber(value) && target.parameters()[match.target].isNumeric()
             ? ParameterValue(toDouble(value) * match.factor)
             : value;
}

Point CommonSpace::fromSource(const Configuration &configuration) const {
  Point point;
  for (size_t k = 0; k < matches.size(); ++k)
    point.push_back(
        coordinateOf(common.parameters()[k],
                     scaled(matches[k], configuration[matches[k].source])));
  return point;
}

Point CommonSpace::fromTarget(const Point &point) const {
  Point found;
  for (size_t k = 0; k < matches.size(); ++k) {
    const Match &match = matches[k];
    double at = point[match.target];
    const Parameter &parameter = target.parameters()[match.target];
    if (!match.coordinates.empty())
      found.push_back(match.coordinates[static_cast<size_t>(at)]);
    else if (parameter.kind() == ParameterKind::Permutation)
      found.push_back(at);
    else if (parameter.kind() == ParameterKind::Real)
      found.push_back(coordinateOf(common.parameters()[k], at));
    else
      found.push_back(
          coordinateOf(common.parameters()[k],
                       parameter.value(parameter.index(at).value_or(0))));
  }
  return found;
}

/// How far two numbers are from each other on the parameter's scale.
static double gap(const Parameter &parameter, double a, double b) {
  return parameter.isLog() && a > 0 && b > 0 ? std::abs(std::log(a / b))
                                             : std::abs(a - b);
}

/// The coordinate of the value that is nearest to a number; the smaller one of
/// two.
static double nearestCoordinate(const Parameter &parameter, double number) {
  number = std::clamp(number, parameter.lower(), parameter.upper());
  if (parameter.kind() == ParameterKind::Real)
    return number;
  // The last value that isn't above the number.
  uint64_t low = 0, high = parameter.size() - 1;
  while (low < high) {
    uint64_t middle = low + (high - low + 1) / 2;
    if (toDouble(parameter.value(middle)) <= number)
      low = middle;
    else
      high = middle - 1;
  }
  if (low + 1 < parameter.size() &&
      gap(parameter, toDouble(parameter.value(low + 1)), number) <
          gap(parameter, toDouble(parameter.value(low)), number))
    ++low;
  return parameter.coordinate(low);
}

Point CommonSpace::toTarget(const Configuration &configuration) const {
  Point point = target.defaultPoint();
  for (const Match &match : matches) {
    const Parameter &parameter = target.parameters()[match.target];
    ParameterValue value = scaled(match, configuration[match.source]);
    if (parameter.isNumeric())
      point[match.target] = nearestCoordinate(parameter, toDouble(value));
    else if (std::optional<uint64_t> index = parameter.indexOf(value))
      point[match.target] = parameter.coordinate(*index);
  }
  return target.nearest(point);
}
