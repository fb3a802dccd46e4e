//===- Final.cpp - A final comparison as it is stored ---------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "baco/Database/Final.h"

#include "JsonLine.h"

#include "baco/Database/Validation.h"

#include <algorithm>
#include <limits>
#include <unordered_map>

using namespace baco;
using namespace baco::database;

uint64_t database::countEvaluated(const std::vector<Trial> &trials) {
  return static_cast<uint64_t>(
      std::count_if(trials.begin(), trials.end(), [](const Trial &trial) {
        return trial.outcome && trial.outcome->status != Status::Cancelled;
      }));
}

const Final *database::findFinal(const std::vector<Final> &finals,
                                 uint64_t numTrials) {
  auto last =
      std::find_if(finals.rbegin(), finals.rend(), [&](const Final &final) {
        return final.numTrials == numTrials;
      });
  return last == finals.rend() ? nullptr : &*last;
}

std::optional<Final> database::renumber(
    const Final &final,
    const std::function<std::optional<uint64_t>(uint64_t)> &newNumber) {
  Final result = final;
  if (final.winner) {
    result.winner = newNumber(*final.winner);
    if (!result.winner)
      return std::nullopt;
  }
  std::erase_if(result.finalists, [&](Finalist &finalist) {
    if (!finalist.trial)
      return false;
    finalist.trial = newNumber(*finalist.trial);
    return !finalist.trial;
  });
  return result;
}

std::optional<Final> database::renumber(const Final &final,
                                        const std::vector<Trial> &from,
                                        const std::vector<Trial> &to) {
  std::unordered_map<std::string, uint64_t> numbers;
  for (const Trial &trial : to)
    numbers.try_emplace(trial.configuration, trial.number);
  std::unordered_map<uint64_t, std::string> configurations;
  for (const Trial &trial : from)
    configurations.try_emplace(trial.number, trial.configuration);
  return renumber(final, [&](uint64_t number) -> std::optional<uint64_t> {
    auto configuration = configurations.find(number);
    if (configuration == configurations.end())
      return std::nullopt;
    auto found = numbers.find(configuration->second);
    return found == numbers.end() ? std::nullopt : std::optional(found->second);
  });
}

//===----------------------------------------------------------------------===//
// JSON
//===----------------------------------------------------------------------===//

static Json trialOrNull(std::optional<uint64_t> trial) {
  return trial ? Json(*trial) : Json(nullptr);
}

static void addTime(Json &json, const Outcome &outcome) {
  json["time_ns"] =
      outcome.status == Status::Ok ? Json(outcome.timeNs) : Json(nullptr);
  json["spread"] = outcome.spread;
  json["samples"] = outcome.numSamples;
}

std::string database::writeFinalJson(const Final &final,
                                     std::string_view kernel) {
  Json json;
  json["kept"] = keptName(final.kept);
  json["winner"] = trialOrNull(final.winner);
  json["trials"] = final.numTrials;
  json["confidence"] =
      final.confidence > 0 ? Json(final.confidence) : Json(nullptr);
  json["plain"] = nullptr;
  if (final.plain) {
    json["plain"] = Json::object();
    addTime(json["plain"], *final.plain);
  }
  json["finalists"] = Json::array();
  for (const Finalist &finalist : final.finalists) {
    Json entry;
    entry["trial"] = trialOrNull(finalist.trial);
    entry["status"] = statusName(finalist.outcome.status);
    addTime(entry, finalist.outcome);
    entry["rounds_ns"] = finalist.roundsNs;
    if (!finalist.outcome.message.empty())
      entry["message"] = finalist.outcome.message;
    json["finalists"].push_back(std::move(entry));
  }
  Json line;
  line["final"] = std::move(json);
  if (!kernel.empty())
    line["kernel"] = kernel;
  return printJson(line);
}

