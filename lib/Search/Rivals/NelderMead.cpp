//===- NelderMead.cpp - The downhill simplex ------------------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "baco/Search/Rivals/NelderMead.h"

#include "baco/Search/Rivals/WeightedSum.h"

#include <algorithm>

using namespace baco;
using namespace baco::search;

std::vector<Point> NelderMead::next(const Evaluations &known, Random &random) {
  switch (step) {
  case Step::Begin:
    return restart(random);
  case Step::Simplex:
    return reflect(known, random);
  case Step::Reflection:
    return judgeReflection(known, random);
  case Step::Expansion: {
    bool isBetter = known.costOrWorst(trial) < known.costOrWorst(reflection);
    return replaceWorst(isBetter ? trial : reflection, known, random);
  }
  case Step::Contraction:
    return judgeContraction(known, random);
  }
  return {};
}

std::vector<Point> NelderMead::restart(Random &random) {
  step = Step::Simplex;
  vertices.clear();
  while (vertices.size() <= space.parameters().size())
    vertices.push_back(space.sample(random));
  return vertices;
}

std::vector<Point> NelderMead::reflect(const Evaluations &known,
                                       Random &random) {
  known.sort(vertices);
  bool isCollapsed =
      std::all_of(vertices.begin(), vertices.end(),
                  [&](const Point &v) { return v == vertices.front(); });
  if (isCollapsed)
    return restart(random);
  step = Step::Reflection;
  reflection = beyondCentroid(1, random);
  return {reflection};
}

std::vector<Point> NelderMead::judgeReflection(const Evaluations &known,
                                               Random &random) {
  double cost = known.costOrWorst(reflection);
  bool isBest = cost < known.costOrWorst(vertices.front());
  if (!isBest && cost < known.costOrWorst(vertices[vertices.size() - 2]))
    return replaceWorst(reflection, known, random);
  step = isBest ? Step::Expansion : Step::Contraction;
  bool isOutside = cost < known.costOrWorst(vertices.back());
  trial = beyondCentroid(isBest ? 2 : isOutside ? 0.5 : -0.5, random);
  return {trial};
}

std::vector<Point> NelderMead::judgeContraction(const Evaluations &known,
                                                Random &random) {
  double limit = std::min(known.costOrWorst(reflection),
                          known.costOrWorst(vertices.back()));
  if (known.costOrWorst(trial) < limit)
    return replaceWorst(trial, known, random);
  return shrink(random);
}

std::vector<Point> NelderMead::shrink(Random &random) {
  std::vector<Point> before = vertices;
  for (size_t i = 1; i < vertices.size(); ++i) {
    const Term terms[] = {{0.5, &before.front()}, {0.5, &before[i]}};
    vertices[i] = combine(space, terms, random);
  }
  if (vertices == before)
    return restart(random);
  step = Step::Simplex;
  return vertices;
}

std::vector<Point> NelderMead::replaceWorst(Point point,
                                            const Evaluations &known,
                                            Random &random) {
  vertices.back() = std::move(point);
  return reflect(known, random);
}

Point NelderMead::beyondCentroid(double factor, Random &random) const {
  std::vector<Term> terms;
  double share = (1 + factor) / static_cast<double>(vertices.size() - 1);
  for (size_t i = 0; i + 1 < vertices.size(); ++i)
    terms.push_back({share, &vertices[i]});
  terms.push_back({-factor, &vertices.back()});
  return combine(space, terms, random);
}
