//===- Messages.cpp - Tasks and their results -----------------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "baco/Cluster/Messages.h"

#include "baco/Support/ContentHash.h"
#include "baco/Support/Json.h"

#include <algorithm>
#include <cctype>
#include <cmath>

using namespace baco;
using namespace baco::cluster;

namespace baco::measure {
// NOLINTNEXTLINE(readability-identifier-naming): names that the library calls.
BACO_JSON_FIELDS(Finalist, configuration, mayLeave)
} // namespace baco::measure

/// Thrown and caught in this file only.
static CheckedJson::exception outOfRange(const std::string &field) {
  return CheckedJson::other_error::create(
      501, "'" + field + "' is out of its range", nullptr);
}

static bool isHexadecimal(std::string_view text, size_t length) {
  return text.size() == length && std::ranges::all_of(text, [](char c) {
           return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f');
         });
}

/// Whether it may be a part of a subject or a key of NATS.
static bool isToken(std::string_view text) {
  return !text.empty() && text.size() <= 64 &&
         std::ranges::all_of(text, [](char c) {
           return std::isalnum(static_cast<unsigned char>(c)) || c == '-' ||
                  c == '_';
         });
}

/// `t12` or `r3`; see Task::token.
static bool isTaskToken(std::string_view text) {
  return text.size() >= 2 && text.size() <= 21 &&
         (text[0] == 't' || text[0] == 'r') &&
         std::ranges::all_of(text.substr(1),
                             [](char c) { return c >= '0' && c <= '9'; });
}

namespace {
/// Reads the fields of an object; throws CheckedJson::exception.
class Fields {
public:
  explicit Fields(const CheckedJson &json) : json(json) {}

  std::string text(const char *name) const {
    return json.at(name).get<std::string>();
  }
  std::string token(const char *name) const {
    return checked(name, text(name), isToken);
  }
  std::string hash(const char *name, size_t length) const {
    return checked(name, text(name), [length](std::string_view value) {
      return isHexadecimal(value, length);
    });
  }
  std::string taskToken(const char *name) const {
    return checked(name, text(name), isTaskToken);
  }
  uint64_t count(const char *name, uint64_t most = uint64_t{1} << 53) const {
    auto value = json.at(name).get<uint64_t>();
    if (value > most)
      throw outOfRange(name);
    return value;
  }
  bool flag(const char *name) const { return json.at(name).get<bool>(); }
  /// Finite and at least 0.
  double positive(const char *name) const {
    const CheckedJson &value = json.at(name);
    if (!value.is_number() || !(value.get<double>() >= 0) ||
        !std::isfinite(value.get<double>()))
      throw outOfRange(name);
    return value.get<double>();
  }
  /// One of the words, by its index.
  template <typename Enum>
  Enum word(const char *name, std::span<const char *const> words) const {
    std::string value = text(name);
    auto found = std::ranges::find(words, value);
    if (found == words.end())
      throw outOfRange(name);
    return static_cast<Enum>(found - words.begin());
  }
  const CheckedJson &member(const char *name) const { return json.at(name); }

private:
  template <typename Check>
  static std::string checked(const char *name, std::string value, Check check) {
    if (!check(value))
      throw outOfRange(name);
    return value;
  }
  const CheckedJson &json;
};
} // namespace

/// Reads an object of this version by `read`, which may throw
/// CheckedJson::exception.
template <typename Read>
static auto decodeObject(std::string_view text, const char *what, size_t most,
                         Read read)
    -> Result<decltype(read(std::declval<Fields>()))> {
  auto corrupt = [&](const std::string &why) {
    return Error{ErrorCode::Corrupt,
                 "not a " + std::string(what) + " of a cluster: " + why};
  };
  if (text.size() > most)
    return corrupt(std::to_string(text.size()) + " bytes");
  try {
    CheckedJson json = parseCheckedJson(text);
    Fields fields(json);
    uint64_t version = fields.count("version");
    if (version != clusterVersion)
      return Error{ErrorCode::Unsupported,
                   "a " + std::string(what) + " of version " +
                       std::to_string(version) + " of the cluster, not " +
                       std::to_string(clusterVersion)};
    return read(fields);
  } catch (const CheckedJson::exception &e) {
    return corrupt(e.what());
  }
}

/// A message of the harness as an object.
static CheckedJson toJson(const runtime::Message &message) {
  return parseCheckedJson(runtime::encode(message));
}

static runtime::Message toMessage(const CheckedJson &json) {
  Result<runtime::Message> message = runtime::decode(printCheckedJson(json));
  if (!message)
    throw CheckedJson::other_error::create(501, message.error().message,
                                           nullptr);
  return std::move(*message);
}

static constexpr const char *payloadKinds[] = {"kernel", "command", "table"};
static constexpr const char *taskKinds[] = {"setup", "trial", "complete",
                                            "finals"};
static constexpr const char *cuts[] = {"none", "slow", "out-of-time",
                                       "stopped"};

std::string Task::token() const {
  return (kind == Kind::Trial ? "t" : "r") + std::to_string(number);
}

std::string cluster::classOf(const runtime::MachineDescription &description,
                             std::string_view llvm) {
  ContentHash hash;
  for (std::string_view part : {std::string_view(description.cpu),
                                std::string_view(description.features),
                                std::string_view(description.host), llvm}) {
    hash.add(std::to_string(part.size()) + " ");
    hash.add(part);
  }
  hash.add(std::to_string(runtime::protocolVersion) + " " +
           std::to_string(clusterVersion));
  std::string name;
  for (char c : description.cpu)
    name += isToken({&c, 1}) ? c : '_';
  return (name.empty() ? "any" : name.substr(0, 40)) + "-" +
         hash.digits().substr(0, 8);
}

