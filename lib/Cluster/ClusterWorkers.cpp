//===- ClusterWorkers.cpp - A kernel's workers in a cluster ---------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "baco/Cluster/ClusterWorkers.h"

#include "PlainTimes.h"
#include "Requests.h"

#include "baco/Protocol/Clock.h"
#include "baco/Support/Complaint.h"

#include <algorithm>

using namespace baco;
using namespace baco::cluster;
using measure::Comparison;

Result<std::unique_ptr<measure::Workers>>
ClusterWorkers::start(Cluster &cluster, const std::string &llvm,
                      measure::WorkerOptions options, QueueOptions queue) {
  return attempt([&]() -> std::unique_ptr<measure::Workers> {
    need(options.measure.validate());
    queue.stop = options.stop;
    Payload payload;
    payload.text = runtime::encode(
        runtime::SetUp{std::move(options.text), options.measure});
    std::unique_ptr<ClusterWorkers> workers(
        new ClusterWorkers(need(cluster.openQueue(payload, llvm, queue))));
    Task task;
    task.kind = Task::Kind::SetUp;
    workers->info = workers->requestReady(std::move(task));
    workers->baseline = workers->info.referenceNs;
    return workers;
  });
}

/// The answer to a task that readies a worker. Ends at an error.
runtime::Ready ClusterWorkers::requestReady(Task task) {
  TaskResult result = need(
      cluster::request(*queue, std::move(task), [this] { return isOver(); }));
  auto *ready = std::get_if<runtime::Ready>(&result.answer);
  if (!ready)
    fail(answeredOutOfTurn(result));
  return std::move(*ready);
}

Result<void> ClusterWorkers::submit(uint64_t trial,
                                    std::string configurationJson) {
  Task task;
  task.number = trial;
  task.submit = {trial, std::move(configurationJson), limits.limits(),
                 baseline};
  return queue->submit(std::move(task));
}

Result<Outcome> ClusterWorkers::wait(uint64_t trial) {
  auto evaluated = waitForTrial(*queue, trial, [this] { return isOver(); });
  if (!evaluated)
    return evaluated.error();
  // The first time that is told has the clock of the others.
  if (baseline == 0 && !evaluated->conditions.empty())
    baseline = evaluated->conditions.front().referenceNs;
  conditionsSeen.insert(conditionsSeen.end(), evaluated->conditions.begin(),
                        evaluated->conditions.end());
  limits.observe(evaluated->outcome);
  return std::move(evaluated->outcome);
}

void ClusterWorkers::cancel(uint64_t trial) { queue->cancel(tokenOf(trial)); }

void ClusterWorkers::endIn(double seconds) {
  constexpr double longest = 1e9; // beyond that, the sum overflows
  endNs =
      runtime::nowNs() + static_cast<int64_t>(std::min(seconds, longest) * 1e9);
}

bool ClusterWorkers::isOver() const { return runtime::nowNs() >= endNs; }

Result<void> ClusterWorkers::complete() {
  if (info.restNs == 0)
    return {};
  Task task;
  task.kind = Task::Kind::Complete;
  return attempt([&] {
    info = requestReady(std::move(task));
    info.restNs = 0;
  });
}

Result<Comparison>
ClusterWorkers::compare(const std::vector<measure::Finalist> &finalists,
                        const measure::RoundsOptions &options) {
  return compareRemotely(*queue, finalists, options,
                         [this] { return isOver(); });
}

std::vector<std::string> ClusterWorkers::notes() const {
  return describePlainTimes(queue->plainTimes());
}

namespace {
/// A worker process that is a part of a cluster's worker.
class KernelRunner final : public TaskRunner {
public:
  explicit KernelRunner(std::unique_ptr<measure::WorkerProcess> process)
      : process(std::move(process)) {}

  /// One compiles while another one is measured.
  size_t depth() const override { return 2; }
  Result<void> submit(const Task &task) override;
  TaskResult wait(const Task &task) override;

private:
  runtime::Message answer(const Task &task, measure::Cut &cut);

  std::unique_ptr<measure::WorkerProcess> process;
};
} // namespace

Result<void> KernelRunner::submit(const Task &task) {
  if (task.kind != Task::Kind::Trial)
    return {};
  runtime::Submit candidate = task.submit;
  candidate.trial = task.number;
  return process->submit(std::move(candidate));
}

runtime::Message KernelRunner::answer(const Task &task, measure::Cut &cut) {
  if (task.kind == Task::Kind::Trial) {
    size_t before = process->conditions().size();
    Outcome outcome = need(process->wait(task.number));
    const auto &seen = process->conditions();
    return runtime::Evaluated{task.submit.trial,
                              std::move(outcome),
                              {seen.begin() + before, seen.end()}};
  }
  if (task.kind == Task::Kind::Finals) {
    Comparison compared = need(measure::compareInRounds(
        *process, task.rounds.finalists, task.rounds.options));
    cut = compared.cut;
    return runtime::Compared{std::move(compared.finalists)};
  }
  if (task.kind == Task::Kind::Complete)
    need(process->complete());
  return process->ready();
}

TaskResult KernelRunner::wait(const Task &task) {
  TaskResult result;
  Result<runtime::Message> message =
      attempt([&] { return answer(task, result.cut); });
  if (message)
    result.answer = std::move(*message);
  else
    result.answer =
        runtime::Refusal{message.error().message, message.error().code};
  const Outcome &plain = process->ready().plain;
  result.plainNs = plain.status == Status::Ok ? plain.timeNs : 0;
  return result;
}

Result<std::unique_ptr<TaskRunner>>
cluster::makeKernelRunner(const std::string &text, const std::string &program,
                          int cpu) {
  return attempt([&]() -> std::unique_ptr<TaskRunner> {
    runtime::Message message = need(runtime::decode(text));
    auto *setUp = std::get_if<runtime::SetUp>(&message);
    if (!setUp)
      fail({ErrorCode::Corrupt, "a payload without a kernel"});
    measure::WorkerOptions options;
    options.program = program;
    options.text = std::move(setUp->text);
    options.measure = setUp->options;
    options.measure.cpu = cpu;
    return std::make_unique<KernelRunner>(
        need(measure::WorkerProcess::start(std::move(options))));
  });
}
