//===- LocalServer.h - A server of NATS for tests ---------------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A nats-server on the loopback, and other processes that end with this one,
// however it ends.
//
//===----------------------------------------------------------------------===//

#ifndef BACO_UNITTESTS_CLUSTER_LOCALSERVER_H
#define BACO_UNITTESTS_CLUSTER_LOCALSERVER_H

#include <memory>
#include <string>
#include <vector>

#include <sys/types.h>

namespace baco::cluster::test {

/// Deleted with what is in it.
class TemporaryFolder {
public:
  TemporaryFolder();
  TemporaryFolder(const TemporaryFolder &) = delete;
  ~TemporaryFolder();
  const std::string &path() const { return name; }
  std::string operator/(const std::string &file) const {
    return name + "/" + file;
  }

private:
  std::string name;
};

std::string readAll(const std::string &path);

/// A program, which is killed with this object, and with this process. Start it
/// from the main thread.
class ChildProcess {
public:
  /// Its output is appended to a file.
  ChildProcess(const std::vector<std::string> &words,
               const std::string &outputFile);
  ChildProcess(const ChildProcess &) = delete;
  ~ChildProcess() { kill(); }

  pid_t id() const { return pid; }
  void signal(int number) const;
  bool isRunning();
  /// Its exit status, or minus the signal.
  int wait();
  /// By SIGKILL.
  void kill();

private:
  pid_t pid = -1;
  int status = 0;
};

class LocalServer {
public:
  /// The program; empty if there is none.
  static std::string program();
  /// A port of the loopback that nobody has.
  static int freePort();

  /// A server whose store is in a folder, with limits as of `jetstream` in its
  /// configuration.
  explicit LocalServer(const TemporaryFolder &folder,
                       const std::string &jetStreamLimits = "");
  /// A server with this configuration, where `listen` is replaced.
  static LocalServer withConfiguration(const TemporaryFolder &folder,
                                       const std::string &text);
  LocalServer(LocalServer &&) = default;

  /// False, with what it has printed in `log`, if it doesn't start. It may have
  /// run before.
  bool start();
  /// By SIGKILL.
  void kill() { process.reset(); }

  std::string url() const { return "nats://127.0.0.1:" + std::to_string(port); }
  pid_t id() const { return process->id(); }
  std::string log() const { return readAll(folder + "/server.log"); }

private:
  LocalServer() = default;
  bool isListening() const;

  std::string folder;
  int port = 0;
  std::unique_ptr<ChildProcess> process;
};

} // namespace baco::cluster::test

#endif // BACO_UNITTESTS_CLUSTER_LOCALSERVER_H
