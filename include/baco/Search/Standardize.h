//===- Standardize.h - Objectives as a model's outputs ----------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The transformation of objectives before the surrogate sees them.
//
//===----------------------------------------------------------------------===//

#ifndef BACO_SEARCH_STANDARDIZE_H
#define BACO_SEARCH_STANDARDIZE_H

#include <Eigen/Core>

namespace baco::search {

/// The logs of `objectives` if all are positive (and `useLog`), or else these
/// themselves, with what is above their median m compressed to m + s log(1 + (y
/// - m) / s), where s is m less the minimum (if `compress`); then shifted and
/// scaled to mean 0 and standard deviation 1 (all 0 if they are equal). Any
/// finite values; keeps their order.
Eigen::VectorXd standardize(const Eigen::VectorXd &objectives,
                            bool useLog = true, bool compress = true);

/// The share of the least objective, 0 to 1, by which the objective falls if
/// its standardized value falls by `change` >= 0: the inverse of `standardize`,
/// which is linear (in the log) below the median. 0 if the lower half is equal.
double relativeFall(const Eigen::VectorXd &objectives, double change,
                    bool useLog = true, bool compress = true);

} // namespace baco::search

#endif // BACO_SEARCH_STANDARDIZE_H