/// A whole number under `key` that is at least 0; nullopt if it is null or
/// missing. False if it is something else.
static bool readCount(const Json &json, const char *key,
                      std::optional<uint64_t> &value) {
  auto found = json.find(key);
  if (found == json.end() || found->is_null())
    return true;
  if (!found->is_number_unsigned())
    return false;
  value = found->get<uint64_t>();
  return true;
}

/// Reads what `addTime` writes; false if it isn't that.
static bool readTime(const Json &json, Outcome &outcome) {
  outcome.timeNs = std::numeric_limits<double>::quiet_NaN();
  auto time = json.find("time_ns"), spread = json.find("spread");
  if (outcome.status == Status::Ok) {
    if (time == json.end() || !time->is_number())
      return false;
    outcome.timeNs = time->get<double>();
    if (!isTime(outcome.timeNs))
      return false;
  }
  if (spread != json.end() && spread->is_number())
    outcome.spread = spread->get<double>();
  std::optional<uint64_t> samples;
  if (!readCount(json, "samples", samples))
    return false;
  constexpr uint64_t most = 1000000000;
  outcome.numSamples = static_cast<int>(std::min(samples.value_or(0), most));
  return outcome.spread >= 0;
}

std::optional<std::vector<double>> database::readRounds(const Json &json) {
  if (!json.is_array())
    return std::nullopt;
  std::vector<double> rounds;
  for (const Json &time : json) {
    if (!time.is_number() || !isTime(time.get<double>()))
      return std::nullopt;
    rounds.push_back(time.get<double>());
  }
  return rounds;
}

static std::optional<Finalist> readFinalist(const Json &json) {
  Finalist finalist;
  auto status = json.find("status"), rounds = json.find("rounds_ns");
  if (!json.is_object() || !readCount(json, "trial", finalist.trial) ||
      status == json.end() || !status->is_string() || rounds == json.end())
    return std::nullopt;
  std::optional<Status> parsed = parseStatus(status->get<std::string>());
  auto times = readRounds(*rounds);
  if (!parsed || !times)
    return std::nullopt;
  finalist.outcome.status = *parsed;
  finalist.roundsNs = std::move(*times);
  if (auto message = json.find("message");
      message != json.end() && message->is_string())
    finalist.outcome.message = message->get<std::string>();
  if (!readTime(json, finalist.outcome))
    return std::nullopt;
  return finalist;
}

std::optional<Final> database::readFinalJson(const Json &json) {
  Final final;
  auto kept = json.find("kept"), finalists = json.find("finalists"),
       confidence = json.find("confidence"), plain = json.find("plain");
  std::optional<uint64_t> trials;
  if (!json.is_object() || kept == json.end() || !kept->is_string() ||
      finalists == json.end() || !finalists->is_array() ||
      !readCount(json, "winner", final.winner) ||
      !readCount(json, "trials", trials) || !trials)
    return std::nullopt;
  std::optional<Kept> parsed = parseKept(kept->get<std::string>());
  if (!parsed)
    return std::nullopt;
  final.kept = *parsed;
  final.numTrials = *trials;
  if (confidence != json.end() && confidence->is_number())
    final.confidence = confidence->get<double>();
  if (plain != json.end() && plain->is_object()) {
    final.plain.emplace().status = Status::Ok;
    if (!readTime(*plain, *final.plain))
      return std::nullopt;
  }
  for (const Json &entry : *finalists) {
    std::optional<Finalist> finalist = readFinalist(entry);
    if (!finalist)
      return std::nullopt;
    final.finalists.push_back(std::move(*finalist));
  }
  return isConsistent(final) ? std::optional(std::move(final)) : std::nullopt;
}

bool database::isConsistent(const Final &final) {
  auto isWinner = [&](const Finalist &finalist) {
    return finalist.trial == final.winner &&
           finalist.outcome.status == Status::Ok;
  };
  return (final.kept == Kept::Plain) == !final.winner &&
         final.confidence >= 0 && final.confidence < 1 &&
         (final.finalists.empty() ||
          std::any_of(final.finalists.begin(), final.finalists.end(),
                      isWinner));
}
