//===- VerifyLimitsTest.cpp - What the comparison can tell apart ----------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Sums of many terms, references that say nothing, and elements whose spread
// widens the tolerance.
//
//===----------------------------------------------------------------------===//

#include "VerifyCase.h"

#include <gtest/gtest.h>

using namespace baco;
using namespace baco::runtime;
using baco::runtime::test::Case;
using baco::runtime::test::infinite;
using baco::runtime::test::undefined;

namespace {
/// y[m] += sum over k of a[m][k] * x[k], on generated inputs.
struct Products {
  Products(int64_t rows, int64_t terms, bool isPositive)
      : rows(rows), terms(terms) {
    signature.arguments = {{ElementType::F32, true, {rows, terms}, false},
                           {ElementType::F32, true, {terms}, false},
                           {ElementType::F32, true, {rows}, true}};
    signature.reductionLength = terms;
    inputs = generateInputs(
        signature, 0, isPositive ? InputKind::DenseGrid : InputKind::Grid);
    std::vector<ArgumentData> original = inputs;
    makeAbsolute(signature, inputs);
    reference.magnitude = compute(terms, 1);
    if (!isPositive)
      inputs = original;
    reference.expected = compute(terms, 1);
  }

  /// The first `used` terms, in as many partial sums as there are lanes.
  std::vector<std::byte> compute(int64_t used, int64_t lanes) const {
    auto *a = reinterpret_cast<const float *>(inputs[0].data());
    auto *x = reinterpret_cast<const float *>(inputs[1].data());
    std::vector<std::byte> bytes(OutputLayout(signature).byteSize());
    std::memcpy(bytes.data(), inputs[2].data(), inputs[2].size());
    auto *y = reinterpret_cast<float *>(bytes.data());
    for (int64_t i = 0; i < rows; ++i) {
      std::vector<float> sums(lanes);
      for (int64_t k = 0; k < used; ++k)
        sums[k % lanes] += a[i * terms + k] * x[k];
      for (float sum : sums)
        y[i] += sum;
    }
    return bytes;
  }
  bool accepts(const std::vector<std::byte> &outputs) const {
    return !findMismatch(signature, reference, outputs.data());
  }
  bool isUnverifiable() const {
    return findUnverifiable(signature, reference, inputs).has_value();
  }

  int64_t rows, terms;
  Signature signature;
  std::vector<ArgumentData> inputs;
  Reference reference;
};
} // namespace

TEST(VerifyTest, OneTermMissingInALongSumIsNoticed) {
  for (int64_t terms : {64, 1024, 4096, 32768}) {
    Products products(2, terms, /*isPositive=*/false);
    EXPECT_TRUE(products.accepts(products.compute(terms, 16))) << terms;
    EXPECT_FALSE(products.accepts(products.compute(terms - 1, 1))) << terms;
    EXPECT_FALSE(products.isUnverifiable()) << terms;
  }
}

TEST(VerifyTest, KernelsThatDoNothingFailForAnyLength) {
  for (int64_t terms : {65536, 1 << 20}) {
    // Zeros keep the sums exact.
    Products products(4, terms, /*isPositive=*/false);
    EXPECT_TRUE(products.accepts(products.compute(terms, 16)));
    EXPECT_FALSE(products.accepts(products.compute(0, 1)));
    EXPECT_FALSE(findUnverifiable(products.signature, products.reference,
                                  products.inputs, /*scale=*/10));
  }
}

TEST(VerifyTest, SumsOfOneSignMayBeRounded) {
  for (int64_t terms : {4096, 65536, 1 << 20}) {
    Products products(1, terms, /*isPositive=*/true);
    for (int64_t lanes : {1, 8, 64})
      EXPECT_TRUE(products.accepts(products.compute(terms, lanes)))
          << terms << " " << lanes;
    EXPECT_FALSE(products.accepts(products.compute(terms / 2, 1))) << terms;
    EXPECT_FALSE(products.isUnverifiable()) << terms;
  }
}

TEST(VerifyTest, SaysWhereNothingCanBeVerified) {
  // One rounding in sums of 2^22 terms is as good as another.
  Case<float> vague(ElementType::F32, {1, 0.5f}, {1e6f, 1e6f}, 1 << 22);
  auto initial = [](std::vector<float> values) {
    ArgumentData data(values.size() * sizeof(float));
    std::memcpy(data.data(), values.data(), data.size());
    return std::vector<ArgumentData>{data};
  };
  EXPECT_EQ(
      findUnverifiable(vague.signature, vague.reference, initial({1.1f, 0.5f})),
      0u);
  // What is left as it is can be checked: it must stay so.
  EXPECT_FALSE(
      findUnverifiable(vague.signature, vague.reference, initial({1, 0.5f})));
  EXPECT_TRUE(findUnverifiable(vague.signature, vague.reference,
                               initial({1e7f, 0.5f}), 1e6));
  EXPECT_FALSE(findUnverifiable(vague.signature, vague.reference,
                                initial({1e7f, 0.5f})));
  Case<float> strict(ElementType::F32, {1, 0.5f}, {1, 1}, 4);
  EXPECT_FALSE(findUnverifiable(strict.signature, strict.reference,
                                initial({1.1f, 0.5f})));
}

