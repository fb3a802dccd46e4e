//===- DeviceProcessTest.cpp - Tests of running programs on a device ------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The driver is FakeCuda.cpp, which runs PTX.
//
//===----------------------------------------------------------------------===//

#include "baco/Device/DeviceProcess.h"

#include "baco/Verification/Operands.h"

#include <gtest/gtest.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

using namespace baco;
using namespace baco::runtime;

/// Of the fake driver's first device.
static constexpr const char *uuid = "GPU-1f1f1f1f-1f1f-1f1f-1f1f-1f1f1f1f1f1f";

/// A kernel of two buffers, where thread i of all has address 4 i in %rd3.
static std::string makePtx(const std::string &declarations,
                           const std::string &code) {
  return R"(.version 7.8
.target sm_90
.address_size 64
.visible .entry scale_kernel(
  .param .u64 .ptr .global .align 4 x,
  .param .u64 .ptr .global .align 4 y
) {
  .reg .pred %p<4>;
  .reg .b32 %r<8>;
  .reg .b64 %rd<8>;
  )" + declarations +
         R"(
  ld.param.b64 %rd1, [x];
  ld.param.b64 %rd2, [y];
  mov.u32 %r1, %tid.x;
  mov.u32 %r2, %ctaid.x;
  mov.u32 %r3, %ntid.x;
  mad.lo.s32 %r4, %r2, %r3, %r1;
  mul.wide.u32 %rd3, %r4, 4;
  add.s64 %rd1, %rd1, %rd3;
  add.s64 %rd2, %rd2, %rd3;
  )" + code +
         "\nDONE:\n  ret;\n}\n";
}

/// y = 2 x for 40 elements.
static std::string scalePtx() {
  return makePtx("", R"(setp.gt.u32 %p1, %r4, 39;
  @%p1 bra DONE;
  ld.global.b32 %r5, [%rd1];
  add.rn.f32 %r5, %r5, %r5;
  st.global.b32 [%rd2], %r5;)");
}

/// y[i] = x[i ^ 1] for the 32 elements of a block, through shared memory.
static std::string swapPtx(bool hasBarrier) {
  return makePtx(".shared .align 4 .b8 row[128];",
                 R"(mov.b64 %rd4, row;
  add.s64 %rd5, %rd4, %rd3;
  ld.global.b32 %r5, [%rd1];
  st.shared.b32 [%rd5], %r5;
  )" + std::string(hasBarrier ? "bar.sync 0;" : "") +
                     R"(
  xor.b64 %rd6, %rd3, 4;
  add.s64 %rd6, %rd4, %rd6;
  ld.shared.b32 %r6, [%rd6];
  st.global.b32 [%rd2], %r6;)");
}

static DeviceProgram makeProgram(unsigned threads = 32) {
  DeviceProgram program;
  program.images = {scalePtx()};
  DeviceLaunch &launch = program.launches.emplace_back();
  launch.kernel = "scale_kernel";
  launch.sizes.grid = {3, 1, 1};
  launch.sizes.block = {threads, 1, 1};
  launch.operands = {{DeviceOperand::Argument, 0, 0},
                     {DeviceOperand::Argument, 1, 0}};
  return program;
}

TEST(DeviceProgramTest, ProgramsSurviveAndNothingElseIsRead) {
  DeviceProgram program = makeProgram();
  program.temporaries = {64, 1 << 20};
  program.launches[0].operands.push_back({DeviceOperand::Temporary, 1, 8});
  program.launches[0].operands.push_back({DeviceOperand::Word, 0, ~0ull});
  program.launches[0].sizes.dynamicSharedBytes = 4096;
  std::string bytes = program.encode();
  Result<DeviceProgram> read = DeviceProgram::decode(bytes);
  ASSERT_TRUE(read);
  EXPECT_EQ(*read, program);
  for (size_t size = 0; size < bytes.size(); ++size)
    EXPECT_FALSE(DeviceProgram::decode(bytes.substr(0, size))) << size;
  EXPECT_FALSE(DeviceProgram::decode(bytes + "x"));
  program.launches[0].operands[2].index = 2;
  EXPECT_FALSE(DeviceProgram::decode(program.encode())) << "no such temporary";
  program = makeProgram();
  program.launches[0].image = 1;
  EXPECT_FALSE(DeviceProgram::decode(program.encode())) << "no such image";
  // No byte may lead anywhere else.
  for (size_t i = 0; i < bytes.size(); ++i) {
    std::string damaged = bytes;
    damaged[i] = static_cast<char>(damaged[i] ^ 0x80);
    static_cast<void>(DeviceProgram::decode(damaged));
  }
}

