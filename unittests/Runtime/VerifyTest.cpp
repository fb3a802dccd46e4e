//===- VerifyTest.cpp - Tests of the comparison ---------------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "baco/Runtime/Verify.h"

#include <gtest/gtest.h>

#include <cstring>
#include <limits>

using namespace baco;
using namespace baco::runtime;

namespace {
/// One output vector of type T.
template <typename T>
struct Case {
  Case(ElementType type, std::vector<T> expected, std::vector<T> magnitude,
       int64_t reductionLength = 1) {
    signature.arguments = {
        {type, true, {static_cast<int64_t>(expected.size())}, true}};
    signature.reductionLength = reductionLength;
    reference.expected = bytesOf(expected);
    reference.magnitude = bytesOf(magnitude);
  }

  std::string compare(const std::vector<T> &got) const {
    return findMismatch(signature, reference, bytesOf(got).data())
        .value_or("equal");
  }

  std::vector<std::byte> bytesOf(const std::vector<T> &values) const {
    std::vector<std::byte> bytes(OutputLayout(signature).byteSize());
    if (!values.empty())
      std::memcpy(bytes.data(), values.data(), values.size() * sizeof(T));
    return bytes;
  }

  Signature signature;
  Reference reference;
};
} // namespace

static constexpr float infinite = std::numeric_limits<float>::infinity();
static constexpr float undefined = std::numeric_limits<float>::quiet_NaN();

TEST(ToleranceFactorTest, GrowsLikeTheErrorOfASum) {
  FloatFormat format = floatFormat(ElementType::F32);
  EXPECT_EQ(toleranceFactor(1, format), 2);
  EXPECT_EQ(toleranceFactor(16, format), 32);
  EXPECT_EQ(toleranceFactor(10000, format), 800);
  // bf16 adds nothing any more to 128 times a term.
  format = floatFormat(ElementType::BF16);
  EXPECT_EQ(toleranceFactor(100, format), 80);
  EXPECT_EQ(toleranceFactor(10000, format), 20000);
}

TEST(VerifyTest, TheToleranceIsAFactorTimesEpsilonTimesTerms) {
  // 2 * 4 * 2^-23 * 8 = 2^-17.
  Case<float> test(ElementType::F32, {1, 1}, {8, 8}, 4);
  EXPECT_EQ(test.compare({1, 1}), "equal");
  EXPECT_EQ(test.compare({1 + 0x1p-17f, 1 - 0x1p-17f}), "equal");
  EXPECT_EQ(test.compare({1, 1 + 0x1.2p-17f}),
            "argument 0 differs at [1]: got 1.00000858, expected 1 (tolerance "
            "7.63e-06), within 1.14 times the tolerance");
  // 2 * 1 * 2^-52 * 4.
  Case<double> wide(ElementType::F64, {1}, {4});
  EXPECT_EQ(wide.compare({1 + 0x1p-49}), "equal");
  EXPECT_NE(wide.compare({1 + 0x1.2p-49}), "equal");
}

TEST(VerifyTest, NaNMustBeWhereTheReferenceHasIt) {
  Case<float> test(ElementType::F32, {undefined, 1}, {undefined, 1});
  EXPECT_EQ(test.compare({undefined, 1}), "equal");
  EXPECT_EQ(test.compare({undefined, undefined}),
            "argument 0 differs at [1]: got nan, expected 1");
  EXPECT_EQ(test.compare({0, 1}),
            "argument 0 differs at [0]: got 0, expected nan");
}

TEST(VerifyTest, InfinitiesMustMatch) {
  Case<float> test(ElementType::F32, {infinite, 1}, {infinite, 1});
  EXPECT_EQ(test.compare({infinite, 1}), "equal");
  EXPECT_EQ(test.compare({-infinite, 1}),
            "argument 0 differs at [0]: got -inf, expected inf");
  EXPECT_EQ(test.compare({infinite, infinite}),
            "argument 0 differs at [1]: got inf, expected 1");
  EXPECT_NE(test.compare({std::numeric_limits<float>::max(), 1}), "equal");
}

