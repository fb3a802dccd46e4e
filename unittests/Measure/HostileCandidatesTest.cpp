//===- HostileCandidatesTest.cpp - Tests of what candidates may do --------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Whatever a candidate does, it has its status, the worker goes on, and nothing
// is left of it. The candidates are in unittests/Runtime.
//
//===----------------------------------------------------------------------===//

#include "WorkerFixture.h"

#include "baco/Support/Sanitizer.h"

#include <filesystem>
#include <fstream>
#include <sys/syscall.h>
#include <unistd.h>

using namespace baco;
using namespace baco::measure;
using namespace baco::test;

using HostileCandidatesTest = WorkerTest;

/// That candidates have these outcomes, and a worker with `options` still works
/// after them.
static void expectFaults(const WorkerOptions &options,
                         const std::vector<Fault> &faults) {
  auto worker = startWorker(options);
  ASSERT_TRUE(worker);
  pid_t pid = worker->pid();
  for (const Fault &fault : faults)
    expectFault(*worker, fault);
  EXPECT_EQ(evaluate(*worker, "good").status, Status::Ok);
  EXPECT_EQ(worker->pid(), pid) << "the worker died";
  // The worker, and the yardstick that the good one has become.
  EXPECT_TRUE(areLeft(2)) << "something is left of a candidate";
}

static const std::string call = "called the forbidden system call ";

static Fault forbidden(const char *candidate, long number,
                       const std::string &name) {
  bool isCompiler = std::string(candidate).starts_with("compile-") &&
                    std::string(candidate) != "compile-handle-signals";
  return {candidate, Status::Crashed,
          call + std::to_string(number) + " (" + name + ") while " +
              (isCompiler ? "compiling" : "running")};
}

//===----------------------------------------------------------------------===//
// Parallel kernels
//===----------------------------------------------------------------------===//

TEST_F(HostileCandidatesTest, MembersOfATeam) {
  if (isAddressSanitized)
    GTEST_SKIP() << "a sanitizer's threads make system calls of their own";
  expectFaults(
      makeOptions(),
      {{"parallel-crash", Status::Crashed, "died of SIGSEGV while running"},
       forbidden("parallel-fork", SYS_clone, "clone"),
       {"parallel-hang", Status::TimedOut, "still running"},
       // Right in the first check.
       {"parallel-sometimes", Status::WrongResult,
        "argument 2 differs at [0]"}});
  auto worker = startWorker(makeOptions());
  ASSERT_TRUE(worker);
  Outcome outcome = evaluate(*worker, "parallel-good");
  EXPECT_EQ(outcome.status, Status::Ok) << outcome.message;
  EXPECT_GT(outcome.timeNs, 0);
}

//===----------------------------------------------------------------------===//
// Compilers
//===----------------------------------------------------------------------===//

TEST_F(HostileCandidatesTest, CompilersThatEnd) {
  std::vector<Fault> faults = {
      {"no-transform", Status::TransformFailed, "tile size 3 is odd"},
      {"no-compile", Status::CompileFailed, "error: cannot select"},
      {"compile-segfault", Status::Crashed, "died of SIGSEGV while compiling"},
      {"compile-stack-overflow", Status::Crashed,
       "died of SIGSEGV while compiling"},
      {"compile-abort", Status::Crashed,
       "died of SIGABRT while compiling: assertion i < n does not hold"},
      {"compile-throw", Status::Crashed, "died of SIGABRT while compiling: "},
      {"compile-close-all", Status::Crashed,
       "exited with code 1 while compiling"},
      {"compile-thread", Status::Crashed,
       "left threads behind after compiling (1 in all)"},
  };
  // A sanitizer looks for leaks first, for which it forks.
  faults.push_back(
      {"compile-exit", Status::Crashed,
       isAddressSanitized ? "" : "exited with code 0 while compiling"});
  expectFaults(makeOptions(), faults);
}

