//===- WorkerProcessTest.cpp - Tests of both sides of the harness ---------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "baco/Measure/WorkerProcess.h"

#include "baco/Runtime/Sandbox.h"

#include <gtest/gtest.h>

#include <cmath>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <linux/capability.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace baco;
using namespace baco::measure;

namespace {
/// A copy of the test worker under a name of its own, by which its processes
/// are told from those of other tests that run at the same time: everybody can
/// see the name of a process.
class WorkerProgram : public testing::Environment {
public:
  static std::string name() { return "bacow-" + std::to_string(getpid()); }
  static std::string path() { return testing::TempDir() + name(); }

  void SetUp() override {
    std::filesystem::copy_file(
        BACO_TEST_WORKER, path(),
        std::filesystem::copy_options::overwrite_existing);
  }
  void TearDown() override { std::filesystem::remove(path()); }
};

const std::string workerName = WorkerProgram::name();
const std::string workerPath = WorkerProgram::path();
testing::Environment *const workerProgram =
    testing::AddGlobalTestEnvironment(new WorkerProgram);

/// Options under which the test worker's candidates are done at once.
WorkerOptions makeOptions() {
  WorkerOptions options;
  options.program = workerPath;
  options.measure.timing = {2, 12, 1, 3};
  options.measure.limits.memoryLimitMiB = 256;
  // What hangs is waited for; what does not has time on a busy machine.
  options.measure.limits.runTimeoutMs = 10000;
  return options;
}

std::unique_ptr<WorkerProcess> startWorker(WorkerOptions options) {
  auto worker = WorkerProcess::start(std::move(options));
  EXPECT_TRUE(worker) << worker.error().message;
  return worker ? std::move(*worker) : nullptr;
}

std::string errorOfStart(WorkerOptions options) {
  auto worker = WorkerProcess::start(std::move(options));
  return worker ? "started" : worker.error().message;
}

Outcome evaluate(WorkerProcess &worker, const std::string &candidate) {
  static uint64_t trial = 1000;
  Result<void> submitted = worker.submit(++trial, candidate);
  EXPECT_TRUE(submitted) << submitted.error().message;
  Result<Outcome> outcome = worker.wait(trial);
  EXPECT_TRUE(outcome) << outcome.error().message;
  return outcome ? *outcome : Outcome();
}

/// The worker and everything that was forked by it, wherever it went.
std::vector<pid_t> findWorkers() {
  std::vector<pid_t> found;
  for (const auto &entry : std::filesystem::directory_iterator("/proc")) {
    std::string number = entry.path().filename(), stat;
    if (number.find_first_not_of("0123456789") != std::string::npos)
      continue;
    // "PID (NAME) STATE ...": the dead wait for init, which may take its time.
    std::ifstream file(entry.path() / "stat");
    std::string start = number + " (" + workerName + ") ";
    if (std::getline(file, stat) && stat.rfind(start, 0) == 0 &&
        stat[start.size()] != 'Z' && stat[start.size()] != 'X')
      found.push_back(std::stoi(number));
  }
  return found;
}

/// Whether no worker and none of its descendants is left, after a while in
/// which the system may clean up.
bool nobodyIsLeft() {
  for (int i = 0; i < 5000; ++i) {
    if (findWorkers().empty())
      return true;
    poll(nullptr, 0, 1);
  }
  return false;
}

class WorkerProcessTest : public testing::Test {
protected:
  void TearDown() override { EXPECT_TRUE(nobodyIsLeft()); }
};
} // namespace

//===----------------------------------------------------------------------===//
// Set-up
//===----------------------------------------------------------------------===//

TEST_F(WorkerProcessTest, SaysWhatItMeasures) {
  auto worker = startWorker(makeOptions());
  ASSERT_TRUE(worker);
  const ReadyInfo &info = worker->ready();
  EXPECT_EQ(info.signature.arguments.size(), 3u);
  EXPECT_EQ(info.signature.reductionLength, 16);
  EXPECT_EQ(info.plain.status, Status::Ok);
  EXPECT_GT(info.plain.timeNs, 0);
  EXPECT_GE(info.plain.numSamples, 3);
  EXPECT_GE(info.cpu, 0);
}

