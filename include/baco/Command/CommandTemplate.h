//===- CommandTemplate.h - Command lines with parameters --------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// `./app --tile={tile}` is a command line for /bin/sh in which each candidate
// has its own values. They stay data: a text isn't part of the line that the
// shell reads, but of a variable, so that whatever is in it is no command.
//
//===----------------------------------------------------------------------===//

#ifndef BACO_COMMAND_COMMANDTEMPLATE_H
#define BACO_COMMAND_COMMANDTEMPLATE_H

#include "baco/Space/Space.h"

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace baco::command {

/// A value as commands get it: numbers as they are printed, texts as they are,
/// true and false as 1 and 0, orders as `2,0,1`.
std::string valueText(const ParameterValue &value);

/// The environment variable with the value of a parameter: BACO_PARAM_ and its
/// name, with `_` for what isn't a letter or a digit, as shells drop variables
/// with other names.
std::string variableName(std::string_view parameter);

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

  /// The line of a candidate, for the shell: numbers are in it, and texts are
  /// in `variables`.
  std::string lineOf(const Configuration &configuration) const;
  /// The environment that the line reads.
  ///
  /// \param folder  replaces `{dir}`
  std::vector<std::pair<std::string, std::string>>
  variables(const Configuration &configuration,
            const std::string &folder) const;

  /// The line with all values in it, quoted: for people, who copy it.
  std::string expand(const Configuration &configuration,
                     const std::string &folder) const;

  /// The same without quoting, for what no shell reads.
  std::string expandPlainly(const Configuration &configuration,
                            const std::string &folder) const;

  /// Whether `{dir}` is behind a command substitution, where a folder whose
  /// name has characters that mean something to a shell may become several
  /// words.
  bool needsPlainFolder() const { return hasInnerFolder; }

private:
  enum class Quotes { None, Single, Double };
  /// Text of the line, and what follows it.
  struct Piece {
    std::string text;
    /// The index of a parameter; nothing: the folder, or the end of the line.
    std::optional<size_t> parameter;
    /// Its values are texts.
    bool isText = false;
    /// Digits would be the number of a descriptor.
    bool isBeforeRedirection = false;
    bool isFolder = false;
    Quotes quotes = Quotes::None;
  };
  class Parser;

  static std::string quote(const std::string &value, Quotes quotes,
                           bool isForced);
  static std::string readVariable(const std::string &name, Quotes quotes);
  std::string expand(const Configuration &configuration,
                     const std::string &folder, bool isQuoted) const;

  std::vector<Piece> pieces;
  bool hasInnerFolder = false;
};

/// Whether a shell takes `text` for one word, whatever is around it.
bool isPlainWord(std::string_view text);

} // namespace baco::command

#endif // BACO_COMMAND_COMMANDTEMPLATE_H
