//===- RunCommand.cpp - One run of a command ------------------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The supervisor is forked, and never runs another program; so it calls only
// functions that are safe in a process forked from several threads.
//
//===----------------------------------------------------------------------===//

#include "baco/Command/RunCommand.h"

#include "baco/Protocol/Clock.h"

#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <fcntl.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace baco;
using namespace baco::command;
using runtime::nowNs;

/// How long a command that is to end has for it before SIGKILL.
static constexpr int64_t graceNs = 300'000'000;
/// After that even processes that can't be killed (in a hung file system) are
/// given up.
static constexpr int64_t lastGraceNs = 5'000'000'000;

namespace {
/// The supervisor's report.
struct Report {
  CommandEnd::Kind kind;
  int code;
  double wallNs, cpuNs;
};

/// Two ends of a pipe that no other program inherits.
struct Pipe {
  int ends[2] = {-1, -1};

  Pipe() = default;
  Pipe(const Pipe &) = delete;
  Pipe &operator=(const Pipe &) = delete;
  ~Pipe() {
    closeEnd(0);
    closeEnd(1);
  }
  bool open() { return pipe2(ends, O_CLOEXEC) == 0; }
  void closeEnd(int which) {
    if (ends[which] >= 0)
      close(ends[which]);
    ends[which] = -1;
  }
};
} // namespace

//===----------------------------------------------------------------------===//
// The supervisor
//===----------------------------------------------------------------------===//

/// The descriptors of the supervisor.
enum : int { reportDescriptor = 3 };

/// Sends SIGKILL to the children of this process, which has one thread.
static void killChildren(pid_t self) {
  // snprintf isn't safe here.
  char path[64] = "/proc/self/task/";
  char digits[16];
  size_t length = std::strlen(path), count = 0;
  for (pid_t rest = self; rest > 0; rest /= 10)
    digits[count++] = static_cast<char>('0' + rest % 10);
  while (count > 0)
    path[length++] = digits[--count];
  std::memcpy(path + length, "/children", sizeof "/children");
  int file = open(path, O_RDONLY | O_CLOEXEC);
  if (file < 0)
    return;
  char text[4096];
  pid_t process = 0;
  ssize_t size;
  while ((size = read(file, text, sizeof text)) > 0)
    for (ssize_t i = 0; i < size; ++i)
      if (text[i] >= '0' && text[i] <= '9') {
        process = process * 10 + (text[i] - '0');
      } else if (process > 0) {
        kill(process, SIGKILL);
        process = 0;
      }
  if (process > 0)
    kill(process, SIGKILL);
  close(file);
}

namespace {
class Supervisor {
public:
  Supervisor(char *const *arguments, char *const *environment,
             int64_t timeoutMs)
      : arguments(arguments), environment(environment),
        timeoutNs(timeoutMs * 1'000'000) {}

  [[noreturn]] void run(const sigset_t &waited, const sigset_t &restored);

private:
  [[noreturn]] void execute(const sigset_t &mask);
  void reap();
  bool waitUntil(int64_t deadlineNs, const sigset_t &waited);
  void end();

  char *const *arguments;
  char *const *environment;
  int64_t timeoutNs;
  pid_t shell = -1;
  bool hasEnded = false, isGivenUp = false;
  int status = 0;
  rusage usage = {};
};
} // namespace

void Supervisor::execute(const sigset_t &mask) {
  setsid();
  close(reportDescriptor);
  for (int signal = 1; signal < NSIG; ++signal)
    ::signal(signal, SIG_DFL);
  sigprocmask(SIG_SETMASK, &mask, nullptr);
  // Ends with the supervisor, should somebody kill that.
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  execve(arguments[0], arguments, environment);
  constexpr char large[] = "the command and its environment are too long\n",
                 other[] = "/bin/sh can't be started\n";
  if (errno == E2BIG)
    (void)!write(STDERR_FILENO, large, sizeof large - 1);
  else
    (void)!write(STDERR_FILENO, other, sizeof other - 1);
  _exit(127);
}

void Supervisor::reap() {
  int ended;
  rusage used;
  pid_t process;
  while ((process = wait4(-1, &ended, WNOHANG, &used)) > 0)
    if (process == shell) {
      hasEnded = true;
      status = ended;
      usage = used;
    }
}

/// Waits for the shell's end; false if that doesn't come in time, or it is
/// given up.
bool Supervisor::waitUntil(int64_t deadlineNs, const sigset_t &waited) {
  while (true) {
    reap();
    if (hasEnded)
      return true;
    int64_t leftNs = deadlineNs - nowNs();
    if (leftNs <= 0)
      return false;
    timespec left = {leftNs / 1'000'000'000, leftNs % 1'000'000'000};
    if (sigtimedwait(&waited, nullptr, &left) == SIGTERM) {
      bool isFirst = !isGivenUp;
      isGivenUp = true;
      if (isFirst)
        return false;
    }
  }
}

