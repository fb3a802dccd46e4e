//===- EmulatorMatrix.cpp - Tensor cores in the emulator ------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Layouts are those of PTX: NVIDIA, "Parallel Thread Execution ISA", sections
// "Matrix Fragments for mma" and "ldmatrix".
//
//===----------------------------------------------------------------------===//

#include "EmulatorWarp.h"
#include "baco/Verification/Floats.h"

#include <bit>
#include <cstring>

using namespace baco;
using namespace baco::runtime;

namespace {
constexpr uint32_t wholeWarp = 0xffffffff;

struct WordsLane {
  const uint32_t *operands;
  uint32_t *result;
};
struct RowLane {
  const void *row;
  const std::byte *rows[warpSize] = {};
};
} // namespace

std::array<unsigned, 3> MatrixProduct::words() const {
  if (element == MatrixElement::F64)
    return {2, 2, 4};
  unsigned perWord =
      element == MatrixElement::TF32                                    ? 1
      : element == MatrixElement::F16 || element == MatrixElement::BF16 ? 2
                                                                        : 4;
  unsigned chunks = depth / (4 * perWord);
  return {chunks * rows / 8, chunks, rows / 8 * (isHalf ? 1u : 2u)};
}

namespace {
/// Element `i` of a register of 32 bits.
double readElement(MatrixElement element, uint32_t word, unsigned i) {
  switch (element) {
  case MatrixElement::F16:
    return Float16{static_cast<uint16_t>(word >> 16 * i)};
  case MatrixElement::BF16:
    return BFloat16{static_cast<uint16_t>(word >> 16 * i)};
  case MatrixElement::TF32:
    // The lower bits aren't looked at.
    return std::bit_cast<float>(word & 0xffffe000);
  case MatrixElement::S8:
    return static_cast<int8_t>(word >> 8 * i);
  case MatrixElement::U8:
    return static_cast<uint8_t>(word >> 8 * i);
  case MatrixElement::F64:
    break;
  }
  return 0;
}

double readF64(const uint32_t *words) {
  uint64_t bits;
  std::memcpy(&bits, words, 8);
  return std::bit_cast<double>(bits);
}

/// A product of which the lanes have fragments.
struct Tile {
  const MatrixProduct &product;
  double a[16][32] = {}, b[32][8] = {}, c[16][8] = {};

  /// Row r of A or column r of B in lane 4 (r mod 8) + t; of each chunk of
  /// 4 e elements, where e fit into a register, it has those from t e on.
  void readFragment(unsigned lane, const uint32_t *words) {
    unsigned group = lane / 4, t = lane % 4;
    if (product.element == MatrixElement::F64) {
      a[group][t] = readF64(words);
      b[t][group] = readF64(words + 2);
      c[group][2 * t] = readF64(words + 4);
      c[group][2 * t + 1] = readF64(words + 6);
      return;
    }
    auto [inA, inB, inC] = product.words();
    unsigned halves = product.rows / 8, chunks = inB;
    unsigned perWord = product.depth / (4 * chunks);
    for (unsigned r = 0; r < inA; ++r)
      for (unsigned i = 0; i < perWord; ++i)
        a[group + 8 * (r % halves)][(r / halves * 4 + t) * perWord + i] =
            readElement(product.element, words[r], i);
    for (unsigned r = 0; r < inB; ++r)
      for (unsigned i = 0; i < perWord; ++i)
        b[(r * 4 + t) * perWord + i][group] =
            readElement(product.rightElement(), words[inA + r], i);
    for (unsigned half = 0; half < halves; ++half)
      for (unsigned i = 0; i < 2; ++i)
        c[group + 8 * half][2 * t + i] =
            readAccumulator(words + inA + inB, half, i);
  }

  double readAccumulator(const uint32_t *words, unsigned half,
                         unsigned i) const {
    if (product.isHalf)
      return readElement(MatrixElement::F16, words[half], i);
    uint32_t word = words[2 * half + i];
    if (isInteger())
      return static_cast<int32_t>(word);
    return std::bit_cast<float>(word);
  }

