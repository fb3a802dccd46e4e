//===- UnrollLoopsTest.cpp - Unrolled loops compute the same --------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "baco/LoopTransforms/UnrollLoops.h"

#include "LoopRunner.h"

using namespace baco::loopnest;

namespace {

class UnrollLoopsTest : public LoopTest {
protected:
  static void unroll(mlir::ModuleOp module, int64_t factor) {
    forMarked(module, "unroll", [&](mlir::affine::AffineForOp loop) {
      EXPECT_TRUE(succeeded(unrollByFactor(loop, factor)));
    });
  }

  // The order of the iterations shows in the results.
  const std::string body = R"(
      %a = affine.load %A[%r, %i] : memref<80x80xi32>
      %b = affine.load %C[%r, %i] : memref<80x80xi32>
      %p = arith.muli %a, %x : i32
      %s = arith.subi %p, %b : i32
      affine.store %s, %C[%r, %i + 1] : memref<80x80xi32>
      affine.yield %s : i32
    } {unroll}
    affine.store %last, %B[%r, 0] : memref<80x80xi32>
  })";
  const std::string head = R"(
    %one = arith.constant 1 : i32
    affine.for %r = 0 to 71 {
      %last = affine.for %i = )";
  const std::string carry = " iter_args(%x = %one) -> i32 {";
};

TEST_F(UnrollLoopsTest, TriangularLoop) {
  for (int64_t factor : {1, 2, 3, 7, 80})
    expectSame(head + "0 to affine_map<(d0) -> (d0)>(%r)" + carry + body, "i32",
               [&](mlir::ModuleOp module) { unroll(module, factor); });
}

TEST_F(UnrollLoopsTest, Steps) {
  for (int64_t factor : {2, 5})
    expectSame(head + "2 to affine_map<(d0) -> (d0)>(%r) step 3" + carry + body,
               "i32", [&](mlir::ModuleOp module) { unroll(module, factor); });
}

TEST_F(UnrollLoopsTest, SeveralBounds) {
  for (int64_t factor : {2, 6})
    expectSame(head +
                   "max affine_map<(d0)[s0] -> (d0 - 30, s0 - 20, 0)>(%r)[%n] "
                   "to min affine_map<(d0)[s0] -> (d0 + 5, s0)>(%r)[%n]" +
                   carry + body,
               "i32", [&](mlir::ModuleOp module) { unroll(module, factor); },
               {0, 1, 7, 30, 66});
}

TEST_F(UnrollLoopsTest, ConstantTripCounts) {
  for (int trips = 0; trips <= 13; ++trips) {
    std::string text =
        head + "3 to " + std::to_string(3 + trips) + carry + body;
    expectSame(text, "i32", [&](mlir::ModuleOp module) { unroll(module, 4); });
    expectSame(text, "i32", [&](mlir::ModuleOp module) {
      forMarked(module, "unroll", [&](mlir::affine::AffineForOp loop) {
        EXPECT_TRUE(succeeded(unrollFully(loop)));
      });
    });
  }
}

TEST_F(UnrollLoopsTest, FactorsThatAreRefused) {
  auto module = parse("func.func @f() { affine.for %i = 0 to 9000 {} return }");
  module->walk([](mlir::affine::AffineForOp loop) {
    for (int64_t factor : {int64_t(0), int64_t(-1), maxUnrolledCopies + 1})
      EXPECT_TRUE(failed(unrollByFactor(loop, factor)));
    EXPECT_TRUE(failed(unrollFully(loop)));
  });
}

} // namespace
