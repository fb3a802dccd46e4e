//===- SimulatedStudy.cpp - A study of a table ----------------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Outcomes follow from the configuration.
//
//===----------------------------------------------------------------------===//

#include "SimulatedStudy.h"

#include "LocalServer.h"

#include "baco/Study/ReplayEvaluator.h"

#include <deque>
#include <fcntl.h>
#include <fstream>
#include <unistd.h>

using namespace baco;
using namespace baco::cluster;
using namespace baco::cluster::test;

Space test::simulatedSpace() {
  return *Space::create({*Parameter::integer("a", 0, 7),
                         *Parameter::integer("b", 0, 7),
                         *Parameter::integer("c", 0, 3)});
}

std::string test::simulatedTable() {
  std::string text = "a,b,c,time_ns,valid\n";
  for (int a = 0; a < 8; ++a)
    for (int b = 0; b < 8; ++b)
      for (int c = 0; c < 4; ++c) {
        int time = 100 + 10 * (a - 5) * (a - 5) + 7 * (b - 2) * (b - 2) + 3 * c;
        bool isValid = (a + 2 * b + c) % 7 != 6;
        for (int value : {a, b, c, time})
          text += std::to_string(value) + ",";
        text += isValid ? "1\n" : "0\n";
      }
  return text;
}

namespace {
class Silent : public report::ProgressListener {
public:
  void update(const report::Progress &) override {}
};

/// Takes its time, and notes what it does.
class SlowRunner : public TaskRunner {
public:
  SlowRunner(std::unique_ptr<TaskRunner> inner, const SimulatedWorker &worker)
      : inner(std::move(inner)), worker(worker) {}

  size_t depth() const override { return worker.depth; }
  Result<void> submit(const Task &task) override { return inner->submit(task); }
  TaskResult wait(const Task &task) override {
    if (task.kind != Task::Kind::Trial)
      return inner->wait(task);
    note("begin", task);
    usleep(static_cast<useconds_t>(worker.delayMs * 1000));
    TaskResult result = inner->wait(task);
    note("end", task);
    return result;
  }

private:
  /// In one call, as several processes write the file.
  void note(const char *what, const Task &task) const {
    if (worker.folder.empty())
      return;
    std::string line = std::string(what) + " " + worker.id + " " +
                       std::to_string(task.submit.trial) + "\n";
    int file = open((worker.folder + "/evaluations").c_str(),
                    O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
    (void)!write(file, line.data(), line.size());
    close(file);
  }

  std::unique_ptr<TaskRunner> inner;
  const SimulatedWorker &worker;
};
} // namespace

Result<command::TunedProgram> test::tuneSimulated(const SimulatedStudy &study) {
  TemporaryFolder folder;
  std::ofstream(folder / "table.csv") << simulatedTable();
  Space space = simulatedSpace();
  auto replay = study::ReplayEvaluator::open(folder / "table.csv", space);
  if (!replay)
    return replay.error();
  command::ProgramOptions options;
  options.name = "simulated";
  options.optimizer = study.optimizer;
  options.budget = study.budget;
  options.inFlight = study.inFlight;
  options.seed = study.seed;
  options.database = study.database;
  options.evaluator = replay->get();
  std::unique_ptr<Cluster> cluster;
  std::unique_ptr<ClusterEvaluator> remote;
  if (!study.server.url.empty()) {
    auto connected = Cluster::connect(study.server);
    if (!connected)
      return connected.error();
    cluster = std::move(*connected);
    auto joined =
        ClusterEvaluator::replay(*cluster, /*llvm=*/"", space, simulatedTable(),
                                 (*replay)->fingerprint(), study.queue);
    if (!joined)
      return joined.error();
    remote = std::move(*joined);
    options.remote = remote.get();
  }
  Silent listener;
  return command::tuneProgram(space, options, listener);
}

std::vector<std::string> test::trialsIn(const std::string &database) {
  std::vector<std::string> lines;
  auto journal = database::Journal::openReadOnly(database);
  auto studies = journal ? journal->studies() : journal.error();
  if (!studies || studies->size() != 1)
    return lines;
  auto trials = journal->trials(studies->front().key);
  if (!trials)
    return lines;
  for (const database::Trial &trial : *trials) {
    std::string line = std::to_string(trial.number) + " " + trial.configuration;
    if (trial.outcome)
      line += " " + std::string(statusName(trial.outcome->status)) + " " +
              std::to_string(trial.outcome->timeNs);
    lines.push_back(std::move(line));
  }
  return lines;
}

Result<void> test::workSimulated(const SimulatedWorker &worker) {
  ServerOptions server = worker.server;
  server.role = "worker";
  auto cluster = Cluster::connect(server);
  if (!cluster)
    return cluster.error();
  TemporaryFolder tables;
  WorkerOptions options;
  options.machine.id = worker.id;
  options.machine.host = "loopback";
  options.machine.machineClass = "simulated";
  options.machine.slots = worker.slots;
  options.drain = worker.drain;
  options.log = worker.log;
  options.makeRunner = [&](const Payload &payload,
                           uint64_t) -> Result<std::unique_ptr<TaskRunner>> {
    auto made = makeProgramRunner(payload, {{}, tables.path(), 0});
    if (!made)
      return made.error();
    return std::unique_ptr<TaskRunner>(
        std::make_unique<SlowRunner>(std::move(*made), worker));
  };
  return (*cluster)->work(options);
}
