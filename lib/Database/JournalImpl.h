//===- JournalImpl.h - Implementation of journals ---------------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Code that the journals of a database and of its studies share.
//
//===----------------------------------------------------------------------===//

#ifndef BACO_LIB_DATABASE_JOURNALIMPL_H
#define BACO_LIB_DATABASE_JOURNALIMPL_H

#include "Schema.h"
#include "Sqlite.h"

#include "baco/Database/FileLock.h"
#include "baco/Database/Journal.h"

#include <memory>
#include <optional>
#include <sys/stat.h>

namespace baco::database {

/// The file that a name stands for.
struct FileIdentity {
  dev_t device = 0;
  ino_t inode = 0;
  bool operator==(const FileIdentity &) const = default;
};

/// Nullopt if there is none.
std::optional<FileIdentity> identify(const std::string &path);

struct Journal::Impl {
  std::shared_ptr<sqlite::Connection> connection;
  /// The version of the schema: an earlier one in old files that are only read.
  int64_t version = usageVersion;
  /// Compiling the query takes longer than a look-up.
  std::optional<sqlite::Statement> entriesWith = std::nullopt;
};

struct StudyJournal::Impl {
  std::shared_ptr<sqlite::Connection> connection;
  int64_t study;
  FileLock lock;
  std::optional<FileIdentity> file;

  /// An error if the file was deleted or replaced: later writes would be lost
  /// with the process.
  void checkFile() const;
};

/// Runs a statement whose one parameter is a study's id.
void runForStudy(sqlite::Connection &connection, const char *sql,
                 int64_t study);

/// Deletes all rows of a study.
void removeContents(sqlite::Connection &connection, int64_t study);

} // namespace baco::database

#endif // BACO_LIB_DATABASE_JOURNALIMPL_H
