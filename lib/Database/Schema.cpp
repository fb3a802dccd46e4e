//===- Schema.cpp - Tables and versions -----------------------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Nothing is written before the file is known to be empty or ours, so that a
// wrong file name does no damage. Readers read every version unchanged.
//
//===----------------------------------------------------------------------===//

#include "Schema.h"

#include <filesystem>
#include <span>
#include <string>

using namespace baco;
using namespace baco::database;

/// "BACO": marks the file as ours, in its header.
static constexpr int64_t applicationId = 0x4241434F;
/// Version 1.
static const char *const firstTables[] = {
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

/// Version 2: when a study was last tuned; the status `cancelled`, which
/// earlier versions refuse.
static const char *const addUsed[] = {
    "ALTER TABLE studies ADD COLUMN used TEXT NOT NULL DEFAULT ''",
    "UPDATE studies SET used = created"};

/// Version 3: final comparisons, and what failed in them.
static const char *const addFinals[] = {
    // Both are NULL for a trial that hasn't failed there.
    "ALTER TABLE trials ADD COLUMN final_status TEXT",
    "ALTER TABLE trials ADD COLUMN final_message TEXT",
    R"(CREATE TABLE finals (
  study INTEGER NOT NULL REFERENCES studies (id),
  number INTEGER NOT NULL,
  trials INTEGER NOT NULL,
  kept TEXT NOT NULL,
  winner INTEGER,
  confidence REAL,
  plain_ns REAL,
  plain_spread REAL,
  plain_samples INTEGER,
  PRIMARY KEY (study, number)
) STRICT, WITHOUT ROWID)",
    // trial is NULL for the plain lowering.
    R"(CREATE TABLE finalists (
  study INTEGER NOT NULL REFERENCES studies (id),
  final INTEGER NOT NULL,
  place INTEGER NOT NULL,
  trial INTEGER,
  status TEXT NOT NULL,
  time_ns REAL,
  spread REAL,
  samples INTEGER,
  message TEXT,
  rounds TEXT NOT NULL,
  PRIMARY KEY (study, final, place)
) STRICT, WITHOUT ROWID)"};

/// Version 4: by how much a wrong result misses the tolerance.
static const char *const addNarrowMiss[] = {
    "ALTER TABLE trials ADD COLUMN narrow_miss REAL"};

/// Version 5: what an assembler says that kernels for a GPU need. NULL where
/// none was asked.
static const char *const addResources[] = {
    "ALTER TABLE trials ADD COLUMN registers INTEGER",
    "ALTER TABLE trials ADD COLUMN spill_bytes INTEGER",
    "ALTER TABLE trials ADD COLUMN shared_bytes INTEGER",
    "ALTER TABLE trials ADD COLUMN stack_bytes INTEGER"};

/// Version 6: what packing sparse arguments took.
static const char *const addPackTime[] = {
    "ALTER TABLE trials ADD COLUMN pack_ns REAL"};

/// Version 7: entries of tuned libraries. `name` is as the library has it,
/// `study` a key or empty; the columns before that are also in the text.
static const char *const addEntries[] = {
    R"(CREATE TABLE entries (
  id INTEGER PRIMARY KEY,
  name TEXT NOT NULL UNIQUE,
  fingerprint TEXT NOT NULL,
  function TEXT NOT NULL,
  structure TEXT NOT NULL,
  as_written INTEGER NOT NULL,
  study TEXT NOT NULL,
  text TEXT NOT NULL
) STRICT)",
    "CREATE INDEX entries_fingerprint ON entries (fingerprint)",
    "CREATE INDEX entries_function ON entries (function)",
    "CREATE INDEX entries_structure ON entries (structure)",
    "CREATE INDEX entries_as_written ON entries (id) WHERE as_written = 1"};

/// Version 8: results of studies with several objectives or bounds, a JSON
/// object by name; NULL elsewhere.
static const char *const addMetrics[] = {
    "ALTER TABLE trials ADD COLUMN metrics TEXT"};

/// Version 9: which shares of its limits a candidate needs, a JSON list, and
/// its static cost if it exceeds one; NULL where they are unknown.
static const char *const addUsage[] = {
    "ALTER TABLE trials ADD COLUMN usage TEXT",
    "ALTER TABLE trials ADD COLUMN cost_beyond_limits REAL"};

