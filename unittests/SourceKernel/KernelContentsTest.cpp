//===- KernelContentsTest.cpp
//-----------------------------------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SourceKernel/KernelContents.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <limits>
#include <unistd.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

using namespace baco;
using namespace baco::kernels;
using testing::HasSubstr;

namespace {
template <typename T>
std::span<const std::byte> bytesOf(const std::vector<T> &values) {
  return std::as_bytes(std::span(values));
}

template <typename T>
std::vector<T> draw(const KernelArgument &argument, uint64_t seed,
                    size_t number) {
  std::vector<T> values(1000);
  fillRandomly(argument, seed, number,
               std::as_writable_bytes(std::span(values)));
  return values;
}

std::string wrongFloats(const std::vector<float> &got,
                        const std::vector<float> &right,
                        std::optional<double> tolerance = std::nullopt) {
  return findWrong(KernelScalar::Float, bytesOf(got), bytesOf(right), tolerance)
      .value_or("");
}
} // namespace

TEST(KernelContentsTest, SeedsDetermineContents) {
  KernelArgument argument = {.type = KernelScalar::Float};
  std::vector<float> one = draw<float>(argument, 1, 2);
  EXPECT_EQ(one, draw<float>(argument, 1, 2));
  EXPECT_NE(one, draw<float>(argument, 1, 3));
  EXPECT_NE(one, draw<float>(argument, 2, 2));
  EXPECT_GE(std::ranges::min(one), -1);
  EXPECT_LT(std::ranges::max(one), 1);
  EXPECT_LT(std::ranges::min(one), -0.9);
}

TEST(KernelContentsTest, RangesHold) {
  KernelArgument argument = {.type = KernelScalar::Char,
                             .range = std::pair(-3.0, 2.5)};
  std::vector<int8_t> small = draw<int8_t>(argument, 0, 0);
  EXPECT_EQ(std::ranges::min(small), -3);
  EXPECT_EQ(std::ranges::max(small), 2);
  argument = {.type = KernelScalar::ULong, .range = std::pair(0.0, 1e30)};
  EXPECT_GT(std::ranges::max(draw<uint64_t>(argument, 0, 0)),
            uint64_t{1} << 62);
  std::vector<uint32_t> usual =
      draw<uint32_t>({.type = KernelScalar::UInt}, 0, 0);
  EXPECT_EQ(std::ranges::min(usual), 0u);
  EXPECT_EQ(std::ranges::max(usual), 15u);
}

TEST(KernelContentsTest, FloatsMayBeOffALittle) {
  EXPECT_EQ(wrongFloats({100, 0.001F}, {100.009F, 0}), "");
  EXPECT_EQ(wrongFloats({1, 2, 4}, {1, 3, 5}),
            "element 1 is 2.0 instead of 3.0 (2 of 3 are wrong)");
  EXPECT_EQ(wrongFloats({100.5F}, {100}, 0.01), "");
  EXPECT_NE(wrongFloats({100.5F}, {100}, 0), "");
}

TEST(KernelContentsTest, SpecialValuesHaveToBeTheSame) {
  const float nan = std::nanf(""),
              infinity = std::numeric_limits<float>::infinity();
  EXPECT_EQ(wrongFloats({nan, infinity}, {-nan, infinity}), "");
  EXPECT_NE(wrongFloats({nan}, {1}), "");
  EXPECT_NE(wrongFloats({1}, {nan}), "");
  EXPECT_NE(wrongFloats({infinity}, {1e38F}), "");
  EXPECT_NE(wrongFloats({-infinity}, {infinity}), "");
}

