//===- ResultReader.h - Results of commands ---------------------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Finds the number that a command has for its objective.
//
//===----------------------------------------------------------------------===//

#ifndef BACO_COMMAND_RESULTREADER_H
#define BACO_COMMAND_RESULTREADER_H

#include "baco/Command/CommandTemplate.h"
#include "baco/Command/Pattern.h"
#include "baco/Command/RunCommand.h"

namespace baco::command {

class ResultReader {
public:
  /// Reads one of these:
  ///
  /// * `last-line`: the only number on the last line of standard output that
  ///   isn't empty (`time: 1.25 s`);
  /// * `elapsed`: the wall time of the run, in nanoseconds;
  /// * `pattern:REGEX`: the first group (Pattern::find) of the last line of
  ///   standard output that matches;
  /// * `json:KEY`: a member of the last line that is a JSON object; dots lead
  ///   into members (`json:stats.time`);
  /// * `file:PATH`: the first number in a file, with places as in
  ///   CommandTemplate; numbers are separated by commas, spaces or line feeds;
  /// * `exit-code`: then no exit code is a failure.
  ///
  /// InvalidArgument if it is none of them.
  static Result<ResultReader> parse(std::string_view text, const Space &space);

  /// The number in a run that has ended by itself. InvalidArgument, in one
  /// line, if there is none, or it isn't finite.
  ///
  /// \param folder  the folder of the candidate
  Result<double> read(const CommandEnd &end, const Configuration &configuration,
                      const std::string &folder) const;

  /// Whether the results are nanoseconds.
  bool isElapsed() const { return kind == Kind::Elapsed; }
  bool takesExitCode() const { return kind == Kind::ExitCode; }

  /// Makes a file with a result old, so that `read` can tell whether the
  /// command has written it.
  void prepare(const Configuration &configuration,
               const std::string &folder) const;

private:
  enum class Kind { LastLine, Elapsed, Pattern, Json, File, ExitCode };

  Kind kind = Kind::LastLine;
  /// The key, or the name of the file.
  std::string argument;
  std::optional<Pattern> pattern;
  CommandTemplate file;
};

} // namespace baco::command

#endif // BACO_COMMAND_RESULTREADER_H
