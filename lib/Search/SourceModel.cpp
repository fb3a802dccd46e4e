//===- SourceModel.cpp - Models of earlier studies ------------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "baco/Search/SourceModel.h"

#include "baco/Search/FirstPoints.h"
#include "baco/Search/FittedProcess.h"
#include "baco/Search/Standardize.h"

#include <set>

using namespace baco;
using namespace baco::search;
using Eigen::Index;
using Eigen::VectorXd;

/// With fewer objectives that differ there is no trend.
static constexpr size_t fewestObjectives = 3;

std::vector<SourceModel>
SourceModel::fit(const std::vector<TransferSource> &sources,
                 const Space &target, const BacoOptions &parts) {
  std::vector<SourceModel> models;
  for (const TransferSource &source : sources) {
    std::vector<TransferSource::Trial> trials =
        informativeTrials(source.trials);
    VectorXd objectives(Index(trials.size()));
    std::set<double> different;
    for (size_t i = 0; i < trials.size(); ++i) {
      objectives[Index(i)] = trials[i].observation.objective;
      different.insert(trials[i].observation.objective);
    }
    if (different.size() < fewestObjectives)
      continue;
    VectorXd y =
        standardize(objectives, parts.logObjective, parts.compressedOutputs);
    for (CommonSpace &common : readingsOf(source, target)) {
      Encoding encoding(common.space(),
                        {parts.logVariables, parts.naivePermutations,
                         parts.labeledNumbers, parts.separateElements});
      std::vector<Point> points;
      for (const TransferSource::Trial &trial : trials)
        points.push_back(common.fromSource(trial.configuration));
      FittedProcess fitted(encoding.layout(), {HyperparameterFit::Multistart,
                                               parts.lengthScalePrior});
      Random random(/*seed=*/0, /*stream=*/0);
      fitted.update(encoding.encode(points), y, Eigen::MatrixXd(), y.size(),
                    random);
      GaussianProcess process = fitted.processes().front();
      models.push_back(SourceModel(std::move(common), std::move(encoding),
                                   std::move(process)));
    }
  }
  return models;
}

VectorXd SourceModel::mean(const std::vector<Point> &points) const {
  std::vector<Point> known;
  known.reserve(points.size());
  for (const Point &point : points)
    known.push_back(common.fromTarget(point));
  return process.predictMean(encoding.encode(known));
}
