//===- LiveReport.h - The report of a search at work ------------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Serves the page of writeReportPage to browsers on this machine, which follow
// the database while a tuner writes it.
//
//===----------------------------------------------------------------------===//

#ifndef BACO_STUDYREPORT_LIVEREPORT_H
#define BACO_STUDYREPORT_LIVEREPORT_H

#include "baco/Support/Result.h"

#include <cstdint>
#include <memory>
#include <string>

namespace baco::studyreport {

/// Answers on the loopback interface only, and only who knows a token that is
/// drawn anew each time. Its threads never write the database.
class LiveReport {
public:
  /// \param database  need not be there yet, nor have a study
  /// \param port      0: one that is free
  ///
  /// Unsupported if this build has no server or no library of plots; IOError if
  /// the port is taken.
  static Result<std::unique_ptr<LiveReport>> start(const std::string &database,
                                                   uint16_t port);

  /// Tells the browsers that the search has ended, waits up to three seconds
  /// until they have fetched the last facts, and closes the port.
  ~LiveReport();

  /// The address to open; its path is the token.
  const std::string &url() const { return address; }

private:
  struct Server;
  explicit LiveReport(std::unique_ptr<Server> server);

  std::unique_ptr<Server> server;
  std::string address;
};

} // namespace baco::studyreport

#endif // BACO_STUDYREPORT_LIVEREPORT_H