namespace {
/// A process with the fake driver, and operands for `scale`.
class DeviceProcessTest : public testing::Test {
protected:
  void SetUp() override {
    Argument argument;
    argument.shape = {40};
    argument.isOutput = false;
    signature.arguments.push_back(argument);
    argument.isOutput = true;
    argument.isRead = false;
    signature.arguments.push_back(argument);
    inputs = generateInputs(signature, 1);
    operands = Operands::create(signature, inputs);
    ASSERT_TRUE(operands);
    operands->use(inputs, Addresses::Timed);
    operands->fill(false);
  }
  void TearDown() override {
    for (const char *variable :
         {"FAKE_CUDA", "FAKE_CUDA_ATTRIBUTE", "FAKE_CUDA_BLOCK",
          "FAKE_CUDA_DEVICES", "FAKE_CUDA_LATENCY", "FAKE_CUDA_LAUNCH",
          "FAKE_CUDA_MEMORY", "FAKE_CUDA_MIG", "FAKE_CUDA_MISS",
          "FAKE_CUDA_REGISTERS", "FAKE_CUDA_WRITEBACK", "FAKE_NO_DEVICE"})
      unsetenv(variable);
  }

  void start(int killTimeoutMs = 30000) {
    auto started =
        DeviceProcess::start({BACO_FAKE_CUDA, uuid, killTimeoutMs}, signature);
    ASSERT_TRUE(started) << started.error().message;
    process = std::move(*started);
    client = std::make_unique<DeviceClient>(signature, process->clientSocket(),
                                            process->block());
  }

  float *elements(size_t i) {
    return static_cast<float **>(operands->pointers()[i])[1];
  }

  /// Uploads, runs and downloads; what failed.
  std::optional<DeviceFailure> run(const DeviceProgram &program) {
    double elapsedNs = 0;
    if (auto failure = client->load(program))
      return failure;
    if (auto failure = client->upload(operands->pointers(), false))
      return failure;
    if (auto failure = client->execute(1, elapsedNs))
      return failure;
    return client->download(operands->pointers());
  }

  /// Asks for an execution, and doesn't wait, as a client that is killed.
  void executeAndLeave() {
    DeviceRequest request;
    request.kind = DeviceRequest::Execute;
    request.client = getpid();
    request.number = 1000;
    request.count = 1;
    ASSERT_EQ(send(process->clientSocket(), &request, sizeof request, 0),
              ssize_t(sizeof request));
  }

  Signature signature;
  std::vector<ArgumentData> inputs;
  std::unique_ptr<Operands> operands;
  std::unique_ptr<DeviceProcess> process;
  std::unique_ptr<DeviceClient> client;
};
} // namespace

TEST_F(DeviceProcessTest, ProgramsRunAndAreTimed) {
  start();
  EXPECT_STREQ(process->state().device,
               "Fake GPU (sm_90, GPU-1f1f1f1f-1f1f-1f1f-1f1f-1f1f1f1f1f1f, "
               "CUDA 13.0)");
  ASSERT_FALSE(run(makeProgram()));
  for (int i = 0; i < 40; ++i)
    EXPECT_EQ(elements(1)[i], 2 * elements(0)[i]);
  EXPECT_EQ(process->state().damagedArgument, 0);
  EXPECT_EQ(process->state().changedArgument, 0);
  EXPECT_EQ(process->state().resources, (KernelResources{62, 0, 0, 0}));
  double elapsedNs = 0;
  ASSERT_FALSE(client->execute(5, elapsedNs));
  EXPECT_NEAR(elapsedNs, 5 * 3 * 100e3, 1000);
}