TEST_F(HostileCandidatesTest, CompilersThatReachForProcesses) {
  expectFaults(
      makeOptions(),
      {// glibc makes fork a clone, and tries clone3 before it for others.
       forbidden("compile-fork", SYS_clone, "clone"),
       forbidden("compile-fork-bomb", SYS_clone, "clone"),
       forbidden("compile-daemon", SYS_clone, "clone"),
       {"compile-shell", Status::Crashed,
        "called a forbidden system call while compiling"},
       forbidden("compile-exec", SYS_execve, "execve"),
       forbidden("compile-kill-all", SYS_kill, "kill"),
       forbidden("compile-kill-parent", SYS_kill, "kill"),
       forbidden("compile-stop-parent", SYS_kill, "kill"),
       forbidden("compile-signal-parent", SYS_tgkill, "tgkill"),
       forbidden("compile-trace-parent", SYS_ptrace, "ptrace"),
       forbidden("compile-leave-session", SYS_setsid, "setsid"),
       forbidden("compile-survive-parent", SYS_prctl, "prctl"),
       forbidden("compile-other-user", SYS_setuid, "setuid"),
       forbidden("compile-socket", SYS_socket, "socket"),
       forbidden("compile-ring", SYS_io_uring_setup, "io_uring_setup")});
}

TEST_F(HostileCandidatesTest, CompilersThatReachForFilesAndLimits) {
  // Workers start where we are.
  std::filesystem::path before = std::filesystem::current_path();
  std::filesystem::path folder =
      testing::TempDir() + "hostile-" + std::to_string(getpid());
  std::filesystem::create_directory(folder);
  std::filesystem::current_path(folder);
  std::ofstream("baco-hostile") << "precious";
  const std::string readOnly = "Read-only file system";
  expectFaults(
      makeOptions(),
      {{"compile-write-file", Status::CompileFailed, readOnly},
       {"compile-fill-memory", Status::CompileFailed, readOnly},
       {"compile-memfd", Status::CompileFailed, readOnly},
       {"compile-unlink", Status::CompileFailed, readOnly},
       {"compile-mkdir", Status::CompileFailed, readOnly},
       {"compile-raise-limits", Status::CompileFailed,
        "Operation not permitted"},
       forbidden("unlink", SYS_unlink, "unlink"),
       forbidden("shared-memory", SYS_openat, "openat"),
       // Neither leaves a core file.
       {"abort", Status::Crashed, "died of SIGABRT while running"},
       {"compile-abort", Status::Crashed, "died of SIGABRT while compiling"}});
  std::vector<std::string> left;
  for (const auto &entry : std::filesystem::directory_iterator("."))
    left.push_back(entry.path().filename());
  EXPECT_EQ(left, std::vector<std::string>{"baco-hostile"});
  EXPECT_EQ(std::filesystem::file_size("baco-hostile"), 8u);
  EXPECT_FALSE(std::filesystem::exists("/tmp/baco-hostile"));
  EXPECT_FALSE(std::filesystem::exists("/dev/shm/baco-hostile"));
  std::filesystem::current_path(before);
  std::filesystem::remove_all(folder);
}

TEST_F(HostileCandidatesTest, CompilersThatPrepareTheKernelsDeeds) {
  std::vector<Fault> faults = {
      {"compile-ignore-signals", Status::Crashed,
       "died of SIGSEGV while running"},
      forbidden("compile-handle-signals", SYS_clone, "clone"),
      // The others' outputs, while these are measured.
      {"compile-scribble", Status::Crashed, "died of SIGSEGV while compiling"},
      {"scribble", Status::Crashed,
       "overwrote the control block of the measurement while running"},
      {"scribble-and-crash", Status::Crashed, "died of SIGSEGV while running"}};
  expectFaults(makeOptions(), faults);
  auto worker = startWorker(makeOptions());
  ASSERT_TRUE(worker);
  Outcome outcome = evaluate(*worker, "compile-rounding");
  EXPECT_EQ(outcome.status, Status::Ok) << outcome.message;
}

