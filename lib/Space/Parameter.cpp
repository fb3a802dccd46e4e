//===- Parameter.cpp - A named set of values ------------------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "baco/Space/Parameter.h"
#include "baco/Expression/Permutation.h"

#include <algorithm>
#include <bit>
#include <cmath>

using namespace baco;

/// A double holds every integer up to this one, so that indices are exact
/// coordinates.
static constexpr uint64_t maxIndices = uint64_t(1) << 53;

static Error invalid(const std::string &name, const std::string &why) {
  return {ErrorCode::InvalidArgument, "parameter '" + name + "': " + why};
}

/// Whether `text` is UTF-8 as of RFC 3629: no overlong forms, no surrogates,
/// nothing above U+10FFFF.
static bool isUtf8(std::string_view text) {
  for (size_t i = 0; i < text.size();) {
    auto byte = [&](size_t ahead) -> unsigned char {
      return i + ahead < text.size() ? text[i + ahead] : 0;
    };
    unsigned char first = byte(0);
    size_t length = first < 0x80             ? 1
                    : (first & 0xe0) == 0xc0 ? 2
                    : (first & 0xf0) == 0xe0 ? 3
                    : (first & 0xf8) == 0xf0 ? 4
                                             : 0;
    // The smallest code point that needs so many bytes.
    constexpr uint32_t smallest[] = {0, 0, 0x80, 0x800, 0x10000};
    if (length == 0)
      return false;
    uint32_t code = length == 1 ? first : first & (0x7f >> length);
    for (size_t ahead = 1; ahead < length; ++ahead) {
      if ((byte(ahead) & 0xc0) != 0x80)
        return false;
      code = code << 6 | (byte(ahead) & 0x3f);
    }
    if (code < smallest[length] || code > 0x10ffff ||
        (code >= 0xd800 && code < 0xe000))
      return false;
    i += length;
  }
  return true;
}

/// Names appear in one-line messages, between backquotes and in JSON.
static Result<void> checkName(const std::string &name) {
  if (name.empty())
    return {ErrorCode::InvalidArgument, "a parameter has an empty name"};
  for (unsigned char c : name)
    if (c < ' ' || c == 0x7f || c == '`')
      return {ErrorCode::InvalidArgument,
              "a parameter's name holds a control character or a backquote"};
  if (!isUtf8(name))
    return {ErrorCode::InvalidArgument,
            "a parameter's name is not valid UTF-8: rename it"};
  return {};
}

/// a < b for numbers, exact also where an integer has no double.
static bool less(const ParameterValue &a, const ParameterValue &b) {
  auto *i = std::get_if<int64_t>(&a), *j = std::get_if<int64_t>(&b);
  if (i && j)
    return *i < *j;
  return toDouble(a) < toDouble(b) && !sameValue(a, b);
}

Result<Parameter> Parameter::real(std::string name, double lower, double upper,
                                  bool log) {
  if (auto ok = checkName(name); !ok)
    return ok.error();
  if (!std::isfinite(lower) || !std::isfinite(upper) ||
      !std::isfinite(upper - lower))
    return invalid(name, "bounds and their difference must be finite");
  if (lower > upper)
    return invalid(name, "the lower bound " + toString(lower) +
                             " exceeds the upper bound " + toString(upper));
  if (log && lower <= 0)
    return invalid(name, "a log scale needs positive values, but the lower "
                         "bound is " +
                             toString(lower));
  Parameter result(std::move(name), ParameterKind::Real);
  result.logScale = log;
  result.realLower = lower;
  result.realUpper = upper;
  return result;
}

Result<Parameter> Parameter::integer(std::string name, int64_t lower,
                                     int64_t upper, int64_t step, bool log) {
  if (auto ok = checkName(name); !ok)
    return ok.error();
  if (step < 1)
    return invalid(name, "the step must be at least 1, but is " +
                             std::to_string(step));
  if (lower > upper)
    return invalid(name, "the lower bound " + std::to_string(lower) +
                             " exceeds the upper bound " +
                             std::to_string(upper));
  if (log && lower <= 0)
    return invalid(name, "a log scale needs positive values, but the lower "
                         "bound is " +
                             std::to_string(lower));
  uint64_t span = static_cast<uint64_t>(upper) - static_cast<uint64_t>(lower);
  if (span / step >= maxIndices)
    return invalid(name, "a range may have at most 2^53 values");
  Parameter result(std::move(name), ParameterKind::Integer);
  result.logScale = log;
  result.integerLower = lower;
  result.integerStep = step;
  result.numValues = span / step + 1;
  return result;
}

