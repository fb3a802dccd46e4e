//===- ParameterShares.h - How much parameters matter -----------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The shares of parameters, and of pairs of them, in the differences between
// the candidates of a study.
//
//===----------------------------------------------------------------------===//

#ifndef BACO_STUDYREPORT_PARAMETERSHARES_H
#define BACO_STUDYREPORT_PARAMETERSHARES_H

#include "baco/Search/Importance.h"
#include "baco/StudyReport/StudyJson.h"

namespace baco::studyreport {

/// The trials of a study that work, as models take them.
struct WorkingTrials {
  std::vector<Point> points;
  /// The costs that the search minimizes, shape [points.size()].
  std::vector<double> costs;
};

/// Errors: a configuration that isn't of the space, naming the parameter.
Result<WorkingTrials> workingTrials(const StudySummary &study,
                                    const Space &space);

/// One parameter, or two, and their share.
struct ParameterShare {
  std::vector<std::string> names;
  double share;
};

/// The importance of parameters by a model of a study's trials.
struct ParameterShares {
  search::Importance importance;
  /// All parameters, and the pairs whose interaction is seen, the largest share
  /// first.
  std::vector<ParameterShare> rows;
};

/// InvalidArgument, naming the study, if it has too few trials that work.
Result<ParameterShares> findShares(const StudySummary &study,
                                   const Space &space,
                                   const WorkingTrials &trials, uint64_t seed);

/// `12.3 %`; less than nothing is nothing.
std::string percent(double share);

/// A table, and how far to trust it.
std::string writeSharesText(const ParameterShares &shares);
Json sharesJson(const ParameterShares &shares);

/// The same from the study's own space, as text or JSON.
Result<std::string> writeImportance(const StudySummary &study, uint64_t seed,
                                    bool isJson);

} // namespace baco::studyreport

#endif // BACO_STUDYREPORT_PARAMETERSHARES_H
