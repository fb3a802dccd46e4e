//===- LocalServer.cpp - A server of NATS for tests -----------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Starts the server on a port that is free.
//
//===----------------------------------------------------------------------===//

#include "LocalServer.h"

#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

#include <arpa/inet.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace baco::cluster::test;

TemporaryFolder::TemporaryFolder() {
  std::string pattern =
      (std::filesystem::temp_directory_path() / "baco-cluster-XXXXXX").string();
  if (mkdtemp(pattern.data()))
    name = pattern;
}

TemporaryFolder::~TemporaryFolder() {
  std::error_code ignored;
  if (!name.empty())
    std::filesystem::remove_all(name, ignored);
}

std::string baco::cluster::test::readAll(const std::string &path) {
  std::ostringstream text;
  text << std::ifstream(path, std::ios::binary).rdbuf();
  return std::move(text).str();
}

ChildProcess::ChildProcess(const std::vector<std::string> &words,
                           const std::string &outputFile) {
  std::vector<char *> arguments;
  for (const std::string &word : words)
    arguments.push_back(const_cast<char *>(word.c_str()));
  arguments.push_back(nullptr);
  pid_t parent = getpid();
  pid = fork();
  if (pid != 0)
    return;
  // Only what may be called after fork in a process with threads.
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != parent)
    _exit(127);
  int output =
      open(outputFile.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
  dup2(output, STDOUT_FILENO);
  dup2(output, STDERR_FILENO);
  execv(arguments[0], arguments.data());
  _exit(127);
}

void ChildProcess::signal(int number) const {
  if (pid > 0)
    ::kill(pid, number);
}

/// As an exit status, or minus the signal.
static int toStatus(int status) {
  return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
}

bool ChildProcess::isRunning() {
  int raw = 0;
  if (pid > 0 && waitpid(pid, &raw, WNOHANG) == pid) {
    status = toStatus(raw);
    pid = -1;
  }
  return pid > 0;
}

int ChildProcess::wait() {
  // A process that hangs is a failure, not a test without an end.
  constexpr int mostMs = 180000;
  int raw = 0;
  for (int waitedMs = 0; pid > 0; waitedMs += 10) {
    pid_t ended = waitpid(pid, &raw, WNOHANG);
    if (ended == pid) {
      status = toStatus(raw);
      pid = -1;
    } else if (ended < 0 && errno != EINTR) {
      break;
    } else {
      if (waitedMs >= mostMs)
        signal(SIGKILL);
      usleep(10000);
    }
  }
  return status;
}

void ChildProcess::kill() {
  signal(SIGKILL);
  wait();
}

std::string LocalServer::program() {
  const char *path = std::getenv("PATH");
  std::istringstream folders(std::string(path ? path : "") +
                             ":/usr/sbin:/usr/local/sbin");
  for (std::string folder; std::getline(folders, folder, ':');)
    if (std::string file = folder + "/nats-server";
        access(file.c_str(), X_OK) == 0)
      return file;
  return {};
}

static sockaddr_in loopback(int port) {
  sockaddr_in address = {};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  address.sin_port = htons(static_cast<uint16_t>(port));
  return address;
}

int LocalServer::freePort() {
  int descriptor = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  sockaddr_in address = loopback(0);
  socklen_t size = sizeof address;
  if (bind(descriptor, reinterpret_cast<sockaddr *>(&address), size) == 0)
    getsockname(descriptor, reinterpret_cast<sockaddr *>(&address), &size);
  close(descriptor);
  return ntohs(address.sin_port);
}

LocalServer LocalServer::withConfiguration(const TemporaryFolder &folder,
                                           const std::string &text) {
  LocalServer server;
  server.folder = folder.path();
  server.port = freePort();
  std::ofstream file(folder / "nats.conf");
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);)
    if (!line.starts_with("listen"))
      file << line << "\n";
  file << "listen: \"127.0.0.1:" << server.port << "\"\n";
  return server;
}

LocalServer::LocalServer(const TemporaryFolder &folder,
                         const std::string &jetStreamLimits)
    : LocalServer(withConfiguration(
          folder, "max_payload: 2MB\njetstream {\n  store_dir: \"" +
                      (folder / "store") + "\"\n  " + jetStreamLimits +
                      "\n}\n")) {}

bool LocalServer::isListening() const {
  int descriptor = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  sockaddr_in address = loopback(port);
  bool isThere = connect(descriptor, reinterpret_cast<sockaddr *>(&address),
                         sizeof address) == 0;
  close(descriptor);
  return isThere;
}

bool LocalServer::start() {
  process = std::make_unique<ChildProcess>(
      std::vector<std::string>{program(), "-c", folder + "/nats.conf"},
      folder + "/server.log");
  // It listens once JetStream is there.
  while (process->isRunning()) {
    if (isListening())
      return true;
    usleep(20000);
  }
  return false;
}
