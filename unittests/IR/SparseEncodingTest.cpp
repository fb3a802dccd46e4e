//===- SparseEncodingTest.cpp - Tests of formats in types -----------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "baco/IR/SparseEncoding.h"

#include "mlir/AsmParser/AsmParser.h"

#include <gtest/gtest.h>

using namespace mlir;
using namespace mlir::sparse_tensor;
using namespace baco;
using sparse::LevelKind;

namespace {
class SparseEncodingTest : public ::testing::Test {
protected:
  SparseEncodingTest() { context.loadDialect<SparseTensorDialect>(); }

  /// `text` is what is between `<{` and `}>`.
  SparseTensorEncodingAttr parse(const std::string &text) {
    return cast<SparseTensorEncodingAttr>(
        parseAttribute("#sparse_tensor.encoding<{" + text + "}>", &context));
  }

  sparse::StorageFormat formatOf(const std::string &text) {
    auto format = storageFormat(parse(text));
    if (format)
      return *format;
    ADD_FAILURE() << llvm::toString(format.takeError());
    return {};
  }

  std::string errorOf(const std::string &text) {
    auto format = storageFormat(parse(text));
    return format ? "no error" : llvm::toString(format.takeError());
  }

  std::string errorOf(const sparse::StorageFormat &format) {
    auto encoding = makeEncoding(&context, format);
    return encoding ? "no error" : llvm::toString(encoding.takeError());
  }

  MLIRContext context;
};
} // namespace

TEST_F(SparseEncodingTest, ReadsKindsAndWidths) {
  sparse::StorageFormat format =
      formatOf("map = (i, j, k) -> (k : dense, i : compressed(nonunique), "
               "j : singleton(soa)), posWidth = 32, crdWidth = 16");
  ASSERT_EQ(format.levels.size(), 3U);
  EXPECT_EQ(format.positionWidth, 32U);
  EXPECT_EQ(format.coordinateWidth, 16U);
  constexpr LevelKind kinds[] = {LevelKind::Dense, LevelKind::Compressed,
                                 LevelKind::Singleton};
  constexpr size_t dimensions[] = {2, 0, 1};
  for (size_t l = 0; l < 3; ++l) {
    EXPECT_EQ(format.levels[l].kind, kinds[l]);
    EXPECT_EQ(format.levels[l].dimension, dimensions[l]);
    EXPECT_EQ(format.levels[l].isUnique, l != 1);
  }
}

TEST_F(SparseEncodingTest, NativeWidthsAre64Bits) {
  sparse::StorageFormat format = formatOf("map = (i) -> (i : compressed)");
  EXPECT_EQ(format.positionWidth, 64U);
  EXPECT_EQ(format.coordinateWidth, 64U);
}

TEST_F(SparseEncodingTest, ReadsParts) {
  sparse::StorageFormat format =
      formatOf("map = (i) -> (i floordiv 4 : dense, i mod 4 : compressed)");
  EXPECT_EQ(format.levels[0].divisor, 4);
  EXPECT_EQ(format.levels[0].modulus, 0);
  EXPECT_EQ(format.levels[1].divisor, 1);
  EXPECT_EQ(format.levels[1].modulus, 4);
}

// Text can't have these encodings, but passes can.
TEST_F(SparseEncodingTest, ReadsPartsOfParts) {
  AffineExpr i = getAffineDimExpr(0, &context);
  AffineExpr parts[] = {i.floorDiv(64), (i % 64).floorDiv(4), (i % 8) % 4};
  LevelType dense[] = {LevelFormat::Dense, LevelFormat::Dense,
                       LevelFormat::Dense};
  AffineExpr whole = getAffineDimExpr(0, &context) * 64 +
                     getAffineDimExpr(1, &context) * 4 +
                     getAffineDimExpr(2, &context);
  auto format = storageFormat(SparseTensorEncodingAttr::get(
      &context, dense, AffineMap::get(1, 0, parts, &context),
      AffineMap::get(3, 0, whole)));
  ASSERT_TRUE(static_cast<bool>(format)) << llvm::toString(format.takeError());
  EXPECT_EQ(format->levels[0].divisor, 64);
  EXPECT_EQ(format->levels[0].modulus, 0);
  // (i mod 64) floordiv 4 is (i floordiv 4) mod 16.
  EXPECT_EQ(format->levels[1].divisor, 4);
  EXPECT_EQ(format->levels[1].modulus, 16);
  EXPECT_EQ(format->levels[2].divisor, 1);
  EXPECT_EQ(format->levels[2].modulus, 4);
}

