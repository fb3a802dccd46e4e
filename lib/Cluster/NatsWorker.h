//===- NatsWorker.h - The worker's side of a cluster ------------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A worker has a thread for each slot, which pulls tasks, and this one, which
// renews tasks that are under way and tells others that the worker lives.
//
//===----------------------------------------------------------------------===//

#ifndef BACO_LIB_CLUSTER_NATSWORKER_H
#define BACO_LIB_CLUSTER_NATSWORKER_H

#include "Nats.h"
#include "PayloadCache.h"

#include <deque>
#include <list>
#include <mutex>

namespace baco::cluster {

class NatsWorker {
public:
  NatsWorker(const Session &session, const WorkerOptions &options);
  /// Works until it drains.
  Result<void> run();

private:
  class Slot;

  Result<void> openBuckets();
  void renewTasks();
  void describe();
  void readDrain();
  bool isDraining() const {
    return drained || (options.drain && *options.drain);
  }
  void log(const std::string &text) const {
    if (options.log)
      options.log(text);
  }
  void refuse(const std::string &why);
  void complain(const std::string &what);

  const Session &session;
  const WorkerOptions &options;
  PayloadCache cache;
  Bucket payloads, machines, drains;
  /// Of the last wish to drain that an earlier worker of this name got.
  uint64_t oldWish = 0;
  std::atomic<bool> drained = false;
  std::atomic<uint64_t> numBusy = 0, numDone = 0, numFailed = 0;
  /// Guards what follows.
  std::mutex mutex;
  std::list<natsMsg *> underWay;
  std::string refused, trouble;
};

} // namespace baco::cluster

#endif // BACO_LIB_CLUSTER_NATSWORKER_H
