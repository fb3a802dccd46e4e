//===- Slices.h - The effect of one parameter -------------------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BACO_SEARCH_SLICES_H
#define BACO_SEARCH_SLICES_H

#include "baco/Space/Space.h"

namespace baco::search {

/// The prediction at one value of a parameter.
struct SlicePoint {
  double coordinate = 0;
  /// The prediction, in the objective's unit; `low` and `high` are one standard
  /// deviation of the model below and above `mean`.
  double mean = 0, low = 0, high = 0;
};

/// For each parameter: what a random forest predicts of the feasible
/// configurations that differ from `center` in this parameter alone, by
/// coordinate. Of more than 33 values as many are taken, evenly spread, and
/// that of `center`. If all objectives are positive their logarithms are
/// modeled, and `mean` is the median of the prediction. The deviation is the
/// forest's, as in RandomForest::predict. Errors: as findImportance.
///
/// \param points     of feasible trials, shape [n]
/// \param objective  finite, shape [n]
Result<std::vector<std::vector<SlicePoint>>>
findSlices(const Space &space, const std::vector<Point> &points,
           const std::vector<double> &objective, const Point &center,
           uint64_t seed = 0);

} // namespace baco::search

#endif // BACO_SEARCH_SLICES_H