/// Ends all that is left.
void Supervisor::end() {
  int64_t deadlineNs = nowNs() + lastGraceNs;
  pid_t self = getpid();
  while (true) {
    // Whoever loses its parent becomes a child of this process.
    killChildren(self);
    if (!hasEnded)
      kill(-shell, SIGKILL);
    reap();
    siginfo_t info = {};
    if (waitid(P_ALL, 0, &info, WEXITED | WNOHANG | WNOWAIT) < 0 &&
        errno == ECHILD)
      return;
    if (nowNs() > deadlineNs)
      return;
    timespec pause = {0, 1'000'000};
    nanosleep(&pause, nullptr);
  }
}

void Supervisor::run(const sigset_t &waited, const sigset_t &restored) {
  int64_t begin = nowNs();
  shell = _Fork();
  if (shell == 0)
    execute(restored);
  Report report = {CommandEnd::Stopped, errno, 0, 0};
  // The command's output ends when the last process that has it does.
  int nowhere = open("/dev/null", O_RDWR | O_CLOEXEC);
  dup2(nowhere, STDOUT_FILENO);
  dup2(nowhere, STDERR_FILENO);
  if (shell > 0) {
    bool isOver = !waitUntil(begin + timeoutNs, waited);
    report.wallNs = double(nowNs() - begin);
    if (isOver) {
      report.kind = isGivenUp ? CommandEnd::Stopped : CommandEnd::TimedOut;
      kill(-shell, SIGTERM);
      // A second request is no reason to wait less.
      isGivenUp = true;
      waitUntil(nowNs() + graceNs, waited);
    } else if (WIFSIGNALED(status)) {
      report.kind = CommandEnd::Signaled;
      report.code = WTERMSIG(status);
    } else {
      report.kind = CommandEnd::Exited;
      report.code = WEXITSTATUS(status);
    }
    end();
    auto ns = [](const timeval &time) {
      return double(time.tv_sec) * 1e9 + double(time.tv_usec) * 1e3;
    };
    report.cpuNs = ns(usage.ru_utime) + ns(usage.ru_stime);
  }
  (void)!write(reportDescriptor, &report, sizeof report);
  _exit(0);
}

//===----------------------------------------------------------------------===//
// The caller
//===----------------------------------------------------------------------===//

/// Environment as execve takes it.
static std::vector<std::string>
joinEnvironment(const std::vector<std::pair<std::string, std::string>> &added) {
  std::vector<std::string> all;
  for (char **entry = environ; *entry; ++entry) {
    std::string_view text = *entry;
    bool isReplaced = false;
    for (const auto &[name, value] : added)
      isReplaced |= text.size() > name.size() && text[name.size()] == '=' &&
                    text.starts_with(name);
    if (!isReplaced)
      all.emplace_back(text);
  }
  for (const auto &[name, value] : added)
    all.push_back(name + "=" + value);
  return all;
}

static std::vector<char *> pointersOf(std::vector<std::string> &texts) {
  std::vector<char *> pointers;
  for (std::string &text : texts)
    pointers.push_back(text.data());
  pointers.push_back(nullptr);
  return pointers;
}

/// Appends what can be read from `end`, and keeps the last part of all. Returns
/// the number of bytes; 0 at the end, -1 if there is nothing now.
static ssize_t readInto(int end, std::string &kept) {
  char bytes[65536];
  ssize_t size = read(end, bytes, sizeof bytes);
  if (size <= 0)
    return size < 0 && (errno == EAGAIN || errno == EINTR) ? -1 : 0;
  kept.append(bytes, static_cast<size_t>(size));
  if (kept.size() > 2 * maxKeptBytes)
    kept.erase(0, kept.size() - maxKeptBytes);
  return size;
}

namespace {
/// The caller, while the command runs.
class Listener {
public:
  Listener(pid_t supervisor, Pipe &output, Pipe &errors, Pipe &report)
      : supervisor(supervisor), output(output), errors(errors), report(report) {
  }

  Result<CommandEnd> listen(const CommandLimits &limits,
                            const std::function<bool()> &isStopped);

private:
  void drain(Pipe &pipe, std::string &kept);

  pid_t supervisor;
  Pipe &output, &errors, &report;
  uint64_t total = 0;
};
} // namespace

void Listener::drain(Pipe &pipe, std::string &kept) {
  ssize_t size = readInto(pipe.ends[0], kept);
  if (size == 0)
    pipe.closeEnd(0);
  else if (size > 0)
    total += static_cast<uint64_t>(size);
}

