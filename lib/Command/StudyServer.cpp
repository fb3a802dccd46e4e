//===- StudyServer.cpp - Ask and tell as lines of JSON --------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "baco/Command/StudyServer.h"

#include "baco/Format/SpaceFormat.h"

using namespace baco;
using namespace baco::command;
using database::Trial;

/// The parsed form of a line.
struct StudyServer::Request {
  Json json;

  std::string text(const char *name) const {
    auto found = json.find(name);
    return found != json.end() && found->is_string() ? found->get<std::string>()
                                                     : std::string();
  }
};

static Json mistake(const std::string &what) { return {{"error", what}}; }

std::string StudyServer::greet() const {
  Json parameters = Json::array();
  for (const Parameter &parameter : study.space().parameters())
    parameters.push_back(parameter.name());
  Json greeting = {{"service", "baco"},
                   {"protocol", serverProtocol},
                   {"parameters", parameters},
                   {"trials", study.trials().size()}};
  if (!study.objectives().empty())
    greeting["objectives"] = study.objectives().names();
  return printJson(greeting);
}

/// A result of a trial, with its configuration.
static Json describeTrial(const study::AskTell &study, uint64_t trial) {
  const Trial &known = study.trials()[trial];
  Json json = {{"trial", trial},
               {"configuration", tryParseJson(known.configuration)}};
  if (!known.works())
    return json;
  if (study.objectives().empty())
    json["result"] = known.outcome->timeNs;
  for (const Metric &metric : known.outcome->metrics)
    json["results"][metric.name] = metric.value;
  return json;
}

Json StudyServer::describeBest() const {
  std::optional<uint64_t> best = study.best();
  return best ? describeTrial(study, *best) : Json{{"trial", nullptr}};
}

Result<Json> StudyServer::ask(uint64_t client) {
  if (study.numGivenOut() >= budget)
    return Json{{"trial", nullptr}, {"reason", "budget"}};
  auto asked = study.ask();
  if (!asked && asked.error().code == ErrorCode::InvalidArgument)
    return mistake(asked.error().message);
  if (!asked)
    return asked.error();
  if (!*asked)
    return Json{{"trial", nullptr}, {"reason", "exhausted"}};
  owners[(*asked)->trial] = client;
  return describeTrial(study, (*asked)->trial);
}

/// The results in a request, in the order of the objectives; nullopt if they
/// aren't numbers.
std::optional<std::vector<double>>
StudyServer::resultsOf(const Request &request) const {
  std::vector<double> results;
  auto add = [&](const Json &json, const std::string &name) {
    auto found = json.is_object() ? json.find(name) : json.end();
    bool isNumber = found != json.end() && found->is_number();
    if (isNumber)
      results.push_back(found->get<double>());
    return isNumber;
  };
  if (study.objectives().empty())
    return add(request.json, "result") ? std::optional(results) : std::nullopt;
  for (const std::string &name : study.objectives().names())
    if (!add(request.json.at("results"), name))
      return std::nullopt;
  return results;
}

Result<Json> StudyServer::tell(const Request &request) {
  auto number = request.json.find("trial");
  if (number == request.json.end() || !number->is_number_unsigned())
    return mistake("'tell' needs the number of a trial, 'trial'");
  uint64_t trial = number->get<uint64_t>();
  bool isOne = study.objectives().empty();
  bool hasResult = request.json.contains(isOne ? "result" : "results"),
       hasFailure = request.json.contains("failure");
  if (hasResult == hasFailure)
    return mistake(
        isOne ? "'tell' needs 'result', a number, or 'failure', a kind"
              : "'tell' needs 'results', an object with a number for each "
                "objective, or 'failure', a kind");
  Result<void> told;
  if (hasResult) {
    std::optional<std::vector<double>> results = resultsOf(request);
    if (!results)
      return mistake(isOne ? "'result' must be a number"
                           : "'results' must be an object with a number "
                             "for each objective");
    told = study.tell(trial, *results);
  } else {
    std::optional<Status> status = parseStatus(request.text("failure"));
    if (!status || *status == Status::Lost)
      return mistake("'" + request.text("failure") + "' is no kind of failure");
    // One line, as everywhere.
    std::string message = request.text("message");
    for (char &c : message)
      if (static_cast<unsigned char>(c) < ' ')
        c = ' ';
    told = study.tellFailure(trial, *status, message);
  }
  if (!told && told.error().code != ErrorCode::InvalidArgument)
    return told.error();
  if (!told)
    return mistake(told.error().message);
  owners.erase(trial);
  return describeBest();
}

Result<Json> StudyServer::dispatch(uint64_t client, const Request &request) {
  std::string what = request.text("op");
  if (what == "ask")
    return ask(client);
  if (what == "tell")
    return tell(request);
  if (what == "best")
    return describeBest();
  if (what == "space") {
    Result<std::string> space = writeSpace(study.space(), false);
    return space ? Json{{"space", tryParseJson(*space)}}
                 : mistake(space.error().message);
  }
  if (what == "quit") {
    over = true;
    return describeBest();
  }
  return mistake("'op' must be ask, tell, best, space or quit");
}

Result<std::string> StudyServer::answer(uint64_t client,
                                        std::string_view line) {
  if (line.size() > maxRequestBytes)
    return printJson(mistake("the request is longer than " +
                             std::to_string(maxRequestBytes) + " bytes"));
  Request request;
  request.json = tryParseJson(line, /*maxDepth=*/32);
  if (!request.json.is_object())
    return printJson(mistake("a request is a JSON object on one line"));
  Result<Json> answered = dispatch(client, request);
  if (!answered)
    return answered.error();
  // Answers can be told apart.
  Json reply = Json::object();
  if (auto id = request.json.find("id"); id != request.json.end())
    reply["id"] = *id;
  reply.update(*answered);
  return printJson(reply);
}

void StudyServer::leave(uint64_t client) {
  for (auto owner = owners.begin(); owner != owners.end();)
    if (owner->second == client) {
      (void)study.giveBack(owner->first);
      owner = owners.erase(owner);
    } else {
      ++owner;
    }
}