  void compute() {
    for (unsigned i = 0; i < product.rows; ++i)
      for (unsigned j = 0; j < 8; ++j)
        for (unsigned k = 0; k < product.depth; ++k)
          c[i][j] += a[i][k] * b[k][j];
  }

  void writeFragment(unsigned lane, uint32_t *words) const {
    unsigned group = lane / 4, t = lane % 4;
    for (unsigned half = 0; half < product.rows / 8; ++half)
      for (unsigned i = 0; i < 2; ++i) {
        double value = c[group + 8 * half][2 * t + i];
        if (product.element == MatrixElement::F64)
          std::memcpy(words + 2 * i, &value, 8);
        else if (product.isHalf)
          words[half] = (i ? words[half] : 0) |
                        uint32_t(makeFloat<Float16>(value).bits) << 16 * i;
        else if (isInteger())
          words[2 * half + i] =
              static_cast<uint32_t>(static_cast<int64_t>(value));
        else
          words[2 * half + i] =
              std::bit_cast<uint32_t>(static_cast<float>(value));
      }
  }

  bool isInteger() const {
    return product.element == MatrixElement::S8 ||
           product.element == MatrixElement::U8;
  }
};
} // namespace

void Emulator::multiply(const MatrixProduct &product, const uint32_t *operands,
                        uint32_t *result, unsigned place) {
  step();
  WordsLane own = {operands, result};
  WarpCall call(*this, state->threads, state->current);
  unsigned code = Multiply | static_cast<unsigned>(product.element) << 8 |
                  static_cast<unsigned>(product.rightElement()) << 12 |
                  product.depth << 1 | unsigned(product.isHalf);
  if (!call.arrive(code, wholeWarp, &own, place)) {
    state->wait();
    return;
  }
  if (std::ranges::count(call.lanes, nullptr))
    fail(Status::DeviceFault,
         "multiplies on tensor cores in a warp of less than 32 threads", place);
  Tile tile = {product};
  for (unsigned i = 0; i < warpSize; ++i)
    tile.readFragment(i, static_cast<WordsLane *>(call.lanes[i])->operands);
  tile.compute();
  for (unsigned i = 0; i < warpSize; ++i)
    tile.writeFragment(i, static_cast<WordsLane *>(call.lanes[i])->result);
  call.release();
}

void Emulator::loadMatrices(const void *row, unsigned count, bool isTransposed,
                            uint32_t *result, unsigned place) {
  step();
  // Only so many lanes have rows.
  if (state->current % warpSize < 8 * count)
    access(row, 16, AccessKind::Read, 16, place);
  RowLane own = {row};
  WarpCall call(*this, state->threads, state->current);
  if (call.arrive(LoadMatrices | count << 1 | unsigned(isTransposed), wholeWarp,
                  &own, place)) {
    if (std::ranges::count(call.lanes, nullptr))
      fail(Status::DeviceFault,
           "loads matrices in a warp of less than 32 threads", place);
    for (void *lane : call.lanes)
      for (unsigned i = 0; i < 8 * count; ++i)
        static_cast<RowLane *>(lane)->rows[i] = static_cast<const std::byte *>(
            static_cast<RowLane *>(call.lanes[i])->row);
    call.release();
  } else {
    state->wait();
  }
  // Each lane reads what it gets, of rows whose addresses others have.
  unsigned i = state->current % warpSize / 4, j = state->current % 4 * 2;
  for (unsigned m = 0; m < count; ++m) {
    uint16_t elements[2];
    for (unsigned k = 0; k < 2; ++k) {
      const std::byte *from = isTransposed ? own.rows[8 * m + j + k] + 2 * i
                                           : own.rows[8 * m + i] + 2 * (j + k);
      check(from, 2, AccessKind::Read, 2, place);
      std::memcpy(&elements[k], from, 2);
    }
    result[m] = uint32_t(elements[1]) << 16 | elements[0];
  }
}
