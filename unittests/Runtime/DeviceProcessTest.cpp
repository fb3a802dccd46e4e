//===- DeviceProcessTest.cpp - Tests of running programs on a device ------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The driver is FakeCuda.cpp.
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

/// What the fake driver takes for PTX.
static constexpr const char *ptx = ".visible .entry scale_kernel(\n)\n";

static DeviceProgram makeProgram(unsigned threads = 32) {
  DeviceProgram program;
  program.images = {ptx};
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
  void TearDown() override { unsetenv("FAKE_CUDA"); }

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
  std::optional<CudaFailure> run(const DeviceProgram &program) {
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
  EXPECT_EQ(process->state().resources, (KernelResources{62, 0, 4096, 8}));
  double elapsedNs = 0;
  ASSERT_FALSE(client->execute(5, elapsedNs));
  EXPECT_NEAR(elapsedNs, 5 * 3 * 10e3, 100);
  EXPECT_FALSE(client->flush());
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
                              "ptxas fatal : too much shared data");
  program = makeProgram();
  program.launches[0].kernel = "other";
  failure = run(program);
  ASSERT_TRUE(failure);
  EXPECT_EQ(failure->message, "cuModuleGetFunction: CUDA_ERROR_NOT_FOUND");
  EXPECT_FALSE(run(makeProgram()));
}

TEST_F(DeviceProcessTest, AnotherProcessFollowsAStickyError) {
  setenv("FAKE_CUDA", "fault@64", 1);
  start();
  ASSERT_FALSE(run(makeProgram()));
  auto failure = run(makeProgram(64));
  ASSERT_TRUE(failure);
  EXPECT_EQ(failure->status, Status::DeviceFault);
  EXPECT_EQ(failure->message, "cuEventSynchronize: CUDA_ERROR_ILLEGAL_ADDRESS");
  EXPECT_TRUE(failure->isSticky);
  ASSERT_TRUE(run(makeProgram())) << "the context is gone";
  ASSERT_TRUE(process->ensureAlive());
  // The program is loaded again.
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
  unsetenv("FAKE_CUDA_DEVICES");
  auto gone = CudaDevice::openByUuid((*all)[2].uuid, BACO_FAKE_CUDA);
  ASSERT_FALSE(gone);
  EXPECT_EQ(gone.error().message, "the NVIDIA driver doesn't find " +
                                      (*all)[2].uuid +
                                      " any more; see 'nvidia-smi'");
}
