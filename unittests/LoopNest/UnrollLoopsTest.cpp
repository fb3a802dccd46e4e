//===- UnrollLoopsTest.cpp - Unrolled loops compute the same --------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "baco/LoopTransforms/LoopTransforms.h"

#include "LoopRunner.h"

using namespace baco::loopnest;

namespace {

class UnrollLoopsTest : public LoopTest {
protected:
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

TEST_F(UnrollLoopsTest, ConstantTripCounts) {
  for (int trips = 0; trips <= 13; ++trips) {
    std::string text =
        head + "3 to " + std::to_string(3 + trips) + carry + body;
    expectSame(text, "i32", [&](mlir::ModuleOp module) {
      forMarked(module, "unroll", [&](mlir::affine::AffineForOp loop) {
        EXPECT_TRUE(succeeded(unrollFully(loop)));
      });
    });
  }
}

TEST_F(UnrollLoopsTest, LongLoopIsRefused) {
  auto module = parse("func.func @f() { affine.for %i = 0 to 9000 {} return }");
  module->walk([](mlir::affine::AffineForOp loop) {
    EXPECT_TRUE(failed(unrollFully(loop)));
  });
}

} // namespace
