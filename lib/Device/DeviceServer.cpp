//===- DeviceServer.cpp - Runs programs on a GPU --------------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The arguments have one place on the device, whichever candidate runs. Around
// each there are bytes that nobody may change.
//
//===----------------------------------------------------------------------===//

#include "DeviceServer.h"

#include "CacheFlush.h"
#include "baco/Device/OpenClDevice.h"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <map>
#include <sys/socket.h>

using namespace baco;
using namespace baco::runtime;

/// Before and behind each buffer: more than a tile of rows that is off by one.
static constexpr size_t guardBytes = 256 << 10;
/// The bytes of guards and of fresh memory; as floats, NaN.
static constexpr unsigned char poison = 0xff;
/// The most launches of a graph: what it takes to make one grows with them.
static constexpr uint64_t maxGraphLaunches = 512;

namespace {
/// Memory on the device with guards.
struct Buffer {
  DeviceAddress whole = 0;
  size_t bytes = 0;
  DeviceAddress data() const { return whole + guardBytes; }
  /// The guard begins right behind the data, not only at the next multiple of
  /// the guards' alignment.
  size_t wholeBytes() const { return bytes + 2 * guardBytes; }
};

/// The resources of a candidate on the device.
struct Session {
  DeviceProgram program;
  std::vector<void *> modules;
  /// One for each launch.
  std::vector<DeviceKernel> kernels;
  std::vector<Buffer> temporaries;
  /// That of the last executions, and how many it has.
  DeviceGraph graph;
  uint64_t graphExecutions = 0;
};

class Server {
public:
  Server(ComputeDevice &device, const Signature &signature, std::byte *block)
      : device(device), signature(signature), layout(signature), block(block),
        state(*reinterpret_cast<DeviceState *>(block)), cache(device) {}

  std::optional<DeviceFailure> answer(const DeviceRequest &request);

private:
  using Failure = std::optional<DeviceFailure>;

  Failure allocate(Buffer &buffer, size_t bytes);
  Failure allocateArguments();
  Failure load(uint64_t client, size_t bytes);
  Failure loadInto(Session &session);
  void forget(uint64_t client);
  Failure upload(bool outputsOnly);
  Failure execute(Session &session, uint64_t count, bool isFlushed);
  Failure prepareGraph(Session &session, uint64_t count);
  Failure launchAll(const Session &session);
  DeviceAddress resolve(const Session &session, const DeviceOperand &operand);
  Failure download();
  Failure isIntact(const Buffer &buffer, bool &intact);
  Failure isUnchanged(size_t argument, bool &unchanged);

  ComputeDevice &device;
  const Signature &signature;
  DeviceLayout layout;
  std::byte *block;
  DeviceState &state;
  /// For scalars, without memory.
  std::vector<Buffer> arguments;
  std::map<uint64_t, Session> sessions;
  CacheFlush cache;
  std::vector<std::byte> scratch;
};
} // namespace

std::optional<DeviceFailure> Server::allocate(Buffer &buffer, size_t bytes) {
  buffer.bytes = bytes;
  if (auto failure = device.allocate(buffer.wholeBytes(), buffer.whole))
    return failure;
  return device.fill(buffer.whole, poison, buffer.wholeBytes());
}

std::optional<DeviceFailure> Server::allocateArguments() {
  if (!arguments.empty())
    return std::nullopt;
  std::vector<Buffer> made;
  for (const Argument &argument : signature.arguments) {
    made.emplace_back();
    if (argument.isMemRef)
      if (auto failure = allocate(made.back(), argument.byteSize()))
        return failure;
  }
  arguments = std::move(made);
  return std::nullopt;
}

void Server::forget(uint64_t client) {
  auto found = sessions.find(client);
  if (found == sessions.end())
    return;
  device.destroy(found->second.graph);
  for (void *module : found->second.modules)
    device.unload(module);
  for (const Buffer &buffer : found->second.temporaries)
    device.free(buffer.whole);
  sessions.erase(found);
}

std::optional<DeviceFailure> Server::loadInto(Session &session) {
  for (const std::string &image : session.program.images) {
    void *module = nullptr;
    if (auto failure = device.load(image, module))
      return failure;
    session.modules.push_back(module);
  }
  for (const DeviceLaunch &launch : session.program.launches) {
    DeviceKernel &kernel = session.kernels.emplace_back();
    if (auto failure = device.find(session.modules[launch.image], launch.kernel,
                                   launch.sizes.dynamicSharedBytes, kernel))
      return failure;
    const DeviceKernelFacts &facts = kernel.facts;
    // The driver counts spills as a part of local memory.
    state.resources.include(
        {facts.registers, 0, facts.sharedBytes, facts.localBytes});
  }
  for (uint64_t bytes : session.program.temporaries) {
    session.temporaries.emplace_back();
    if (auto failure = allocate(session.temporaries.back(), bytes)) {
      session.temporaries.pop_back();
      return failure;
    }
  }
  return std::nullopt;
}

