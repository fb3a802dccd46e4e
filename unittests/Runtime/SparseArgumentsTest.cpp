//===- SparseArgumentsTest.cpp - Tests of sparse arguments ----------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What is said of them, what inputs hold, and what compiled code takes.
// SparseCandidatesTest.cpp has candidates in processes.
//
//===----------------------------------------------------------------------===//

#include "CodeArguments.h"
#include "SignatureHelpers.h"

#include "baco/Sparse/TensorSource.h"
#include "baco/Verification/Placement.h"
#include "baco/Verification/SpecialValues.h"

#include <gtest/gtest.h>

#include <algorithm>

#include <cmath>
#include <cstring>
#include <fstream>
#include <map>
#include <set>

using namespace baco;
using namespace baco::runtime;
using namespace baco::runtime::test;
using sparse::StorageFormat;

/// y[i] += sum over k of A[i][k] * x[k].
static Signature product(std::vector<int64_t> shape, const std::string &source,
                         ElementType type = ElementType::F32) {
  Signature signature;
  int64_t rows = shape.front(), columns = shape.back();
  signature.arguments = {{type, true, std::move(shape), false},
                         {type, true, {columns}, false},
                         {type, true, {rows}, true}};
  signature.arguments[0].isSparse = true;
  signature.arguments[0].source = Source{Source::Kind::Tensor};
  signature.arguments[0].source->file = source;
  return signature;
}

static Signature loaded(std::vector<int64_t> shape, const std::string &source,
                        ElementType type = ElementType::F32) {
  Signature signature = product(std::move(shape), source, type);
  Result<void> read = loadSources(signature);
  EXPECT_TRUE(read) << read.error().message;
  return signature;
}

TEST(SparseArgumentsTest, AreValidated) {
  const Signature good = product({4, 5}, "uniform(extents=4x5, entries=3)");
  EXPECT_EQ(errorOf(good), "");
  // The product of the extents isn't what it takes.
  Signature large = good;
  large.arguments[0].shape = {int64_t(1) << 40, int64_t(1) << 40};
  EXPECT_EQ(errorOf(large), "");
  Signature bad = good;
  bad.arguments[0].isOutput = true;
  EXPECT_EQ(errorOf(bad),
            "argument 0 is sparse, but not a memref that is only read");
  bad = good;
  bad.arguments[0].shape = {4, 0};
  EXPECT_EQ(errorOf(bad), "argument 0 is sparse: it must have 1 to 16 "
                          "dimensions, with extents of at least 1");
  bad.arguments[0].shape = {};
  EXPECT_NE(errorOf(bad), "");
  bad = good;
  bad.arguments[0].source.reset();
  EXPECT_EQ(errorOf(bad),
            "argument 0 is sparse, but has no file or generator as its source");
  bad.arguments[0].source = Source{Source::Kind::Uniform, 0, 1};
  EXPECT_NE(errorOf(bad), "");
  bad = good;
  bad.arguments[1].source = bad.arguments[0].source;
  EXPECT_EQ(errorOf(bad),
            "argument 1 has a sparse tensor as its source, but isn't sparse");
}