Result<CommandEnd> Listener::listen(const CommandLimits &limits,
                                    const std::function<bool()> &isStopped) {
  CommandEnd end;
  bool isTooMuch = false, isAsked = false;
  auto give = [&] {
    if (!std::exchange(isAsked, true))
      kill(supervisor, SIGTERM);
  };
  Report received = {};
  bool hasReport = false;
  constexpr int64_t slackNs = 10'000'000'000;
  int64_t deadlineNs =
      nowNs() + limits.timeoutMs * 1'000'000 + graceNs + lastGraceNs + slackNs;
  while (!hasReport) {
    // Somebody has stopped the supervisor.
    if (nowNs() > deadlineNs)
      kill(supervisor, SIGKILL);

    std::array<pollfd, 3> waiting = {pollfd{output.ends[0], POLLIN, 0},
                                     pollfd{errors.ends[0], POLLIN, 0},
                                     pollfd{report.ends[0], POLLIN, 0}};
    // A stop is noticed soon.
    constexpr int intervalMs = 50;
    poll(waiting.data(), waiting.size(), intervalMs);
    if (waiting[0].revents)
      drain(output, end.output);
    if (waiting[1].revents)
      drain(errors, end.errors);
    if (waiting[2].revents) {
      if (read(report.ends[0], &received, sizeof received) !=
          static_cast<ssize_t>(sizeof received))
        break;
      hasReport = true;
    }
    if (total > limits.maxOutputBytes && !isTooMuch) {
      isTooMuch = true;
      give();
    }
    if (isStopped && isStopped())
      give();
  }
  // All writers have ended.
  while (hasReport && output.ends[0] >= 0 &&
         readInto(output.ends[0], end.output) > 0) {
  }
  while (hasReport && errors.ends[0] >= 0 &&
         readInto(errors.ends[0], end.errors) > 0) {
  }
  while (waitpid(supervisor, nullptr, 0) < 0 && errno == EINTR) {
  }
  // Somebody has killed the supervisor: that says nothing of the command.
  if (!hasReport)
    return end;
  if (received.kind == CommandEnd::Stopped && received.wallNs == 0)
    return Error{ErrorCode::IOError, std::string("cannot start a process: ") +
                                         std::strerror(received.code)};
  for (std::string *text : {&end.output, &end.errors})
    if (text->size() > maxKeptBytes)
      text->erase(0, text->size() - maxKeptBytes);
  end.kind = isTooMuch ? CommandEnd::TooMuchOutput : received.kind;
  end.code = received.code;
  end.wallNs = received.wallNs;
  end.cpuNs = received.cpuNs;
  return end;
}

Result<CommandEnd> command::runCommand(
    const std::string &line,
    const std::vector<std::pair<std::string, std::string>> &environment,
    const CommandLimits &limits, const std::function<bool()> &isStopped) {
  std::vector<std::string> words = {"/bin/sh", "-c", line};
  std::vector<std::string> variables = joinEnvironment(environment);
  std::vector<char *> arguments = pointersOf(words),
                      entries = pointersOf(variables);
  Pipe output, errors, report;
  int nothing = open("/dev/null", O_RDONLY | O_CLOEXEC);
  auto fail = [&](const char *what) {
    int reason = errno;
    if (nothing >= 0)
      close(nothing);
    return Error{ErrorCode::IOError,
                 std::string(what) + ": " + std::strerror(reason)};
  };
  if (nothing < 0 || !output.open() || !errors.open() || !report.open())
    return fail("cannot open a pipe for a command");
  for (Pipe *pipe : {&output, &errors})
    fcntl(pipe->ends[0], F_SETFL, O_NONBLOCK);
  // The supervisor waits for signals; it must not run handlers of this process.
  sigset_t all, waited, before;
  sigfillset(&all);
  sigemptyset(&waited);
  sigaddset(&waited, SIGCHLD);
  sigaddset(&waited, SIGTERM);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  pid_t parent = getpid();
  pid_t supervisor = _Fork();
  if (supervisor == 0) {
    prctl(PR_SET_PDEATHSIG, SIGTERM);
    prctl(PR_SET_CHILD_SUBREAPER, 1);
    if (getppid() != parent)
      _exit(1);
    // A process that has SIGCHLD ignored gets no status of children.
    ::signal(SIGCHLD, SIG_DFL);
    int ends[] = {nothing, output.ends[1], errors.ends[1], report.ends[1]};
    // Who kills tuners by their name shouldn't kill what ends their commands.
    prctl(PR_SET_NAME, "baco-run");
    // Above the numbers that they get, so that none is overwritten. The other
    // ends aren't needed, and there may be no more descriptors.
    for (Pipe *pipe : {&output, &errors, &report})
      close(pipe->ends[0]);
    bool isShort = false;
    for (int &end : ends) {
      int moved = fcntl(end, F_DUPFD_CLOEXEC, 16);
      isShort |= moved < 0;
      end = moved;
    }
    if (isShort) {
      Report failure = {CommandEnd::Stopped, EMFILE, 0, 0};
      (void)!write(report.ends[1], &failure, sizeof failure);
      _exit(1);
    }
    for (int number = 0; number < 4; ++number)
      dup2(ends[number], number);
    syscall(SYS_close_range, 4, ~0U, 0);
    sigset_t none;
    sigemptyset(&none);
    Supervisor(arguments.data(), entries.data(), limits.timeoutMs)
        .run(waited, none);
  }
  int reason = errno;
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
  errno = reason;
  if (supervisor < 0)
    return fail("cannot start a process");
  close(nothing);
  output.closeEnd(1);
  errors.closeEnd(1);
  report.closeEnd(1);
  return Listener(supervisor, output, errors, report).listen(limits, isStopped);
}