Result<Parameter> Parameter::ordinal(std::string name,
                                     std::vector<ParameterValue> values,
                                     bool log) {
  if (auto ok = checkName(name); !ok)
    return ok.error();
  if (values.empty())
    return invalid(name, "needs at least one value");
  for (size_t i = 0; i < values.size(); ++i) {
    const ParameterValue &value = values[i];
    if (!isNumber(value) || !std::isfinite(toDouble(value)))
      return invalid(name, "values must be finite numbers, but one is " +
                               toString(value));
    if (log && toDouble(value) <= 0)
      return invalid(name, "a log scale needs positive values, but one is " +
                               toString(value));
    if (i > 0 && !less(values[i - 1], value))
      return invalid(name, "values must increase, but " + toString(value) +
                               " follows " + toString(values[i - 1]));
  }
  if (!std::isfinite(toDouble(values.back()) - toDouble(values.front())))
    return invalid(name, "the difference of the largest and the smallest value "
                         "must be finite");
  Parameter result(std::move(name), ParameterKind::Ordinal);
  result.logScale = log;
  result.numValues = values.size();
  result.values =
      std::make_shared<const std::vector<ParameterValue>>(std::move(values));
  return result;
}

Result<Parameter> Parameter::boolean(std::string name) {
  if (auto ok = checkName(name); !ok)
    return ok.error();
  static const auto both = std::make_shared<const std::vector<ParameterValue>>(
      std::vector<ParameterValue>{false, true});
  Parameter result(std::move(name), ParameterKind::Boolean);
  result.numValues = 2;
  result.values = both;
  return result;
}

Result<Parameter> Parameter::categorical(std::string name,
                                         std::vector<ParameterValue> values) {
  if (auto ok = checkName(name); !ok)
    return ok.error();
  if (values.empty())
    return invalid(name, "needs at least one value");
  for (size_t i = 0; i < values.size(); ++i) {
    if (auto *real = std::get_if<double>(&values[i]);
        real && !std::isfinite(*real))
      return invalid(name, "values must be finite");
    if (auto *p = std::get_if<Permutation>(&values[i]); p && !isPermutation(*p))
      return invalid(name, toString(*p) + " isn't a permutation");
    if (auto *text = std::get_if<std::string>(&values[i]);
        text && !isUtf8(*text))
      return invalid(name, "value " + std::to_string(i + 1) +
                               " is not valid UTF-8: change it");
    for (size_t j = 0; j < i; ++j)
      if (sameValue(values[i], values[j]))
        return invalid(name,
                       "the value " + toString(values[i]) + " is listed twice");
  }
  Parameter result(std::move(name), ParameterKind::Categorical);
  result.numValues = values.size();
  result.values =
      std::make_shared<const std::vector<ParameterValue>>(std::move(values));
  return result;
}

Result<Parameter> Parameter::permutation(std::string name, int n,
                                         PermutationMetric metric) {
  if (auto ok = checkName(name); !ok)
    return ok.error();
  if (n < 1 || n > maxPermutationSize)
    return invalid(name, "a permutation has 1 to 20 elements, not " +
                             std::to_string(n));
  Parameter result(std::move(name), ParameterKind::Permutation);
  result.permutationMetric = metric;
  result.numElements = n;
  result.numValues = factorial(n);
  return result;
}

ParameterValue Parameter::initialValue() const {
  if (defaultValue)
    return *defaultValue;
  if (parameterKind == ParameterKind::Real)
    return realLower;
  return value(0);
}

double Parameter::number(uint64_t index) const {
  if (parameterKind == ParameterKind::Integer)
    return static_cast<double>(
        static_cast<int64_t>(integerLower + integerStep * index));
  return toDouble((*values)[index]);
}

double Parameter::lower() const {
  assert(isNumeric() && "only numbers are ordered");
  return parameterKind == ParameterKind::Real ? realLower : number(0);
}

double Parameter::upper() const {
  assert(isNumeric() && "only numbers are ordered");
  return parameterKind == ParameterKind::Real ? realUpper
                                              : number(numValues - 1);
}

ParameterValue Parameter::value(uint64_t index) const {
  assert(index < numValues && "no such value");
  switch (parameterKind) {
  case ParameterKind::Integer:
    // Unsigned arithmetic wraps where the range spans more than 2^63.
    return static_cast<int64_t>(integerLower + integerStep * index);
  case ParameterKind::Permutation:
    return permutationAt(numElements, index);
  default:
    return (*values)[index];
  }
}

