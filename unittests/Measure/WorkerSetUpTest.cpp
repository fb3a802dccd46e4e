//===- WorkerSetUpTest.cpp - Tests of how a worker starts, or does not ----===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "WorkerFixture.h"

#include "baco/Runtime/Sandbox.h"
#include "baco/Support/Sanitizer.h"

#include <filesystem>
#include <fstream>
#include <linux/capability.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace baco;
using namespace baco::measure;
using namespace baco::test;

using WorkerSetUpTest = WorkerTest;

TEST_F(WorkerSetUpTest, SaysWhatItMeasures) {
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

// Where accesses can't be checked, the pages around the arguments tell which
// values of scalars are too large, and the plain kernel never gets those later.
TEST_F(WorkerSetUpTest, InaccessiblePagesBoundScalars) {
  WorkerOptions options = makeOptions();
  options.text = "scalar";
  auto worker = startWorker(options);
  ASSERT_TRUE(worker);
  const runtime::Argument &count = worker->ready().signature.arguments[0];
  EXPECT_EQ(count.values, (std::vector<int64_t>{2, 1, 0}));
  EXPECT_EQ(evaluate(*worker, "every-stride").status, Status::Ok);
  Outcome wrong = evaluate(*worker, "two-strides");
  EXPECT_EQ(wrong.status, Status::WrongResult);
  EXPECT_NE(wrong.message.find("but only with 1 for argument 0"),
            std::string::npos)
      << wrong.message;
}

TEST_F(WorkerSetUpTest, AMissingProgramIsNamed) {
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

TEST_F(WorkerSetUpTest, OtherProgramsAreRecognized) {
  WorkerOptions options = makeOptions();
  options.program = "/bin/false";
  EXPECT_EQ(errorOfStart(options),
            "worker '/bin/false' exited with code 1 while it was set up: is it "
            "a baco-worker? Set BACO_WORKER to the right one");
}

TEST_F(WorkerSetUpTest, SilentProgramsAreNotWaitedForLong) {
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

TEST_F(WorkerSetUpTest, OtherVersionsAreRecognized) {
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
  EXPECT_EQ(
      errorOfStart(options),
      "worker '" + script.string() +
          "' speaks version 99999999 of the protocol instead of version " +
          std::to_string(runtime::protocolVersion) +
          ": rebuild it or set BACO_WORKER");
  std::filesystem::remove(script);
}

TEST_F(WorkerSetUpTest, ASetUpThatFailsSaysWhy) {
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
            "worker '" + workerPath() +
                "' died of SIGABRT while it was set up, 3 times in a row: find "
                "out what kills it, such as a lack of memory");
}

TEST_F(WorkerSetUpTest, AWorkerThatIsKilledIsStartedAgain) {
  std::string file = testing::TempDir() + workerName() + ".killed";
  WorkerOptions options = makeOptions();
  options.text = "killed=2," + file;
  EXPECT_EQ(errorOfStart(options), "started");
  std::filesystem::remove(file);
  options.text = "killed=3," + file;
  EXPECT_EQ(errorOfStart(options),
            "worker '" + workerPath() +
                "' died of SIGKILL while it was set up, 3 times in a row: find "
                "out what kills it, such as a lack of memory");
  EXPECT_EQ(std::filesystem::file_size(file), 3u);
  std::filesystem::remove(file);
}

TEST_F(WorkerSetUpTest, APlainKernelThatFailsSaysWhy) {
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
              std::string("the plain kernel, which computes the reference, "
                          "failed ") +
                  why);
  }
}

TEST_F(WorkerSetUpTest, LimitsHaveTheirErrorCodes) {
  auto codeOf = [](const char *plain) {
    WorkerOptions options = makeOptions();
    options.text = std::string("plain=") + plain;
    options.measure.limits.setupTimeoutMs =
        options.text == "plain=hang" ? 100 : 60000;
    auto worker = WorkerProcess::start(options);
    EXPECT_FALSE(worker);
    return worker.error().code;
  };
  EXPECT_EQ(codeOf("hang"), ErrorCode::TimedOut);
  EXPECT_EQ(codeOf("segfault"), ErrorCode::InvalidArgument);
  if (!isAddressSanitized)
    EXPECT_EQ(codeOf("allocate-new"), ErrorCode::OutOfMemory);
}

TEST_F(WorkerSetUpTest, APlainKernelThatHangsIsStopped) {
  WorkerOptions options = makeOptions();
  options.text = "plain=hang";
  // Long enough to begin a process, which takes most with AddressSanitizer.
  options.measure.limits.setupTimeoutMs = 2000;
  std::string message = errorOfStart(options);
  EXPECT_NE(message.find("(timed-out): still running when the time for the "
                         "set-up was over"),
            std::string::npos)
      << message;
}

