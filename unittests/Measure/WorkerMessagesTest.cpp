//===- WorkerMessagesTest.cpp - Tests of what workers say -----------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Workers that are scripts, to say what a real one says only after minutes.
//
//===----------------------------------------------------------------------===//

#include "WorkerFixture.h"

#include <cstring>
#include <filesystem>
#include <fstream>

using namespace baco;
using namespace baco::measure;
using namespace baco::runtime;
using namespace baco::test;

namespace {
class WorkerMessagesTest : public testing::Test {
protected:
  void SetUp() override {
    folder = testing::TempDir() + "baco-messages-" + std::to_string(getpid());
    std::filesystem::create_directory(folder);
    Ready ready;
    ready.plain.status = Status::Ok;
    ready.plain.timeNs = 1000;
    write("greeting", {Hello{}, ready});
  }
  void TearDown() override { std::filesystem::remove_all(folder); }

  /// A file with frames; `cat NAME >&3` sends them.
  void write(const std::string &name, const std::vector<Message> &messages) {
    std::ofstream file(folder + "/" + name, std::ios::binary);
    for (const Message &message : messages) {
      std::string text = encode(message);
      uint32_t size = static_cast<uint32_t>(text.size());
      file.write(reinterpret_cast<const char *>(&size), sizeof size);
      file << text;
    }
  }

  /// A worker that greets, does as `commands` say, and listens to the end.
  WorkerOptions scriptOptions(const std::string &commands) {
    WorkerOptions options;
    options.program = folder + "/worker";
    std::ofstream(options.program)
        << "#!/bin/sh\ncd " << folder << "\necho start >> starts\n"
        << "cat greeting >&3\n"
        << commands << "\nexec cat <&3 >/dev/null\n";
    std::filesystem::permissions(options.program,
                                 std::filesystem::perms::owner_all);
    options.measure.limits.compileTimeoutMs = 1;
    options.measure.limits.runTimeoutMs = 1;
    options.measure.timing = {1, 1, 1, 1};
    options.slackMs = 100;
    return options;
  }

  size_t numStarts() const {
    return std::filesystem::file_size(folder + "/starts") / strlen("start\n");
  }

  std::string folder;
};
} // namespace

TEST_F(WorkerMessagesTest, ARefusalIsToldOnceAndForAll) {
  write("refusal", {Refusal{"the CPU is taken", ErrorCode::IOError}});
  WorkerOptions options = scriptOptions("cat refusal >&3");
  options.slackMs = 10000;
  auto worker = startWorker(options);
  ASSERT_TRUE(worker);
  ASSERT_TRUE(worker->submit(1, "{}"));
  ASSERT_TRUE(worker->submit(2, "{}"));
  const char *const expected = "the worker refused to go on: the CPU is taken";
  for (uint64_t trial : {1, 2}) {
    Result<Outcome> outcome = worker->wait(trial);
    ASSERT_FALSE(outcome);
    EXPECT_EQ(outcome.error().message, expected);
    EXPECT_EQ(outcome.error().code, ErrorCode::IOError);
  }
  EXPECT_EQ(worker->submit(3, "{}").error().message, expected);
  EXPECT_EQ(worker->compare({"{}"}).error().message, expected);
  EXPECT_EQ(numStarts(), 1u) << "another one would wait as long";
}

TEST_F(WorkerMessagesTest, ARefusalEndsAComparison) {
  write("refusal", {Refusal{"the CPU is taken", ErrorCode::IOError}});
  WorkerOptions options = scriptOptions("cat refusal >&3");
  options.slackMs = 10000;
  auto worker = startWorker(options);
  ASSERT_TRUE(worker);
  EXPECT_EQ(worker->compare({"{}"}).error().message,
            "the worker refused to go on: the CPU is taken");
}

/// Longer than a comparison may take (3.2 s), with an answer to a trial that
/// was cancelled in the middle.
TEST_F(WorkerMessagesTest, WaitingForTheCpuNeverCounts) {
  write("waiting", {Waiting{"process 1"}});
  Outcome late;
  late.status = Status::Ok;
  late.timeNs = 1;
  write("late", {Evaluated{7, late, {}}});
  Samples samples;
  samples.outcome = late;
  write("compared", {Compared{{samples}}});
  const std::string wait =
      "for i in 1 2 3 4 5 6 7 8 9 10; do cat waiting >&3; sleep 0.2; done\n";
  auto worker = startWorker(scriptOptions(
      wait + "cat late >&3\n" + wait + "cat late >&3\n" + "cat compared >&3"));
  ASSERT_TRUE(worker);
  Result<std::vector<Samples>> compared = worker->compare({"{}"});
  ASSERT_TRUE(compared) << compared.error().message;
  EXPECT_EQ(compared->front().outcome.status, Status::Ok)
      << compared->front().outcome.message;
}
