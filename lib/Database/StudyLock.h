//===- StudyLock.h - One tuner per study ------------------------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A lock that dies with its process: an exclusive flock(2) on a small file
// beside the database. The file holds the process id for the message, and is
// removed with the lock; one that a killed process left behind does no harm.
//
//===----------------------------------------------------------------------===//

#ifndef BACO_LIB_DATABASE_STUDYLOCK_H
#define BACO_LIB_DATABASE_STUDYLOCK_H

#include "baco/Support/Result.h"

namespace baco::database {

class StudyLock {
public:
  /// Does not wait for an owner that lives. IOError if another open lock has it
  /// (`what` is the subject of the message), or if the file can't be made. Not
  /// inherited by programs that this process starts.
  static Result<StudyLock> acquire(const std::string &path,
                                   const std::string &what);

  StudyLock(StudyLock &&other) noexcept;
  StudyLock &operator=(StudyLock &&other) noexcept;
  ~StudyLock();

private:
  StudyLock(std::string path, int descriptor);
  std::string path;
  int descriptor;
};

} // namespace baco::database

#endif // BACO_LIB_DATABASE_STUDYLOCK_H
