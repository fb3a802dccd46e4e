//===- ClientEvaluator.h - Candidates of a client ---------------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The client-server protocol of BaCO's reference and of HyperMapper: requests
// for candidates go to a client, as a table, and its answer has their results.
//
//===----------------------------------------------------------------------===//

#ifndef BACO_COMMAND_CLIENTEVALUATOR_H
#define BACO_COMMAND_CLIENTEVALUATOR_H

#include "baco/Study/Evaluator.h"
#include "baco/Study/Objectives.h"
#include "baco/Study/ResultColumns.h"

#include <iosfwd>
#include <map>
#include <vector>

namespace baco::command {

/// The text of a value in the protocol, and in the reference's tables: orders
/// as
/// `(0, 2, 1)`; ordinals without fractions if none of their values has one.
std::string referenceText(const Parameter &parameter,
                          const ParameterValue &value);

/// Sends the candidates that were submitted when the first of them is waited
/// for, in one request.
class ClientEvaluator : public study::Evaluator {
public:
  /// \param objectives  those of candidates with several results, or bounds,
  ///                    in the order of `columns.results`
  ClientEvaluator(const Space &space, study::ResultColumns columns,
                  std::istream &answers, std::ostream &requests,
                  study::Objectives objectives = {})
      : space(space), columns(std::move(columns)),
        objectives(std::move(objectives)), answers(answers),
        requests(requests) {}

  /// InvalidArgument if names or values can't be cells of its tables.
  Result<void> check() const;

  Result<void> submit(uint64_t trial,
                      const Configuration &configuration) override;
  /// Corrupt, naming the line of the client, if it has no result for each
  /// candidate; IOError if the client has gone.
  Result<Outcome> wait(uint64_t trial) override;
  /// The client has no word for it: its answer is dropped.
  void cancel(uint64_t trial) override;
  std::string fingerprint() const override { return "client"; }

private:
  using Cells = std::vector<std::string>;
  Result<void> exchange();
  Result<std::string> readLine();
  Result<Outcome> readRow(const Cells &header, const std::string &line) const;
  Error wrongAnswer(const std::string &what) const;

  const Space &space;
  const study::ResultColumns columns;
  const study::Objectives objectives;
  std::istream &answers;
  std::ostream &requests;
  /// Submitted, and not sent yet.
  std::vector<std::pair<uint64_t, Configuration>> waiting;
  std::map<uint64_t, Outcome> outcomes;
  uint64_t numLines = 0;
};

} // namespace baco::command

#endif // BACO_COMMAND_CLIENTEVALUATOR_H