std::string cluster::encode(const Payload &payload) {
  return printCheckedJson(
      {{"version", clusterVersion},
       {"kind", payloadKinds[static_cast<size_t>(payload.kind)]},
       {"space", payload.space},
       {"text", payload.text}});
}

Result<Payload> cluster::decodePayload(std::string_view text) {
  return decodeObject(text, "payload", maxPayloadBytes, [](Fields fields) {
    return Payload{fields.word<Payload::Kind>("kind", payloadKinds),
                   fields.text("space"), fields.text("text")};
  });
}

std::string cluster::encode(const Task &task) {
  CheckedJson json = {{"version", clusterVersion},
                      {"kind", taskKinds[static_cast<size_t>(task.kind)]},
                      {"study", task.study},
                      {"number", task.number},
                      {"attempt", task.attempt},
                      {"payload", task.payload}};
  if (task.kind == Task::Kind::Trial)
    json["submit"] = toJson(task.submit);
  if (task.kind == Task::Kind::Finals)
    json["rounds"] = {{"finalists", task.rounds.finalists},
                      {"longestMs", task.rounds.options.longestMs},
                      {"seed", task.rounds.options.seed},
                      {"defender", task.rounds.options.defender}};
  return printCheckedJson(json);
}

static Rounds readRounds(const CheckedJson &json) {
  Fields fields(json);
  Rounds rounds;
  json.at("finalists").get_to(rounds.finalists);
  if (rounds.finalists.size() > runtime::maxCompared)
    throw outOfRange("finalists");
  rounds.options.longestMs = fields.positive("longestMs");
  json.at("seed").get_to(rounds.options.seed);
  json.at("defender").get_to(rounds.options.defender);
  if (rounds.options.defender &&
      *rounds.options.defender >= rounds.finalists.size())
    throw outOfRange("defender");
  return rounds;
}

Result<Task> cluster::decodeTask(std::string_view text) {
  return decodeObject(text, "task", maxTaskBytes, [](Fields fields) {
    Task task;
    task.kind = fields.word<Task::Kind>("kind", taskKinds);
    task.study = fields.hash("study", 16);
    task.number = fields.count("number");
    task.attempt = fields.count("attempt");
    task.payload = fields.hash("payload", 32);
    if (task.kind == Task::Kind::Trial) {
      runtime::Message message = toMessage(fields.member("submit"));
      auto *submit = std::get_if<runtime::Submit>(&message);
      if (!submit)
        throw outOfRange("submit");
      task.submit = std::move(*submit);
    }
    if (task.kind == Task::Kind::Finals)
      task.rounds = readRounds(fields.member("rounds"));
    return task;
  });
}

std::string cluster::encode(const TaskResult &result) {
  return printCheckedJson({{"version", clusterVersion},
                           {"study", result.study},
                           {"token", result.token},
                           {"attempt", result.attempt},
                           {"worker", result.worker},
                           {"plainNs", result.plainNs},
                           {"answer", toJson(result.answer)},
                           {"cut", cuts[static_cast<size_t>(result.cut)]}});
}

Result<TaskResult> cluster::decodeResult(std::string_view text) {
  return decodeObject(text, "result", maxTaskBytes, [](Fields fields) {
    TaskResult result;
    result.study = fields.hash("study", 16);
    result.token = fields.taskToken("token");
    result.attempt = fields.count("attempt");
    result.worker = fields.token("worker");
    result.plainNs = fields.positive("plainNs");
    result.answer = toMessage(fields.member("answer"));
    if (!std::holds_alternative<runtime::Ready>(result.answer) &&
        !std::holds_alternative<runtime::Evaluated>(result.answer) &&
        !std::holds_alternative<runtime::Compared>(result.answer) &&
        !std::holds_alternative<runtime::Refusal>(result.answer))
      throw outOfRange("answer");
    result.cut = fields.word<measure::Cut>("cut", cuts);
    return result;
  });
}

std::string cluster::encode(const Machine &machine) {
  return printCheckedJson({{"version", machine.cluster},
                           {"id", machine.id},
                           {"host", machine.host},
                           {"class", machine.machineClass},
                           {"cpu", machine.description.cpu},
                           {"features", machine.description.features},
                           {"description", machine.description.host},
                           {"protocol", machine.protocol},
                           {"llvm", machine.llvm},
                           {"slots", machine.slots},
                           {"busy", machine.busy},
                           {"done", machine.done},
                           {"failed", machine.failed},
                           {"refused", machine.refused},
                           {"trouble", machine.trouble},
                           {"draining", machine.isDraining},
                           {"seenMs", machine.seenMs}});
}

Result<Machine> cluster::decodeMachine(std::string_view text) {
  return decodeObject(text, "machine", maxTaskBytes, [](Fields fields) {
    Machine machine;
    machine.id = fields.token("id");
    machine.host = fields.text("host");
    machine.machineClass = fields.token("class");
    machine.description = {fields.text("cpu"), fields.text("features"),
                           fields.text("description")};
    machine.protocol = static_cast<int>(fields.count("protocol", 1 << 30));
    machine.llvm = fields.text("llvm");
    machine.slots = fields.count("slots", 1 << 20);
    machine.busy = fields.count("busy");
    machine.done = fields.count("done");
    machine.failed = fields.count("failed");
    machine.refused = fields.text("refused");
    machine.trouble = fields.text("trouble");
    machine.isDraining = fields.flag("draining");
    machine.seenMs = static_cast<int64_t>(fields.count("seenMs"));
    return machine;
  });
}
