//===- StudyBest.h - baco study best ----------------------------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The configuration to use of each study, and the evidence for it.
//
//===----------------------------------------------------------------------===//

#ifndef BACO_STUDYREPORT_STUDYBEST_H
#define BACO_STUDYREPORT_STUDYBEST_H

#include "baco/StudyReport/Recommendation.h"
#include "baco/StudyReport/StudyJson.h"

namespace baco::studyreport {

/// Several lines for one study; a row for each of several, under a header. The
/// configuration is the one that the last final comparison kept, or else the
/// fastest trial, unconfirmed.
std::string writeBestText(const std::vector<StudySummary> &studies);

/// The same with exact numbers: an array with an object for each study.
std::string writeBestJson(const std::vector<StudySummary> &studies);

/// The lines and the object of one study. `chosen`: what `recommend` says of
/// it, or null.
std::string writeBestDetails(const StudySummary &study,
                             const Recommendation *chosen);
Json bestJson(const StudySummary &study, const Recommendation *chosen);

} // namespace baco::studyreport

#endif // BACO_STUDYREPORT_STUDYBEST_H
