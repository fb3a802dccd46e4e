//===- ServerProcessTest.cpp ----------------------------------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "baco/Device/ServerProcess.h"

#include <csignal>
#include <fcntl.h>
#include <sys/socket.h>
#include <unistd.h>

#include <gtest/gtest.h>

using namespace baco;
using namespace baco::runtime;

namespace {
class ServerProcessTest : public testing::Test {
protected:
  ServerProcessTest() {
    EXPECT_EQ(socketpair(AF_UNIX, SOCK_STREAM, 0, sockets), 0);
  }
  ~ServerProcessTest() override {
    for (int socket : sockets)
      close(socket);
  }

  void start(const std::function<void(int)> &serve) {
    Result<void> started = server.start(sockets[1], serve);
    ASSERT_TRUE(started) << started.error().message;
  }
  void waitForEnd() {
    while (!server.hasEnded())
      usleep(1000);
  }

  int sockets[2];
  ServerProcess server{/*killTimeoutMs=*/10000};
};
} // namespace

TEST_F(ServerProcessTest, ServesAndEnds) {
  start([](int socket) {
    char byte = 0;
    if (read(socket, &byte, 1) == 1 && write(socket, &++byte, 1) == 1)
      return;
    _exit(7);
  });
  char byte = 'a';
  ASSERT_EQ(write(sockets[0], &byte, 1), 1);
  ASSERT_EQ(read(sockets[0], &byte, 1), 1);
  EXPECT_EQ(byte, 'b');
  waitForEnd();
  EXPECT_EQ(server.describeEnd(), "exited with code 0");
  EXPECT_EQ(server.pid(), -1);
}

TEST_F(ServerProcessTest, HasOnlyItsSocket) {
  start([&](int socket) {
    _exit(socket == 3 && fcntl(4, F_GETFD) < 0 &&
                  read(STDIN_FILENO, &socket, 1) == 0
              ? 5
              : 6);
  });
  waitForEnd();
  EXPECT_EQ(server.describeEnd(), "exited with code 5");
}

TEST_F(ServerProcessTest, SaysHowItDied) {
  start([](int) { std::raise(SIGKILL); });
  waitForEnd();
  EXPECT_EQ(server.describeEnd(), "died of SIGKILL");
}

TEST_F(ServerProcessTest, IsKilledAndFollowed) {
  for (int i = 0; i < 2; ++i) {
    start([](int) { pause(); });
    pid_t child = server.pid();
    EXPECT_FALSE(server.hasEnded());
    EXPECT_EQ(server.describeEnd(), "doesn't answer");
    server.kill();
    EXPECT_TRUE(server.isKilled());
    EXPECT_TRUE(server.reap());
    EXPECT_FALSE(server.isKilled());
    EXPECT_EQ(kill(child, 0), -1);
  }
}
