//===- SourceModel.h - Predictions from earlier studies ---------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The model of an earlier study, as an input of the model of another search.
//
//===----------------------------------------------------------------------===//

#ifndef BACO_SEARCH_SOURCEMODEL_H
#define BACO_SEARCH_SOURCEMODEL_H

#include "baco/Search/BacoOptions.h"
#include "baco/Search/CommonSpace.h"
#include "baco/Search/Encoding.h"
#include "baco/Search/GaussianProcess.h"

namespace baco::search {

/// A source's prediction at points of another space: the posterior mean of a
/// Gaussian process over the common parameters, fitted to the standardized
/// outcomes of informativeTrials. Deterministic.
class SourceModel {
public:
  /// A model for each source and each reading of it that differs, but for
  /// sources that have no common parameter, or fewer than three different
  /// objectives.
  static std::vector<SourceModel> fit(const std::vector<TransferSource> &,
                                      const Space &target,
                                      const BacoOptions &parts);

  /// The mean at points of the target, in standard deviations of the source's
  /// outcomes, shape [points].
  Eigen::VectorXd mean(const std::vector<Point> &points) const;

private:
  SourceModel(CommonSpace common, Encoding encoding, GaussianProcess process)
      : common(std::move(common)), encoding(std::move(encoding)),
        process(std::move(process)) {}

  CommonSpace common;
  Encoding encoding;
  GaussianProcess process;
};

} // namespace baco::search

#endif // BACO_SEARCH_SOURCEMODEL_H
