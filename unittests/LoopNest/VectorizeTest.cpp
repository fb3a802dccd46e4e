//===- VectorizeTest.cpp - Vectorized loops compute the same --------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Every kind of access and reduction for 0 to 70 iterations, with trip counts
// that are constants and others. What the IR looks like is tested by lit.
//
//===----------------------------------------------------------------------===//

#include "baco/LoopTransforms/LoopTransforms.h"

#include "LoopRunner.h"

using namespace baco::loopnest;

namespace {

struct Kernel {
  const char *name;
  const char *type;
  /// The body of a loop over %i, for row or column %r.
  const char *body;
};

std::ostream &operator<<(std::ostream &stream, const Kernel &kernel) {
  return stream << kernel.name;
}

const Kernel kernels[] = {
    {"Contiguous", "f32", R"(
      %a = affine.load %A[%r, %i + 2] : memref<80x80xf32>
      %b = affine.load %B[%r, %i] : memref<80x80xf32>
      %p = arith.mulf %a, %b : f32
      affine.store %p, %C[%r, %i + 1] : memref<80x80xf32>)"},
    {"UniformOperands", "f64", R"(
      %two = arith.constant 2.0 : f64
      %a = affine.load %A[%r, 5] : memref<80x80xf64>
      %d = arith.addf %a, %two : f64
      %b = affine.load %B[%r, %i] : memref<80x80xf64>
      %p = arith.subf %d, %b : f64
      affine.store %p, %C[%r, %i + 1] : memref<80x80xf64>)"},
    {"ReversedLoad", "f32", R"(
      %a = affine.load %A[%r, 79 - %i] : memref<80x80xf32>
      affine.store %a, %C[%r, %i + 1] : memref<80x80xf32>)"},
    {"ReversedStore", "i32", R"(
      %a = affine.load %A[%r, %i + 3] : memref<80x80xi32>
      affine.store %a, %C[%r, -%i + 78] : memref<80x80xi32>)"},
    {"ColumnsAndStrides", "f32", R"(
      %a = affine.load %A[%i, %r] : memref<80x80xf32>
      %b = affine.load %B[%r, %i floordiv 2] : memref<80x80xf32>
      %c = affine.load %B[(%i * 2) mod 80, 3] : memref<80x80xf32>
      %d = affine.load %B[%i, %i] : memref<80x80xf32>
      %p = arith.addf %a, %b : f32
      %q = arith.mulf %c, %d : f32
      %s = arith.addf %p, %q : f32
      affine.store %s, %C[%i, %r] : memref<80x80xf32>)"},
    {"ComputedIndex", "i32", R"(
      %a = affine.load %A[%r, %i] : memref<80x80xi32>
      %four = arith.constant 4 : i32
      %sum = arith.addi %a, %four : i32
      %j = arith.index_cast %sum : i32 to index
      %b = memref.load %B[%j, %i] : memref<80x80xi32>
      memref.store %b, %C[%r, %i] : memref<80x80xi32>)"},
    {"IterationAsData", "f32", R"(
      %j = affine.apply affine_map<(d0) -> (d0 * 3 + 1)>(%i)
      %k = arith.addi %j, %i : index
      %l = arith.index_cast %k : index to i32
      %f = arith.sitofp %l : i32 to f32
      affine.store %f, %C[%r, %i] : memref<80x80xf32>)"},
    {"SelectAndCast", "f32", R"(
      %a = affine.load %A[%r, %i] : memref<80x80xf32>
      %b = affine.load %B[%r, %i] : memref<80x80xf32>
      %less = arith.cmpf olt, %a, %b : f32
      %m = arith.select %less, %a, %b : f32
      %h = arith.truncf %m : f32 to f16
      %w = arith.extf %h : f16 to f32
      affine.store %w, %C[%r, %i] : memref<80x80xf32>)"},
    {"NarrowIntegers", "i32", R"(
      %a = affine.load %A[%r, %i] : memref<80x80xi32>
      %t = arith.trunci %a : i32 to i8
      %w = arith.extsi %t : i8 to i32
      %b = arith.muli %w, %w : i32
      affine.store %b, %C[%r, %i] : memref<80x80xi32>)"},
    {"Division", "i32", R"(
      %a = affine.load %A[%r, %i] : memref<80x80xi32>
      %b = affine.load %B[%r, %i] : memref<80x80xi32>
      %ten = arith.constant 10 : i32
      %d = arith.addi %b, %ten : i32
      %q = arith.divsi %a, %d : i32
      %x = arith.remsi %ten, %d : i32
      %s = arith.addi %q, %x : i32
      affine.store %s, %C[%r, %i] : memref<80x80xi32>)"},
    {"SumInMemory", "f32", R"(
      %a = affine.load %A[%r, %i] : memref<80x80xf32>
      %b = affine.load %B[%r, %i] : memref<80x80xf32>
      %p = arith.mulf %a, %b : f32
      %x = affine.load %C[%r, 0] : memref<80x80xf32>
      %s = arith.addf %x, %p : f32
      affine.store %s, %C[%r, 0] : memref<80x80xf32>)"},
    {"SumOfColumns", "f64", R"(
      %a = affine.load %A[%i, %r] : memref<80x80xf64>
      %x = affine.load %C[%r, 0] : memref<80x80xf64>
      %s = arith.subf %x, %a : f64
      affine.store %s, %C[%r, 0] : memref<80x80xf64>)"},
    {"SeveralReductions", "i32", R"(
      %a = affine.load %A[%r, %i] : memref<80x80xi32>
      %b = affine.load %B[%r, %i] : memref<80x80xi32>
      %x = affine.load %C[%r, 0] : memref<80x80xi32>
      %x1 = arith.addi %a, %x : i32
      %x2 = arith.subi %x1, %b : i32
      affine.store %x2, %C[%r, 0] : memref<80x80xi32>
      %y = affine.load %C[%r, 1] : memref<80x80xi32>
      %y1 = arith.maxsi %y, %a : i32
      affine.store %y1, %C[%r, 1] : memref<80x80xi32>
      %z = affine.load %C[%r, 2] : memref<80x80xi32>
      %z1 = arith.xori %z, %b : i32
      affine.store %z1, %C[%r, 2] : memref<80x80xi32>
      %w = affine.load %C[%r, 3] : memref<80x80xi32>
      %w1 = arith.muli %w, %b : i32
      affine.store %w1, %C[%r, 3] : memref<80x80xi32>
      %v = affine.load %C[%r, 4] : memref<80x80xi32>
      %v1 = arith.minui %v, %b : i32
      affine.store %v1, %C[%r, 4] : memref<80x80xi32>
      %u = affine.load %C[%r, 5] : memref<80x80xi32>
      %u1 = arith.andi %u, %b : i32
      affine.store %u1, %C[%r, 5] : memref<80x80xi32>)"},
    {"LeastAndGreatest", "f32", R"(
      %a = affine.load %A[%r, %i] : memref<80x80xf32>
      %x = affine.load %C[%r, 0] : memref<80x80xf32>
      %x1 = arith.minimumf %x, %a : f32
      affine.store %x1, %C[%r, 0] : memref<80x80xf32>
      %y = affine.load %C[%r, 1] : memref<80x80xf32>
      %y1 = arith.maxnumf %a, %y : f32
      affine.store %y1, %C[%r, 1] : memref<80x80xf32>)"},
    {"UniformTerm", "i64", R"(
      %a = affine.load %A[%r, 7] : memref<80x80xi64>
      %x = affine.load %C[%r, 0] : memref<80x80xi64>
      %s = arith.addi %x, %a : i64
      affine.store %s, %C[%r, 0] : memref<80x80xi64>)"},
    {"TwoStatementsOneSum", "i32", R"(
      %a = affine.load %A[%r, %i] : memref<80x80xi32>
      %b = affine.load %B[%r, 2] : memref<80x80xi32>
      %x = affine.load %C[%r, 0] : memref<80x80xi32>
      %x1 = arith.addi %x, %a : i32
      affine.store %x1, %C[%r, 0] : memref<80x80xi32>
      %y = affine.load %C[%r, 0] : memref<80x80xi32>
      %y1 = arith.subi %y, %b : i32
      affine.store %y1, %C[%r, 0] : memref<80x80xi32>)"},
    {"InnerLoop", "f32", R"(
      affine.for %k = 0 to 5 {
        %a = affine.load %A[%r, %k] : memref<80x80xf32>
        %b = affine.load %B[%k, %i] : memref<80x80xf32>
        %c = affine.load %C[%r, %i] : memref<80x80xf32>
        %s = math.fma %a, %b, %c : f32
        affine.store %s, %C[%r, %i] : memref<80x80xf32>
      })"},
    {"InnerLoopThatCarries", "f64", R"(
      %zero = arith.constant 0.0 : f64
      %s, %t = affine.for %k = 0 to 5 iter_args(%x = %zero, %y = %zero)
          -> (f64, f64) {
        %a = affine.load %A[%r, %k] : memref<80x80xf64>
        %b = affine.load %B[%k, %i] : memref<80x80xf64>
        %p = arith.mulf %a, %b : f64
        %x1 = arith.addf %x, %p : f64
        %y1 = arith.addf %y, %a : f64
        affine.yield %x1, %y1 : f64, f64
      }
      %u = arith.mulf %s, %t : f64
      affine.store %u, %C[%r, %i] : memref<80x80xf64>)"},
    {"SumsInInnerLoop", "f32", R"(
      affine.for %k = 0 to 5 {
        %a = affine.load %A[%k, %i] : memref<80x80xf32>
        %b = affine.load %B[%r, %i] : memref<80x80xf32>
        %c = affine.load %C[%r, %k] : memref<80x80xf32>
        %s = math.fma %a, %b, %c : f32
        affine.store %s, %C[%r, %k] : memref<80x80xf32>
      })"},
    {"Condition", "f32", R"(
      %a = affine.load %A[%r, %i] : memref<80x80xf32>
      %v = affine.if affine_set<(d0) : (d0 - 9 >= 0)>(%r) -> f32 {
        %b = affine.load %B[%r, %i] : memref<80x80xf32>
        affine.yield %b : f32
      } else {
        %b = affine.load %B[%r, 1] : memref<80x80xf32>
        affine.yield %b : f32
      }
      %s = arith.addf %a, %v : f32
      affine.store %s, %C[%r, %i] : memref<80x80xf32>)"},
};

class VectorizeTest : public LoopTest,
                      public ::testing::WithParamInterface<Kernel> {
protected:
  static void vectorize(mlir::ModuleOp module, int64_t width) {
    forMarked(module, "vector", [&](mlir::affine::AffineForOp loop) {
      EXPECT_TRUE(succeeded(vectorizeLoop(loop, width)));
    });
  }
};

TEST_P(VectorizeTest, ConstantTripCounts) {
  std::string text =
      forManyTrips("affine.for %r = ROW to NEXT {"
                   "affine.for %i = 0 to ROW {" +
                   std::string(GetParam().body) + "\n} {vector} }\n");
  for (int64_t width : {4, 32})
    expectSame(text, GetParam().type,
               [&](mlir::ModuleOp module) { vectorize(module, width); });
}

TEST_P(VectorizeTest, TriangularLoop) {
  std::string text = "affine.for %r = 0 to 71 { affine.for %i = 0 to "
                     "affine_map<(d0) -> (d0)>(%r) {" +
                     std::string(GetParam().body) + "\n} {vector} }\n";
  for (int64_t width : {2, 4, 16, 32, 128})
    expectSame(text, GetParam().type,
               [&](mlir::ModuleOp module) { vectorize(module, width); });
}

TEST_P(VectorizeTest, SeveralBounds) {
  // Steps of 1, as those of 3 would be no contiguous accesses.
  std::string text =
      "affine.for %r = 0 to 71 { affine.for %i = max affine_map<(d0)[s0] -> "
      "(d0 - 60, s0 - 20, 1)>(%r)[%n] to min affine_map<(d0)[s0] -> (d0 + 7, "
      "s0, 64)>(%r)[%n] {" +
      std::string(GetParam().body) + "\n} {vector} }\n";
  for (int64_t width : {4, 32})
    expectSame(text, GetParam().type,
               [&](mlir::ModuleOp module) { vectorize(module, width); },
               {0, 1, 2, 13, 40, 64, 66});
}

TEST_P(VectorizeTest, Steps) {
  std::string text = "affine.for %r = 0 to 71 { affine.for %i = 1 to "
                     "affine_map<(d0) -> (d0)>(%r) step 3 {" +
                     std::string(GetParam().body) + "\n} {vector} }\n";
  expectSame(text, GetParam().type,
             [&](mlir::ModuleOp module) { vectorize(module, 8); });
}

class VectorizeCarriedTest : public LoopTest {};

TEST_F(VectorizeCarriedTest, TriangularLoop) {
  const std::string text = R"(
    %one = arith.constant 1 : i32
    affine.for %r = 0 to 71 {
      %sum, %most = affine.for %i = 0 to affine_map<(d0) -> (d0)>(%r)
          iter_args(%x = %one, %y = %one) -> (i32, i32) {
        %a = affine.load %A[COLUMN] : memref<80x80xi32>
        %b = affine.load %B[%r, %i] : memref<80x80xi32>
        %p = arith.muli %a, %b : i32
        %x1 = arith.subi %x, %p : i32
        %x2 = arith.addi %b, %x1 : i32
        %y1 = arith.maxsi %y, %p : i32
        affine.yield %x2, %y1 : i32, i32
      } {vector}
      affine.store %sum, %C[%r, 0] : memref<80x80xi32>
      affine.store %most, %C[%r, 1] : memref<80x80xi32>
    })";
  // With a mask for the rest, and with a scalar loop.
  for (const char *column : {"%r, %i", "%i, %r"})
    for (int64_t width : {2, 16, 128}) {
      std::string copy = text;
      copy.replace(copy.find("COLUMN"), 6, column);
      expectSame(copy, "i32", [&](mlir::ModuleOp module) {
        forMarked(module, "vector", [&](mlir::affine::AffineForOp loop) {
          EXPECT_TRUE(succeeded(vectorizeLoop(loop, width)));
        });
      });
    }
}

INSTANTIATE_TEST_SUITE_P(Kernels, VectorizeTest, ::testing::ValuesIn(kernels),
                         [](const auto &info) {
                           return std::string(info.param.name);
                         });

} // namespace
