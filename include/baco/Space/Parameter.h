//===- Parameter.h - A named set of values ----------------------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The kinds of parameters, their values, and the distances between these.
//
//===----------------------------------------------------------------------===//

#ifndef BACO_SPACE_PARAMETER_H
#define BACO_SPACE_PARAMETER_H

#include "baco/Expression/Value.h"
#include "baco/Support/Result.h"

#include <memory>
#include <optional>

namespace baco {

enum class ParameterKind {
  Real,
  Integer,
  Ordinal,
  Boolean,
  Categorical,
  Permutation
};

/// How the surrogate compares two orders; on positions, see `distance`.
enum class PermutationMetric { Spearman, Kendall, Hamming, Naive };

/// A named set of values. Immutable except for the public fields; made by the
/// factories, which check their arguments and name the parameter in their
/// errors. Cheap to copy: lists of values are shared.
class Parameter {
public:
  /// All values in [lower, upper], both finite; `log` requires lower > 0.
  static Result<Parameter> real(std::string name, double lower, double upper,
                                bool log = false);
  /// lower, lower + step, ..., up to upper; step >= 1; `log` requires
  /// lower > 0. At most 2^53 values.
  static Result<Parameter> integer(std::string name, int64_t lower,
                                   int64_t upper, int64_t step = 1,
                                   bool log = false);
  /// Numbers (int64_t or double), strictly increasing, at least one; `log`
  /// requires all > 0.
  static Result<Parameter> ordinal(std::string name,
                                   std::vector<ParameterValue> values,
                                   bool log = false);
  /// false, true.
  static Result<Parameter> boolean(std::string name);
  /// Different values of any kind, at least one.
  static Result<Parameter> categorical(std::string name,
                                       std::vector<ParameterValue> values);
  /// All orders of n elements, 1 <= n <= 20, indexed in lexicographic order.
  static Result<Parameter>
  permutation(std::string name, int n,
              PermutationMetric metric = PermutationMetric::Spearman);

  const std::string &name() const { return parameterName; }
  ParameterKind kind() const { return parameterKind; }
  bool isLog() const { return logScale; }
  PermutationMetric metric() const { return permutationMetric; }

  /// The place of the declaration, "file:line:column" or empty.
  std::string location;

  /// Its value in the default configuration, and while it is inactive. Unset:
  /// the first value (the identity for a permutation, `lower` for a real).
  std::optional<ParameterValue> defaultValue;

  /// An expert's weights >= 0 of values; of reals at equal distances, 2 or
  /// more.
  std::vector<double> weights;

  /// The extent that its values are parts of: the trip count of the loop that a
  /// tile size is for; above 0, numeric parameters only. It decides how a value
  /// is carried over to a space with another extent, and doesn't affect
  /// feasibility.
  std::optional<double> extent;

  /// `defaultValue`, or the first value if that is unset.
  ParameterValue initialValue() const;

  /// Whether the values are numbers: real, integer, ordinal.
  bool isNumeric() const { return parameterKind <= ParameterKind::Ordinal; }
  /// The smallest and the largest value; numeric parameters only.
  double lower() const;
  double upper() const;
  /// The distance between neighboring values of an integer parameter.
  int64_t step() const { return integerStep; }
  /// The number of elements of a permutation parameter.
  int permutationSize() const { return numElements; }

  /// Number of values; 0 for a real parameter.
  uint64_t size() const { return numValues; }
  /// The value at an index < size().
  ParameterValue value(uint64_t index) const;
  /// The inverse of `value`. An integral double is equal to the integer.
  std::optional<uint64_t> indexOf(const ParameterValue &value) const;
  /// Whether `value` is one of the parameter's values.
  bool contains(const ParameterValue &value) const;

  /// The coordinate in a Point of the value at an index; not for reals.
  double coordinate(uint64_t index) const;
  /// The inverse; nullopt if the coordinate isn't the index of a value.
  std::optional<uint64_t> index(double coordinate) const;

  /// The position in [0, 1] of the value at a coordinate in the parameter's
  /// range; logarithmic if the parameter is. Numeric parameters only; 0 if
  /// there is only one value.
  double scaled(double coordinate) const;
  /// The inverse, for real parameters: `scaled` in [0, 1].
  double unscaled(double scaled) const;

  /// The distance the surrogate sees between two coordinates (`Point`), >= 0,
  /// scaled to [0, 1] over the parameter's range: the difference of numbers or
  /// of their logs; 0 or 1 (Hamming) for booleans and categoricals; for
  /// permutations the metric on positions (BaCO, section 4.1): Kendall counts
  /// discordant pairs, Spearman sums squared differences of positions, Hamming
  /// counts moved elements, Naive is 0 or 1; each divided by its maximum.
  double distance(double a, double b) const;

private:
  Parameter(std::string name, ParameterKind kind)
      : parameterName(std::move(name)), parameterKind(kind) {}

  /// The number at an index; numeric parameters but reals.
  double number(uint64_t index) const;

  std::string parameterName;
  ParameterKind parameterKind;
  bool logScale = false;
  PermutationMetric permutationMetric = PermutationMetric::Spearman;
  uint64_t numValues = 0;
  /// Bounds of a real parameter.
  double realLower = 0, realUpper = 0;
  /// First value and step of an integer parameter.
  int64_t integerLower = 0, integerStep = 1;
  int numElements = 0;
  /// Ordinal, boolean, categorical.
  std::shared_ptr<const std::vector<ParameterValue>> values;
};

} // namespace baco

#endif // BACO_SPACE_PARAMETER_H
