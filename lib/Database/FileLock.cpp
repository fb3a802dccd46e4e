//===- FileLock.cpp - One process at a time -------------------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// flock(2) belongs to the open file, so that it works between threads and
// processes alike. The last owner removes the file, so that a process that has
// just locked it must check that the path still names the same file.
//
//===----------------------------------------------------------------------===//

#include "baco/Database/FileLock.h"

#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

using namespace baco;
using namespace baco::database;

/// Each retry means that another owner ended between two of our system calls.
static constexpr int maxAttempts = 100;

/// Whether `path` still names the file behind `descriptor`: its last owner
/// removes the file.
static bool isCurrent(const std::string &path, int descriptor) {
  struct stat named, opened;
  return stat(path.c_str(), &named) == 0 && fstat(descriptor, &opened) == 0 &&
         named.st_dev == opened.st_dev && named.st_ino == opened.st_ino;
}

/// The process id in the lock file, as text; empty if there is none.
static std::string readOwner(int descriptor) {
  char buffer[24];
  ssize_t size = pread(descriptor, buffer, sizeof(buffer), 0);
  std::string owner;
  for (ssize_t i = 0; i < size && buffer[i] >= '0' && buffer[i] <= '9'; ++i)
    owner += buffer[i];
  return owner;
}

/// Only for messages, so that a failure (a full disk) does no harm.
static void writeOwner(int descriptor) {
  std::string owner = std::to_string(getpid()) + "\n";
  if (ftruncate(descriptor, 0) != 0 ||
      pwrite(descriptor, owner.data(), owner.size(), 0) < 0)
    return;
}

static bool isDead(const std::string &owner) {
  pid_t pid = std::atoi(owner.c_str());
  return pid > 0 && kill(pid, 0) != 0 && errno == ESRCH;
}

Result<FileLock> FileLock::acquire(const std::string &path,
                                   const std::string &what,
                                   const std::string &remedy, int waitMs) {
  // An owner that was killed while it started a program leaves the lock to that
  // process, until it executes the program: for a moment, if the machine is not
  // too busy.
  int orphanedMs = 5000;
  for (int attempt = 0; attempt < maxAttempts;) {
    int descriptor =
        ::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0666);
    if (descriptor < 0)
      return Error{ErrorCode::IOError, "cannot make the lock file '" + path +
                                           "': " + std::strerror(errno)};
    FileLock lock(path, descriptor);
    if (flock(descriptor, LOCK_EX | LOCK_NB) != 0) {
      int reason = errno;
      std::string owner = readOwner(descriptor);
      lock.path.clear(); // Not ours to remove.
      if (reason != EWOULDBLOCK)
        return Error{ErrorCode::IOError,
                     "cannot lock '" + path + "': " + std::strerror(reason)};
      if (waitMs-- > 0 || (isDead(owner) && orphanedMs-- > 0)) {
        timespec millisecond{0, 1000000};
        nanosleep(&millisecond, nullptr);
        continue;
      }
      return Error{ErrorCode::IOError,
                   what + " by another process" +
                       (owner.empty() ? "" : " (" + owner + ")") + ": " +
                       remedy};
    }
    if (isCurrent(path, descriptor)) {
      writeOwner(descriptor);
      return lock;
    }
    lock.path.clear();
    ++attempt;
  }
  return Error{ErrorCode::IOError, what + " by other processes: " + remedy};
}

FileLock::FileLock(std::string path, int descriptor)
    : path(std::move(path)), descriptor(descriptor) {}

FileLock::FileLock(FileLock &&other) noexcept
    : path(std::move(other.path)),
      descriptor(std::exchange(other.descriptor, -1)) {}

FileLock &FileLock::operator=(FileLock &&other) noexcept {
  std::swap(path, other.path);
  std::swap(descriptor, other.descriptor);
  return *this;
}

FileLock::~FileLock() {
  if (descriptor < 0)
    return;
  // Before the lock is released: afterwards the file may belong to another
  // process.
  if (!path.empty())
    unlink(path.c_str());
  close(descriptor);
}
