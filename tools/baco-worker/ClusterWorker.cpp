//===- ClusterWorker.cpp - A worker of a cluster --------------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ClusterWorker.h"

#include "baco/Cluster/ClusterEvaluator.h"
#include "baco/Cluster/ClusterWorkers.h"
#include "baco/Runtime/CpuPlan.h"

#include "llvm/Config/llvm-config.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/raw_ostream.h"

#include <csignal>
#include <mutex>
#include <sched.h>
#include <unistd.h>

using namespace baco;
using namespace baco::tool;
using namespace baco::cluster;

/// Set by signals.
static std::atomic<bool> drains = false;

/// The second one ends the worker at once; others get its tasks.
static void drainOrLeave(int) {
  if (drains.exchange(true))
    _exit(130);
}

/// The CPUs of this process, in one group for each slot: candidates are
/// measured on the last CPU of a group and compiled on the others. Nothing if
/// there are fewer CPUs than slots.
static std::vector<cpu_set_t> groupCpus(uint64_t slots) {
  std::vector<int> cpus = runtime::allowedCpus();
  if (cpus.size() < slots)
    return {};
  std::vector<cpu_set_t> groups(slots);
  for (uint64_t slot = 0; slot < slots; ++slot) {
    CPU_ZERO(&groups[slot]);
    // From the last one down: the first has the system's own work.
    for (size_t i = slot; i < cpus.size(); i += slots)
      CPU_SET(cpus[cpus.size() - 1 - i], &groups[slot]);
  }
  return groups;
}

static std::string hostName() {
  char name[256] = {};
  return gethostname(name, sizeof name - 1) == 0 && name[0] ? name : "host";
}

/// A name that is fit for a key: HOST-PID.
static std::string defaultId(const std::string &host) {
  std::string id;
  for (char c : host.substr(0, 40))
    id += llvm::isAlnum(c) ? c : '-';
  return id + "-" + std::to_string(getpid());
}

static int lastCpu(const cpu_set_t &cpus) {
  for (int cpu = CPU_SETSIZE - 1; cpu > 0; --cpu)
    if (CPU_ISSET(cpu, &cpus))
      return cpu;
  return 0;
}

int tool::workForCluster(const ClusterLine &line,
                         const runtime::MachineDescription &machine) {
  auto complain = [](const std::string &message) {
    llvm::errs() << "baco-worker: error: " << message << "\n";
    return 2;
  };
  std::vector<cpu_set_t> groups = groupCpus(line.slots);
  if (groups.empty())
    return complain("--slots: there are " + std::to_string(line.slots) +
                    " slots, but not as many CPUs that this process may use");
  std::signal(SIGPIPE, SIG_IGN);
  std::signal(SIGTERM, drainOrLeave);
  std::signal(SIGINT, drainOrLeave);

  WorkerOptions options;
  Machine &self = options.machine;
  self.host = hostName();
  self.id = line.id.empty() ? defaultId(self.host) : line.id;
  self.description = machine;
  self.llvm = LLVM_VERSION_STRING;
  self.machineClass = classOf(machine, self.llvm);
  self.slots = line.slots;
  options.drain = &drains;
  options.cacheFolder = line.cache + "/payloads";
  options.cacheBytes = line.cacheMiB << 20;
  options.log = [](const std::string &text) {
    static std::mutex mutex;
    std::lock_guard lock(mutex);
    llvm::errs() << "baco-worker: " << text << "\n";
  };
  std::string program = llvm::sys::fs::getMainExecutable(
      nullptr, reinterpret_cast<void *>(&workForCluster));
  options.makeRunner =
      [&](const Payload &payload,
          uint64_t slot) -> Result<std::unique_ptr<TaskRunner>> {
    const cpu_set_t &cpus = groups[slot];
    // Processes that this thread starts run there, too.
    sched_setaffinity(0, sizeof cpus, &cpus);
    if (payload.kind == Payload::Kind::Kernel)
      return makeKernelRunner(payload.text, program, lastCpu(cpus));
    return makeProgramRunner(
        payload,
        {line.allowedCommands, line.cache + "/" + self.id, lastCpu(cpus)});
  };

  ServerOptions server = line.server;
  server.role = "worker";
  Result<std::unique_ptr<Cluster>> cluster = Cluster::connect(server);
  if (!cluster)
    return complain(cluster.error().message);
  if (Result<void> worked = (*cluster)->work(options); !worked)
    return complain(worked.error().message);
  return 0;
}
