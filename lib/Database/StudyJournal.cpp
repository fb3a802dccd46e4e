//===- StudyJournal.cpp - The trials of one study -------------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One statement per call, each its own transaction: when a call returns, its
// change is committed.
//
//===----------------------------------------------------------------------===//

#include "JournalImpl.h"
#include "MetricsJson.h"
#include "Schema.h"
#include "TrialRows.h"

#include "baco/Database/Validation.h"

using namespace baco;
using namespace baco::database;
using sqlite::Connection;
using sqlite::Statement;

std::optional<FileIdentity> database::identify(const std::string &path) {
  struct stat file;
  if (stat(path.c_str(), &file) != 0)
    return std::nullopt;
  return FileIdentity{file.st_dev, file.st_ino};
}

void StudyJournal::Impl::checkFile() const {
  if (identify(connection->path()) != file)
    fail({ErrorCode::IOError, "database '" + connection->path() +
                                  "' was deleted or replaced while it was in "
                                  "use: further results would be lost"});
}

/// Runs a statement whose one parameter is a study's id.
void database::runForStudy(Connection &connection, const char *sql,
                           int64_t study) {
  Statement statement = connection.prepare(sql);
  statement.bind(1, study).run();
}

/// Deletes all rows of a study.
void database::removeContents(Connection &connection, int64_t study) {
  for (const char *sql : {"DELETE FROM finalists WHERE study = ?",
                          "DELETE FROM finals WHERE study = ?",
                          "DELETE FROM trials WHERE study = ?"})
    runForStudy(connection, sql, study);
}

StudyJournal::StudyJournal(std::unique_ptr<Impl> impl)
    : impl(std::move(impl)) {}
StudyJournal::StudyJournal(StudyJournal &&) noexcept = default;
StudyJournal &StudyJournal::operator=(StudyJournal &&) noexcept = default;
StudyJournal::~StudyJournal() = default;

Result<void> StudyJournal::markUsed() {
  return attempt([&] {
    impl->checkFile();
    runForStudy(*impl->connection,
                "UPDATE studies SET used = strftime('%Y-%m-%dT%H:%M:%SZ', "
                "'now') WHERE id = ?",
                impl->study);
  });
}

Result<void> StudyJournal::setMetadata(const std::string &metadata) {
  return attempt([&] {
    impl->checkFile();
    impl->connection->prepare("UPDATE studies SET metadata = ? WHERE id = ?")
        .bind(1, metadata)
        .bind(2, impl->study)
        .run();
  });
}

Result<std::vector<Trial>> StudyJournal::trials() const {
  return attempt(
      [&] { return readTrials(*impl->connection, impl->study, usageVersion); });
}

Result<std::vector<Final>> StudyJournal::finals() const {
  return attempt([&] { return readFinals(*impl->connection, impl->study); });
}

/// Refuses records that the reader would refuse.
template <typename Record>
static void checkRecord(uint64_t number, const Record &record) {
  if (std::string wrong = findMistake(record); !wrong.empty())
    fail({ErrorCode::InvalidArgument,
          "trial " + std::to_string(number) + ": " + wrong});
}

Result<void> StudyJournal::recordAsk(const Trial &trial) {
  return attempt([&] {
    impl->checkFile();
    checkRecord(trial.number, trial);
    impl->connection
        ->prepare("INSERT INTO trials (study, number, configuration, state) "
                  "VALUES (?, ?, ?, ?)")
        .bind(1, impl->study)
        .bind(2, static_cast<int64_t>(trial.number))
        .bind(3, trial.configuration)
        .bind(4, trial.state)
        .run();
  });
}

Result<void> StudyJournal::recordOutcome(uint64_t number,
                                         const Outcome &outcome) {
  return attempt([&] {
    impl->checkFile();
    checkRecord(number, outcome);
    Statement update = impl->connection->prepare(
        "UPDATE trials SET status = ?, time_ns = ?, spread = ?, samples = ?, "
        "compile_ns = ?, run_ns = ?, message = ?, narrow_miss = ?, "
        "registers = ?11, spill_bytes = ?12, shared_bytes = ?13, "
        "stack_bytes = ?14, pack_ns = ?15, metrics = ?16, usage = ?17, "
        "cost_beyond_limits = ?18 "
        "WHERE study = ?9 AND number = ?10 AND (status IS NULL OR status = "
        "'lost')");
    // Unbound parameters are NULL.
    if (const auto &resources = outcome.resources)
      update.bind(11, resources->registers)
          .bind(12, resources->spillBytes)
          .bind(13, resources->sharedBytes)
          .bind(14, resources->stackBytes);
    if (!outcome.metrics.empty())
      update.bind(16, printJson(writeMetrics(outcome.metrics)));
    if (!outcome.usage.empty())
      update.bind(17, printJson(outcome.usage));
    if (outcome.costBeyondLimits > 0)
      update.bind(18, outcome.costBeyondLimits);
    update.bind(1, statusName(outcome.status))
        .bind(2, outcome.timeNs)
        .bind(3, outcome.spread)
        .bind(4, static_cast<int64_t>(outcome.numSamples))
        .bind(5, outcome.compileNs)
        .bind(6, outcome.runNs)
        .bind(7, outcome.message)
        .bind(8, outcome.narrowMiss)
        .bind(9, impl->study)
        .bind(10, static_cast<int64_t>(number))
        .bind(15, outcome.packNs)
        .run();
    if (impl->connection->changes() != 1)
      fail({ErrorCode::InvalidArgument,
            "database '" + impl->connection->path() + "': trial " +
                std::to_string(number) + " is not pending"});
  });
}

Result<void> StudyJournal::recordFailure(uint64_t number,
                                         const Outcome &failure) {
  return attempt([&] {
    impl->checkFile();
    Statement update = impl->connection->prepare(
        "UPDATE trials SET final_status = ?, final_message = ? WHERE study = ? "
        "AND number = ? AND status = 'ok' AND final_status IS NULL");
    update.bind(1, statusName(failure.status))
        .bind(2, failure.message)
        .bind(3, impl->study)
        .bind(4, static_cast<int64_t>(number))
        .run();
    if (impl->connection->changes() != 1)
      fail({ErrorCode::InvalidArgument,
            "database '" + impl->connection->path() + "': trial " +
                std::to_string(number) + " is not one with the status 'ok'"});
  });
}

Result<void> StudyJournal::recordFinal(const Final &final) {
  Connection &connection = *impl->connection;
  return attempt([&] {
    impl->checkFile();
    sqlite::inTransaction(connection, "BEGIN IMMEDIATE", [&] {
      insertFinals(connection, impl->study, {final});
    });
  });
}

Result<void> StudyJournal::replaceTrials(const std::vector<Trial> &trials,
                                         const std::vector<Final> &finals) {
  for (size_t i = 0; i < trials.size(); ++i)
    if (trials[i].number != i)
      return {ErrorCode::InvalidArgument,
              "trial " + std::to_string(i) + " of a study is missing"};
  Connection &connection = *impl->connection;
  return attempt([&] {
    sqlite::inTransaction(connection, "BEGIN IMMEDIATE", [&] {
      removeContents(connection, impl->study);
      need(markUsed());
      for (const Trial &trial : trials) {
        need(recordAsk(trial));
        if (trial.outcome)
          need(recordOutcome(trial.number, *trial.outcome));
        if (trial.failure)
          need(recordFailure(trial.number, *trial.failure));
      }
      insertFinals(connection, impl->study, finals);
    });
  });
}
