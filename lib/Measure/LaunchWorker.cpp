//===- LaunchWorker.cpp - Start workers until one is set up ---------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "baco/Measure/WorkerProcess.h"

#include "baco/Runtime/Clock.h"

#include <algorithm>

using namespace baco;
using namespace baco::measure;
using namespace baco::runtime;

/// The same as WorkerOptions::slackMs where one process at most is to end.
static constexpr int64_t setUpSlackMs = 3000;

/// Starts workers until one is set up, in the time of one set-up. A worker that
/// dies of a signal meanwhile may have been killed from outside, and the next
/// one may succeed.
Result<void> WorkerProcess::launch() {
  int64_t deadlineNs =
      nowNs() + options.measure.limits.setupTimeoutMs * 1000000;
  for (int attempt = 1;; ++attempt) {
    Result<void> launched = launchOnce(deadlineNs);
    if (launched || !hasDied)
      return launched;
    if (attempt < options.maxDeaths && nowNs() < deadlineNs && !stopRequested())
      continue;
    Error error = launched.error();
    if (attempt > 1)
      error.message += ", " + std::to_string(attempt) + " times in a row";
    error.message += ": find out what kills it, such as a lack of memory";
    return error;
  }
}

Result<void> WorkerProcess::launchOnce(int64_t &deadlineNs) {
  bool isFirst = info.plain.status != Status::Ok;
  hasDied = false;
  Result<void> spawned = spawnOnAllCpus();
  if (!spawned)
    return spawned;
  Result<ReadyInfo> ready = shakeHands(deadlineNs);
  if (ready) {
    // Later workers would only measure the plain kernel's time again.
    isComplete = ready->restNs == 0;
    if (isFirst)
      info = std::move(*ready);
    if (baseline == 0)
      baseline = info.referenceNs;
    avoidCpu(true);
    return {};
  }
  bool isGone = channel.isClosed();
  bool wasKilled = false;
  std::string status = stopUnwanted(&wasKilled);
  if (!isGone)
    return ready.error();
  hasDied = wasKilled;
  std::string what =
      "worker '" + options.program + "' " + status + " while it was set up";
  if (!hasDied && !hasSpoken)
    what += ": is it a baco-worker? Set BACO_WORKER to the right one";
  return {ready.error().code, what};
}

/// Time in which the worker only waits for its CPU moves the deadline.
Result<ReadyInfo> WorkerProcess::shakeHands(int64_t &deadlineNs) {
  std::string name = "worker '" + options.program + "'";
  auto late = [&](ErrorCode code, int64_t timeoutMs) {
    return Error{code, name + " did not get ready within " +
                           std::to_string(timeoutMs) + " ms"};
  };
  auto odd = [&] {
    return Error{ErrorCode::Corrupt,
                 name + " does not follow the protocol: set BACO_WORKER to a "
                        "baco-worker of this version"};
  };
  // No worker takes a limit of 0.
  auto leftMs = [&] {
    return std::max<int64_t>(1, (deadlineNs - nowNs()) / 1000000);
  };

  int64_t slackMs = std::min(options.slackMs, setUpSlackMs);
  int64_t timeoutMs = std::min(options.startTimeoutMs, leftMs() + slackMs);
  Result<std::optional<Message>> message = receive(timeoutMs);
  if (!message)
    return message.error().code == ErrorCode::Corrupt ? odd() : message.error();
  if (!*message)
    return late(ErrorCode::IOError, timeoutMs);
  const Hello *hello = std::get_if<Hello>(&**message);
  if (!hello)
    return odd();
  hasSpoken = true;
  if (hello->version != protocolVersion)
    return {ErrorCode::Unsupported, name + " speaks version " +
                                        std::to_string(hello->version) +
                                        " of the protocol instead of version " +
                                        std::to_string(protocolVersion) +
                                        ": rebuild it or set BACO_WORKER"};

  MeasureOptions measure = options.measure;
  timeoutMs = measure.limits.setupTimeoutMs = leftMs();
  if (Result<void> sent =
          channel.send(SetUp{options.text, measure}, sendTimeoutMs);
      !sent)
    return sent.error();
  while (true) {
    int64_t sinceNs = nowNs();
    message = receive(leftMs() + slackMs);
    if (!message || !*message || !isWaiting(**message))
      break;
    deadlineNs += nowNs() - sinceNs;
  }
  if (!message)
    return message.error().code == ErrorCode::Corrupt ? odd() : message.error();
  if (!*message)
    return late(ErrorCode::TimedOut, timeoutMs);
  if (const auto *refusal = std::get_if<Refusal>(&**message))
    return {refusal->code, refusal->message};
  if (auto *ready = std::get_if<Ready>(&**message))
    return std::move(*ready);
  return odd();
}
