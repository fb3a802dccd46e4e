//===- KernelScalarsTest.cpp - Tests of what scalars kernels get ----------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "KernelSignatureFixture.h"

using namespace mlir;
using namespace baco;
using namespace baco::runtime;
using namespace baco::target;

namespace {
class KernelScalarsTest : public KernelSignatureTest {
protected:
  using Values = std::vector<int64_t>;

  /// The first values of the scalars of a function with these arguments and
  /// this body, in which %c0 to %c3 are constants; empty ones if they aren't
  /// known to be safe.
  std::vector<Values> valuesOf(StringRef arguments, StringRef body) {
    Signature signature = readBody(arguments, (R"(
        %c0 = arith.constant 0 : index
        %c1 = arith.constant 1 : index
        %c2 = arith.constant 2 : index
        %c3 = arith.constant 3 : index
        %x = arith.constant 1.0 : f32
        )" + body)
                                                  .str());
    EXPECT_TRUE(signature.validate()) << signature.validate().error().message;
    std::vector<Values> values;
    for (const Argument &argument : signature.arguments)
      if (!argument.isMemRef) {
        Values &first = values.emplace_back();
        if (signature.hasSafeScalars)
          first = argument.values;
        first.resize(std::min<size_t>(first.size(), 4));
      }
    return values;
  }
  /// The first of them each.
  Values timedOf(StringRef arguments, StringRef body) {
    Values timed;
    for (const Values &values : valuesOf(arguments, body))
      timed.push_back(values.empty() ? -1 : values.front());
    return timed;
  }
};
} // namespace

TEST_F(KernelScalarsTest, UpperBoundOfALoop) {
  EXPECT_EQ(valuesOf("%n: i32, %a: memref<256xf32>", R"(
      %end = arith.index_cast %n : i32 to index
      scf.for %i = %c0 to %end step %c1 {
        memref.store %x, %a[%i] : memref<256xf32>
      })"),
            (std::vector<Values>{{256, 129, 1, 0}}));
}

TEST_F(KernelScalarsTest, SymbolOfAnAffineLoop) {
  EXPECT_EQ(timedOf("%n: index, %a: memref<100x300xf32>", R"(
      affine.for %i = 0 to %n {
        affine.for %j = 0 to affine_map<(i)[n] -> (2 * n)>(%i)[%n] {
          affine.store %x, %a[%i, %j] : memref<100x300xf32>
        }
      })"),
            Values{100});
  EXPECT_EQ(timedOf("%n: index, %a: memref<100xf32>", R"(
      affine.for %i = 0 to affine_map<()[n] -> (n floordiv 4)>()[%n] {
        affine.for %j = 0 to 4 {
          affine.store %x, %a[4 * %i + %j] : memref<100xf32>
        }
      })"),
            Values{103});
}

TEST_F(KernelScalarsTest, ScalarsThatLimitEachOther) {
  // n + m <= 256; the product of both is an extent.
  EXPECT_EQ(timedOf("%n: index, %m: index, %a: memref<256xf32>", R"(
      scf.for %i = %c0 to %n step %c1 {
        %j = arith.addi %i, %m : index
        memref.store %x, %a[%j] : memref<256xf32>
      })"),
            (Values{128, 128}));
  EXPECT_EQ(timedOf("%n: index, %m: index, %a: memref<256xf32>", R"(
      scf.for %i = %c0 to %n step %c1 {
        scf.for %j = %c0 to %m step %c1 {
          %row = arith.muli %i, %m : index
          %k = arith.addi %row, %j : index
          memref.store %x, %a[%k] : memref<256xf32>
        }
      })"),
            (Values{16, 16}));
  // The second one can be more than the first, which is small, but not for lack
  // of knowledge.
  EXPECT_EQ(timedOf("%n: index, %m: index, %a: memref<7x300xf32>", R"(
      scf.for %i = %c0 to %n step %c1 {
        scf.for %j = %c0 to %m step %c1 {
          memref.store %x, %a[%i, %j] : memref<7x300xf32>
        }
      })"),
            (Values{7, 300}));
}

