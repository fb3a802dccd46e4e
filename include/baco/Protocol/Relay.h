//===- Relay.h - A worker on standard input and output ----------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A worker speaks by a socket of its own, so that nothing that a compiler
// prints gets between its messages. If only standard input and output reach the
// tuner, as by ssh, this relays between them and the socket.
//
//===----------------------------------------------------------------------===//

#ifndef BACO_PROTOCOL_RELAY_H
#define BACO_PROTOCOL_RELAY_H

#include "baco/Support/Result.h"

#include <optional>

namespace baco::runtime {

/// Whether this process was given the socket workerSocket.
bool hasWorkerSocket();

/// Whether standard input and output are connections to another program.
bool isOnStandard();

/// Splits this process, which has one thread. In the new one, which is to be
/// the worker, returns nothing: it has workerSocket, reads nothing from
/// standard input, and writes to standard error instead of standard output. The
/// other one relays until the tuner or the worker is gone, and returns an exit
/// code. IOError if the system refuses.
Result<std::optional<int>> splitRelay();

} // namespace baco::runtime

#endif // BACO_PROTOCOL_RELAY_H
