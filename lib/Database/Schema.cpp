//===- Schema.cpp - Tables and versions -----------------------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Nothing is written before the file is known to be empty or ours, so that a
// mistaken file name costs nothing.
//
//===----------------------------------------------------------------------===//

#include "Schema.h"

#include <filesystem>
#include <string>

using namespace baco;
using namespace baco::database;

/// "BACO": marks the file as ours, in its header.
static constexpr int64_t applicationId = 0x4241434F;
/// Raised with every change of the tables.
static constexpr int64_t schemaVersion = 1;

static const char *const tables[] = {
    R"(CREATE TABLE studies (
  id INTEGER PRIMARY KEY,
  key TEXT NOT NULL UNIQUE,
  name TEXT NOT NULL,
  space TEXT NOT NULL,
  metadata TEXT NOT NULL,
  created TEXT NOT NULL
) STRICT)",
    // status is NULL while the trial is pending.
    R"(CREATE TABLE trials (
  study INTEGER NOT NULL REFERENCES studies (id),
  number INTEGER NOT NULL,
  configuration TEXT NOT NULL,
  state TEXT NOT NULL,
  status TEXT,
  time_ns REAL,
  spread REAL,
  samples INTEGER,
  compile_ns REAL,
  run_ns REAL,
  message TEXT,
  PRIMARY KEY (study, number)
) STRICT, WITHOUT ROWID)"};

/// Neither ours nor anybody else's: a new or empty file.
static Result<bool> isEmpty(sqlite::Connection &connection) {
  Result<int64_t> objects =
      connection.queryInteger("SELECT count(*) FROM sqlite_master");
  if (!objects)
    return objects.error();
  Result<int64_t> id = connection.queryInteger("PRAGMA application_id");
  if (!id)
    return id.error();
  return *objects == 0 && *id == 0;
}

/// SQLite notices missing pages, but not that the last one is cut.
static Result<void> checkSize(sqlite::Connection &connection) {
  Result<int64_t> pageSize = connection.queryInteger("PRAGMA page_size");
  if (!pageSize)
    return pageSize.error();
  std::error_code error;
  uintmax_t size = std::filesystem::file_size(connection.path(), error);
  if (!error && size % static_cast<uintmax_t>(*pageSize) != 0)
    return connection.damaged();
  return {};
}

Result<void> database::checkSchema(sqlite::Connection &connection) {
  std::string file = "database '" + connection.path() + "'";
  Result<int64_t> id = connection.queryInteger("PRAGMA application_id");
  if (!id)
    return id.error();
  if (*id != applicationId)
    return Error{ErrorCode::Corrupt,
                 file + " is not a database of baco: it belongs to another "
                        "application"};
  Result<int64_t> version = connection.queryInteger("PRAGMA user_version");
  if (!version)
    return version.error();
  if (*version > schemaVersion)
    return Error{ErrorCode::Unsupported,
                 file + " was written by a newer baco (schema " +
                     std::to_string(*version) + ", this version knows " +
                     std::to_string(schemaVersion) +
                     "): use that version, or another file"};
  if (*version != schemaVersion)
    return Error{ErrorCode::Corrupt, file + " has an unknown schema (" +
                                         std::to_string(*version) + ")"};
  return checkSize(connection);
}

/// Makes the tables, all or nothing.
static Result<void> createTables(sqlite::Connection &connection) {
  for (const char *table : tables)
    if (Result<void> done = connection.execute(table); !done)
      return done;
  std::string id = "PRAGMA application_id = " + std::to_string(applicationId);
  if (Result<void> done = connection.execute(id.c_str()); !done)
    return done;
  std::string version =
      "PRAGMA user_version = " + std::to_string(schemaVersion);
  return connection.execute(version.c_str());
}

/// Rolls back unless committed.
static Result<void> createInTransaction(sqlite::Connection &connection) {
  if (Result<void> begun = connection.execute("BEGIN IMMEDIATE"); !begun)
    return begun;
  // Another process may have made the tables while we waited for the lock.
  Result<bool> empty = isEmpty(connection);
  Result<void> done = !empty   ? Result<void>(empty.error())
                      : *empty ? createTables(connection)
                               : Result<void>();
  if (done)
    done = connection.execute("COMMIT");
  if (!done) {
    // The first error is the one that says why; closing rolls back anyway.
    Result<void> rolledBack = connection.execute("ROLLBACK");
    static_cast<void>(rolledBack);
  }
  return done;
}

Result<void> database::prepareForWriting(sqlite::Connection &connection) {
  Result<bool> empty = isEmpty(connection);
  if (!empty)
    return empty.error();
  // SQLite takes a file that is shorter than its header for an empty one.
  if (Result<void> known =
          *empty ? checkSize(connection) : checkSchema(connection);
      !known)
    return known;
  // SQLite reads a file that it can't write, and says nothing before a write.
  if (connection.isReadOnly())
    return connection.readOnly();
  // A commit survives the death of the process in either mode of the journal.
  // Readers go on while the tuner writes, and a commit takes microseconds, with
  // a write-ahead log; where the file system can't (no shared memory), SQLite
  // stays with its rollback journal.
  for (const char *setting :
       {"PRAGMA journal_mode = WAL", "PRAGMA synchronous = NORMAL"})
    if (Result<void> done = connection.execute(setting); !done)
      return done;
  if (*empty)
    if (Result<void> created = createInTransaction(connection); !created)
      return created;
  if (Result<void> known = checkSchema(connection); !known)
    return known;
  // The directory must be writable too: better to find out now than after the
  // first candidate.
  if (Result<void> begun = connection.execute("BEGIN IMMEDIATE"); !begun)
    return begun;
  return connection.execute("ROLLBACK");
}
