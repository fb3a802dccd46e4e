//===- SystemCallsTest.cpp - Tests of the filters' lists ------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What the filters do to candidates is tested in HostileCandidatesTest.
//
//===----------------------------------------------------------------------===//

#include "baco/Runtime/SystemCalls.h"

#include "baco/Runtime/Sandbox.h"
#include "baco/Support/Sanitizer.h"

#include <gtest/gtest.h>

#include <cerrno>
#include <csignal>
#include <fcntl.h>
#include <functional>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace baco;
using namespace baco::runtime;

TEST(SystemCallsTest, NamesWhatCandidatesTry) {
  EXPECT_EQ(describeSystemCall(SYS_execve),
            std::to_string(SYS_execve) + " (execve)");
  EXPECT_EQ(describeSystemCall(SYS_clone3),
            std::to_string(SYS_clone3) + " (clone3)");
  EXPECT_EQ(describeSystemCall(100000), "100000");
}

/// What a filter makes of a call.
struct Answer {
  bool isForbidden = false;
  /// Of the call, if it isn't; 0 if it succeeds.
  int error = 0;
};

using Confine = bool (*)(ControlBlock &);

static bool confineAny(ControlBlock &control) { return confineKernel(control); }

/// Makes a call, with a first argument and zeros, in a confined process.
static Answer answerTo(Confine confine, long call, long argument = 0) {
  pid_t pid = fork();
  if (pid == 0) {
    ControlBlock control{};
    if (!confine(control))
      _exit(255);
    errno = 0;
    syscall(call, argument, 0L, 0L, 0L, 0L, 0L);
    _exit(errno);
  }
  int status = 0;
  EXPECT_EQ(waitpid(pid, &status, 0), pid);
  if (WIFSIGNALED(status)) {
    EXPECT_EQ(WTERMSIG(status), SIGSYS) << call;
    return {/*isForbidden=*/true};
  }
  EXPECT_NE(WEXITSTATUS(status), 255) << "not confined";
  return {/*isForbidden=*/false, WEXITSTATUS(status)};
}

TEST(SystemCallsTest, KernelsMayDoWhatComputingNeedsOnly) {
  for (long call : {SYS_munmap, SYS_brk, SYS_write, SYS_futex,
                    SYS_clock_gettime, SYS_exit_group, SYS_mmap, SYS_mremap})
    EXPECT_FALSE(answerTo(confineAny, call).isForbidden) << call;
  for (long call : {SYS_clone,
                    SYS_clone3,
                    SYS_execve,
                    SYS_execveat,
                    SYS_setsid,
                    SYS_setpgid,
                    SYS_kill,
                    SYS_tkill,
                    SYS_tgkill,
                    SYS_openat,
                    SYS_socket,
                    SYS_connect,
                    SYS_ptrace,
                    SYS_process_vm_writev,
                    SYS_prctl,
                    SYS_rt_sigaction,
                    SYS_sched_setaffinity,
                    SYS_unlinkat,
                    SYS_memfd_create,
                    SYS_shmget,
                    SYS_timer_create,
                    SYS_ioctl,
                    SYS_seccomp,
                    100000})
    EXPECT_TRUE(answerTo(confineAny, call).isForbidden) << call;
  // Its allocator needs that.
  EXPECT_NE(answerTo(confineAny, SYS_mprotect).isForbidden, isAddressSanitized);
}

TEST(SystemCallsTest, CompilersMayDoWhatStaysInTheProcess) {
  for (long call :
       {SYS_mmap, SYS_mprotect, SYS_read, SYS_write, SYS_futex,
        SYS_rt_sigaction, SYS_newfstatat, SYS_getdents64, SYS_prlimit64})
    EXPECT_FALSE(answerTo(confineCompiler, call).isForbidden) << call;
  EXPECT_EQ(answerTo(confineCompiler, 100000).error, ENOSYS);
  for (long call :
       {SYS_execve, SYS_execveat, SYS_kill, SYS_tgkill, SYS_setsid, SYS_ptrace,
        SYS_setuid, SYS_io_uring_setup, SYS_socket, SYS_clone})
    EXPECT_TRUE(answerTo(confineCompiler, call).isForbidden) << call;
  for (long call : {SYS_unlinkat, SYS_renameat2, SYS_mkdirat, SYS_ftruncate,
                    SYS_memfd_create, SYS_shmget})
    EXPECT_EQ(answerTo(confineCompiler, call).error, EROFS) << call;
  for (long call : {SYS_clone3, SYS_openat2})
    EXPECT_EQ(answerTo(confineCompiler, call).error, ENOSYS) << call;
  for (long call : {SYS_setrlimit, SYS_timer_create})
    EXPECT_EQ(answerTo(confineCompiler, call).error, EPERM) << call;
  EXPECT_TRUE(
      answerTo(confineCompiler, SYS_prctl, PR_SET_PDEATHSIG).isForbidden);
  EXPECT_FALSE(
      answerTo(confineCompiler, SYS_prctl, PR_GET_DUMPABLE).isForbidden);
}

