//===- Journal.cpp - Trials that survive the process ----------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One statement per call, each its own transaction: what a call has returned
// from is committed.
//
//===----------------------------------------------------------------------===//

#include "baco/Database/Journal.h"

#include "baco/Database/FileLock.h"
#include "baco/Database/Validation.h"

#include "FinalRows.h"
#include "Schema.h"
#include "Sqlite.h"

#include <cerrno>
#include <filesystem>
#include <limits>
#include <sys/stat.h>

using namespace baco;
using namespace baco::database;
using sqlite::Access;
using sqlite::Connection;
using sqlite::Statement;

struct Journal::Impl {
  std::shared_ptr<Connection> connection;
  /// Of the schema: an earlier one in old files that are only read.
  int64_t version = finalsVersion;
};

namespace {
/// Which file a name stands for.
struct FileIdentity {
  dev_t device = 0;
  ino_t inode = 0;
  bool operator==(const FileIdentity &) const = default;
};
} // namespace

/// Nullopt if there is none.
static std::optional<FileIdentity> identify(const std::string &path) {
  struct stat file;
  if (stat(path.c_str(), &file) != 0)
    return std::nullopt;
  return FileIdentity{file.st_dev, file.st_ino};
}

struct StudyJournal::Impl {
  std::shared_ptr<Connection> connection;
  int64_t study;
  FileLock lock;
  std::optional<FileIdentity> file;

  /// A file without a name takes what is written, and is gone with the process.
  Result<void> checkFile() const {
    if (identify(connection->path()) == file)
      return {};
    return {ErrorCode::IOError,
            "database '" + connection->path() +
                "' was deleted or replaced while it was in use: what would be "
                "written to it now would be lost"};
  }
};

//===----------------------------------------------------------------------===//
// Reading
//===----------------------------------------------------------------------===//

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

/// Whether a row without a status has nothing else of an outcome.
static bool isPending(const Statement &row, int first) {
  for (int column = first + 1; column < first + 7; ++column)
    if (!row.isNull(column))
      return false;
  return true;
}

/// What went wrong in a final comparison, in the columns from `first`: status
/// and message. Nullopt if the status is none of a failure.
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

static Result<std::vector<Trial>> readTrials(Connection &connection,
                                             int64_t study, int64_t version) {
  std::string columns =
      "SELECT number, configuration, state, status, time_ns, spread, samples, "
      "compile_ns, run_ns, message, ";
  columns +=
      version >= finalsVersion ? "final_status, final_message" : "NULL, NULL";
  columns += " FROM trials WHERE study = ? ORDER BY number";
  Result<Statement> rows = connection.prepare(columns.c_str());
  if (!rows)
    return rows.error();
  rows->bind(1, study);
  std::vector<Trial> trials;
  while (true) {
    Result<bool> row = rows->step();
    if (!row)
      return row.error();
    if (!*row)
      return trials;
    Trial trial;
    trial.number = static_cast<uint64_t>(rows->integer(0));
    trial.configuration = rows->text(1);
    trial.state = rows->text(2);
    if (!rows->isNull(3)) {
      trial.outcome = readOutcome(*rows, 3);
      if (!trial.outcome)
        return Error{ErrorCode::Corrupt,
                     "database '" + connection.path() + "': trial " +
                         std::to_string(trial.number) +
                         " has the unknown status '" + rows->text(3) + "'"};
    } else if (!isPending(*rows, 3)) {
      return Error{ErrorCode::Corrupt, "database '" + connection.path() +
                                           "': trial " +
                                           std::to_string(trial.number) +
                                           " has no status, but other results"};
    }
    if (!rows->isNull(10)) {
      trial.failure = readFailure(*rows, 10);
      if (!trial.failure || !trial.outcome ||
          trial.outcome->status != Status::Ok)
        return Error{ErrorCode::Corrupt,
                     "database '" + connection.path() + "': trial " +
                         std::to_string(trial.number) +
                         " can't have failed in a final comparison as '" +
                         rows->text(10) + "'"};
    }
    if (trial.number != trials.size())
      return Error{ErrorCode::Corrupt, "database '" + connection.path() +
                                           "': trial " +
                                           std::to_string(trials.size()) +
                                           " of a study is missing"};
    if (std::string wrong = findMistake(trial); !wrong.empty())
      return Error{ErrorCode::Corrupt,
                   "database '" + connection.path() + "': trial " +
                       std::to_string(trial.number) + ": " + wrong};
    trials.push_back(std::move(trial));
  }
}

