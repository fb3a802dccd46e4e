//===- StudyJson.h - Studies as JSON and as reports -------------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Parts of the JSON that `baco study` and `baco report` write.
//
//===----------------------------------------------------------------------===//

#ifndef BACO_STUDYREPORT_STUDYJSON_H
#define BACO_STUDYREPORT_STUDYJSON_H

#include "baco/StudyReport/Recommendation.h"
#include "baco/StudyReport/StudySummary.h"
#include "baco/Support/Json.h"

namespace baco::studyreport {

/// Name of each status to number of trials.
Json statusesJson(const StudySummary &study);

/// Parses JSON. Text that isn't JSON, or is nested more deeply than our own
/// output, stays a text: the library destroys and prints its values
/// recursively.
Json parseOrText(const std::string &text);

/// A value of the study's metadata; null if there is none.
Json metadataOf(const StudySummary &study, const char *name);

/// "ns", "cycles", or "number".
std::string_view unitName(CostUnit unit);

/// Indented, ended by a line feed; bytes that aren't UTF-8 become U+FFFD.
std::string toText(const Json &json);

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

#endif // BACO_STUDYREPORT_STUDYJSON_H
