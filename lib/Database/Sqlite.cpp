//===- Sqlite.cpp - SQLite handles with errors ----------------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The only calls into SQLite. Its result codes become messages here, with the
// reason of the operating system where there is one.
//
//===----------------------------------------------------------------------===//

#include "Sqlite.h"

#include <cerrno>
#include <cstring>
#include <limits>

#include <sqlite3.h>
#include <sys/stat.h>
#include <unistd.h>

using namespace baco;
using namespace baco::database::sqlite;

void Statement::Finalize::operator()(sqlite3_stmt *handle) const {
  sqlite3_finalize(handle);
}

Statement::Statement(Connection &connection, const char *sql)
    : connection(&connection) {
  sqlite3_stmt *made = nullptr;
  status = sqlite3_prepare_v2(connection.handle.get(), sql, -1, &made, nullptr);
  handle.reset(made);
}

Statement &Statement::bind(int index, int64_t value) {
  if (status == SQLITE_OK)
    status = sqlite3_bind_int64(handle.get(), index, value);
  return *this;
}

Statement &Statement::bind(int index, double value) {
  if (status == SQLITE_OK)
    status = sqlite3_bind_double(handle.get(), index, value);
  return *this;
}

Statement &Statement::bind(int index, std::string_view value) {
  // A null pointer would bind NULL.
  const char *bytes = value.empty() ? "" : value.data();
  if (status == SQLITE_OK)
    status = sqlite3_bind_text64(handle.get(), index, bytes, value.size(),
                                 SQLITE_TRANSIENT, SQLITE_UTF8);
  return *this;
}

bool Statement::step() {
  int stepped = status == SQLITE_OK ? sqlite3_step(handle.get()) : status;
  if (stepped != SQLITE_ROW && stepped != SQLITE_DONE)
    fail(connection->error(stepped));
  return stepped == SQLITE_ROW;
}

void Statement::run() {
  while (step()) {
  }
}

void Statement::reset() {
  // It repeats the error of the last step.
  sqlite3_reset(handle.get());
}

bool Statement::isNull(int column) const {
  return sqlite3_column_type(handle.get(), column) == SQLITE_NULL;
}

int64_t Statement::integer(int column) const {
  return sqlite3_column_int64(handle.get(), column);
}

double Statement::real(int column) const {
  if (isNull(column))
    return std::numeric_limits<double>::quiet_NaN();
  return sqlite3_column_double(handle.get(), column);
}

std::string Statement::text(int column) const {
  const unsigned char *bytes = sqlite3_column_text(handle.get(), column);
  if (!bytes)
    return {};
  return {reinterpret_cast<const char *>(bytes),
          static_cast<size_t>(sqlite3_column_bytes(handle.get(), column))};
}

void Connection::Close::operator()(sqlite3 *handle) const {
  sqlite3_close_v2(handle);
}

/// `path` as SQLite takes it: neither `:memory:` nor an option is special.
static std::string fileUri(const std::string &path, const char *options) {
  static const char hex[] = "0123456789ABCDEF";
  std::string uri = path.starts_with('/') ? "file://" : "file:./";
  for (unsigned char c : path) {
    if (c == '%' || c == '?' || c == '#')
      uri += {'%', hex[c >> 4], hex[c & 15]};
    else
      uri += static_cast<char>(c);
  }
  return uri + options;
}

/// Whether files can be made in a file's folder; sets errno if not.
static bool canWriteBeside(const std::string &path) {
  std::string folder = path.substr(0, path.rfind('/') + 1);
  return ::access(folder.empty() ? "." : folder.c_str(), W_OK) == 0;
}

