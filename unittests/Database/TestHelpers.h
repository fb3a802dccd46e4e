//===- TestHelpers.h - Folders and processes for tests ----------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A temporary folder, and code that runs in a child process: to be killed, or
// without the privileges of root. SQLite's connections don't survive a fork:
// have none open then.
//
//===----------------------------------------------------------------------===//

#ifndef BACO_UNITTESTS_DATABASE_TESTHELPERS_H
#define BACO_UNITTESTS_DATABASE_TESTHELPERS_H

#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <string>

#include <sys/wait.h>
#include <unistd.h>

namespace baco::test {

/// An empty folder that everybody can use, removed at the end. In memory where
/// possible: SQLite flushes to the disk whenever it makes or closes a file.
class TemporaryFolder {
public:
  TemporaryFolder() {
    std::filesystem::path parent = "/dev/shm";
    if (access(parent.c_str(), W_OK) != 0)
      parent = std::filesystem::temp_directory_path();
    std::string name = (parent / "baco-test-XXXXXX").string();
    if (mkdtemp(name.data()))
      folder = name;
    std::filesystem::permissions(folder, std::filesystem::perms::all);
  }
  ~TemporaryFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(folder, ignored);
  }

  std::string file(const std::string &name) const {
    return (folder / name).string();
  }
  const std::filesystem::path &path() const { return folder; }

private:
  std::filesystem::path folder;
};

/// Runs `body` in a child and returns its exit code, or minus the signal that
/// killed it. The child ends without destructors, as a killed process would.
template <typename Body>
int runInChild(Body body) {
  pid_t child = fork();
  if (child == 0)
    _exit(body());
  int status = 0;
  if (child < 0 || waitpid(child, &status, 0) != child)
    return -1000;
  return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
}

/// A child that runs `body` and then waits until this object kills it.
class BackgroundProcess {
public:
  template <typename Body>
  explicit BackgroundProcess(Body body) {
    int ends[2];
    if (pipe(ends) != 0)
      return;
    child = fork();
    if (child == 0) {
      auto keep = body();
      char ready = 1;
      if (write(ends[1], &ready, 1) == 1)
        while (true)
          pause();
      _exit(1);
    }
    close(ends[1]);
    char byte;
    isReady = read(ends[0], &byte, 1) == 1;
    close(ends[0]);
  }
  ~BackgroundProcess() {
    if (child <= 0)
      return;
    kill(child, SIGKILL);
    waitpid(child, nullptr, 0);
  }

  pid_t id() const { return child; }
  /// Whether `body` returned; what it returned lives as long as the process.
  bool isReady = false;

private:
  pid_t child = -1;
};

/// runInChild as somebody for whom permissions count.
template <typename Body>
int runUnprivileged(Body body) {
  constexpr uid_t nobody = 65534;
  return runInChild([&] {
    if (geteuid() == 0 && (setgid(nobody) != 0 || setuid(nobody) != 0))
      return 99;
    return body();
  });
}

} // namespace baco::test

#endif // BACO_UNITTESTS_DATABASE_TESTHELPERS_H