TEST_F(WorkerProcessTest, AMissingProgramIsNamed) {
  WorkerOptions options = makeOptions();
  options.program = "/nowhere/baco-worker";
  EXPECT_EQ(errorOfStart(options),
            "cannot start the worker '/nowhere/baco-worker' (No such file or "
            "directory): build it or set BACO_WORKER");
  options.program = "/etc/passwd";
  EXPECT_EQ(errorOfStart(options),
            "cannot start the worker '/etc/passwd' (Permission denied): build "
            "it or set BACO_WORKER");
}

TEST_F(WorkerProcessTest, OtherProgramsAreRecognized) {
  WorkerOptions options = makeOptions();
  options.program = "/bin/false";
  EXPECT_EQ(errorOfStart(options),
            "worker '/bin/false' exited with code 1 while it was set up: is it "
            "a baco-worker? Set BACO_WORKER to the right one");
}

TEST_F(WorkerProcessTest, SilentProgramsAreNotWaitedForLong) {
  auto script = std::filesystem::temp_directory_path() /
                ("baco-silent-" + std::to_string(getpid()));
  std::ofstream(script) << "#!/bin/sh\nexec sleep 1000\n";
  std::filesystem::permissions(script, std::filesystem::perms::owner_all);
  WorkerOptions options = makeOptions();
  options.program = script;
  options.startTimeoutMs = 50;
  EXPECT_EQ(errorOfStart(options),
            "worker '" + script.string() + "' did not get ready within 50 ms");
  std::filesystem::remove(script);
}

TEST_F(WorkerProcessTest, OtherVersionsAreRecognized) {
  auto script = std::filesystem::temp_directory_path() /
                ("baco-version-" + std::to_string(getpid()));
  // 44 bytes of text behind their length.
  std::ofstream(script)
      << "#!/bin/sh\nprintf "
         "'\\054\\0\\0\\0{\"kind\":\"hello\",\"body\":{\"version\":99999999}}' "
         ">&3\nexec sleep 1000\n";
  std::filesystem::permissions(script, std::filesystem::perms::owner_all);
  WorkerOptions options = makeOptions();
  options.program = script;
  EXPECT_EQ(errorOfStart(options),
            "worker '" + script.string() +
                "' speaks version 99999999 of the protocol, but version " +
                std::to_string(runtime::protocolVersion) +
                " is needed: build it anew or set BACO_WORKER");
  std::filesystem::remove(script);
}

TEST_F(WorkerProcessTest, ASetUpThatFailsSaysWhy) {
  WorkerOptions options = makeOptions();
  options.text = "fail";
  EXPECT_EQ(errorOfStart(options), "the kernel does not parse");
  options.text = "throw";
  EXPECT_EQ(errorOfStart(options), "thrown by the set-up");
  options.text = "dynamic";
  EXPECT_EQ(errorOfStart(options), "argument 0 has the extent -1: only static "
                                   "shapes can be measured");
  options.text = "crash";
  EXPECT_EQ(errorOfStart(options),
            "worker '" + workerPath +
                "' died of SIGABRT while it was set up: is it a baco-worker? "
                "Set BACO_WORKER to the right one");
}

TEST_F(WorkerProcessTest, APlainKernelThatFailsSaysWhy) {
  const std::pair<const char *, const char *> cases[] = {
      {"no-compile", "(compile-failed): error: cannot select"},
      {"segfault", "(crashed): died of SIGSEGV while running"},
      {"compile-abort", "(crashed): died of SIGABRT while compiling: assertion "
                        "i < n does not hold"},
      {"overrun", "(wrong-result): wrote outside argument 2"}};
  for (auto [plain, why] : cases) {
    WorkerOptions options = makeOptions();
    options.text = std::string("plain=") + plain;
    EXPECT_EQ(errorOfStart(options),
              std::string("the plain kernel, which gives the reference, "
                          "failed ") +
                  why);
  }
}

TEST_F(WorkerProcessTest, APlainKernelThatHangsIsStopped) {
  WorkerOptions options = makeOptions();
  options.text = "plain=hang";
  options.measure.limits.setupTimeoutMs = 100;
  std::string message = errorOfStart(options);
  EXPECT_NE(message.find("(timed-out): still running after"), std::string::npos)
      << message;
}