std::optional<DeviceFailure> Server::load(uint64_t client, size_t bytes) {
  forget(client);
  if (auto failure = allocateArguments())
    return failure;
  auto program = DeviceProgram::decode(
      {reinterpret_cast<const char *>(block + DeviceLayout::programOffset()),
       std::min(bytes, DeviceLayout::maxProgramBytes)});
  if (!program)
    return DeviceFailure{Status::Crashed, program.error().message};
  Session &session = sessions[client];
  session.program = std::move(*program);
  state.resources = {};
  auto failure = loadInto(session);
  if (failure && !failure->isSticky)
    forget(client);
  return failure;
}

std::optional<DeviceFailure> Server::upload(bool outputsOnly) {
  for (size_t i = 0; i < arguments.size(); ++i) {
    const Argument &argument = signature.arguments[i];
    if (!argument.isMemRef || (outputsOnly && !argument.isOutput))
      continue;
    if (auto failure =
            device.write(arguments[i].data(), block + layout.argumentOffset(i),
                         argument.byteSize()))
      return failure;
  }
  return std::nullopt;
}

DeviceAddress Server::resolve(const Session &session,
                              const DeviceOperand &operand) {
  switch (operand.kind) {
  case DeviceOperand::Argument:
    return arguments[operand.index].data() + operand.value;
  case DeviceOperand::Temporary:
    return session.temporaries[operand.index].data() + operand.value;
  case DeviceOperand::Word:
    return operand.value;
  }
  return 0;
}

std::optional<DeviceFailure> Server::launchAll(const Session &session) {
  std::vector<LaunchOperand> values;
  for (size_t i = 0; i < session.kernels.size(); ++i) {
    const DeviceLaunch &launch = session.program.launches[i];
    values.clear();
    for (const DeviceOperand &operand : launch.operands) {
      if (operand.kind == DeviceOperand::Argument &&
          operand.index >= arguments.size())
        return DeviceFailure{Status::Crashed,
                             "not a program for these arguments"};
      values.push_back(
          {operand.kind != DeviceOperand::Word, resolve(session, operand)});
    }
    if (auto failure = device.enqueue(session.kernels[i], launch.sizes, values))
      return failure;
  }
  return std::nullopt;
}

/// Makes the session's graph one for `count` executions, if it has one. The
/// host takes 2 us or more to launch a kernel, which a device that runs shorter
/// ones waits for.
std::optional<DeviceFailure> Server::prepareGraph(Session &session,
                                                  uint64_t count) {
  uint64_t launches = count * session.kernels.size();
  uint64_t executions = 0;
  if (launches > 1 && device.hasGraphs()) {
    // As many in each, so that next to none are left.
    uint64_t graphs = (launches + maxGraphLaunches - 1) / maxGraphLaunches;
    executions = std::max<uint64_t>(1, count / graphs);
  }
  if (executions == session.graphExecutions)
    return std::nullopt;
  device.destroy(session.graph);
  session.graphExecutions = 0;
  if (executions == 0)
    return std::nullopt;
  auto failure = device.capture(
      [&]() -> Failure {
        for (uint64_t i = 0; i < executions; ++i)
          if (auto refused = launchAll(session))
            return refused;
        return std::nullopt;
      },
      session.graph);
  if (!failure)
    session.graphExecutions = executions;
  return failure;
}

std::optional<DeviceFailure> Server::execute(Session &session, uint64_t count,
                                             bool isFlushed) {
  if (auto failure = prepareGraph(session, count))
    return failure;
  // All is queued before the device has read what takes its cache, so that it
  // doesn't wait for the host between the event and the launch.
  if (isFlushed)
    if (auto failure = cache.enqueue())
      return failure;
  if (auto failure = device.startTiming())
    return failure;
  for (uint64_t rest = count; rest > 0;) {
    bool isWhole =
        session.graphExecutions > 0 && session.graphExecutions <= rest;
    if (auto failure =
            isWhole ? device.enqueue(session.graph) : launchAll(session))
      return failure;
    rest -= isWhole ? session.graphExecutions : 1;
  }
  float milliseconds = 0;
  auto failure = device.stopTiming(milliseconds);
  state.elapsedNs = 1e6 * static_cast<double>(milliseconds);
  return failure;
}

/// Whether the bytes around a buffer are those that were put there.
std::optional<DeviceFailure> Server::isIntact(const Buffer &buffer,
                                              bool &intact) {
  scratch.resize(guardBytes);
  for (DeviceAddress guard : {buffer.whole, buffer.data() + buffer.bytes}) {
    if (auto failure = device.read(scratch.data(), guard, guardBytes))
      return failure;
    if (std::ranges::all_of(scratch,
                            [](std::byte b) { return b == std::byte(poison); }))
      continue;
    intact = false;
    if (auto failure = device.fill(guard, poison, guardBytes))
      return failure;
  }
  return std::nullopt;
}

