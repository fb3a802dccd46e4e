//===- StudyServer.h - Ask and tell as lines of JSON ------------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A study as a service for any language: each line that a client sends is a
// request, a JSON object, and gets one line back. docs/Programs.md has the
// protocol.
//
//===----------------------------------------------------------------------===//

#ifndef BACO_COMMAND_STUDYSERVER_H
#define BACO_COMMAND_STUDYSERVER_H

#include "baco/Study/AskTell.h"
#include "baco/Support/Json.h"

#include <atomic>
#include <map>

namespace baco::command {

/// The number that the first line for each client has. Changes when clients
/// would have to.
inline constexpr int serverProtocol = 1;

/// Longer lines are no requests.
inline constexpr size_t maxRequestBytes = size_t{1} << 20;

/// Answers requests, without doing any input or output of its own.
class StudyServer {
public:
  /// \param budget  how many candidates are given out, those of earlier runs
  ///                included
  StudyServer(study::AskTell &study, uint64_t budget)
      : study(study), budget(budget) {}

  /// The first line for a client, without a line feed.
  std::string greet() const;

  /// The answer to a request, on one line without a line feed. Mistakes in it
  /// are answers, too; an error is one of the journal.
  Result<std::string> answer(uint64_t client, std::string_view request);

  /// Lets others have the candidates that a client was given, and never told.
  void leave(uint64_t client);

  /// Whether a client has asked the service to end.
  bool isOver() const { return over; }

private:
  struct Request;
  Result<Json> dispatch(uint64_t client, const Request &request);
  Result<Json> ask(uint64_t client);
  Result<Json> tell(const Request &request);
  std::optional<std::vector<double>> resultsOf(const Request &request) const;
  Json describeBest() const;

  study::AskTell &study;
  uint64_t budget;
  /// Clients by the pending trials that they have.
  std::map<uint64_t, uint64_t> owners;
  bool over = false;
};

/// Serves clients until one says `quit`, `stop` becomes true, or, without a
/// socket, standard input ends.
///
/// \param socketPath  a Unix socket that is made here, for this user only, and
///                    removed at the end; empty: standard input and output
/// IOError if the socket can't be made, or if there is one that another service
/// has.
Result<void> serveStudy(StudyServer &server, const std::string &socketPath,
                        const std::atomic<bool> *stop);

} // namespace baco::command

#endif // BACO_COMMAND_STUDYSERVER_H