TEST(SparseArgumentsTest, SourcesAreLoaded) {
  std::string text = "uniform(extents=40x50, entries=100)";
  Signature signature = loaded({40, 50}, text);
  const Argument &argument = signature.arguments[0];
  Result<sparse::CoordinateTensor> tensor = sparse::readTensor(text);
  ASSERT_TRUE(tensor);
  EXPECT_EQ(argument.numElements(), static_cast<int64_t>(tensor->numEntries()));
  EXPECT_EQ(argument.byteSize(), tensor->numEntries() * (16 + 4));
  EXPECT_EQ(errorOf(signature), "");

  Signature changed = product({40, 50}, text);
  changed.arguments[0].source->hash = sparse::hashTensor(*tensor);
  EXPECT_TRUE(loadSources(changed));
  changed.arguments[0].source->hash[0] ^= 1;
  EXPECT_EQ(loadSources(changed).error().message,
            "argument 0: '" + text +
                "' has changed since the tuner began; start it again");
  Signature other = product({40, 51}, text);
  EXPECT_EQ(loadSources(other).error().message,
            "argument 0: '" + text +
                "' is a tensor of 40x50, but the argument is one of 40x51");

  std::string file = testing::TempDir() + "sparse-arguments.mtx";
  std::ofstream(file) << "%%MatrixMarket matrix coordinate real general\n"
                         "2 3 2\n1 1 5\n2 9 1\n";
  Signature damaged = product({2, 3}, file);
  std::string message = loadSources(damaged).error().message;
  EXPECT_EQ(message.rfind("argument 0: ", 0), 0u) << message;
  EXPECT_NE(message.find(":4: "), message.npos) << message;
}

/// The entries of argument 0.
static std::map<std::vector<int64_t>, float>
entriesIn(const Signature &signature, const std::vector<ArgumentData> &inputs) {
  const Argument &argument = signature.arguments[0];
  std::span<const std::byte> elements = elementsOf(argument, inputs[0]);
  size_t rank = argument.shape.size();
  std::map<std::vector<int64_t>, float> entries;
  for (size_t i = 0; i < elements.size() / 4; ++i) {
    std::vector<int64_t> place(rank);
    std::memcpy(place.data(), &inputs[0][i * rank * 8], rank * 8);
    float value;
    std::memcpy(&value, &elements[i * 4], 4);
    // Lexicographic, each once.
    EXPECT_TRUE(entries.empty() || entries.rbegin()->first < place);
    for (size_t d = 0; d < rank; ++d)
      EXPECT_TRUE(place[d] >= 0 && place[d] < argument.shape[d]);
    entries[place] = value;
  }
  return entries;
}

TEST(SparseArgumentsTest, InputsHaveThePlacesOfTheSourceAndDrawnValues) {
  std::string text = "banded(rows=30, width=1)";
  Signature signature = loaded({30, 30}, text);
  auto grid = entriesIn(signature, generateInputs(signature, 1));
  EXPECT_EQ(grid.size(), 88u);
  std::set<float> values;
  for (const auto &[place, value] : grid) {
    EXPECT_LE(std::abs(place[0] - place[1]), 1);
    EXPECT_EQ(value * 8, std::trunc(value * 8));
    values.insert(value);
  }
  EXPECT_GT(values.size(), 8u);
  EXPECT_EQ(entriesIn(signature, generateInputs(signature, 1)), grid);
  EXPECT_NE(entriesIn(signature, generateInputs(signature, 2)), grid);
  // Of other kinds, too.
  auto edge =
      entriesIn(signature, generateInputs(signature, 1, InputKind::Edge));
  EXPECT_TRUE(std::ranges::any_of(
      edge, [](const auto &entry) { return std::abs(entry.second) > 100; }));

  std::vector<ArgumentData> inputs = generateInputs(signature, 1);
  makeAbsolute(signature, inputs);
  for (const auto &[place, value] : entriesIn(signature, inputs)) {
    EXPECT_EQ(value, std::abs(grid[place]));
  }
  inputs = generateInputs(signature, 1);
  perturb(signature, 1, inputs);
  int moved = 0;
  for (const auto &[place, value] : entriesIn(signature, inputs)) {
    EXPECT_NEAR(value, grid[place], 1e-6);
    moved += value != grid[place];
  }
  EXPECT_GT(moved, 20);
}