/// The id and space of the study with a key; nullopt if there is none.
static Result<std::optional<std::pair<int64_t, std::string>>>
findStudy(Connection &connection, std::string_view key) {
  Result<Statement> row =
      connection.prepare("SELECT id, space FROM studies WHERE key = ?");
  if (!row)
    return row.error();
  Result<bool> found = row->bind(1, key).step();
  if (!found)
    return found.error();
  if (!*found)
    return std::optional<std::pair<int64_t, std::string>>();
  return std::optional(std::pair(row->integer(0), row->text(1)));
}

static Error noStudy(const Connection &connection, std::string_view key) {
  return {ErrorCode::NotFound, "database '" + connection.path() +
                                   "' has no study with the key '" +
                                   std::string(key) + "'"};
}

//===----------------------------------------------------------------------===//
// Journal
//===----------------------------------------------------------------------===//

Journal::Journal(std::unique_ptr<Impl> impl) : impl(std::move(impl)) {}
Journal::Journal(Journal &&) noexcept = default;
Journal &Journal::operator=(Journal &&) noexcept = default;
Journal::~Journal() = default;

/// Reads everything in the database at `path`.
static Result<void> readAll(const std::string &path) {
  Result<Journal> reader = Journal::openReadOnly(path);
  if (!reader)
    return reader.error();
  Result<std::vector<StudyInfo>> studies = reader->studies();
  if (!studies)
    return studies.error();
  for (const StudyInfo &study : *studies) {
    if (Result<std::vector<Trial>> trials = reader->trials(study.key); !trials)
      return trials.error();
    if (Result<std::vector<Final>> finals = reader->finals(study.key); !finals)
      return finals.error();
  }
  return {};
}

/// What tells whether somebody has written to a file or its log.
static std::vector<int64_t> stampOf(const std::string &path) {
  std::vector<int64_t> stamp;
  for (const std::string &name : {path, path + "-wal"}) {
    struct stat file {};
    bool isThere = stat(name.c_str(), &file) == 0;
    stamp.insert(stamp.end(), {isThere, file.st_size, file.st_mtim.tv_sec,
                               file.st_mtim.tv_nsec});
  }
  return stamp;
}

/// Whether what there is at `path` may be opened for writing. SQLite changes
/// files, or those beside them, by that, and what is refused must stay as it
/// is; so everything in it is read first. Success if there is nothing, or if it
/// can't be read: opening it says why.
static Result<void> checkContents(const std::string &path) {
  std::error_code missing;
  if (std::filesystem::file_size(path, missing) == 0 || missing)
    return {};
  // Another process may close the file while it is read without a lock.
  constexpr int maxAttempts = 10;
  for (int attempt = 1;; ++attempt) {
    std::vector<int64_t> before = stampOf(path);
    Result<void> read = readAll(path);
    if (read || (read.error().code != ErrorCode::Corrupt &&
                 read.error().code != ErrorCode::Unsupported))
      return {};
    if (attempt == maxAttempts || stampOf(path) == before)
      return read;
  }
}

Result<Journal> Journal::open(const std::string &path) {
  if (Result<void> checked = checkContents(path); !checked)
    return checked.error();
  auto connection = Connection::open(path, Access::ReadWrite);
  if (!connection)
    return connection.error();
  if (Result<void> ready = prepareForWriting(**connection); !ready)
    return ready.error();
  return Journal(std::make_unique<Impl>(Impl{std::move(*connection)}));
}