//===----------------------------------------------------------------------===//
// Kernels
//===----------------------------------------------------------------------===//

TEST_F(HostileCandidatesTest, KernelsThatEnd) {
  std::vector<Fault> faults = {
      {"segfault", Status::Crashed, "died of SIGSEGV while running"},
      {"sigfpe", Status::Crashed, "died of SIGFPE while running"},
      {"divide", Status::Crashed, "died of SIGFPE while running"},
      {"illegal", Status::Crashed, "died of SIGILL while running"},
      {"bus", Status::Crashed, "died of SIGBUS while running"},
      {"jump-nowhere", Status::Crashed, "died of SIGSEGV while running"},
      {"run-data", Status::Crashed, "died of SIGSEGV while running"},
      {"write-code", Status::Crashed, "died of SIGSEGV while running"},
      {"abort", Status::Crashed, "died of SIGABRT while running"},
      {"complain", Status::Crashed,
       "died of SIGABRT while running: assertion i < n does not hold"},
      {"throw", Status::Crashed, "died of SIGABRT while running: "},
      {"leave-thread", Status::Crashed, "died of SIGABRT while running: "},
      {"_exit", Status::Crashed, "exited with code 0 while running"},
      {"exit-thread", Status::Crashed, "exited with code 0 while running"},
      {"stack-overflow", Status::Crashed, "died of SIGSEGV while running"},
      forbidden("kill-itself", SYS_tgkill, "tgkill"),
      {"block-and-crash", Status::Crashed, "died of SIGSEGV while running"},
      // A sanitizer has much to do at the end, which is forbidden.
      {"exit", Status::Crashed,
       isAddressSanitized ? call : "exited with code 0 while running"},
  };
  // It has its own allocator, too.
  if (!isAddressSanitized)
    faults.push_back({"free-twice", Status::Crashed,
                      "died of SIGABRT while running: free(): double free"});
  expectFaults(makeOptions(), faults);
}

TEST_F(HostileCandidatesTest, KernelsThatReachForTheSystem) {
  std::vector<Fault> faults = {
      forbidden("fork", SYS_clone, "clone"),
      {"thread", Status::Crashed, call},
      forbidden("exec", SYS_execve, "execve"),
      forbidden("setsid", SYS_setsid, "setsid"),
      forbidden("open", SYS_openat, "openat"),
      forbidden("socket", SYS_socket, "socket"),
      forbidden("memfd", SYS_memfd_create, "memfd_create"),
      forbidden("kill-parent", SYS_kill, "kill"),
      forbidden("kill-all", SYS_kill, "kill"),
      forbidden("stop-parent", SYS_kill, "kill"),
      forbidden("signal-parent", SYS_tgkill, "tgkill"),
      forbidden("ptrace", SYS_ptrace, "ptrace"),
      forbidden("write-to-parent", SYS_process_vm_writev, "process_vm_writev"),
      forbidden("survive-parent", SYS_prctl, "prctl"),
      forbidden("other-user", SYS_setuid, "setuid"),
      forbidden("ignore-sigterm", SYS_rt_sigaction, "rt_sigaction"),
      forbidden("interval", SYS_setitimer, "setitimer"),
      forbidden("raise-limits", SYS_prlimit64, "prlimit64"),
      forbidden("priority", SYS_setpriority, "setpriority"),
      forbidden("other-cpu", SYS_sched_setaffinity, "sched_setaffinity"),
      {"close-socket", Status::Crashed, "exited with code 1 while running"},
      {"close-all", Status::Crashed, "exited with code 1 while running"},
      // Looks like the end of the connection to either side.
      {"empty-packet", Status::Crashed, "exited with code "},
  };
  expectFaults(makeOptions(), faults);
}