TEST_F(DeviceProcessTest, SomeElementsChange) {
  start();
  ASSERT_FALSE(run(makeProgram()));
  elements(0)[7] = 0.375f;
  auto *changed = reinterpret_cast<std::byte *>(&elements(0)[7]);
  ASSERT_FALSE(client->poke(operands->pointers(), {changed, sizeof(float)}));
  double elapsedNs = 0;
  ASSERT_FALSE(client->execute(1, elapsedNs));
  ASSERT_FALSE(client->download(operands->pointers()));
  EXPECT_EQ(elements(1)[7], 0.75f);
  EXPECT_EQ(process->state().changedArgument, 0);
}

TEST_F(DeviceProcessTest, IllegalWritesAreSeen) {
  setenv("FAKE_CUDA", "outside@32,input@64", 1);
  start();
  ASSERT_FALSE(run(makeProgram(32)));
  EXPECT_EQ(process->state().damagedArgument, 2);
  EXPECT_EQ(process->state().changedArgument, 0);
  ASSERT_FALSE(run(makeProgram(64)));
  EXPECT_EQ(process->state().damagedArgument, 0) << "it was repaired";
  EXPECT_EQ(process->state().changedArgument, 1);
  ASSERT_FALSE(run(makeProgram(96)));
  EXPECT_EQ(process->state().changedArgument, 0);
}

TEST_F(DeviceProcessTest, WhatTheDriverRefusesIsTheCandidates) {
  setenv("FAKE_CUDA", "refuse@64", 1);
  start();
  auto failure = run(makeProgram(64));
  ASSERT_TRUE(failure);
  EXPECT_EQ(failure->status, Status::LaunchFailed);
  EXPECT_EQ(failure->message,
            "cuLaunchKernel: CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES");
  EXPECT_FALSE(failure->isSticky);
  DeviceProgram program = makeProgram();
  program.images = {"refused"};
  failure = run(program);
  ASSERT_TRUE(failure);
  EXPECT_EQ(failure->status, Status::CompileFailed);
  EXPECT_EQ(failure->message, "cuModuleLoadDataEx: CUDA_ERROR_INVALID_PTX: "
                              "ptxas Missing .version directive");
  program.images = {makePtx(".shared .align 4 .b8 row[49156];", "")};
  failure = run(program);
  ASSERT_TRUE(failure);
  EXPECT_EQ(failure->message,
            "cuModuleLoadDataEx: CUDA_ERROR_INVALID_PTX: ptxas error   : Entry "
            "function 'scale_kernel' uses too much shared data (49156 bytes, "
            "0xc000 max)");
  program = makeProgram();
  program.launches[0].kernel = "other";
  failure = run(program);
  ASSERT_TRUE(failure);
  EXPECT_EQ(failure->message, "cuModuleGetFunction: CUDA_ERROR_NOT_FOUND");
  EXPECT_FALSE(run(makeProgram()));
}

TEST_F(DeviceProcessTest, AnotherProcessFollowsAStickyError) {
  const std::pair<const char *, const char *> errors[] = {
      {"fault", "CUDA_ERROR_ILLEGAL_ADDRESS"},
      {"ecc", "CUDA_ERROR_ECC_UNCORRECTABLE"},
      {"nvlink", "CUDA_ERROR_NVLINK_UNCORRECTABLE"},
      {"leak", "CUDA_ERROR_TENSOR_MEMORY_LEAK"}};
  for (auto [word, name] : errors) {
    setenv("FAKE_CUDA", (std::string(word) + "@64").c_str(), 1);
    start();
    ASSERT_FALSE(run(makeProgram()));
    auto failure = run(makeProgram(64));
    ASSERT_TRUE(failure);
    EXPECT_EQ(failure->status, Status::DeviceFault);
    EXPECT_EQ(failure->message, std::string("cuEventSynchronize: ") + name);
    EXPECT_TRUE(failure->isSticky);
    ASSERT_TRUE(run(makeProgram())) << "the context is gone";
    ASSERT_TRUE(process->ensureAlive());
    // The program is loaded again.
    EXPECT_FALSE(run(makeProgram()));
  }
}

