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

#include "TrialRows.h"

#include "baco/Database/Validation.h"

#include "JsonLine.h"

#include <algorithm>
#include <limits>

using namespace baco;
using namespace baco::database;
using sqlite::Connection;
using sqlite::Statement;

[[noreturn]] static void corruptFinal(const Connection &connection,
                                      int64_t number, const std::string &what) {
  fail({ErrorCode::Corrupt, "database '" + connection.path() +
                                "': final comparison " +
                                std::to_string(number) + " " + what});
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

static std::vector<Finalist> readFinalists(Connection &connection,
                                           int64_t study, int64_t number) {
  Statement rows = connection.prepare(
      "SELECT trial, status, time_ns, spread, samples, message, rounds FROM "
      "finalists WHERE study = ? AND final = ? ORDER BY place");
  rows.bind(1, study).bind(2, number);
  return rows.readAll<Finalist>([&] {
    std::optional<Status> status = parseStatus(rows.text(1));
    auto rounds = readRounds(parseLine(rows.text(6)));
    Finalist finalist;
    finalist.trial = trialOf(rows, 0);
    if (status)
      finalist.outcome = readTime(rows, 2, *status);
    if (!status || !rounds || !isCredible(finalist.outcome))
      corruptFinal(connection, number, "has a finalist without a result");
    finalist.outcome.message = rows.text(5);
    finalist.roundsNs = std::move(*rounds);
    return finalist;
  });
}

static uint64_t countTrials(Connection &connection, int64_t study) {
  Statement row =
      connection.prepare("SELECT count(*) FROM trials WHERE study = ?");
  row.bind(1, study).step();
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

std::vector<Final> database::readFinals(Connection &connection, int64_t study) {
  uint64_t numTrials = countTrials(connection, study);
  Statement rows = connection.prepare(
      "SELECT number, trials, kept, winner, confidence, plain_ns, "
      "plain_spread, plain_samples FROM finals WHERE study = ? "
      "ORDER BY number");
  rows.bind(1, study);
  return rows.readAll<Final>([&] {
    int64_t number = rows.integer(0);
    std::optional<Kept> kept = parseKept(rows.text(2));
    if (!kept)
      corruptFinal(connection, number,
                   "kept the unknown '" + rows.text(2) + "'");
    Final final;
    final.numTrials = static_cast<uint64_t>(rows.integer(1));
    final.kept = *kept;
    final.winner = trialOf(rows, 3);
    final.confidence = rows.isNull(4) ? 0 : rows.real(4);
    if (!rows.isNull(5))
      final.plain = readTime(rows, 5, Status::Ok);
    final.finalists = readFinalists(connection, study, number);
    if (!knowsTrials(final, numTrials))
      corruptFinal(connection, number, "names a trial that does not exist");
    if (!isConsistent(final) || (final.plain && !isCredible(*final.plain)))
      corruptFinal(connection, number, "contradicts itself");
    return final;
  });
}

static Statement &bindTrial(Statement &statement, int index,
                            std::optional<uint64_t> trial) {
  // Columns that aren't bound are NULL.
  return trial ? statement.bind(index, static_cast<int64_t>(*trial))
               : statement;
}

static void insertFinalist(Connection &connection, int64_t study,
                           int64_t number, int64_t place,
                           const Finalist &finalist) {
  Statement insert = connection.prepare(
      "INSERT INTO finalists (study, final, place, trial, status, time_ns, "
      "spread, samples, message, rounds) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, "
      "?)");
  const Outcome &outcome = finalist.outcome;
  bindTrial(insert, 4, finalist.trial)
      .bind(1, study)
      .bind(2, number)
      .bind(3, place)
      .bind(5, statusName(outcome.status))
      .bind(6, outcome.timeNs)
      .bind(7, outcome.spread)
      .bind(8, static_cast<int64_t>(outcome.numSamples))
      .bind(9, outcome.message)
      .bind(10, printJson(Json(finalist.roundsNs)))
      .run();
}

static void insertFinal(Connection &connection, int64_t study, int64_t number,
                        const Final &final) {
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
  insert.run();
  for (size_t i = 0; i < final.finalists.size(); ++i)
    insertFinalist(connection, study, number, static_cast<int64_t>(i),
                   final.finalists[i]);
}

void database::insertFinals(Connection &connection, int64_t study,
                            const std::vector<Final> &finals) {
  Statement count = connection.prepare(
      "SELECT coalesce(max(number) + 1, 0) FROM finals WHERE study = ?");
  count.bind(1, study).step();
  int64_t next = count.integer(0);
  for (const Final &final : finals)
    insertFinal(connection, study, next++, final);
}
