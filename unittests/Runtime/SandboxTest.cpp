//===- SandboxTest.cpp - Tests of the sandbox's words ---------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "baco/Runtime/Sandbox.h"

#include <gtest/gtest.h>

#include <sys/mman.h>
#include <sys/syscall.h>

using namespace baco;
using namespace baco::runtime;

TEST(SandboxTest, NamesWhatCandidatesTry) {
  EXPECT_EQ(describeSystemCall(SYS_execve),
            std::to_string(SYS_execve) + " (execve)");
  EXPECT_EQ(describeSystemCall(SYS_clone3),
            std::to_string(SYS_clone3) + " (clone3)");
  EXPECT_EQ(describeSystemCall(100000), "100000");
}

TEST(SandboxTest, AllowsWhatComputingNeedsOnly) {
  for (long call : {SYS_mmap, SYS_munmap, SYS_brk, SYS_write, SYS_futex,
                    SYS_clock_gettime, SYS_exit_group})
    EXPECT_TRUE(isSystemCallAllowed(call)) << call;
  for (long call : {SYS_clone,
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
                    SYS_rt_sigaction,
                    SYS_sched_setaffinity,
                    SYS_unlinkat,
                    SYS_memfd_create,
                    SYS_shmget,
                    SYS_ioctl,
                    SYS_seccomp})
    EXPECT_FALSE(isSystemCallAllowed(call)) << call;
}

TEST(SandboxTest, SeesItsAddressSpace) {
  uint64_t before = addressSpaceInUse();
  ASSERT_GT(before, 0u);
  size_t size = size_t{1} << 30;
  void *mapping = mmap(nullptr, size, PROT_NONE,
                       MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  ASSERT_NE(mapping, MAP_FAILED);
  EXPECT_GE(addressSpaceInUse(), before + size);
  munmap(mapping, size);
}
