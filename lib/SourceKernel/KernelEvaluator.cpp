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

class KernelEvaluator::Impl {
public:
  Impl(const Space &space, const KernelTask &task, const KernelOptions &options,
       LaunchPlanner planner)
      : space(space), task(task), options(options),
        planner(std::move(planner)) {}

  Result<void> start();
  Result<runtime::Samples> measure(const Configuration &configuration);
  std::string fingerprint() const;
  bool isStopRequested() const { return options.stop && options.stop->load(); }
  void endProcess();

  const Space space;
  const KernelTask task;
  const KernelOptions options;
  LaunchPlanner planner;
  KernelBlock block;
  std::string device, counters;
  std::map<uint64_t, Configuration> submitted;
  int processId() const { return server ? server->pid() : -1; }

private:
  Result<void> launchProcess();
  Result<KernelAnswer> ask(const KernelRequest &request, int64_t timeoutMs,
                           const std::string &what);
  KernelAnswer await(int64_t timeoutMs, const std::string &what);
  bool takeLease(runtime::CpuLease &lease);

  std::optional<runtime::ServerProcess> server;
  runtime::FrameChannel channel;
};

/// Ends the process, whatever it does; another one follows when it is needed.
void KernelEvaluator::Impl::endProcess() {
  server.reset();
  channel = {};
}

Result<void> KernelEvaluator::Impl::start() {
  if (Result<void> filled = block.fill(task, planner, options); !filled)
    return filled;
  return launchProcess();
}

Result<void> KernelEvaluator::Impl::launchProcess() {
  endProcess();
  int sockets[2];
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, sockets) != 0)
    return Error{ErrorCode::IOError,
                 std::string("socketpair failed: ") + std::strerror(errno)};
  channel = runtime::FrameChannel(sockets[0]);
  Result<void> started =
      server.emplace(killTimeoutMs).start(sockets[1], [this](int socket) {
        serveKernels(task, options, planner, block, socket);
      });
  runtime::closeIfOpen(sockets[1]);
  if (!started)
    return started;
  KernelAnswer opened = await(options.buildTimeoutMs + options.runTimeoutMs,
                              "opening the device and running the reference");
  if (opened.failure.status == Status::Ok) {
    device = opened.device;
    counters = opened.counters;
    return {};
  }
  endProcess();
  return Error{opened.code, opened.failure.message};
}

