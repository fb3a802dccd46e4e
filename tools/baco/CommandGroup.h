//===- CommandGroup.h - Commands such as `study list` -----------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Code that the commands of `baco` share: finding the command, its options and
// operands, and messages.
//
//===----------------------------------------------------------------------===//

#ifndef BACO_TOOLS_BACO_COMMANDGROUP_H
#define BACO_TOOLS_BACO_COMMANDGROUP_H

#include "Arguments.h"

#include "baco/StudyReport/LiveReport.h"

#include <string>

namespace baco::tool {

/// Prints an error and returns the exit code.
int complain(const Error &error);
/// The same for a command line that makes no sense: of `baco GROUP`.
int misuse(std::string_view group, const std::string &message);

/// To standard output.
void print(const std::string &text);

/// Prints the text, or writes it to --output unless that is the database, the
/// first operand. Returns the exit code.
int deliver(std::string_view group, const Arguments &arguments,
            const std::string &text);

struct Command {
  std::string_view name;
  /// Returns the exit code.
  int (*run)(const Arguments &);
  /// See Arguments::parse.
  std::string_view options;
  /// How many operands it takes; nullopt if it checks that itself.
  std::optional<size_t> numOperands;
  /// A description of the operands, for a message.
  const char *operands = "";
};

struct CommandGroup {
  std::string_view name;
  /// The text of --help.
  const char *usage;
  std::span<const Command> commands;
};

/// Runs the command that `words` begin with and returns its exit code.
int runCommand(const CommandGroup &group,
               std::span<const std::string_view> words);

/// The same for a command that is no group.
int runCommand(const Command &command, const char *usage,
               std::span<const std::string_view> words);

/// Starts the server of --live[=PORT], and prints its address on standard
/// error; null if the option isn't given.
std::unique_ptr<studyreport::LiveReport> startLive(const Arguments &arguments,
                                                   const std::string &database);

} // namespace baco::tool

#endif // BACO_TOOLS_BACO_COMMANDGROUP_H