/// 65504 stays what it is if less than 16 is added, however often.
TEST(VerifyTest, SumsOfShortFloatsMayOverflow) {
  Float16 largest = makeFloat<Float16>(65504), half = makeFloat<Float16>(32752);
  Float16 one = makeFloat<Float16>(1), none = makeFloat<Float16>(0);
  Float16 over{0x7c00}, under{0xfc00};
  Case<Float16> test(ElementType::F16, {largest, one}, {largest, one}, 512);
  EXPECT_EQ(test.compare({largest, one}), "equal");
  EXPECT_EQ(test.compare({over, one}), "equal");
  EXPECT_NE(test.compare({under, one}), "equal");
  EXPECT_NE(test.compare({Float16{0x7e00}, one}), "equal");
  EXPECT_NE(test.compare({over, over}), "equal");
  EXPECT_NE(test.compare({half, one}), "equal");
  // Short sums don't reach the half of the last digit.
  Case<Float16> few(ElementType::F16, {largest, one}, {largest, one}, 8);
  EXPECT_NE(few.compare({over, one}), "equal");

  Case<Float16> infinite(ElementType::F16, {under, one}, {largest, one}, 512);
  EXPECT_EQ(infinite.compare({makeFloat<Float16>(-65504), one}), "equal");
  EXPECT_NE(infinite.compare({largest, one}), "equal");
  EXPECT_NE(infinite.compare({none, one}), "equal");
  // Of terms that are small it is no sum.
  Case<Float16> special(ElementType::F16, {over, one}, {one, one}, 512);
  EXPECT_NE(special.compare({largest, one}), "equal");
}

TEST(VerifyTest, NothingIsAddedToTheLargestLongFloats) {
  float largest = std::numeric_limits<float>::max();
  Case<float> test(ElementType::F32, {largest}, {largest}, 512);
  EXPECT_NE(test.compare({infinite}), "equal");
  BFloat16 most{0x7f7f};
  Case<BFloat16> wide(ElementType::BF16, {most}, {most}, 512);
  EXPECT_NE(wide.compare({BFloat16{0x7f80}}), "equal");
}

TEST(VerifyTest, TheResultsOwnSizeIsTheScaleWhereTermsAreUnknown) {
  // Absolute values can overflow or cancel in what is no sum of products.
  for (float magnitude : {infinite, undefined, 0.0f, -1.0f}) {
    Case<float> test(ElementType::F32, {4}, {magnitude});
    EXPECT_EQ(test.compare({4 + 0x1p-20f}), "equal") << magnitude;
    EXPECT_NE(test.compare({4 + 0x1.8p-20f}), "equal") << magnitude;
  }
}

TEST(VerifyTest, OtherElementsAreTheScaleWhereNoTermsAreKnown) {
  // As a normalization, which subtracts a mean: 2^-10 is a difference of terms
  // of another size, which the second element shows to be unknown.
  std::vector<float> off = {0x1p-10f + 0x1p-22f, 2, 3};
  Case<float> sums(ElementType::F32, {0x1p-10f, 2, 3}, {0x1p-10f, 2, 3});
  EXPECT_NE(sums.compare(off), "equal");
  Case<float> others(ElementType::F32, {0x1p-10f, 2, 3}, {0x1p-10f, 1, 3});
  EXPECT_EQ(others.compare(off), "equal");
  EXPECT_NE(others.compare({0x1.1p-10f, 2, 3}), "equal");
}

/// The same at the end of rows and columns: what is small with its neighbors,
/// in one dimension at least, is so for itself, and counts.
TEST(VerifyTest, WrongSmallElementsDoNotHideBehindLargeOnes) {
  constexpr int64_t rows = 32, columns = 40, length = 1024;
  std::vector<float> expected(rows * columns);
  auto isSmall = [&](int64_t i, int64_t j, int shape) {
    return shape == 0   ? i >= rows - 4
           : shape == 1 ? j >= columns - 4
                        : i * columns + j >= rows * columns - 20;
  };
  // A last row, a last column, and the end of a vector.
  for (int shape : {0, 1, 2}) {
    for (int64_t i = 0; i < rows; ++i)
      for (int64_t j = 0; j < columns; ++j)
        expected[i * columns + j] =
            (isSmall(i, j, shape) ? 0x1p-20f : 1.0f) * (1 + (i * 7 + j) % 5);
    std::vector<float> magnitude = expected, got = expected;
    magnitude[0] = 0;
    for (int64_t i = 0; i < rows; ++i)
      for (int64_t j = 0; j < columns; ++j)
        if (isSmall(i, j, shape))
          got[i * columns + j] = 0;
    Case<float> test(ElementType::F32, expected, magnitude, length);
    if (shape != 2)
      test.signature.arguments[0].shape = {rows, columns};
    EXPECT_NE(test.compare(got), "equal") << shape;
    // What cancelled stands alone.
    expected[5 * columns + 7] = 0;
    magnitude[5 * columns + 7] = 0;
    got = expected;
    got[5 * columns + 7] = 0x1p-20f;
    Case<float> cancelled(ElementType::F32, expected, magnitude, length);
    cancelled.signature = test.signature;
    EXPECT_EQ(cancelled.compare(got), "equal") << shape;
  }
}