TEST_F(SparseEncodingTest, SaysWhatIsNotSupported) {
  EXPECT_EQ(errorOf("map = (i, j) -> (i : compressed(nonunique), j : "
                    "singleton)"),
            "level 1 is a singleton whose coordinates are stored among those "
            "of the level above; write singleton(soa)");
  EXPECT_EQ(errorOf("map = (i, j) -> (i : dense, j : loose_compressed)"),
            "level 1 is 'loose_compressed'; use 'compressed'");
  EXPECT_EQ(errorOf("map = (i, j) -> (i : batch, j : compressed)"),
            "level 0 is 'batch'; use 'dense'");
  EXPECT_EQ(errorOf("map = (i, j) -> (i : dense, j floordiv 4 : dense, "
                    "j mod 4 : structured[2, 4])"),
            "level 2 is 'structured'; use 'compressed' or 'dense'");
  EXPECT_EQ(errorOf("map = [c](i, j) -> (c * 3 * i : dense, i : dense, "
                    "j : compressed)"),
            "level 0 isn't a dimension, or a part of one by 'floordiv' and "
            "'mod'");
  EXPECT_EQ(errorOf("map = (i : #sparse_tensor<slice(0, 4, 1)>, "
                    "j : #sparse_tensor<slice(0, 8, ?)>) -> "
                    "(i : dense, j : compressed)"),
            "slices of tensors aren't supported; pass the whole tensor");
  EXPECT_EQ(errorOf("map = (i) -> (i : compressed), explicitVal = 1.0 : f64"),
            "'explicitVal' and 'implicitVal' aren't supported; store the "
            "values");
}

TEST_F(SparseEncodingTest, InverseOfReading) {
  for (const char *text : {
           "map = (i, j) -> (i : dense, j : compressed)",
           "map = (i, j) -> (j : dense, i : compressed), crdWidth = 16",
           "map = (i, j) -> (i : compressed, j : compressed), posWidth = 8",
           "map = (i, j, k) -> (i : compressed(nonunique), "
           "k : singleton(nonunique, soa), j : singleton(soa))",
           "map = (i, j) -> (i floordiv 2 : dense, j floordiv 3 : compressed, "
           "i mod 2 : dense, j mod 3 : dense), posWidth = 32, crdWidth = 32",
       }) {
    SparseTensorEncodingAttr encoding = parse(text);
    auto made = makeEncoding(&context, formatOf(text));
    ASSERT_TRUE(static_cast<bool>(made)) << llvm::toString(made.takeError());
    EXPECT_EQ(*made, encoding) << text;
  }
}

TEST_F(SparseEncodingTest, RefusesFormatsThatAreNone) {
  constexpr LevelKind dense = LevelKind::Dense;
  const std::string missing =
      "the levels don't determine the coordinates of each dimension";
  // Of dimension 0, and a part, and which multiple of four it is.
  EXPECT_EQ(errorOf({{{dense, 1}}}), missing);
  EXPECT_EQ(errorOf({{{dense, 0, 1, 4}}}), missing);
  EXPECT_EQ(errorOf({{{dense, 0, 4, 0}}}), missing);
  EXPECT_EQ(errorOf({{{dense, 0, 1, 0, /*isUnique=*/false}}}),
            "level 0 has no counterpart in sparse_tensor");
  // Whole, but in more parts, or in another order, than the dialect has.
  EXPECT_TRUE(
      llvm::StringRef(
          errorOf({{{dense, 0, 8, 0}, {dense, 0, 2, 4}, {dense, 0, 1, 2}}}))
          .starts_with("sparse_tensor has no such levels"));
  EXPECT_TRUE(llvm::StringRef(errorOf({{{dense, 0, 1, 2}, {dense, 0, 2, 0}}}))
                  .starts_with("sparse_tensor has no such levels"));
  EXPECT_NE(errorOf({{{LevelKind::Singleton, 0}}}), "no error");
  EXPECT_NE(errorOf({{{dense, 0}}, 24, 24}), "no error");
}
