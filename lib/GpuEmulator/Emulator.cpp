//===- Emulator.cpp - Kernels of GPUs on a CPU ----------------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Launches, the order of blocks and threads, and barriers.
//
//===----------------------------------------------------------------------===//

#include "EmulatorState.h"
#include "baco/Support/NvidiaGpu.h"
#include "baco/Support/Random.h"

#include <algorithm>
#include <numeric>

using namespace baco;
using namespace baco::runtime;

namespace {
/// Between variables in shared memory, so that an index that is slightly wrong
/// is out of bounds.
constexpr size_t sharedGap = 1024, sharedAlignment = 1024;
constexpr size_t arenaBytes = 1 << 20;
constexpr uint64_t blockLimit = 1 << 24;
} // namespace

std::string baco::runtime::orderName(const EmulatedOrder &order) {
  switch (order.kind) {
  case EmulatedOrder::Forward:
    return "forward";
  case EmulatedOrder::Reverse:
    return "reverse";
  case EmulatedOrder::Seeded:
    break;
  }
  return "seed " + std::to_string(order.seed);
}

Emulator::Emulator() : state(std::make_unique<State>()) { reset(); }
Emulator::~Emulator() = default;

void Emulator::reset() {
  state->granule = 1;
  state->places.clear();
  state->variables.clear();
  state->locals.clear();
  state->sharedEnd = state->sharedBytes = 0;
  state->arena.resize(arenaBytes);
}

void Emulator::setGranule(size_t bytes) { state->granule = bytes; }
void Emulator::setStepLimit(uint64_t steps) { state->stepLimit = steps; }
void Emulator::setObserver(
    std::function<void(const EmulatedAccess &)> observer) {
  state->observer = std::move(observer);
}
void Emulator::setFindsRaces(bool findsRaces) {
  state->findsRaces = findsRaces;
}
void Emulator::setPlaces(std::vector<std::string> places) {
  state->places = std::move(places);
}

size_t Emulator::State::arenaOffset(size_t alignment) const {
  auto base = reinterpret_cast<uintptr_t>(arena.data());
  uintptr_t from = base + sharedEnd + sharedGap;
  return (from + alignment - 1) / alignment * alignment - base;
}

std::byte *Emulator::addShared(const std::string &name, size_t bytes,
                               size_t alignment) {
  if (bytes > nvidia::maxStaticShared ||
      state->sharedBytes + bytes > nvidia::maxStaticShared)
    return nullptr;
  // Variables without elements have addresses, too, and no end of gaps.
  size_t offset = state->arenaOffset(alignment);
  if (offset + bytes + sharedLimit + 2 * sharedAlignment + sharedGap >
      arenaBytes)
    return nullptr;
  state->variables.push_back({name, offset, bytes});
  state->sharedBytes += bytes;
  state->sharedEnd = offset + bytes;
  return state->arena.data() + offset;
}

unsigned Emulator::addFrame(std::vector<EmulatedLocal> variables) {
  state->locals.push_back(std::move(variables));
  return static_cast<unsigned>(state->locals.size() - 1);
}

std::byte *Emulator::dynamicShared() const {
  return state->arena.data() + state->arenaOffset(sharedAlignment);
}

std::string Emulator::State::triple(const std::array<unsigned, 3> &index) {
  return "(" + std::to_string(index[0]) + "," + std::to_string(index[1]) + "," +
         std::to_string(index[2]) + ")";
}

std::string Emulator::State::at(unsigned place) const {
  return place < places.size() && !places[place].empty()
             ? ", at " + places[place]
             : "";
}

std::string Emulator::State::nameThread(size_t thread) const {
  return "thread " + triple(threads[thread].index);
}

std::string Emulator::State::nameBlock(uint32_t number) const {
  return "block " + triple(State::indexOf(number - 1, launch.grid));
}