/// Whether the database was closed properly, so that everything is in the file
/// itself. SQLite can then be told that nobody will change it, and reads it
/// where nothing can be written, and without files of its own beside it, which
/// would stay, and might keep others from writing. A tuner that begins
/// meanwhile writes to its log first.
static bool hasNoLog(const std::string &path) {
  struct stat log;
  return stat((path + "-wal").c_str(), &log) != 0 && errno == ENOENT;
}

Result<Journal> Journal::openReadOnly(const std::string &path) {
  Error error{ErrorCode::IOError, ""};
  for (Access access : {Access::Immutable, Access::ReadOnly}) {
    if (access == Access::Immutable && !hasNoLog(path))
      continue;
    auto connection = Connection::open(path, access);
    Result<int64_t> version =
        connection ? checkSchema(**connection) : connection.error();
    if (version)
      return Journal(
          std::make_unique<Impl>(Impl{std::move(*connection), *version}));
    error = version.error();
    if (error.code != ErrorCode::IOError)
      break;
  }
  return error;
}

Result<std::vector<StudyInfo>> Journal::studies() const {
  Result<Statement> rows = impl->connection->prepare(
      impl->version >= 2
          ? "SELECT key, name, space, metadata, created, used "
            "FROM studies ORDER BY id"
          : "SELECT key, name, space, metadata, created, created "
            "FROM studies ORDER BY id");
  if (!rows)
    return rows.error();
  std::vector<StudyInfo> studies;
  while (true) {
    Result<bool> row = rows->step();
    if (!row)
      return row.error();
    if (!*row)
      return studies;
    studies.push_back({rows->text(0), rows->text(1), rows->text(2),
                       rows->text(3), rows->text(4), rows->text(5)});
  }
}

Result<std::vector<Trial>> Journal::trials(std::string_view key) const {
  auto study = findStudy(*impl->connection, key);
  if (!study)
    return study.error();
  if (!*study)
    return noStudy(*impl->connection, key);
  return readTrials(*impl->connection, (*study)->first, impl->version);
}

Result<std::vector<Final>> Journal::finals(std::string_view key) const {
  auto study = findStudy(*impl->connection, key);
  if (!study)
    return study.error();
  if (!*study)
    return noStudy(*impl->connection, key);
  if (impl->version < finalsVersion)
    return std::vector<Final>();
  return readFinals(*impl->connection, (*study)->first);
}

static Result<void> insertStudy(Connection &connection, const StudyInfo &info) {
  Result<Statement> insert = connection.prepare(
      "INSERT INTO studies (key, name, space, metadata, created, used) "
      "VALUES (?, ?, ?, ?, coalesce(nullif(?, ''), "
      "strftime('%Y-%m-%dT%H:%M:%SZ', 'now')), "
      "strftime('%Y-%m-%dT%H:%M:%SZ', 'now')) "
      "ON CONFLICT (key) DO NOTHING");
  if (!insert)
    return insert.error();
  return insert->bind(1, info.key)
      .bind(2, info.name)
      .bind(3, info.space)
      .bind(4, info.metadata)
      .bind(5, info.created)
      .run();
}

/// Keeps others from changing a study.
static Result<FileLock> lockStudy(const Connection &connection, int64_t id,
                                  const std::string &what) {
  // One lock whatever the name that the file is called by.
  std::error_code missing;
  std::filesystem::path file =
      std::filesystem::canonical(connection.path(), missing);
  return FileLock::acquire((missing ? connection.path() : file.string()) +
                               "-study" + std::to_string(id) + ".lock",
                           what + " is being tuned",
                           "wait for it, or use another database");
}

static Result<void> markUsed(Connection &connection, int64_t id) {
  Result<Statement> update = connection.prepare(
      "UPDATE studies SET used = strftime('%Y-%m-%dT%H:%M:%SZ', 'now') "
      "WHERE id = ?");
  if (!update)
    return update.error();
  return update->bind(1, id).run();
}

