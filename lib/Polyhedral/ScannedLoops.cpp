//===- ScannedLoops.cpp - The loops that code is made of ------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ScannedLoops.h"

#include "baco/Polyhedral/AffineRows.h"
#include "baco/Polyhedral/ScheduleState.h"

#include <isl/aff.h>

#include <algorithm>
#include <cstdlib>

using namespace baco;
using namespace baco::polyhedral;

namespace {

/// Equalities of a convex set.
std::vector<Row> equalitiesOf(const isl::set &set) {
  std::vector<Row> rows;
  if (set.n_basic_set() != 1)
    return rows;
  set.foreach_basic_set([&](const isl::basic_set &piece) {
    rows = rowsOf(piece, /*equalities=*/true).value_or(std::vector<Row>());
  });
  return rows;
}

/// If the equality reads loop = factor * an integer + constant.
void findSteps(const Row &row, unsigned numLoops, unsigned numParams,
               std::vector<KnownValue> &known) {
  unsigned constantAt = numLoops + numParams;
  std::optional<unsigned> loop;
  int64_t stride = 0;
  for (unsigned c = 0; c < row.size(); ++c) {
    if (row[c] == 0 || c == constantAt)
      continue;
    if (c < numLoops && !loop && std::abs(row[c]) == 1)
      loop = c;
    else if (c > constantAt && stride == 0)
      stride = std::abs(row[c]);
    else
      return;
  }
  if (!loop || stride == 0)
    return;
  int64_t constant = -row[*loop] * row[constantAt];
  known[*loop].steps = {stride, ((constant % stride) + stride) % stride};
}

/// If the equality, of counts, tells the value of the last loop in it.
void findTold(const Row &row, unsigned numLoops, unsigned numParams,
              std::vector<KnownValue> &known) {
  unsigned constantAt = numLoops + numParams, last = numLoops;
  while (last > 0 && row[last - 1] == 0)
    --last;
  if (last-- == 0 || std::abs(row[last]) != 1 ||
      std::any_of(row.begin() + constantAt + 1, row.end(),
                  [](int64_t exists) { return exists != 0; }))
    return;
  // count = -sign * the rest, and value = origin + stride * count
  KnownValue &own = known[last];
  int64_t scale = -row[last] * own.steps.stride;
  std::vector<int64_t> coefficients(constantAt, 0);
  int64_t constant = own.steps.origin + scale * row[constantAt];
  for (unsigned c = 0; c < constantAt; ++c) {
    if (c == last)
      continue;
    Steps other = c < numLoops ? known[c].steps : Steps();
    if (scale * row[c] % other.stride != 0)
      return;
    coefficients[c] = scale * row[c] / other.stride;
    constant -= coefficients[c] * other.origin;
  }
  own.isTold = true;
  own.coefficients = std::move(coefficients);
  own.constant = constant;
}

} // namespace

std::vector<KnownValue>
baco::polyhedral::findLoopValues(const isl::set &values) {
  unsigned numLoops = values.tuple_dim();
  unsigned numParams = isl_set_dim(values.get(), isl_dim_param);
  std::vector<KnownValue> known(numLoops);
  for (const Row &row : equalitiesOf(values))
    findSteps(row, numLoops, numParams, known);
  std::vector<ScannedLoop> all;
  for (unsigned l = 0; l < numLoops; ++l)
    all.push_back({l, known[l].steps});
  isl::set counts =
      values.preimage(loopsFromCounts(values, known, all, numLoops))
          .detect_equalities();
  for (const Row &row : equalitiesOf(counts))
    findTold(row, numLoops, numParams, known);
  for (unsigned l = 0; l < numLoops; ++l) {
    if (std::optional<int64_t> constant = fixedValue(values, l)) {
      known[l].isTold = true;
      known[l].coefficients.clear();
      known[l].constant = *constant;
    }
  }
  return known;
}

isl::multi_aff baco::polyhedral::loopsFromCounts(
    const isl::set &values, const std::vector<KnownValue> &known,
    const std::vector<ScannedLoop> &scanned, unsigned numLoops) {
  isl_ctx *ctx = values.ctx().get();
  unsigned numCounts = 0;
  while (numCounts < scanned.size() && scanned[numCounts].level < numLoops)
    ++numCounts;
  auto space = [&](unsigned dims) {
    return isl_space_add_dims(isl_space_set_from_params(isl_space_params(
                                  isl_set_get_space(values.get()))),
                              isl_dim_set, dims);
  };
  isl::space counts = isl::manage(space(numCounts));
  isl::multi_aff identity =
      isl::manage(isl_multi_aff_identity_on_domain_space(counts.copy()));
  isl_aff_list *loops = isl_aff_list_alloc(ctx, numLoops);
  auto add = [&](isl_aff *sum, int64_t factor, isl_aff *term) {
    return isl_aff_add(
        sum, isl_aff_scale_val(term, isl_val_int_from_si(ctx, factor)));
  };
  unsigned count = 0, numAll = known.size();
  for (unsigned l = 0; l < numLoops; ++l) {
    bool isScanned = count < numCounts && scanned[count].level == l;
    const KnownValue &own = known[l];
    isl_aff *value = isl_aff_val_on_domain_space(
        counts.copy(),
        isl_val_int_from_si(ctx, isScanned ? scanned[count].steps.origin
                                           : own.constant));
    if (isScanned) {
      value = add(value, scanned[count].steps.stride,
                  isl_multi_aff_get_aff(identity.get(), count));
      ++count;
    } else {
      for (unsigned c = 0; c < own.coefficients.size(); ++c)
        if (own.coefficients[c] != 0)
          value = add(value, own.coefficients[c],
                      c < numAll
                          ? isl_aff_list_get_aff(loops, c)
                          : isl_aff_param_on_domain_space_id(
                                counts.copy(),
                                isl_space_get_dim_id(
                                    counts.get(), isl_dim_param, c - numAll)));
    }
    loops = isl_aff_list_add(loops, value);
  }
  return isl::manage(isl_multi_aff_from_aff_list(
      isl_space_map_from_domain_and_range(counts.release(), space(numLoops)),
      loops));
}
