//===- NatsCluster.cpp - A cluster with a server of NATS ------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "NatsQueue.h"
#include "NatsWorker.h"
#include "Streams.h"

#include "baco/Support/Complaint.h"

#include <algorithm>
#include <map>
#include <unistd.h>

using namespace baco;
using namespace baco::cluster;

namespace {
class NatsCluster final : public Cluster {
public:
  explicit NatsCluster(std::shared_ptr<Session> session)
      : session(std::move(session)) {}

  Result<std::unique_ptr<TaskQueue>>
  openQueue(const Payload &payload, const std::string &llvm,
            const QueueOptions &options) override;
  Result<Machine> chooseMachine(const std::string &llvm,
                                const QueueOptions &options) override;
  Result<void> work(const WorkerOptions &options) override {
    return NatsWorker(*session, options).run();
  }
  Result<ClusterStatus> status() override;
  Result<void> drain(const std::string &id) override;
  Result<void> purge() override;

private:
  /// Ends at an error.
  std::vector<Machine> readMachines() const;

  std::shared_ptr<Session> session;
};
} // namespace

Result<std::unique_ptr<Cluster>>
Cluster::connect(const ServerOptions &options) {
  Result<std::unique_ptr<Session>> session = Session::open(options);
  if (!session)
    return session.error();
  return std::unique_ptr<Cluster>(
      std::make_unique<NatsCluster>(std::move(*session)));
}

std::vector<Machine> NatsCluster::readMachines() const {
  need(makeStreams(*session));
  return need(
      cluster::readMachines(need(session->bucket(machineBucket)).get()));
}

/// The machine of the wanted class, or of the one with the most slots. Sets
/// `why` to the reason if there is none.
static std::optional<Machine> chooseFrom(const std::vector<Machine> &machines,
                                         const std::string &llvm,
                                         const std::string &wanted,
                                         std::string &why) {
  std::map<std::string, uint64_t> slots;
  for (const Machine &machine : machines) {
    if (!isCompatible(machine, llvm, why))
      continue;
    if (machine.isDraining)
      why = "worker " + machine.id + " is draining";
    else if (!wanted.empty() && machine.machineClass != wanted)
      why = "worker " + machine.id + " is of class " + machine.machineClass;
    else
      slots[machine.machineClass] += machine.slots;
  }
  if (slots.empty())
    return std::nullopt;
  const std::string &chosen =
      std::ranges::max_element(slots, {}, [](const auto &entry) {
        return entry.second;
      })->first;
  return *std::ranges::find_if(machines, [&](const Machine &machine) {
    return machine.machineClass == chosen && !machine.isDraining;
  });
}

Result<Machine> NatsCluster::chooseMachine(const std::string &llvm,
                                           const QueueOptions &options) {
  int64_t deadlineMs =
      nowMs() + static_cast<int64_t>(options.waitSeconds * 1000);
  for (bool isFirst = true;; isFirst = false) {
    auto machines = attempt([&] { return readMachines(); });
    if (!machines)
      return machines.error();
    std::string why = "no worker is there";
    if (std::optional<Machine> chosen =
            chooseFrom(*machines, llvm, options.machineClass, why))
      return *chosen;
    if (isFirst && options.announce)
      options.announce("waiting for a worker at " + session->url + ": " + why);
    bool isStopped = options.stop && *options.stop;
    if (nowMs() > deadlineMs || isStopped)
      return {machines->empty() ? ErrorCode::TimedOut : ErrorCode::Unsupported,
              "no worker" +
                  (options.machineClass.empty()
                       ? std::string()
                       : " of class " + options.machineClass) +
                  " came to " + session->url + " (" + why +
                  "); start baco-worker --nats=" + session->url +
                  " on some machine"};
    usleep(300000);
  }
}

Result<std::unique_ptr<TaskQueue>>
NatsCluster::openQueue(const Payload &payload, const std::string &llvm,
                       const QueueOptions &options) {
  Result<Machine> machine = chooseMachine(llvm, options);
  if (!machine)
    return machine.error();
  return NatsQueue::open(session, std::move(*machine), encode(payload),
                         options);
}

Result<ClusterStatus> NatsCluster::status() {
  ClusterStatus status;
  status.readMs = nowMs();
  auto machines = attempt([&] { return readMachines(); });
  if (!machines)
    return machines.error();
  status.machines = std::move(*machines);
  std::map<std::string, ClusterStatus::Class> classes;
  for (const Machine &machine : status.machines)
    classes[machine.machineClass];
  jsConsumerInfoList *found = nullptr;
  jsErrCode code = static_cast<jsErrCode>(0);
  if (js_Consumers(&found, session->js.get(), taskStream, nullptr, &code) ==
      NATS_OK) {
    for (int i = 0; i < found->Count; ++i) {
      ClusterStatus::Class &one = classes[found->List[i]->Name];
      one.queued = found->List[i]->NumPending;
      one.running = static_cast<uint64_t>(found->List[i]->NumAckPending);
    }
    jsConsumerInfoList_Destroy(found);
  }
  auto studies = attempt([&] {
    return need(entriesOf(need(session->bucket(studyBucket)).get()));
  });
  if (!studies)
    return studies.error();
  for (const auto &[key, value] : *studies)
    ++classes[key.substr(0, key.rfind('.'))].studies;
  for (auto &[name, one] : classes) {
    one.name = name;
    status.classes.push_back(one);
  }
  jsStreamInfo *results = nullptr;
  if (js_GetStreamInfo(&results, session->js.get(), resultStream, nullptr,
                       &code) == NATS_OK) {
    status.results = results->State.Msgs;
    status.resultBytes = results->State.Bytes;
    jsStreamInfo_Destroy(results);
  }
  return status;
}

Result<void> NatsCluster::drain(const std::string &id) {
  return attempt([&] {
    std::vector<Machine> machines = readMachines();
    Bucket bucket = need(session->bucket(drainBucket));
    bool isFound = id.empty();
    for (const Machine &machine : machines) {
      if (!id.empty() && machine.id != id)
        continue;
      isFound = true;
      uint64_t revision = 0;
      natsStatus status = kvStore_PutString(&revision, bucket.get(),
                                            machine.id.c_str(), "drain");
      if (status != NATS_OK)
        fail(natsError(status, "--nats: bucket " + std::string(drainBucket)));
    }
    if (!isFound)
      fail({ErrorCode::NotFound, "there is no worker '" + id +
                                     "' (baco cluster status lists them)"});
  });
}

Result<void> NatsCluster::purge() {
  return attempt([&] {
    need(makeStreams(*session));
    for (const char *stream : {taskStream, resultStream, "KV_baco-payloads"})
      need(purgeStream(*session, stream));
  });
}