TEST_F(KernelScalarsTest, IndicesOffsetsAndSizes) {
  EXPECT_EQ(valuesOf("%n: index, %a: memref<32xf32>",
                     "memref.store %x, %a[%n] : memref<32xf32>"),
            (std::vector<Values>{{31, 15, 1, 0}}));
  EXPECT_EQ(timedOf("%n: index, %m: index, %a: memref<64x64xf32>", R"(
      %v = memref.subview %a[%n, 0] [%m, 64] [1, 1]
        : memref<64x64xf32> to memref<?x64xf32, strided<[64, 1], offset: ?>>
      linalg.fill ins(%x : f32)
        outs(%v : memref<?x64xf32, strided<[64, 1], offset: ?>>))"),
            (Values{32, 32}));
  EXPECT_EQ(timedOf("%n: index, %a: memref<64xf32>", R"(
      %t = memref.alloc(%n) : memref<?xf32>
      scf.for %i = %c0 to %n step %c1 {
        %y = memref.load %a[%i] : memref<64xf32>
        memref.store %y, %t[%i] : memref<?xf32>
      }
      scf.for %i = %c0 to %n step %c1 {
        %y = memref.load %t[%i] : memref<?xf32>
        memref.store %y, %a[%i] : memref<64xf32>
      }
      memref.dealloc %t : memref<?xf32>)"),
            Values{64});
}

TEST_F(KernelScalarsTest, Guards) {
  // Both branches of what isn't known count.
  EXPECT_EQ(timedOf("%n: index, %a: memref<32xf32>", R"(
      scf.for %i = %c0 to %n step %c1 {
        %isInside = arith.cmpi slt, %i, %c3 : index
        scf.if %isInside {
          memref.store %x, %a[%i] : memref<32xf32>
        }
      })"),
            Values{32});
  // A branch that isn't taken for any i doesn't.
  EXPECT_EQ(timedOf("%n: index, %p: i1, %a: memref<32xf32>", R"(
      scf.if %p {
        memref.store %x, %a[%n] : memref<32xf32>
      } else {
        scf.for %i = %c0 to %n step %c1 {
          memref.store %x, %a[%i] : memref<32xf32>
        }
      })"),
            (Values{31, 1}));
}

TEST_F(KernelScalarsTest, WithoutABound) {
  EXPECT_EQ(valuesOf("%steps: i64, %a: memref<32xf32>", R"(
      %end = arith.index_cast %steps : i64 to index
      scf.for %t = %c0 to %end step %c1 {
        memref.store %x, %a[%c0] : memref<32xf32>
      })"),
            (std::vector<Values>{{16, 9, 1, 0}}));
}

TEST_F(KernelScalarsTest, NarrowTypes) {
  StringRef body = R"(
      %end = arith.index_cast %n : i8 to index
      scf.for %i = %c0 to %end step %c1 {
        memref.store %x, %a[%i] : memref<256xf32>
      })";
  EXPECT_EQ(valuesOf("%n: i8, %a: memref<256xf32>", body),
            (std::vector<Values>{{127, 63, 1, 0}}));
  EXPECT_EQ(valuesOf("%p: i1, %a: memref<256xf32>", R"(
      scf.if %p {
        memref.store %x, %a[%c0] : memref<256xf32>
      })"),
            (std::vector<Values>{{1, 0}}));
}

TEST_F(KernelScalarsTest, StepsAndDivisorsAreNotZero) {
  EXPECT_EQ(valuesOf("%n: index, %a: memref<256xf32>", R"(
      %end = arith.constant 256 : index
      scf.for %i = %c0 to %end step %n {
        memref.store %x, %a[%i] : memref<256xf32>
      })"),
            (std::vector<Values>{{16, 9, 1, 2}}));
  EXPECT_EQ(valuesOf("%n: i32, %a: memref<256xi32>", R"(
      %y = memref.load %a[%c0] : memref<256xi32>
      %q = arith.divsi %y, %n : i32
      memref.store %q, %a[%c0] : memref<256xi32>)"),
            (std::vector<Values>{{3, 1}}));
}

TEST_F(KernelScalarsTest, NumbersToComputeWith) {
  EXPECT_EQ(valuesOf("%s: i32, %z: f32, %a: memref<256xi32>", R"(
      linalg.fill ins(%s : i32) outs(%a : memref<256xi32>))"),
            (std::vector<Values>{{3, 1, 0, -1}, {}}));
}

