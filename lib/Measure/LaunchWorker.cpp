//===- LaunchWorker.cpp - Start workers until one is set up ---------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "baco/Measure/WorkerProcess.h"

#include "baco/Protocol/Clock.h"

#include <algorithm>

using namespace baco;
using namespace baco::measure;
using namespace baco::runtime;

/// The same as WorkerOptions::slackMs where one process at most is to end.
static constexpr int64_t setUpSlackMs = 3000;

/// For messages.
std::string WorkerProcess::name() const {
  return isRemote() ? "runner '" + options.runner + "'"
                    : "worker '" + options.program + "'";
}

/// The remedy for a program that is no worker of this version.
std::string WorkerProcess::remedy() const {
  return isRemote() ? "let it start a baco-worker of this version on its "
                      "standard input and output"
                    : "set BACO_WORKER to a baco-worker of this version";
}

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
  if (!isGone || ready.error().code == ErrorCode::Corrupt)
    return ready.error();
  // A shell or ssh ends with a code, however its command died.
  hasDied = wasKilled || (isRemote() && hasSpoken);
  std::string what = name() + " " + status + " while it was set up";
  if (!hasDied && !hasSpoken)
    what += isRemote() ? ": " + remedy()
                       : ": is it a baco-worker? Set BACO_WORKER to the right "
                         "one";
  return {ready.error().code, what};
}

static Error describeSilence(const std::string &name, ErrorCode code,
                             int64_t timeoutMs) {
  return {code, name + " did not get ready within " +
                    std::to_string(timeoutMs) + " ms"};
}

/// No worker takes a limit of 0.
static int64_t msUntil(int64_t deadlineNs) {
  return std::max<int64_t>(1, (deadlineNs - nowNs()) / 1000000);
}

/// Text is taken for the length of a longer frame than this, since a letter is
/// more than its highest byte: it is noticed without waiting for the rest.
static constexpr size_t maxHelloBytes = size_t{1} << 16;

/// The first line of `text`, as far as it can be printed on one.
static std::string firstLine(const std::string &text) {
  constexpr size_t maxLength = 60;
  std::string line = text.substr(0, text.find_first_of("\r\n"));
  if (line.size() > maxLength)
    line = line.substr(0, maxLength) + "...";
  for (char &c : line)
    if (c < ' ' || c > '~')
      c = '?';
  return line;
}

/// The error for a first message that isn't one of a worker.
Error WorkerProcess::describeGarbage() const {
  std::string line = isRemote() ? firstLine(channel.unread()) : "";
  if (line.empty())
    return {ErrorCode::Corrupt,
            name() + " does not follow the protocol: " + remedy()};
  return {
      ErrorCode::Corrupt,
      name() + " printed '" + line +
          "' to standard output before a worker's first message: let "
          "nothing else print there, such as the start-up files of a shell"};
}

/// The worker's first message.
Result<void> WorkerProcess::receiveHello(int64_t deadlineNs) {
  int64_t slackMs = std::min(options.slackMs, setUpSlackMs);
  int64_t timeoutMs =
      std::min(options.startTimeoutMs, msUntil(deadlineNs) + slackMs);
  channel.limitFrames(maxHelloBytes);
  Result<std::optional<Message>> message = receive(timeoutMs);
  channel.limitFrames(maxFrameBytes);
  if (!message)
    return message.error().code == ErrorCode::Corrupt ? describeGarbage()
                                                      : message.error();
  if (!*message)
    return describeSilence(name(), ErrorCode::IOError, timeoutMs);
  const Hello *hello = std::get_if<Hello>(&**message);
  if (!hello)
    return describeGarbage();
  hasSpoken = true;
  if (hello->version != protocolVersion)
    return {ErrorCode::Unsupported,
            name() + " speaks version " + std::to_string(hello->version) +
                " of the protocol instead of version " +
                std::to_string(protocolVersion) + ": " +
                (isRemote() ? remedy() : "rebuild it or set BACO_WORKER")};
  if (description && *description != hello->machine)
    return {ErrorCode::Unsupported,
            name() + " gives another machine than before: " +
                hello->machine.cpu + " (" + hello->machine.host + "), not " +
                description->cpu + " (" + description->host + ")"};
  description = hello->machine;
  return {};
}

Result<MachineDescription> WorkerProcess::meet(WorkerOptions options) {
  if (Result<void> valid = options.measure.validate(); !valid)
    return valid.error();
  WorkerProcess worker(std::move(options));
  if (Result<void> spawned = worker.spawnOnAllCpus(); !spawned)
    return spawned.error();
  int64_t deadlineNs =
      nowNs() + worker.options.measure.limits.setupTimeoutMs * 1000000;
  Result<void> met = worker.receiveHello(deadlineNs);
  if (met)
    return *worker.description;
  bool isGone = worker.channel.isClosed();
  std::string status = worker.stopUnwanted();
  if (!isGone || met.error().code == ErrorCode::Corrupt)
    return met.error();
  return Error{ErrorCode::IOError,
               worker.name() + " " + status + ": " + worker.remedy()};
}

/// Time in which the worker only waits for its CPU moves the deadline.
Result<ReadyInfo> WorkerProcess::shakeHands(int64_t &deadlineNs) {
  if (Result<void> met = receiveHello(deadlineNs); !met)
    return met.error();
  auto odd = [&] {
    return Error{ErrorCode::Corrupt,
                 name() + " does not follow the protocol: " + remedy()};
  };
  int64_t slackMs = std::min(options.slackMs, setUpSlackMs);
  MeasureOptions measure = options.measure;
  int64_t timeoutMs = measure.limits.setupTimeoutMs = msUntil(deadlineNs);
  if (Result<void> sent =
          channel.send(SetUp{options.text, measure}, sendTimeoutMs);
      !sent)
    return sent.error();
  Result<std::optional<Message>> message = std::optional<Message>();
  while (true) {
    int64_t sinceNs = nowNs();
    message = receive(msUntil(deadlineNs) + slackMs);
    if (!message || !*message || !isWaiting(**message))
      break;
    deadlineNs += nowNs() - sinceNs;
  }
  if (!message)
    return message.error().code == ErrorCode::Corrupt ? odd() : message.error();
  if (!*message)
    return describeSilence(name(), ErrorCode::TimedOut, timeoutMs);
  if (const auto *refusal = std::get_if<Refusal>(&**message))
    return {refusal->code, refusal->message};
  if (auto *ready = std::get_if<Ready>(&**message))
    return std::move(*ready);
  return odd();
}
