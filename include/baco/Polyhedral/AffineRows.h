//===- AffineRows.h - Affine expressions as numbers -------------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Constraints and functions out of isl's objects, to compute with directly.
//
//===----------------------------------------------------------------------===//

#ifndef BACO_POLYHEDRAL_AFFINEROWS_H
#define BACO_POLYHEDRAL_AFFINEROWS_H

#include <isl/cpp.h>

#include <cstdint>
#include <optional>
#include <vector>

namespace baco::polyhedral {

/// Coefficients of the dimensions and parameters, the constant, and the
/// coefficients of integers that merely exist.
using Row = std::vector<int64_t>;

/// May numbers of this size be multiplied, and some products be added?
bool isSmall(int64_t number);
/// Nothing for others.
std::optional<int64_t> smallNumber(const isl::val &value);
/// Affine expressions that are 0 (`equalities`), or at least 0, in the set.
/// Nothing if a number is too large.
std::optional<std::vector<Row>> rowsOf(const isl::basic_set &set,
                                       bool equalities);
/// The part of the set where the row, of the set's dimensions and parameters,
/// is also at least 0.
isl::basic_set where(const isl::basic_set &set, const Row &row);
/// The results of the map as functions of its inputs and parameters; nothing
/// if they aren't affine functions with integer coefficients.
std::optional<std::vector<Row>> rowsOf(const isl::map &map);
/// An integer affine hull if it is a function, else the map itself. It finds
/// the plain sum of loops where the map may speak of floors.
isl::map simplified(const isl::map &map);

} // namespace baco::polyhedral

#endif // BACO_POLYHEDRAL_AFFINEROWS_H
