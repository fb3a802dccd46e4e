//===- OperandsTest.cpp - Tests of the arguments in memory ----------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "baco/Verification/Operands.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <set>
#include <span>
#include <sys/mman.h>

using namespace baco;
using namespace baco::runtime;

TEST(GuardedBufferTest, LiesWhereItShould) {
  for (size_t bytes : {size_t{0}, size_t{1}, size_t{64}, size_t{4096},
                       size_t{2} << 20, (size_t{2} << 20) + 100})
    for (size_t stagger : {0, 64, 320, 4032}) {
      auto buffer = GuardedBuffer::create(bytes, stagger, 0x123456789abcdef0);
      ASSERT_TRUE(buffer);
      EXPECT_EQ(reinterpret_cast<size_t>(buffer->data()) % 4096, stagger);
      std::memset(buffer->data(), 0, bytes);
      EXPECT_TRUE(buffer->isIntact()) << bytes << " " << stagger;
    }
}

TEST(GuardedBufferTest, NoticesNeighboringWrites) {
  using End = GuardedBuffer::End;
  for (size_t bytes : {0, 1, 63, 100}) {
    for (ptrdiff_t at : {ptrdiff_t(-1), ptrdiff_t(bytes), ptrdiff_t(4095)}) {
      auto moved = GuardedBuffer::create(bytes, 64, 0x123456789abcdef0);
      moved->place(64, bytes, End::Front);
      EXPECT_TRUE(moved->isIntact());
      moved->data()[at] = std::byte{0};
      EXPECT_FALSE(moved->isIntact());
    }
    auto after = GuardedBuffer::create(bytes, 64, 0x123456789abcdef0);
    after->data()[bytes] = std::byte{0};
    EXPECT_FALSE(after->isIntact());
    auto before = GuardedBuffer::create(bytes, 64, 0x123456789abcdef0);
    before->data()[-1] = std::byte{0};
    EXPECT_FALSE(before->isIntact());
  }
}

TEST(GuardedBufferDeathTest, FarWritesAreFatal) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  auto buffer = GuardedBuffer::create(100, 64, 1);
  volatile std::byte *data = buffer->data();
  EXPECT_DEATH(data[100 + 4096] = std::byte{0}, "");
  // The other end of the huge page.
  EXPECT_DEATH(data[-(2 << 20)] = std::byte{0}, "");
  // Next to the data.
  buffer->place(0, 100, GuardedBuffer::End::Front);
  data = buffer->data();
  EXPECT_DEATH(data[-1] = std::byte{0}, "");
  buffer->place(4096 - 100, 100);
  data = buffer->data();
  EXPECT_DEATH(data[100] = std::byte{0}, "");
}

static Signature makeSignature() {
  Signature signature;
  signature.arguments = {{ElementType::F32, true, {2, 3}, true},
                         {ElementType::F64, false, {}, false},
                         {ElementType::I8, true, {}, true},
                         {ElementType::F32, true, {4}, false}};
  return signature;
}