TEST(VerifyTest, UnderflowIsNoError) {
  Case<float> test(ElementType::F32, {0}, {0});
  EXPECT_EQ(test.compare({std::numeric_limits<float>::denorm_min()}), "equal");
  EXPECT_EQ(test.compare({-0.0f}), "equal");
  // Half of a subnormal number's digits may get lost, but not all.
  EXPECT_EQ(test.compare({0x1p-138f}), "equal");
  EXPECT_NE(test.compare({0x1p-130f}), "equal");
  EXPECT_NE(test.compare({1e-30f}), "equal");
}

TEST(VerifyTest, TheToleranceIsScaled) {
  Case<float> test(ElementType::F32, {1}, {8}, 4);
  std::vector<std::byte> above = test.bytesOf({1 + 0x1.2p-17f});
  std::vector<std::byte> next = test.bytesOf({1 + 0x1p-23f});
  EXPECT_TRUE(findMismatch(test.signature, test.reference, above.data()));
  EXPECT_FALSE(
      findMismatch(test.signature, test.reference, above.data(), /*scale=*/2));
  // Zero wants the same bits, but for the sign of zero.
  EXPECT_EQ(findMismatch(test.signature, test.reference, next.data(), 0),
            "argument 0 differs at [0]: got 1.00000012, expected 1 (tolerance "
            "0)");
  EXPECT_FALSE(findMismatch(test.signature, test.reference,
                            test.reference.expected.data(), 0));
}

TEST(VerifyTest, ShortFloatsAreCompared) {
  // 0x3c00 is 1 in f16, and 0x3c01 is 1 + 2^-10; two terms may be off by four.
  Case<uint16_t> half(ElementType::F16, {0x3c00}, {0x3c00}, 2);
  half.signature.reductionLength = 2;
  EXPECT_EQ(half.compare({0x3c04}), "equal");
  EXPECT_EQ(half.compare({0x3c05}),
            "argument 0 differs at [0]: got 1.0049, expected 1 (tolerance "
            "0.00391), within 1.26 times the tolerance");
  EXPECT_EQ(half.compare({0x7e00}),
            "argument 0 differs at [0]: got nan, expected 1");
  EXPECT_EQ(half.compare({0xfc00}),
            "argument 0 differs at [0]: got -inf, expected 1");
  // 0x3f80 is 1 in bf16.
  Case<uint16_t> brain(ElementType::BF16, {0x3f80}, {0x3f80}, 2);
  EXPECT_EQ(brain.compare({0x3f84}), "equal");
  EXPECT_EQ(brain.compare({0x3f85}),
            "argument 0 differs at [0]: got 1.039, expected 1 (tolerance "
            "0.0312), within 1.26 times the tolerance");
}

TEST(VerifyTest, NothingIsMoreExactThanWhatItIsMadeOf) {
  Case<float> test(ElementType::F32, {1}, {1});
  EXPECT_NE(test.compare({1 + 0x1p-10f}), "equal");
  test.signature.roundedTo = ElementType::F16;
  EXPECT_EQ(test.compare({1 + 0x1p-9f}), "equal");
  EXPECT_NE(test.compare({1 + 0x1.1p-9f}), "equal");
  test.signature.roundedTo = ElementType::F64;
  EXPECT_NE(test.compare({1 + 0x1p-10f}), "equal");
}

TEST(VerifyTest, ComplexNumbersHaveTwoParts) {
  // Real parts of products cancel on positive inputs; 2 * 2 * (0.5 + 1.5) is
  // the scale of both.
  Case<float> test(ElementType::ComplexF32, {1, 2, 3, 4}, {0.5f, 1.5f, 1, 1});
  test.signature.arguments[0].shape = {2};
  EXPECT_EQ(test.compare({1, 2, 3, 4}), "equal");
  EXPECT_EQ(test.compare({1 + 0x1p-20f, 2 - 0x1p-20f, 3, 4}), "equal");
  EXPECT_EQ(test.compare({1 + 0x1.2p-20f, 2, 3, 4}),
            "argument 0 differs at [0] (real part): got 1.00000107, expected 1 "
            "(tolerance 9.54e-07), within 1.14 times the tolerance");
  EXPECT_EQ(test.compare({1, 2, 3, 5}),
            "argument 0 differs at [1] (imaginary part): got 5, expected 4 "
            "(tolerance 9.54e-07)");
}

