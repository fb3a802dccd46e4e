//===- NatsQueue.h - The tuner's side of a cluster --------------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Tasks of a study on the server, and their results.
//
//===----------------------------------------------------------------------===//

#ifndef BACO_LIB_CLUSTER_NATSQUEUE_H
#define BACO_LIB_CLUSTER_NATSQUEUE_H

#include "Nats.h"

#include <deque>
#include <map>
#include <set>

namespace baco::cluster {

/// The workers of one class that are alive.
struct Workers {
  uint64_t slots = 0;
  /// The time since one was seen, in milliseconds.
  int64_t goneSinceMs = 0;
};

class NatsQueue final : public TaskQueue {
public:
  static Result<std::unique_ptr<TaskQueue>>
  open(std::shared_ptr<Session> session, Machine machine,
       const std::string &payload, const QueueOptions &options);
  /// Withdraws what no worker has begun.
  ~NatsQueue() override;

  Result<void> identify(const std::string &name) override;
  const Machine &machine() const override { return chosen; }
  uint64_t slots() const override { return slotsAtFirst; }
  Result<void> submit(Task task) override;
  Result<std::optional<TaskResult>>
  wait(const std::string &token, const std::function<bool()> &isOver) override;
  void cancel(const std::string &token) override;
  std::vector<std::pair<std::string, double>> plainTimes() const override {
    return {plain.begin(), plain.end()};
  }

private:
  NatsQueue(std::shared_ptr<Session> session, Machine machine,
            const QueueOptions &options);

  std::string subjectOf(const std::string &token) const {
    return "baco.task." + chosen.machineClass + "." + study + "." + token;
  }
  void listen();
  Result<void> forgetStudy();
  void readRecorded();
  std::optional<Task> queuedTask(const std::string &token) const;
  struct Pending;
  bool findRecorded(Pending &entry);
  void adopt(Pending &entry);
  void insist(const std::function<void()> &ask) const;
  uint64_t share() const;
  void publishMore();
  void publish(Pending &entry);
  void checkLost(Pending &entry);
  void keepAlive();
  void receive(int64_t timeoutMs);
  void take(const std::string &text);
  bool isStopped() const { return options.stop && *options.stop; }
  void announce(const std::string &text) const {
    if (options.announce)
      options.announce(text);
  }

  std::shared_ptr<Session> session;
  Machine chosen;
  QueueOptions options;
  uint64_t slotsAtFirst = 0, slotsNow = 0, numStudies = 1;
  Bucket machines, studies;
  std::string payload, study;
  /// Tells this run's messages from those of other runs.
  std::string run;
  bool isIdentified = false;
  /// Whether tasks of an earlier run were there when this one began.
  bool hasEarlierTasks = false;
  NatsSubscription results;
  /// Tasks that were neither cancelled nor waited for.
  struct Pending {
    Task task;
    bool isPublished = false;
    /// When the server was known to have it, and how often it was told.
    int64_t checkedMs = 0;
    uint64_t numPublications = 0;
    std::optional<TaskResult> result = std::nullopt;
  };
  std::map<std::string, Pending> pending;
  /// Tasks that aren't published yet, in the order of their submission.
  std::deque<std::string> held;
  uint64_t numPublished = 0;
  /// Results of an earlier run, by token and attempt.
  std::map<std::pair<std::string, uint64_t>, TaskResult> recorded;
  /// How often each task was submitted.
  std::map<std::string, uint64_t> attempts;
  std::map<std::string, double> plain;
  /// What workers have said they can't do.
  std::set<std::string> troubles;
  int64_t aliveAtMs = 0, seenAtMs = 0;
};

/// The machines in the bucket that are of versions as `llvm` and this one, and
/// the reason why others are not.
Result<std::vector<Machine>> readMachines(kvStore *bucket);

/// Whether a worker understands the tuner; if not, `why` says it in a line.
bool isCompatible(const Machine &machine, const std::string &llvm,
                  std::string &why);

} // namespace baco::cluster

#endif // BACO_LIB_CLUSTER_NATSQUEUE_H
