//===- Sqlite.h - SQLite handles with errors --------------------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The adapter around SQLite: handles that close themselves, and error codes as
// messages that name the file. The rest of the library sees no `sqlite3_` call.
//
//===----------------------------------------------------------------------===//

#ifndef BACO_LIB_DATABASE_SQLITE_H
#define BACO_LIB_DATABASE_SQLITE_H

#include "baco/Support/Complaint.h"

#include <chrono>
#include <cstdint>
#include <memory>
#include <string_view>
#include <thread>
#include <vector>

struct sqlite3;
struct sqlite3_stmt;

namespace baco::database::sqlite {

/// How long a statement waits for another process's write: many times what a
/// commit takes, even on a slow disk.
inline constexpr std::chrono::milliseconds busyTimeout(10000);

/// A prepared statement, stepped through once, or again after a reset.
/// Parameters are numbered from 1, columns from 0. What fails before shows at
/// the next step.
class Statement {
public:
  Statement &bind(int index, int64_t value);
  /// NaN is stored as NULL, every other value exactly.
  Statement &bind(int index, double value);
  Statement &bind(int index, std::string_view value);

  /// True if there is a row, false at the end.
  bool step();
  /// Steps to the end.
  void run();
  /// The same, with the values that `read` makes of the rows.
  template <typename T, typename Read>
  std::vector<T> readAll(Read read) {
    std::vector<T> all;
    while (step())
      all.push_back(read());
    return all;
  }
  /// Ends the steps, and what is locked for them. Parameters keep their values.
  void reset();

  bool isNull(int column) const;
  int64_t integer(int column) const;
  /// NaN where the column is NULL.
  double real(int column) const;
  std::string text(int column) const;

private:
  friend class Connection;
  Statement(class Connection &connection, const char *sql);

  struct Finalize {
    void operator()(sqlite3_stmt *handle) const;
  };
  Connection *connection;
  std::unique_ptr<sqlite3_stmt, Finalize> handle;
  /// SQLITE_OK, or that of the first call that failed.
  int status = 0;
};

enum class Access {
  /// Created if there is none.
  ReadWrite,
  /// Reads a file that this process may write: SQLite makes the files that it
  /// keeps beside the database, and removes them again.
  ReadAsWriter,
  /// Leaves such files behind if there were none.
  ReadOnly,
  /// Without a lock and without a log: what another process writes meanwhile
  /// may look like damage.
  Immutable
};

/// An open database file.
class Connection {
public:
  static std::shared_ptr<Connection> open(const std::string &path,
                                          Access access);

  /// Runs one statement without parameters or results.
  void execute(const char *sql);
  /// The statement must not outlive the connection.
  Statement prepare(const char *sql);
  /// The first column of the first row, an integer.
  int64_t queryInteger(const char *sql);

  /// Whether the end of the last connection leaves the log, instead of moving
  /// what is in it into the file.
  void keepLog(bool keeps);

  /// The number of rows that the last statement changed.
  int64_t changes() const;
  bool isReadOnly() const;
  const std::string &path() const { return filePath; }
  /// The error for an SQLite result code.
  Error error(int code) const;
  /// The error of a damaged file.
  Error damaged() const;
  /// The error of a file that can't be written.
  Error readOnly() const;
  /// Whether an error says that another process has the file locked.
  bool isLocked(const Error &error) const;
  /// Whether an error says that the file isn't one of SQLite.
  bool isForeign(const Error &error) const;

private:
  friend class Statement;
  Error locked() const;
  Error foreign() const;

  struct Close {
    void operator()(sqlite3 *handle) const;
  };
  std::string filePath;
  bool isForWriting = false;
  std::unique_ptr<sqlite3, Close> handle;
};

/// Repeats `body`, which returns a Result, while another process has the file
/// locked, up to `busyTimeout`. A change of the journal's mode, and the first
/// read while the last other user closes the file, fail at once where other
/// statements wait.
template <typename Body>
auto whileLocked(const Connection &connection, Body body) {
  auto deadline = std::chrono::steady_clock::now() + busyTimeout;
  while (true) {
    auto done = attempt(body);
    if (done || !connection.isLocked(done.error()) ||
        std::chrono::steady_clock::now() >= deadline)
      return need(done);
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
}

/// Runs `body` in a transaction that the statement `begin` starts; commits if
/// that works, else rolls back.
template <typename Body>
void inTransaction(Connection &connection, const char *begin, Body body) {
  connection.execute(begin);
  Result<void> done = attempt([&] {
    body();
    connection.execute("COMMIT");
  });
  // The first error is the one that says why; closing rolls back anyway.
  if (!done)
    static_cast<void>(attempt([&] { connection.execute("ROLLBACK"); }));
  need(done);
}

} // namespace baco::database::sqlite

#endif // BACO_LIB_DATABASE_SQLITE_H
