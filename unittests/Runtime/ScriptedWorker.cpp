//===- ScriptedWorker.cpp - A worker that measures nothing ----------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What it says of each candidate is in the JSON file that SCRIPTED_WORKER
// names, so that tests of tools know what will be measured:
//
//   {"plain": TIME, "trials": {"KNOBS": TIME}, "finals": {"KNOBS": TIME}}
//
// KNOBS are a configuration's values, joined by commas, or "plain"; versions of
// a program are "tuned" and "default". A time is in nanoseconds; a text instead
// of it is the status of a failure. Who has no entry under "finals" takes as
// long there as in its trial; "kill" there is the sudden end of the tuner. Who
// is compared is appended to SCRIPTED_WORKER.log, a line for all rounds with
// the same names, which are sorted as texts. With "clock": TIME the worker's
// clock has this reference, as do trials where the plain kernel isn't timed,
// and for what clock each trial is wanted is appended to
// SCRIPTED_WORKER.clocks.
//
//===----------------------------------------------------------------------===//

#include "baco/Protocol/Channel.h"
#include "baco/Protocol/Messages.h"
#include "baco/Runtime/Serve.h"

#include <cmath>
#include <csignal>
#include <cstdlib>
#include <fstream>
#include <set>
#include <unistd.h>

#include <nlohmann/json.hpp>

using namespace baco;
using namespace baco::runtime;
using Json = nlohmann::ordered_json;

namespace {
/// The file.
struct Script {
  std::string path;
  Json json;

  double clockNs() const { return json.value("clock", 0.0); }
  bool isPlainTimed() const { return json.at("plain").is_number(); }
  Json trialOf(const std::string &name) const {
    return name == "plain" ? json.at("plain") : json.at("trials").at(name);
  }
  Json finalOf(const std::string &name) const {
    bool isThere = json.contains("finals") && json.at("finals").contains(name);
    return isThere ? json.at("finals").at(name) : trialOf(name);
  }
};
} // namespace

static std::string nameOf(const std::optional<std::string> &configuration) {
  if (!configuration)
    return "plain";
  std::string name;
  for (const Json &value : Json::parse(*configuration))
    name += (name.empty() ? "" : ",") +
            (value.is_string() ? value.get<std::string>() : value.dump());
  return name;
}

static Outcome outcomeOf(const Json &what) {
  Outcome outcome;
  outcome.runNs = 1000;
  if (what.is_number()) {
    outcome.status = Status::Ok;
    outcome.timeNs = what.get<double>();
    outcome.numSamples = 3;
    return outcome;
  }
  outcome.status = parseStatus(what.get<std::string>()).value_or(Status::Lost);
  outcome.timeNs = std::nan("");
  outcome.message = "as the script says";
  return outcome;
}

static Samples samplesOf(const Json &what) {
  Samples samples;
  samples.outcome = outcomeOf(what);
  if (samples.outcome.status == Status::Ok)
    samples.slicesNs = {std::vector<double>(3, samples.outcome.timeNs)};
  return samples;
}

/// The answer to a request; nullopt if it needs none.
static std::optional<Message>
answer(const Script &script, const Message &request, std::string &compared) {
  if (const auto *submit = std::get_if<Submit>(&request)) {
    if (script.json.contains("clock"))
      std::ofstream(script.path + ".clocks", std::ios::app)
          << submit->baselineNs << "\n";
    Evaluated evaluated;
    evaluated.trial = submit->trial;
    evaluated.outcome =
        outcomeOf(script.trialOf(nameOf(submit->configuration)));
    if (!script.isPlainTimed() && script.clockNs() > 0)
      evaluated.conditions = {{.referenceNs = script.clockNs()}};
    return evaluated;
  }
  const auto *compare = std::get_if<Compare>(&request);
  if (!compare)
    return std::nullopt;
  Compared result;
  // Rounds have orders of their own.
  std::set<std::string> sorted;
  for (const auto &configuration : compare->configurations) {
    std::string name = nameOf(configuration);
    sorted.insert(name);
    if (script.finalOf(name) == "kill")
      kill(getppid(), SIGKILL);
    result.candidates.push_back(samplesOf(script.finalOf(name)));
  }
  std::string names;
  for (const std::string &name : sorted)
    names += (names.empty() ? "" : " ") + name;
  if (names != compared)
    std::ofstream(script.path + ".log", std::ios::app) << names << "\n";
  compared = names;
  return result;
}

int main() {
  const char *path = std::getenv("SCRIPTED_WORKER");
  if (!path)
    return 1;
  std::ifstream file(path);
  Script script{path, Json::parse(file)};
  Channel channel(workerSocket);
  constexpr int64_t timeoutMs = 60000;
  auto send = [&](const Message &message) {
    return static_cast<bool>(channel.send(message, timeoutMs));
  };
  Ready ready;
  ready.plain = outcomeOf(script.json.at("plain"));
  ready.referenceNs = script.isPlainTimed() ? script.clockNs() : 0;
  if (!send(Hello{}) || !channel.receive(timeoutMs) || !send(ready))
    return 1;
  std::string compared;
  while (true) {
    Result<std::optional<Message>> request = channel.receive(timeoutMs);
    if (!request || !*request)
      return 0;
    std::optional<Message> reply = answer(script, **request, compared);
    if (reply && !send(*reply))
      return 0;
  }
}