TEST_F(WorkerProcessTest, OptionsAreChecked) {
  WorkerOptions options = makeOptions();
  options.measure.timing.trialMs = 0;
  EXPECT_NE(errorOfStart(options).find("time of a trial"), std::string::npos);
  options = makeOptions();
  options.measure.cpu = 1000;
  EXPECT_EQ(errorOfStart(options).find("CPU 1000 cannot be measured"), 0u);
}

//===----------------------------------------------------------------------===//
// Candidates
//===----------------------------------------------------------------------===//

TEST_F(WorkerProcessTest, GoodCandidatesAreTimed) {
  auto worker = startWorker(makeOptions());
  ASSERT_TRUE(worker);
  for (const char *name :
       {"good", "backward", "print", "close-output", "flood"}) {
    Outcome outcome = evaluate(*worker, name);
    EXPECT_EQ(outcome.status, Status::Ok) << name << ": " << outcome.message;
    EXPECT_EQ(outcome.message, "");
    EXPECT_GT(outcome.timeNs, 0);
    EXPECT_GE(outcome.numSamples, 3);
    EXPECT_GE(outcome.spread, 0);
    EXPECT_GT(outcome.compileNs, 0);
    EXPECT_GT(outcome.runNs, 0);
  }
}

namespace {
struct Fault {
  const char *candidate;
  Status status;
  std::string message;
};
} // namespace

static void expectFault(WorkerProcess &worker, const Fault &fault) {
  Outcome outcome = evaluate(worker, fault.candidate);
  EXPECT_EQ(statusName(outcome.status), statusName(fault.status))
      << fault.candidate << ": " << outcome.message;
  EXPECT_EQ(outcome.message.substr(0, fault.message.size()), fault.message)
      << fault.candidate;
  EXPECT_TRUE(std::isnan(outcome.timeNs)) << fault.candidate;
  EXPECT_EQ(outcome.numSamples, 0) << fault.candidate;
}

TEST_F(WorkerProcessTest, EachCompilationFaultHasItsStatus) {
  auto worker = startWorker(makeOptions());
  ASSERT_TRUE(worker);
  const Fault faults[] = {
      {"no-transform", Status::TransformFailed, "tile size 3 is odd"},
      {"no-compile", Status::CompileFailed, "error: cannot select"},
      {"compile-segfault", Status::Crashed, "died of SIGSEGV while compiling"},
      {"compile-abort", Status::Crashed,
       "died of SIGABRT while compiling: assertion i < n does not hold"},
      {"compile-exit", Status::Crashed, "exited with code 0 while compiling"},
  };
  for (const Fault &fault : faults)
    expectFault(*worker, fault);
  EXPECT_EQ(evaluate(*worker, "compile-daemon").status, Status::Ok);
  EXPECT_EQ(findWorkers().size(), 1u);
}

