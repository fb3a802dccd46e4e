//===- ProgramSpace.cpp - Spaces of programs ------------------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ProgramSpace.h"

#include "baco/Database/Files.h"
#include "baco/Format/Scenario.h"
#include "baco/Support/Json.h"

#include <algorithm>
#include <filesystem>
#include <iostream>

using namespace baco;
using namespace baco::tool;

ProgramSpace tool::readProgramSpace(const std::string &path) {
  std::string text = need(database::readFile(path));
  std::string name = std::filesystem::path(path).stem().string();
  Json json = tryParseJson(text);
  if (!json.is_object() || !json.contains("optimization_objectives"))
    return {needInput(readAnySpace(text, path)), std::move(name)};
  Scenario scenario = needInput(readScenario(text, path));
  if (!scenario.unsupported.empty())
    fail({ErrorCode::InvalidArgument,
          path + ": " + scenario.unsupported.front()});
  for (const std::string &key : scenario.ignored)
    std::cerr << "baco: " << path << ": '" << key << "' has no effect\n";
  ProgramSpace read{std::move(scenario.space), std::move(name)};
  read.optimizer = scenario.technique;
  if (read.optimizer == "baco") {
    uint64_t initial = std::max<uint64_t>(scenario.initialDesign, 1);
    read.optimizer += ":initial=" + std::to_string(initial);
    if (scenario.usesForest)
      read.optimizer += ",surrogate=forest";
  }
  read.budget = scenario.budget();
  read.timeLimitSeconds = scenario.timeLimitSeconds;
  read.initialDesign = scenario.initialDesign;
  read.isClientServer = scenario.isClientServer;
  read.columns.results = scenario.objectives;
  if (scenario.feasibleOutput.isEnabled) {
    read.columns.feasible = scenario.feasibleOutput.name;
    read.columns.trueValue = scenario.feasibleOutput.trueValue;
    read.columns.falseValue = scenario.feasibleOutput.falseValue;
  }
  return read;
}

study::Objectives tool::readObjectives(const Arguments &arguments,
                                       const ProgramSpace &input) {
  std::string order = arguments.get("order");
  bool isGiven = arguments.has("objectives");
  if (!isGiven && input.columns.results.size() == 1) {
    if (!order.empty())
      fail(wrongOption("order", "is for several results: --objectives"));
    return study::Objectives();
  }
  auto objectives =
      isGiven ? study::Objectives::parse(arguments.get("objectives"), order)
              : study::Objectives::minimizing(input.columns.results, order);
  if (!objectives)
    fail({objectives.error().code,
          "--objectives, --order: " + objectives.error().message});
  if (Result<void> valid = objectives->checkSpace(input.space); !valid)
    fail({valid.error().code, "--objectives: " + valid.error().message});
  return std::move(*objectives);
}
