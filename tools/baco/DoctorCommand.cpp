//===- DoctorCommand.cpp - baco doctor ------------------------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Commands.h"

#include "CommandGroup.h"
#include "Doctor.h"

#include "baco/Runtime/CpuPlan.h"
#include "baco/Support/Json.h"

#include <algorithm>

using namespace baco;
using namespace baco::tool;

static constexpr const char *usage =
    R"(usage: baco doctor [options]

Says what limits measuring on this machine, and what isn't installed: who shares the
measured CPU, what changes its clock, how much the times of equal work differ.

options:
  --cpu=N              the CPU that is measured (default: the last one allowed, as the
                       tuner has it)
  --format=text|json
  --root=FOLDER        read the system's files (/proc, /sys) in FOLDER, a copy from
                       another machine, and run nothing

Exit codes: 0 done, warnings or not; 1 the input is wrong.
)";

static std::string writeText(const std::vector<Finding> &findings) {
  size_t width = 0;
  for (const Finding &finding : findings)
    width = std::max(width, finding.topic.size());
  std::string text;
  constexpr size_t levelWidth = 9;
  for (const Finding &finding : findings) {
    std::string level(levelName(finding.level));
    level.resize(levelWidth, ' ');
    std::string topic = finding.topic;
    topic.resize(width + 2, ' ');
    text += level + topic + finding.text + "\n";
    if (!finding.remedy.empty())
      text += std::string(levelWidth + width + 2, ' ') + "-> " +
              finding.remedy + "\n";
  }
  auto warnings =
      std::ranges::count(findings, Finding::Level::Warning, &Finding::level);
  return text +
         (warnings == 0   ? std::string("nothing limits measuring here")
          : warnings == 1 ? std::string("1 warning")
                          : std::to_string(warnings) + " warnings") +
         "\n";
}

static std::string writeJson(const std::vector<Finding> &findings) {
  Json all = Json::array();
  for (const Finding &finding : findings) {
    Json one = {{"topic", finding.topic},
                {"level", levelName(finding.level)},
                {"text", finding.text}};
    if (!finding.remedy.empty())
      one["remedy"] = finding.remedy;
    all.push_back(std::move(one));
  }
  return printJson({{"findings", std::move(all)}}, 2) + "\n";
}

static int examine(const Arguments &arguments) {
  if (!arguments.positional().empty())
    return misuse("doctor", "'doctor' takes options only");
  static constexpr std::string_view formats[] = {"text", "json"};
  std::string format = arguments.oneOf("format", formats);
  auto cpu = arguments.number("cpu", 0, CPU_SETSIZE - 1);
  bool isCopy = arguments.has("root");
  int measured = cpu ? static_cast<int>(*cpu) : isCopy ? 0 : -1;
  if (!isCopy)
    measured = need(runtime::planCpus(measured)).measured;
  std::vector<Finding> findings =
      examineSystem(isCopy ? arguments.get("root") : "", measured);
  if (!isCopy) {
    findings.push_back(examineNoise(measured));
    std::ranges::move(examinePrograms(), std::back_inserter(findings));
  }
  print(format == "json" ? writeJson(findings) : writeText(findings));
  return allDone;
}

int tool::runDoctorCommand(std::span<const std::string_view> words) {
  return runCommand({"doctor", examine, "cpu= format= root=", std::nullopt},
                    usage, words);
}
