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

#include "JournalImpl.h"
#include "Schema.h"
#include "TrialRows.h"

#include <cerrno>
#include <filesystem>
#include <sys/stat.h>
#include <unistd.h>

using namespace baco;
using namespace baco::database;
using sqlite::Access;
using sqlite::Connection;
using sqlite::Statement;

/// The id and space of the study with a key; nullopt if there is none.
static std::optional<std::pair<int64_t, std::string>>
findStudy(Connection &connection, std::string_view key) {
  Statement row =
      connection.prepare("SELECT id, space FROM studies WHERE key = ?");
  if (!row.bind(1, key).step())
    return std::nullopt;
  return std::pair(row.integer(0), row.text(1));
}

bool database::isCalled(const StudyInfo &info, std::string_view study) {
  // Less of a key would often mean several.
  constexpr size_t minLength = 4;
  return info.name == study ||
         (study.size() >= minLength && info.key.starts_with(study));
}

[[noreturn]] static void noStudy(const Connection &connection,
                                 std::string_view key) {
  fail({ErrorCode::NotFound, "database '" + connection.path() +
                                 "' has no study with the key '" +
                                 std::string(key) + "'"});
}

/// The number of a study that must be there.
static int64_t needStudy(Connection &connection, std::string_view key) {
  auto study = findStudy(connection, key);
  return study ? study->first : (noStudy(connection, key), 0);
}

Journal::Journal(std::unique_ptr<Impl> impl) : impl(std::move(impl)) {}
Journal::Journal(Journal &&) noexcept = default;
Journal &Journal::operator=(Journal &&) noexcept = default;
Journal::~Journal() = default;

/// Reads everything in the database at `path`.
static void readAll(const std::string &path) {
  Journal reader = need(Journal::openReadOnly(path));
  for (const StudyInfo &study : need(reader.studies())) {
    need(reader.trials(study.key));
    need(reader.finals(study.key));
  }
  need(reader.entries());
}

/// Whether the file at `path` may be opened for writing. Opening changes files,
/// or those beside them, and refused files must not change; so everything in it
/// is read first. Success if there is no file, or if it can't be read: opening
/// it then reports the error.
static void checkContents(const std::string &path) {
  std::error_code missing;
  if (std::filesystem::file_size(path, missing) == 0 || missing)
    return;
  Result<void> read = attempt([&] { readAll(path); });
  if (!read && (read.error().code == ErrorCode::Corrupt ||
                read.error().code == ErrorCode::Unsupported))
    fail(read.error());
}

Result<Journal> Journal::open(const std::string &path) {
  return attempt([&] {
    checkContents(path);
    auto connection = Connection::open(path, Access::ReadWrite);
    prepareForWriting(*connection);
    return Journal(std::make_unique<Impl>(Impl{std::move(connection)}));
  });
}

/// Whether all that was committed is in the file itself: it was closed
/// properly.
static bool hasNoLog(const std::string &path) {
  struct stat log;
  return stat((path + "-wal").c_str(), &log) == 0 ? log.st_size == 0
                                                  : errno == ENOENT;
}

/// Whether this process may write the file at `path` and beside it.
static bool mayWrite(const std::string &path) {
  std::string folder = path.substr(0, path.rfind('/') + 1);
  return access(path.c_str(), W_OK) == 0 &&
         access(folder.empty() ? "." : folder.c_str(), W_OK) == 0;
}

/// How to read the file at `path`, the best way first. Only SQLite's locks keep
/// a tuner that ends from moving its log into the file while that is read. Who
/// can't write does without them where there is no log, because the files that
/// it would leave beside the database might keep others from writing.
static std::vector<Access> waysToRead(const std::string &path) {
  std::vector<Access> ways;
  if (mayWrite(path))
    ways.push_back(Access::ReadAsWriter);
  if (hasNoLog(path))
    ways.push_back(Access::Immutable);
  ways.push_back(Access::ReadOnly);
  return ways;
}

/// Opens the file at `path` in the first way in which `read` can read it. What
/// `read` refuses doesn't change: the log of a tuner that was killed stays.
template <typename Read>
static std::shared_ptr<Connection> openToRead(const std::string &path,
                                              Read read) {
  Error error{ErrorCode::IOError, ""};
  for (Access access : waysToRead(path)) {
    auto connection = attempt([&] { return Connection::open(path, access); });
    if (!connection) {
      error = connection.error();
      continue;
    }
    (*connection)->keepLog(!hasNoLog(path));
    Result<void> done = attempt([&] {
      sqlite::whileLocked(**connection, [&] { read(**connection); });
    });
    if (done) {
      (*connection)->keepLog(false);
      return *connection;
    }
    error = done.error();
    if (error.code != ErrorCode::IOError || (*connection)->isLocked(error))
      break;
  }
  fail(error);
}

bool database::isDatabase(const std::string &path) {
  struct stat file;
  if (stat(path.c_str(), &file) != 0 || !S_ISREG(file.st_mode))
    return false;
  bool isOther = false;
  // A file that can't be read may be one; opening it reports the error.
  auto opened = attempt([&] {
    return openToRead(path, [&](Connection &connection) {
      Result<int64_t> version = attempt(
          [&] { return connection.queryInteger("PRAGMA schema_version"); });
      isOther = !version && connection.isForeign(version.error());
      need(version);
    });
  });
  return opened || !isOther;
}

