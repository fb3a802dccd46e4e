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

std::optional<std::string> Pattern::find(std::string_view line) const {
  constexpr size_t maxLength = 4096;
  if (line.size() > maxLength)
    return std::nullopt;
  std::string text(line);
  // The library's texts end at such a byte.
  std::ranges::replace(text, '\0', ' ');
  regmatch_t matches[2];
  if (regexec(&compiled->expression, text.c_str(), 2, matches, 0) != 0)
    return std::nullopt;
  regmatch_t found = compiled->expression.re_nsub > 0 ? matches[1] : matches[0];
  // A group that took no part in the match has no text.
  if (found.rm_so < 0)
    return std::string();
  return text.substr(found.rm_so, found.rm_eo - found.rm_so);
}

bool Pattern::matches(std::string_view line) const {
  return find(line).has_value();
}
