//===- LocalSearch.cpp - Maximizing an acquisition function ---------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "baco/Search/LocalSearch.h"

#include <algorithm>
#include <map>

using namespace baco;
using namespace baco::search;

namespace {

/// The scores of all points seen so far, and the best one that may be returned.
class Scores {
public:
  Scores(const BatchScore &score,
         const std::function<bool(const Point &)> &excluded)
      : score(score), excluded(excluded) {}

  /// Scores those of `points` that are new, in one batch.
  void add(const std::vector<Point> &points) {
    std::vector<Point> fresh;
    std::vector<double *> places;
    for (const Point &point : points) {
      auto [place, isNew] = known.try_emplace(point, 0.0);
      if (!isNew)
        continue;
      fresh.push_back(point);
      places.push_back(&place->second);
    }
    std::vector<double> values = score(fresh);
    for (size_t i = 0; i < fresh.size(); ++i) {
      *places[i] = values[i];
      if ((!best || values[i] > best->score) && !excluded(fresh[i]))
        best = ScoredPoint{fresh[i], values[i]};
    }
  }

  double at(const Point &point) const { return known.at(point); }
  size_t size() const { return known.size(); }

  std::optional<ScoredPoint> best;

private:
  const BatchScore &score;
  const std::function<bool(const Point &)> &excluded;
  std::map<Point, double> known;
};

/// One climb: its current point.
struct Climber {
  Point point;
  std::vector<Point> neighbors;
};

} // namespace

/// The best candidates, followed by the incumbents; no point twice.
static std::vector<Climber> startingPoints(const Scores &scores,
                                           const std::vector<Point> &candidates,
                                           const std::vector<Point> &incumbents,
                                           size_t numStarts) {
  std::vector<std::pair<double, size_t>> order;
  for (size_t i = 0; i < candidates.size(); ++i)
    order.emplace_back(-scores.at(candidates[i]), i);
  size_t count = std::min(order.size(), numStarts);
  std::partial_sort(order.begin(), order.begin() + count, order.end());
  std::map<Point, bool> taken;
  std::vector<Climber> climbers;
  for (size_t i = 0; i < count; ++i)
    if (taken.try_emplace(candidates[order[i].second], true).second)
      climbers.push_back({candidates[order[i].second], {}});
  for (const Point &point : incumbents)
    if (taken.try_emplace(point, true).second)
      climbers.push_back({point, {}});
  return climbers;
}

/// Appends the feasible points that differ from `p` in one number by a quarter
/// of its range, by a sixteenth of it, and so on: in a large range a step to
/// the next value gets nowhere.
static void addStrides(const Space &space, const Point &p,
                       std::vector<Point> &out) {
  constexpr uint64_t smallRange = 64;
  for (size_t i = 0; i < p.size(); ++i) {
    const Parameter &parameter = space.parameters()[i];
    uint64_t size = parameter.size();
    std::optional<uint64_t> index = parameter.index(p[i]);
    if (!parameter.isNumeric() || size <= smallRange || !index)
      continue;
    auto add = [&](uint64_t there) {
      Point moved = p;
      moved[i] = parameter.coordinate(there);
      if (space.isFeasible(moved))
        out.push_back(std::move(moved));
    };
    for (uint64_t stride = size / 4; stride > 1; stride /= 4) {
      if (*index >= stride)
        add(*index - stride);
      if (size - *index > stride)
        add(*index + stride);
    }
  }
}

std::optional<ScoredPoint>
baco::search::localSearch(const Space &space, const BatchScore &score,
                          const std::vector<Point> &candidates,
                          const std::vector<Point> &incumbents,
                          const std::function<bool(const Point &)> &excluded,
                          const LocalSearchOptions &options, Random &random) {
  Scores scores(score, excluded);
  scores.add(candidates);
  scores.add(incumbents);
  std::vector<Climber> climbers =
      startingPoints(scores, candidates, incumbents, options.numStarts);

  // All climbs take a step at the same time, so that batches are large.
  std::map<Point, bool> visited;
  size_t limit = scores.size() + options.maxScores;
  while (!climbers.empty() && scores.size() < limit) {
    std::vector<Point> batch;
    for (Climber &climber : climbers) {
      climber.neighbors.clear();
      space.neighbors(climber.point, random, climber.neighbors);
      addStrides(space, climber.point, climber.neighbors);
      batch.insert(batch.end(), climber.neighbors.begin(),
                   climber.neighbors.end());
    }
    scores.add(batch);
    std::vector<Climber> next;
    for (Climber &climber : climbers) {
      const Point *best = &climber.point;
      for (const Point &neighbor : climber.neighbors)
        if (scores.at(neighbor) > scores.at(*best))
          best = &neighbor;
      // A climb that reaches a point of another climb would only repeat that.
      if (best != &climber.point && visited.try_emplace(*best, true).second)
        next.push_back({*best, {}});
    }
    climbers = std::move(next);
  }
  return scores.best;
}
