//===- TrialRows.cpp - Trials as rows -------------------------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TrialRows.h"

#include "JsonLine.h"
#include "MetricsJson.h"
#include "Schema.h"

#include "baco/Database/Validation.h"

#include <limits>

using namespace baco;
using namespace baco::database;
using sqlite::Connection;
using sqlite::Statement;

/// The outcome in the columns from `first`: status, time_ns, spread, samples,
/// compile_ns, run_ns, message. Nullopt if its status is unknown.
static std::optional<Outcome> readOutcome(const Statement &row, int first) {
  std::optional<Status> status = parseStatus(row.text(first));
  if (!status)
    return std::nullopt;
  Outcome outcome;
  outcome.status = *status;
  outcome.timeNs = *status == Status::Ok
                       ? row.real(first + 1)
                       : std::numeric_limits<double>::quiet_NaN();
  outcome.spread = row.real(first + 2);
  outcome.numSamples =
      toSampleCount(static_cast<double>(row.integer(first + 3)));
  outcome.compileNs = row.real(first + 4);
  outcome.runNs = row.real(first + 5);
  outcome.message = row.text(first + 6);
  return outcome;
}

/// Whether the other columns of the outcome are NULL too, if the status is.
static bool isPending(const Statement &row, int first) {
  for (int column = first + 1; column < first + 7; ++column)
    if (!row.isNull(column))
      return false;
  return true;
}

/// The failure in a final comparison, in the columns from `first`: status and
/// message. Nullopt if the status is none of a failure.
static std::optional<Outcome> readFailure(const Statement &row, int first) {
  std::optional<Status> status = parseStatus(row.text(first));
  if (!status || !isFailure(*status))
    return std::nullopt;
  Outcome failure;
  failure.status = *status;
  failure.timeNs = std::numeric_limits<double>::quiet_NaN();
  failure.message = row.text(first + 1);
  return failure;
}

std::vector<Trial> database::readTrials(Connection &connection, int64_t study,
                                        int64_t version) {
  std::string columns =
      "SELECT number, configuration, state, status, time_ns, spread, samples, "
      "compile_ns, run_ns, message, ";
  columns +=
      version >= finalsVersion ? "final_status, final_message" : "NULL, NULL";
  columns += version >= narrowMissVersion ? ", narrow_miss" : ", NULL";
  columns += version >= resourcesVersion
                 ? ", registers, spill_bytes, shared_bytes, stack_bytes"
                 : ", NULL, NULL, NULL, NULL";
  columns += version >= packTimeVersion ? ", pack_ns" : ", NULL";
  columns += version >= metricsVersion ? ", metrics" : ", NULL";
  columns +=
      version >= usageVersion ? ", usage, cost_beyond_limits" : ", NULL, NULL";
  columns += " FROM trials WHERE study = ? ORDER BY number";
  Statement rows = connection.prepare(columns.c_str());
  rows.bind(1, study);
  uint64_t count = 0;
  return rows.readAll<Trial>([&] {
    auto corrupt = [&](uint64_t number, const std::string &what) {
      fail({ErrorCode::Corrupt, "database '" + connection.path() + "': trial " +
                                    std::to_string(number) + what});
    };
    Trial trial;
    trial.number = static_cast<uint64_t>(rows.integer(0));
    trial.configuration = rows.text(1);
    trial.state = rows.text(2);
    if (!rows.isNull(3)) {
      trial.outcome = readOutcome(rows, 3);
      if (!trial.outcome)
        corrupt(trial.number, " has the unknown status '" + rows.text(3) + "'");
      if (!rows.isNull(12))
        trial.outcome->narrowMiss = rows.real(12);
      if (!rows.isNull(13))
        trial.outcome->resources =
            KernelResources{rows.integer(13), rows.integer(14),
                            rows.integer(15), rows.integer(16)};
      if (!rows.isNull(17))
        trial.outcome->packNs = rows.real(17);
      if (!rows.isNull(18)) {
        auto metrics = readMetrics(parseLine(rows.text(18)));
        if (!metrics)
          corrupt(trial.number, " has no numbers in 'metrics'");
        trial.outcome->metrics = std::move(*metrics);
      }
      if (!rows.isNull(19)) {
        auto usage = readNumbers(parseLine(rows.text(19)));
        if (!usage)
          corrupt(trial.number, " has no numbers in 'usage'");
        trial.outcome->usage = std::move(*usage);
      }
      if (!rows.isNull(20))
        trial.outcome->costBeyondLimits = rows.real(20);
    } else if (!isPending(rows, 3)) {
      corrupt(trial.number, " has no status, but other results");
    }
    if (!rows.isNull(10)) {
      trial.failure = readFailure(rows, 10);
      if (!trial.failure || !trial.outcome ||
          trial.outcome->status != Status::Ok)
        corrupt(trial.number, " can't have failed in a final comparison as '" +
                                  rows.text(10) + "'");
    }
    if (trial.number != count)
      corrupt(count, " of a study is missing");
    if (std::string wrong = findMistake(trial); !wrong.empty())
      corrupt(trial.number, ": " + wrong);
    ++count;
    return trial;
  });
}
