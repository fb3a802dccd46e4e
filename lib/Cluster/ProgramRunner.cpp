//===- ProgramRunner.cpp - Programs that a cluster's worker runs ----------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "baco/Cluster/ClusterEvaluator.h"

#include "baco/Format/SpaceFormat.h"
#include "baco/Study/ReplayEvaluator.h"
#include "baco/Support/Complaint.h"
#include "baco/Support/UniqueName.h"

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <fstream>

using namespace baco;
using namespace baco::cluster;

Result<void> cluster::checkAllowed(const std::string &line,
                                   const std::vector<std::string> &allowed) {
  auto refuse = [&](const std::string &why) {
    return Error{ErrorCode::InvalidArgument,
                 "the worker runs no command '" + line + "': " + why};
  };
  constexpr std::string_view harmless = " -_./=:,+@%{}";
  for (char c : line)
    if (!std::isalnum(static_cast<unsigned char>(c)) &&
        harmless.find(c) == std::string_view::npos)
      return refuse("it has '" + std::string(1, c) +
                    "', but must be one program and its arguments; put the "
                    "rest into a script");
  std::string program = line.substr(0, line.find(' '));
  if (std::ranges::find(allowed, program) == allowed.end())
    return refuse("start baco-worker with --allow-command=" + program);
  return {};
}

namespace {
/// Candidates of commands, or of a table.
class ProgramRunner final : public TaskRunner {
public:
  ProgramRunner(Space space, std::unique_ptr<study::Evaluator> evaluator,
                command::CommandEvaluator *commands)
      : space(std::move(space)), evaluator(std::move(evaluator)),
        commands(commands) {}

  Result<void> submit(const Task &task) override;
  TaskResult wait(const Task &task) override;

private:
  Result<runtime::Message> answer(const Task &task, measure::Cut &cut);

  Space space;
  std::unique_ptr<study::Evaluator> evaluator;
  /// The evaluator, if it runs commands.
  command::CommandEvaluator *commands;
};
} // namespace

Result<void> ProgramRunner::submit(const Task &task) {
  if (task.kind != Task::Kind::Trial)
    return {};
  Result<Configuration> configuration =
      readConfiguration(space, task.submit.configuration);
  if (!configuration)
    return configuration.error();
  return evaluator->submit(task.number, *configuration);
}

Result<runtime::Message> ProgramRunner::answer(const Task &task,
                                               measure::Cut &cut) {
  if (task.kind == Task::Kind::Trial) {
    Result<Outcome> outcome = evaluator->wait(task.number);
    if (!outcome)
      return outcome.error();
    return runtime::Message(
        runtime::Evaluated{task.submit.trial, std::move(*outcome), {}});
  }
  if (task.kind == Task::Kind::Finals) {
    if (!commands)
      return {ErrorCode::Unsupported, "a table has no final comparison"};
    auto compared =
        commands->compare(task.rounds.finalists, task.rounds.options);
    if (!compared)
      return compared.error();
    cut = compared->cut;
    return runtime::Message(runtime::Compared{std::move(compared->finalists)});
  }
  return runtime::Message(runtime::Ready());
}

TaskResult ProgramRunner::wait(const Task &task) {
  TaskResult result;
  Result<runtime::Message> message = answer(task, result.cut);
  if (message)
    result.answer = std::move(*message);
  else
    result.answer =
        runtime::Refusal{message.error().message, message.error().code};
  return result;
}

/// The evaluator reads files.
static Result<std::unique_ptr<study::ReplayEvaluator>>
openTable(const std::string &text, const Space &space,
          const std::string &folder) {
  std::error_code ignored;
  std::filesystem::create_directories(folder, ignored);
  std::string path = folder + "/table-" + drawUniqueName();
  std::ofstream file(path, std::ios::binary);
  file << text;
  file.close();
  auto opened =
      file ? study::ReplayEvaluator::open(path, space)
           : Error{ErrorCode::IOError, "the worker can't write " + path};
  std::filesystem::remove(path, ignored);
  return opened;
}

Result<std::unique_ptr<TaskRunner>>
cluster::makeProgramRunner(const Payload &payload, const CommandPlace &place) {
  return attempt([&]() -> std::unique_ptr<TaskRunner> {
    Space space = need(readSpace(payload.space));
    if (payload.kind == Payload::Kind::Table) {
      auto table = need(openTable(payload.text, space, place.folder));
      return std::make_unique<ProgramRunner>(std::move(space), std::move(table),
                                             nullptr);
    }
    command::CommandOptions options =
        need(command::readCommandOptions(payload.text));
    if (!options.compile.empty())
      need(checkAllowed(options.compile, place.allowed));
    need(checkAllowed(options.run, place.allowed));
    options.cpu = place.cpu;
    options.workFolder = place.folder + "/work-" + drawUniqueName();
    options.logFolder = place.folder + "/logs";
    auto commands = need(command::CommandEvaluator::create(space, options));
    command::CommandEvaluator *evaluator = commands.get();
    return std::make_unique<ProgramRunner>(std::move(space),
                                           std::move(commands), evaluator);
  });
}
