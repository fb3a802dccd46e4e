//===- FinalRows.cpp - Final comparisons in the tables --------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One row for what was decided, and one for each participant.
//
//===----------------------------------------------------------------------===//

#include "FinalRows.h"

#include "baco/Database/Validation.h"

#include "FinalJson.h"
#include "JsonLine.h"

#include <algorithm>
#include <limits>

using namespace baco;
using namespace baco::database;
using sqlite::Connection;
using sqlite::Statement;
using Json = nlohmann::ordered_json;

static Error corrupt(const Connection &connection, int64_t number,
                     const std::string &what) {
  return {ErrorCode::Corrupt, "database '" + connection.path() +
                                  "': final comparison " +
                                  std::to_string(number) + " " + what};
}

static std::optional<uint64_t> trialOf(const Statement &row, int column) {
  if (row.isNull(column))
    return std::nullopt;
  return static_cast<uint64_t>(row.integer(column));
}

/// A time and what belongs to it in the columns from `first`: time, spread,
/// samples.
static Outcome readTime(const Statement &row, int first, Status status) {
  Outcome outcome;
  outcome.status = status;
  outcome.timeNs = status == Status::Ok
                       ? row.real(first)
                       : std::numeric_limits<double>::quiet_NaN();
  outcome.spread = row.real(first + 1);
  outcome.numSamples =
      toSampleCount(static_cast<double>(row.integer(first + 2)));
  return outcome;
}

static bool isCredible(const Outcome &outcome) {
  return findMistake(outcome).empty();
}

static Result<std::vector<Finalist>>
readFinalists(Connection &connection, int64_t study, int64_t number) {
  Statement rows = connection.prepare(
      "SELECT trial, status, time_ns, spread, samples, message, rounds FROM "
      "finalists WHERE study = ? AND final = ? ORDER BY place");
  rows.bind(1, study).bind(2, number);
  return rows.readAll<Finalist>([&]() -> Result<Finalist> {
    std::optional<Status> status = parseStatus(rows.text(1));
    auto rounds = readRounds(parseLine(rows.text(6)));
    Finalist finalist;
    finalist.trial = trialOf(rows, 0);
    if (status)
      finalist.outcome = readTime(rows, 2, *status);
    if (!status || !rounds || !isCredible(finalist.outcome))
      return corrupt(connection, number, "has a finalist without a result");
    finalist.outcome.message = rows.text(5);
    finalist.roundsNs = std::move(*rounds);
    return finalist;
  });
}

static Result<uint64_t> countTrials(Connection &connection, int64_t study) {
  Statement row =
      connection.prepare("SELECT count(*) FROM trials WHERE study = ?");
  if (Result<bool> found = row.bind(1, study).step(); !found)
    return found.error();
  return static_cast<uint64_t>(row.integer(0));
}

/// Whether all trials that are named are among the study's.
static bool knowsTrials(const Final &final, uint64_t numTrials) {
  return (!final.winner || *final.winner < numTrials) &&
         std::all_of(final.finalists.begin(), final.finalists.end(),
                     [&](const Finalist &finalist) {
                       return !finalist.trial || *finalist.trial < numTrials;
                     });
}

Result<std::vector<Final>> database::readFinals(Connection &connection,
                                                int64_t study) {
  Result<uint64_t> numTrials = countTrials(connection, study);
  if (!numTrials)
    return numTrials.error();
  Statement rows = connection.prepare(
      "SELECT number, trials, kept, winner, confidence, plain_ns, "
      "plain_spread, plain_samples FROM finals WHERE study = ? "
      "ORDER BY number");
  rows.bind(1, study);
  return rows.readAll<Final>([&]() -> Result<Final> {
    int64_t number = rows.integer(0);
    std::optional<Kept> kept = parseKept(rows.text(2));
    if (!kept)
      return corrupt(connection, number,
                     "kept the unknown '" + rows.text(2) + "'");
    Final final;
    final.numTrials = static_cast<uint64_t>(rows.integer(1));
    final.kept = *kept;
    final.winner = trialOf(rows, 3);
    final.confidence = rows.isNull(4) ? 0 : rows.real(4);
    if (!rows.isNull(5))
      final.plain = readTime(rows, 5, Status::Ok);
    Result<std::vector<Finalist>> finalists =
        readFinalists(connection, study, number);
    if (!finalists)
      return finalists.error();
    final.finalists = std::move(*finalists);
    if (!knowsTrials(final, *numTrials))
      return corrupt(connection, number, "names a trial that does not exist");
    if (!isConsistent(final) || (final.plain && !isCredible(*final.plain)))
      return corrupt(connection, number, "contradicts itself");
    return final;
  });
}

static Statement &bindTrial(Statement &statement, int index,
                            std::optional<uint64_t> trial) {
  // Columns that aren't bound are NULL.
  return trial ? statement.bind(index, static_cast<int64_t>(*trial))
               : statement;
}

static Result<void> insertFinalist(Connection &connection, int64_t study,
                                   int64_t number, int64_t place,
                                   const Finalist &finalist) {
  Statement insert = connection.prepare(
      "INSERT INTO finalists (study, final, place, trial, status, time_ns, "
      "spread, samples, message, rounds) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, "
      "?)");
  const Outcome &outcome = finalist.outcome;
  return bindTrial(insert, 4, finalist.trial)
      .bind(1, study)
      .bind(2, number)
      .bind(3, place)
      .bind(5, statusName(outcome.status))
      .bind(6, outcome.timeNs)
      .bind(7, outcome.spread)
      .bind(8, static_cast<int64_t>(outcome.numSamples))
      .bind(9, outcome.message)
      .bind(10, Json(finalist.roundsNs).dump())
      .run();
}

static Result<void> insertFinal(Connection &connection, int64_t study,
                                int64_t number, const Final &final) {
  Statement insert = connection.prepare(
      "INSERT INTO finals (study, number, trials, kept, winner, confidence, "
      "plain_ns, plain_spread, plain_samples) VALUES (?, ?, ?, ?, ?, ?, ?, ?, "
      "?)");
  bindTrial(insert, 5, final.winner)
      .bind(1, study)
      .bind(2, number)
      .bind(3, static_cast<int64_t>(final.numTrials))
      .bind(4, keptName(final.kept));
  if (final.confidence > 0)
    insert.bind(6, final.confidence);
  if (final.plain)
    insert.bind(7, final.plain->timeNs)
        .bind(8, final.plain->spread)
        .bind(9, static_cast<int64_t>(final.plain->numSamples));
  Result<void> done = insert.run();
  for (size_t i = 0; done && i < final.finalists.size(); ++i)
    done = insertFinalist(connection, study, number, static_cast<int64_t>(i),
                          final.finalists[i]);
  return done;
}

Result<void> database::insertFinals(Connection &connection, int64_t study,
                                    const std::vector<Final> &finals) {
  Statement count = connection.prepare(
      "SELECT coalesce(max(number) + 1, 0) FROM finals WHERE study = ?");
  Result<bool> row = count.bind(1, study).step();
  if (!row)
    return row.error();
  int64_t next = count.integer(0);
  Result<void> done;
  for (size_t i = 0; done && i < finals.size(); ++i)
    done = insertFinal(connection, study, next + static_cast<int64_t>(i),
                       finals[i]);
  return done;
}
