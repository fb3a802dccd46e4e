//===- FailureRules.cpp - Kinds of failed commands ------------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "baco/Command/FailureRules.h"

#include "baco/Support/ParseNumber.h"

#include <algorithm>
#include <csignal>
#include <cstring>

using namespace baco;
using namespace baco::command;

/// The number of a signal by its name without SIG; nothing if there is none.
static std::optional<int> signalNamed(std::string_view name) {
  if (name.starts_with("SIG"))
    name.remove_prefix(3);
  for (int signal = 1; signal < NSIG; ++signal)
    if (const char *known = sigabbrev_np(signal); known && name == known)
      return signal;
  return std::nullopt;
}

Result<FailureRules::Rule> FailureRules::parseRule(std::string_view text) {
  auto fail = [&](const std::string &what) {
    return Error{ErrorCode::InvalidArgument,
                 "rule '" + std::string(text) + "': " + what};
  };
  size_t colon = text.find(':'), equals = text.find('=', colon);
  if (colon == std::string_view::npos || equals == std::string_view::npos)
    return fail("it must be KIND:exit=CODE, KIND:signal=NAME or "
                "KIND:output=REGEX");
  std::optional<Status> status = parseStatus(text.substr(0, colon));
  if (!status || !isFailure(*status) || *status == Status::Lost) {
    std::string known;
    for (int i = 0; i < numStatuses; ++i)
      if (auto each = static_cast<Status>(i);
          isFailure(each) && each != Status::Lost)
        known += (known.empty() ? "" : ", ") + std::string(statusName(each));
    return fail("the kinds are " + known);
  }
  Rule rule;
  rule.status = *status;
  std::string_view what = text.substr(colon + 1, equals - colon - 1),
                   value = text.substr(equals + 1);
  if (what == "exit") {
    rule.exitCode = parseNumber<int>(value);
    if (!rule.exitCode || *rule.exitCode < 0 || *rule.exitCode > 255)
      return fail("an exit code is a number from 0 to 255");
  } else if (what == "signal") {
    rule.signal = signalNamed(value);
    if (!rule.signal)
      return fail("there is no such signal");
  } else if (what == "output") {
    Result<Pattern> pattern = Pattern::compile(std::string(value));
    if (!pattern)
      return fail(pattern.error().message);
    rule.output = std::move(*pattern);
  } else {
    return fail("it must have exit=, signal= or output=");
  }
  return rule;
}

Result<FailureRules> FailureRules::parse(std::string_view text) {
  FailureRules made;
  while (!text.empty()) {
    size_t end = std::min(text.find(';'), text.size());
    if (end > 0) {
      Result<Rule> rule = parseRule(text.substr(0, end));
      if (!rule)
        return rule.error();
      made.rules.push_back(std::move(*rule));
    }
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return made;
}

/// Calls `visit` for each line until that returns true.
template <typename Visit>
static bool anyLine(std::string_view text, Visit visit) {
  while (!text.empty()) {
    size_t end = std::min(text.find('\n'), text.size());
    if (visit(text.substr(0, end)))
      return true;
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return false;
}

std::optional<Status> FailureRules::find(const CommandEnd &end) const {
  for (const Rule &rule : rules) {
    bool isExit = end.kind == CommandEnd::Exited && rule.exitCode == end.code;
    bool isSignal = end.kind == CommandEnd::Signaled && rule.signal == end.code;
    auto matches = [&](std::string_view line) {
      return rule.output->matches(line);
    };
    if (isExit || isSignal ||
        (rule.output &&
         (anyLine(end.output, matches) || anyLine(end.errors, matches))))
      return rule.status;
  }
  return std::nullopt;
}

/// The last line of `text` that has something in it, as it can be printed.
static std::string lastLine(std::string_view text) {
  constexpr size_t maxLength = 200;
  std::string_view last;
  anyLine(text, [&](std::string_view line) {
    if (line.find_first_not_of(" \t\r") != std::string_view::npos)
      last = line;
    return false;
  });
  std::string shown(last.substr(0, maxLength));
  for (char &c : shown)
    if (c < ' ' || c > '~')
      c = '?';
  return shown;
}

std::string command::describeEnd(const CommandEnd &end) {
  std::string how;
  switch (end.kind) {
  case CommandEnd::Exited:
    how = "exit code " + std::to_string(end.code);
    break;
  case CommandEnd::Signaled: {
    const char *name = sigabbrev_np(end.code);
    how = name ? std::string("died of SIG") + name
               : "died of signal " + std::to_string(end.code);
    break;
  }
  case CommandEnd::TimedOut:
    how = "still running when its time was over";
    break;
  case CommandEnd::TooMuchOutput:
    how = "printed too much";
    break;
  case CommandEnd::Stopped:
    how = "given up";
    break;
  }
  std::string said = lastLine(end.errors);
  if (said.empty())
    said = lastLine(end.output);
  return said.empty() ? how : how + ": " + said;
}
