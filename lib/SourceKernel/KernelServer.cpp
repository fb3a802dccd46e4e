//===- KernelServer.cpp - Builds and runs kernels -------------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "KernelServer.h"

#include "KernelContents.h"
#include "KernelDevice.h"
#include "KernelMessages.h"

#include "baco/Protocol/Channel.h"
#include "baco/Protocol/Clock.h"

#include <algorithm>
#include <cstdio>
#include <unistd.h>

using namespace baco;
using namespace baco::kernels;
using runtime::nowNs;

/// Behind each buffer; nobody may change them.
static constexpr size_t guardBytes = 4096;
/// The bytes of guards; as floats, NaN.
static constexpr auto poison = std::byte(0xff);

KernelDevice::~KernelDevice() = default;

KernelDevice::Failure KernelDevice::launch(double &elapsedNs) {
  float milliseconds = 0;
  Failure failure = memory().startTiming();
  if (!failure)
    failure = enqueue();
  // Registers of a whole block.
  if (failure && !failure->isSticky &&
      failure->message.find("OUT_OF_RESOURCES") != std::string::npos)
    failure->status = Status::OutOfMemory;
  if (!failure)
    failure = memory().stopTiming(milliseconds);
  constexpr double nsPerMs = 1e6;
  elapsedNs = static_cast<double>(milliseconds) * nsPerMs;
  return failure;
}

namespace {
class KernelServer {
public:
  using Failure = KernelDevice::Failure;

  KernelServer(KernelDevice &device, const KernelTask &task,
               const LaunchPlanner &planner, KernelBlock &block)
      : device(device), task(task), planner(planner), block(block) {}

  /// Uploads all, and runs the reference if that is still to be done.
  Failure setUp();
  Failure build(const KernelCode &code, const LaunchPlan &plan);
  /// Checks the kernel that was built last, and times it.
  Failure run(uint64_t repeat, std::vector<double> &times);
  /// The energy of a launch of it, in joules.
  Failure measureEnergy(const measure::EnergyCounter &counter,
                        const measure::EnergyCounter::Resolution &resolution,
                        double &joules);

private:
  Failure write(runtime::DeviceAddress to, std::span<const std::byte> bytes) {
    return device.memory().write(to, bytes.data(), bytes.size());
  }
  Failure uploadAll();
  Failure restoreOutputs();
  Failure runReference();
  Failure readBuffer(size_t argument);
  Failure checkResults();
  Failure time(uint64_t repeat, std::vector<double> &times);
  bool isBuffer(size_t argument) const {
    return task.arguments[argument].kind == KernelArgument::Kind::Buffer;
  }

  KernelDevice &device;
  const KernelTask &task;
  const LaunchPlanner &planner;
  KernelBlock &block;
  /// For each argument that is a buffer; and the initial contents of outputs.
  std::vector<runtime::DeviceAddress> buffers, initial;
  bool isBuilt = false;
  LaunchPlan plan;
  /// A buffer with its guard.
  std::vector<std::byte> scratch;
};
} // namespace

KernelDevice::Failure KernelServer::uploadAll() {
  for (size_t i = 0; i < task.arguments.size(); ++i) {
    if (!isBuffer(i))
      continue;
    std::span<std::byte> contents = block.initial(i);
    scratch.assign(contents.begin(), contents.end());
    scratch.resize(contents.size() + guardBytes, poison);
    if (Failure failure = write(buffers[i], scratch))
      return failure;
    if (task.arguments[i].isOutput)
      if (Failure failure = write(initial[i], contents))
        return failure;
  }
  return std::nullopt;
}

KernelDevice::Failure KernelServer::restoreOutputs() {
  for (size_t i = 0; i < task.arguments.size(); ++i)
    if (isBuffer(i) && task.arguments[i].isOutput)
      if (Failure failure = device.memory().copy(buffers[i], initial[i],
                                                 block.initial(i).size()))
        return failure;
  return std::nullopt;
}

KernelDevice::Failure KernelServer::setUp() {
  buffers.resize(task.arguments.size());
  initial.resize(task.arguments.size());
  for (size_t i = 0; i < task.arguments.size(); ++i) {
    if (!isBuffer(i))
      continue;
    size_t bytes = block.initial(i).size();
    Failure failure = device.memory().allocate(bytes + guardBytes, buffers[i]);
    if (!failure && task.arguments[i].isOutput)
      failure = device.memory().allocate(bytes, initial[i]);
    if (failure) {
      failure->message = describeArgument(task, i) + ": " + failure->message;
      return failure;
    }
  }
  if (Failure failure = uploadAll())
    return failure;
  if (!block.needsReference())
    return std::nullopt;
  Failure failure = runReference();
  if (failure)
    failure->message =
        "the reference '" + task.reference->kernel + "': " + failure->message;
  return failure;
}

