//===- EmulatorWarp.cpp - Values of the lanes of a warp -------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Rules are those of PTX: NVIDIA, "Parallel Thread Execution ISA", section
// "shfl.sync" and those of the other operations.
//
//===----------------------------------------------------------------------===//

#include "EmulatorWarp.h"

#include <bit>

using namespace baco;
using namespace baco::runtime;

namespace {
struct ValueLane {
  uint32_t value, result = 0;
};
struct ShuffleLane {
  uint32_t value, lane, clamp, result = 0;
  bool isValid = false, readsOther = false;
};
} // namespace

/// The result that the lanes with values get from an operation other than
/// MatchAny.
static uint32_t reduce(WarpOperation operation,
                       std::span<const std::pair<unsigned, uint32_t>> values) {
  uint32_t result = values[0].second;
  uint32_t ballot = 0;
  for (auto [lane, value] : values)
    ballot |= uint32_t(value != 0) << lane;
  auto signedOf = [](uint32_t bits) { return static_cast<int32_t>(bits); };
  auto fold = [&](auto combine) {
    for (auto [lane, value] : values.subspan(1))
      result = combine(result, value);
    return result;
  };
  using U = uint32_t;
  auto numSet = static_cast<size_t>(std::popcount(ballot));
  switch (operation) {
  case WarpOperation::All:
    return numSet == values.size();
  case WarpOperation::Any:
    return numSet != 0;
  case WarpOperation::Uniform:
    return numSet == 0 || numSet == values.size();
  case WarpOperation::Ballot:
    return ballot;
  case WarpOperation::Add:
    return fold([](U a, U b) { return a + b; });
  case WarpOperation::UnsignedMin:
    return fold([](U a, U b) { return std::min(a, b); });
  case WarpOperation::UnsignedMax:
    return fold([](U a, U b) { return std::max(a, b); });
  case WarpOperation::SignedMin:
    return fold([&](U a, U b) { return signedOf(a) < signedOf(b) ? a : b; });
  case WarpOperation::SignedMax:
    return fold([&](U a, U b) { return signedOf(a) > signedOf(b) ? a : b; });
  case WarpOperation::And:
    return fold([](U a, U b) { return a & b; });
  case WarpOperation::Or:
    return fold([](U a, U b) { return a | b; });
  case WarpOperation::Xor:
    return fold([](U a, U b) { return a ^ b; });
  case WarpOperation::Synchronize:
  case WarpOperation::MatchAny:
    break;
  }
  return 0;
}

uint32_t Emulator::warp(WarpOperation operation, uint32_t mask, uint32_t value,
                        unsigned place) {
  step();
  ValueLane own = {value};
  WarpCall call(*this, state->threads, state->current);
  if (!call.arrive(Reduce | static_cast<unsigned>(operation), mask, &own,
                   place)) {
    state->wait();
    return own.result;
  }
  std::vector<std::pair<unsigned, uint32_t>> values;
  for (unsigned i = 0; i < warpSize; ++i)
    if (call.lanes[i])
      values.emplace_back(i, static_cast<ValueLane *>(call.lanes[i])->value);
  if (operation == WarpOperation::Synchronize)
    call.synchronize();
  uint32_t common = reduce(operation, values);
  for (auto [lane, mine] : values) {
    uint32_t &result = static_cast<ValueLane *>(call.lanes[lane])->result;
    result = common;
    if (operation == WarpOperation::MatchAny)
      for (auto [other, theirs] : values)
        result |= uint32_t(mine == theirs) << other;
  }
  call.release();
  return own.result;
}

std::pair<uint32_t, bool> Emulator::shuffle(ShuffleMode mode, uint32_t mask,
                                            uint32_t value, uint32_t lane,
                                            uint32_t clamp, unsigned place) {
  step();
  ShuffleLane own = {value, lane, clamp};
  WarpCall call(*this, state->threads, state->current);
  if (call.arrive(Shuffle | static_cast<unsigned>(mode), mask, &own, place)) {
    for (unsigned i = 0; i < warpSize; ++i) {
      if (!call.lanes[i])
        continue;
      auto &to = *static_cast<ShuffleLane *>(call.lanes[i]);
      uint32_t b = to.lane & 31, limit = to.clamp & 31,
               segment = to.clamp >> 8 & 31;
      int least = i & segment;
      int most = least | (limit & ~segment & 31);
      int from = 0;
      switch (mode) {
      case ShuffleMode::Up:
        from = static_cast<int>(i) - static_cast<int>(b);
        to.isValid = from >= most;
        break;
      case ShuffleMode::Down:
        from = static_cast<int>(i + b);
        to.isValid = from <= most;
        break;
      case ShuffleMode::Butterfly:
        from = static_cast<int>(i ^ b);
        to.isValid = from <= most;
        break;
      case ShuffleMode::Index:
        from = least | static_cast<int>(b & ~segment);
        to.isValid = from <= most;
        break;
      }
      if (!to.isValid)
        from = static_cast<int>(i);
      if (call.lanes[from])
        to.result = static_cast<ShuffleLane *>(call.lanes[from])->value;
      else
        to.readsOther = true;
    }
    call.release();
  } else {
    state->wait();
  }
  if (own.readsOther)
    fail(Status::WrongResult,
         "shuffles from a lane that takes no part in the operation", place);
  return {own.result, own.isValid};
}
