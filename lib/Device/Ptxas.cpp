//===- Ptxas.cpp - NVIDIA's assembler -------------------------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "baco/Device/Ptxas.h"

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdint>
#include <cstring>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace baco;
using namespace baco::runtime;

/// The largest report; the rest is read and dropped.
static constexpr size_t maxReportBytes = 64 << 10;

namespace {
/// The head of the helper's answer; the report and the code follow.
struct Answer {
  /// The exit status that wait returns.
  int32_t status = 0;
  /// The system call that failed in the helper; 0: none.
  int32_t error = 0;
  uint64_t reportBytes = 0, codeBytes = 0;
};
} // namespace

/// Calls `transfer` with the rest of `bytes` bytes until all are through.
template <typename Transfer>
static bool repeat(char *next, size_t bytes, Transfer transfer) {
  while (bytes > 0) {
    ssize_t n = transfer(next, bytes);
    if (n < 0 && errno == EINTR)
      continue;
    if (n <= 0)
      return false;
    next += n;
    bytes -= n;
  }
  return true;
}

static bool writeAll(int descriptor, const void *from, size_t bytes) {
  return repeat(
      static_cast<char *>(const_cast<void *>(from)), bytes,
      [&](char *next, size_t left) { return write(descriptor, next, left); });
}

/// The same to a socket that may be closed.
static bool sendAll(int socket, const void *from, size_t bytes) {
  return repeat(static_cast<char *>(const_cast<void *>(from)), bytes,
                [&](char *next, size_t left) {
                  return send(socket, next, left, MSG_NOSIGNAL);
                });
}

static bool readAll(int descriptor, void *to, size_t bytes) {
  return repeat(static_cast<char *>(to), bytes, [&](char *next, size_t left) {
    return read(descriptor, next, left);
  });
}

//===----------------------------------------------------------------------===//
// The helper
//===----------------------------------------------------------------------===//

/// Lets this process die with `parent`. False if `parent` is dead already.
static bool dieWith(pid_t parent) {
  return prctl(PR_SET_PDEATHSIG, SIGKILL) == 0 && getppid() == parent;
}

/// Becomes ptxas: its text is its standard input, and its code goes to `code`.
[[noreturn]] static void becomePtxas(const std::string &program,
                                     const std::string &chip, int text,
                                     int code, int report, pid_t parent) {
  if (!dieWith(parent))
    _exit(127);
  // All but `text` and `code` close on execution; these may be below 3.
  int high = fcntl(code, F_DUPFD, 16);
  dup2(text, 0);
  dup2(report, 1);
  dup2(report, 2);
  std::string arch = "-arch=" + chip;
  std::string output = "/proc/self/fd/" + std::to_string(high);
  const char *arguments[] = {program.c_str(), "-v", arch.c_str(),
                             "/dev/stdin",    "-o", output.c_str(),
                             nullptr};
  execv(program.c_str(), const_cast<char **>(arguments));
  std::string message =
      "error: " + program + " can't be run: " + std::strerror(errno) + "\n";
  writeAll(1, message.data(), message.size());
  _exit(127);
}

/// Runs ptxas on the file `text`; its code goes to the file `code`.
static Answer runPtxas(const std::string &program, const std::string &chip,
                       int text, int code, std::string &report) {
  Answer answer;
  int pipes[2];
  if (pipe2(pipes, O_CLOEXEC) != 0) {
    answer.error = errno;
    return answer;
  }
  pid_t self = getpid(), pid = fork();
  if (pid == 0)
    becomePtxas(program, chip, text, code, pipes[1], self);
  answer.error = pid < 0 ? errno : 0;
  close(pipes[1]);
  char bytes[4096];
  while (pid > 0) {
    ssize_t n = read(pipes[0], bytes, sizeof bytes);
    if (n < 0 && errno == EINTR)
      continue;
    if (n <= 0)
      break;
    report.append(bytes, std::min<size_t>(n, maxReportBytes - report.size()));
  }
  close(pipes[0]);
  while (pid > 0 && waitpid(pid, &answer.status, 0) < 0 && errno == EINTR) {
  }
  return answer;
}