TEST_F(DeviceProcessTest, ShortKernelsDoNotWaitForTheHost) {
  setenv("FAKE_CUDA_BLOCK", "1000", 1);
  setenv("FAKE_CUDA_LAUNCH", "3000", 1);
  setenv("FAKE_CUDA_LATENCY", "6000", 1);
  start();
  DeviceProgram program = makeProgram();
  program.launches[0].sizes.grid = {1, 1, 1};
  program.launches[0].sizes.block = {64, 1, 1};
  ASSERT_FALSE(run(program));
  // 1 us each, but launched one by one they would take 3 us.
  double elapsedNs = 0;
  ASSERT_FALSE(client->execute(100, elapsedNs));
  EXPECT_NEAR(elapsedNs, 9e3 + 100e3, 1);
  // More than a graph has.
  ASSERT_FALSE(client->execute(1000, elapsedNs));
  EXPECT_NEAR(elapsedNs, 9e3 + 1000e3, 1);
  // The same for the launches of one execution.
  for (int i = 1; i < 20; ++i)
    program.launches.push_back(program.launches[0]);
  ASSERT_FALSE(run(program));
  ASSERT_FALSE(client->execute(1, elapsedNs));
  EXPECT_NEAR(elapsedNs, 9e3 + 20e3, 1);
  for (int i = 0; i < 40; ++i)
    EXPECT_EQ(elements(1)[i], 2 * elements(0)[i]);
}

TEST_F(DeviceProcessTest, FlushedCachesHaveNoArguments) {
  setenv("FAKE_CUDA_LAUNCH", "3000", 1);
  setenv("FAKE_CUDA_LATENCY", "6000", 1);
  setenv("FAKE_CUDA_MISS", "1000", 1);
  // Nothing that was written is in the cache any more, or each new line would
  // wait for one.
  setenv("FAKE_CUDA_WRITEBACK", "10000", 1);
  start();
  ASSERT_FALSE(run(makeProgram()));
  double elapsedNs = 0;
  ASSERT_FALSE(client->execute(1, elapsedNs));
  EXPECT_NEAR(elapsedNs, 9e3 + 300e3, 1);
  // 40 floats are two lines of 128 bytes. The GPU is busy until the launch is
  // queued.
  ASSERT_FALSE(client->execute(1, elapsedNs, /*isFlushed=*/true));
  EXPECT_NEAR(elapsedNs, 300e3 + 4e3, 1);
}

TEST_F(DeviceProcessTest, LimitsOfTheDeviceAreTheCandidates) {
  setenv("FAKE_CUDA_REGISTERS", "100", 1);
  start();
  ASSERT_FALSE(run(makeProgram(640)));
  auto failure = run(makeProgram(672));
  ASSERT_TRUE(failure);
  EXPECT_EQ(failure->status, Status::LaunchFailed);
  EXPECT_EQ(failure->message,
            "cuLaunchKernel: CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES");
  DeviceProgram program = makeProgram();
  program.launches[0].sizes.dynamicSharedBytes = 232449;
  failure = run(program);
  ASSERT_TRUE(failure);
  EXPECT_EQ(failure->message, "cuFuncSetAttribute: CUDA_ERROR_INVALID_VALUE");
  EXPECT_FALSE(run(makeProgram()));
}

TEST_F(DeviceProcessTest, KernelsDoWhatTheirCodeSays) {
  start();
  DeviceProgram program = makeProgram();
  program.launches[0].sizes.grid = {1, 1, 1};
  program.images = {swapPtx(/*hasBarrier=*/true)};
  ASSERT_FALSE(run(program));
  for (int i = 0; i < 32; ++i)
    EXPECT_EQ(elements(1)[i], elements(0)[i ^ 1]);
  EXPECT_EQ(process->state().resources, (KernelResources{62, 0, 128, 0}));
  // Nothing waits: some thread reads what its neighbor hasn't written.
  program.images = {swapPtx(/*hasBarrier=*/false)};
  ASSERT_FALSE(run(program));
  bool isRight = true;
  for (int i = 0; i < 32; ++i)
    isRight &= elements(1)[i] == elements(0)[i ^ 1];
  EXPECT_FALSE(isRight);
}

