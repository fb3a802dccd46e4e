//===- PtxThread.cpp - Threads that run PTX -------------------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Memory, branches and barriers. Addresses are those of this process in all
// state spaces, so that conversions between them are moves.
//
//===----------------------------------------------------------------------===//

#include "PtxModule.h"

#include <cmath>
#include <cstring>

using namespace baco;
using namespace baco::fake;
using namespace baco::runtime;

uint64_t PtxThread::read(const PtxValue &value) const {
  switch (value.kind) {
  case PtxValue::Register:
    return registers[value.bits];
  case PtxValue::Special:
    return emulator.specialRegister(static_cast<SpecialRegister>(value.bits));
  case PtxValue::Local:
    return reinterpret_cast<uint64_t>(local) + value.bits;
  case PtxValue::Constant:
    break;
  }
  return value.bits;
}

uint64_t PtxThread::read(const PtxInstruction &instruction, size_t operand,
                         size_t part) const {
  const PtxValue &value = instruction.operands[operand].parts[part];
  uint64_t bits = read(value);
  return value.isNegated ? bits == 0 : bits;
}

void PtxThread::write(const PtxInstruction &instruction, uint64_t bits,
                      size_t operand, size_t part) {
  registers[instruction.operands[operand].parts[part].bits] = bits;
}

std::byte *PtxThread::address(const PtxInstruction &instruction,
                              size_t operand) const {
  return reinterpret_cast<std::byte *>(read(instruction, operand) +
                                       instruction.operands[operand].offset);
}

namespace {
/// Checks an access and tells the observer.
void accessMemory(PtxThread &thread, const PtxInstruction &in,
                  std::byte *address, size_t bytes, AccessKind kind) {
  thread.emulator.access(address, bytes, kind, bytes, thread.placeOf(in));
  if (thread.observer && in.space == PtxInstruction::Global)
    thread.observer->access(address, bytes, kind != AccessKind::Read);
}

/// ld.SPACE[.vN].TYPE
void load(PtxThread &thread, const PtxInstruction &in) {
  PtxType type = in.type();
  const std::vector<PtxValue> &results = in.operands[0].parts;
  size_t each = type.registerBits() / 8;
  const std::byte *from = thread.address(in, 1);
  if (in.space == PtxInstruction::Parameter)
    from = thread.arguments + reinterpret_cast<uintptr_t>(from);
  else
    accessMemory(thread, in, const_cast<std::byte *>(from),
                 each * results.size(), AccessKind::Read);
  for (size_t i = 0; i < results.size(); ++i) {
    uint64_t bits = 0;
    std::memcpy(&bits, from + i * each, each);
    if (type.kind == PtxType::Signed && each < 8)
      bits = static_cast<uint64_t>(
          static_cast<int64_t>(bits << (64 - 8 * each)) >> (64 - 8 * each));
    thread.write(in, bits, 0, i);
  }
}

void store(PtxThread &thread, const PtxInstruction &in) {
  size_t each = in.type().registerBits() / 8;
  size_t count = in.operands[1].parts.size();
  std::byte *to = thread.address(in, 0);
  accessMemory(thread, in, to, each * count, AccessKind::Write);
  for (size_t i = 0; i < count; ++i) {
    uint64_t bits = thread.read(in, 1, i);
    std::memcpy(to + i * each, &bits, each);
  }
}

template <typename T>
T combine(const PtxInstruction &in, T old, T value, T other) {
  if (in.has("add"))
    return old + value;
  if (in.has("min"))
    return std::min(old, value);
  if (in.has("max"))
    return std::max(old, value);
  if (in.has("exch"))
    return value;
  if (in.has("cas"))
    return old == value ? other : old;
  if constexpr (std::is_integral_v<T>) {
    if (in.has("and"))
      return old & value;
    if (in.has("or"))
      return old | value;
    if (in.has("xor"))
      return old ^ value;
  }
  return old;
}

template <typename T>
void updateAs(const PtxInstruction &in, std::byte *at, uint64_t value,
              uint64_t other) {
  T operands[3] = {};
  std::memcpy(&operands[0], at, sizeof(T));
  std::memcpy(&operands[1], &value, sizeof(T));
  std::memcpy(&operands[2], &other, sizeof(T));
  T result = combine(in, operands[0], operands[1], operands[2]);
  std::memcpy(at, &result, sizeof(T));
}

/// atom.SPACE.OPERATION.TYPE d, [a], b[, c]; red has no d.
void update(PtxThread &thread, const PtxInstruction &in) {
  PtxType type = in.type();
  size_t first = in.words[0] == "atom" ? 1 : 0;
  std::byte *at = thread.address(in, first);
  accessMemory(thread, in, at, type.bits / 8, AccessKind::Atomic);
  uint64_t old = 0;
  std::memcpy(&old, at, type.bits / 8);
  uint64_t value = thread.read(in, first + 1);
  uint64_t other =
      in.operands.size() > first + 2 ? thread.read(in, first + 2) : 0;
  bool isWide = type.bits == 64;
  if (type.kind == PtxType::Float)
    isWide ? updateAs<double>(in, at, value, other)
           : updateAs<float>(in, at, value, other);
  else if (type.kind == PtxType::Signed)
    isWide ? updateAs<int64_t>(in, at, value, other)
           : updateAs<int32_t>(in, at, value, other);
  else
    isWide ? updateAs<uint64_t>(in, at, value, other)
           : updateAs<uint32_t>(in, at, value, other);
  if (first == 1)
    thread.write(in, old);
}

void branch(PtxThread &thread, const PtxInstruction &in) {
  if (in.target < thread.next)
    thread.emulator.step();
  thread.next = in.target;
}

void end(PtxThread &thread, const PtxInstruction &) {
  thread.next = thread.kernel.code.size();
}

void trap(PtxThread &thread, const PtxInstruction &in) {
  thread.emulator.fail(Status::Crashed, "executes a trap", thread.placeOf(in));
}

/// Barriers of a block, and of a warp: bar.sync, bar.red.OPERATION.TYPE,
/// bar.warp.sync.
void barrier(PtxThread &thread, const PtxInstruction &in) {
  unsigned place = thread.placeOf(in);
  if (in.has("warp")) {
    thread.emulator.warp(WarpOperation::Synchronize,
                         static_cast<uint32_t>(thread.read(in, 0)), 0, place);
    return;
  }
  auto number = [&](size_t i) {
    return static_cast<unsigned>(thread.read(in, i));
  };
  size_t count = in.operands.size();
  if (!in.has("red")) {
    thread.emulator.barrier(number(0), count > 1 ? number(1) : 0, place);
    return;
  }
  BarrierReduction reduction = in.has("popc")  ? BarrierReduction::Count
                               : in.has("and") ? BarrierReduction::And
                                               : BarrierReduction::Or;
  thread.write(in, thread.emulator.barrier(number(1), count > 3 ? number(2) : 0,
                                           place, reduction,
                                           number(count - 1) != 0));
}

void copyAsync(PtxThread &thread, const PtxInstruction &in) {
  if (in.has("commit_group"))
    return thread.emulator.commitCopies();
  if (in.has("wait_all"))
    return thread.emulator.waitForAllCopies();
  if (in.has("wait_group"))
    return thread.emulator.waitForCopies(
        static_cast<unsigned>(thread.read(in, 0)));
  size_t bytes = thread.read(in, 2);
  size_t sourceBytes = in.operands.size() > 3 ? thread.read(in, 3) : bytes;
  const std::byte *from = thread.address(in, 1);
  thread.emulator.copyAsync(thread.address(in, 0), from, bytes, sourceBytes,
                            thread.placeOf(in));
  if (thread.observer)
    thread.observer->access(from, sourceBytes, /*isWrite=*/false);
}

/// What orders threads that here run one after another, and hints.
void doNothing(PtxThread &, const PtxInstruction &) {}

const std::map<std::string, PtxHandler> handlers = {
    {"ld", load},           {"st", store},         {"atom", update},
    {"red", update},        {"bra", branch},       {"ret", end},
    {"exit", end},          {"trap", trap},        {"bar", barrier},
    {"barrier", barrier},   {"membar", doNothing}, {"fence", doNothing},
    {"prefetch", doNothing}};
} // namespace

