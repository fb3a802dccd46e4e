//===- Pattern.h - Regular expressions on lines -----------------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BACO_COMMAND_PATTERN_H
#define BACO_COMMAND_PATTERN_H

#include "baco/Support/Result.h"

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace baco::command {

/// An extended regular expression of POSIX without back-references, compiled.
/// No line of more than 4096 bytes matches.
class Pattern {
public:
  /// InvalidArgument with the library's reason.
  static Result<Pattern> compile(const std::string &text);

  bool matches(std::string_view line) const;
  /// The texts of the first `number` groups in the first match; that of the
  /// match if the expression has no group. Nothing if there is no match.
  ///
  /// \param number  at least 1
  std::optional<std::vector<std::string>> find(std::string_view line,
                                               size_t number = 1) const;

  /// How many groups the expression has.
  size_t numGroups() const;

  const std::string &text() const { return source; }

private:
  struct Compiled;
  std::shared_ptr<const Compiled> compiled;
  std::string source;
};

} // namespace baco::command

#endif // BACO_COMMAND_PATTERN_H
