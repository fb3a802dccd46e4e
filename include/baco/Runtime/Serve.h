//===- Serve.h - The worker's side of a conversation ------------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The main loop of a worker program.
//
//===----------------------------------------------------------------------===//

#ifndef BACO_RUNTIME_SERVE_H
#define BACO_RUNTIME_SERVE_H

#include "baco/Protocol/Candidate.h"
#include "baco/Protocol/Channel.h"

namespace baco::runtime {

struct ServeOptions {
  /// The connected stream socket that the coordinator has passed on.
  int socket = workerSocket;
  /// The description of this machine for the coordinator.
  MachineDescription machine = {};
};

/// Speaks the protocol of Messages.h until the coordinator closes the socket or
/// dies. Whichever way it returns, no child is left. Call it in a process made
/// for it, before any thread is started: it changes the process's signals and
/// CPU affinity and makes it the reaper of its descendants.
///
/// \returns an error if the conversation could not begin or broke off; the
///          coordinator has been told where possible.
Result<void> serve(CandidateCompiler &compiler,
                   const ServeOptions &options = {});

} // namespace baco::runtime

#endif // BACO_RUNTIME_SERVE_H
