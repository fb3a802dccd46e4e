//===- Minimize.h - L-BFGS --------------------------------------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The adapter around LBFGS++, which throws even for a stalled line search: here
// a minimization always ends, keeps the best finite point, and says how it
// ended.
//
//===----------------------------------------------------------------------===//

#ifndef BACO_SEARCH_MINIMIZE_H
#define BACO_SEARCH_MINIMIZE_H

#include <Eigen/Core>

#include <functional>

namespace baco::search {

/// How a fit ended. None is an error: the best finite point is kept.
enum class Termination {
  /// The gradient or the last improvement is small.
  Converged,
  /// Out of iterations or evaluations.
  LimitReached,
  /// No step along the search direction improves: a minimum within the
  /// precision of the arithmetic, or the function isn't smooth.
  LineSearchFailed,
  /// Not finite at the start: nothing was done.
  NotFinite,
};

/// The statistics of a fit.
struct FitSummary {
  Termination termination = Termination::NotFinite;
  int iterations = 0;
  /// Evaluations of the function with its gradient.
  int evaluations = 0;
  /// The function at the best point; infinite if there is no finite one.
  double value = 0;
};

struct MinimizeOptions {
  /// At least 1.
  int maxIterations = 100;
  /// At least 1; a line search takes one to three evaluations.
  int maxEvaluations = 200;
  /// Stops when the gradient's norm is below it, or below it times the norm of
  /// the point.
  double gradientTolerance = 1e-5;
  /// Stops when an iteration improves the value by less than this share of it
  /// (of 1 if the value is smaller); 0 switches it off.
  double valueTolerance = 0;
};

/// The value of a function at `x`; writes its gradient, which has x's size. May
/// be infinite or NaN.
using Differentiable =
    std::function<double(const Eigen::VectorXd &x, Eigen::VectorXd &gradient)>;

/// Minimizes without bounds from `x`, which becomes the best point seen (Liu
/// and Nocedal, "On the Limited Memory BFGS Method", Math. Programming 45
/// (1989)). Throws nothing that `function` doesn't throw.
FitSummary minimize(const Differentiable &function, Eigen::VectorXd &x,
                    const MinimizeOptions &options);

} // namespace baco::search

#endif // BACO_SEARCH_MINIMIZE_H
