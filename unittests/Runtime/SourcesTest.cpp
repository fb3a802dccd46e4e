//===- SourcesTest.cpp - Tests of sources ---------------------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "baco/Support/NpyFile.h"
#include "baco/Verification/Inputs.h"
#include "baco/Verification/Operands.h"
#include "baco/Verification/SpecialValues.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <limits>
#include <numeric>

using namespace baco;
using namespace baco::runtime;

using Kind = Source::Kind;

/// A signature with a memref that is only read.
static Signature reading(ElementType type, std::vector<int64_t> shape,
                         Source source) {
  Signature signature;
  signature.arguments = {{type, true, std::move(shape), false}};
  signature.arguments[0].source = std::move(source);
  return signature;
}

template <typename T>
static std::vector<double> drawn(const Signature &signature, uint64_t seed = 0,
                                 size_t argument = 0) {
  ArgumentData data = generateInputs(signature, seed)[argument];
  std::vector<double> values;
  for (size_t at = 0; at < data.size(); at += sizeof(T)) {
    T value;
    std::memcpy(&value, &data[at], sizeof(T));
    values.push_back(static_cast<double>(value));
  }
  return values;
}

/// Mean and deviation.
static std::pair<double, double> moments(const std::vector<double> &values) {
  double n = static_cast<double>(values.size());
  double mean = std::accumulate(values.begin(), values.end(), 0.0) / n;
  double squares = 0;
  for (double value : values)
    squares += (value - mean) * (value - mean);
  return {mean, std::sqrt(squares / n)};
}

template <typename T>
static void expectDistributions(ElementType type) {
  auto uniform = drawn<T>(reading(type, {100, 100}, {Kind::Uniform, 0.5, 2}));
  auto [low, high] = std::ranges::minmax(uniform);
  EXPECT_GE(low, 0.5);
  EXPECT_LE(high, 2);
  // Six deviations of the mean of 10,000 numbers, and what 16 bits cut off.
  EXPECT_NEAR(moments(uniform).first, 1.25, 0.026 + 0.01);
  EXPECT_NEAR(moments(uniform).second, 1.5 / std::sqrt(12), 0.02);
  auto normal = drawn<T>(reading(type, {10000}, {Kind::Normal, 3, 0.5}));
  EXPECT_NEAR(moments(normal).first, 3, 0.03 + 0.01);
  EXPECT_NEAR(moments(normal).second, 0.5, 0.03);
  EXPECT_EQ(drawn<T>(reading(type, {4}, {Kind::Uniform, 1.5, 1.5})),
            std::vector<double>(4, 1.5));
}

template <typename T>
static void expectIncreasing(ElementType type, int64_t rows, int64_t columns) {
  Signature signature = reading(type, {rows, columns}, {Kind::Increasing});
  auto values = drawn<T>(signature);
  size_t restarts = 0;
  for (size_t i = 1; i < values.size(); ++i) {
    EXPECT_NE(values[i], values[i - 1]);
    restarts += values[i] < values[i - 1];
  }
  // All values of eight bits at least are used.
  EXPECT_LE(restarts, values.size() / 25);
  EXPECT_NE(values, drawn<T>(signature, 1));
}

TEST(SourcesTest, IncreasingElementsDiffer) {
  expectIncreasing<float>(ElementType::F32, 64, 64);
  expectIncreasing<double>(ElementType::F64, 64, 64);
  expectIncreasing<Float16>(ElementType::F16, 64, 64);
  expectIncreasing<BFloat16>(ElementType::BF16, 64, 64);
  expectIncreasing<int32_t>(ElementType::I32, 64, 64);
  expectIncreasing<int8_t>(ElementType::I8, 64, 64);
  auto floats =
      drawn<float>(reading(ElementType::F32, {4096}, {Kind::Increasing}));
  EXPECT_TRUE(std::ranges::is_sorted(floats));
  // Places in a table stay in it.
  Signature places = reading(ElementType::I32, {1025}, {Kind::Increasing});
  places.arguments[0].range = IntegerRange{0, 2047, true};
  auto starts = drawn<int32_t>(places);
  EXPECT_TRUE(std::ranges::is_sorted(starts));
  EXPECT_LE(starts.back(), 2047);
}