KernelDevice::Failure KernelServer::runReference() {
  Result<LaunchPlan> planned = planner.planReference();
  if (!planned)
    return runtime::DeviceFailure{Status::LaunchFailed,
                                  planned.error().message};
  if (Failure failure = build(*task.reference, *planned))
    return failure;
  if (Failure failure = device.prepare(task, plan, buffers))
    return failure;
  double elapsedNs = 0;
  if (Failure failure = device.launch(elapsedNs))
    return failure;
  for (size_t i = 0; i < task.arguments.size(); ++i)
    if (!block.right(i).empty() && task.arguments[i].expected.empty())
      if (Failure failure = device.memory().read(
              block.right(i).data(), buffers[i], block.right(i).size()))
        return failure;
  block.setReferenceDone();
  return restoreOutputs();
}

KernelDevice::Failure KernelServer::build(const KernelCode &code,
                                          const LaunchPlan &launch) {
  plan = launch;
  Failure failure = device.build(code, withMacros(code, plan));
  isBuilt = !failure;
  return failure;
}

KernelDevice::Failure KernelServer::readBuffer(size_t argument) {
  scratch.resize(block.initial(argument).size() + guardBytes);
  return device.memory().read(scratch.data(), buffers[argument],
                              scratch.size());
}

/// After a launch; uploads again what the kernel has damaged.
KernelDevice::Failure KernelServer::checkResults() {
  Failure wrong;
  bool isDamaged = false;
  auto note = [&](size_t argument, const std::string &what) {
    if (!wrong)
      wrong = runtime::DeviceFailure{
          Status::WrongResult, describeArgument(task, argument) + ": " + what};
  };
  for (size_t i = 0; i < task.arguments.size(); ++i) {
    if (!isBuffer(i))
      continue;
    if (Failure failure = readBuffer(i))
      return failure;
    std::span<const std::byte> whole = scratch,
                               contents = whole.first(block.initial(i).size());
    if (!std::ranges::all_of(whole.subspan(contents.size()),
                             [](std::byte b) { return b == poison; })) {
      note(i, "the kernel writes behind its end");
      isDamaged = true;
    }
    if (!task.arguments[i].isOutput) {
      if (!std::ranges::equal(contents, block.initial(i))) {
        note(i, "the kernel changes it, but it is no output");
        isDamaged = true;
      }
    } else if (!block.right(i).empty()) {
      if (auto found = findWrong(task.arguments[i].type, contents,
                                 block.right(i), task.tolerance))
        note(i, *found);
    }
  }
  if (isDamaged)
    if (Failure failure = uploadAll())
      return failure;
  return wrong;
}

KernelDevice::Failure KernelServer::time(uint64_t repeat,
                                         std::vector<double> &times) {
  constexpr size_t most = 1000, usual = 10, least = 3;
  constexpr double enoughNs = 50e6, longestNs = 1e9;
  double sumNs = 0;
  int64_t begin = nowNs();
  auto isEnough = [&] {
    if (repeat > 0)
      return times.size() >= repeat;
    bool isLong = static_cast<double>(nowNs() - begin) > longestNs;
    return times.size() >= most ||
           (times.size() >= usual && sumNs >= enoughNs) ||
           (times.size() >= least && isLong);
  };
  while (!isEnough()) {
    if (Failure failure = restoreOutputs())
      return failure;
    double elapsedNs = 0;
    if (Failure failure = device.launch(elapsedNs))
      return failure;
    times.push_back(elapsedNs);
    sumNs += elapsedNs;
  }
  return std::nullopt;
}

KernelDevice::Failure KernelServer::run(uint64_t repeat,
                                        std::vector<double> &times) {
  if (!isBuilt)
    return runtime::DeviceFailure{Status::Lost, "no kernel is built"};
  if (Failure failure = device.prepare(task, plan, buffers))
    return failure;
  if (Failure failure = restoreOutputs())
    return failure;
  double elapsedNs = 0;
  if (Failure failure = device.launch(elapsedNs))
    return failure;
  if (Failure failure = checkResults())
    return failure;
  return time(repeat, times);
}