/// The upgrade from version k to k + 1; a new database runs all of them, so
/// that each version has one definition. Append only.
static const std::span<const char *const> migrations[] = {
    firstTables, addUsed,    addFinals,  addNarrowMiss, addResources,
    addPackTime, addEntries, addMetrics, addUsage};

static constexpr int64_t schemaVersion = std::size(migrations);

/// SQLite notices missing pages, but not that the last one is cut. Only in a
/// transaction that has read something: nobody makes the file meanwhile (with a
/// write-ahead log somebody may still add to it, but by whole pages).
static void checkSize(sqlite::Connection &connection) {
  int64_t pageSize = connection.queryInteger("PRAGMA page_size");
  std::error_code error;
  uintmax_t size = std::filesystem::file_size(connection.path(), error);
  if (!error && size % static_cast<uintmax_t>(pageSize) != 0)
    fail(connection.damaged());
}

/// Whether SQLite finds its own structures whole, and values of the types that
/// the tables declare.
static void checkIntegrity(sqlite::Connection &connection) {
  sqlite::Statement report = connection.prepare("PRAGMA integrity_check(1)");
  if (!report.step() || report.text(0) != "ok")
    fail(connection.damaged());
}

/// The version, in a transaction: see checkSchema.
static int64_t checkTables(sqlite::Connection &connection) {
  std::string file = "database '" + connection.path() + "'";
  int64_t id = connection.queryInteger("PRAGMA application_id");
  int64_t tables =
      connection.queryInteger("SELECT count(*) FROM sqlite_master");
  // SQLite takes a file that is shorter than its header for an empty one.
  if (id == 0 && tables == 0) {
    checkSize(connection);
    return 0;
  }
  if (id != applicationId)
    fail({ErrorCode::Corrupt,
          file +
              " is not a database of baco: it belongs to another application"});
  int64_t version = connection.queryInteger("PRAGMA user_version");
  if (version > schemaVersion)
    fail({ErrorCode::Unsupported,
          file + " was written by a newer baco (schema " +
              std::to_string(version) + ", this version knows " +
              std::to_string(schemaVersion) +
              "): use that version, or another file"});
  if (version < 1)
    fail({ErrorCode::Corrupt,
          file + " has an unknown schema (" + std::to_string(version) + ")"});
  checkSize(connection);
  return version;
}

int64_t database::checkSchema(sqlite::Connection &connection, bool checksAll) {
  int64_t version = 0;
  sqlite::inTransaction(connection, "BEGIN", [&] {
    version = checkTables(connection);
    if (checksAll)
      checkIntegrity(connection);
  });
  return version;
}

/// Brings the tables from a version to ours. In a transaction: all or nothing.
static void migrate(sqlite::Connection &connection, int64_t version) {
  if (version == schemaVersion)
    return;
  for (; version < schemaVersion; ++version)
    for (const char *statement : migrations[version])
      connection.execute(statement);
  std::string id = "PRAGMA application_id = " + std::to_string(applicationId);
  connection.execute(id.c_str());
  std::string mark = "PRAGMA user_version = " + std::to_string(schemaVersion);
  connection.execute(mark.c_str());
}

/// A commit survives the death of the process in either mode of the journal.
/// Readers go on while the tuner writes, and a commit takes microseconds, with
/// a write-ahead log; where the file system can't (no shared memory), SQLite
/// stays with its rollback journal.
static void setUpLog(sqlite::Connection &connection) {
  connection.execute("PRAGMA journal_mode = WAL");
  connection.execute("PRAGMA synchronous = NORMAL");
}

/// One attempt of `prepareForWriting`.
static void prepareOnce(sqlite::Connection &connection) {
  sqlite::inTransaction(connection, "BEGIN", [&] { checkTables(connection); });
  // SQLite opens a file that it can't write, and reports that only at the first
  // write.
  if (connection.isReadOnly())
    fail(connection.readOnly());
  // A new file gets its tables before its log: others find it empty or whole.
  // If there are tables this writes nothing, but finds out whether the
  // directory can be written: better now than after the first candidate.
  sqlite::inTransaction(connection, "BEGIN IMMEDIATE", [&] {
    // Another process may have made the tables since.
    migrate(connection, checkTables(connection));
  });
  setUpLog(connection);
}

void database::prepareForWriting(sqlite::Connection &connection) {
  sqlite::whileLocked(connection, [&] { prepareOnce(connection); });
}