PtxHandler fake::findHandler(const PtxInstruction &instruction) {
  const std::string &name = instruction.words[0];
  bool isBulk = instruction.has("bulk") || instruction.has("mbarrier");
  if (name == "cp" && instruction.has("async") && !isBulk)
    return copyAsync;
  if ((name == "bar" || name == "barrier") && !instruction.has("sync") &&
      !instruction.has("red"))
    return nullptr;
  if ((name == "atom" || name == "red") &&
      (instruction.type().bits < 32 || instruction.type().isPair ||
       instruction.has("inc") || instruction.has("dec")))
    return nullptr;
  if (auto found = handlers.find(name); found != handlers.end())
    return found->second;
  if (PtxHandler found = findArithmetic(instruction))
    return found;
  return findWarpHandler(instruction);
}

std::optional<EmulatedFailure>
PtxKernel::launch(const LaunchSizes &launch, const std::byte *arguments,
                  std::span<const EmulatedBuffer> buffers, uint64_t number,
                  PtxObserver *observer) const {
  emulator->setFindsRaces(false);
  size_t numThreads =
      size_t(launch.block[0]) * launch.block[1] * launch.block[2];
  // Threads that an error stops are never unwound: they own nothing.
  std::vector<uint64_t> registers(numThreads * numRegisters);
  auto body = [&] {
    auto index = [&](SpecialRegister which) {
      return size_t(emulator->specialRegister(which));
    };
    size_t own =
        index(SpecialRegister::ThreadX) +
        launch.block[0] * (index(SpecialRegister::ThreadY) +
                           launch.block[1] * index(SpecialRegister::ThreadZ));
    PtxThread thread = {*this,
                        *emulator,
                        registers.data() + own * numRegisters,
                        arguments,
                        localBytes ? emulator->enter(0) : nullptr,
                        observer};
    while (thread.next < code.size()) {
      const PtxInstruction &instruction = code[thread.next++];
      if (instruction.guard && (thread.read(*instruction.guard) != 0) ==
                                   instruction.guard->isNegated)
        continue;
      instruction.run(thread, instruction);
    }
    if (localBytes)
      emulator->leave();
  };
  return emulator->launch(name, body, launch, buffers,
                          {EmulatedOrder::Seeded, number});
}
