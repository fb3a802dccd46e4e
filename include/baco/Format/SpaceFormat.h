//===- SpaceFormat.h - Spaces as JSON ---------------------------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The one text form of spaces and configurations: what `--emit-space` writes,
// the database keeps, and workers are sent. Strings in the interface, so that
// no user of it compiles the JSON library.
//
//===----------------------------------------------------------------------===//

#ifndef BACO_FORMAT_SPACEFORMAT_H
#define BACO_FORMAT_SPACEFORMAT_H

#include "baco/Space/Space.h"

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace baco {

/// A space as an indented JSON object, ending in a newline: `parameters` (each
/// with `name`, `kind`, `values` or `range`, `step`, `log`, `size`, `metric`,
/// `default`, `weights`, `extent`, `location`, `active_if`; what is at its
/// usual value is left out), `constraints` (`expression`, `reason`, `location`,
/// `advisory`, `loose`: it doesn't count in `count`, see
/// Space::looseConstraints), `count` (a string: it may have any number of
/// digits) and, if that is merely an upper bound, `count_is_bound`. Without
/// locations, a space stays the same text when the file that it comes from is
/// moved. Unsupported if a constraint or condition is C++ code
/// (`Expression::call`).
Result<std::string> writeSpace(const Space &space, bool withLocations = true);

/// The inverse; `loose`, `count` and `count_is_bound` are not read. With the
/// name of the `file` that the text is from, errors have the place in it, and
/// so have parameters and constraints without a location of their own. Errors:
/// Corrupt if the text isn't JSON or misses something, naming it; else those of
/// Space::create.
Result<Space> readSpace(std::string_view json, const std::string &file = "");

/// One line: `{"MC":64,"order":[1,0],"mode":"outer"}`, in the parameters'
/// order. Doubles read back equal and never look like integers.
std::string writeConfiguration(const Space &space,
                               const Configuration &configuration);

/// The inverse: all parameters of the space must be there, and nothing else.
/// Errors: Corrupt if it isn't a JSON object; InvalidArgument, naming the
/// parameter. Does not check constraints.
Result<Configuration> readConfiguration(const Space &space,
                                        std::string_view json);

/// The extents of the parameters that have one, on one line: `{"MC":512}`;
/// empty if there are none.
std::string writeExtents(const Space &space);

/// The same without a space: names and values in the order of the text.
Result<std::vector<std::pair<std::string, ParameterValue>>>
readAssignment(std::string_view json);

} // namespace baco

#endif // BACO_FORMAT_SPACEFORMAT_H
