//===- CandidateTest.cpp - Tests of signatures ----------------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "baco/Protocol/Candidate.h"
#include "SignatureHelpers.h"

#include <gtest/gtest.h>

using namespace baco;
using namespace baco::runtime;
using namespace baco::runtime::test;

TEST(ElementTypeTest, SizesAndNamesAreMLIRs) {
  const std::tuple<ElementType, size_t, const char *, bool> expected[] = {
      {ElementType::F16, 2, "f16", true},
      {ElementType::BF16, 2, "bf16", true},
      {ElementType::F32, 4, "f32", true},
      {ElementType::F64, 8, "f64", true},
      {ElementType::I1, 1, "i1", false},
      {ElementType::I8, 1, "i8", false},
      {ElementType::I16, 2, "i16", false},
      {ElementType::I32, 4, "i32", false},
      {ElementType::I64, 8, "i64", false},
      {ElementType::Index, 8, "index", false},
      {ElementType::ComplexF32, 8, "complex<f32>", true},
      {ElementType::ComplexF64, 16, "complex<f64>", true}};
  for (auto [type, size, name, floating] : expected) {
    EXPECT_EQ(elementSize(type), size);
    EXPECT_EQ(elementTypeName(type), name);
    EXPECT_EQ(parseElementType(name), type);
    EXPECT_EQ(isFloat(type), floating);
  }
  EXPECT_FALSE(parseElementType("f8"));
  EXPECT_EQ(partType(ElementType::ComplexF32), ElementType::F32);
  EXPECT_EQ(partType(ElementType::ComplexF64), ElementType::F64);
  EXPECT_EQ(partType(ElementType::I8), ElementType::I8);
  EXPECT_TRUE(isComplex(ElementType::ComplexF32));
  EXPECT_FALSE(isComplex(ElementType::F32));
  EXPECT_FALSE(parseElementType(""));
}

TEST(ArgumentTest, CountsElements) {
  EXPECT_EQ((Argument{ElementType::F64, true, {3, 5}, true}.byteSize()), 120u);
  EXPECT_EQ((Argument{ElementType::F64, true, {}, true}.byteSize()), 8u);
  EXPECT_EQ((Argument{ElementType::I8, true, {3, 0}, true}.byteSize()), 0u);
}

TEST(SignatureTest, IsValidated) {
  Signature signature;
  EXPECT_EQ(errorOf(signature), "");
  signature.arguments = {{ElementType::F32, true, {2, 0}, true},
                         {ElementType::I64, false, {}, false}};
  EXPECT_EQ(errorOf(signature), "");

  signature.reductionLength = 0;
  EXPECT_EQ(errorOf(signature),
            "the reduction length is 0, but must be at least 1");
  signature.reductionLength = 1;

  signature.roundedTo = ElementType::ComplexF32;
  EXPECT_EQ(errorOf(signature), "results are rounded to complex<f32>, but must "
                                "be rounded to a real floating-point type");
  signature.roundedTo = ElementType::I8;
  EXPECT_NE(errorOf(signature), "");
  signature.roundedTo = ElementType::BF16;
  EXPECT_EQ(errorOf(signature), "");

  signature.productBytes = -1;
  EXPECT_EQ(errorOf(signature), "the multiply-adds take -1.000000 bytes, but "
                                "must take a finite number, at least 0");
  signature.productBytes = 1e9;
  EXPECT_EQ(errorOf(signature), "");
  signature.productOutput = 7;
  EXPECT_EQ(errorOf(signature),
            "the multiply-adds are for argument 7, which is no output");
  signature.productOutput = -1;
  signature.arguments[1].isRead = false;
  EXPECT_EQ(errorOf(signature), "argument 1 is neither read nor an output");

  signature.arguments[1].isOutput = true;
  EXPECT_EQ(errorOf(signature),
            "argument 1 is a scalar, which cannot be an output");
  signature.arguments[1] = {ElementType::I64, false, {2}, false};
  EXPECT_EQ(errorOf(signature), "argument 1 is a scalar with a shape");
  signature.arguments[1] = {ElementType::I64, true, {2, -7}, false};
  EXPECT_EQ(errorOf(signature), "argument 1 has the extent -7: only static "
                                "shapes can be measured");
  // The product would overflow, but is empty, in another order.
  int64_t large = int64_t{1} << 40;
  signature.arguments[1].shape = {large, large, 0};
  EXPECT_EQ(errorOf(signature),
            "the arguments up to number 1 do not fit into memory");
}

TEST(SignatureTest, ValuesOfIntegersAreChecked) {
  Signature signature;
  signature.arguments = {{ElementType::I8, false, {}, false}};
  Argument &argument = signature.arguments[0];
  argument.values = {127, -128};
  EXPECT_TRUE(signature.validate());
  argument.values = {1, 128};
  EXPECT_EQ(errorOf(signature), "argument 0 can't have the value 128");
  argument.values.clear();
  argument.range = IntegerRange{2, 1};
  EXPECT_EQ(errorOf(signature), "argument 0 has an empty range of values");
  argument.range.reset();
  argument.isMemRef = true;
  argument.isStructural = true;
  EXPECT_EQ(errorOf(signature), "argument 0 is a memref, for which 'values' "
                                "and 'isStructural' can't be set");
  argument = {ElementType::F32, false, {}, false};
  argument.values = {1};
  EXPECT_EQ(errorOf(signature),
            "argument 0 is a floating-point argument, for which 'values', "
            "'range' and 'isStructural' can't be set");
}

TEST(SignatureTest, RangesOfTypes) {
  EXPECT_EQ(rangeOf(ElementType::I1), (IntegerRange{0, 1}));
  EXPECT_EQ(rangeOf(ElementType::I8), (IntegerRange{-128, 127}));
  EXPECT_EQ(rangeOf(ElementType::Index),
            (IntegerRange{std::numeric_limits<int64_t>::min(),
                          std::numeric_limits<int64_t>::max()}));
}
