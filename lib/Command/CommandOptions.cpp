//===- CommandOptions.cpp - Options of commands as JSON -------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "baco/Command/CommandEvaluator.h"

#include "baco/Database/StudyKey.h"
#include "baco/Support/Json.h"

#include <cmath>

using namespace baco;
using namespace baco::command;

/// All that changes results, but for the objectives.
static Json toJson(const CommandOptions &options) {
  return {{"compile", options.compile},
          {"run", options.run},
          {"result", options.result},
          {"failures", options.failures},
          {"repeat", options.repeat},
          {"unit_ns", options.unitNs},
          {"timeouts_ms", {options.compileTimeoutMs, options.runTimeoutMs}},
          {"max_output", options.maxOutputBytes}};
}

std::string CommandEvaluator::fingerprintOf(const CommandOptions &options) {
  return "command " + database::contentHash(printJson(toJson(options)));
}

std::string command::writeCommandOptions(const CommandOptions &options) {
  Json json = toJson(options);
  json["objectives"] = options.objectives.text();
  json["order"] = options.objectives.orderText();
  return printJson(json);
}

Result<CommandOptions> command::readCommandOptions(std::string_view text) {
  try {
    CheckedJson json = parseCheckedJson(text);
    CommandOptions options;
    options.compile = json.at("compile").get<std::string>();
    options.run = json.at("run").get<std::string>();
    options.result = json.at("result").get<std::string>();
    options.failures = json.at("failures").get<std::string>();
    options.repeat = json.at("repeat").get<uint64_t>();
    options.unitNs = json.at("unit_ns").get<double>();
    options.compileTimeoutMs = json.at("timeouts_ms").at(0).get<int64_t>();
    options.runTimeoutMs = json.at("timeouts_ms").at(1).get<int64_t>();
    options.maxOutputBytes = json.at("max_output").get<uint64_t>();
    if (options.repeat < 1 || !std::isfinite(options.unitNs) ||
        options.unitNs < 0 || options.compileTimeoutMs < 1 ||
        options.runTimeoutMs < 1)
      return {ErrorCode::InvalidArgument,
              "options of commands: a number is out of its range"};
    std::string objectives = json.at("objectives").get<std::string>();
    if (objectives.empty())
      return options;
    Result<study::Objectives> parsed = study::Objectives::parse(
        objectives, json.at("order").get<std::string>());
    if (!parsed)
      return parsed.error();
    options.objectives = std::move(*parsed);
    return options;
  } catch (const CheckedJson::exception &e) {
    return {ErrorCode::Corrupt,
            std::string("not the options of commands: ") + e.what()};
  }
}