/// The next answer; a failure if none comes in time. The process has ended
/// then.
KernelAnswer KernelEvaluator::Impl::await(int64_t timeoutMs,
                                          const std::string &what) {
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
      if (isStopRequested())
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
    if (isStopRequested()) {
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

Result<KernelAnswer> KernelEvaluator::Impl::ask(const KernelRequest &request,
                                                int64_t timeoutMs,
                                                const std::string &what) {
  if (!server)
    if (Result<void> launched = launchProcess(); !launched)
      return launched.error();
  if (!channel.sendFrame(request.encode(), timeoutMs)) {
    // It has ended since, for reasons of its own.
    if (Result<void> launched = launchProcess(); !launched)
      return launched.error();
    if (Result<void> sent = channel.sendFrame(request.encode(), timeoutMs);
        !sent)
      return sent.error();
  }
  return await(timeoutMs, what);
}

/// Waits for the lease; false if that is given up.
bool KernelEvaluator::Impl::takeLease(runtime::CpuLease &lease) {
  while (!lease.acquire()) {
    if (isStopRequested())
      return false;
    constexpr int intervalMs = 20;
    pollfd entry = {lease.descriptor(), POLLIN, 0};
    poll(&entry, 1, intervalMs);
  }
  return true;
}

Result<runtime::Samples>
KernelEvaluator::Impl::measure(const Configuration &configuration) {
  runtime::Samples samples;
  Outcome &outcome = samples.outcome;
  auto fail = [&](const runtime::DeviceFailure &failure) {
    outcome.status = failure.status;
    outcome.message = failure.message;
    outcome.timeNs = std::nan("");
    return samples;
  };
  Result<LaunchPlan> plan = planner.plan(configuration);
  if (!plan)
    return fail({Status::LaunchFailed, plan.error().message});
  int64_t begin = nowNs();
  Result<KernelAnswer> built = ask({*plan}, options.buildTimeoutMs, "building");
  if (!built)
    return isStopRequested() ? samples
                             : Result<runtime::Samples>(built.error());
  outcome.compileNs = static_cast<double>(nowNs() - begin);
  if (built->failure.status != Status::Ok)
    return fail(built->failure);
  runtime::CpuLease lease(options.cpu);
  if (!takeLease(lease))
    return samples;
  begin = nowNs();
  Result<KernelAnswer> ran =
      ask({std::nullopt, options.repeat}, options.runTimeoutMs, "running");
  if (!ran)
    return ran.error();
  outcome.runNs = static_cast<double>(nowNs() - begin);
  samples.conditions.emplace_back().wallNs = outcome.runNs;
  if (ran->failure.status != Status::Ok)
    return fail(ran->failure);
  // A timer that is too coarse says nothing.
  if (runtime::median(ran->times) <= 0)
    return fail({Status::WrongResult,
                 "the device's timer doesn't resolve the kernel's time"});
  samples.slicesNs.push_back(std::move(ran->times));
  outcome.status = Status::Ok;
  runtime::summarize(samples);
  if (!options.energyCounters.empty())
    outcome.metrics = {{"time", outcome.timeNs}, {"energy", ran->energy}};
  return samples;
}

std::string KernelEvaluator::Impl::fingerprint() const {
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
  add(device);
  if (!options.energyCounters.empty())
    add("energy");
  return (options.api == KernelApi::OpenCl ? "opencl " : "cuda ") +
         hash.digits();
}

//===----------------------------------------------------------------------===//
// KernelEvaluator
//===----------------------------------------------------------------------===//

KernelEvaluator::KernelEvaluator(std::unique_ptr<Impl> impl)
    : impl(std::move(impl)) {}
KernelEvaluator::~KernelEvaluator() = default;

Result<std::unique_ptr<KernelEvaluator>>
KernelEvaluator::create(const Space &space, const KernelTask &task,
                        const KernelOptions &options) {
  Result<LaunchPlanner> planner =
      LaunchPlanner::create(task, space, options.seed);
  if (!planner)
    return planner.error();
  auto impl = std::make_unique<Impl>(space, task, options, *planner);
  if (Result<void> started = impl->start(); !started)
    return started.error();
  return std::unique_ptr<KernelEvaluator>(new KernelEvaluator(std::move(impl)));
}

Result<runtime::Samples>
KernelEvaluator::measure(const Configuration &configuration) {
  return impl->measure(configuration);
}

Result<void> KernelEvaluator::submit(uint64_t trial,
                                     const Configuration &configuration) {
  impl->submitted[trial] = configuration;
  return {};
}

Result<Outcome> KernelEvaluator::wait(uint64_t trial) {
  auto found = impl->submitted.find(trial);
  if (found == impl->submitted.end())
    return Error{ErrorCode::InvalidArgument,
                 "trial " + std::to_string(trial) + " wasn't submitted"};
  Configuration configuration = std::move(found->second);
  impl->submitted.erase(found);
  Result<runtime::Samples> samples = impl->measure(configuration);
  if (!samples)
    return samples.error();
  return std::move(samples->outcome);
}

void KernelEvaluator::cancel(uint64_t trial) { impl->submitted.erase(trial); }

std::string KernelEvaluator::fingerprint() const { return impl->fingerprint(); }

const std::string &KernelEvaluator::device() const { return impl->device; }

const std::string &KernelEvaluator::energyCounters() const {
  return impl->counters;
}

bool KernelEvaluator::checksResults() const { return impl->block.hasRight(); }

int KernelEvaluator::processId() const { return impl->processId(); }

namespace {
/// Turns of finalists.
template <typename Kernels>
class KernelRounds : public measure::SideBySide {
public:
  explicit KernelRounds(Kernels &kernels) : kernels(kernels) {}

  Result<std::vector<measure::Samples>>
  compare(const std::vector<std::optional<std::string>> &texts,
          uint64_t) override {
    // Where code and data lie in a process changes times.
    kernels.endProcess();
    std::vector<measure::Samples> all;
    for (const std::optional<std::string> &text : texts) {
      Result<Configuration> configuration =
          text ? readConfiguration(kernels.space, *text)
               : Error{ErrorCode::InvalidArgument, "there is no plain kernel"};
      if (!configuration)
        return configuration.error();
      Result<measure::Samples> samples = kernels.measure(*configuration);
      if (!samples)
        return samples.error();
      all.push_back(std::move(*samples));
    }
    return all;
  }
  bool stopRequested() const override { return kernels.isStopRequested(); }

private:
  Kernels &kernels;
};
} // namespace

Result<measure::Comparison>
KernelEvaluator::compare(const std::vector<measure::Finalist> &finalists,
                         const measure::RoundsOptions &rounds) {
  KernelRounds measurer(*impl);
  return measure::compareInRounds(measurer, finalists, rounds);
}
