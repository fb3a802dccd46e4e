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

#include <filesystem>
#include <iostream>

#include <nlohmann/json.hpp>

using namespace baco;
using namespace baco::tool;

Result<ProgramSpace> tool::readProgramSpace(const std::string &path) {
  Result<std::string> text = database::readFile(path);
  if (!text)
    return text.error();
  std::string name = std::filesystem::path(path).stem().string();
  auto fail = [](const Error &error) {
    // Any error is a mistake in the file.
    return Error{ErrorCode::InvalidArgument, error.message};
  };
  auto json = nlohmann::json::parse(*text, nullptr, /*allow_exceptions=*/false);
  if (!json.is_object() || !json.contains("optimization_objectives")) {
    Result<Space> space = readAnySpace(*text, path);
    if (!space)
      return fail(space.error());
    return ProgramSpace{std::move(*space), std::move(name)};
  }
  Result<Scenario> scenario = readScenario(*text, path);
  if (!scenario)
    return fail(scenario.error());
  if (scenario->objectives.size() != 1)
    return Error{ErrorCode::InvalidArgument,
                 path + ": it has " +
                     std::to_string(scenario->objectives.size()) +
                     " objectives; a candidate has one result"};
  for (const std::string &key : scenario->ignored)
    std::cerr << "baco: " << path << ": '" << key << "' has no effect\n";
  bool isForest = scenario->usesForest && scenario->technique == "baco";
  return ProgramSpace{std::move(scenario->space), std::move(name),
                      isForest ? "forest" : scenario->technique,
                      scenario->budget(), scenario->timeLimitSeconds};
}
