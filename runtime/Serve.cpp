//===- Serve.cpp - The worker's side of a conversation --------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "baco/Runtime/Serve.h"

#include "baco/Protocol/Clock.h"
#include "baco/Runtime/CpuPlan.h"
#include "baco/Runtime/Worker.h"
#include "baco/Support/CpuPermission.h"

#include <csignal>
#include <exception>
#include <sched.h>
#include <sys/prctl.h>

using namespace baco;
using namespace baco::runtime;

/// A coordinator sends its first message at once.
static constexpr int64_t handshakeTimeoutMs = 60000;

/// Any error here is the kernel's. Compilers other than ours may throw.
static Result<Signature> setUpCompiler(CandidateCompiler &compiler,
                                       const std::string &text) {
  try {
    Result<Signature> signature = compiler.setUp(text);
    if (!signature)
      return {ErrorCode::InvalidArgument, signature.error().message};
    return signature;
  } catch (const std::exception &e) {
    return {ErrorCode::InvalidArgument, e.what()};
  }
}

static Result<SetUp> shakeHands(Channel &channel,
                                const MachineDescription &machine) {
  if (Result<void> sent =
          channel.send(Hello{.machine = machine}, handshakeTimeoutMs);
      !sent)
    return sent.error();
  Result<std::optional<Message>> message = channel.receive(handshakeTimeoutMs);
  if (!message)
    return message.error();
  if (!*message)
    return {ErrorCode::IOError, "the coordinator did not answer"};
  SetUp *setUp = std::get_if<SetUp>(&**message);
  if (!setUp)
    return {ErrorCode::Corrupt, "the first message must be a set-up"};
  if (Result<void> valid = setUp->options.validate(); !valid)
    return valid.error();
  return std::move(*setUp);
}

/// The whole conversation; its error is sent to the coordinator.
static Result<void> converse(CandidateCompiler &compiler, Channel &channel,
                             const MachineDescription &machine) {
  Result<SetUp> setUp = shakeHands(channel, machine);
  if (!setUp)
    return setUp.error();
  int64_t deadlineNs = nowNs() + setUp->options.limits.setupTimeoutMs * 1000000;
  Result<CpuPlan> cpus = planCpus(setUp->options.cpu);
  if (!cpus)
    return cpus.error();
  Result<Signature> signature = setUpCompiler(compiler, setUp->text);
  if (!signature)
    return signature.error();
  if (Result<void> valid = signature->validate(); !valid)
    return valid;

  if (cpus->numOthers > 0)
    sched_setaffinity(0, sizeof cpus->others, &cpus->others);
  int slots = std::max(1, cpus->numOthers);
  Worker worker(compiler, channel, *signature, setUp->options, *cpus, slots);
  Result<Outcome> plain = worker.makeReference(deadlineNs);
  if (!plain)
    return plain.error();
  if (Result<void> sent =
          channel.send(worker.describe(*plain), handshakeTimeoutMs);
      !sent)
    return sent;
  return worker.run();
}

Result<void> runtime::serve(CandidateCompiler &compiler,
                            const ServeOptions &options) {
  // Children die with this process, in the same way. The parent may have died
  // before: then the socket is closed.
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  // Candidates may use them, and have no constructors.
  requestTiles();
  std::signal(SIGINT, SIG_IGN);
  std::signal(SIGPIPE, SIG_IGN);

  Channel channel(options.socket);
  Result<void> result = converse(compiler, channel, options.machine);
  if (!result && !channel.isClosed()) {
    // If sending fails, too, only the caller gets the error.
    Result<void> told =
        channel.send(Refusal{result.error().message, result.error().code},
                     handshakeTimeoutMs);
    static_cast<void>(static_cast<bool>(told));
  }
  return result;
}
