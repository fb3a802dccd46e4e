//===- ClockModel.cpp - How times follow the CPU's clock ------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "baco/Runtime/ClockModel.h"

#include "baco/Protocol/Samples.h"

#include <algorithm>
#include <cmath>
#include <vector>

using namespace baco;
using namespace baco::runtime;

static constexpr double priorShare = 0.5, priorDeviation = 0.5;
/// The least error of the times of `count` blocks. Within one process it is
/// half a percent, because its memory doesn't move. But the first ones can't
/// show that one of them was disturbed.
static double minNoise(size_t count) {
  constexpr double ofMany = 0.005, doubtfulBlocks = 3;
  return ofMany * (1 + doubtfulBlocks / static_cast<double>(count));
}

static bool isTime(double ns) { return ns > 0 && std::isfinite(ns); }

void ClockModel::setBaseline(double referenceNs) {
  if (isTime(referenceNs))
    baselineNs = referenceNs;
}

double ClockModel::logClock(double referenceNs) const {
  if (!isTime(referenceNs) || !isTime(baselineNs))
    return 0;
  return std::log(referenceNs / baselineNs);
}

void ClockModel::addBlock(double referenceNs, double timeNs) {
  if (!isTime(referenceNs) || !isTime(timeNs))
    return;
  ++numBlocks;
  blocks.push_back({std::log(referenceNs), std::log(timeNs)});
  if (blocks.size() > maxBlocks)
    blocks.pop_front();
  fit();
}

/// Maximum a posteriori by iteratively reweighted least squares (Lange, Little
/// and Taylor, "Robust Statistical Modeling Using the t Distribution", JASA 84
/// (1989), section 2).
void ClockModel::fit() {
  constexpr double freedom = 3;
  constexpr int iterations = 20;
  double priorPrecision = 1 / (priorDeviation * priorDeviation);
  std::vector<double> weights(blocks.size(), 1.0), residuals(blocks.size());
  double share = priorShare, precision = priorPrecision;
  double noise = minNoise(blocks.size());
  for (int iteration = 0; iteration < iterations; ++iteration) {
    double sum = 0, meanX = 0, meanY = 0;
    for (size_t i = 0; i < blocks.size(); ++i) {
      sum += weights[i];
      meanX += weights[i] * blocks[i].logReference;
      meanY += weights[i] * blocks[i].logTime;
    }
    meanX /= sum;
    meanY /= sum;
    double xx = 0, xy = 0;
    for (size_t i = 0; i < blocks.size(); ++i) {
      double x = blocks[i].logReference - meanX;
      xx += weights[i] * x * x;
      xy += weights[i] * x * (blocks[i].logTime - meanY);
    }
    precision = priorPrecision + xx / (noise * noise);
    share = (priorPrecision * priorShare + xy / (noise * noise)) / precision;
    share = std::clamp(share, 0.0, 1.0);
    for (size_t i = 0; i < blocks.size(); ++i)
      residuals[i] = std::abs(blocks[i].logTime - meanY -
                              share * (blocks[i].logReference - meanX));
    // The deviation of a normal distribution with this median.
    noise = std::max(minNoise(blocks.size()), 1.4826 * median(residuals));
    for (size_t i = 0; i < blocks.size(); ++i) {
      double z = residuals[i] / noise;
      weights[i] = (freedom + 1) / (freedom + z * z);
    }
  }
  posteriorShare = share;
  posteriorDeviation = 1 / std::sqrt(precision);
}

bool ClockModel::wantsBlock(double referenceNs) {
  ++numTrials;
  return blocks.empty() ||
         (correct(referenceNs).error > wantedError &&
          numBlocks < freeBlocks + numTrials / trialsPerBlock);
}

ClockCorrection ClockModel::correct(double referenceNs) const {
  double x = logClock(referenceNs);
  // A correction that is too small leaves a part of the drift; one that is too
  // large adds to it.
  double certain = std::max(0.0, posteriorShare - posteriorDeviation);
  return {std::exp(-certain * x), posteriorDeviation * std::abs(x)};
}

ClockCorrection ClockModel::ignore(double referenceNs) const {
  return {1, priorDeviation * std::abs(logClock(referenceNs))};
}