TEST_F(KernelScalarsTest, AccessesWithoutRangesAreUnknown) {
  // j <= i, but the difference of their ranges may be negative.
  EXPECT_EQ(timedOf("%n: index, %a: memref<256xf32>", R"(
      scf.for %i = %c0 to %n step %c1 {
        %end = arith.addi %i, %c1 : index
        scf.for %j = %c0 to %end step %c1 {
          %k = arith.subi %i, %j : index
          memref.store %x, %a[%k] : memref<256xf32>
        }
      })"),
            Values{-1});
}

//===----------------------------------------------------------------------===//
// Ranges of integers
//===----------------------------------------------------------------------===//

TEST_F(KernelScalarsTest, DivisorsArePositive) {
  Signature signature = readBody("%a: memref<8xi32>, %b: memref<8xi32>", R"(
      %t = memref.alloc() : memref<8xi64>
      affine.for %i = 0 to 8 {
        %y = affine.load %b[%i] : memref<8xi32>
        %z = arith.extsi %y : i32 to i64
        affine.store %z, %t[%i] : memref<8xi64>
      }
      affine.for %i = 0 to 8 {
        %x = affine.load %a[%i] : memref<8xi32>
        %w = arith.extsi %x : i32 to i64
        %d = affine.load %t[%i] : memref<8xi64>
        %q = arith.floordivsi %w, %d : i64
        %r = arith.trunci %q : i64 to i32
        affine.store %r, %a[%i] : memref<8xi32>
      }
      memref.dealloc %t : memref<8xi64>)");
  EXPECT_FALSE(signature.arguments[0].range);
  EXPECT_EQ(signature.arguments[1].range, (IntegerRange{1, 0x7fffffff}));
}

TEST_F(KernelScalarsTest, IndicesStayInBounds) {
  Signature signature = readBody(
      "%ids: memref<8xi64>, %places: memref<8xi8>, %shifted: memref<8xindex>, "
      "%table: memref<10x300xf32>, %out: memref<8xf32>",
      R"(
      %c1 = arith.constant 1 : index
      %t = memref.alloc() : memref<8xi32>
      affine.for %i = 0 to 8 {
        %id = affine.load %ids[%i] : memref<8xi64>
        %short = arith.trunci %id : i64 to i32
        affine.store %short, %t[%i] : memref<8xi32>
      }
      affine.for %i = 0 to 8 {
        %id = affine.load %t[%i] : memref<8xi32>
        %row = arith.index_cast %id : i32 to index
        %place = affine.load %places[%i] : memref<8xi8>
        %column = arith.index_castui %place : i8 to index
        %x = memref.load %table[%row, %column] : memref<10x300xf32>
        %s = affine.load %shifted[%i] : memref<8xindex>
        %next = arith.addi %s, %c1 : index
        memref.store %x, %out[%next] : memref<8xf32>
      }
      memref.dealloc %t : memref<8xi32>)");
  EXPECT_EQ(signature.arguments[0].range, (IntegerRange{0, 9, true}));
  EXPECT_EQ(signature.arguments[1].range, (IntegerRange{0, 127, true}));
  // Not the index itself.
  EXPECT_FALSE(signature.arguments[2].range);
}

TEST_F(KernelScalarsTest, ShiftsAreLessThanTheWidth) {
  Signature signature =
      readBody("%a: memref<8xi16>, %b: memref<8xi16>, %c: memref<8xi16>", R"(
      linalg.generic {
          indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>,
                           affine_map<(i) -> (i)>],
          iterator_types = ["parallel"]}
          ins(%a, %b : memref<8xi16>, memref<8xi16>)
          outs(%c : memref<8xi16>) {
        ^bb0(%x: i16, %y: i16, %z: i16):
          %s = arith.shrsi %x, %y : i16
          linalg.yield %s : i16
      })");
  EXPECT_FALSE(signature.arguments[0].range);
  EXPECT_EQ(signature.arguments[1].range, (IntegerRange{0, 15}));
  EXPECT_FALSE(signature.arguments[2].range);
}
