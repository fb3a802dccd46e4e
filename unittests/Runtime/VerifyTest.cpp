//===- VerifyTest.cpp - Tests of the comparison ---------------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "VerifyCase.h"

#include <gtest/gtest.h>

using namespace baco;
using namespace baco::runtime;
using baco::runtime::test::Case;
using baco::runtime::test::infinite;
using baco::runtime::test::undefined;

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

TEST(VerifyTest, LargestLongFloatsMayNotOverflow) {
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

TEST(VerifyTest, ToleranceIsThatOfTheLeastPreciseType) {
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

TEST(VerifyTest, EmptyOutputsAgree) {
  Case<float> test(ElementType::F32, {}, {});
  EXPECT_EQ(test.compare({}), "equal");
}