/// The integer that a value is, if it is one.
static std::optional<int64_t> asInteger(const ParameterValue &value) {
  if (auto *integer = std::get_if<int64_t>(&value))
    return *integer;
  auto *real = std::get_if<double>(&value);
  if (!real || !(*real >= -0x1p63 && *real < 0x1p63) ||
      *real != std::trunc(*real))
    return std::nullopt;
  return static_cast<int64_t>(*real);
}

std::optional<uint64_t> Parameter::indexOf(const ParameterValue &value) const {
  switch (parameterKind) {
  case ParameterKind::Real:
    return std::nullopt;
  case ParameterKind::Integer: {
    std::optional<int64_t> integer = asInteger(value);
    if (!integer || *integer < integerLower)
      return std::nullopt;
    uint64_t offset =
        static_cast<uint64_t>(*integer) - static_cast<uint64_t>(integerLower);
    uint64_t index = offset / integerStep;
    if (offset % integerStep != 0 || index >= numValues)
      return std::nullopt;
    return index;
  }
  case ParameterKind::Ordinal: {
    auto *real = std::get_if<double>(&value);
    if ((!real && !std::holds_alternative<int64_t>(value)) ||
        (real && std::isnan(*real)))
      return std::nullopt;
    auto found = std::lower_bound(values->begin(), values->end(), value, less);
    if (found == values->end() || !sameValue(*found, value))
      return std::nullopt;
    return found - values->begin();
  }
  case ParameterKind::Boolean:
  case ParameterKind::Categorical: {
    for (size_t i = 0; i < values->size(); ++i)
      if (sameValue((*values)[i], value))
        return i;
    return std::nullopt;
  }
  case ParameterKind::Permutation: {
    auto *p = std::get_if<Permutation>(&value);
    if (!p || p->size() != static_cast<size_t>(numElements) ||
        !isPermutation(*p))
      return std::nullopt;
    return rankOf(*p);
  }
  }
  return std::nullopt;
}

bool Parameter::contains(const ParameterValue &value) const {
  if (parameterKind != ParameterKind::Real)
    return indexOf(value).has_value();
  if (auto *integer = std::get_if<int64_t>(&value))
    return *integer >= realLower && *integer <= realUpper;
  auto *real = std::get_if<double>(&value);
  return real && *real >= realLower && *real <= realUpper;
}

// 19! and 20! exceed 2^53. The bits of the positive doubles are in the same
// order as the doubles, and there are enough of them.
static bool hasWideIndices(const Parameter &parameter) {
  return parameter.size() > maxIndices;
}

double Parameter::coordinate(uint64_t index) const {
  assert(index < numValues && "no such value");
  if (hasWideIndices(*this))
    return std::bit_cast<double>(index);
  return static_cast<double>(index);
}

std::optional<uint64_t> Parameter::index(double coordinate) const {
  uint64_t index;
  if (hasWideIndices(*this)) {
    index = std::bit_cast<uint64_t>(coordinate);
  } else {
    if (!(coordinate >= 0 && coordinate < static_cast<double>(numValues)))
      return std::nullopt;
    index = static_cast<uint64_t>(coordinate);
    if (static_cast<double>(index) != coordinate)
      return std::nullopt;
  }
  if (index >= numValues)
    return std::nullopt;
  return index;
}

double Parameter::scaled(double coordinate) const {
  assert(isNumeric() && "only numbers have a place in a range");
  double low = lower(), high = upper(), x = coordinate;
  if (parameterKind != ParameterKind::Real)
    x = number(*index(coordinate));
  if (low == high)
    return 0;
  if (logScale)
    return std::log(x / low) / std::log(high / low);
  return (x - low) / (high - low);
}

double Parameter::unscaled(double scaled) const {
  assert(parameterKind == ParameterKind::Real && "the others have indices");
  double x = logScale ? realLower * std::pow(realUpper / realLower, scaled)
                      : realLower + scaled * (realUpper - realLower);
  return std::clamp(x, realLower, realUpper); // rounding may step outside
}

double Parameter::distance(double a, double b) const {
  if (isNumeric())
    return std::fabs(scaled(a) - scaled(b));
  if (a == b)
    return 0;
  if (parameterKind != ParameterKind::Permutation ||
      permutationMetric == PermutationMetric::Naive)
    return 1;
  Permutation p = permutationAt(numElements, *index(a));
  Permutation q = permutationAt(numElements, *index(b));
  double n = numElements;
  switch (permutationMetric) {
  case PermutationMetric::Kendall:
    return kendallDistance(p, q) / (n * (n - 1) / 2);
  case PermutationMetric::Hamming:
    return hammingDistance(p, q) / n;
  default:
    return spearmanDistance(p, q) / (n * (n * n - 1) / 3);
  }
}
