//===- StudyJson.cpp - Studies as JSON ------------------------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "baco/StudyReport/StudyJson.h"

using namespace baco;
using namespace baco::studyreport;

Json studyreport::statusesJson(const StudySummary &study) {
  Json statuses = Json::object();
  for (auto [status, count] : countStatuses(study))
    statuses[std::string(statusName(status))] = count;
  return statuses;
}

Json studyreport::parseOrText(const std::string &text) {
  Json parsed = tryParseJson(text);
  return parsed.is_discarded() ? Json(text) : parsed;
}

Json studyreport::metadataOf(const StudySummary &study, const char *name) {
  Json metadata = parseOrText(study.info.metadata);
  return metadata.is_object() ? metadata.value(name, Json()) : Json();
}

std::string_view studyreport::unitName(CostUnit unit) {
  switch (unit) {
  case CostUnit::Nanoseconds:
    return "ns";
  case CostUnit::Cycles:
    return "cycles";
  case CostUnit::Number:
    return "number";
  }
  return {};
}

std::string studyreport::toText(const Json &json) {
  return printJson(json, 2) + "\n";
}
