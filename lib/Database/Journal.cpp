//===- Journal.cpp - Trials that survive the process ----------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The studies of a database. StudyJournal.cpp has what is written to one.
//
//===----------------------------------------------------------------------===//

#include "baco/Database/Journal.h"

#include "FinalRows.h"
#include "JournalImpl.h"
#include "Schema.h"
#include "TrialRows.h"

#include <cerrno>
#include <filesystem>
#include <sys/stat.h>

using namespace baco;
using namespace baco::database;
using sqlite::Access;
using sqlite::Connection;
using sqlite::Statement;

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

bool database::isCalled(const StudyInfo &info, std::string_view study) {
  // Less of a key would often mean several.
  constexpr size_t leastLength = 4;
  return info.name == study ||
         (study.size() >= leastLength && info.key.starts_with(study));
}

static Error noStudy(const Connection &connection, std::string_view key) {
  return {ErrorCode::NotFound, "database '" + connection.path() +
                                   "' has no study with the key '" +
                                   std::string(key) + "'"};
}

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
  Result<std::vector<EntryText>> entries = reader->entries();
  return entries ? Result<void>() : entries.error();
}

/// The state of a file and its log, by which writes are noticed.
static std::vector<int64_t> stampOf(const std::string &path) {
  std::vector<int64_t> stamp;
  for (const std::string &name : {path, path + "-wal"}) {
    struct stat file{};
    bool isThere = stat(name.c_str(), &file) == 0;
    stamp.insert(stamp.end(), {isThere, file.st_size, file.st_mtim.tv_sec,
                               file.st_mtim.tv_nsec});
  }
  return stamp;
}

/// Whether the file at `path` may be opened for writing. Opening changes files,
/// or those beside them, and refused files must not change; so everything in it
/// is read first. Success if there is no file, or if it can't be read: opening
/// it then reports the error.
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
/// itself. SQLite can then be told that the file doesn't change, and reads it
/// where nothing can be written, and without files of its own beside it, which
/// would stay, and might keep others from writing. A tuner that begins
/// meanwhile writes to its log first.
static bool hasNoLog(const std::string &path) {
  struct stat log;
  return stat((path + "-wal").c_str(), &log) != 0 && errno == ENOENT;
}

Result<Journal> Journal::openReadOnly(const std::string &path) {
  return openUnchanged(path, /*isForLookup=*/false);
}

Result<Journal> Journal::openForLookup(const std::string &path) {
  return openUnchanged(path, /*isForLookup=*/true);
}

Result<Journal> Journal::openUnchanged(const std::string &path,
                                       bool isForLookup) {
  Error error{ErrorCode::IOError, ""};
  for (Access access : {Access::Immutable, Access::ReadOnly}) {
    if (access == Access::Immutable && !hasNoLog(path))
      continue;
    auto connection = Connection::open(path, access);
    Result<int64_t> version = connection
                                  ? checkSchema(**connection, !isForLookup)
                                  : connection.error();
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
  // All names of the file share one lock.
  std::error_code missing;
  std::filesystem::path file =
      std::filesystem::canonical(connection.path(), missing);
  return FileLock::acquire((missing ? connection.path() : file.string()) +
                               "-study" + std::to_string(id) + ".lock",
                           what + " is being tuned",
                           "wait for it, or use another database");
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
    if (done)
      done = runForStudy(connection,
                         "DELETE FROM entries WHERE study = "
                         "(SELECT key FROM studies WHERE id = ?)",
                         id);
    return done
               ? runForStudy(connection, "DELETE FROM studies WHERE id = ?", id)
               : done;
  });
}

Result<void> Journal::compact() { return impl->connection->execute("VACUUM"); }
