//===- Neighbors.cpp - Steps of local search ------------------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SpaceData.h"
#include "baco/Expression/Permutation.h"
#include "baco/Support/Random.h"

using namespace baco;
using namespace baco::detail;

/// `local_search_step_size` of BaCO's reference implementation, on the range
/// scaled to [0, 1].
static constexpr double realStep = 0.03;
static constexpr int numRealSteps = 6;
/// Up to here all other permutations are neighbors, beyond only swaps.
static constexpr int smallPermutation = 5;

namespace {

/// The neighbors of one point, parameter by parameter.
class NeighborSearch {
public:
  NeighborSearch(const SpaceData &data, const Point &point,
                 std::vector<Point> &out);

  void visit(size_t parameter, Random &random);

private:
  void visitNumber(size_t k);
  void visitByTrial(size_t k);
  void visitReal(size_t k, Random &random);
  std::optional<Point> moved(size_t k, double coordinate) const;
  bool tryMove(size_t k, double coordinate);
  void jump(size_t k, double coordinate);

  const SpaceData &data;
  const Point &point;
  std::vector<Point> &out;
  std::vector<uint32_t> choice;
  /// The groups that the point violates.
  std::vector<int> violated;
};

} // namespace

void Space::neighbors(const Point &p, Random &random,
                      std::vector<Point> &out) const {
  assert(p.size() == data->numParameters() && "not of this space");
  out.clear();
  for (size_t k = 0; k < p.size(); ++k)
    if (!data->isInDomain(p, k))
      return;
  NeighborSearch search(*data, p, out);
  for (size_t k = 0; k < p.size(); ++k)
    search.visit(k, random);
}

NeighborSearch::NeighborSearch(const SpaceData &data, const Point &point,
                               std::vector<Point> &out)
    : data(data), point(point), out(out) {
  for (size_t i = 0; i < data.groups.size(); ++i)
    if (!data.choiceOf(data.groups[i], point, choice) ||
        !data.groups[i].contains(choice))
      violated.push_back(static_cast<int>(i));
}

/// The coordinates of the other values that a categorical or permutation
/// parameter may step to.
static std::vector<double> otherValues(const Parameter &parameter,
                                       double coordinate) {
  std::vector<double> others;
  int n = parameter.permutationSize();
  if (parameter.kind() == ParameterKind::Permutation && n > smallPermutation) {
    Permutation p = permutationAt(n, *parameter.index(coordinate));
    for (int i = 0; i < n; ++i)
      for (int j = i + 1; j < n; ++j) {
        std::swap(p[i], p[j]);
        others.push_back(parameter.coordinate(rankOf(p)));
        std::swap(p[i], p[j]);
      }
    return others;
  }
  for (uint64_t index = 0; index < parameter.size(); ++index)
    if (parameter.coordinate(index) != coordinate)
      others.push_back(parameter.coordinate(index));
  return others;
}

void NeighborSearch::visit(size_t k, Random &random) {
  const Parameter &parameter = data.parameters[k];
  // An inactive parameter has only its default.
  if (!data.conditionsOf[k].empty() && !data.isActive(point, k))
    return;
  if (parameter.kind() == ParameterKind::Real)
    return visitReal(k, random);
  if (parameter.isNumeric())
    return visitNumber(k);
  for (double other : otherValues(parameter, point[k]))
    if (!tryMove(k, other) && data.decides[k])
      jump(k, other);
}

/// The point with another coordinate, and what becomes inactive by that at its
/// default; nullopt if that isn't feasible.
std::optional<Point> NeighborSearch::moved(size_t k, double coordinate) const {
  Point candidate = point;
  candidate[k] = coordinate;
  if (data.decides[k])
    data.settle(candidate);
  if (!data.isFeasible(candidate))
    return std::nullopt;
  return candidate;
}

bool NeighborSearch::tryMove(size_t k, double coordinate) {
  std::optional<Point> candidate = moved(k, coordinate);
  if (candidate)
    out.push_back(std::move(*candidate));
  return candidate.has_value();
}

/// The nearest feasible point with that coordinate, for a parameter whose
/// values lead to different sets of active parameters.
void NeighborSearch::jump(size_t k, double coordinate) {
  Point candidate = point;
  candidate[k] = coordinate;
  data.settle(candidate);
  if (data.nearestDiscrete(candidate, /*pinned=*/k) &&
      data.isFeasible(candidate))
    out.push_back(std::move(candidate));
}

void NeighborSearch::visitNumber(size_t k) {
  int group = data.groupOf[k];
  // The diagram gives the next value, unless other parameters have to change
  // too.
  if (group < 0 || data.decides[k])
    return visitByTrial(k);
  // A step in this group can't help another one.
  bool isElsewhere =
      violated.size() > 1 || (violated.size() == 1 && violated[0] != group);
  if (isElsewhere || !data.choiceOf(data.groups[group], point, choice))
    return;
  size_t level = data.levelOf[k];
  uint32_t own = choice[level];
  for (bool upward : {false, true}) {
    choice[level] = own;
    while (auto next = data.groups[group].nextValue(choice, level, upward)) {
      Point candidate = point;
      candidate[k] = data.parameters[k].coordinate(*next);
      if (data.holdsLoose(candidate)) {
        out.push_back(std::move(candidate));
        break;
      }
      choice[level] = *next;
    }
  }
}

void NeighborSearch::visitByTrial(size_t k) {
  // A range may have 2^63 values.
  constexpr int maxTried = 10'000;
  const Parameter &parameter = data.parameters[k];
  uint64_t own = *parameter.index(point[k]);
  for (bool upward : {false, true}) {
    bool found = false;
    uint64_t last = upward ? parameter.size() - 1 : 0;
    int numTried = 0;
    for (uint64_t index = own; index != last && !found && numTried < maxTried;
         ++numTried) {
      index += upward ? 1 : -1;
      found = tryMove(k, parameter.coordinate(index));
    }
    if (!found && own != last && data.decides[k])
      jump(k, parameter.coordinate(upward ? own + 1 : own - 1));
  }
}

void NeighborSearch::visitReal(size_t k, Random &random) {
  const Parameter &parameter = data.parameters[k];
  double center = parameter.scaled(point[k]);
  if (parameter.lower() == parameter.upper())
    return;
  for (int i = 0; i < numRealSteps; ++i) {
    // Truncated by drawing again; at least about half of the mass is inside.
    double step;
    do
      step = center + realStep * random.normal();
    while (!(step >= 0 && step <= 1));
    tryMove(k, parameter.unscaled(step));
  }
}
