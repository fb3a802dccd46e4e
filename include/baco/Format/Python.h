//===- Python.h - Spaces in the words of Python -----------------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Other autotuners describe spaces by pieces of Python, which they evaluate.
// Here they are read by a parser, and written. A permutation, for which Python
// has no type, is a string of one digit or letter for each element: "0213".
// Numexpr.h reads conditions.
//
//===----------------------------------------------------------------------===//

#ifndef BACO_FORMAT_PYTHON_H
#define BACO_FORMAT_PYTHON_H

#include "baco/Expression/Expression.h"
#include "baco/Space/Parameter.h"

namespace baco {

/// The string that stands for an order of up to 20 elements, and its inverse;
/// nullopt for what isn't an order.
std::string orderText(const Permutation &order);
std::optional<Permutation> parseOrder(std::string_view text);

/// A value as a literal of Python: `True`, `16`, `0.5`, `'row'`, `'021'`.
std::string pythonLiteral(const ParameterValue &value);
/// As Python's str() has it, without the quotes of strings.
std::string pythonText(const ParameterValue &value);

/// Whether it is a name of a variable in Python, and no keyword.
bool isPythonName(std::string_view name);

/// The values of a list in Python: a list or tuple of literals, `range(...)`,
/// `list(...)` of those, one comprehension (`[2**i for i in range(1, 5)]`, with
/// or without `if`), and sums of them.
struct PythonList {
  std::vector<ParameterValue> values;
  /// It is a range of integers, at least one; `values` is empty then.
  struct Range {
    int64_t lower, upper, step;
  };
  std::optional<Range> range = std::nullopt;
};

/// The most values of a list that isn't a range alone.
inline constexpr size_t maxPythonList = size_t(1) << 20;

/// Errors, with the column: InvalidArgument for what isn't a list, Unsupported
/// for other Python, and for lists that are too long.
Result<PythonList> parsePythonList(std::string_view text);

/// A condition on some of `parameters` in Python that parsePython reads back.
/// Unsupported, naming it, if it is C++ code, reads a logarithm, or a parameter
/// whose name isn't one in Python.
Result<std::string> writePython(const Expression &expression,
                                const std::vector<Parameter> &parameters);

} // namespace baco

#endif // BACO_FORMAT_PYTHON_H