/// Whether `work` returns true in a process of its own that is confined.
static bool holdsConfined(const std::function<bool(ControlBlock &)> &confine,
                          const std::function<bool()> &work) {
  pid_t pid = fork();
  if (pid == 0) {
    ControlBlock control{};
    _exit(confine(control) && work() ? 42 : 1);
  }
  int status = 0;
  EXPECT_EQ(waitpid(pid, &status, 0), pid);
  return WIFEXITED(status) && WEXITSTATUS(status) == 42;
}

TEST(SystemCallsTest, CompilersReadFilesAndLimits) {
  EXPECT_TRUE(holdsConfined(confineCompiler, [] {
    rlimit limit{};
    return open("/dev/null", O_RDONLY) >= 0 &&
           open("/dev/null", O_WRONLY) < 0 && errno == EROFS &&
           open("/dev/null", O_RDWR) < 0 && errno == EROFS &&
           open("/nowhere/baco", O_RDONLY | O_CREAT, 0600) < 0 &&
           errno == EROFS && getrlimit(RLIMIT_AS, &limit) == 0 &&
           setrlimit(RLIMIT_AS, &limit) < 0 && errno == EPERM &&
           prctl(PR_GET_DUMPABLE) >= 0;
  }));
}

TEST(SystemCallsTest, KernelsMapMemoryWhereTheSystemWants) {
  EXPECT_TRUE(holdsConfined(confineAny, [] {
    void *block = mmap(nullptr, 8192, PROT_READ | PROT_WRITE,
                       MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (block == MAP_FAILED)
      return false;
    block = mremap(block, 8192, 16384, MREMAP_MAYMOVE);
    return block != MAP_FAILED && munmap(block, 16384) == 0;
  }));
}

TEST(SystemCallsTest, OnlyProtectablePagesMayBecomeReadOnly) {
  if (isAddressSanitized)
    GTEST_SKIP() << "a sanitizer's allocator protects memory";
  constexpr size_t bytes = 3 << 12;
  auto *memory =
      static_cast<std::byte *>(mmap(nullptr, 2 * bytes, PROT_READ | PROT_WRITE,
                                    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
  ASSERT_NE(memory, MAP_FAILED);
  std::span<std::byte> first(memory, bytes), second(memory + bytes, bytes);
  auto endsWith = [&](std::span<std::byte> pages, int protection) {
    pid_t pid = fork();
    if (pid == 0) {
      ControlBlock control{};
      std::span<std::byte> all[] = {{second.data(), 1 << 12}, first};
      if (!confineKernel(control, all))
        _exit(255);
      _exit(mprotect(pages.data(), pages.size(), protection) == 0 ? 1 : 2);
    }
    int status = 0;
    EXPECT_EQ(waitpid(pid, &status, 0), pid);
    return WIFSIGNALED(status) ? -WTERMSIG(status) : WEXITSTATUS(status);
  };
  EXPECT_EQ(endsWith(first, PROT_READ), 1);
  EXPECT_EQ(endsWith(first, PROT_READ | PROT_WRITE), 1);
  EXPECT_EQ(endsWith(second.first(1 << 12), PROT_READ), 1);
  EXPECT_EQ(endsWith(first, PROT_NONE), -SIGSYS);
  EXPECT_EQ(endsWith(first, PROT_READ | PROT_EXEC), -SIGSYS);
  EXPECT_EQ(endsWith(second, PROT_READ), -SIGSYS);
  EXPECT_EQ(endsWith(first.first(1 << 12), PROT_READ), -SIGSYS);
  munmap(memory, 2 * bytes);
}
