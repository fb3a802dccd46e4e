//===- Acquisition.h - Acquisition functions --------------------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The logarithm of the expected improvement, which still ranks candidates where
// the improvement itself underflows.
//
//===----------------------------------------------------------------------===//

#ifndef BACO_SEARCH_ACQUISITION_H
#define BACO_SEARCH_ACQUISITION_H

#include "baco/Support/Result.h"

#include <Eigen/Core>

namespace baco::search {

/// The natural logarithm of the expected improvement of each candidate over the
/// incumbent (minimization). Jones, Schonlau and Welch, "Efficient Global
/// Optimization of Expensive Black-Box Functions", J. Global Optimization 13
/// (1998), eq. (15).
///
/// \param mean    posterior mean, shape [n], log(seconds)
/// \param stddev  posterior deviation of the noise-free function, shape [n],
///                log(seconds), >= 0
/// \param best    incumbent, log(seconds)
/// \returns scores, shape [n], to full relative precision also where the
///          improvement underflows (Ament et al., "Unexpected Improvements to
///          Expected Improvement for Bayesian Optimization", NeurIPS 2023,
///          section 4); log(max(best - mean, 0)) where stddev is 0, and
///          -infinity where the improvement is 0. InvalidArgument if shapes
///          differ, an input is NaN, or a stddev < 0.
/// Pure; safe from any thread.
Result<Eigen::VectorXd> logExpectedImprovement(const Eigen::VectorXd &mean,
                                               const Eigen::VectorXd &stddev,
                                               double best);

} // namespace baco::search

#endif // BACO_SEARCH_ACQUISITION_H