TEST(KernelContentsTest, HalvesHaveTheBitsOfIeee) {
  std::vector<std::byte> bytes(2);
  auto bits = [&] {
    uint16_t word;
    std::memcpy(&word, bytes.data(), 2);
    return word;
  };
  EXPECT_TRUE(storeScalar(KernelScalar::Half, 1.0, bytes));
  EXPECT_EQ(bits(), 0x3C00);
  EXPECT_TRUE(storeScalar(KernelScalar::Half, int64_t(-65504), bytes));
  EXPECT_EQ(bits(), 0xFBFF);
  EXPECT_TRUE(storeScalar(KernelScalar::Half, 1e6, bytes));
  EXPECT_EQ(bits(), 0x7C00);

  // Of uniform numbers in [-1, 1) half are above 1/2 in absolute value: their
  // exponents are 14.
  std::vector<uint16_t> drawn =
      draw<uint16_t>({.type = KernelScalar::Half}, 0, 0);
  EXPECT_NEAR(std::ranges::count_if(
                  drawn, [](uint16_t word) { return (word >> 10) % 32 == 14; }),
              500, 60);

  // 1, 2 and 2.002; then 1, infinity and no number.
  std::vector<uint16_t> got = {0x3C00, 0x4000}, close = {0x3C00, 0x4001},
                        far = {0x3C00, 0x7C00}, none = {0x3C00, 0x7E00};
  auto compare = [&](const std::vector<uint16_t> &right,
                     std::optional<double> tolerance) {
    return findWrong(KernelScalar::Half, bytesOf(got), bytesOf(right),
                     tolerance);
  };
  EXPECT_EQ(compare(close, std::nullopt), std::nullopt);
  EXPECT_EQ(compare(close, 1e-4),
            "element 1 is 2.0 instead of 2.001953125 (1 of 2 are wrong)");
  EXPECT_NE(compare(far, std::nullopt), std::nullopt);
  EXPECT_NE(compare(none, std::nullopt), std::nullopt);
}

TEST(KernelContentsTest, IntegersHaveToBeEqual) {
  std::vector<int64_t> got = {1, INT64_MAX}, right = {1, INT64_MAX - 1};
  EXPECT_EQ(findWrong(KernelScalar::Long, bytesOf(got), bytesOf(right), 1),
            "element 1 is 9223372036854775807 instead of 9223372036854775806 "
            "(1 of 2 are wrong)");
}

TEST(KernelContentsTest, FilesHaveTheElements) {
  std::string name = std::filesystem::temp_directory_path() / "baco-XXXXXX";
  std::string folder = mkdtemp(name.data());
  std::vector<float> got(3), right = {1, 2, 3};
  auto bytes = std::as_writable_bytes(std::span(got));
  auto write = [&](const std::string &file, const std::string &head, size_t n) {
    std::ofstream stream(folder + file, std::ios::binary);
    stream << head;
    stream.write(reinterpret_cast<const char *>(right.data()),
                 static_cast<std::streamsize>(n));
    return folder + file;
  };
  EXPECT_TRUE(
      readContents(write("/raw.bin", "", 12), KernelScalar::Float, bytes));
  EXPECT_EQ(got, right);
  Result<void> read =
      readContents(write("/short.bin", "", 8), KernelScalar::Float, bytes);
  ASSERT_FALSE(read);
  EXPECT_THAT(
      read.error().message,
      HasSubstr("has 8 bytes, but 3 elements of type float are needed"));

  std::string header =
      "{'descr': '<f4', 'fortran_order': False, 'shape': (3,)}";
  header.resize(117, ' ');
  std::string npy =
      std::string("\x93NUMPY\x01\x00\x76\x00", 10) + header + "\n";
  got = {};
  got.resize(3);
  bytes = std::as_writable_bytes(std::span(got));
  ASSERT_TRUE(
      readContents(write("/a.npy", npy, 12), KernelScalar::Float, bytes));
  EXPECT_EQ(got, right);
  read = readContents(folder + "/a.npy", KernelScalar::Int, bytes);
  ASSERT_FALSE(read);
  EXPECT_THAT(read.error().message, HasSubstr("3 elements of type int"));
  EXPECT_FALSE(readContents(folder + "/none", KernelScalar::Int, bytes));
  std::filesystem::remove_all(folder);
}