TEST_F(DeviceProcessTest, WrongAccessesEndTheContext) {
  start();
  auto runCode = [&](const std::string &code) {
    DeviceProgram program = makeProgram();
    program.images = {makePtx("", code)};
    auto failure = run(program);
    EXPECT_TRUE(failure && failure->isSticky) << code;
    EXPECT_TRUE(process->ensureAlive());
    return failure ? failure->message : "";
  };
  // Behind the bytes that are compared afterward.
  EXPECT_EQ(runCode("st.global.b32 [%rd2+1048576], %r1;"),
            "cuEventSynchronize: CUDA_ERROR_ILLEGAL_ADDRESS");
  EXPECT_EQ(runCode("st.global.b32 [%rd2+2], %r1;"),
            "cuEventSynchronize: CUDA_ERROR_MISALIGNED_ADDRESS");
  EXPECT_EQ(runCode("trap;"), "cuEventSynchronize: CUDA_ERROR_LAUNCH_FAILED");
  EXPECT_FALSE(run(makeProgram()));
}

TEST_F(DeviceProcessTest, AHangingKernelIsEndedFromOutside) {
  setenv("FAKE_CUDA", "hang@64", 1);
  start();
  ASSERT_FALSE(client->load(makeProgram(64)));
  ASSERT_FALSE(client->upload(operands->pointers(), false));
  executeAndLeave();
  process->kill();
  ASSERT_TRUE(process->ensureAlive());
  EXPECT_FALSE(run(makeProgram()));
}

TEST_F(DeviceProcessTest, AProcessThatDoesNotEndIsAnError) {
  std::string release =
      testing::TempDir() + "baco-release-" + std::to_string(getpid());
  setenv("FAKE_CUDA", "stuck@64", 1);
  setenv("FAKE_CUDA_RELEASE", release.c_str(), 1);
  start(/*killTimeoutMs=*/100);
  ASSERT_FALSE(client->load(makeProgram(64)));
  ASSERT_FALSE(client->upload(operands->pointers(), false));
  executeAndLeave();
  // Until somebody traces it.
  std::string status = "/proc/" + std::to_string(process->pid()) + "/status";
  for (bool isTraced = false; !isTraced; usleep(1000)) {
    std::ifstream file(status);
    for (std::string line; std::getline(file, line);)
      isTraced |= line.starts_with("TracerPid:") && line != "TracerPid:\t0";
    ASSERT_TRUE(file.eof()) << "there is no such process";
  }
  process->kill();
  for (int i = 0; i < 2; ++i) {
    Result<void> alive = process->ensureAlive();
    ASSERT_FALSE(alive);
    EXPECT_EQ(alive.error().message,
              "the process with the device (process " +
                  std::to_string(process->pid()) +
                  ") has not ended 100 ms after it was killed, since its "
                  "kernel hangs in the driver; see 'nvidia-smi', reset the "
                  "device or restart the machine, and run the same command "
                  "again");
  }
  std::ofstream(release) << "now";
  // It ends later, and the next one works.
  while (!process->ensureAlive())
    usleep(1000);
  EXPECT_FALSE(run(makeProgram()));
  unsetenv("FAKE_CUDA_RELEASE");
  std::remove(release.c_str());
}

TEST_F(DeviceProcessTest, TheEndOfTheProcessIsSeen) {
  setenv("FAKE_CUDA", "crash@64", 1);
  start();
  ASSERT_FALSE(client->load(makeProgram(64)));
  executeAndLeave();
  pollfd entry{process->processDescriptor(), POLLIN, 0};
  ASSERT_EQ(poll(&entry, 1, 60000), 1);
  EXPECT_EQ(process->describeEnd(), "died of SIGABRT");
  ASSERT_TRUE(process->ensureAlive());
  EXPECT_FALSE(run(makeProgram()));
}

TEST_F(DeviceProcessTest, ClientsComeAndGo) {
  start();
  DeviceProgram program = makeProgram();
  program.temporaries = {1 << 20};
  ASSERT_FALSE(run(program));
  process->forget(getpid());
  double elapsedNs = 0;
  auto failure = client->execute(1, elapsedNs);
  ASSERT_TRUE(failure);
  EXPECT_EQ(failure->status, Status::Lost);
  EXPECT_EQ(failure->message, "the device has lost the program");
}