void Emulator::fail(Status status, const std::string &what, unsigned place) {
  state->failure = {status, "kernel '" + state->kernel + "', " +
                                state->nameThread(state->current) +
                                " of block " + State::triple(state->block) +
                                " " + what + state->at(place)};
  for (;;)
    state->fibers.pause();
}

unsigned Emulator::specialRegister(SpecialRegister which) const {
  auto axis = static_cast<unsigned>(which);
  size_t threads = state->threads.size();
  switch (which) {
  case SpecialRegister::Lane:
    return state->current % warpSize;
  case SpecialRegister::Warp:
    return static_cast<unsigned>(state->current / warpSize);
  case SpecialRegister::Warps:
    return static_cast<unsigned>((threads + warpSize - 1) / warpSize);
  default:
    break;
  }
  const std::array<unsigned, 3> *triples[] = {
      &state->thread().index, &state->block, &state->launch.block,
      &state->launch.grid};
  return (*triples[axis / 3])[axis % 3];
}

unsigned Emulator::barrier(unsigned id, unsigned threads, unsigned place,
                           BarrierReduction reduction, bool value) {
  step();
  if (id > 15)
    fail(Status::DeviceFault,
         "waits at barrier " + std::to_string(id) + ", but there are 0 to 15",
         place);
  if (threads != 0 && threads != state->threads.size())
    fail(Status::DeviceFault,
         "waits at a barrier of " + std::to_string(threads) +
             " threads, and the emulator has only those of all " +
             std::to_string(state->threads.size()),
         place);
  EmulatedThread &thread = state->thread();
  thread.waiting = EmulatedThread::AtBarrier;
  thread.barrier = id;
  thread.place = place;
  thread.value = value;
  state->wait();
  switch (reduction) {
  case BarrierReduction::None:
    return 0;
  case BarrierReduction::Count:
    return state->reduced;
  case BarrierReduction::And:
    return state->reduced == state->threads.size();
  case BarrierReduction::Or:
    return state->reduced != 0;
  }
  return 0;
}

void Emulator::step() {
  if (++state->steps > state->stepLimit)
    fail(Status::TimedOut,
         "still runs when the launch has made " +
             std::to_string(state->stepLimit) +
             " steps; reduce the extents if it isn't a loop without an end",
         static_cast<unsigned>(state->places.size()));
}

namespace {
/// The permutation of {0, ..., n - 1} in which blocks or threads run.
std::vector<uint32_t> makeOrder(size_t n, const EmulatedOrder &order,
                                uint64_t stream) {
  std::vector<uint32_t> result(n);
  std::iota(result.begin(), result.end(), 0);
  if (order.kind == EmulatedOrder::Reverse)
    std::ranges::reverse(result);
  if (order.kind == EmulatedOrder::Seeded)
    Random(order.seed, stream).shuffle(result);
  return result;
}

/// The limit of GPUs that a launch exceeds; nullopt if there is none.
std::optional<std::string> checkLaunch(const LaunchSizes &launch,
                                       size_t sharedBytes) {
  uint64_t blocks = 1, threads = 1;
  for (int i = 0; i < 3; ++i) {
    if (launch.grid[i] == 0 || launch.block[i] == 0)
      return "a grid and a block have at least one element in each dimension";
    if (launch.grid[i] > nvidia::maxGridExtents[i])
      return "a grid has at most " + std::to_string(nvidia::maxGridExtents[i]) +
             " blocks along " + "xyz"[i] + ", but it is " +
             std::to_string(launch.grid[i]);
    if (launch.block[i] > nvidia::maxBlockExtents[i])
      return "a block has at most " +
             std::to_string(nvidia::maxBlockExtents[i]) + " threads along " +
             "xyz"[i] + ", but it is " + std::to_string(launch.block[i]);
    blocks = std::min(blocks * launch.grid[i], blockLimit + 1);
    threads *= launch.block[i];
  }
  if (threads > nvidia::maxThreads)
    return "a block has at most " + std::to_string(nvidia::maxThreads) +
           " threads, but it is " + std::to_string(threads);
  if (blocks > blockLimit)
    return "the emulator runs at most " + std::to_string(blockLimit) +
           " blocks; reduce the extents";
  if (sharedBytes + launch.dynamicSharedBytes > Emulator::sharedLimit)
    return "a block has at most " + std::to_string(Emulator::sharedLimit) +
           " bytes of shared memory, but it is " +
           std::to_string(sharedBytes + launch.dynamicSharedBytes);
  return std::nullopt;
}

/// Buffers in the order of addresses; those that overlap are one.
std::vector<EmulatedBuffer> merge(std::span<const EmulatedBuffer> buffers) {
  std::vector<EmulatedBuffer> sorted(buffers.begin(), buffers.end());
  std::ranges::sort(sorted, {}, &EmulatedBuffer::begin);
  std::vector<EmulatedBuffer> merged;
  for (const EmulatedBuffer &buffer : sorted) {
    if (merged.empty() ||
        buffer.begin >= merged.back().begin + merged.back().bytes) {
      merged.push_back(buffer);
      continue;
    }
    EmulatedBuffer &last = merged.back();
    last.bytes =
        std::max<size_t>(last.bytes, buffer.begin + buffer.bytes - last.begin);
    if (last.name != buffer.name)
      last.name += " or " + buffer.name;
  }
  return merged;
}

} // namespace

