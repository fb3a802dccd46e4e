//===- ChannelTest.cpp - Tests of the frames ------------------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "baco/Protocol/Channel.h"

#include <gtest/gtest.h>

#include <sys/socket.h>
#include <thread>
#include <unistd.h>

using namespace baco;
using namespace baco::runtime;

namespace {
/// A channel and the bare socket at its other end.
struct Pair {
  Pair() {
    int sockets[2];
    EXPECT_EQ(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, sockets), 0);
    channel = Channel(sockets[0]);
    peer = sockets[1];
  }
  ~Pair() { hangUp(); }

  void write(const std::string &bytes) {
    EXPECT_EQ(::write(peer, bytes.data(), bytes.size()),
              static_cast<ssize_t>(bytes.size()));
  }
  void hangUp() {
    if (peer >= 0)
      close(std::exchange(peer, -1));
  }

  Channel channel;
  int peer = -1;
};
} // namespace

/// A frame by the format's definition.
static std::string frame(const std::string &text) {
  std::string header;
  for (int shift : {0, 8, 16, 24})
    header += static_cast<char>(text.size() >> shift);
  return header + text;
}

static const std::string hello =
    "{\"kind\":\"hello\",\"body\":{\"version\":5}}";

static int versionOf(const Result<std::optional<Message>> &received) {
  EXPECT_TRUE(received);
  if (!received || !*received || !std::holds_alternative<Hello>(**received))
    return -1;
  return std::get<Hello>(**received).version;
}

TEST(ChannelTest, SendsLengthAndText) {
  Pair pair;
  ASSERT_TRUE(pair.channel.send(Refusal{"x"}, 1000));
  char bytes[200];
  ssize_t n = read(pair.peer, bytes, sizeof bytes);
  std::string text = encode(Refusal{"x"});
  EXPECT_EQ(std::string(bytes, n), frame(text));
}

TEST(ChannelTest, PutsPiecesTogether) {
  Pair pair;
  EXPECT_FALSE(*pair.channel.receive(0));
  std::string bytes = frame(hello);
  for (size_t i = 0; i + 1 < bytes.size(); ++i) {
    pair.write(bytes.substr(i, 1));
    Result<std::optional<Message>> received = pair.channel.receive(0);
    ASSERT_TRUE(received);
    EXPECT_FALSE(*received) << i;
  }
  // The last byte together with the next frame.
  pair.write(bytes.substr(bytes.size() - 1) + frame(hello));
  EXPECT_EQ(versionOf(pair.channel.receive(0)), 5);
  EXPECT_EQ(versionOf(pair.channel.receive(0)), 5);
  EXPECT_FALSE(*pair.channel.receive(0));
}

TEST(ChannelTest, ReadsMessagesSentBeforeTheEnd) {
  Pair pair;
  pair.write(frame(hello) + frame(hello).substr(0, 9));
  pair.hangUp();
  EXPECT_EQ(versionOf(pair.channel.receive(1000)), 5);
  Result<std::optional<Message>> received = pair.channel.receive(1000);
  ASSERT_FALSE(received);
  EXPECT_EQ(received.error().code, ErrorCode::IOError);
  EXPECT_TRUE(pair.channel.isClosed());
  EXPECT_FALSE(pair.channel.send(Hello{}, 1000));
}

TEST(ChannelTest, RefusesGarbage) {
  for (const std::string &bytes :
       {std::string("HTTP/1.1 200 OK\r\n"), std::string("\xff\xff\xff\xff"),
        frame("garbage"), frame("")}) {
    Pair pair;
    pair.write(bytes);
    Result<std::optional<Message>> received = pair.channel.receive(1000);
    ASSERT_FALSE(received);
    EXPECT_EQ(received.error().code, ErrorCode::Corrupt);
    EXPECT_FALSE(pair.channel.isClosed());
  }
}

TEST(ChannelTest, LargeMessagesPass) {
  Pair pair;
  Channel other(std::exchange(pair.peer, -1));
  std::string text(5 << 20, 'a');
  std::thread sender(
      [&] { EXPECT_TRUE(pair.channel.send(Refusal{text}, 60000)); });
  Result<std::optional<Message>> received = other.receive(60000);
  sender.join();
  ASSERT_TRUE(received);
  ASSERT_TRUE(*received);
  EXPECT_EQ(std::get<Refusal>(**received).message, text);
}

TEST(ChannelTest, DoesNotWaitForAPeerThatDoesNotRead) {
  Pair pair;
  Result<void> sent = pair.channel.send(Refusal{std::string(5 << 20, 'a')}, 1);
  ASSERT_FALSE(sent);
  EXPECT_EQ(sent.error().message,
            "the peer did not read a message within 1 ms");
}

TEST(ChannelTest, NoSocketIsAnError) {
  Channel channel;
  EXPECT_FALSE(channel.send(Hello{}, 0));
  int pipes[2];
  ASSERT_EQ(pipe(pipes), 0);
  Channel reader(pipes[0]);
  ASSERT_EQ(write(pipes[1], "x", 1), 1);
  EXPECT_FALSE(reader.receive(1000));
  close(pipes[1]);
}
