//===- ScenarioText.h - Scenarios as text -----------------------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BACO_UNITTESTS_FORMAT_SCENARIOTEXT_H
#define BACO_UNITTESTS_FORMAT_SCENARIOTEXT_H

#include "baco/Format/Scenario.h"

#include <string>

namespace baco {

/// A scenario with these parameters and further members.
inline std::string scenario(const std::string &parameters,
                            const std::string &more = "") {
  return R"({"optimization_objectives": ["time"], "input_parameters": {)" +
         parameters + "}" + (more.empty() ? "" : ", ") + more + "}";
}

inline std::string errorOf(const std::string &json) {
  Result<Scenario> read = readScenario(json);
  return read ? "no error" : read.error().message;
}

} // namespace baco

#endif // BACO_UNITTESTS_FORMAT_SCENARIOTEXT_H