EmulatedRegion Emulator::State::makeRegion(const std::string &name,
                                           std::byte *begin, size_t bytes,
                                           bool isShared) const {
  EmulatedRegion region = {name, begin, bytes, std::nullopt};
  if (findsRaces)
    region.shadow.emplace(bytes + granule, granule, isShared);
  return region;
}

void Emulator::State::prepareMemory(std::span<const EmulatedBuffer> buffers) {
  global.clear();
  for (const EmulatedBuffer &buffer : merge(buffers))
    global.push_back(makeRegion(buffer.name, buffer.begin, buffer.bytes, true));
  shared.clear();
  auto add = [&](const std::string &name, size_t offset, size_t bytes) {
    shared.push_back(makeRegion(name, arena.data() + offset, bytes, false));
  };
  for (const Variable &variable : variables)
    add("shared memory '" + variable.name + "'", variable.offset,
        variable.bytes);
  if (launch.dynamicSharedBytes)
    add("dynamic shared memory", arenaOffset(sharedAlignment),
        launch.dynamicSharedBytes);
}

std::optional<EmulatedFailure>
Emulator::launch(const std::string &kernel, const std::function<void()> &body,
                 const LaunchSizes &launch,
                 std::span<const EmulatedBuffer> buffers,
                 const EmulatedOrder &order) {
  State &now = *state;
  if (auto why = checkLaunch(launch, now.sharedBytes))
    return EmulatedFailure{Status::LaunchFailed,
                           "kernel '" + kernel + "': " + *why};
  now.kernel = kernel;
  now.launch = launch;
  now.failure.reset();
  now.steps = now.epoch = 0;
  now.prepareMemory(buffers);
  auto volume = [](const std::array<unsigned, 3> &extents) {
    return size_t(extents[0]) * extents[1] * extents[2];
  };
  size_t numThreads = volume(launch.block);
  if (!now.fibers.reserve(numThreads))
    return EmulatedFailure{Status::OutOfMemory,
                           "there is no memory for the stacks of " +
                               std::to_string(numThreads) + " threads"};
  std::function<void()> whole = [&] {
    body();
    waitForAllCopies();
    now.thread().waiting = EmulatedThread::Ended;
  };
  for (uint32_t number : makeOrder(volume(launch.grid), order, 0))
    if (auto failure = now.runBlock(
            number, makeOrder(numThreads, order, uint64_t(1) + number), whole))
      return failure;
  return std::nullopt;
}
