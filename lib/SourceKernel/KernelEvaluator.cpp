//===- KernelEvaluator.cpp - Kernels from source texts --------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "baco/SourceKernel/KernelEvaluator.h"

#include "KernelMessages.h"
#include "KernelServer.h"

#include "baco/Device/ServerProcess.h"
#include "baco/Format/SpaceFormat.h"
#include "baco/Protocol/Channel.h"
#include "baco/Protocol/Clock.h"
#include "baco/Protocol/CloseIfOpen.h"
#include "baco/Runtime/CpuLease.h"
#include "baco/Support/Complaint.h"
#include "baco/Support/ContentHash.h"

#include <cerrno>
#include <cmath>
#include <cstring>
#include <map>
#include <poll.h>
#include <sys/socket.h>

using namespace baco;
using namespace baco::kernels;
using runtime::nowNs;

/// Drivers free what a process had.
static constexpr int killTimeoutMs = 30000;

namespace {
class KernelProcess final : public KernelEvaluator, measure::SideBySide {
public:
  KernelProcess(const Space &space, const KernelTask &task,
                const KernelOptions &options, LaunchPlanner planner)
      : space(space), task(task), options(options),
        planner(std::move(planner)) {}

  void start();
  Result<runtime::Samples>
  measure(const Configuration &configuration) override {
    return attempt([&] { return measureNow(configuration); });
  }
  Result<void> submit(uint64_t trial,
                      const Configuration &configuration) override {
    submitted[trial] = configuration;
    return {};
  }
  Result<Outcome> wait(uint64_t trial) override;
  void cancel(uint64_t trial) override { submitted.erase(trial); }
  std::string fingerprint() const override;
  Result<measure::Comparison>
  compare(const std::vector<measure::Finalist> &finalists,
          const measure::RoundsOptions &rounds) override {
    return measure::compareInRounds(*this, finalists, rounds);
  }
  const std::string &device() const override { return deviceName; }
  const std::string &energyCounters() const override { return counters; }
  bool checksResults() const override { return block.hasRight(); }
  int processId() const override { return server ? server->pid() : -1; }

private:
  /// Turns of finalists.
  Result<std::vector<runtime::Samples>>
  compare(const std::vector<std::optional<std::string>> &texts,
          uint64_t placementSeed) override;
  bool stopRequested() const override {
    return options.stop && options.stop->load();
  }
  runtime::Samples measureNow(const Configuration &configuration);
  void endProcess();
  void launchProcess();
  KernelAnswer ask(const KernelRequest &request, int64_t timeoutMs,
                   const std::string &what);
  KernelAnswer await(int64_t timeoutMs, const std::string &what);

  const Space space;
  const KernelTask task;
  const KernelOptions options;
  LaunchPlanner planner;
  KernelBlock block;
  std::string deviceName, counters;
  std::map<uint64_t, Configuration> submitted;
  std::optional<runtime::ServerProcess> server;
  runtime::FrameChannel channel;
};
} // namespace

/// Ends the process, whatever it does; another one follows when it is needed.
void KernelProcess::endProcess() {
  server.reset();
  channel = {};
}

void KernelProcess::start() {
  need(block.fill(task, planner, options));
  launchProcess();
}

void KernelProcess::launchProcess() {
  endProcess();
  int sockets[2];
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, sockets) != 0)
    fail({ErrorCode::IOError,
          std::string("socketpair failed: ") + std::strerror(errno)});
  channel = runtime::FrameChannel(sockets[0]);
  Result<void> started =
      server.emplace(killTimeoutMs).start(sockets[1], [this](int socket) {
        serveKernels(task, options, planner, block, socket);
      });
  runtime::closeIfOpen(sockets[1]);
  need(started);
  KernelAnswer opened = await(options.buildTimeoutMs + options.runTimeoutMs,
                              "opening the device and running the reference");
  if (opened.failure.status == Status::Ok) {
    deviceName = opened.device;
    counters = opened.counters;
    return;
  }
  endProcess();
  fail({opened.code, opened.failure.message});
}

/// The next answer; a failure if none comes in time. The process has ended
/// then.
KernelAnswer KernelProcess::await(int64_t timeoutMs, const std::string &what) {
  KernelAnswer lost;
  int64_t deadline = nowNs() + timeoutMs * 1000000;
  while (true) {
    constexpr int64_t intervalMs = 50;
    Result<std::optional<std::string>> frame = channel.receiveFrame(intervalMs);
    if (!frame) {
      // It closes its socket a moment before it has ended.
      for (int i = 0; i < 200 && server && !server->hasEnded(); ++i)
        poll(nullptr, 0, 10);
      lost.failure = {Status::Crashed,
                      "the process with the device " +
                          (server ? server->describeEnd() : "has ended") +
                          " while " + what};
      // Who stops the tuner may have ended both.
      if (stopRequested())
        lost.failure = {Status::Lost, "stopped"};
      break;
    }
    if (*frame) {
      Result<KernelAnswer> answer = KernelAnswer::decode(**frame);
      if (answer) {
        if (answer->failure.isSticky)
          endProcess();
        return *answer;
      }
      lost.failure = {Status::Crashed, answer.error().message};
      break;
    }
    if (stopRequested()) {
      lost.failure = {Status::Lost, "stopped"};
      break;
    }
    if (nowNs() >= deadline) {
      lost.failure = {Status::TimedOut, "still " + what + " after " +
                                            std::to_string(timeoutMs) + " ms"};
      break;
    }
  }
  endProcess();
  return lost;
}

