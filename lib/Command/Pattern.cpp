//===- Pattern.cpp - Regular expressions on lines -------------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The C library's, because those of the C++ library recurse for each character.
// Back-references take exponential time, and long lines the square of theirs.
//
//===----------------------------------------------------------------------===//

#include "baco/Command/Pattern.h"

#include <algorithm>
#include <cctype>
#include <regex.h>

using namespace baco;
using namespace baco::command;

struct Pattern::Compiled {
  regex_t expression;
  bool isMade = false;

  ~Compiled() {
    if (isMade)
      regfree(&expression);
  }
};

Result<Pattern> Pattern::compile(const std::string &text) {
  for (size_t i = 0; i + 1 < text.size(); ++i)
    if (text[i] == '\\' && std::isdigit(static_cast<unsigned char>(text[++i])))
      return Error{ErrorCode::InvalidArgument,
                   "'" + text +
                       "' has a back-reference, which may take for "
                       "ever"};
  auto made = std::make_shared<Compiled>();
  int error = regcomp(&made->expression, text.c_str(), REG_EXTENDED);
  if (error != 0) {
    char reason[256];
    regerror(error, &made->expression, reason, sizeof reason);
    return Error{ErrorCode::InvalidArgument,
                 "'" + text + "' is no regular expression: " + reason};
  }
  made->isMade = true;
  Pattern pattern;
  pattern.compiled = std::move(made);
  pattern.source = text;
  return pattern;
}

std::optional<std::vector<std::string>> Pattern::find(std::string_view line,
                                                      size_t number) const {
  constexpr size_t maxLength = 4096;
  if (line.size() > maxLength)
    return std::nullopt;
  std::string text(line);
  // The library's texts end at such a byte.
  std::ranges::replace(text, '\0', ' ');
  // The first one is the whole match.
  std::vector<regmatch_t> matches(number + 1);
  if (regexec(&compiled->expression, text.c_str(), matches.size(),
              matches.data(), 0) != 0)
    return std::nullopt;
  bool hasGroups = compiled->expression.re_nsub > 0;
  size_t end = hasGroups ? std::min(number, compiled->expression.re_nsub) : 0;
  std::vector<std::string> groups;
  for (size_t i = hasGroups ? 1 : 0; i <= end; ++i)
    // A group that took no part in the match has no text.
    groups.push_back(matches[i].rm_so < 0
                         ? std::string()
                         : text.substr(matches[i].rm_so,
                                       matches[i].rm_eo - matches[i].rm_so));
  return groups;
}

bool Pattern::matches(std::string_view line) const {
  return find(line).has_value();
}

size_t Pattern::numGroups() const { return compiled->expression.re_nsub; }
