//===- FailureRules.h - Kinds of failed commands ----------------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BACO_COMMAND_FAILURERULES_H
#define BACO_COMMAND_FAILURERULES_H

#include "baco/Command/Pattern.h"
#include "baco/Command/RunCommand.h"
#include "baco/Support/Outcome.h"

namespace baco::command {

/// Rules that say which kind of failure the end of a command is.
class FailureRules {
public:
  /// Reads rules that are separated by semicolons: `KIND:exit=CODE`,
  /// `KIND:signal=NAME` (`SEGV`), or `KIND:output=REGEX`, a line of standard
  /// output or standard error that matches; KIND is the name of a failed
  /// status, such as `wrong-result`. InvalidArgument, naming the rule.
  static Result<FailureRules> parse(std::string_view text);

  /// The status by the first rule that holds.
  std::optional<Status> find(const CommandEnd &end) const;

private:
  struct Rule {
    Status status;
    /// One of these.
    std::optional<int> exitCode, signal;
    std::optional<Pattern> output;
  };
  static Result<Rule> parseRule(std::string_view text);

  std::vector<Rule> rules;
};

/// How a command ended, for a message on one line, such as `exit code 2: app:
/// no such tile`, with the last line that it printed.
std::string describeEnd(const CommandEnd &end);

} // namespace baco::command

#endif // BACO_COMMAND_FAILURERULES_H