KernelAnswer KernelProcess::ask(const KernelRequest &request, int64_t timeoutMs,
                                const std::string &what) {
  if (!server)
    launchProcess();
  if (!channel.sendFrame(request.encode(), timeoutMs)) {
    // It has ended since, for reasons of its own.
    launchProcess();
    need(channel.sendFrame(request.encode(), timeoutMs));
  }
  return await(timeoutMs, what);
}

runtime::Samples KernelProcess::measureNow(const Configuration &configuration) {
  runtime::Samples samples;
  Outcome &outcome = samples.outcome;
  auto failed = [&](const runtime::DeviceFailure &failure) {
    outcome.status = failure.status;
    outcome.message = failure.message;
    outcome.timeNs = std::nan("");
    return samples;
  };
  Result<LaunchPlan> plan = planner.plan(configuration);
  if (!plan)
    return failed({Status::LaunchFailed, plan.error().message});
  int64_t begin = nowNs();
  Result<KernelAnswer> built =
      attempt([&] { return ask({*plan}, options.buildTimeoutMs, "building"); });
  if (!built && stopRequested())
    return samples;
  need(built);
  outcome.compileNs = static_cast<double>(nowNs() - begin);
  if (built->failure.status != Status::Ok)
    return failed(built->failure);
  runtime::CpuLease lease(options.cpu);
  if (!lease.await([&] { return stopRequested(); }))
    return samples;
  begin = nowNs();
  KernelAnswer ran =
      ask({std::nullopt, options.repeat}, options.runTimeoutMs, "running");
  outcome.runNs = static_cast<double>(nowNs() - begin);
  samples.conditions.emplace_back().wallNs = outcome.runNs;
  if (ran.failure.status != Status::Ok)
    return failed(ran.failure);
  // A timer that is too coarse says nothing.
  if (runtime::median(ran.times) <= 0)
    return failed({Status::WrongResult,
                   "the device's timer doesn't resolve the kernel's time"});
  samples.slicesNs.push_back(std::move(ran.times));
  outcome.status = Status::Ok;
  runtime::summarize(samples);
  if (!options.energyCounters.empty())
    outcome.metrics = {{"time", outcome.timeNs}, {"energy", ran.energy}};
  return samples;
}

Result<std::vector<runtime::Samples>>
KernelProcess::compare(const std::vector<std::optional<std::string>> &texts,
                       uint64_t) {
  // Where code and data lie in a process changes times.
  endProcess();
  return attempt([&] {
    std::vector<runtime::Samples> all;
    for (const std::optional<std::string> &text : texts) {
      if (!text)
        fail({ErrorCode::InvalidArgument, "there is no plain kernel"});
      all.push_back(measureNow(need(readConfiguration(space, *text))));
    }
    return all;
  });
}

std::string KernelProcess::fingerprint() const {
  ContentHash hash;
  auto add = [&](const std::string &text) {
    hash.add(std::to_string(text.size()) + ":" + text);
  };
  auto addCode = [&](const KernelCode &code) {
    for (const auto &text : {code.text, code.kernel, code.options})
      add(text);
    add(code.isGrid ? "grid" : "global");
    for (const auto *sizes : {&code.global, &code.local}) {
      add(std::to_string(sizes->size()));
      for (const Expression &size : *sizes)
        add(size.text());
    }
  };
  addCode(task.code);
  for (const auto &[name, value] : task.constants) {
    add(name);
    add(toString(value));
  }
  for (size_t i = 0; i < task.arguments.size(); ++i) {
    const KernelArgument &argument = task.arguments[i];
    add(std::string(nameOf(argument.type)) +
        (argument.isOutput ? " output" : "") +
        (argument.kind == KernelArgument::Kind::Local ? " local" : ""));
    for (const auto &expression : {argument.value, argument.size})
      add(expression ? expression->text() : "");
    // What is read from files and drawn, and what is right.
    for (std::span<const std::byte> bytes : {block.initial(i), block.right(i)})
      add({reinterpret_cast<const char *>(bytes.data()), bytes.size()});
  }
  add(task.tolerance ? toString(ParameterValue(*task.tolerance)) : "");
  for (uint64_t number :
       {options.seed, options.repeat, uint64_t(options.buildTimeoutMs),
        uint64_t(options.runTimeoutMs)})
    add(std::to_string(number));
  add(deviceName);
  if (!options.energyCounters.empty())
    add("energy");
  return (options.api == KernelApi::OpenCl ? "opencl " : "cuda ") +
         hash.digits();
}

Result<Outcome> KernelProcess::wait(uint64_t trial) {
  auto found = submitted.find(trial);
  if (found == submitted.end())
    return Error{ErrorCode::InvalidArgument,
                 "trial " + std::to_string(trial) + " wasn't submitted"};
  Configuration configuration = std::move(found->second);
  submitted.erase(found);
  return attempt([&] { return measureNow(configuration).outcome; });
}

Result<std::unique_ptr<KernelEvaluator>>
KernelEvaluator::create(const Space &space, const KernelTask &task,
                        const KernelOptions &options) {
  return attempt([&]() -> std::unique_ptr<KernelEvaluator> {
    auto made = std::make_unique<KernelProcess>(
        space, task, options,
        need(LaunchPlanner::create(task, space, options.seed)));
    made->start();
    return made;
  });
}
