//===- FileLock.h - One process at a time -----------------------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A lock that ends with its process: an exclusive flock(2) on a small file next
// to the file that it protects. The file holds the process id for the message,
// and is removed with the lock; one that a killed process left behind does no
// harm.
//
//===----------------------------------------------------------------------===//

#ifndef BACO_DATABASE_FILELOCK_H
#define BACO_DATABASE_FILELOCK_H

#include "baco/Support/Result.h"

namespace baco::database {

class FileLock {
public:
  /// Waits up to about `waitMs` milliseconds for an owner that lives. IOError
  /// if another open lock has it, with the message "`what` by another process
  /// (its number): `remedy`", or if the file can't be made. Not inherited by
  /// programs that this process starts.
  static Result<FileLock> acquire(const std::string &path,
                                  const std::string &what,
                                  const std::string &remedy, int waitMs = 0);

  FileLock(FileLock &&other) noexcept;
  FileLock &operator=(FileLock &&other) noexcept;
  ~FileLock();

private:
  FileLock(std::string path, int descriptor);
  std::string path;
  int descriptor;
};

} // namespace baco::database

#endif // BACO_DATABASE_FILELOCK_H