KernelDevice::Failure KernelServer::measureEnergy(
    const measure::EnergyCounter &counter,
    const measure::EnergyCounter::Resolution &resolution, double &joules) {
  // A counter's step is 1 % then, at most; of slow ones it may be 5 %.
  constexpr double leastSeconds = 0.1, mostSeconds = 2, steps = 100;
  double seconds =
      std::clamp(steps * resolution.seconds, leastSeconds, mostSeconds);
  auto first = counter.read();
  if (!first)
    return runtime::DeviceFailure{Status::Lost, first.error().message};
  int64_t end = nowNs() + static_cast<int64_t>(seconds * 1e9);
  uint64_t launches = 0;
  double elapsedNs = 0;
  do {
    if (Failure failure = device.launch(elapsedNs))
      return failure;
    ++launches;
  } while (nowNs() < end);
  auto last = counter.read();
  if (!last)
    return runtime::DeviceFailure{Status::Lost, last.error().message};
  joules = counter.joulesBetween(*first, *last) / static_cast<double>(launches);
  if (joules <= 0)
    return runtime::DeviceFailure{Status::WrongResult,
                                  "the energy counters don't change meanwhile"};
  return std::nullopt;
}

/// The counters that the options name, and what to say of them.
static Result<measure::EnergyCounter>
openCounter(const KernelDevice &device, const std::string &place,
            measure::EnergyCounter::Resolution &resolution, std::string &text) {
  Result<measure::EnergyCounter> counter = device.openEnergyCounter(place);
  if (!counter)
    return counter.error();
  auto found = counter->findResolution();
  if (!found)
    return found.error();
  resolution = *found;
  for (const std::string &name : counter->names())
    text += (text.empty() ? "" : ", ") + name;
  char numbers[100];
  std::snprintf(numbers, sizeof numbers, " in steps of %.3g mJ, %.3g ms apart",
                resolution.joules * 1e3, resolution.seconds * 1e3);
  text += numbers;
  return counter;
}

void kernels::serveKernels(const KernelTask &task, const KernelOptions &options,
                           const LaunchPlanner &planner, KernelBlock &block,
                           int socket) {
  // Compilers print how many errors there are, which are in answers, too.
  dup2(STDOUT_FILENO, STDERR_FILENO);
  runtime::FrameChannel channel(socket);
  constexpr int64_t sendMs = 60000;
  auto send = [&](const KernelAnswer &answer) {
    return static_cast<bool>(channel.sendFrame(answer.encode(), sendMs));
  };
  Result<std::unique_ptr<KernelDevice>> device =
      options.api == KernelApi::OpenCl
          ? openOpenCl(task, options.library)
          : openCuda(task, options.library, options.compilerLibrary);
  KernelAnswer opened;
  auto refuse = [&](const Error &error) {
    opened.failure = {Status::Lost, error.message, true};
    opened.code = error.code;
    send(opened);
  };
  if (!device)
    return refuse(device.error());
  std::optional<measure::EnergyCounter> counter;
  measure::EnergyCounter::Resolution resolution;
  if (!options.energyCounters.empty()) {
    Result<measure::EnergyCounter> found = openCounter(
        **device, options.energyCounters, resolution, opened.counters);
    if (!found)
      return refuse(found.error());
    counter = std::move(*found);
  }
  opened.device = (*device)->describe();
  KernelServer server(**device, task, planner, block);
  if (auto failure = server.setUp()) {
    opened.failure = *failure;
    opened.code = ErrorCode::IOError;
  }
  if (!send(opened) || opened.failure.status != Status::Ok)
    return;
  while (true) {
    constexpr int64_t waitMs = 1000;
    Result<std::optional<std::string>> frame = channel.receiveFrame(waitMs);
    if (!frame)
      return;
    if (!*frame)
      continue;
    Result<KernelRequest> request = KernelRequest::decode(**frame);
    if (!request)
      return;
    KernelAnswer answer;
    auto failure = request->plan ? server.build(task.code, *request->plan)
                                 : server.run(request->repeat, answer.times);
    if (!failure && !request->plan && counter)
      failure = server.measureEnergy(*counter, resolution, answer.energy);
    if (failure)
      answer.failure = *failure;
    if (!send(answer) || answer.failure.isSticky)
      return;
  }
}