TEST_F(WorkerProcessTest, EachRunFaultHasItsStatus) {
  auto worker = startWorker(makeOptions());
  ASSERT_TRUE(worker);
  const std::string call = "called the forbidden system call ";
  auto forbidden = [&](long number, const std::string &name) {
    return call + std::to_string(number) + " (" + name + ") while running";
  };
  const Fault faults[] = {
      {"segfault", Status::Crashed, "died of SIGSEGV while running"},
      {"sigfpe", Status::Crashed, "died of SIGFPE while running"},
      {"abort", Status::Crashed, "died of SIGABRT while running"},
      {"complain", Status::Crashed,
       "died of SIGABRT while running: assertion i < n does not hold"},
      {"throw", Status::Crashed, "died of SIGABRT while running"},
      // A sanitizer has much to do at the end, which is forbidden.
      {"exit", Status::Crashed,
       runtime::isAddressSanitized ? call : "exited with code 0 while running"},
      {"_exit", Status::Crashed, "exited with code 0 while running"},
      {"stack-overflow", Status::Crashed, "died of SIGSEGV while running"},
      {"overrun-far", Status::Crashed, "died of SIGSEGV while running"},
      {"close-socket", Status::Crashed, "exited with code 1 while running"},
      {"exec", Status::Crashed, forbidden(SYS_execve, "execve")},
      {"setsid", Status::Crashed, forbidden(SYS_setsid, "setsid")},
      {"open", Status::Crashed, forbidden(SYS_openat, "openat")},
      {"socket", Status::Crashed, forbidden(SYS_socket, "socket")},
      {"kill-parent", Status::Crashed, forbidden(SYS_kill, "kill")},
      {"ptrace", Status::Crashed, forbidden(SYS_ptrace, "ptrace")},
      // glibc makes fork a clone.
      {"fork", Status::Crashed, forbidden(SYS_clone, "clone")},
      {"thread", Status::Crashed, call},
      {"overrun", Status::WrongResult, "wrote outside argument 2"},
      {"underrun", Status::WrongResult, "wrote outside argument 1"},
      {"read-behind", Status::WrongResult,
       "argument 2 differs at [0]: got nan, expected "},
      {"clobber", Status::WrongResult,
       "wrote to argument 0, which the plain kernel only reads"},
      {"clobber-later", Status::WrongResult,
       "wrote to argument 1, which the plain kernel only reads"},
      {"wrong-later", Status::WrongResult,
       "argument 2 differs at [0]: got 3, expected "},
      {"last-term-missing", Status::WrongResult,
       "argument 2 differs at [3]: got "},
      {"nan", Status::WrongResult,
       "argument 2 differs at [5]: got nan, expected "},
      {"kill-itself", Status::OutOfMemory, "killed by SIGKILL while running"},
  };
  for (const Fault &fault : faults)
    expectFault(*worker, fault);
  // A sanitizer has its own allocator.
  if (!runtime::isAddressSanitized)
    expectFault(*worker, {"trust-memory", Status::WrongResult,
                          "argument 2 differs at [0]: got "});
  EXPECT_EQ(evaluate(*worker, "good").status, Status::Ok);
  EXPECT_EQ(findWorkers().size(), 1u);
}

TEST_F(WorkerProcessTest, RootsAreVerifiedOnPositiveInputs) {
  WorkerOptions options = makeOptions();
  options.text = "plain=roots";
  auto worker = startWorker(options);
  ASSERT_TRUE(worker);
  EXPECT_EQ(evaluate(*worker, "roots").status, Status::Ok);
  expectFault(*worker, {"all-nan", Status::WrongResult,
                        "argument 2 differs at [0]: got nan, expected "});
}

TEST_F(WorkerProcessTest, ANaNEverywhereIsTheReferenceToo) {
  WorkerOptions options = makeOptions();
  options.text = "plain=all-nan";
  auto worker = startWorker(options);
  ASSERT_TRUE(worker);
  EXPECT_EQ(evaluate(*worker, "all-nan").status, Status::Ok);
  expectFault(*worker,
              {"good", Status::WrongResult, "argument 2 differs at [0]: got "});
}

TEST_F(WorkerProcessTest, KernelsWithoutAVisibleResultAreRefused) {
  WorkerOptions options = makeOptions();
  options.text = "plain=add-little";
  EXPECT_EQ(errorOfStart(options),
            "argument 2 cannot be verified: what it holds before the kernel "
            "runs passes for its result, as sums of 16 terms in f32 may differ "
            "that much; use smaller shapes or a wider type");
  // One that leaves its outputs as they are can be verified.
  options.text = "plain=noop";
  auto worker = startWorker(options);
  ASSERT_TRUE(worker);
  EXPECT_EQ(evaluate(*worker, "noop").status, Status::Ok);
  EXPECT_EQ(evaluate(*worker, "good").status, Status::WrongResult);
}

/// Lets `call` fail with EPERM in this process and its descendants.
static bool refuseSystemCall(uint32_t call) {
  sock_filter filter[] = {
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, nr)),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, call, 0, 1),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW)};
  sock_fprog program{std::size(filter), filter};
  return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 &&
         prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) == 0;
}

