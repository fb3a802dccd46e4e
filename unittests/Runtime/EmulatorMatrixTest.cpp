//===- EmulatorMatrixTest.cpp - Emulated tensor cores ---------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "EmulatorFixture.h"
#include "baco/Support/Random.h"
#include "baco/Verification/Floats.h"

using namespace baco;
using namespace baco::runtime;

namespace {
using EmulatorMatrixTest = EmulatorTest;

/// Small integers, whose products and sums all types hold.
struct Matrices {
  explicit Matrices(uint64_t seed) {
    Random random(seed);
    auto fill = [&](auto &matrix) {
      for (auto &row : matrix)
        for (double &element : row)
          element = double(random.below(7)) - 3;
    };
    fill(a);
    fill(b);
    fill(c);
  }
  double product(int i, int j, int depth) const {
    double sum = c[i][j];
    for (int k = 0; k < depth; ++k)
      sum += a[i][k] * b[k][j];
    return sum;
  }
  double a[16][32], b[32][8], c[16][8];
};

uint32_t halves(double low, double high) {
  return uint32_t(makeFloat<Float16>(high).bits) << 16 |
         makeFloat<Float16>(low).bits;
}
uint32_t bits(double value) {
  return std::bit_cast<uint32_t>(static_cast<float>(value));
}
float number(uint32_t bits) { return std::bit_cast<float>(bits); }
} // namespace

// The layouts below are those that PTX's manual lists for each register.
TEST_F(EmulatorMatrixTest, MultipliesTf32) {
  Matrices m(1);
  float d[16][8];
  MatrixProduct product = {MatrixElement::TF32, 16, 8};
  auto body = [&] {
    unsigned g = thread() / 4, t = thread() % 4;
    uint32_t result[4],
        words[] = {bits(m.a[g][t]),         bits(m.a[g + 8][t]),
                   bits(m.a[g][t + 4]),     bits(m.a[g + 8][t + 4]),
                   bits(m.b[t][g]),         bits(m.b[t + 4][g]),
                   bits(m.c[g][2 * t]),     bits(m.c[g][2 * t + 1]),
                   bits(m.c[g + 8][2 * t]), bits(m.c[g + 8][2 * t + 1])};
    // Tensor cores ignore these bits.
    words[0] |= 0x1fff;
    emulator.multiply(product, words, result, 0);
    d[g][2 * t] = number(result[0]);
    d[g][2 * t + 1] = number(result[1]);
    d[g + 8][2 * t] = number(result[2]);
    d[g + 8][2 * t + 1] = number(result[3]);
  };
  expectRight(body, 32);
  for (int i = 0; i < 16; ++i)
    for (int j = 0; j < 8; ++j)
      ASSERT_EQ(d[i][j], m.product(i, j, 8)) << i << " " << j;
  expectInAllOrders("less than 32 threads", body, 24);
}

TEST_F(EmulatorMatrixTest, MultipliesHalves) {
  Matrices m(2);
  float d[16][8];
  for (bool isHalf : {false, true}) {
    MatrixProduct product = {MatrixElement::F16, 16, 16, isHalf};
    auto body = [&] {
      unsigned g = thread() / 4, t = thread() % 4, k = 2 * t;
      uint32_t result[4],
          words[10] = {halves(m.a[g][k], m.a[g][k + 1]),
                       halves(m.a[g + 8][k], m.a[g + 8][k + 1]),
                       halves(m.a[g][k + 8], m.a[g][k + 9]),
                       halves(m.a[g + 8][k + 8], m.a[g + 8][k + 9]),
                       halves(m.b[k][g], m.b[k + 1][g]),
                       halves(m.b[k + 8][g], m.b[k + 9][g])};
      for (unsigned half = 0; half < 2; ++half) {
        const double *row = m.c[g + 8 * half];
        if (isHalf)
          words[6 + half] = halves(row[k], row[k + 1]);
        for (unsigned i = 0; i < 2 && !isHalf; ++i)
          words[6 + 2 * half + i] = bits(row[k + i]);
      }
      emulator.multiply(product, words, result, 0);
      for (unsigned half = 0; half < 2; ++half)
        for (unsigned i = 0; i < 2; ++i)
          d[g + 8 * half][k + i] = static_cast<float>(
              isHalf ? double(Float16{uint16_t(result[half] >> 16 * i)})
                     : number(result[2 * half + i]));
    };
    expectRight(body, 32);
    for (int i = 0; i < 16; ++i)
      for (int j = 0; j < 8; ++j)
        ASSERT_EQ(d[i][j], m.product(i, j, 16)) << i << " " << j;
  }
}

