//===- Serve.cpp - The worker's side of a conversation --------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "baco/Runtime/Serve.h"

#include "baco/Runtime/Clock.h"
#include "baco/Runtime/CpuPlan.h"
#include "baco/Runtime/Worker.h"

#include <csignal>
#include <exception>
#include <sched.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <unistd.h>

using namespace baco;
using namespace baco::runtime;

/// The coordinator sends its first message at once, or it is none.
static constexpr int64_t handshakeTimeoutMs = 60000;

/// Third-party compilers may throw where ours do not.
static Result<Signature> setUpCompiler(CandidateCompiler &compiler,
                                       const std::string &text) {
  try {
    return compiler.setUp(text);
  } catch (const std::exception &e) {
    return {ErrorCode::InvalidArgument, e.what()};
  }
}

/// From here on SIGTERM, which also tells of the coordinator's death, is an
/// event of the loop. Before that it ends the process, which is right as long
/// as there are no children.
static int blockStopSignals() {
  sigset_t signals;
  sigemptyset(&signals);
  sigaddset(&signals, SIGTERM);
  sigprocmask(SIG_BLOCK, &signals, nullptr);
  return signalfd(-1, &signals, SFD_CLOEXEC | SFD_NONBLOCK);
}

static Result<SetUp> shakeHands(Channel &channel) {
  if (Result<void> sent = channel.send(Hello{}, handshakeTimeoutMs); !sent)
    return sent.error();
  Result<std::optional<Message>> message = channel.receive(handshakeTimeoutMs);
  if (!message)
    return message.error();
  if (!*message)
    return {ErrorCode::IOError, "the coordinator did not answer"};
  SetUp *setUp = std::get_if<SetUp>(&**message);
  if (!setUp)
    return {ErrorCode::Corrupt, "the first message is no set-up"};
  if (Result<void> valid = setUp->options.validate(); !valid)
    return valid.error();
  return std::move(*setUp);
}

/// The whole conversation; what it returns is told to the coordinator.
static Result<void> converse(CandidateCompiler &compiler, Channel &channel) {
  Result<SetUp> setUp = shakeHands(channel);
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
  int stopSignals = blockStopSignals();
  int slots = std::max(1, cpus->numOthers);
  Result<void> result;
  {
    Worker worker(compiler, channel, *signature, setUp->options, cpus->measured,
                  slots, stopSignals);
    Result<Outcome> plain = worker.makeReference(deadlineNs);
    if (!plain)
      result = plain.error();
    else
      result = channel.send(Ready{*signature, *plain, cpus->measured, slots},
                            handshakeTimeoutMs);
    if (result)
      result = worker.run();
  }
  close(stopSignals);
  return result;
}

Result<void> runtime::serve(CandidateCompiler &compiler,
                            const ServeOptions &options) {
  // The parent may have died before: then the socket is closed.
  prctl(PR_SET_PDEATHSIG, SIGTERM);
  prctl(PR_SET_CHILD_SUBREAPER, 1);
  std::signal(SIGINT, SIG_IGN);
  std::signal(SIGPIPE, SIG_IGN);

  Channel channel(options.socket);
  Result<void> result = converse(compiler, channel);
  if (!result && !channel.isClosed()) {
    // If even that fails, the error below has to do.
    Result<void> told =
        channel.send(Refusal{result.error().message}, handshakeTimeoutMs);
    static_cast<void>(static_cast<bool>(told));
  }
  return result;
}
