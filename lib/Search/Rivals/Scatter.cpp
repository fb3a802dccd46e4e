//===- Scatter.cpp - Points around a point --------------------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "baco/Search/Rivals/Moves.h"

#include "baco/Expression/Permutation.h"

#include <Eigen/Core>

#include <algorithm>

using namespace baco;
using namespace baco::search;

namespace {

/// Linearly independent vectors, made orthonormal one after the other (Gram
/// and Schmidt).
class IndependentSet {
public:
  /// Adds a vector and returns true, unless it depends on the others.
  bool add(Eigen::VectorXd vector) {
    constexpr double tolerance = 1e-6;
    double norm = vector.norm();
    for (const Eigen::VectorXd &axis : axes)
      vector -= axis.dot(vector) * axis;
    if (!(vector.norm() > tolerance * norm))
      return false;
    axes.push_back(vector.normalized());
    return true;
  }
  void clear() { axes.clear(); }

private:
  std::vector<Eigen::VectorXd> axes;
};

} // namespace

std::vector<double> search::direction(const Space &space, const Point &from,
                                      const Point &to) {
  std::vector<double> entries;
  for (size_t k = 0; k < space.parameters().size(); ++k) {
    const Parameter &parameter = space.parameters()[k];
    if (parameter.kind() == ParameterKind::Real) {
      entries.push_back(parameter.scaled(to[k]) - parameter.scaled(from[k]));
    } else if (parameter.isNumeric()) {
      double last = std::max(1.0, parameter.coordinate(parameter.size() - 1));
      entries.push_back((to[k] - from[k]) / last);
    } else if (parameter.kind() == ParameterKind::Permutation) {
      int n = parameter.permutationSize();
      auto placesAt = [&](double coordinate) {
        return inverse(permutationAt(n, *parameter.index(coordinate)));
      };
      Permutation after = placesAt(to[k]), before = placesAt(from[k]);
      for (int i = 0; i < n; ++i)
        entries.push_back(after[i] - before[i]);
    } else {
      for (uint64_t i = 0; i < parameter.size(); ++i) {
        double coordinate = parameter.coordinate(i);
        entries.push_back(double(to[k] == coordinate) -
                          double(from[k] == coordinate));
      }
    }
  }
  return entries;
}

/// A small step of one parameter, in a random direction where it has several.
static double stepped(const Parameter &parameter, double coordinate,
                      double share, Random &random) {
  bool upward = random.below(2) == 0;
  if (parameter.isNumeric()) {
    // At the end of the range, the other way.
    double there = moved(parameter, coordinate, upward ? share : -share);
    return there != coordinate
               ? there
               : moved(parameter, coordinate, upward ? -share : share);
  }
  if (parameter.kind() != ParameterKind::Permutation)
    return uniformlyMutated(parameter, coordinate, random);
  Permutation order =
      permutationAt(parameter.permutationSize(), *parameter.index(coordinate));
  uint64_t first = random.below(order.size() - 1);
  std::swap(order[first], order[first + 1]);
  return parameter.coordinate(rankOf(order));
}

namespace {

/// Draws the points around a center.
class Scattering {
public:
  Scattering(const Space &space, const Point &center, double share);

  /// A point some steps away.
  Point draw(size_t numSteps, Random &random);
  /// Takes a point unless it is there already, or depends on the others.
  bool add(Point point);
  /// Forgets the directions of the points so far.
  void beginAnew() { directions.clear(); }

  size_t numFree() const { return free.size(); }
  std::vector<Point> points;

private:
  const Space &space;
  const Point &center;
  double share;
  std::vector<size_t> free;
  IndependentSet directions;
};

} // namespace

Scattering::Scattering(const Space &space, const Point &center, double share)
    : space(space), center(center), share(share) {
  for (size_t k = 0; k < space.parameters().size(); ++k)
    if (isFree(space.parameters()[k]))
      free.push_back(k);
}

Point Scattering::draw(size_t numSteps, Random &random) {
  Point point = center;
  random.shuffle(free);
  for (size_t i = 0; i < numSteps; ++i)
    point[free[i]] =
        stepped(space.parameters()[free[i]], point[free[i]], share, random);
  return space.nearest(point);
}

bool Scattering::add(Point point) {
  if (point == center ||
      std::find(points.begin(), points.end(), point) != points.end())
    return false;
  std::vector<double> entries = direction(space, center, point);
  if (!directions.add(Eigen::Map<Eigen::VectorXd>(
          entries.data(), Eigen::Index(entries.size()))))
    return false;
  points.push_back(std::move(point));
  return true;
}

std::vector<Point> search::scatter(const Space &space, const Point &center,
                                   size_t count, double share, Random &random) {
  // If there are more, so many draws per number of steps find most of them.
  constexpr int maxDraws = 100;
  Scattering scattering(space, center, share);
  size_t maxSteps = std::min<size_t>(4, scattering.numFree());
  for (bool isNew = true; isNew && scattering.points.size() < count;) {
    isNew = false;
    scattering.beginAnew();
    for (size_t numSteps = 1; numSteps <= maxSteps; ++numSteps)
      for (int draws = 0; draws < maxDraws && scattering.points.size() < count;
           ++draws)
        if (scattering.add(scattering.draw(numSteps, random))) {
          isNew = true;
          draws = 0;
        }
  }
  return std::move(scattering.points);
}
