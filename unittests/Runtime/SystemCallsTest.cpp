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

#include <gtest/gtest.h>

#include <cerrno>
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

TEST(SystemCallsTest, KernelsMayDoWhatComputingNeedsOnly) {
  for (long call : {SYS_munmap, SYS_brk, SYS_write, SYS_futex,
                    SYS_clock_gettime, SYS_exit_group})
    EXPECT_EQ(verdictOnKernel(call), Verdict::Allowed) << call;
  for (long call : {SYS_mmap, SYS_mremap, SYS_tgkill})
    EXPECT_EQ(verdictOnKernel(call), Verdict::Examined) << call;
  for (int call : {SYS_clone,
                   SYS_clone3,
                   SYS_execve,
                   SYS_execveat,
                   SYS_setsid,
                   SYS_setpgid,
                   SYS_kill,
                   SYS_tkill,
                   SYS_openat,
                   SYS_socket,
                   SYS_connect,
                   SYS_ptrace,
                   SYS_process_vm_writev,
                   SYS_prctl,
                   SYS_mprotect,
                   SYS_rt_sigaction,
                   SYS_sched_setaffinity,
                   SYS_unlinkat,
                   SYS_memfd_create,
                   SYS_shmget,
                   SYS_ioctl,
                   SYS_seccomp,
                   100000})
    EXPECT_EQ(verdictOnKernel(call), Verdict::Forbidden) << call;
}

TEST(SystemCallsTest, CompilersMayDoWhatStaysInTheProcess) {
  for (int call : {SYS_mmap, SYS_mprotect, SYS_read, SYS_write, SYS_futex,
                   SYS_rt_sigaction, SYS_newfstatat, SYS_getdents64, 100000})
    EXPECT_EQ(verdictOnCompiler(call), Verdict::Allowed) << call;
  for (long call : {SYS_execve, SYS_execveat, SYS_kill, SYS_setsid, SYS_ptrace,
                    SYS_setuid, SYS_io_uring_setup, SYS_socket})
    EXPECT_EQ(verdictOnCompiler(call), Verdict::Forbidden) << call;
  for (long call : {SYS_unlinkat, SYS_renameat2, SYS_mkdirat, SYS_ftruncate,
                    SYS_memfd_create, SYS_shmget, SYS_setrlimit, SYS_clone3})
    EXPECT_EQ(verdictOnCompiler(call), Verdict::Refused) << call;
  for (long call :
       {SYS_openat, SYS_clone, SYS_tgkill, SYS_prctl, SYS_prlimit64})
    EXPECT_EQ(verdictOnCompiler(call), Verdict::Examined) << call;
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
  EXPECT_TRUE(holdsConfined(confineKernel, [] {
    void *block = mmap(nullptr, 8192, PROT_READ | PROT_WRITE,
                       MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (block == MAP_FAILED)
      return false;
    block = mremap(block, 8192, 16384, MREMAP_MAYMOVE);
    return block != MAP_FAILED && munmap(block, 16384) == 0;
  }));
}
