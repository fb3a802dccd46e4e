//===- FirstPoints.cpp - The first points of a search ---------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "baco/Search/FirstPoints.h"

#include <algorithm>
#include <numeric>
#include <set>
#include <utility>

using namespace baco;
using namespace baco::search;

/// More trials of a source teach little more.
static constexpr size_t maxTrials = 256;

/// How many configurations of earlier studies are tried first.
static constexpr size_t numFirst = 4;

std::vector<TransferSource::Trial>
baco::search::informativeTrials(std::vector<TransferSource::Trial> trials) {
  std::erase_if(trials, [](const TransferSource::Trial &trial) {
    return !trial.observation.feasible;
  });
  std::vector<size_t> order(trials.size());
  std::iota(order.begin(), order.end(), 0);
  std::sort(order.begin(), order.end(), [&](size_t a, size_t b) {
    return std::pair(trials[a].observation.objective, a) <
           std::pair(trials[b].observation.objective, b);
  });
  if (order.size() > maxTrials) {
    size_t half = maxTrials / 2, rest = order.size() - half;
    for (size_t k = 0; k < half; ++k)
      order[half + k] = order[half + k * rest / half];
    order.resize(maxTrials);
  }
  std::vector<TransferSource::Trial> chosen;
  for (size_t i : order)
    chosen.push_back(std::move(trials[i]));
  return chosen;
}

std::vector<CommonSpace> baco::search::readingsOf(const TransferSource &source,
                                                  const Space &target) {
  using enum CommonSpace::Reading;
  std::vector<CommonSpace> readings;
  for (CommonSpace::Reading reading : {Shares, Sizes}) {
    CommonSpace common(source.space, target, reading);
    if (reading == Shares ? common.isScaled() : !common.isEmpty())
      readings.push_back(std::move(common));
  }
  return readings;
}

std::vector<Transferred>
baco::search::firstPoints(const std::vector<TransferSource> &sources,
                          const Space &target) {
  struct Queue {
    CommonSpace common;
    std::vector<TransferSource::Trial> trials;
    size_t source;
    bool isUnused = true;
  };
  std::vector<Queue> queues;
  size_t longest = 0;
  for (size_t i = 0; i < sources.size(); ++i)
    for (CommonSpace &common : readingsOf(sources[i], target)) {
      queues.push_back(
          {std::move(common), informativeTrials(sources[i].trials), i});
      longest = std::max(longest, queues.back().trials.size());
    }
  std::vector<Transferred> points;
  std::set<Point> known = {target.defaultPoint()};
  for (size_t rank = 0; rank < longest; ++rank)
    for (Queue &queue : queues) {
      if (points.size() >= numFirst)
        return points;
      if (rank >= queue.trials.size())
        continue;
      Point point = queue.common.toTarget(queue.trials[rank].configuration);
      if (known.insert(point).second)
        points.push_back({std::move(point), queue.source,
                          std::exchange(queue.isUnused, false)});
    }
  return points;
}

std::string
baco::search::describeTransfer(const std::vector<TransferSource> &sources,
                               const Space &target) {
  std::vector<size_t> counts(sources.size());
  for (const Transferred &each : firstPoints(sources, target))
    ++counts[each.source];
  std::string text;
  for (size_t i = 0; i < counts.size(); ++i)
    if (counts[i] > 0)
      text += (text.empty() ? "" : ", ") + std::to_string(counts[i]) +
              (!text.empty()    ? ""
               : counts[i] == 1 ? " configuration"
                                : " configurations") +
              " from " + sources[i].name;
  return text;
}
