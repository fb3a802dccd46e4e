//===- EmulatorCalls.cpp - The emulator's operations by name --------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Compiled kernels call these. Enumerations are passed as their numbers.
//
//===----------------------------------------------------------------------===//

#include "baco/GpuEmulator/Emulator.h"

#include <bit>

using namespace baco;
using namespace baco::runtime;

namespace {
/// A product in a word: elements of A and B, 4 bits each, then rows, depth and
/// isHalf, a byte each, the lowest one first.
MatrixProduct unpackProduct(uint32_t word) {
  return {static_cast<MatrixElement>(word & 15), word >> 8 & 255,
          word >> 16 & 255, (word >> 24) != 0,
          static_cast<MatrixElement>(word >> 4 & 15)};
}

uint32_t callRegister(Emulator *emulator, uint32_t which) {
  return emulator->specialRegister(static_cast<SpecialRegister>(which));
}
void callAccess(Emulator *emulator, const void *address, uint64_t bytes,
                uint32_t kind, uint32_t alignment, uint32_t place) {
  emulator->access(address, bytes, static_cast<AccessKind>(kind), alignment,
                   place);
}
uint32_t callBarrier(Emulator *emulator, uint32_t id, uint32_t threads,
                     uint32_t reduction, uint32_t value, uint32_t place) {
  return emulator->barrier(
      id, threads, place, static_cast<BarrierReduction>(reduction), value != 0);
}
uint32_t callWarp(Emulator *emulator, uint32_t operation, uint32_t mask,
                  uint32_t value, uint32_t place) {
  return emulator->warp(static_cast<WarpOperation>(operation), mask, value,
                        place);
}
/// The value, and in the upper half whether it is another lane's.
uint64_t callShuffle(Emulator *emulator, uint32_t mode, uint32_t mask,
                     uint32_t value, uint32_t lane, uint32_t clamp,
                     uint32_t place) {
  auto [result, isValid] = emulator->shuffle(static_cast<ShuffleMode>(mode),
                                             mask, value, lane, clamp, place);
  return uint64_t(isValid) << 32 | result;
}
void callMultiply(Emulator *emulator, uint32_t product,
                  const uint32_t *operands, uint32_t *result, uint32_t place) {
  emulator->multiply(unpackProduct(product), operands, result, place);
}
void callLoadMatrices(Emulator *emulator, const void *row, uint32_t count,
                      uint32_t isTransposed, uint32_t *result, uint32_t place) {
  emulator->loadMatrices(row, count, isTransposed != 0, result, place);
}
void callCopy(Emulator *emulator, void *to, const void *from, uint32_t bytes,
              uint32_t sourceBytes, uint32_t place) {
  emulator->copyAsync(to, from, bytes, sourceBytes, place);
}
void callCommit(Emulator *emulator) { emulator->commitCopies(); }
void callWait(Emulator *emulator, uint32_t groups) {
  emulator->waitForCopies(groups);
}
void callWaitAll(Emulator *emulator) { emulator->waitForAllCopies(); }
void *callEnter(Emulator *emulator, uint32_t frame) {
  return emulator->enter(frame);
}
void callLeave(Emulator *emulator) { emulator->leave(); }
void callStep(Emulator *emulator) { emulator->step(); }
void callTrap(Emulator *emulator, uint32_t place) {
  emulator->fail(Status::DeviceFault, "executes a trap", place);
}
/// PTX's cvt.rna.tf32: to nearest, ties away from zero.
uint32_t callToTf32(float value) {
  auto bits = std::bit_cast<uint32_t>(value);
  bool isFinite = (bits & 0x7f800000) != 0x7f800000;
  return isFinite ? (bits + 0x1000) & 0xffffe000 : bits;
}

template <typename Function>
std::pair<const char *, void *> symbol(const char *name, Function *function) {
  return {name, reinterpret_cast<void *>(function)};
}
} // namespace

std::vector<std::pair<const char *, void *>> baco::runtime::emulatorSymbols() {
  return {symbol("baco_emulator_register", callRegister),
          symbol("baco_emulator_access", callAccess),
          symbol("baco_emulator_barrier", callBarrier),
          symbol("baco_emulator_warp", callWarp),
          symbol("baco_emulator_shuffle", callShuffle),
          symbol("baco_emulator_multiply", callMultiply),
          symbol("baco_emulator_load_matrices", callLoadMatrices),
          symbol("baco_emulator_copy", callCopy),
          symbol("baco_emulator_commit", callCommit),
          symbol("baco_emulator_wait", callWait),
          symbol("baco_emulator_wait_all", callWaitAll),
          symbol("baco_emulator_enter", callEnter),
          symbol("baco_emulator_leave", callLeave),
          symbol("baco_emulator_step", callStep),
          symbol("baco_emulator_trap", callTrap),
          symbol("baco_emulator_to_tf32", callToTf32)};
}