Result<Journal> Journal::openReadOnly(const std::string &path) {
  Result<Journal> journal = openUnchanged(path, /*checksAll=*/true);
  if (journal && journal->impl->version == 0)
    return Error{ErrorCode::InvalidArgument,
                 "database '" + path +
                     "' is empty: no study has been stored in it yet"};
  return journal;
}

Result<Journal> Journal::openForLookup(const std::string &path) {
  return openUnchanged(path, /*checksAll=*/false);
}

Result<Journal> Journal::openUnchanged(const std::string &path,
                                       bool checksAll) {
  return attempt([&] {
    int64_t version = 0;
    auto opened = openToRead(path, [&](Connection &connection) {
      version = checkSchema(connection, checksAll);
    });
    return Journal(std::make_unique<Impl>(Impl{std::move(opened), version}));
  });
}

Result<std::vector<StudyInfo>> Journal::studies() const {
  if (impl->version == 0)
    return std::vector<StudyInfo>();
  Statement rows = impl->connection->prepare(
      impl->version >= 2
          ? "SELECT key, name, space, metadata, created, used "
            "FROM studies ORDER BY id"
          : "SELECT key, name, space, metadata, created, created "
            "FROM studies ORDER BY id");
  return attempt([&] {
    return rows.readAll<StudyInfo>([&] {
      return StudyInfo{rows.text(0), rows.text(1), rows.text(2),
                       rows.text(3), rows.text(4), rows.text(5)};
    });
  });
}

Result<std::vector<Trial>> Journal::trials(std::string_view key) const {
  return attempt([&] {
    return readTrials(*impl->connection, needStudy(*impl->connection, key),
                      impl->version);
  });
}

Result<std::vector<Final>> Journal::finals(std::string_view key) const {
  return attempt([&] {
    int64_t study = needStudy(*impl->connection, key);
    return impl->version < finalsVersion ? std::vector<Final>()
                                         : readFinals(*impl->connection, study);
  });
}

static void insertStudy(Connection &connection, const StudyInfo &info) {
  Statement insert = connection.prepare(
      "INSERT INTO studies (key, name, space, metadata, created, used) "
      "VALUES (?, ?, ?, ?, coalesce(nullif(?, ''), "
      "strftime('%Y-%m-%dT%H:%M:%SZ', 'now')), "
      "strftime('%Y-%m-%dT%H:%M:%SZ', 'now')) "
      "ON CONFLICT (key) DO NOTHING");
  insert.bind(1, info.key)
      .bind(2, info.name)
      .bind(3, info.space)
      .bind(4, info.metadata)
      .bind(5, info.created)
      .run();
}

/// Keeps others from changing a study.
static FileLock lockStudy(const Connection &connection, int64_t id,
                          const std::string &what) {
  // All names of the file share one lock.
  std::error_code missing;
  std::filesystem::path file =
      std::filesystem::canonical(connection.path(), missing);
  return need(FileLock::acquire((missing ? connection.path() : file.string()) +
                                    "-study" + std::to_string(id) + ".lock",
                                what + " is being tuned",
                                "wait for it, or use another database"));
}

Result<StudyJournal> Journal::openStudy(const StudyInfo &info) {
  Connection &connection = *impl->connection;
  return attempt([&] {
    insertStudy(connection, info);
    auto study = findStudy(connection, info.key);
    if (!study)
      fail({ErrorCode::IOError, "database '" + connection.path() +
                                    "': a study disappeared while it was being "
                                    "opened"});
    std::string what =
        "study '" + info.name + "' in database '" + connection.path() + "'";
    auto [id, space] = *study;
    if (space != info.space)
      fail({ErrorCode::InvalidArgument,
            what + " was made with another space under the same key"});
    FileLock lock = lockStudy(connection, id, what);
    // Another process may have removed it meanwhile.
    auto again = findStudy(connection, info.key);
    if (!again || again->first != id)
      return need(openStudy(info));
    return StudyJournal(std::make_unique<StudyJournal::Impl>(StudyJournal::Impl{
        impl->connection, id, std::move(lock), identify(connection.path())}));
  });
}

/// The name of a study in messages about its lock.
static std::string nameStudy(const Connection &connection,
                             std::string_view key) {
  return "study '" + std::string(key) + "' in database '" + connection.path() +
         "'";
}

Result<void> Journal::checkIdle(std::string_view key) const {
  Connection &connection = *impl->connection;
  return attempt([&] {
    if (auto study = findStudy(connection, key))
      lockStudy(connection, study->first, nameStudy(connection, key));
  });
}

Result<void> Journal::removeStudy(std::string_view key) {
  Connection &connection = *impl->connection;
  return attempt([&] {
    int64_t id = needStudy(connection, key);
    FileLock lock = lockStudy(connection, id, nameStudy(connection, key));
    // Another process may have removed it meanwhile, and given its number to a
    // new one.
    if (needStudy(connection, key) != id)
      noStudy(connection, key);
    sqlite::inTransaction(connection, "BEGIN IMMEDIATE", [&] {
      removeContents(connection, id);
      runForStudy(connection,
                  "DELETE FROM entries WHERE study = "
                  "(SELECT key FROM studies WHERE id = ?)",
                  id);
      runForStudy(connection, "DELETE FROM studies WHERE id = ?", id);
    });
  });
}

Result<void> Journal::compact() {
  return attempt([&] { impl->connection->execute("VACUUM"); });
}