TEST_F(WorkerProcessTest, ARefusedSandboxIsNamed) {
  int pipes[2];
  ASSERT_EQ(pipe(pipes), 0);
  pid_t pid = fork();
  if (pid == 0) {
    std::string message = refuseSystemCall(SYS_seccomp)
                              ? errorOfStart(makeOptions())
                              : "the test may not refuse a call";
    _exit(write(pipes[1], message.data(), message.size()) < 0);
  }
  close(pipes[1]);
  char text[1000];
  ssize_t length = read(pipes[0], text, sizeof text);
  close(pipes[0]);
  waitpid(pid, nullptr, 0);
  EXPECT_EQ(std::string(text, std::max<ssize_t>(length, 0)),
            "the plain kernel, which gives the reference, failed (lost): the "
            "system refuses what a candidate's process needs (seccomp: "
            "Operation not permitted): measure where processes may limit "
            "themselves");
}

TEST_F(WorkerProcessTest, WithoutMemoryCandidatesGoFirst) {
  auto worker = startWorker(makeOptions());
  ASSERT_TRUE(worker);
  ASSERT_TRUE(worker->submit(1, "compile-hang"));
  int candidates = 0;
  for (int i = 0; i < 5000 && candidates == 0; ++i) {
    for (pid_t pid : findWorkers()) {
      std::ifstream file("/proc/" + std::to_string(pid) + "/oom_score_adj");
      int score = 0;
      candidates += file >> score && score == 1000 && pid != worker->pid();
    }
    poll(nullptr, 0, 1);
  }
  EXPECT_EQ(candidates, 1);
}

TEST_F(WorkerProcessTest, HardLimitsOfTheMachineAreKept) {
  // As for a user whose limits an administrator has set.
  pid_t pid = fork();
  if (pid == 0) {
    // Lower than what a candidate gets; root could raise it again.
    rlimit files{64 << 20, 64 << 20};
    bool limited = setrlimit(RLIMIT_FSIZE, &files) == 0 &&
                   (geteuid() != 0 ||
                    prctl(PR_CAPBSET_DROP, CAP_SYS_RESOURCE, 0, 0, 0) == 0);
    auto worker = WorkerProcess::start(makeOptions());
    _exit(!limited ? 2 : worker ? 0 : 1);
  }
  int status = 0;
  EXPECT_EQ(waitpid(pid, &status, 0), pid);
  EXPECT_EQ(status, 0);
}

TEST_F(WorkerProcessTest, MemoryExhaustionIsToldFromCrashes) {
  if (runtime::isAddressSanitized)
    GTEST_SKIP() << "the address space is not limited under a sanitizer";
  auto worker = startWorker(makeOptions());
  ASSERT_TRUE(worker);
  const std::string running = "ran out of memory while running (limit 256 MiB)";
  const Fault faults[] = {
      {"allocate-new", Status::OutOfMemory, running},
      {"allocate-malloc", Status::OutOfMemory, running},
      {"allocate-mmap", Status::OutOfMemory, running},
      {"compile-allocate", Status::OutOfMemory,
       "ran out of memory while compiling (limit 256 MiB)"},
  };
  for (const Fault &fault : faults)
    expectFault(*worker, fault);
}

TEST_F(WorkerProcessTest, WhatHangsIsStopped) {
  WorkerOptions options = makeOptions();
  options.measure.limits.runTimeoutMs = 100;
  options.measure.limits.compileTimeoutMs = 100;
  auto worker = startWorker(options);
  ASSERT_TRUE(worker);
  const Fault faults[] = {
      {"hang", Status::TimedOut, "still running after "},
      {"stop-itself", Status::TimedOut, "still running after "},
      {"lie", Status::TimedOut, "still running after "},
      {"compile-hang", Status::TimedOut, "still compiling after "},
  };
  for (const Fault &fault : faults)
    expectFault(*worker, fault);
  EXPECT_EQ(findWorkers().size(), 1u);
}

TEST_F(WorkerProcessTest, ManyCandidatesAreInFlight) {
  auto worker = startWorker(makeOptions());
  ASSERT_TRUE(worker);
  for (uint64_t trial = 0; trial < 30; ++trial)
    ASSERT_TRUE(worker->submit(trial, trial % 3 == 1   ? "segfault"
                                      : trial % 3 == 2 ? "no-transform"
                                                       : "good"));
  EXPECT_EQ(worker->submit(3, "good").error().message,
            "trial 3 was submitted before");
  // In whatever order they are asked for.
  for (uint64_t trial = 30; trial-- > 0;) {
    Result<Outcome> outcome = worker->wait(trial);
    ASSERT_TRUE(outcome);
    EXPECT_EQ(outcome->status, trial % 3 == 1   ? Status::Crashed
                               : trial % 3 == 2 ? Status::TransformFailed
                                                : Status::Ok)
        << outcome->message;
  }
  EXPECT_EQ(worker->wait(3).error().message, "trial 3 was not submitted");
}

