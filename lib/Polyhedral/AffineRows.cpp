//===- AffineRows.cpp - Affine expressions as numbers ---------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "baco/Polyhedral/AffineRows.h"
#include "baco/Polyhedral/ScheduleState.h"

#include <isl/aff.h>
#include <isl/constraint.h>
#include <isl/mat.h>

using namespace baco;
using namespace baco::polyhedral;

bool baco::polyhedral::isSmall(int64_t number) {
  constexpr int64_t maximum = int64_t(1) << 30;
  return -maximum <= number && number <= maximum;
}

std::optional<int64_t> baco::polyhedral::smallNumber(const isl::val &value) {
  std::optional<int64_t> found = toInt64(value);
  return found && isSmall(*found) ? found : std::nullopt;
}

std::optional<std::vector<Row>>
baco::polyhedral::rowsOf(const isl::basic_set &set, bool equalities) {
  auto getMatrix = equalities ? isl_basic_set_equalities_matrix
                              : isl_basic_set_inequalities_matrix;
  isl_mat *matrix = getMatrix(set.get(), isl_dim_set, isl_dim_param,
                              isl_dim_cst, isl_dim_div);
  std::optional<std::vector<Row>> rows(std::in_place);
  for (int r = 0, n = isl_mat_rows(matrix); r < n && rows; ++r) {
    rows->emplace_back();
    for (int c = 0, m = isl_mat_cols(matrix); c < m && rows; ++c) {
      std::optional<int64_t> number =
          smallNumber(isl::manage(isl_mat_get_element_val(matrix, r, c)));
      if (number)
        rows->back().push_back(*number);
      else
        rows.reset();
    }
  }
  isl_mat_free(matrix);
  return rows;
}

isl::basic_set baco::polyhedral::where(const isl::basic_set &set,
                                       const Row &row) {
  isl_constraint *constraint =
      isl_constraint_alloc_inequality(isl_basic_set_get_local_space(set.get()));
  unsigned c = 0;
  for (isl_dim_type type : {isl_dim_set, isl_dim_param})
    for (int d = 0, n = isl_basic_set_dim(set.get(), type); d < n; ++d)
      constraint =
          isl_constraint_set_coefficient_si(constraint, type, d, row[c++]);
  constraint = isl_constraint_set_constant_si(constraint, row.back());
  return isl::manage(isl_basic_set_add_constraint(set.copy(), constraint));
}

/// The row of a function; nothing if it has floors or large numbers.
static std::optional<Row> rowOf(const isl::aff &aff) {
  Row row;
  auto add = [&](isl_val *raw) {
    std::optional<int64_t> number = smallNumber(isl::manage(raw));
    row.push_back(number.value_or(0));
    return number.has_value();
  };
  bool isPlain = isl_aff_dim(aff.get(), isl_dim_div) == 0;
  for (isl_dim_type type : {isl_dim_in, isl_dim_param})
    for (int d = 0, n = isl_aff_dim(aff.get(), type); d < n && isPlain; ++d)
      isPlain = add(isl_aff_get_coefficient_val(aff.get(), type, d));
  isPlain = isPlain && add(isl_aff_get_constant_val(aff.get()));
  return isPlain ? std::optional(row) : std::nullopt;
}

std::optional<std::vector<Row>> baco::polyhedral::rowsOf(const isl::map &map) {
  isl::map function = simplified(map);
  if (!function.is_single_valued())
    return std::nullopt;
  isl::pw_multi_aff pieces = function.as_pw_multi_aff();
  if (isl_pw_multi_aff_n_piece(pieces.get()) != 1)
    return std::nullopt;
  std::optional<std::vector<Row>> rows(std::in_place);
  pieces.foreach_piece([&](const isl::set &, const isl::multi_aff &results) {
    for (unsigned d = 0, n = results.size(); d < n && rows; ++d) {
      if (std::optional<Row> row = rowOf(results.at(d)))
        rows->push_back(std::move(*row));
      else
        rows.reset();
    }
  });
  return rows;
}

isl::map baco::polyhedral::simplified(const isl::map &map) {
  isl::map plain = equalities(map);
  if (plain.is_single_valued())
    return plain;
  isl::map hull = isl::map(map.affine_hull());
  return hull.is_single_valued() ? hull : map;
}