TEST(VerifyTest, IntegersMustBeEqual) {
  Case<int8_t> i8(ElementType::I8, {-128, 127}, {0, 0}, 1000);
  EXPECT_EQ(i8.compare({-128, 127}), "equal");
  EXPECT_EQ(i8.compare({-128, 126}),
            "argument 0 differs at [1]: got 126, expected 127");
  Case<int16_t> i16(ElementType::I16, {300}, {0}, 1000);
  EXPECT_EQ(i16.compare({301}),
            "argument 0 differs at [0]: got 301, expected 300");
  Case<int32_t> i32(ElementType::I32, {70000}, {0}, 1000);
  EXPECT_NE(i32.compare({70001}), "equal");
  // Not equal as doubles either only by chance.
  int64_t large = (int64_t{1} << 62) + 1;
  Case<int64_t> i64(ElementType::I64, {large}, {0}, 1000);
  EXPECT_EQ(i64.compare({large}), "equal");
  EXPECT_NE(i64.compare({large - 1}), "equal");
  Case<int8_t> i1(ElementType::I1, {1}, {0});
  EXPECT_NE(i1.compare({0}), "equal");
}

TEST(VerifyTest, NamesTheFirstOfManyDimensionsAndArguments) {
  Signature signature;
  signature.arguments = {{ElementType::I32, true, {5}, false},
                         {ElementType::I32, true, {}, true},
                         {ElementType::I32, true, {2, 3, 4}, true}};
  OutputLayout layout(signature);
  Reference reference;
  reference.expected.resize(layout.byteSize());
  reference.magnitude.resize(layout.byteSize());
  std::vector<std::byte> got(layout.byteSize());
  EXPECT_FALSE(findMismatch(signature, reference, got.data()));
  // Element [1, 2, 3] is the last one.
  auto *third = reinterpret_cast<int32_t *>(got.data() + layout.offset(2));
  third[23] = 7;
  EXPECT_EQ(findMismatch(signature, reference, got.data()),
            "argument 2 differs at [1, 2, 3]: got 7, expected 0");
  third[4] = 8;
  EXPECT_EQ(findMismatch(signature, reference, got.data()),
            "argument 2 differs at [0, 1, 0]: got 8, expected 0");
  *reinterpret_cast<int32_t *>(got.data() + layout.offset(1)) = 9;
  EXPECT_EQ(findMismatch(signature, reference, got.data()),
            "argument 1 differs at []: got 9, expected 0");
}

TEST(VerifyTest, NothingDiffersInNothing) {
  Case<float> test(ElementType::F32, {}, {});
  EXPECT_EQ(test.compare({}), "equal");
}

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

TEST(VerifyTest, TellsTightMagnitudes) {
  static constexpr float initial = 7;
  auto isTight = [](std::vector<float> expected, std::vector<float> magnitude) {
    Case<float> one(ElementType::F32, expected, magnitude);
    std::vector<ArgumentData> inputs{
        one.bytesOf(std::vector<float>(expected.size(), initial))};
    return areMagnitudesTight(one.signature, one.reference, inputs);
  };
  EXPECT_TRUE(isTight({1, -2}, {1, 2}));
  EXPECT_TRUE(isTight({0, -2}, {128, 2}));
  EXPECT_FALSE(isTight({0, -2}, {129, 2}));
  EXPECT_FALSE(isTight({1, 2}, {1, infinite}));
  EXPECT_FALSE(isTight({1, 2}, {1, undefined}));
  EXPECT_FALSE(isTight({0, 0}, {1, 0}));
  // What is left as it was has no terms.
  EXPECT_TRUE(isTight({1, initial}, {1, undefined}));
  EXPECT_TRUE(isTight({}, {}));
  Case<int32_t> integers(ElementType::I32, {1}, {1000});
  EXPECT_TRUE(areMagnitudesTight(integers.signature, integers.reference, {}));
}

TEST(VerifyTest, TellsFiniteReferences) {
  auto inputsOf = [](size_t bytes) {
    return std::vector<ArgumentData>{ArgumentData(bytes)};
  };
  Case<float> finite(ElementType::F32, {1, 2}, {undefined, infinite});
  EXPECT_TRUE(isFinite(finite.signature, finite.reference, inputsOf(8)));
  for (double odd : {double(undefined), double(infinite), -double(infinite)}) {
    Case<double> other(ElementType::F64, {1, odd}, {1, 1});
    EXPECT_FALSE(isFinite(other.signature, other.reference, inputsOf(16)));
    // What was there before is no result.
    auto inputs = inputsOf(16);
    std::memcpy(&inputs[0][8], &odd, sizeof odd);
    EXPECT_TRUE(isFinite(other.signature, other.reference, inputs));
  }
  Case<int32_t> integers(ElementType::I32, {0x7fc00000}, {0});
  EXPECT_TRUE(isFinite(integers.signature, integers.reference, inputsOf(4)));
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
