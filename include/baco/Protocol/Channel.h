//===- Channel.h - Messages over a socket -----------------------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One end of the stream socket between coordinator and worker. A frame is the
// length of its text as four bytes, least significant first, and the text.
//
//===----------------------------------------------------------------------===//

#ifndef BACO_PROTOCOL_CHANNEL_H
#define BACO_PROTOCOL_CHANNEL_H

#include "baco/Protocol/Messages.h"
#include "baco/Support/Result.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace baco::runtime {

/// Longer frames are refused, because the peer then doesn't speak this
/// protocol. Larger than any kernel's text.
inline constexpr size_t maxFrameBytes = size_t{256} << 20;

/// The descriptor at which a worker finds its end of the socket.
inline constexpr int workerSocket = 3;

/// Frames of bytes over a socket, which it closes when it is destroyed. Not
/// thread safe.
class FrameChannel {
public:
  FrameChannel() = default;
  /// Takes over a connected stream socket.
  explicit FrameChannel(int socket) : socket(socket) {}
  FrameChannel(FrameChannel &&other) noexcept;
  FrameChannel &operator=(FrameChannel &&other) noexcept;
  ~FrameChannel();

  /// Sends a frame. InvalidArgument if it is longer than maxFrameBytes; IOError
  /// if the peer is gone, or does not read it within `timeoutMs`; the channel
  /// is of no use afterwards.
  Result<void> sendFrame(std::string_view bytes, int64_t timeoutMs);

  /// The next frame; nothing if none is complete after `timeoutMs` (0: what is
  /// there now). IOError if the peer is gone (see isClosed), Corrupt if what it
  /// sent can't be a frame.
  Result<std::optional<std::string>> receiveFrame(int64_t timeoutMs);

  /// From now on longer frames are refused.
  void limitFrames(size_t bytes) { frameLimit = bytes; }

  /// Received bytes that don't make a whole frame.
  const std::string &unread() const { return buffer; }

  /// The peer has closed its end, or the process that held it has died.
  bool isClosed() const { return closed; }

  /// For poll.
  int descriptor() const { return socket; }

private:
  Result<std::optional<std::string>> takeFrame();
  Result<void> readSome();

  int socket = -1;
  bool closed = false;
  size_t frameLimit = maxFrameBytes;
  /// Received and not yet taken.
  std::string buffer;
};

/// Messages in frames.
class Channel : public FrameChannel {
public:
  using FrameChannel::FrameChannel;

  /// Sends a message; errors are those of sendFrame.
  Result<void> send(const Message &message, int64_t timeoutMs);

  /// The next message. Corrupt also if the peer sent something else than
  /// messages; for the rest see receiveFrame.
  Result<std::optional<Message>> receive(int64_t timeoutMs);
};

} // namespace baco::runtime

#endif // BACO_PROTOCOL_CHANNEL_H
