//===- ResultReader.h - Results of commands ---------------------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Finds the numbers that a command has for its objectives.
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
  /// Several results are all numbers on the last line, as many groups, the
  /// first numbers in the file, or, of `json` and `json:KEY`, the members with
  /// their names; after `elapsed+`, the first one is the wall time.
  ///
  /// InvalidArgument if it is none of them.
  ///
  /// \param names  of the results; empty: there is one
  static Result<ResultReader> parse(std::string_view text, const Space &space,
                                    const std::vector<std::string> &names = {});

  /// The numbers in a run that has ended by itself. InvalidArgument, in one
  /// line, if they aren't there, or one isn't finite.
  ///
  /// \param folder  the folder of the candidate
  Result<std::vector<double>> read(const CommandEnd &end,
                                   const Configuration &configuration,
                                   const std::string &folder) const;

  /// Whether the first result is nanoseconds.
  bool isElapsed() const { return beginsElapsed || kind == Kind::Elapsed; }
  bool takesExitCode() const { return kind == Kind::ExitCode; }

  /// Makes a file with a result old, so that `read` can tell whether the
  /// command has written it.
  void prepare(const Configuration &configuration,
               const std::string &folder) const;

private:
  Result<std::vector<double>> readRest(const CommandEnd &end,
                                       const Configuration &configuration,
                                       const std::string &folder) const;

  enum class Kind { LastLine, Elapsed, Pattern, Json, File, ExitCode };

  Kind kind = Kind::LastLine;
  /// The wall time comes before the others.
  bool beginsElapsed = false;
  /// How many results there are without it; the members of a JSON object that
  /// have them.
  size_t number = 1;
  std::vector<std::string> keys;
  std::optional<Pattern> pattern;
  CommandTemplate file;
};

} // namespace baco::command

#endif // BACO_COMMAND_RESULTREADER_H