TEST_F(HostileCandidatesTest, KernelsThatReachOutsideTheirArguments) {
  const char *floatingPointState =
      "changed the floating-point control register (MXCSR)";
  std::vector<Fault> faults = {
      {"overrun-far", Status::Crashed, "died of SIGSEGV while running"},
      {"overrun", Status::WrongResult, "wrote outside argument 2"},
      {"underrun", Status::WrongResult, "wrote outside argument 1"},
      {"overrun-restored", Status::Crashed, "died of SIGSEGV while running"},
      {"underrun-restored", Status::Crashed, "died of SIGSEGV while running"},
      {"read-before-in-vain", Status::Crashed, "died of SIGSEGV while running"},
      {"read-behind-in-vain", Status::Crashed, "died of SIGSEGV while running"},
      {"read-behind", Status::WrongResult,
       "argument 2 differs at [0]: got nan, expected "},
      {"clobber", Status::WrongResult,
       "wrote to argument 0, which the plain kernel only reads"},
      {"clobber-later", Status::WrongResult, "argument 2 differs at [0]: got "},
      {"wrong-later", Status::WrongResult,
       "argument 2 differs at [0]: got 3, expected "},
      {"last-term-missing", Status::WrongResult,
       "argument 2 differs at [3]: got "},
      {"nan", Status::WrongResult,
       "argument 2 differs at [5]: got nan, expected "},
      {"leave-traps", Status::WrongResult, floatingPointState},
      {"leave-rounding", Status::WrongResult, floatingPointState},
      {"unmap-arguments", Status::Crashed, "died of SIGSEGV while running"},
  };
  if (!isAddressSanitized) {
    faults.push_back(
        {"trust-memory", Status::WrongResult, "argument 2 differs at ["});
    faults.push_back(forbidden("unguard", SYS_mprotect, "mprotect"));
    faults.push_back(forbidden("map-over-guard", SYS_mmap, "mmap"));
  }
  expectFaults(makeOptions(), faults);
}

TEST_F(HostileCandidatesTest, HarmlessDeedsAreNoFaults) {
  auto worker = startWorker(makeOptions());
  ASSERT_TRUE(worker);
  for (const char *name : {"print", "close-output", "flood", "compile-flood"}) {
    Outcome outcome = evaluate(*worker, name);
    EXPECT_EQ(outcome.status, Status::Ok) << name << ": " << outcome.message;
    EXPECT_EQ(outcome.message, "") << name;
  }
}

//===----------------------------------------------------------------------===//
// Both
//===----------------------------------------------------------------------===//

TEST_F(HostileCandidatesTest, WithoutEndAreStopped) {
  WorkerOptions options = makeOptions();
  options.measure.limits.runTimeoutMs = 100;
  options.measure.limits.compileTimeoutMs = 100;
  const std::string running = "still running after ",
                    compiling = "still compiling after ";
  expectFaults(options,
               {{"hang", Status::TimedOut, running},
                {"sleep", Status::TimedOut, running},
                {"stop-itself", Status::TimedOut, running},
                {"block-and-hang", Status::TimedOut, running},
                {"steal-command", Status::TimedOut, running},
                {"lie", Status::TimedOut, running},
                {"flood-socket", Status::TimedOut, running},
                {"garbage-socket", Status::TimedOut, running},
                {"compile-hang", Status::TimedOut, compiling},
                {"compile-stop-itself", Status::TimedOut, compiling},
                {"compile-fake-answers", Status::TimedOut, compiling}});
  // Its timer would end it before, but is gone.
  options.measure.limits.runTimeoutMs = 1000;
  expectFaults(options, {{"compile-interval", Status::TimedOut, running}});
}

TEST_F(HostileCandidatesTest, MemoryExhaustionIsToldFromCrashes) {
  if (isAddressSanitized)
    GTEST_SKIP() << "the address space is not limited under a sanitizer";
  const std::string running = "ran out of memory while running (limit 256 MiB)";
  expectFaults(makeOptions(),
               {{"allocate-new", Status::OutOfMemory, running},
                {"allocate-malloc", Status::OutOfMemory, running},
                {"allocate-mmap", Status::OutOfMemory, running},
                {"compile-allocate", Status::OutOfMemory,
                 "ran out of memory while compiling (limit 256 MiB)"}});
}
