//===- Channel.cpp - Messages over a socket -------------------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "baco/Protocol/Channel.h"

#include "baco/Protocol/Clock.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>
#include <utility>

using namespace baco;
using namespace baco::runtime;

static constexpr size_t headerBytes = 4;

FrameChannel::FrameChannel(FrameChannel &&other) noexcept
    : socket(std::exchange(other.socket, -1)), closed(other.closed),
      frameLimit(other.frameLimit), buffer(std::move(other.buffer)) {}

FrameChannel &FrameChannel::operator=(FrameChannel &&other) noexcept {
  std::swap(socket, other.socket);
  std::swap(closed, other.closed);
  std::swap(frameLimit, other.frameLimit);
  std::swap(buffer, other.buffer);
  return *this;
}

FrameChannel::~FrameChannel() {
  if (socket >= 0)
    close(socket);
}

/// Waits until `events` are possible; false when the time is over.
static bool waitFor(int socket, short events, int64_t deadlineMs) {
  for (;;) {
    pollfd entry{socket, events, 0};
    int64_t left = std::clamp<int64_t>(deadlineMs - nowMs(), 0, 1 << 30);
    int ready = poll(&entry, 1, static_cast<int>(left));
    if (ready > 0)
      return true;
    if (ready == 0 || errno != EINTR)
      return false;
  }
}

Result<void> FrameChannel::sendFrame(std::string_view text, int64_t timeoutMs) {
  if (text.size() > maxFrameBytes)
    return {ErrorCode::InvalidArgument,
            "a message of " + std::to_string(text.size()) +
                " bytes is longer "
                "than the protocol allows (" +
                std::to_string(maxFrameBytes) + ")"};
  std::string frame(headerBytes, '\0');
  for (size_t i = 0; i < headerBytes; ++i)
    frame[i] = static_cast<char>(text.size() >> (8 * i) & 0xff);
  frame += text;

  int64_t deadline = nowMs() + timeoutMs;
  for (size_t sent = 0; sent < frame.size();) {
    ssize_t n = ::send(socket, frame.data() + sent, frame.size() - sent,
                       MSG_NOSIGNAL | MSG_DONTWAIT);
    if (n > 0) {
      sent += n;
    } else if (n < 0 && (errno == EAGAIN || errno == EWOULDBLOCK)) {
      if (!waitFor(socket, POLLOUT, deadline))
        return {ErrorCode::IOError, "the peer did not read a message within " +
                                        std::to_string(timeoutMs) + " ms"};
    } else if (n < 0 && errno != EINTR) {
      closed = true;
      return {ErrorCode::IOError,
              std::string("cannot send a message: ") + std::strerror(errno)};
    }
  }
  return {};
}

Result<std::optional<std::string>> FrameChannel::takeFrame() {
  if (buffer.size() < headerBytes)
    return std::optional<std::string>();
  size_t length = 0;
  for (size_t i = 0; i < headerBytes; ++i)
    length |= size_t{static_cast<unsigned char>(buffer[i])} << (8 * i);
  if (length > frameLimit)
    return {ErrorCode::Corrupt, "a frame of " + std::to_string(length) +
                                    " bytes: the peer does not speak the "
                                    "protocol of baco-worker"};
  if (buffer.size() < headerBytes + length)
    return std::optional<std::string>();
  std::string frame = buffer.substr(headerBytes, length);
  buffer.erase(0, headerBytes + length);
  return std::optional(std::move(frame));
}

/// Reads the available bytes. The end of the stream is only recorded, because
/// frames before it are still valid.
Result<void> FrameChannel::readSome() {
  char bytes[1 << 16];
  for (;;) {
    ssize_t n = recv(socket, bytes, sizeof bytes, MSG_DONTWAIT);
    if (n > 0) {
      buffer.append(bytes, n);
      return {};
    }
    if (n < 0 && errno == EINTR)
      continue;
    if (n < 0 && (errno == EAGAIN || errno == EWOULDBLOCK))
      return {};
    closed = true;
    if (n == 0 || errno == ECONNRESET)
      return {};
    return {ErrorCode::IOError,
            std::string("cannot receive a message: ") + std::strerror(errno)};
  }
}

Result<std::optional<std::string>>
FrameChannel::receiveFrame(int64_t timeoutMs) {
  int64_t deadline = nowMs() + timeoutMs;
  for (;;) {
    Result<std::optional<std::string>> frame = takeFrame();
    if (!frame || *frame)
      return frame;
    if (closed)
      return {ErrorCode::IOError, "the peer has closed the connection"};
    if (!waitFor(socket, POLLIN, deadline))
      return std::optional<std::string>();
    if (Result<void> read = readSome(); !read)
      return read.error();
  }
}

Result<void> Channel::send(const Message &message, int64_t timeoutMs) {
  return sendFrame(encode(message), timeoutMs);
}

Result<std::optional<Message>> Channel::receive(int64_t timeoutMs) {
  Result<std::optional<std::string>> frame = receiveFrame(timeoutMs);
  if (!frame)
    return frame.error();
  if (!*frame)
    return std::optional<Message>();
  Result<Message> message = decode(**frame);
  if (!message)
    return message.error();
  return std::optional<Message>(std::move(*message));
}
