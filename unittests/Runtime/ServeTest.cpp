//===- ServeTest.cpp - Tests of a worker's manners ------------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "baco/Protocol/Channel.h"

#include <gtest/gtest.h>

#include <cstring>
#include <fcntl.h>
#include <spawn.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace baco;
using namespace baco::runtime;

namespace {
/// The test worker and the bare other end of its socket.
struct BareWorker {
  explicit BareWorker(bool withSocket = true) {
    int sockets[2];
    EXPECT_EQ(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, sockets), 0);
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    if (withSocket)
      posix_spawn_file_actions_adddup2(&actions, sockets[1], 3);
    else
      posix_spawn_file_actions_addopen(&actions, 3, "/dev/null", O_RDWR, 0);
    std::string path = BACO_TEST_WORKER;
    char *arguments[] = {path.data(), nullptr};
    EXPECT_EQ(
        posix_spawn(&pid, path.c_str(), &actions, nullptr, arguments, environ),
        0);
    posix_spawn_file_actions_destroy(&actions);
    close(sockets[1]);
    socket = sockets[0];
    channel = Channel(socket);
  }

  /// Waits for its end.
  int exitCode() {
    int status = 0;
    EXPECT_EQ(waitpid(pid, &status, 0), pid);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  }

  /// The next message that doesn't just say that the CPU is taken.
  Message receive() {
    Result<std::optional<Message>> message = channel.receive(60000);
    while (message && *message &&
           std::holds_alternative<runtime::Waiting>(**message))
      message = channel.receive(60000);
    EXPECT_TRUE(message) << message.error().message;
    EXPECT_TRUE(*message);
    return **message;
  }
  void send(const Message &message) {
    EXPECT_TRUE(channel.send(message, 60000));
  }
  std::string refusal() {
    Message message = receive();
    const Refusal *refusal = std::get_if<Refusal>(&message);
    return refusal ? refusal->message : "no refusal";
  }
  /// The conversation up to the point where candidates are evaluated.
  void setUp() {
    EXPECT_TRUE(std::holds_alternative<Hello>(receive()));
    send(runtime::SetUp{});
    EXPECT_TRUE(std::holds_alternative<Ready>(receive()));
  }

  pid_t pid = -1;
  int socket = -1;
  Channel channel;
};
} // namespace

TEST(ServeTest, GreetsWithItsVersion) {
  BareWorker worker;
  Message message = worker.receive();
  ASSERT_TRUE(std::holds_alternative<Hello>(message));
  EXPECT_EQ(std::get<Hello>(message).version, protocolVersion);
  worker.channel = Channel();
  EXPECT_EQ(worker.exitCode(), 1);
}

TEST(ServeTest, EndsInPeaceWhenTheCoordinatorLeaves) {
  BareWorker worker;
  worker.setUp();
  worker.send(Submit{1, "hang"});
  worker.channel = Channel();
  EXPECT_EQ(worker.exitCode(), 0);
}

TEST(ServeTest, NeedsASocket) {
  BareWorker worker(/*withSocket=*/false);
  EXPECT_EQ(worker.exitCode(), 1);
}

TEST(ServeTest, RefusesGarbage) {
  for (const std::string &bytes :
       {std::string("GET / HTTP/1.1\r\n\r\n"), std::string("\4\0\0\0null", 8),
        std::string("\xff\xff\xff\xff", 4)}) {
    BareWorker worker;
    worker.receive();
    ASSERT_EQ(write(worker.socket, bytes.data(), bytes.size()),
              static_cast<ssize_t>(bytes.size()));
    EXPECT_NE(worker.refusal(), "no refusal");
    EXPECT_EQ(worker.exitCode(), 1);
  }
}

TEST(ServeTest, RefusesMessagesOutOfTurn) {
  BareWorker early;
  early.receive();
  early.send(Submit{1, "good"});
  EXPECT_EQ(early.refusal(), "the first message must be a set-up");
  EXPECT_EQ(early.exitCode(), 1);

  BareWorker late;
  late.setUp();
  late.send(runtime::SetUp{});
  EXPECT_EQ(late.refusal(), "unexpected message");
  EXPECT_EQ(late.exitCode(), 1);
}

TEST(ServeTest, RefusesWhatItCannotDo) {
  BareWorker worker;
  worker.receive();
  runtime::SetUp setUp;
  setUp.options.limits.memoryLimitMiB = -5;
  worker.send(setUp);
  EXPECT_EQ(worker.refusal(),
            "the memory limit must be 1 to 67108864 MiB, but is -5 MiB");
  EXPECT_EQ(worker.exitCode(), 1);

  BareWorker crowded;
  crowded.setUp();
  crowded.send(Compare{std::vector<std::optional<std::string>>(65)});
  EXPECT_EQ(crowded.refusal(), "a comparison of 65 candidates, but at most 64 "
                               "can be compared");
  EXPECT_EQ(crowded.exitCode(), 1);
}

TEST(ServeTest, RefusesKernelsThatDoNotFitTheMachine) {
  BareWorker worker;
  worker.receive();
  runtime::SetUp setUp;
  setUp.text = "huge";
  worker.send(setUp);
  // 8 rows of 2^40 floats; the other arguments have 16 and 8 floats.
  EXPECT_EQ(worker.refusal(),
            "too little memory to run the kernel: its arguments take "
            "35184372088928 bytes, of which argument 0 takes 35184372088832, "
            "and measuring takes several times as much; use smaller shapes, or "
            "a machine with more memory");
  EXPECT_EQ(worker.exitCode(), 1);
}

TEST(ServeTest, TakesMoreThanItCanDoAtOnce) {
  BareWorker worker;
  worker.setUp();
  std::vector<bool> answered(200);
  for (uint64_t trial = 0; trial < answered.size(); ++trial)
    worker.send(Submit{trial, "no-transform"});
  for (size_t i = 0; i < answered.size(); ++i) {
    Message message = worker.receive();
    ASSERT_TRUE(std::holds_alternative<Evaluated>(message));
    const Evaluated &evaluated = std::get<Evaluated>(message);
    EXPECT_EQ(evaluated.outcome.status, Status::TransformFailed);
    ASSERT_LT(evaluated.trial, answered.size());
    EXPECT_FALSE(answered[evaluated.trial]);
    answered[evaluated.trial] = true;
  }
  worker.channel = Channel();
  EXPECT_EQ(worker.exitCode(), 0);
}