/// Answers one text on the socket 0. False if there is none any more.
static bool answerText(const std::string &program, const std::string &chip) {
  uint64_t size = 0;
  if (!readAll(0, &size, sizeof size))
    return false;
  std::string ptx(size, '\0');
  if (!readAll(0, ptx.data(), size))
    return false;
  int text = memfd_create("ptx", MFD_CLOEXEC);
  int code = memfd_create("cubin", MFD_CLOEXEC);
  Answer answer;
  std::string report, made;
  if (text < 0 || code < 0 || !writeAll(text, ptx.data(), ptx.size()) ||
      lseek(text, 0, SEEK_SET) != 0)
    answer.error = errno;
  else
    answer = runPtxas(program, chip, text, code, report);
  struct stat file{};
  if (answer.error == 0 && answer.status == 0 && fstat(code, &file) == 0) {
    made.resize(file.st_size);
    if (lseek(code, 0, SEEK_SET) != 0 ||
        !readAll(code, made.data(), made.size()))
      made.clear();
  }
  close(text);
  close(code);
  answer.reportBytes = report.size();
  answer.codeBytes = made.size();
  return writeAll(0, &answer, sizeof answer) &&
         writeAll(0, report.data(), report.size()) &&
         writeAll(0, made.data(), made.size());
}

/// The life of the helper. Nothing of this process stays open in it.
[[noreturn]] static void runHelper(const std::string &program,
                                   const std::string &chip, int socket,
                                   pid_t parent) {
  std::signal(SIGPIPE, SIG_IGN);
  if (!dieWith(parent) || dup2(socket, 0) != 0 ||
      syscall(SYS_close_range, 1u, ~0u, 0u) != 0)
    _exit(1);
  // For 1 and 2.
  int null = open("/dev/null", O_RDWR);
  dup2(null, 2);
  fcntl(0, F_SETFD, FD_CLOEXEC);
  while (answerText(program, chip)) {
  }
  _exit(0);
}

//===----------------------------------------------------------------------===//
// The caller
//===----------------------------------------------------------------------===//

Result<std::unique_ptr<PtxAssembler>>
PtxAssembler::start(const std::string &program, const std::string &chip) {
  auto failed = [](const char *what) {
    return Error{ErrorCode::IOError,
                 std::string(what) + " failed: " + std::strerror(errno)};
  };
  std::unique_ptr<PtxAssembler> assembler(new PtxAssembler());
  int sockets[2];
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, sockets) != 0)
    return failed("socketpair");
  assembler->socket = sockets[0];
  pid_t self = getpid(), pid = fork();
  if (pid == 0)
    runHelper(program, chip, sockets[1], self);
  Error error = failed("fork");
  close(sockets[1]);
  if (pid < 0)
    return error;
  assembler->process = pid;
  return assembler;
}

PtxAssembler::~PtxAssembler() {
  if (socket >= 0)
    close(socket);
  while (process > 0 && waitpid(process, nullptr, 0) < 0 && errno == EINTR) {
  }
}

/// Why ptxas failed, or nothing.
static std::string describeFailure(const Answer &answer,
                                   const std::string &report) {
  if (answer.error != 0)
    return std::string("ptxas can't be run: ") + std::strerror(answer.error);
  if (WIFSIGNALED(answer.status))
    return "ptxas was ended by signal " +
           std::to_string(WTERMSIG(answer.status));
  int code = WEXITSTATUS(answer.status);
  if (code == 0)
    return "";
  std::string why = findPtxasError(report);
  return "ptxas: " + (why.empty() ? "exit code " + std::to_string(code) : why);
}

Result<Assembly> PtxAssembler::assemble(std::string_view ptx) {
  uint64_t size = ptx.size();
  Answer answer;
  std::string report;
  Assembly assembly;
  bool isDone = sendAll(socket, &size, sizeof size) &&
                sendAll(socket, ptx.data(), ptx.size()) &&
                readAll(socket, &answer, sizeof answer);
  if (isDone) {
    report.resize(answer.reportBytes);
    assembly.code.resize(answer.codeBytes);
    isDone = readAll(socket, report.data(), report.size()) &&
             readAll(socket, assembly.code.data(), assembly.code.size());
  }
  if (!isDone)
    return Error{ErrorCode::IOError, "the process that runs ptxas has ended"};
  assembly.error = describeFailure(answer, report);
  if (assembly.error.empty())
    assembly.kernels = parsePtxasReport(report);
  return assembly;
}