TEST(UseHugePagesTest, OnlyPagesOfTheMemoryAreNew) {
  constexpr size_t bytes = 7 << 20, margin = 100;
  void *mapping = mmap(nullptr, bytes, PROT_READ | PROT_WRITE,
                       MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  ASSERT_NE(mapping, MAP_FAILED);
  std::span memory(static_cast<std::byte *>(mapping), bytes);
  std::span zeros = memory.subspan(margin, bytes - 2 * margin);
  auto around = {memory.first(margin), memory.last(margin)};
  for (std::span<std::byte> part : around)
    std::ranges::fill(part, std::byte(1));
  useHugePages(zeros);
  useHugePages(memory.subspan(margin, 4096));
  useHugePages({});
  auto isZero = [](std::byte b) { return b == std::byte(0); };
  EXPECT_TRUE(std::ranges::all_of(zeros, isZero));
  for (std::span<std::byte> part : around)
    EXPECT_TRUE(std::ranges::none_of(part, isZero));
  munmap(mapping, bytes);
}

TEST(OperandsTest, DescriptorsAreMLIRs) {
  Signature signature = makeSignature();
  auto inputs = generateInputs(signature, 3);
  auto operands = Operands::create(signature, inputs);
  ASSERT_TRUE(operands);
  operands->fill(false);

  struct Matrix {
    float *allocated, *aligned;
    int64_t offset, sizes[2], strides[2];
  };
  auto *matrix = static_cast<Matrix *>(operands->pointers()[0]);
  EXPECT_EQ(matrix->allocated, matrix->aligned);
  EXPECT_EQ(matrix->offset, 0);
  EXPECT_EQ(matrix->sizes[0], 2);
  EXPECT_EQ(matrix->sizes[1], 3);
  EXPECT_EQ(matrix->strides[0], 3);
  EXPECT_EQ(matrix->strides[1], 1);
  EXPECT_EQ(std::memcmp(matrix->aligned, inputs[0].data(), 24), 0);

  EXPECT_EQ(std::memcmp(operands->pointers()[1], inputs[1].data(), 8), 0);

  struct RankZero {
    int8_t *allocated, *aligned;
    int64_t offset;
  };
  auto *cell = static_cast<RankZero *>(operands->pointers()[2]);
  EXPECT_EQ(std::memcmp(cell->aligned, inputs[2].data(), 1), 0);
}

TEST(OperandsTest, OutputsAreCopiedAndRestored) {
  Signature signature = makeSignature();
  auto inputs = generateInputs(signature, 3);
  auto operands = Operands::create(signature, inputs);
  ASSERT_TRUE(operands);
  operands->fill(false);
  auto dataOf = [&](int i) {
    return static_cast<float **>(operands->pointers()[i])[1];
  };
  dataOf(0)[5] = 42;
  dataOf(3)[0] = 43;
  std::vector<std::byte> block(OutputLayout(signature).byteSize());
  operands->copyOutputs(block.data());
  EXPECT_EQ(reinterpret_cast<float *>(block.data())[5], 42);
  EXPECT_EQ(std::memcmp(block.data(), inputs[0].data(), 20), 0);
  EXPECT_EQ(block[64], inputs[2][0]);

  // Only what the kernel may write.
  operands->restoreOutputs();
  EXPECT_EQ(std::memcmp(dataOf(0), inputs[0].data(), 24), 0);
  EXPECT_EQ(dataOf(3)[0], 43);

  operands->fill(true);
  for (int i = 0; i < 6; ++i)
    EXPECT_EQ(dataOf(0)[i],
              std::abs(reinterpret_cast<float *>(inputs[0].data())[i]));
}

TEST(OperandsTest, TellsWhichArgumentWasOverrun) {
  Signature signature = makeSignature();
  auto inputs = generateInputs(signature, 3);
  auto operands = Operands::create(signature, inputs);
  ASSERT_TRUE(operands);
  operands->fill(false);
  EXPECT_EQ(operands->firstDamaged(), -1);
  static_cast<float **>(operands->pointers()[3])[1][4] = 0;
  EXPECT_EQ(operands->firstDamaged(), 3);
}

TEST(OperandsTest, ReadsOutOfBoundsAreVisible) {
  Signature signature;
  signature.arguments = {{ElementType::F32, true, {3}, false},
                         {ElementType::F64, true, {3}, false},
                         {ElementType::I32, true, {3}, false}};
  auto inputs = generateInputs(signature, 3);
  auto operands = Operands::create(signature, inputs);
  ASSERT_TRUE(operands);
  operands->fill(false);
  auto dataOf = [&](int i) {
    return static_cast<void **>(operands->pointers()[i])[1];
  };
  auto *floats = static_cast<float *>(dataOf(0));
  auto *doubles = static_cast<double *>(dataOf(1));
  auto *integers = static_cast<int32_t *>(dataOf(2));
  for (int i : {-2, -1, 3, 4}) {
    EXPECT_TRUE(std::isnan(floats[i])) << i;
    EXPECT_TRUE(std::isnan(doubles[i])) << i;
    EXPECT_LT(integers[i], -1000000) << i;
  }
  EXPECT_EQ(operands->firstDamaged(), -1);
  // Adding in place to a quiet NaN would leave it as it is.
  volatile float one = 1;
  floats[3] += one;
  EXPECT_EQ(operands->firstDamaged(), 0);
}

TEST(OperandsTest, DetectsWritesToReadOnlyArguments) {
  Signature signature = makeSignature();
  auto inputs = generateInputs(signature, 3);
  auto operands = Operands::create(signature, inputs);
  ASSERT_TRUE(operands);
  operands->fill(false);
  auto dataOf = [&](int i) {
    return static_cast<float **>(operands->pointers()[i])[1];
  };
  dataOf(0)[0] = 42;
  EXPECT_EQ(operands->firstChanged(), -1);
  dataOf(3)[3] = 42;
  EXPECT_EQ(operands->firstChanged(), 3);
}

TEST(OperandsTest, CountsWhatIsNotNormal) {
  Signature signature = makeSignature();
  signature.arguments.push_back({ElementType::F64, true, {2}, true});
  auto inputs = generateInputs(signature, 3);
  auto operands = Operands::create(signature, inputs);
  ASSERT_TRUE(operands);
  operands->fill(false);
  EXPECT_EQ(operands->countAbnormal(), 0);
  auto *outputs = static_cast<float **>(operands->pointers()[0])[1];
  outputs[0] = std::numeric_limits<float>::denorm_min();
  outputs[1] = std::numeric_limits<float>::infinity();
  outputs[2] = 0;
  static_cast<double **>(operands->pointers()[4])[1][1] = std::nan("");
  // An input.
  static_cast<float **>(operands->pointers()[3])[1][0] = std::nanf("");
  EXPECT_EQ(operands->countAbnormal(), 3);
}

TEST(OperandsTest, StartsDifferModuloAPage) {
  Signature signature;
  signature.arguments.assign(16, {ElementType::F32, true, {1024}, true});
  auto inputs = generateInputs(signature, 0);
  auto operands = Operands::create(signature, inputs);
  ASSERT_TRUE(operands);
  std::set<size_t> starts;
  for (int i = 0; i < 16; ++i) {
    auto *data = static_cast<float **>(operands->pointers()[i])[1];
    size_t start = reinterpret_cast<size_t>(data) % 4096;
    EXPECT_EQ(start / 64 % 2, 1u);
    starts.insert(start);
  }
  EXPECT_EQ(starts.size(), 16u);
}

TEST(OperandsTest, NoMemoryIsNoCrash) {
  Signature signature;
  // 64 TiB: more than the address space of a process has left.
  int64_t huge = int64_t{1} << 47;
  EXPECT_FALSE(GuardedBuffer::create(huge, 64, 1));
}

static uintptr_t addressOf(Operands &operands, int i) {
  return reinterpret_cast<uintptr_t>(
      static_cast<void **>(operands.pointers()[i])[1]);
}

static Signature makeThree() {
  Signature signature;
  signature.arguments = {{ElementType::F16, true, {100}, false},
                         {ElementType::ComplexF64, true, {100}, false},
                         {ElementType::F32, true, {100}, true}};
  return signature;
}

TEST(OperandsTest, ArgumentsHaveTheAlignmentOfAnAddressAndNoMore) {
  Signature signature = makeThree();
  signature.arguments[2].alignment = 256;
  auto inputs = generateInputs(signature, 3);
  auto operands = Operands::create(signature, inputs);
  ASSERT_TRUE(operands);
  auto alignments = [&](Addresses addresses) {
    operands->use(inputs, addresses);
    operands->fill(false);
    EXPECT_EQ(operands->firstDamaged(), -1);
    EXPECT_EQ(operands->firstChanged(), -1);
    std::vector<uintptr_t> all;
    for (int i : {0, 1, 2})
      all.push_back(addressOf(*operands, i) & -addressOf(*operands, i));
    return all;
  };
  EXPECT_EQ(alignments(Addresses::Timed),
            (std::vector<uintptr_t>{64, 64, 256}));
  EXPECT_EQ(alignments(Addresses::Least), (std::vector<uintptr_t>{2, 8, 256}));
  EXPECT_EQ(alignments(Addresses::Powers),
            (std::vector<uintptr_t>{128, 256, 512}));
  for (uintptr_t alignment : alignments(Addresses::Pages))
    EXPECT_GE(alignment, 4096u);
  EXPECT_EQ(alignments(Addresses::Ends), (std::vector<uintptr_t>{8, 64, 512}));
}

TEST(OperandsTest, VariedInputsDifferEachTimeUntilTheyAreSettled) {
  Signature signature = makeThree();
  auto inputs = generateInputs(signature, 3);
  auto operands = Operands::create(signature, inputs);
  ASSERT_TRUE(operands);
  operands->use(inputs, Addresses::Timed);
  operands->fill(false);
  // What is only read.
  EXPECT_EQ(operands->numVaried(), 2u);
  EXPECT_TRUE(operands->variedElements().empty());
  auto contents = [&] {
    auto *bytes = reinterpret_cast<std::byte *>(addressOf(*operands, 0));
    return ArgumentData(bytes, bytes + inputs[0].size());
  };
  ArgumentData before = contents();
  for (int i = 0; i < 20; ++i) {
    operands->vary();
    EXPECT_NE(contents(), before);
    before = contents();
  }
  EXPECT_EQ(operands->firstChanged(), 0);
  operands->settle();
  EXPECT_EQ(operands->firstChanged(), -1);
}

// A reference has the same inputs in each execution.
TEST(OperandsTest, InputsVaryByHalvesAndAlikeAfterEachFilling) {
  Signature signature = makeThree();
  signature.arguments[0].type = ElementType::F32;
  auto inputs = generateInputs(signature, 3);
  auto operands = Operands::create(signature, inputs);
  ASSERT_TRUE(operands);
  auto valuesOf = [](const std::byte *data) {
    auto *values = reinterpret_cast<const float *>(data);
    return std::vector<float>(values, values + 100);
  };
  std::vector<float> initial = valuesOf(inputs[0].data());
  std::vector<std::vector<float>> all;
  for (Addresses addresses : {Addresses::Timed, Addresses::Least}) {
    operands->use(inputs, addresses);
    operands->fill(false);
    for (size_t i = 0; i < 16; ++i) {
      operands->vary();
      std::vector<float> now =
          valuesOf(reinterpret_cast<std::byte *>(addressOf(*operands, 0)));
      int halves = 0;
      for (size_t k = 0; k < now.size(); ++k) {
        EXPECT_TRUE(now[k] == initial[k] || now[k] == initial[k] / 2);
        halves += now[k] != initial[k];
      }
      EXPECT_EQ(halves, 1);
      if (addresses == Addresses::Timed)
        all.push_back(now);
      else
        EXPECT_EQ(now, all[i]);
    }
  }
}

TEST(OperandsTest, OutputsThatAreNotReadLoseAnElement) {
  Signature signature = makeThree();
  signature.arguments[2].isRead = false;
  auto inputs = generateInputs(signature, 3);
  auto operands = Operands::create(signature, inputs);
  ASSERT_TRUE(operands);
  operands->use(inputs, Addresses::Timed);
  operands->fill(false);
  EXPECT_EQ(operands->numVaried(), 3u);
  auto *output = reinterpret_cast<float *>(addressOf(*operands, 2));
  std::fill_n(output, 100, 1.0f);
  std::set<float *> lost;
  for (int i = 0; i < 16; ++i) {
    operands->vary();
    for (int k = 0; k < 100; ++k)
      if (output[k] != 1) {
        lost.insert(output + k);
        EXPECT_TRUE(std::isnan(output[k]));
        output[k] = 1;
      }
    EXPECT_GE(lost.size(), 1u);
  }
  EXPECT_GE(lost.size(), 8u);
}

TEST(OperandsTest, WritesToProtectedArgumentsHaveAPlace) {
  Signature signature = makeThree();
  auto inputs = generateInputs(signature, 3);
  auto operands = Operands::create(signature, inputs);
  ASSERT_TRUE(operands);
  EXPECT_EQ(operands->protectable().size(), 2u);
  auto placeOf = [&](int i, int64_t offset) {
    return operands->placeOf(
        reinterpret_cast<void *>(addressOf(*operands, i) + offset));
  };
  ASSERT_TRUE(placeOf(1, 5));
  EXPECT_EQ(placeOf(1, 5)->argument, 1);
  EXPECT_TRUE(placeOf(1, 5)->isInside);
  ASSERT_TRUE(placeOf(0, -1));
  EXPECT_FALSE(placeOf(0, -1)->isInside);
  EXPECT_FALSE(placeOf(2, 0));
  // Guard pages are those of outputs, too.
  operands->use(inputs, Addresses::Pages);
  ASSERT_TRUE(placeOf(2, -1));
  EXPECT_EQ(placeOf(2, -1)->argument, 2);
  EXPECT_FALSE(placeOf(2, -1)->isInside);
  EXPECT_FALSE(placeOf(0, int64_t(1) << 30));
  operands->protect(true);
  EXPECT_DEATH(*reinterpret_cast<volatile std::byte *>(
                   addressOf(*operands, 0)) = std::byte(0),
               "");
  operands->protect(false);
  operands->fill(false);
}