TEST(SparseArgumentsTest, OnlyTheirElementsAreNotFinite) {
  Signature signature = loaded({30, 30}, "banded(rows=30, width=2)");
  std::vector<ArgumentData> inputs = generateInputs(signature, 1);
  std::vector<ArgumentData> before = inputs;
  ASSERT_TRUE(addNonFinite(signature, inputs, 1, {}));
  auto entries = entriesIn(signature, inputs);
  EXPECT_TRUE(std::ranges::any_of(
      entries, [](const auto &entry) { return std::isnan(entry.second); }));
  EXPECT_TRUE(std::ranges::none_of(
      entries, [](const auto &entry) { return std::isinf(entry.second); }));
  EXPECT_TRUE(std::ranges::any_of(
      entries, [](const auto &entry) { return entry.second > 1e30; }));
  EXPECT_EQ(inputs[1], before[1]);
  ASSERT_TRUE(changeFew(signature, inputs, 1));
  EXPECT_EQ(entriesIn(signature, inputs).size(), entries.size());
}

TEST(SparseArgumentsTest, OtherPlacesAreUneven) {
  for (auto [shape, text] :
       {std::pair(std::vector<int64_t>{60, 40},
                  "uniform(extents=60x40, entries=300)"),
        {{8, 9, 10}, "uniform(extents=8x9x10, entries=500)"},
        {{50}, "uniform(extents=50, entries=30)"},
        {{1, 1}, "uniform(extents=1x1, entries=1)"},
        {{7, 5}, "uniform(extents=7x5, entries=0)"},
        {{100000, 90000, 80000},
         "uniform(extents=100000x90000x80000, "
         "entries=1000)"}}) {
    Signature signature = loaded(shape, text);
    auto given = entriesIn(signature, generateInputs(signature, 1));
    auto make = [&](EntryPlaces places, uint64_t seed) {
      return entriesIn(signature,
                       generateInputs(signature, seed, InputKind::Grid,
                                      Poison::NotANumber, places));
    };
    auto uneven = make(EntryPlaces::Uneven, 1);
    EXPECT_EQ(uneven, make(EntryPlaces::Uneven, 1)) << text;
    EXPECT_GE(uneven.size(), 1u) << text;
    EXPECT_LE(uneven.size(), std::max<size_t>(1, given.size())) << text;
    std::vector<int64_t> last = shape;
    for (int64_t &extent : last)
      --extent;
    EXPECT_TRUE(uneven.contains(last)) << text;
    // How many there are in each row of the first dimension.
    std::map<int64_t, size_t> rows;
    for (const auto &[place, value] : uneven)
      ++rows[place[0]];
    if (shape[0] > 1) {
      EXPECT_FALSE(rows.contains(0)) << text;
    }
    if (shape == std::vector<int64_t>{60, 40}) {
      EXPECT_LT(rows.size(), 60u);
      EXPECT_TRUE(
          std::ranges::any_of(rows, [](auto row) { return row.second >= 25; }));
    }
    auto single = make(EntryPlaces::Single, 1);
    ASSERT_EQ(single.size(), 1u) << text;
    EXPECT_EQ(single.begin()->first, last) << text;
  }
}

//===----------------------------------------------------------------------===//
// What compiled code takes
//===----------------------------------------------------------------------===//

static std::vector<int64_t> integersIn(std::span<const std::byte> bytes,
                                       size_t size) {
  std::vector<int64_t> values;
  for (size_t at = 0; at < bytes.size(); at += size) {
    int64_t value = 0;
    std::memcpy(&value, &bytes[at], size);
    values.push_back(value);
  }
  return values;
}

/// A matrix of three entries.
static Signature smallMatrix() {
  std::string file = testing::TempDir() + "small-sparse.mtx";
  std::ofstream(file) << "%%MatrixMarket matrix coordinate pattern general\n"
                         "3 4 3\n1 2\n3 1\n3 4\n";
  return loaded({3, 4}, file);
}

