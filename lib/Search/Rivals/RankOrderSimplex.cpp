//===- RankOrderSimplex.cpp - The steps of parallel rank ordering ---------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "baco/Search/Rivals/RankOrderSimplex.h"

#include "baco/Search/Rivals/Moves.h"
#include "baco/Search/Rivals/WeightedSum.h"

#include <algorithm>
#include <limits>

using namespace baco;
using namespace baco::search;

/// How far a new simplex reaches, as a share of each parameter's range: far
/// enough to leave a small hollow, near enough to have much in common with its
/// center. The first steps grow or shrink it.
static constexpr double initialShare = 0.2;
/// The same around a point to which a simplex collapsed: the next value of most
/// parameters.
static constexpr double probeShare = 0.01;
/// If vertices are still apart after so many halvings in a row, projections
/// undo the halvings, or parameters have a million values.
static constexpr int maxShrinks = 20;

static size_t numFree(const Space &space) {
  return std::count_if(space.parameters().begin(), space.parameters().end(),
                       isFree);
}

size_t RankOrderSimplex::smallestSize(const Space &space) {
  return numFree(space) + 1;
}

size_t RankOrderSimplex::defaultSize(const Space &space) {
  return std::max(smallestSize(space), 2 * numFree(space));
}

/// The index of the cheapest point.
static size_t cheapest(const std::vector<Point> &points,
                       const Evaluations &known) {
  size_t best = 0;
  for (size_t i = 1; i < points.size(); ++i)
    if (known.costOrWorst(points[i]) < known.costOrWorst(points[best]))
      best = i;
  return best;
}

std::vector<Point> RankOrderSimplex::next(const Evaluations &known,
                                          Random &random) {
  switch (step) {
  case Step::Begin:
    return restart(known, random);
  case Step::Random:
    return rebuild(vertices[cheapest(vertices, known)], initialShare, random);
  case Step::Simplex:
    return iterate(known, random);
  case Step::Reflection:
    return judgeReflections(known, random);
  case Step::Check:
    if (isExpanding(known)) {
      step = Step::Expansion;
      return expansions;
    }
    return accept(std::move(reflections), known, random);
  case Step::Expansion:
    return accept(std::move(isExpanding(known) ? expansions : reflections),
                  known, random);
  }
  return {};
}

std::vector<Point> RankOrderSimplex::restart(const Evaluations &known,
                                             Random &random) {
  step = Step::Random;
  isProbe = false;
  bound = known.best ? known.costOrWorst(*known.best)
                     : std::numeric_limits<double>::infinity();
  vertices.clear();
  while (vertices.size() < size)
    vertices.push_back(space.sample(random));
  return vertices;
}

std::vector<Point> RankOrderSimplex::rebuild(Point center, double share,
                                             Random &random) {
  step = Step::Simplex;
  hasMoved = false;
  numShrinks = 0;
  vertices = scatter(space, center, size - 1, share, random);
  vertices.insert(vertices.begin(), std::move(center));
  return vertices;
}

std::vector<Point> RankOrderSimplex::iterate(const Evaluations &known,
                                             Random &random) {
  known.sort(vertices);
  double cost = known.costOrWorst(vertices.front());
  if (known.best && known.costOrWorst(*known.best) < std::min(cost, bound)) {
    isProbe = false;
    return rebuild(*known.best, initialShare, random);
  }
  if (numShrinks > maxShrinks || isCollapsed()) {
    if (isProbe && !hasMoved)
      return restart(known, random);
    isProbe = true;
    return rebuild(vertices.front(), probeShare, random);
  }
  step = Step::Reflection;
  reflections = transformed(2, random);
  return reflections;
}

bool RankOrderSimplex::isCollapsed() const {
  constexpr double realTolerance = 1e-3;
  auto isSame = [&](const Point &vertex) {
    for (size_t k = 0; k < vertex.size(); ++k) {
      const Parameter &parameter = space.parameters()[k];
      double a = vertex[k], b = vertices.front()[k];
      bool isReal = parameter.kind() == ParameterKind::Real;
      if (isReal ? parameter.distance(a, b) > realTolerance : a != b)
        return false;
    }
    return true;
  };
  return std::all_of(vertices.begin(), vertices.end(), isSame);
}

std::vector<Point> RankOrderSimplex::judgeReflections(const Evaluations &known,
                                                      Random &random) {
  size_t promising = cheapest(reflections, known);
  reflectedCost = known.costOrWorst(reflections[promising]);
  if (!(reflectedCost < known.costOrWorst(vertices.front())))
    return shrink(random);
  hasMoved = true;
  numShrinks = 0;
  expansions = transformed(3, random);
  std::swap(expansions[0], expansions[promising]);
  if (expansion != Expansion::CheckFirst) {
    step = Step::Expansion;
    return expansions;
  }
  step = Step::Check;
  return {expansions.front()};
}

std::vector<Point> RankOrderSimplex::shrink(Random &random) {
  step = Step::Simplex;
  ++numShrinks;
  std::vector<Point> shrunk = transformed(0.5, random);
  shrunk.insert(shrunk.begin(), vertices.front());
  vertices = std::move(shrunk);
  return vertices;
}

std::vector<Point> RankOrderSimplex::transformed(double weight,
                                                 Random &random) const {
  std::vector<Point> points;
  for (auto vertex = vertices.begin() + 1; vertex != vertices.end(); ++vertex) {
    Term terms[] = {{weight, &vertices.front()}, {1 - weight, &*vertex}};
    points.push_back(combine(space, terms, random));
  }
  return points;
}

std::vector<Point> RankOrderSimplex::accept(std::vector<Point> accepted,
                                            const Evaluations &known,
                                            Random &random) {
  vertices.resize(1);
  vertices.insert(vertices.end(), accepted.begin(), accepted.end());
  return iterate(known, random);
}

bool RankOrderSimplex::isExpanding(const Evaluations &known) const {
  size_t decisive =
      expansion == Expansion::All ? cheapest(expansions, known) : 0;
  return known.costOrWorst(expansions[decisive]) < reflectedCost;
}

bool RankOrderSimplex::isDecided(const Evaluations &known) const {
  return step == Step::Expansion && expansion == Expansion::Together &&
         known.cost(expansions.front()) && !isExpanding(known);
}