/// Whether an argument that is only read still has its uploaded contents.
std::optional<DeviceFailure> Server::isUnchanged(size_t argument,
                                                 bool &unchanged) {
  size_t bytes = arguments[argument].bytes;
  scratch.resize(bytes);
  if (auto failure =
          device.read(scratch.data(), arguments[argument].data(), bytes))
    return failure;
  unchanged = std::memcmp(scratch.data(),
                          block + layout.argumentOffset(argument), bytes) == 0;
  return std::nullopt;
}

std::optional<DeviceFailure> Server::download() {
  state.damagedArgument = state.changedArgument = 0;
  for (size_t i = arguments.size(); i-- > 0;) {
    const Argument &argument = signature.arguments[i];
    if (!argument.isMemRef)
      continue;
    bool intact = true, unchanged = true;
    if (auto failure = isIntact(arguments[i], intact))
      return failure;
    if (auto failure =
            argument.isOutput
                ? device.read(block + layout.argumentOffset(i),
                              arguments[i].data(), argument.byteSize())
                : isUnchanged(i, unchanged))
      return failure;
    if (!intact)
      state.damagedArgument = static_cast<int32_t>(i) + 1;
    if (!unchanged)
      state.changedArgument = static_cast<int32_t>(i) + 1;
  }
  return std::nullopt;
}

std::optional<DeviceFailure> Server::answer(const DeviceRequest &request) {
  switch (request.kind) {
  case DeviceRequest::Load:
    return load(request.client, request.count);
  case DeviceRequest::Upload:
    return upload(request.outputsOnly);
  case DeviceRequest::Poke:
    if (request.argument >= arguments.size() ||
        request.size > sizeof request.bits ||
        request.offset + request.size > arguments[request.argument].bytes)
      return DeviceFailure{Status::Crashed, "a poke outside of an argument"};
    return device.write(arguments[request.argument].data() + request.offset,
                        &request.bits, request.size);
  case DeviceRequest::Execute: {
    auto found = sessions.find(request.client);
    if (found == sessions.end())
      return DeviceFailure{Status::Lost, "the device has lost the program"};
    return execute(found->second, request.count, request.isFlushed);
  }
  case DeviceRequest::Download:
    return download();
  case DeviceRequest::Forget:
    forget(request.client);
    return std::nullopt;
  }
  return DeviceFailure{Status::Crashed, "an unknown request"};
}

/// Leaves how a request went.
static void leave(DeviceState &state,
                  const std::optional<DeviceFailure> &failure) {
  state.hasFailed = failure.has_value();
  state.status = failure ? failure->status : Status::Ok;
  std::snprintf(state.message, sizeof state.message, "%s",
                failure ? failure->message.c_str() : "");
  state.isBroken |= failure && failure->isSticky;
}

static void describe(DeviceState &state, const DeviceIdentity &identity) {
  state.capabilityMajor = identity.capabilityMajor;
  state.capabilityMinor = identity.capabilityMinor;
  std::snprintf(state.uuid, sizeof state.uuid, "%s", identity.id.c_str());
  std::snprintf(state.device, sizeof state.device, "%s", identity.text.c_str());
}

static Result<std::unique_ptr<ComputeDevice>>
open(const DeviceOptions &options) {
  auto widen = [](auto opened) -> Result<std::unique_ptr<ComputeDevice>> {
    if (!opened)
      return opened.error();
    return std::unique_ptr<ComputeDevice>(std::move(*opened));
  };
  return options.api == DeviceApi::OpenCl
             ? widen(OpenClDevice::open(options.uuid, options.library))
             : widen(CudaDevice::openByUuid(options.uuid, options.library));
}

void runtime::serveDevice(const DeviceOptions &options,
                          const Signature &signature, int socket,
                          std::byte *block) {
  auto &state = *reinterpret_cast<DeviceState *>(block);
  auto device = open(options);
  if (device)
    describe(state, (*device)->identity());
  else
    leave(state, DeviceFailure{Status::Lost, device.error().message});
  DeviceAnswer opened;
  if (send(socket, &opened, sizeof opened, MSG_NOSIGNAL) < 0 || !device)
    return;
  Server server(**device, signature, block);
  for (;;) {
    DeviceRequest request;
    ssize_t n = recv(socket, &request, sizeof request, 0);
    if (n < 0 && errno == EINTR)
      continue;
    if (n != sizeof request)
      return;
    auto failure = server.answer(request);
    if (request.number == 0)
      continue;
    leave(state, failure);
    DeviceAnswer answer{request.client, request.number};
    if (send(socket, &answer, sizeof answer, MSG_NOSIGNAL) < 0)
      return;
  }
}