TEST(SourcesTest, FloatsHaveTheirDistribution) {
  expectDistributions<Float16>(ElementType::F16);
  expectDistributions<BFloat16>(ElementType::BF16);
  expectDistributions<float>(ElementType::F32);
  expectDistributions<double>(ElementType::F64);
  // The parts of complex numbers.
  auto parts = drawn<float>(
      reading(ElementType::ComplexF32, {50}, {Kind::Uniform, 2, 3}));
  EXPECT_EQ(parts.size(), 100u);
  for (double part : parts)
    EXPECT_TRUE(part >= 2 && part <= 3);
}

TEST(SourcesTest, LargeNumbersStayFinite) {
  double most = std::numeric_limits<double>::max();
  for (double value : drawn<double>(
           reading(ElementType::F64, {1000}, {Kind::Uniform, -most, most})))
    EXPECT_TRUE(std::isfinite(value));
  for (double value : drawn<Float16>(
           reading(ElementType::F16, {1000}, {Kind::Normal, 60000, 1e300})))
    EXPECT_TRUE(std::isfinite(value));
}

TEST(SourcesTest, IntegersStayInTheirRange) {
  Signature signature =
      reading(ElementType::I32, {5000}, {Kind::Uniform, 0, 0});
  signature.arguments[0].range = IntegerRange{10, 109};
  auto uniform = drawn<int32_t>(signature);
  auto [low, high] = std::ranges::minmax(uniform);
  EXPECT_EQ(low, 10);
  EXPECT_EQ(high, 109);
  EXPECT_NEAR(moments(uniform).first, 59.5, 6 * 28.9 / std::sqrt(5000));
  signature.arguments[0].source = {Kind::Normal, 60, 20};
  auto normal = drawn<int32_t>(signature);
  EXPECT_GE(std::ranges::min(normal), 10);
  EXPECT_LE(std::ranges::max(normal), 109);
  EXPECT_NEAR(moments(normal).first, 60, 6 * 20 / std::sqrt(5000));

  // All 2^64 of them, and beyond.
  Signature wide = reading(ElementType::I64, {1000}, {Kind::Uniform, 0, 0});
  auto values = drawn<int64_t>(wide);
  EXPECT_LT(std::ranges::min(values), -0x1p62);
  EXPECT_GT(std::ranges::max(values), 0x1p62);
  wide.arguments[0].source = {Kind::Normal, 0, 1e300};
  values = drawn<int64_t>(wide);
  EXPECT_EQ(std::ranges::min(values), -0x1p63);
  EXPECT_EQ(std::ranges::max(values), 0x1p63);
  for (double value :
       drawn<int8_t>(reading(ElementType::I8, {1000}, {Kind::Normal, 0, 1e9})))
    EXPECT_TRUE(value == -128 || value == 127);
}

TEST(SourcesTest, SeedsDecide) {
  auto draw = [](uint64_t own, uint64_t seed) {
    return drawn<float>(
        reading(ElementType::F32, {64}, {Kind::Uniform, 0, 1, own}), seed);
  };
  EXPECT_EQ(draw(1, 0), draw(1, 0));
  EXPECT_NE(draw(1, 0), draw(2, 0));
  EXPECT_NE(draw(1, 0), draw(1, 1));
  // Two arguments differ.
  Signature two = reading(ElementType::F32, {64}, {Kind::Uniform, 0, 1, 1});
  two.arguments.push_back(two.arguments[0]);
  EXPECT_NE(drawn<float>(two, 0, 0), drawn<float>(two, 0, 1));
}

TEST(SourcesTest, NothingElseIsPutIn) {
  Signature signature =
      reading(ElementType::F32, {64, 64}, {Kind::Uniform, -2, -1});
  signature.arguments.push_back({ElementType::F32, true, {64, 64}});
  for (InputKind kind : {InputKind::Grid, InputKind::DenseGrid, InputKind::Edge,
                         InputKind::Dominant}) {
    std::vector<ArgumentData> inputs = generateInputs(signature, 1, kind);
    ArgumentData before = inputs[0];
    EXPECT_EQ(before, generateInputs(signature, 1)[0]);
    addNonFinite(signature, inputs, 1, {true, true, true, true});
    addRareValues(signature, inputs, 1);
    addLargest(signature, inputs, 1);
    changeFew(signature, inputs, 1);
    makeAbsolute(signature, inputs);
    EXPECT_EQ(inputs[0], before);
  }
  // Nor between executions.
  std::vector<ArgumentData> inputs = generateInputs(signature, 1);
  auto operands = Operands::create(signature, inputs);
  operands->fill(false);
  EXPECT_EQ(operands->numVaried(), 0u);
}

