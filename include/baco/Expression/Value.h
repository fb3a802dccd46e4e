//===- Value.h - Values and configurations ----------------------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The values of parameters and expressions.
//
//===----------------------------------------------------------------------===//

#ifndef BACO_EXPRESSION_VALUE_H
#define BACO_EXPRESSION_VALUE_H

#include <cstdint>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace baco {

/// An order of n loops (or of anything): p[position] = element, outermost
/// position first. Holds each of 0 ... n-1 once.
using Permutation = std::vector<int>;

/// bool for boolean parameters and the results of comparisons, int64_t for
/// integers and ordinals (and integral ordinals written as such), double for
/// reals and fractional ordinals, string for categoricals.
using ParameterValue =
    std::variant<bool, int64_t, double, std::string, Permutation>;

/// As it is written in expressions and messages: `true`, `16`, `0.5`, `"row"`,
/// `(2, 0, 1)`. A double prints as the shortest text that reads back equal, and
/// never looks like an integer (`1.0`). A permutation of one element prints as
/// `(0,)`, to differ from a number in parentheses.
std::string toString(const ParameterValue &value);

/// Whether two values are the same choice: equal values of the same kind, or
/// an integer and a double that are equal numbers.
bool sameValue(const ParameterValue &a, const ParameterValue &b);

/// Whether a value is an integer or a double.
bool isNumber(const ParameterValue &value);

/// The double nearest to a value that isNumber.
double toDouble(const ParameterValue &number);

/// Values of all parameters of a space, in its order. An inactive parameter
/// holds its default, so that one choice is one configuration.
using Configuration = std::vector<ParameterValue>;

/// The same as numbers, for searching: one coordinate per parameter; the index
/// of its value, or the value itself if the parameter is real. An index becomes
/// a coordinate by Parameter::coordinate and comes back by Parameter::index;
/// both are plain conversions, except for permutations of more than 18
/// elements, whose indices are too large for a double.
using Point = std::vector<double>;

} // namespace baco

#endif // BACO_EXPRESSION_VALUE_H
