//===- Minimize.cpp - L-BFGS ----------------------------------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "baco/Search/Minimize.h"

#include <LBFGS.h>

#include <cmath>
#include <limits>
#include <stdexcept>

using namespace baco::search;
using Eigen::VectorXd;

namespace {

/// Thrown through LBFGS++ to end a minimization.
struct OutOfEvaluations {};

/// The function that LBFGS++ minimizes: counts its calls, and remembers the
/// best finite point.
struct Recorder {
  const Differentiable &function;
  const int maxEvaluations;
  int evaluations = 0;
  int iterations = 0;
  double bestValue = std::numeric_limits<double>::infinity();
  VectorXd best = {};

  double operator()(const VectorXd &x, VectorXd &gradient) {
    if (evaluations == maxEvaluations)
      throw OutOfEvaluations();
    ++evaluations;
    double value = function(x, gradient);
    if (!std::isfinite(value) || !gradient.allFinite()) {
      // Larger than anything, so that the line search steps back.
      gradient.setZero();
      return std::numeric_limits<double>::max();
    }
    if (value < bestValue) {
      bestValue = value;
      best = x;
    }
    return value;
  }
};

/// LBFGS++ calls the line search once per iteration; the arguments differ
/// between its versions.
template <typename Scalar>
struct CountingLineSearch {
  template <typename Function, typename... Arguments>
  static void LineSearch(Function &function, Arguments &&...arguments) {
    ++function.iterations;
    LBFGSpp::LineSearchBacktracking<Scalar>::LineSearch(
        function, std::forward<Arguments>(arguments)...);
  }
};

} // namespace

FitSummary baco::search::minimize(const Differentiable &function, VectorXd &x,
                                  const MinimizeOptions &options) {
  Recorder recorder{function, options.maxEvaluations};
  FitSummary summary;
  summary.termination = Termination::Converged;
  LBFGSpp::LBFGSParam<double> parameters;
  parameters.max_iterations = options.maxIterations;
  parameters.max_linesearch = 20;
  // Without the condition on the slope, updates lose positive definiteness.
  parameters.linesearch = LBFGSpp::LBFGS_LINESEARCH_BACKTRACKING_WOLFE;
  parameters.epsilon = options.gradientTolerance;
  parameters.epsilon_rel = options.gradientTolerance;
  parameters.past = options.valueTolerance > 0 ? 1 : 0;
  parameters.delta = options.valueTolerance;
  VectorXd current = x;
  double value = 0;
  try {
    LBFGSpp::LBFGSSolver<double, CountingLineSearch> solver(parameters);
    int iterations = solver.minimize(recorder, current, value);
    if (iterations >= options.maxIterations)
      summary.termination = Termination::LimitReached;
  } catch (const OutOfEvaluations &) {
    summary.termination = Termination::LimitReached;
  } catch (const std::runtime_error &) {
    summary.termination = Termination::LineSearchFailed;
  } catch (const std::logic_error &) {
    // LBFGS++ also throws std::invalid_argument if a direction isn't a descent.
    summary.termination = Termination::LineSearchFailed;
  }
  summary.iterations = recorder.iterations;
  summary.evaluations = recorder.evaluations;
  summary.value = recorder.bestValue;
  if (recorder.best.size() == x.size() && std::isfinite(recorder.bestValue))
    x = recorder.best;
  else
    summary.termination = Termination::NotFinite;
  return summary;
}
