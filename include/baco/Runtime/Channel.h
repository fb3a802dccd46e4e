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

#ifndef BACO_RUNTIME_CHANNEL_H
#define BACO_RUNTIME_CHANNEL_H

#include "baco/Runtime/Messages.h"
#include "baco/Support/Result.h"

#include <cstdint>
#include <optional>
#include <string>

namespace baco::runtime {

/// Longer frames are refused: whoever announces one is no peer of ours. Larger
/// than any kernel's text.
inline constexpr size_t maxFrameBytes = size_t{256} << 20;

/// The descriptor at which a worker finds its end of the socket.
inline constexpr int workerSocket = 3;

/// Closes the socket when it is destroyed. Not thread safe.
class Channel {
public:
  Channel() = default;
  /// Takes over a connected stream socket.
  explicit Channel(int socket) : socket(socket) {}
  Channel(Channel &&other) noexcept;
  Channel &operator=(Channel &&other) noexcept;
  ~Channel();

  /// Sends a message. IOError if the peer is gone, or does not read it within
  /// `timeoutMs`; the channel is of no use afterwards.
  Result<void> send(const Message &message, int64_t timeoutMs);

  /// The next message; nothing if none is complete after `timeoutMs` (0: what
  /// is there now). IOError if the peer is gone (see isClosed), Corrupt if it
  /// sent something else than messages.
  Result<std::optional<Message>> receive(int64_t timeoutMs);

  /// The peer has closed its end, or the process that held it has died.
  bool isClosed() const { return closed; }

  /// For poll.
  int descriptor() const { return socket; }

private:
  Result<std::optional<Message>> takeFrame();
  Result<void> readSome();

  int socket = -1;
  bool closed = false;
  /// Received and not yet decoded.
  std::string buffer;
};

} // namespace baco::runtime

#endif // BACO_RUNTIME_CHANNEL_H
