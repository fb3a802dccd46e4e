//===- CommandGroup.cpp - Commands such as `study list` -------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CommandGroup.h"

#include "baco/Database/Files.h"

#include <algorithm>
#include <cstdio>
#include <filesystem>

using namespace baco;
using namespace baco::tool;

int tool::complain(const Error &error) {
  std::fprintf(stderr, "baco: error: %s\n", error.message.c_str());
  return exitCodeOf(error);
}

int tool::misuse(std::string_view group, const std::string &message) {
  return complain({ErrorCode::InvalidArgument,
                   message + " (see baco " + std::string(group) + " --help)"});
}

void tool::print(const std::string &text) {
  std::fwrite(text.data(), 1, text.size(), stdout);
}

int tool::deliver(std::string_view group, const Arguments &arguments,
                  const std::string &text) {
  if (!arguments.has("output")) {
    print(text);
    return allDone;
  }
  std::error_code missing;
  if (std::filesystem::equivalent(arguments.get("output"),
                                  arguments.positional().front(), missing))
    return misuse(group, "--output names the database itself");
  need(database::writeFileAtomically(arguments.get("output"), text));
  return allDone;
}

/// Runs a command, which is called `name` in messages, with its words.
static int runNamed(std::string_view group, const std::string &name,
                    const Command &command,
                    std::span<const std::string_view> words) {
  Result<Arguments> arguments = Arguments::parse(words, command.options);
  if (!arguments)
    return misuse(group, arguments.error().message);
  if (command.numOperands &&
      arguments->positional().size() != *command.numOperands)
    return misuse(group, "'" + name + "' needs " + command.operands);
  return command.run(*arguments);
}

/// Whether the words ask for help, which is printed then.
static bool showsHelp(std::span<const std::string_view> words,
                      const char *usage) {
  bool shows = std::ranges::find(words, "--help") != words.end();
  if (shows)
    print(usage);
  return shows;
}

int tool::runCommand(const Command &command, const char *usage,
                     std::span<const std::string_view> words) {
  return showsHelp(words, usage)
             ? allDone
             : runNamed(command.name, std::string(command.name), command,
                        words);
}

int tool::runCommand(const CommandGroup &group,
                     std::span<const std::string_view> words) {
  std::string name(group.name);
  if (words.empty())
    return misuse(name, "'baco " + name + "' needs a command");
  if (showsHelp(words, group.usage))
    return allDone;
  name += " " + std::string(words.front());
  auto command =
      std::ranges::find(group.commands, words.front(), &Command::name);
  if (command == group.commands.end())
    return misuse(group.name, "unknown command '" + name + "'");
  return runNamed(group.name, name, *command, words.subspan(1));
}

std::unique_ptr<studyreport::LiveReport>
tool::startLive(const Arguments &arguments, const std::string &database) {
  if (!arguments.has("live"))
    return nullptr;
  std::optional<uint64_t> port;
  if (!arguments.get("live").empty())
    port = arguments.number("live", 0, UINT16_MAX);
  auto live = studyreport::LiveReport::start(
      database, static_cast<uint16_t>(port.value_or(0)));
  if (!live)
    fail({live.error().code, "--live: " + live.error().message});
  std::fprintf(stderr, "live report: %s\n", (*live)->url().c_str());
  return std::move(*live);
}