TEST_F(DeviceProcessTest, WhatIsMissingIsSaidInOneLine) {
  auto open = [&](const char *library) {
    auto started = DeviceProcess::start({library, uuid}, signature);
    return started ? std::string() : started.error().message;
  };
  EXPECT_EQ(open("libnothing.so").rfind("there is no NVIDIA driver (", 0), 0u);
  EXPECT_EQ(open("libm.so.6"), "the NVIDIA driver is too old: libm.so.6 has no "
                               "cuInit; install a newer one");
  setenv("FAKE_NO_DEVICE", "1", 1);
  EXPECT_EQ(open(BACO_FAKE_CUDA),
            "the NVIDIA driver finds no GPU; see 'nvidia-smi' and "
            "CUDA_VISIBLE_DEVICES");
  unsetenv("FAKE_NO_DEVICE");
  setenv("FAKE_CUDA_MEMORY", "1000", 1);
  start();
  auto failure = run(makeProgram());
  unsetenv("FAKE_CUDA_MEMORY");
  ASSERT_TRUE(failure);
  EXPECT_EQ(failure->status, Status::OutOfMemory);
}

TEST_F(DeviceProcessTest, DevicesAreToldByTheirUuids) {
  setenv("FAKE_CUDA_DEVICES", "Fake A,Fake A,Fake B", 1);
  auto all = CudaDevice::list(BACO_FAKE_CUDA);
  ASSERT_TRUE(all);
  ASSERT_EQ(all->size(), 3u);
  EXPECT_EQ((*all)[0].uuid, uuid);
  EXPECT_TRUE((*all)[0].isSameModel((*all)[1]));
  EXPECT_FALSE((*all)[0].isSameModel((*all)[2]));
  auto last = CudaDevice::openByUuid((*all)[2].uuid, BACO_FAKE_CUDA);
  ASSERT_TRUE(last);
  EXPECT_EQ((*last)->facts().name, "Fake B");
  EXPECT_EQ((*last)->facts().uuid, (*all)[2].uuid);
  // What the driver doesn't know isn't 0.
  setenv("FAKE_CUDA_ATTRIBUTE", "38", 1);
  auto unknown = CudaDevice::list(BACO_FAKE_CUDA);
  ASSERT_FALSE(unknown);
  EXPECT_EQ(unknown.error().message,
            "the NVIDIA driver refuses: cuDeviceGetAttribute(38): "
            "CUDA_ERROR_INVALID_VALUE");
  unsetenv("FAKE_CUDA_ATTRIBUTE");
  unsetenv("FAKE_CUDA_DEVICES");
  auto gone = CudaDevice::openByUuid((*all)[2].uuid, BACO_FAKE_CUDA);
  ASSERT_FALSE(gone);
  EXPECT_EQ(gone.error().message, "the NVIDIA driver doesn't find " +
                                      (*all)[2].uuid +
                                      " any more; see 'nvidia-smi'");
}

TEST_F(DeviceProcessTest, PartsOfAGpuHaveUuidsOfTheirOwn) {
  setenv("FAKE_CUDA_MIG", "1", 1);
  setenv("FAKE_CUDA_DEVICES", "Fake MIG,Fake MIG", 1);
  auto all = CudaDevice::list(BACO_FAKE_CUDA);
  ASSERT_TRUE(all);
  ASSERT_EQ(all->size(), 2u);
  EXPECT_EQ((*all)[0].uuid, "MIG-a0a0a0a0-a0a0-a0a0-1f1f-1f1f1f1f1f1f");
  EXPECT_EQ((*all)[1].uuid, "MIG-a1a1a1a1-a1a1-a1a1-1f1f-1f1f1f1f1f1f");
  auto second = CudaDevice::openByUuid((*all)[1].uuid, BACO_FAKE_CUDA);
  ASSERT_TRUE(second);
  EXPECT_EQ((*second)->facts().uuid, (*all)[1].uuid);
}
