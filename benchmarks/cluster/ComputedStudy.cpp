//===- ComputedStudy.cpp - A study of computed outcomes -------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Workers compute outcomes, and sleep as long as a candidate would take.
//
//===----------------------------------------------------------------------===//

#include "ComputedStudy.h"

#include "Cluster/LocalServer.h"

#include "baco/Format/SpaceFormat.h"
#include "baco/Search/Techniques/OptimizerFactory.h"
#include "baco/Support/UniqueName.h"

#include <chrono>
#include <cmath>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <deque>
#include <thread>

using namespace baco;
using namespace baco::bench;
using namespace baco::cluster;

void bench::fail(const std::string &message) {
  std::fprintf(stderr, "baco-bench-cluster: error: %s\n", message.c_str());
  std::exit(2);
}

double bench::now() {
  return std::chrono::duration<double>(
             std::chrono::steady_clock::now().time_since_epoch())
      .count();
}

Space bench::matmulSpace() {
  std::vector<ParameterValue> sizes;
  for (int64_t size = 4; size <= 1024; size *= 2)
    sizes.emplace_back(size);
  return take(
      Space::create({take(Parameter::ordinal("MC", sizes, true)),
                     take(Parameter::ordinal("KC", sizes, true)),
                     take(Parameter::ordinal("NC", sizes, true)),
                     take(Parameter::integer("MR", 1, 16)),
                     take(Parameter::integer("NR", 1, 16)),
                     take(Parameter::permutation("order", 3)),
                     take(Parameter::boolean("pack"))},
                    {{take(Expression::parse("MR * NR <= 128")), "", ""}}));
}

Outcome bench::computeOutcome(const Configuration &c) {
  auto number = [&](size_t i) {
    return static_cast<double>(std::get<int64_t>(c[i]));
  };
  double log = 0.1 * std::pow(std::log2(number(0)) - 7, 2) +
               0.05 * std::pow(std::log2(number(1)) - 8, 2) +
               0.02 * std::pow(std::log2(number(2)) - 6, 2) +
               0.01 * std::pow(number(3) - 6, 2) +
               0.02 * std::pow(number(4) - 8, 2) +
               0.3 * (std::get<Permutation>(c[5])[0] != 0) +
               (std::get<bool>(c[6]) ? 0 : 0.2);
  Outcome outcome;
  outcome.status = Status::Ok;
  outcome.timeNs = 1e6 * std::exp(log);
  outcome.numSamples = 40;
  outcome.spread = 0.01;
  outcome.compileNs = 2e7;
  outcome.runNs = 5e7;
  return outcome;
}

namespace {
/// One task at a time, whatever the depth: what is waited for is evaluated.
class ComputingRunner final : public TaskRunner {
public:
  ComputingRunner(Space space, const Worker &worker)
      : space(std::move(space)), worker(worker) {}

  size_t depth() const override { return worker.depth; }
  Result<void> submit(const Task &) override { return {}; }
  TaskResult wait(const Task &task) override {
    TaskResult result;
    if (task.kind != Task::Kind::Trial) {
      result.answer = runtime::Ready();
      return result;
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(worker.taskMs));
    Result<Configuration> configuration =
        readConfiguration(space, task.submit.configuration);
    if (configuration)
      result.answer = runtime::Evaluated{
          task.submit.trial, computeOutcome(*configuration), {}};
    return result;
  }

private:
  Space space;
  const Worker &worker;
};
} // namespace

static std::atomic<bool> ends = false;

void bench::work(const Worker &worker) {
  std::signal(SIGTERM, [](int) { ends = true; });
  ServerOptions server;
  server.url = worker.url;
  server.role = "worker";
  auto cluster = take(Cluster::connect(server));
  WorkerOptions options;
  options.machine.id = worker.id;
  options.machine.machineClass = "computed";
  options.machine.slots = worker.slots;
  options.drain = &ends;
  options.makeRunner = [&](const Payload &,
                           uint64_t) -> Result<std::unique_ptr<TaskRunner>> {
    return std::unique_ptr<TaskRunner>(
        std::make_unique<ComputingRunner>(matmulSpace(), worker));
  };
  if (Result<void> worked = cluster->work(options); !worked)
    fail(worked.error().message);
}

double bench::runStudy(const Study &study) {
  cluster::test::TemporaryFolder folder;
  Space space = matmulSpace();
  ServerOptions server;
  server.url = study.url;
  auto cluster = take(Cluster::connect(server));
  auto evaluator = take(ClusterEvaluator::replay(*cluster, /*llvm=*/"", space,
                                                 "computed", "computed", {}));
  auto journal = take(database::Journal::open(folder / "db"));
  auto writer = take(journal.openStudy({"k", "bench", "{}", "{}"}));
  auto optimizer = take(search::makeOptimizer("random", space, {}));
  if (Result<void> named = evaluator->identify(drawUniqueName()); !named)
    fail(named.error().message);
  study::StudyOptions options;
  options.budget = study.trials;
  options.inFlight = study.inFlight;
  double start = now();
  auto result =
      take(study::runStudy({space, *optimizer, *evaluator, &writer}, options));
  double seconds = now() - start;
  if (result.failure)
    fail(result.failure->message);
  if (result.counts[static_cast<size_t>(Status::Ok)] != study.trials)
    fail("not all trials were ok");
  return seconds;
}

SearchCost bench::measureSearch(const std::string &technique, uint64_t told,
                                uint64_t inFlight) {
  Space space = matmulSpace();
  auto random = take(search::makeOptimizer("random", space, {}));
  auto optimizer = take(search::makeOptimizer(technique, space, {}));
  auto observe = [](const Configuration &configuration) {
    return search::Observation{computeOutcome(configuration).timeNs, true, {}};
  };
  std::vector<search::PastTrial> past;
  std::deque<search::Suggestion> pending;
  for (uint64_t i = 0; i < told + inFlight; ++i) {
    auto asked = take(random->ask());
    if (!asked)
      fail("the space is exhausted");
    search::PastTrial trial;
    // States are those of another technique.
    trial.suggestion = {asked->trial, asked->configuration, ""};
    trial.isPending = i >= told;
    if (trial.isPending)
      pending.push_back(trial.suggestion);
    else
      trial.observation = observe(asked->configuration);
    past.push_back(std::move(trial));
  }
  if (Result<void> restored = optimizer->restore(past); !restored)
    fail(restored.error().message);
  // The first fits the model to all that it was given.
  constexpr int numAsks = 24;
  double start = 0;
  for (int i = 0; i <= numAsks; ++i) {
    if (i == 1)
      start = now();
    search::Suggestion oldest = std::move(pending.front());
    pending.pop_front();
    if (Result<void> done =
            optimizer->tell(oldest.trial, observe(oldest.configuration));
        !done)
      fail(done.error().message);
    auto asked = take(optimizer->ask());
    if (!asked)
      fail("the space is exhausted");
    pending.push_back(std::move(*asked));
  }
  return {told, 1e3 * (now() - start) / numAsks};
}
