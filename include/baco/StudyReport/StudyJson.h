//===- StudyJson.h - Studies as JSON ----------------------------*- C++ -*-===//
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

#include "baco/StudyReport/StudySummary.h"

#include <nlohmann/json.hpp>

namespace baco::studyreport {

using Json = nlohmann::ordered_json;

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

} // namespace baco::studyreport

#endif // BACO_STUDYREPORT_STUDYJSON_H