TEST(SparseArgumentsTest, CodeTakesBuffers) {
  Signature signature = smallMatrix();
  std::vector<ArgumentData> inputs = generateInputs(signature, 1);
  StorageFormat format = *sparse::namedFormat("csr", 2);
  format.positionWidth = 16;
  format.coordinateWidth = 8;
  Result<CodeArguments> code = CodeArguments::create(signature, {format}, 1000);
  ASSERT_TRUE(code) << code.error().message;
  ASSERT_TRUE(code->take(inputs));
  const std::vector<Argument> &arguments = code->signature().arguments;
  ASSERT_EQ(arguments.size(), 5u);
  EXPECT_EQ(code->owners(), (std::vector<size_t>{0, 0, 0, 1, 2}));
  auto expectBuffer = [&](size_t k, ElementType type, int64_t count) {
    EXPECT_EQ(arguments[k].type, type) << k;
    EXPECT_EQ(arguments[k].shape, std::vector<int64_t>{count}) << k;
    EXPECT_FALSE(arguments[k].isOutput) << k;
    EXPECT_EQ(code->inputs()[k].size(), arguments[k].byteSize()) << k;
  };
  expectBuffer(0, ElementType::I16, 4);
  expectBuffer(1, ElementType::I8, 3);
  expectBuffer(2, ElementType::F32, 3);
  EXPECT_EQ(integersIn(code->inputs()[0], 2),
            (std::vector<int64_t>{0, 1, 1, 3}));
  EXPECT_EQ(integersIn(code->inputs()[1], 1), (std::vector<int64_t>{1, 0, 3}));
  std::span<const std::byte> elements =
      elementsOf(signature.arguments[0], inputs[0]);
  EXPECT_TRUE(std::ranges::equal(code->inputs()[2], elements));
  // Others are not copied.
  EXPECT_EQ(code->inputs()[3].data(), inputs[1].data());
  EXPECT_EQ(
      code->placeStaggers({64, 192, 320}),
      (std::vector<size_t>{64, usualStagger(3), usualStagger(4), 192, 320}));
}

TEST(SparseArgumentsTest, OtherEntriesTakeTheSameOperands) {
  Signature signature = loaded({64, 64}, "banded(rows=64, width=3)");
  std::vector<Check> checks(3);
  EntryPlaces places[] = {EntryPlaces::Single, EntryPlaces::Given,
                          EntryPlaces::Uneven};
  for (size_t i = 0; i < checks.size(); ++i)
    checks[i].inputs = generateInputs(signature, i, InputKind::Grid,
                                      Poison::NotANumber, places[i]);
  for (const char *name : {"csr", "csc", "coo", "dense"}) {
    Result<CodeArguments> code = CodeArguments::create(
        signature, {*sparse::namedFormat(name, 2)}, 1 << 20);
    ASSERT_TRUE(code);
    ASSERT_TRUE(code->take(checks[0].inputs));
    Signature largest = code->largest(checks);
    auto operands =
        Operands::create(largest, code->inputs(), {}, code->owners());
    ASSERT_TRUE(operands);
    for (const Check &check : checks) {
      ASSERT_TRUE(code->take(check.inputs));
      operands->use(code->signature(), code->inputs(), Addresses::Least);
      operands->fill(false);
      EXPECT_EQ(operands->firstChanged(), -1) << name;
      // Only dense arguments vary.
      size_t numBuffers = code->owners().size() - 2;
      auto dataOf = [&](size_t k) {
        auto *words = static_cast<int64_t *>(operands->pointers()[k]);
        EXPECT_EQ(words[3], code->signature().arguments[k].shape[0]);
        return std::span(reinterpret_cast<std::byte *>(words[1]),
                         code->inputs()[k].size());
      };
      for (int i = 0; i < 5; ++i)
        operands->vary();
      for (size_t k = 0; k < numBuffers; ++k)
        EXPECT_TRUE(std::ranges::equal(dataOf(k), code->inputs()[k])) << name;
      EXPECT_EQ(operands->numVaried(), 1u) << name;
      operands->settle();
      // Named as the kernel's.
      std::span<std::byte> vector = dataOf(numBuffers);
      vector[0] ^= std::byte{1};
      EXPECT_EQ(operands->firstChanged(), 1) << name;
      operands->fill(false);
      dataOf(numBuffers - 1).data()[-1] ^= std::byte{1};
      EXPECT_EQ(operands->firstDamaged(), 0) << name;
    }
  }
}

