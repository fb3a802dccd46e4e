//===- KernelEvaluatorTest.cpp
//----------------------------------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "baco/SourceKernel/KernelEvaluator.h"

#include "../OpenCl/OpenClTesting.h"

#include <csignal>
#include <cstring>
#include <sys/wait.h>
#include <unistd.h>

#include <gmock/gmock.h>

using namespace baco;
using namespace baco::kernels;
using testing::HasSubstr;

namespace {
/// A process that has loaded a driver must not fork, so that another one looks.
bool hasPocl() {
  pid_t child = fork();
  if (child == 0) {
    Result<runtime::OpenClApi> api = runtime::OpenClApi::load();
    _exit(api && runtime::findOpenClDevice(*api, runtime::test::pocl, "") ? 0
                                                                          : 1);
  }
  int status = 1;
  waitpid(child, &status, 0);
  return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

/// Kernels that a parameter `mode` chooses: y += 2 * x where it is 0.
constexpr const char *source = R"(
__kernel void add(const int n, __global float *x, __global float *y) {
  const int i = get_global_id(0);
#if mode == 1
  y[i] = 3 * x[i];
#elif mode == 2
  error here
#elif mode == 3
  while (x[0] < 2)
    y[i] += 1;
#elif mode == 4
  *(volatile __global int *)0 = 1;
#elif mode == 5
  __local float many[1 << 24];
  many[i] = x[i];
  barrier(CLK_LOCAL_MEM_FENCE);
  y[i] = many[n - i - 1];
#elif mode == 6
  y[i] += 2 * x[i];
  y[n + i] = 1;
#elif mode == 7
  y[i] += 2 * x[i];
  x[i] = 0;
#else
  y[i] += 2 * x[i];
#endif
}
__kernel void right(const int n, __global float *x, __global float *y) {
  for (int i = 0; i < n; ++i)
    y[i] += 2 * x[i];
}
)";

class KernelEvaluatorTest : public testing::Test {
protected:
  void SetUp() override {
    if (!hasPocl()) {
      if (std::getenv("BACO_REQUIRE_ALL"))
        FAIL() << "pocl-opencl-icd is missing, and BACO_REQUIRE_ALL is set";
      GTEST_SKIP() << "pocl-opencl-icd is missing";
    }
    using Kind = KernelArgument::Kind;
    task.platform = runtime::test::pocl;
    task.constants = {{"N", int64_t(512)}};
    task.code = {.file = "add.cl",
                 .text = source,
                 .kernel = "add",
                 .global = {parse("N")},
                 .local = {parse("local")}};
    task.arguments = {
        {.value = parse("N")},
        {.kind = Kind::Buffer, .type = KernelScalar::Float, .size = parse("N")},
        {.kind = Kind::Buffer,
         .name = "y",
         .type = KernelScalar::Float,
         .size = parse("N"),
         .isOutput = true}};
    task.reference = task.code;
    task.reference->kernel = "right";
    task.reference->global = {1};
    task.reference->local = {};
    options.repeat = 3;
  }

  static Expression parse(const char *text) { return *Expression::parse(text); }

  void open() {
    auto made = KernelEvaluator::create(space, task, options);
    ASSERT_TRUE(made) << made.error().message;
    kernels = std::move(*made);
  }
  Outcome measure(int64_t mode, int64_t local = 64) {
    if (!kernels)
      open();
    if (!kernels)
      return {};
    Result<runtime::Samples> samples = kernels->measure({mode, local});
    EXPECT_TRUE(samples) << samples.error().message;
    return samples ? samples->outcome : Outcome();
  }
  void expectFailure(int64_t mode, Status status, const std::string &message,
                     int64_t local = 64) {
    Outcome outcome = measure(mode, local);
    EXPECT_EQ(statusName(outcome.status), statusName(status));
    EXPECT_THAT(outcome.message, HasSubstr(message));
    EXPECT_EQ(outcome.message.find('\n'), std::string::npos);
    // What follows isn't affected.
    EXPECT_EQ(measure(0).message, "");
  }
  Error refusal() {
    auto made = KernelEvaluator::create(space, task, options);
    EXPECT_FALSE(made);
    return made ? Error{} : made.error();
  }

  const Space space = *Space::create({*Parameter::integer("mode", 0, 9),
                                      *Parameter::integer("local", 1, 512)});
  KernelTask task;
  KernelOptions options;
  std::unique_ptr<KernelEvaluator> kernels;
};
} // namespace

TEST_F(KernelEvaluatorTest, TimesAreMediansOfLaunches) {
  Outcome outcome = measure(0);
  EXPECT_EQ(outcome.status, Status::Ok) << outcome.message;
  EXPECT_GT(outcome.timeNs, 0);
  EXPECT_EQ(outcome.numSamples, 3);
  EXPECT_GT(outcome.compileNs, 0);
  EXPECT_TRUE(kernels->checksResults());
  EXPECT_THAT(kernels->device(), HasSubstr("Portable Computing Language"));
}

TEST_F(KernelEvaluatorTest, LaunchesWithoutANumberOfThem) {
  options.repeat = 0;
  Outcome outcome = measure(0);
  EXPECT_GE(outcome.numSamples, 3);
  EXPECT_LE(outcome.numSamples, 1000);
}

TEST_F(KernelEvaluatorTest, WrongResult) {
  expectFailure(1, Status::WrongResult, "argument 3 ('y'): element ");
}

TEST_F(KernelEvaluatorTest, BuildFails) {
  expectFailure(2, Status::CompileFailed, "add.cl:");
}