TEST_F(EmulatorMatrixTest, MultipliesIntegersAndDoubles) {
  Matrices m(3);
  double d[16][8];
  MatrixProduct bytes = {MatrixElement::S8, 16, 32};
  auto onBytes = [&] {
    unsigned g = thread() / 4, t = thread() % 4;
    uint32_t words[10] = {}, result[4];
    for (unsigned i = 0; i < 4; ++i) {
      auto put = [&](int word, double value) {
        words[word] |= uint32_t(uint8_t(int8_t(value))) << 8 * i;
      };
      put(0, m.a[g][4 * t + i]);
      put(1, m.a[g + 8][4 * t + i]);
      put(2, m.a[g][4 * t + i + 16]);
      put(3, m.a[g + 8][4 * t + i + 16]);
      put(4, m.b[4 * t + i][g]);
      put(5, m.b[4 * t + i + 16][g]);
      words[6 + i] = uint32_t(int(m.c[g + i / 2 * 8][2 * t + i % 2]));
    }
    emulator.multiply(bytes, words, result, 0);
    for (unsigned i = 0; i < 4; ++i)
      d[g + i / 2 * 8][2 * t + i % 2] = int32_t(result[i]);
  };
  expectRight(onBytes, 32);
  for (int i = 0; i < 16; ++i)
    for (int j = 0; j < 8; ++j)
      ASSERT_EQ(d[i][j], m.product(i, j, 32)) << i << " " << j;
  // Bytes of A that are read as unsigned are 256 more if they are negative.
  bytes = {MatrixElement::U8, 16, 32, false, MatrixElement::S8};
  expectRight(onBytes, 32);
  for (int i = 0; i < 16; ++i)
    for (int j = 0; j < 8; ++j) {
      double expected = m.product(i, j, 32);
      for (int k = 0; k < 32; ++k)
        expected += m.a[i][k] < 0 ? 256 * m.b[k][j] : 0;
      ASSERT_EQ(d[i][j], expected) << i << " " << j;
    }
  MatrixProduct doubles = {MatrixElement::F64, 8, 4};
  auto onDoubles = [&] {
    unsigned g = thread() / 4, t = thread() % 4;
    double words[] = {m.a[g][t], m.b[t][g], m.c[g][2 * t], m.c[g][2 * t + 1]};
    double result[2];
    emulator.multiply(doubles, reinterpret_cast<uint32_t *>(words),
                      reinterpret_cast<uint32_t *>(result), 0);
    d[g][2 * t] = result[0];
    d[g][2 * t + 1] = result[1];
  };
  expectRight(onDoubles, 32);
  for (int i = 0; i < 8; ++i)
    for (int j = 0; j < 8; ++j)
      ASSERT_EQ(d[i][j], m.product(i, j, 4)) << i << " " << j;
}

TEST_F(EmulatorMatrixTest, LoadsMatrices) {
  auto *tile = shared<uint16_t>("tile", 4 * 8 * 8);
  uint32_t plain[32][4], transposed[32][4];
  auto body = [&] {
    unsigned lane = thread();
    for (unsigned i = 0; i < 8; ++i)
      store(tile + 8 * lane + i, uint16_t(100 * lane + i));
    barrier();
    emulator.loadMatrices(tile + 8 * lane, 4, false, plain[lane], 0);
    emulator.loadMatrices(tile + 8 * lane, 2, true, transposed[lane], 1);
  };
  expectRight(body, 32);
  for (unsigned lane = 0; lane < 32; ++lane)
    for (unsigned m = 0; m < 4; ++m) {
      unsigned i = lane / 4, j = lane % 4 * 2;
      EXPECT_EQ(plain[lane][m] & 0xffff, 100 * (8 * m + i) + j);
      EXPECT_EQ(plain[lane][m] >> 16, 100 * (8 * m + i) + j + 1);
      if (m < 2) {
        EXPECT_EQ(transposed[lane][m] & 0xffff, 100 * (8 * m + j) + i);
        EXPECT_EQ(transposed[lane][m] >> 16, 100 * (8 * m + j + 1) + i);
      }
    }
  uint32_t words[4];
  expectInAllOrders(
      "out of bounds",
      [&] { emulator.loadMatrices(tile + 64 * 4, 1, false, words, 0); }, 32);
}