Result<StudyJournal> Journal::openStudy(const StudyInfo &info) {
  Connection &connection = *impl->connection;
  if (Result<void> done = insertStudy(connection, info); !done)
    return done.error();
  auto study = findStudy(connection, info.key);
  if (!study)
    return study.error();
  if (!*study)
    return Error{ErrorCode::IOError, "database '" + connection.path() +
                                         "': a study disappeared while it was "
                                         "being opened"};
  std::string what =
      "study '" + info.name + "' in database '" + connection.path() + "'";
  auto [id, space] = **study;
  if (space != info.space)
    return Error{ErrorCode::InvalidArgument,
                 what + " was made with another space under the same key"};
  Result<FileLock> lock = lockStudy(connection, id, what);
  if (!lock)
    return lock.error();
  // Another process may have removed it meanwhile.
  auto again = findStudy(connection, info.key);
  if (!again)
    return again.error();
  if (!*again || (*again)->first != id)
    return openStudy(info);
  if (Result<void> done = markUsed(connection, id); !done)
    return done.error();
  return StudyJournal(std::make_unique<StudyJournal::Impl>(StudyJournal::Impl{
      impl->connection, id, std::move(*lock), identify(connection.path())}));
}

Result<void> Journal::checkIdle(std::string_view key) const {
  const Connection &connection = *impl->connection;
  auto study = findStudy(*impl->connection, key);
  if (!study)
    return study.error();
  if (!*study)
    return {};
  Result<FileLock> lock =
      lockStudy(connection, (*study)->first,
                "study '" + std::string(key) + "' in database '" +
                    connection.path() + "'");
  return lock ? Result<void>() : lock.error();
}

/// Runs a statement whose one parameter is a study's id.
static Result<void> runForStudy(Connection &connection, const char *sql,
                                int64_t study) {
  Result<Statement> statement = connection.prepare(sql);
  if (!statement)
    return statement.error();
  return statement->bind(1, study).run();
}

/// Deletes all that belongs to a study.
static Result<void> removeContents(Connection &connection, int64_t study) {
  Result<void> done;
  for (const char *sql : {"DELETE FROM finalists WHERE study = ?",
                          "DELETE FROM finals WHERE study = ?",
                          "DELETE FROM trials WHERE study = ?"})
    if (done)
      done = runForStudy(connection, sql, study);
  return done;
}

Result<void> Journal::removeStudy(std::string_view key) {
  Connection &connection = *impl->connection;
  auto study = findStudy(connection, key);
  if (!study)
    return study.error();
  if (!*study)
    return noStudy(connection, key);
  int64_t id = (*study)->first;
  Result<FileLock> lock =
      lockStudy(connection, id,
                "study '" + std::string(key) + "' in database '" +
                    connection.path() + "'");
  if (!lock)
    return lock.error();
  // Another process may have removed it meanwhile, and given its number to a
  // new one.
  study = findStudy(connection, key);
  if (!study)
    return study.error();
  if (!*study || (*study)->first != id)
    return noStudy(connection, key);
  return sqlite::inTransaction(connection, "BEGIN IMMEDIATE", [&] {
    Result<void> done = removeContents(connection, id);
    return done
               ? runForStudy(connection, "DELETE FROM studies WHERE id = ?", id)
               : done;
  });
}

Result<void> Journal::compact() { return impl->connection->execute("VACUUM"); }

//===----------------------------------------------------------------------===//
// StudyJournal
//===----------------------------------------------------------------------===//

StudyJournal::StudyJournal(std::unique_ptr<Impl> impl)
    : impl(std::move(impl)) {}
StudyJournal::StudyJournal(StudyJournal &&) noexcept = default;
StudyJournal &StudyJournal::operator=(StudyJournal &&) noexcept = default;
StudyJournal::~StudyJournal() = default;

Result<std::vector<Trial>> StudyJournal::trials() const {
  return readTrials(*impl->connection, impl->study, finalsVersion);
}

Result<std::vector<Final>> StudyJournal::finals() const {
  return readFinals(*impl->connection, impl->study);
}

/// Nothing is written that would be refused when it is read.
template <typename Record>
static Result<void> checkRecord(uint64_t number, const Record &record) {
  std::string wrong = findMistake(record);
  if (wrong.empty())
    return {};
  return {ErrorCode::InvalidArgument,
          "trial " + std::to_string(number) + ": " + wrong};
}