//===----------------------------------------------------------------------===//
// Comparisons
//===----------------------------------------------------------------------===//

TEST_F(WorkerProcessTest, ComparisonsTakeTurns) {
  auto worker = startWorker(makeOptions());
  ASSERT_TRUE(worker);
  // Outcomes of trials in flight are not lost by a comparison.
  ASSERT_TRUE(worker->submit(1, "good"));
  auto compared = worker->compare(
      {std::nullopt, "slow", "segfault", "no-transform", "backward"});
  ASSERT_TRUE(compared) << compared.error().message;
  ASSERT_EQ(compared->size(), 5u);
  const Status statuses[] = {Status::Ok, Status::Ok, Status::Crashed,
                             Status::TransformFailed, Status::Ok};
  for (size_t i = 0; i < 5; ++i) {
    const Samples &samples = (*compared)[i];
    EXPECT_EQ(samples.outcome.status, statuses[i]) << samples.outcome.message;
    if (statuses[i] != Status::Ok) {
      EXPECT_TRUE(samples.slicesNs.empty());
      continue;
    }
    // 12 ms in turns of 1 ms.
    EXPECT_EQ(samples.slicesNs.size(), 12u);
    for (const std::vector<double> &slice : samples.slicesNs)
      EXPECT_FALSE(slice.empty());
    EXPECT_GT(samples.outcome.timeNs, 0);
  }
  // 20000 stores more: slower on any machine.
  EXPECT_GT((*compared)[1].outcome.timeNs, (*compared)[0].outcome.timeNs);
  EXPECT_EQ(worker->wait(1)->status, Status::Ok);
}

TEST_F(WorkerProcessTest, ComparisonsOfNothingOrTooMuch) {
  auto worker = startWorker(makeOptions());
  ASSERT_TRUE(worker);
  EXPECT_TRUE(worker->compare({})->empty());
  std::vector<std::optional<std::string>> many(65);
  EXPECT_EQ(worker->compare(many).error().message,
            "a comparison of 65 candidates, but at most 64 can be compared");
  EXPECT_EQ(worker->compare({"abort"})->front().outcome.status,
            Status::Crashed);
}

TEST_F(WorkerProcessTest, CancelledCandidatesAreStopped) {
  WorkerOptions options = makeOptions();
  // Nothing ends by itself within this test.
  options.measure.limits.runTimeoutMs = 1000000;
  options.measure.limits.compileTimeoutMs = 1000000;
  auto worker = startWorker(options);
  ASSERT_TRUE(worker);
  // One runs, one compiles, the last ones may not have been started.
  for (uint64_t trial = 0; trial < 40; ++trial)
    ASSERT_TRUE(worker->submit(trial, trial % 2 ? "compile-hang" : "hang"));
  ASSERT_TRUE(worker->submit(40, "good"));
  for (uint64_t trial = 0; trial < 40; ++trial)
    worker->cancel(trial);
  Result<Outcome> outcome = worker->wait(40);
  ASSERT_TRUE(outcome);
  EXPECT_EQ(outcome->status, Status::Ok);
  EXPECT_EQ(findWorkers().size(), 1u) << "the worker itself";
  EXPECT_FALSE(worker->wait(7)) << "not submitted any more";
  // An answer that comes all the same is ignored, and the number is free.
  ASSERT_TRUE(worker->submit(7, "good"));
  EXPECT_EQ(evaluate(*worker, "good").status, Status::Ok);
  worker->cancel(7);
  worker->cancel(1234567);
  ASSERT_TRUE(worker->submit(7, "abort"));
  EXPECT_EQ(worker->wait(7)->status, Status::Crashed);
}

//===----------------------------------------------------------------------===//
// Deaths
//===----------------------------------------------------------------------===//

