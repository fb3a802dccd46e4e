//===- Space.h - Parameters and constraints ---------------------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The search space: parameters, and the constraints that make a configuration
// feasible. Built as a chain of trees (Rasch et al., ATF 2017; BaCO 2023,
// section 4.2) whose equal subtrees are shared.
//
//===----------------------------------------------------------------------===//

#ifndef BACO_SPACE_SPACE_H
#define BACO_SPACE_SPACE_H

#include "baco/Expression/Expression.h"
#include "baco/Space/Parameter.h"
#include "baco/Support/Random.h"

#include <memory>
#include <optional>

namespace baco {

/// A condition that every configuration must meet, in the language or as C++
/// code (`Expression::call`). One whose evaluation fails (division by zero,
/// overflow) is violated.
struct Constraint {
  Expression expression;
  /// The reason, for messages: "accumulators fit 32 vector registers".
  std::string reason;
  /// Its location, "file:line:column" or empty.
  std::string location;
  /// A heuristic that can be switched off: the best point may lie beyond it.
  bool advisory = false;

  /// Whether both say the same in the same words.
  bool operator==(const Constraint &other) const {
    return expression.isLike(other.expression) && reason == other.reason &&
           location == other.location && advisory == other.advisory;
  }
};

/// Makes `parameter` exist only where `expression` is true; elsewhere (also
/// where its evaluation fails) it is inactive and holds its default. Several
/// conditions of one parameter must all be true.
struct Condition {
  std::string parameter;
  Expression expression;
};

/// A finite part of a space whose parameters share constraints.
struct Group {
  /// Indices into Space::parameters, in the order of the levels of the tree.
  std::vector<size_t> parameters;
  /// Number of feasible partial configurations (leaves), in decimal.
  std::string count;
  /// Size of the diagram that stands for the tree.
  size_t numNodes = 0, numEdges = 0;
};

namespace detail {
struct SpaceData;
} // namespace detail

/// Immutable; cheap to copy; safe from any thread.
class Space {
public:
  /// Checks names, defaults, weights, and that constraints read known
  /// parameters; builds the diagrams. Errors: InvalidArgument, naming the
  /// parameter or constraint (with its location); EmptySpace, naming a minimal
  /// set of constraints that clash, with their reasons and locations;
  /// Unsupported, naming constraints that are loose (see below) where neither
  /// draws nor walks (see `sample`) meet them, or the parameters of conditions
  /// whose diagram would be too large.
  ///
  /// Large groups are built in parallel, by up to `maxThreads` threads (0: as
  /// many as the machine runs at once); the result is the same for any number.
  static Result<Space> create(std::vector<Parameter> parameters,
                              std::vector<Constraint> constraints = {},
                              std::vector<Condition> conditions = {},
                              unsigned maxThreads = 0);

  const std::vector<Parameter> &parameters() const;
  const std::vector<Constraint> &constraints() const;
  const std::vector<Condition> &conditions() const;
  std::optional<size_t> indexOf(std::string_view name) const;

  /// The groups of parameters that share constraints; parameters without any
  /// (and reals) are in none. Loose constraints don't count.
  std::vector<Group> groups() const;

  /// The constraints (by index) that no diagram holds: those that read reals,
  /// and those without which the diagrams of a group stay small where its own
  /// would be too large. They are evaluated at each point. The functions below
  /// say what they do with them.
  std::vector<size_t> looseConstraints() const;

  /// Number of feasible configurations, exact, in decimal; reals don't count.
  /// An upper bound if there are loose constraints, which don't count either.
  std::string count() const;
  /// Whether nothing is loose, so that `count` isn't merely a bound.
  bool isCountExact() const;
  /// The count if the space is finite (no reals), it is exact, and it fits;
  /// else nullopt.
  std::optional<uint64_t> countIfSmall() const;

  bool isFeasible(const Point &point) const;
  /// The violated constraints, by their indices. Says nothing about conditions
  /// and domains: see `explain`.
  std::vector<size_t> violated(const Configuration &c) const;
  /// The reasons why the configuration is infeasible, one sentence each; empty
  /// if it is feasible: every value outside of its domain; or, if there is
  /// none, every violated constraint, with its values, reason and location, and
  /// every inactive parameter that isn't at its default.
  std::vector<std::string> explain(const Configuration &c) const;
  /// The sentence about one constraint that the configuration violates.
  std::string explain(const Configuration &c, size_t constraint) const;
  /// Success if the configuration is feasible; else InvalidArgument with the
  /// first sentence of `explain`.
  Result<void> check(const Configuration &c) const;

  /// Whether a parameter has an effect: all its conditions are true.
  bool isActive(const Point &point, size_t parameter) const;

  /// Uniform over the feasible configurations. Loose constraints: by rejection,
  /// still uniform, if about 1 in 1000 draws or more is feasible (as `create`
  /// finds out). If fewer are, or 10000 draws in a row were infeasible: the end
  /// of a random walk that starts from a draw, with at most 50 steps per
  /// parameter to a feasible point (else from one that `create` found) and so
  /// many on from there, each a change of up to three parameters. It tends to
  /// the uniform distribution over the points that such steps lead to.
  Point sample(Random &random) const;
  /// As other tools sample (Rasch et al., ATF 2017), for comparison: down each
  /// tree, with the parameters in the order of their declaration, every child
  /// with the same probability. Biased towards sparse parts of the tree, and
  /// the bias depends on that order (BaCO, section 4.2). O(edges of the
  /// diagram) per parameter. Loose constraints as in `sample`.
  Point sampleByWalk(Random &random) const;
  /// The k-th feasible configuration, k < count: needs a finite space and an
  /// exact count.
  Point at(uint64_t k) const;
  /// The inverse of `at`: needs isFeasible(point) and countIfSmall().
  uint64_t rank(const Point &point) const;
  /// Replaces `out` by the feasible points that differ from `p` in one
  /// parameter, ordered by parameter. Numbers: the nearest feasible value in
  /// each direction. Categoricals and booleans: every other value.
  /// Permutations: all others up to 5 elements, else all swaps of two. Reals:
  /// six draws around the present value. If the parameter decides whether
  /// others are active, parameters that become inactive go to their defaults
  /// (they are at them when they become active); if that isn't feasible, the
  /// nearest feasible point with the new value is taken (unless loose
  /// constraints forbid it). Without a diagram, 10000 values of a number are
  /// tried in each direction.
  void neighbors(const Point &p, Random &random, std::vector<Point> &out) const;
  /// The feasible point that is nearest to `p`: the sum over parameters of the
  /// difference of indices over the number of values less 1 (numbers, also
  /// outside of their range), of 0 or 1 (categoricals, booleans), of the scaled
  /// metric (permutations). Exact; with loose constraints, if the nearest point
  /// without them violates one: the best of 1000 draws, taken nearer one
  /// parameter at a time.
  Point nearest(const Point &p) const;

  /// The default configuration; if the parameters' defaults violate a
  /// constraint, the feasible configuration nearest to them.
  Point defaultPoint() const;

  Configuration toConfiguration(const Point &point) const;
  /// Errors: the wrong number of values; a value outside of its domain. Does
  /// not check constraints.
  Result<Point> toPoint(const Configuration &configuration) const;

private:
  explicit Space(std::shared_ptr<const detail::SpaceData> data)
      : data(std::move(data)) {}

  std::shared_ptr<const detail::SpaceData> data;
};

} // namespace baco

#endif // BACO_SPACE_SPACE_H