TEST(SparseArgumentsTest, PaddingIsZeroInAllTypes) {
  for (ElementType type :
       {ElementType::F16, ElementType::F64, ElementType::I32}) {
    Signature signature = smallMatrix();
    signature.arguments[0].type = type;
    std::vector<ArgumentData> inputs =
        generateInputs(signature, 1, InputKind::DenseGrid);
    Result<CodeArguments> code = CodeArguments::create(
        signature, {*sparse::namedFormat("dense", 2)}, 1000);
    ASSERT_TRUE(code);
    ASSERT_TRUE(code->take(inputs));
    size_t size = elementSize(type);
    std::span<const std::byte> values = code->inputs()[0];
    std::span<const std::byte> elements =
        elementsOf(signature.arguments[0], inputs[0]);
    ASSERT_EQ(values.size(), 12 * size);
    ArgumentData expected(12 * size);
    size_t entry = 0;
    for (size_t place : {1, 8, 11})
      std::memcpy(&expected[place * size], &elements[entry++ * size], size);
    EXPECT_TRUE(std::ranges::equal(values, expected));
  }
}

TEST(SparseArgumentsTest, WhatDoesNotFitChangesNothing) {
  Signature signature = loaded({300, 300}, "banded(rows=300, width=0)");
  StorageFormat format;
  format.levels = {{sparse::LevelKind::Dense, 0},
                   {sparse::LevelKind::Singleton, 1}};
  Result<CodeArguments> code = CodeArguments::create(signature, {format}, 1000);
  ASSERT_TRUE(code);
  std::vector<ArgumentData> given = generateInputs(signature, 1),
                            uneven = generateInputs(
                                signature, 1, InputKind::Grid,
                                Poison::NotANumber, EntryPlaces::Uneven);
  ASSERT_TRUE(code->take(given));
  const std::byte *data = code->inputs()[0].data();
  Result<void> taken = code->take(uneven);
  ASSERT_FALSE(taken);
  EXPECT_EQ(taken.error().message,
            "argument 0 doesn't fit its format: level 1 is a singleton, but "
            "the level above has positions with several entries");
  EXPECT_EQ(code->inputs()[0].data(), data);
  EXPECT_EQ(CodeArguments::create(signature, {}, 1000).error().message,
            "the compiled code has formats for 0 of 1 sparse arguments");
}

TEST(SparseArgumentsTest, OtherValuesAtTheSamePlacesKeepTheIndices) {
  Signature signature = loaded({40, 40}, "uniform(extents=40x40, entries=99)");
  std::vector<ArgumentData> first = generateInputs(signature, 1),
                            second = generateInputs(signature, 2),
                            third = generateInputs(
                                signature, 3, InputKind::Grid,
                                Poison::NotANumber, EntryPlaces::Uneven);
  StorageFormat format = *sparse::namedFormat("csc", 2);
  auto create = [&] {
    Result<CodeArguments> made =
        CodeArguments::create(signature, {format}, 10000);
    EXPECT_TRUE(made);
    return std::move(*made);
  };
  CodeArguments code = create();
  for (const auto *inputs : {&first, &second, &third, &first}) {
    const std::byte *before = code.inputs()[1].data();
    ASSERT_TRUE(code.take(*inputs));
    EXPECT_EQ(code.inputs()[1].data() == before, inputs == &second);
    CodeArguments fresh = create();
    ASSERT_TRUE(fresh.take(*inputs));
    for (size_t k = 0; k < code.inputs().size(); ++k)
      EXPECT_TRUE(std::ranges::equal(code.inputs()[k], fresh.inputs()[k]));
  }
}