TEST_F(WorkerSetUpTest, OptionsAreChecked) {
  WorkerOptions options = makeOptions();
  options.measure.timing.trialMs = 0;
  EXPECT_NE(errorOfStart(options).find("time of a trial"), std::string::npos);
  options = makeOptions();
  options.measure.cpu = 1000;
  EXPECT_EQ(errorOfStart(options).find("CPU 1000 cannot be measured"), 0u);
}

TEST_F(WorkerSetUpTest, KernelsWithoutAVisibleResultAreRefused) {
  WorkerOptions options = makeOptions();
  options.text = "plain=add-little";
  EXPECT_EQ(errorOfStart(options),
            "argument 2 cannot be verified: its initial contents are within "
            "the tolerance of its result, because sums of 16 terms in f32 may "
            "differ that much; use smaller shapes or a wider type");
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

TEST_F(WorkerSetUpTest, ARefusedSandboxIsNamed) {
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
            "the plain kernel, which computes the reference, failed (lost): "
            "the system denies a candidate's process what it needs (seccomp: "
            "Operation not permitted): run where processes may install seccomp "
            "filters and set limits");
}

TEST_F(WorkerSetUpTest, HardLimitsOfTheMachineAreKept) {
  // As for a user whose limits an administrator has set.
  pid_t pid = fork();
  if (pid == 0) {
    // Lower than what a candidate gets; root could raise it again.
    rlimit seconds{50, 50};
    bool limited = setrlimit(RLIMIT_CPU, &seconds) == 0 &&
                   (geteuid() != 0 ||
                    prctl(PR_CAPBSET_DROP, CAP_SYS_RESOURCE, 0, 0, 0) == 0);
    auto worker = WorkerProcess::start(makeOptions());
    _exit(!limited ? 2 : worker ? 0 : 1);
  }
  int status = 0;
  EXPECT_EQ(waitpid(pid, &status, 0), pid);
  EXPECT_EQ(status, 0);
}

TEST_F(WorkerSetUpTest, APlainKernelThatTakesTooLongIsNotTimed) {
  WorkerOptions options = makeOptions();
  options.text = "plain=hang,good";
  options.measure.limits.plainTimeoutMs = 100;
  auto worker = startWorker(options);
  ASSERT_TRUE(worker);
  EXPECT_EQ(worker->ready().plain.status, Status::TimedOut);
  EXPECT_GE(worker->ready().plain.runNs, 100e6);
  EXPECT_EQ(evaluate(*worker, "good").status, Status::Ok);
  EXPECT_EQ(evaluate(*worker, "last-term-missing").status, Status::WrongResult);
}

TEST_F(WorkerSetUpTest, APlainKernelWithASlowReferenceIsNotRun) {
  WorkerOptions options = makeOptions();
  options.text = "plain=hang,millisecond";
  options.measure.limits.plainTimeoutMs = 1;
  auto worker = startWorker(options);
  ASSERT_TRUE(worker);
  const Outcome &plain = worker->ready().plain;
  EXPECT_EQ(plain.status, Status::TimedOut);
  EXPECT_EQ(plain.message, "");
  EXPECT_GT(plain.runNs, 0.5e6);
  EXPECT_EQ(evaluate(*worker, "good").status, Status::Ok);
  EXPECT_EQ(evaluate(*worker, "last-term-missing").status, Status::WrongResult);
  std::string message = evaluate(*worker, "cut-off").message;
  EXPECT_NE(message.find("in the second check"), message.npos) << message;
}

TEST_F(WorkerSetUpTest, ThePlainKernelDecidesTheReference) {
  for (const char *reference : {"last-term-missing", "segfault", "no-compile",
                                "compile-abort", "overrun"}) {
    WorkerOptions options = makeOptions();
    options.text = std::string("plain=good,") + reference;
    auto worker = startWorker(options);
    ASSERT_TRUE(worker) << reference;
    EXPECT_EQ(worker->ready().plain.status, Status::Ok) << reference;
    EXPECT_EQ(evaluate(*worker, "good").status, Status::Ok) << reference;
    EXPECT_EQ(evaluate(*worker, "last-term-missing").status,
              Status::WrongResult)
        << reference;
  }
}

TEST_F(WorkerSetUpTest, TheLocalOrderIsTheReferenceOnlyWithATolerance) {
  // Another order has other roundings.
  for (double tolerance : {0.0, 1.0}) {
    WorkerOptions options = makeOptions();
    options.text = "plain=good,backward";
    options.measure.tolerance = tolerance;
    auto worker = startWorker(options);
    ASSERT_TRUE(worker);
    EXPECT_EQ(evaluate(*worker, "good").status, Status::Ok);
    EXPECT_EQ(evaluate(*worker, "backward").status,
              tolerance > 0 ? Status::Ok : Status::WrongResult);
  }
}