//===----------------------------------------------------------------------===//
// Conditioning
//===----------------------------------------------------------------------===//

TEST(SpreadTest, ElementsMayBeOffBySixteenTimesTheirSpread) {
  // No multiple of a power of two that is not small.
  constexpr float a = 1.1f;
  Case<float> test(ElementType::F32, {a, a, a}, {a, a, a});
  std::vector<float> near = {a, a + 0x1p-12f, a};
  EXPECT_NE(test.compare(near), "equal");
  addSpread(test.signature, test.bytesOf({a, a - 0x1p-16f, a}).data(),
            test.reference);
  EXPECT_EQ(test.compare(near), "equal");
  EXPECT_NE(test.compare({a, a + 0x1.2p-12f, a}), "equal");
  // Others are no less exact than before.
  EXPECT_NE(test.compare({a, a, a + 0x1p-12f}), "equal");
  // Another sample may only widen it.
  addSpread(test.signature, test.bytesOf({a, a, a}).data(), test.reference);
  EXPECT_EQ(test.compare(near), "equal");
}

TEST(SpreadTest, OneSampleMayBeSmallByChance) {
  constexpr float a = 1.1f;
  std::vector<float> same(64, a), off(64, a + 0x1p-16f), got = same;
  off[20] = a;
  got[20] = a + 0x1p-13f;
  Case<float> test(ElementType::F32, same, same);
  addSpread(test.signature, test.bytesOf(off).data(), test.reference);
  EXPECT_EQ(test.compare(got), "equal");
  got[20] = a + 0x1p-10f;
  EXPECT_NE(test.compare(got), "equal");
}

TEST(SpreadTest, ExactSumsHaveNone) {
  // Quarters, as of 16 bits' grid; of 16 at least, they are exact.
  std::vector<float> sums(16, 0.25f), off(16, 0.26f);
  Case<float> test(ElementType::F32, sums, sums);
  addSpread(test.signature, test.bytesOf(off).data(), test.reference);
  EXPECT_NE(test.compare(off), "equal");
}

TEST(SpreadTest, ConditioningIsWhatTheSpreadLeaves) {
  std::vector<float> ones(64, 1), off = ones;
  std::vector<ArgumentData> inputs = {ArgumentData(64 * sizeof(float))};
  Case<float> test(ElementType::F32, ones, ones);
  auto conditioning = [&] {
    test.reference.spread.clear();
    addSpread(test.signature, test.bytesOf(off).data(), test.reference);
    return conditioningOf(test.signature, test.reference, inputs);
  };
  EXPECT_EQ(conditioningOf(test.signature, test.reference, inputs),
            Conditioning::Good);
  off.assign(64, 1 + 0x1p-20f);
  EXPECT_EQ(conditioning(), Conditioning::Good);
  // Some elements may be lost.
  off[3] = 2;
  off[7] = std::numeric_limits<float>::infinity();
  EXPECT_EQ(conditioning(), Conditioning::Good);
  off.assign(64, 1 + 0x1p-11f);
  EXPECT_EQ(conditioning(), Conditioning::Poor);
  off.assign(64, 1.1f);
  EXPECT_EQ(conditioning(), Conditioning::None);
  // What the kernel doesn't change is none of its results.
  std::memcpy(inputs[0].data(), ones.data(), inputs[0].size());
  EXPECT_EQ(conditioning(), Conditioning::Good);
}

TEST(NarrowMissTest, IsThatOfTheWorstElement) {
  // The tolerance is 2 * 2^-23.
  Case<float> test(ElementType::F32, {1, 1, 1}, {1, 1, 1});
  double factor = -1;
  auto find = [&](const std::vector<float> &values, double scale) {
    return findMismatch(test.signature, test.reference,
                        test.bytesOf(values).data(), scale, &factor);
  };
  std::vector<float> near = {1, 1 + 0x1p-21f, 1 + 0x1p-19f};
  std::optional<std::string> message = find(near, 1);
  ASSERT_TRUE(message);
  EXPECT_NE(message->find(", within 8.08 times the tolerance"),
            std::string::npos)
      << *message;
  EXPECT_GE(factor, 8);
  EXPECT_LT(factor, 8.2);
  // With it, it passes.
  double enough = factor;
  EXPECT_FALSE(find(near, enough));
  EXPECT_TRUE(find(near, 7.9));

  for (float far : {2.0f, undefined}) {
    message = find({1, 1 + 0x1p-21f, far}, 1);
    ASSERT_TRUE(message);
    EXPECT_EQ(message->find("within"), std::string::npos) << *message;
    EXPECT_EQ(factor, 0);
  }
}