namespace {
class SourceFileTest : public testing::Test {
protected:
  SourceFileTest() {
    file = std::filesystem::temp_directory_path() /
           ("baco-source-" + std::to_string(getpid()) + ".npy");
  }
  ~SourceFileTest() override { std::filesystem::remove(file); }

  void write(const std::string &type, const std::string &shape,
             const std::string &data) {
    std::string header = "{'descr': '" + type +
                         "', 'fortran_order': False, 'shape': " + shape + "}";
    std::ofstream(file, std::ios::binary)
        << std::string("\x93NUMPY\x01\0", 8) << static_cast<char>(header.size())
        << '\0' << header << data;
  }
  /// Loads the file as the argument of `signature`. The message of the error.
  std::string load(Signature &signature) {
    Source source{Kind::File};
    source.file = file;
    Result<NpyHeader> header = readNpyHeader(file);
    source.hash = header ? *hashNpyFile(file, *header) : "";
    signature.arguments[0].source = source;
    Result<void> loaded = loadSources(signature);
    return loaded ? "" : loaded.error().message;
  }

  std::string file;
};
} // namespace

TEST_F(SourceFileTest, ElementsAreInAllInputs) {
  Signature signature = reading(ElementType::I16, {2, 2}, {});
  write("<i2", "(2, 2)", {"\1\0\2\0\3\0\4\0", 8});
  ASSERT_EQ(load(signature), "");
  EXPECT_TRUE(signature.validate());
  for (uint64_t seed : {0, 1})
    for (InputKind kind : {InputKind::Grid, InputKind::Edge})
      EXPECT_EQ(generateInputs(signature, seed, kind)[0],
                *signature.arguments[0].source->contents);
  EXPECT_EQ(drawn<int16_t>(signature), (std::vector<double>{1, 2, 3, 4}));
}

TEST_F(SourceFileTest, OtherArraysAreRefused) {
  std::string start = "argument 0: '" + file + "' ";
  Signature signature = reading(ElementType::I16, {2, 2}, {});
  EXPECT_EQ(load(signature),
            start + "can't be read: No such file or directory");
  write("<i2", "(4,)", std::string(8, 'x'));
  EXPECT_EQ(load(signature),
            start + "holds 4 of '<i2', but the argument is 2x2 of i16");
  write("<i4", "(2, 2)", std::string(16, 'x'));
  EXPECT_EQ(load(signature),
            start + "holds 2x2 of '<i4', but the argument is 2x2 of i16");
  // It changes after somebody has said what it is.
  write("<i2", "(2, 2)", std::string(8, 'x'));
  ASSERT_EQ(load(signature), "");
  write("<i2", "(2, 2)", std::string(8, 'y'));
  EXPECT_EQ(loadSources(signature).error().message,
            start + "has changed since the tuner began; start it again");
  Signature flags = reading(ElementType::I1, {2}, {});
  write("|b1", "(2,)", {"\0\1", 2});
  EXPECT_EQ(load(flags), "");
  write("|b1", "(2,)", {"\0\2", 2});
  EXPECT_EQ(load(flags), start + "has booleans that are neither 0 nor 1; save "
                                 "it again");
}

TEST(SourcesTest, OtherSourcesAreInvalid) {
  auto isValid = [](ElementType type, bool isMemRef, Source source) {
    Signature signature = reading(type, {}, std::move(source));
    signature.arguments[0].isMemRef = isMemRef;
    return static_cast<bool>(signature.validate());
  };
  double inf = std::numeric_limits<double>::infinity();
  EXPECT_TRUE(isValid(ElementType::F32, false, {Kind::Uniform, 1, 1}));
  EXPECT_FALSE(isValid(ElementType::I32, false, {Kind::Uniform, 1, 1}));
  EXPECT_FALSE(isValid(ElementType::F32, false, {Kind::File}));
  EXPECT_FALSE(isValid(ElementType::F32, true, {Kind::Uniform, 2, 1}));
  EXPECT_FALSE(isValid(ElementType::F32, true, {Kind::Uniform, 0, inf}));
  EXPECT_FALSE(isValid(ElementType::F32, true, {Kind::Normal, 0, -1}));
  EXPECT_TRUE(isValid(ElementType::F32, true, {Kind::Normal, -1, 0}));
  Source file{Kind::File};
  file.contents = std::make_shared<const std::vector<std::byte>>(3);
  EXPECT_FALSE(isValid(ElementType::F32, true, file));
}