std::shared_ptr<Connection> Connection::open(const std::string &path,
                                             Access access) {
  if (path.empty() || path.find('\0') != std::string::npos)
    fail({ErrorCode::InvalidArgument,
          "the name of a database must be a file name"});
  struct stat file;
  if (stat(path.c_str(), &file) == 0 && !S_ISREG(file.st_mode))
    fail({ErrorCode::IOError,
          "cannot open database '" + path + "': it is not a regular file"});
  int flags = SQLITE_OPEN_URI | SQLITE_OPEN_EXRESCODE;
  flags |= access == Access::ReadWrite
               ? SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE
           : access == Access::ReadAsWriter ? SQLITE_OPEN_READWRITE
                                            : SQLITE_OPEN_READONLY;
  std::string uri =
      fileUri(path, access == Access::Immutable ? "?immutable=1" : "");
  auto connection = std::make_shared<Connection>();
  connection->filePath = path;
  connection->isForWriting = access == Access::ReadWrite;
  sqlite3 *handle = nullptr;
  int status = sqlite3_open_v2(uri.c_str(), &handle, flags, nullptr);
  // A failed open still gives a handle, which holds the error.
  connection->handle.reset(handle);
  if (status == SQLITE_OK)
    status = sqlite3_busy_timeout(handle, busyTimeout.count());
  if (status == SQLITE_OK && access == Access::ReadAsWriter)
    status = sqlite3_exec(handle, "PRAGMA query_only = ON", nullptr, nullptr,
                          nullptr);
  if (status == SQLITE_OK)
    return connection;
  // If a file can't be created, SQLite tries to read it and reports that error.
  if ((status & 0xff) == SQLITE_CANTOPEN && access == Access::ReadWrite &&
      !canWriteBeside(path))
    fail({ErrorCode::IOError,
          "cannot make database '" + path + "': " + std::strerror(errno)});
  fail(connection->error(status));
}

void Connection::execute(const char *sql) {
  int status = sqlite3_exec(handle.get(), sql, nullptr, nullptr, nullptr);
  if (status != SQLITE_OK)
    fail(error(status));
}

Statement Connection::prepare(const char *sql) { return {*this, sql}; }

int64_t Connection::queryInteger(const char *sql) {
  Statement statement = prepare(sql);
  return statement.step() ? statement.integer(0) : 0;
}

void Connection::keepLog(bool keeps) {
  // It can't fail for an open connection.
  sqlite3_db_config(handle.get(), SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, int(keeps),
                    nullptr);
}

int64_t Connection::changes() const { return sqlite3_changes64(handle.get()); }

bool Connection::isReadOnly() const {
  return sqlite3_db_readonly(handle.get(), "main") == 1;
}

Error Connection::damaged() const {
  return {ErrorCode::Corrupt,
          "database '" + filePath +
              "' is damaged (truncated, or overwritten): restore it from a "
              "copy, or use another file"};
}

Error Connection::readOnly() const {
  return {ErrorCode::IOError,
          "database '" + filePath +
              "' cannot be written: the file or its directory is read-only"};
}

Error Connection::locked() const {
  return {ErrorCode::IOError,
          "database '" + filePath +
              "' is locked by another process: wait for it, or use another "
              "file"};
}

bool Connection::isLocked(const Error &error) const {
  return error.message == locked().message;
}

bool Connection::isForeign(const Error &error) const {
  return error.message == foreign().message;
}

Error Connection::foreign() const {
  return {ErrorCode::Corrupt,
          "database '" + filePath +
              "' is not a database of baco: it is not an SQLite file"};
}

Error Connection::error(int code) const {
  std::string file = "database '" + filePath + "'";
  int osError = handle ? sqlite3_system_errno(handle.get()) : 0;
  std::string why = osError ? std::strerror(osError) : sqlite3_errstr(code);
  switch (code & 0xff) {
  case SQLITE_NOTADB:
    return foreign();
  case SQLITE_CORRUPT:
    return damaged();
  case SQLITE_FULL:
    return {ErrorCode::IOError, "no space left to write " + file +
                                    ": what was committed before is safe"};
  case SQLITE_READONLY:
    return readOnly();
  case SQLITE_CANTOPEN:
    // SQLite reports only that the files that it creates beside the database
    // don't exist.
    if (isForWriting && !canWriteBeside(filePath))
      return readOnly();
    return {ErrorCode::IOError, "cannot open " + file + ": " + why};
  case SQLITE_BUSY:
  case SQLITE_LOCKED:
    return locked();
  case SQLITE_IOERR:
    return {ErrorCode::IOError, "cannot read or write " + file + ": " + why};
  default:
    return {ErrorCode::IOError,
            file + ": " + (handle ? sqlite3_errmsg(handle.get()) : why)};
  }
}