TEST_F(KernelEvaluatorTest, TimeIsOver) {
  options.runTimeoutMs = 1500;
  open();
  int before = kernels->processId();
  expectFailure(3, Status::TimedOut, "still running after 1500 ms");
  EXPECT_NE(kernels->processId(), before);
}

TEST_F(KernelEvaluatorTest, Crashes) {
  expectFailure(4, Status::Crashed,
                "the process with the device died of SIGSEGV while running");
}

TEST_F(KernelEvaluatorTest, ResourcesAreExceeded) {
  expectFailure(5, Status::OutOfMemory, "bytes of local memory, but");
}

TEST_F(KernelEvaluatorTest, WritesBehindABuffer) {
  expectFailure(6, Status::WrongResult,
                "argument 3 ('y'): the kernel writes behind its end");
}

TEST_F(KernelEvaluatorTest, ChangesAnInput) {
  expectFailure(7, Status::WrongResult,
                "argument 2: the kernel changes it, but it is no output");
}

TEST_F(KernelEvaluatorTest, LaunchIsRefused) {
  expectFailure(0, Status::LaunchFailed,
                "global size 0, 512, is no multiple of the local size 3", 3);
  task.constants = {{"N", int64_t(8192)}};
  task.code.local = {parse("8192")};
  open();
  Outcome outcome = measure(0);
  EXPECT_EQ(outcome.status, Status::LaunchFailed);
  EXPECT_THAT(outcome.message, HasSubstr("local size 0 is 8192, but"));
}

TEST_F(KernelEvaluatorTest, ArgumentsDoNotFit) {
  task.arguments.pop_back();
  task.reference.reset();
  Outcome outcome = measure(0);
  EXPECT_EQ(outcome.status, Status::LaunchFailed);
  EXPECT_EQ(outcome.message, "the kernel takes 3 arguments, but 2 are given");
}

TEST_F(KernelEvaluatorTest, ThereIsNoSuchKernel) {
  task.code.kernel = "sub";
  Outcome outcome = measure(0);
  EXPECT_EQ(outcome.status, Status::CompileFailed);
  EXPECT_THAT(outcome.message, HasSubstr("the source has no kernel 'sub'; its "
                                         "kernels are: add;right"));
}

TEST_F(KernelEvaluatorTest, AHostFunctionSaysWhatIsRight) {
  task.reference.reset();
  options.reference = [](std::span<std::span<std::byte>> buffers) {
    ASSERT_EQ(buffers.size(), 2u);
    for (size_t i = 0; i < buffers[0].size(); i += sizeof(float)) {
      float x = 0, y = 0;
      std::memcpy(&x, &buffers[0][i], sizeof x);
      std::memcpy(&y, &buffers[1][i], sizeof y);
      y += 2 * x;
      std::memcpy(&buffers[1][i], &y, sizeof y);
    }
  };
  EXPECT_EQ(measure(0).status, Status::Ok);
  EXPECT_EQ(measure(1).status, Status::WrongResult);
}

TEST_F(KernelEvaluatorTest, WithoutAReferenceNothingIsChecked) {
  task.reference.reset();
  EXPECT_EQ(measure(1).status, Status::Ok);
  EXPECT_FALSE(kernels->checksResults());
}

TEST_F(KernelEvaluatorTest, TheReferenceFails) {
  task.reference->kernel = "none";
  Error error = refusal();
  EXPECT_EQ(error.code, ErrorCode::IOError);
  EXPECT_THAT(error.message, HasSubstr("the reference 'none': the source has "
                                       "no kernel 'none'"));
}

TEST_F(KernelEvaluatorTest, ThereIsNoLibrary) {
  options.library = "libNoOpenCL.so.1";
  Error error = refusal();
  EXPECT_EQ(error.code, ErrorCode::NotFound);
  EXPECT_THAT(error.message, HasSubstr("there is no OpenCL loader"));
}

TEST_F(KernelEvaluatorTest, ThereIsNoSuchDevice) {
  task.device = "teapot";
  EXPECT_THAT(refusal().message,
              HasSubstr("there is no OpenCL device 'teapot'"));
}

TEST_F(KernelEvaluatorTest, TheProcessMayBeKilled) {
  EXPECT_EQ(measure(0).status, Status::Ok);
  int before = kernels->processId();
  ASSERT_EQ(kill(before, SIGKILL), 0);
  waitid(P_PID, before, nullptr, WEXITED | WNOWAIT);
  EXPECT_EQ(measure(0).status, Status::Ok);
  EXPECT_NE(kernels->processId(), before);
}

TEST_F(KernelEvaluatorTest, FinalistsRunInTurns) {
  open();
  measure::RoundsOptions rounds;
  rounds.defender = 0;
  auto compared = kernels->compare({{R"({"mode": 0, "local": 64})"},
                                    {R"({"mode": 0, "local": 8})"},
                                    {R"({"mode": 1, "local": 64})"}},
                                   rounds);
  ASSERT_TRUE(compared) << compared.error().message;
  for (int i : {0, 1}) {
    EXPECT_EQ(compared->finalists[i].outcome.status, Status::Ok);
    EXPECT_GE(compared->finalists[i].slicesNs.size(), 3u);
  }
  EXPECT_EQ(compared->finalists[2].outcome.status, Status::WrongResult);
}

TEST_F(KernelEvaluatorTest, FingerprintsTellTasksApart) {
  open();
  std::string one = kernels->fingerprint();
  kernels.reset();
  open();
  EXPECT_EQ(kernels->fingerprint(), one);
  kernels.reset();
  options.seed = 1;
  open();
  EXPECT_NE(kernels->fingerprint(), one);
}
