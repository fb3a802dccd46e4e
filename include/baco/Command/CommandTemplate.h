//===- CommandTemplate.h - Command lines with parameters --------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// `./app --tile={tile}` is a command line for /bin/sh in which each candidate
// has its own values. They stay data: a value with characters that mean
// something to a shell is quoted as its place in the line asks for.
//
//===----------------------------------------------------------------------===//

#ifndef BACO_COMMAND_COMMANDTEMPLATE_H
#define BACO_COMMAND_COMMANDTEMPLATE_H

#include "baco/Space/Space.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace baco::command {

/// A value as commands get it: numbers as they are printed, texts as they are,
/// true and false as 1 and 0, orders as `2,0,1`.
std::string valueText(const Value &value);

class CommandTemplate {
public:
  /// Reads a line in which `{NAME}` is the value of a parameter, and `{dir}`
  /// the folder of the candidate, unless a parameter has that name. `${NAME}`,
  /// and braces around anything but a name, are the shell's. InvalidArgument,
  /// naming the place, if there is no such parameter, or if its values are
  /// texts that a shell could take for more than a word and the place is behind
  /// a command substitution, where no quoting is safe. Comments stay as they
  /// are.
  static Result<CommandTemplate> parse(std::string_view line,
                                       const Space &space);

  /// The line of a candidate.
  ///
  /// \param folder  replaces `{dir}`
  std::string expand(const Configuration &configuration,
                     const std::string &folder) const;

  /// The same without quoting, for what no shell reads.
  std::string expandPlainly(const Configuration &configuration,
                            const std::string &folder) const;

  const std::string &text() const { return line; }

private:
  enum class Quotes { None, Single, Double };
  /// Text of the line, and what follows it.
  struct Piece {
    std::string text;
    /// The index of a parameter; nothing: the folder, or the end of the line.
    std::optional<size_t> parameter;
    bool isFolder = false;
    Quotes quotes = Quotes::None;
  };
  class Parser;

  static std::string quote(const std::string &value, Quotes quotes);
  std::string expand(const Configuration &configuration,
                     const std::string &folder, bool isQuoted) const;

  std::string line;
  std::vector<Piece> pieces;
};

} // namespace baco::command

#endif // BACO_COMMAND_COMMANDTEMPLATE_H