Result<void> StudyJournal::recordAsk(const Trial &trial) {
  if (Result<void> there = impl->checkFile(); !there)
    return there;
  if (Result<void> valid = checkRecord(trial.number, trial); !valid)
    return valid;
  Result<Statement> insert = impl->connection->prepare(
      "INSERT INTO trials (study, number, configuration, state) "
      "VALUES (?, ?, ?, ?)");
  if (!insert)
    return insert.error();
  return insert->bind(1, impl->study)
      .bind(2, static_cast<int64_t>(trial.number))
      .bind(3, trial.configuration)
      .bind(4, trial.state)
      .run();
}

Result<void> StudyJournal::recordOutcome(uint64_t number,
                                         const Outcome &outcome) {
  if (Result<void> there = impl->checkFile(); !there)
    return there;
  if (Result<void> valid = checkRecord(number, outcome); !valid)
    return valid;
  Result<Statement> update = impl->connection->prepare(
      "UPDATE trials SET status = ?, time_ns = ?, spread = ?, samples = ?, "
      "compile_ns = ?, run_ns = ?, message = ? "
      "WHERE study = ? AND number = ? AND (status IS NULL OR status = 'lost')");
  if (!update)
    return update.error();
  Result<void> done = update->bind(1, statusName(outcome.status))
                          .bind(2, outcome.timeNs)
                          .bind(3, outcome.spread)
                          .bind(4, static_cast<int64_t>(outcome.numSamples))
                          .bind(5, outcome.compileNs)
                          .bind(6, outcome.runNs)
                          .bind(7, outcome.message)
                          .bind(8, impl->study)
                          .bind(9, static_cast<int64_t>(number))
                          .run();
  if (done && impl->connection->changes() != 1)
    return Error{ErrorCode::InvalidArgument,
                 "database '" + impl->connection->path() + "': trial " +
                     std::to_string(number) + " is not pending"};
  return done;
}

Result<void> StudyJournal::recordFailure(uint64_t number,
                                         const Outcome &failure) {
  if (Result<void> there = impl->checkFile(); !there)
    return there;
  Result<Statement> update = impl->connection->prepare(
      "UPDATE trials SET final_status = ?, final_message = ? WHERE study = ? "
      "AND number = ? AND status = 'ok' AND final_status IS NULL");
  if (!update)
    return update.error();
  Result<void> done = update->bind(1, statusName(failure.status))
                          .bind(2, failure.message)
                          .bind(3, impl->study)
                          .bind(4, static_cast<int64_t>(number))
                          .run();
  if (done && impl->connection->changes() != 1)
    return Error{ErrorCode::InvalidArgument,
                 "database '" + impl->connection->path() + "': trial " +
                     std::to_string(number) +
                     " isn't one that was ok until now"};
  return done;
}

Result<void> StudyJournal::recordFinal(const Final &final) {
  if (Result<void> there = impl->checkFile(); !there)
    return there;
  Connection &connection = *impl->connection;
  return sqlite::inTransaction(connection, "BEGIN IMMEDIATE", [&] {
    return insertFinals(connection, impl->study, {final});
  });
}

Result<void> StudyJournal::replaceTrials(const std::vector<Trial> &trials,
                                         const std::vector<Final> &finals) {
  for (size_t i = 0; i < trials.size(); ++i)
    if (trials[i].number != i)
      return {ErrorCode::InvalidArgument,
              "trial " + std::to_string(i) + " of a study is missing"};
  Connection &connection = *impl->connection;
  return sqlite::inTransaction(connection, "BEGIN IMMEDIATE", [&] {
    Result<void> done = removeContents(connection, impl->study);
    for (const Trial &trial : trials) {
      if (done)
        done = recordAsk(trial);
      if (done && trial.outcome)
        done = recordOutcome(trial.number, *trial.outcome);
      if (done && trial.failure)
        done = recordFailure(trial.number, *trial.failure);
    }
    return done ? insertFinals(connection, impl->study, finals) : done;
  });
}
