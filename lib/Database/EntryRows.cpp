//===- EntryRows.cpp - Entries of tuned libraries -------------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The columns are what entries are looked up by; everything else is in their
// text.
//
//===----------------------------------------------------------------------===//

#include "JournalImpl.h"

#include "baco/Database/Journal.h"

using namespace baco;
using namespace baco::database;
using sqlite::Connection;
using sqlite::Statement;

/// The entry of the row that `rows` is at.
static EntryText readRow(const Connection &connection, const Statement &rows) {
  std::vector<EntryText> entries = splitLibrary("\n" + rows.text(3));
  if (entries.size() != 1 || entries.front().name != rows.text(0) ||
      entries.front().fingerprint != rows.text(1))
    fail(connection.damaged());
  entries.front().study = rows.text(2);
  return std::move(entries.front());
}

/// A query for the entries whose rows `condition` selects.
static Statement prepareSelect(Connection &connection, const char *condition) {
  std::string sql = "SELECT name, fingerprint, study, text FROM entries ";
  return connection.prepare((sql + condition).c_str());
}

static std::vector<EntryText> readRows(const Connection &connection,
                                       Statement &rows) {
  return rows.readAll<EntryText>([&] { return readRow(connection, rows); });
}

/// The entries whose rows `condition`, with the values of its parameters,
/// selects.
static std::vector<EntryText>
select(Connection &connection, const char *condition,
       std::initializer_list<std::string_view> values) {
  Statement rows = prepareSelect(connection, condition);
  int index = 0;
  for (std::string_view value : values)
    rows.bind(++index, value);
  return readRows(connection, rows);
}

Result<std::vector<EntryText>> Journal::entries(std::string_view key) const {
  if (impl->version < entriesVersion)
    return std::vector<EntryText>();
  return attempt([&] {
    return key.empty() ? select(*impl->connection, "ORDER BY id", {})
                       : select(*impl->connection,
                                "WHERE study = ? ORDER BY id", {key});
  });
}

Result<std::vector<EntryText>>
Journal::entriesWith(std::string_view fingerprint) const {
  if (impl->version < entriesVersion)
    return std::vector<EntryText>();
  if (!impl->entriesWith)
    impl->entriesWith =
        prepareSelect(*impl->connection, "WHERE fingerprint = ? ORDER BY id");
  Statement &rows = *impl->entriesWith;
  Result<std::vector<EntryText>> found = attempt(
      [&] { return readRows(*impl->connection, rows.bind(1, fingerprint)); });
  if (found)
    rows.reset();
  else
    impl->entriesWith.reset();
  return found;
}

Result<std::optional<EntryText>>
Journal::entryLike(std::string_view function,
                   std::string_view structure) const {
  if (impl->version < entriesVersion)
    return std::optional<EntryText>();
  return attempt([&] {
    for (auto [condition, value] :
         {std::pair("WHERE function = ? ORDER BY id LIMIT 1", function),
          std::pair("WHERE structure = ? ORDER BY id LIMIT 1", structure)})
      if (auto found = select(*impl->connection, condition, {value});
          !found.empty())
        return std::optional(std::move(found.front()));
    return std::optional<EntryText>();
  });
}

Result<bool> Journal::hasEntriesAsWritten() const {
  if (impl->version < entriesVersion)
    return false;
  return attempt([&] {
    return impl->connection->queryInteger(
               "SELECT EXISTS (SELECT 1 FROM entries WHERE as_written = 1)") ==
           1;
  });
}

static void insert(Connection &connection, const EntryText &entry,
                   bool keepsOld) {
  Statement row = connection.prepare(
      keepsOld ? "INSERT INTO entries (name, fingerprint, function, structure, "
                 "as_written, study, text) VALUES (?, ?, ?, ?, ?, ?, ?) "
                 "ON CONFLICT (name) DO NOTHING"
               : "INSERT INTO entries (name, fingerprint, function, structure, "
                 "as_written, study, text) VALUES (?, ?, ?, ?, ?, ?, ?) "
                 "ON CONFLICT (name) DO UPDATE SET "
                 "fingerprint = excluded.fingerprint, "
                 "function = excluded.function, "
                 "structure = excluded.structure, "
                 "as_written = excluded.as_written, "
                 "study = excluded.study, text = excluded.text");
  row.bind(1, entry.name)
      .bind(2, entry.fingerprint)
      .bind(3, entry.function)
      .bind(4, entry.structure)
      .bind(5, static_cast<int64_t>(entry.isAsWritten))
      .bind(6, entry.study)
      .bind(7, entry.text)
      .run();
}

Result<size_t> Journal::storeEntries(const std::vector<EntryText> &entries,
                                     bool keepsOld) {
  Connection &connection = *impl->connection;
  size_t written = 0;
  return attempt([&] {
    sqlite::inTransaction(connection, "BEGIN IMMEDIATE", [&] {
      for (const EntryText &entry : entries) {
        insert(connection, entry, keepsOld);
        written += connection.changes() > 0 ? 1 : 0;
      }
    });
    return written;
  });
}