TEST_F(WorkerProcessTest, ADeadWorkerIsReplaced) {
  auto worker = startWorker(makeOptions());
  ASSERT_TRUE(worker);
  pid_t first = worker->pid();
  ASSERT_TRUE(worker->submit(1, "compile-kill-worker"));
  Result<Outcome> outcome = worker->wait(1);
  ASSERT_TRUE(outcome);
  EXPECT_EQ(outcome->status, Status::Lost);
  EXPECT_EQ(outcome->message, "the worker died of SIGKILL");
  EXPECT_EQ(evaluate(*worker, "good").status, Status::Ok);
  EXPECT_NE(worker->pid(), first);

  kill(worker->pid(), SIGKILL);
  auto compared = worker->compare({"good"});
  ASSERT_TRUE(compared);
  EXPECT_EQ(compared->front().outcome.status, Status::Lost);
  EXPECT_EQ(worker->compare({"good"})->front().outcome.status, Status::Ok);
}

TEST_F(WorkerProcessTest, AWorkerThatKeepsDyingIsGivenUp) {
  WorkerOptions options = makeOptions();
  options.maxDeaths = 2;
  auto worker = startWorker(options);
  ASSERT_TRUE(worker);
  EXPECT_EQ(evaluate(*worker, "compile-kill-worker").status, Status::Lost);
  EXPECT_EQ(evaluate(*worker, "compile-kill-worker").status, Status::Lost);
  Result<void> submitted = worker->submit(1, "good");
  ASSERT_FALSE(submitted);
  EXPECT_EQ(submitted.error().message,
            "the worker died 2 times in a row and is not started again; the "
            "last time it died of SIGKILL");
}

TEST_F(WorkerProcessTest, BusyWorkersEndWithTheirOwner) {
  auto worker = startWorker(makeOptions());
  ASSERT_TRUE(worker);
  for (uint64_t trial = 0; trial < 4; ++trial)
    ASSERT_TRUE(worker->submit(trial, trial % 2 ? "hang" : "compile-hang"));
  worker.reset();
  EXPECT_TRUE(nobodyIsLeft());
}

TEST_F(WorkerProcessTest, CtrlCDoesNotReachTheWorker) {
  auto worker = startWorker(makeOptions());
  ASSERT_TRUE(worker);
  EXPECT_NE(getpgid(worker->pid()), getpgrp());
  EXPECT_NE(getsid(worker->pid()), getsid(0));
  kill(worker->pid(), SIGINT);
  EXPECT_EQ(evaluate(*worker, "good").status, Status::Ok);
}

/// Runs `work` in a process that is then killed.
template <typename Work>
static void killWhile(Work work) {
  int pipes[2];
  ASSERT_EQ(pipe(pipes), 0);
  pid_t pid = fork();
  if (pid == 0) {
    work();
    char done = 1;
    if (write(pipes[1], &done, 1) == 1)
      for (;;)
        pause();
    _exit(1);
  }
  close(pipes[1]);
  char done = 0;
  EXPECT_EQ(read(pipes[0], &done, 1), 1);
  close(pipes[0]);
  EXPECT_FALSE(findWorkers().empty());
  kill(pid, SIGKILL);
  waitpid(pid, nullptr, 0);
}

TEST_F(WorkerProcessTest, NothingOutlivesAKilledCoordinator) {
  killWhile([] {
    auto worker = startWorker(makeOptions());
    for (uint64_t trial = 0; trial < 4; ++trial)
      EXPECT_TRUE(worker->submit(trial, trial % 2 ? "hang" : "compile-hang"));
    worker.release();
  });
  EXPECT_TRUE(nobodyIsLeft());
  // While the worker itself is stuck.
  killWhile([] {
    WorkerOptions options = makeOptions();
    options.text = "hang";
    // Parses for ever; this process does not wait for it.
    if (fork() == 0) {
      prctl(PR_SET_PDEATHSIG, SIGKILL);
      auto worker = WorkerProcess::start(options);
      _exit(0);
    }
    while (findWorkers().empty())
      poll(nullptr, 0, 1);
  });
  EXPECT_TRUE(nobodyIsLeft());
}
