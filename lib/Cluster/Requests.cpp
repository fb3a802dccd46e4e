//===- Requests.cpp - Tasks that are waited for ---------------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Requests.h"

#include "baco/Support/Complaint.h"

#include <limits>
#include <random>

using namespace baco;
using namespace baco::cluster;

std::string cluster::tokenOf(uint64_t trial) {
  Task task;
  task.number = trial;
  return task.token();
}

Error cluster::answeredOutOfTurn(const TaskResult &result) {
  return {ErrorCode::Corrupt,
          "worker " + result.worker + " sent a message out of turn"};
}

Result<TaskResult> cluster::request(TaskQueue &queue, Task task,
                                    const IsOver &isOver) {
  // The answers to an earlier run's requests are none to this one's.
  task.number = std::random_device()();
  std::string token = task.token();
  return attempt([&] {
    need(queue.submit(std::move(task)));
    std::optional<TaskResult> result = need(queue.wait(token, isOver));
    if (!result) {
      queue.cancel(token);
      fail(isOver && isOver()
               ? Error{ErrorCode::TimedOut, "the time was over"}
               : Error{ErrorCode::IOError, "the user stopped it"});
    }
    if (const auto *refusal = std::get_if<runtime::Refusal>(&result->answer))
      fail({refusal->code,
            "worker " + result->worker + ": " + refusal->message});
    return std::move(*result);
  });
}

Result<runtime::Evaluated>
cluster::waitForTrial(TaskQueue &queue, uint64_t trial, const IsOver &isOver) {
  std::string token = tokenOf(trial);
  Result<std::optional<TaskResult>> result = queue.wait(token, isOver);
  if (!result)
    return result.error();
  runtime::Evaluated lost;
  lost.trial = trial;
  lost.outcome.timeNs = std::numeric_limits<double>::quiet_NaN();
  if (!*result) {
    queue.cancel(token);
    lost.outcome.message = "the time was over";
    return lost;
  }
  if (auto *evaluated = std::get_if<runtime::Evaluated>(&(*result)->answer))
    return std::move(*evaluated);
  // Another worker may take it.
  const auto *refusal = std::get_if<runtime::Refusal>(&(*result)->answer);
  lost.outcome.message = refusal ? "worker " + (*result)->worker +
                                       " refused it: " + refusal->message
                                 : answeredOutOfTurn(**result).message;
  return lost;
}

Result<measure::Comparison> cluster::compareRemotely(
    TaskQueue &queue, const std::vector<measure::Finalist> &finalists,
    const measure::RoundsOptions &options, const IsOver &isOver) {
  Task task;
  task.kind = Task::Kind::Finals;
  // JSON has no infinity.
  constexpr double longestMs = 1e12;
  task.rounds = {finalists, options};
  task.rounds.options.longestMs = std::min(options.longestMs, longestMs);
  task.rounds.options.onRound = nullptr;
  if (options.onRound)
    options.onRound(0);
  Result<TaskResult> result = request(queue, std::move(task), isOver);
  if (!result)
    return result.error();
  auto *compared = std::get_if<runtime::Compared>(&result->answer);
  if (!compared || compared->candidates.size() != finalists.size())
    return answeredOutOfTurn(*result);
  return measure::Comparison{std::move(compared->candidates), result->cut};
}
