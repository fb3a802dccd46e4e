//===- CommonSpace.h - Common parameters of two spaces ----------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Matches the parameters of two spaces, so that a configuration of one says
// something about the other.
//
//===----------------------------------------------------------------------===//

#ifndef BACO_SEARCH_COMMONSPACE_H
#define BACO_SEARCH_COMMONSPACE_H

#include "baco/Space/Space.h"

namespace baco::search {

/// The parameters that a source and a target have in common: parameters of the
/// same name that are numbers in both, choices (categoricals and booleans) in
/// both, or orders of as many elements in both. A common parameter has the
/// values of both.
class CommonSpace {
public:
  /// How a number of the source becomes one of the target.
  enum class Reading {
    /// It is the same number.
    Sizes,
    /// It is the same share of Parameter::extent, if both have one.
    Shares
  };

  CommonSpace(const Space &source, Space target,
              Reading reading = Reading::Sizes);

  /// Whether there is no common parameter.
  bool isEmpty() const { return matches.empty(); }
  /// Whether some number is scaled, so that the readings differ.
  bool isScaled() const;

  /// The common parameters, without constraints.
  const Space &space() const { return common; }
  /// The point of `space` for a configuration of the source.
  Point fromSource(const Configuration &configuration) const;
  /// The same for a point of the target.
  Point fromTarget(const Point &point) const;

  /// The feasible point of the target for a configuration of the source.
  /// Common parameters take its values (numbers the nearest one that there is;
  /// choices that the target doesn't have: the default), the others their
  /// defaults; then it is Space::nearest. Deterministic.
  Point toTarget(const Configuration &configuration) const;

private:
  struct Match {
    /// Indices of the parameters.
    size_t source, target;
    /// The factor from numbers of the source to numbers of the target.
    double factor;
    /// The coordinates in `space` of the values of the target, if there are
    /// few; else they are computed.
    std::vector<double> coordinates;
  };

  ParameterValue scaled(const Match &match, const ParameterValue &value) const;

  Space target;
  std::vector<Match> matches;
  Space common;
};

} // namespace baco::search

#endif // BACO_SEARCH_COMMONSPACE_H
