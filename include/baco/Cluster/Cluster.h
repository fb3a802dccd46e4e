//===- Cluster.h - Many machines evaluate candidates ------------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Tuners give tasks to workers on other machines through a server of NATS with
// JetStream, which keeps tasks and results (docs/Cluster.md).
//
//===----------------------------------------------------------------------===//

#ifndef BACO_CLUSTER_CLUSTER_H
#define BACO_CLUSTER_CLUSTER_H

#include "baco/Cluster/Messages.h"

#include <atomic>
#include <functional>
#include <memory>

namespace baco::cluster {

struct ServerOptions {
  /// `nats://HOST:PORT`, several with commas between; without user or password.
  std::string url;
  /// The folder of ca.pem, cert.pem and key.pem, for mutual TLS; empty: none.
  std::string tls;
  /// The server shows it. What it answers goes to subjects that begin with
  /// `_INBOX_baco_` and this, which rights can be given for.
  std::string role = "tuner";
  /// A worker that hasn't renewed its task for so long has died, and another
  /// one gets the task; in milliseconds. The same for all of a cluster.
  int64_t ackWaitMs = 10000;
};

struct QueueOptions {
  /// The class of machines that gets the tasks; empty: the one with the most
  /// slots.
  std::string machineClass;
  /// How long to wait for a worker, in seconds.
  double waitSeconds = 30;
  /// Becomes true when the user wants to stop; may be null.
  const std::atomic<bool> *stop = nullptr;
  /// Called when workers are waited for, with what to tell the user. May be
  /// empty.
  std::function<void(const std::string &)> announce = {};
};

/// The tuner's side: tasks of one study, and their results. Use it from one
/// thread.
class TaskQueue {
public:
  virtual ~TaskQueue();

  /// Makes results of an earlier run of the study known, and lets tasks of it
  /// that are still queued count as submitted. `study` is 16 hexadecimal
  /// digits. Without, nothing outlives this object. Call before the first
  /// trial.
  virtual Result<void> identify(const std::string &study) = 0;

  /// The machine whose description candidates are compiled for.
  virtual const Machine &machine() const = 0;
  /// The slots of all workers of the class when the queue was opened.
  virtual uint64_t slots() const = 0;

  /// Queues a task, perhaps again after it was lost: `study`, `attempt` and
  /// `payload` are set here. Tasks beyond a fair share of the workers wait in
  /// this process.
  virtual Result<void> submit(Task task) = 0;
  /// The result of a task, once; nullopt if the user wants to stop, or
  /// `isOver` says so. Unsupported or IOError if no worker is left for longer
  /// than QueueOptions::waitSeconds.
  virtual Result<std::optional<TaskResult>>
  wait(const std::string &token, const std::function<bool()> &isOver) = 0;
  /// Withdraws a task; a result that comes all the same is ignored.
  virtual void cancel(const std::string &token) = 0;

  /// The workers that gave results, and the times of the plain kernel there.
  virtual std::vector<std::pair<std::string, double>> plainTimes() const = 0;
};

/// An evaluator of the tasks of one payload, in a worker. Used from one thread.
class TaskRunner {
public:
  virtual ~TaskRunner();
  /// How many tasks it has use for at a time, 1 or more: one may compile while
  /// another one is measured.
  virtual size_t depth() const { return 1; }
  /// Begins a task; its `number` is unique in this runner.
  virtual Result<void> submit(const Task &task) = 0;
  /// Waits for the one that was submitted first of those that weren't waited
  /// for. Sets `answer`, `plainNs` and `cut`.
  virtual TaskResult wait(const Task &task) = 0;
};

struct WorkerOptions {
  /// This machine: `id`, `host`, `description`, `llvm`, `slots`.
  Machine machine;
  /// Becomes true when the worker is to finish what it has, and leave.
  const std::atomic<bool> *drain = nullptr;
  /// Makes what evaluates the tasks of a payload in slot `slot`, from 0 on. An
  /// error refuses the task.
  std::function<Result<std::unique_ptr<TaskRunner>>(const Payload &payload,
                                                    uint64_t slot)>
      makeRunner;
  /// Told of what happens, in lines for a log. Called from several threads.
  std::function<void(const std::string &)> log = {};
  /// Total size of the payloads that are kept on disk, in bytes, and where;
  /// empty: nowhere.
  uint64_t cacheBytes = uint64_t{1} << 30;
  std::string cacheFolder = {};
};

/// The facts that `baco cluster status` shows.
struct ClusterStatus {
  /// When it was read, in milliseconds since 1970.
  int64_t readMs = 0;
  std::vector<Machine> machines;
  struct Class {
    std::string name;
    /// Tasks that no worker has, and that one has.
    uint64_t queued = 0, running = 0;
    /// Tuners at work.
    uint64_t studies = 0;
  };
  std::vector<Class> classes;
  uint64_t results = 0, resultBytes = 0;
};

class Cluster {
public:
  /// IOError if no server answers or it refuses, InvalidArgument for wrong
  /// options, Unsupported if this build has no NATS.
  static Result<std::unique_ptr<Cluster>> connect(const ServerOptions &options);
  virtual ~Cluster();

  /// Opens a queue for tasks of `payload`; `llvm` is the tuner's version.
  /// TimedOut if there is no worker in time, Unsupported if all have other
  /// versions.
  virtual Result<std::unique_ptr<TaskQueue>>
  openQueue(const Payload &payload, const std::string &llvm,
            const QueueOptions &options) = 0;
  /// The machine of the class that QueueOptions name. Errors as openQueue.
  virtual Result<Machine> chooseMachine(const std::string &llvm,
                                        const QueueOptions &options) = 0;

  /// Works until `drain` is true.
  virtual Result<void> work(const WorkerOptions &options) = 0;

  virtual Result<ClusterStatus> status() = 0;
  /// Lets a worker (empty: all) finish what it has and leave.
  virtual Result<void> drain(const std::string &id) = 0;
  /// Deletes all tasks, results and payloads.
  virtual Result<void> purge() = 0;
};

} // namespace baco::cluster

#endif // BACO_CLUSTER_CLUSTER_H
