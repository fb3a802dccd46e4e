//===- HoistDivisionsTest.cpp - Products in the place of divisions --------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "baco/LoopTransforms/LoopTransforms.h"

#include "LoopRunner.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace baco::loopnest;
using namespace mlir;

namespace {

class HoistDivisionsTest : public LoopTest {};

/// The ops of the function but for its end.
SmallVector<Operation *> opsOf(ModuleOp module) {
  auto function = *module.getOps<func::FuncOp>().begin();
  return llvm::map_to_vector(function.front().without_terminator(),
                             [](Operation &op) { return &op; });
}

template <typename Op>
int64_t count(ModuleOp module) {
  int64_t number = 0;
  module.walk([&](Op) { ++number; });
  return number;
}

// The vector of divisors may be in front of the loop, as one of the ops.
TEST_F(HoistDivisionsTest, ErasedOpIsNoneOfTheOps) {
  auto module = parse(R"(
    func.func @f(%A: memref<64xf32>, %d: f32) {
      %all = vector.broadcast %d : f32 to vector<8xf32>
      affine.for %i = 0 to 64 step 8 {
        %a = affine.vector_load %A[%i] : memref<64xf32>, vector<8xf32>
        %q = arith.divf %a, %all : vector<8xf32>
        affine.vector_store %q, %A[%i] : memref<64xf32>, vector<8xf32>
      }
      return
    })");
  SmallVector<Operation *> ops = opsOf(*module);
  ASSERT_EQ(ops.size(), 2u);
  Operation *loop = ops[1];
  hoistDivisions(ops);
  EXPECT_EQ(ops, SmallVector<Operation *>{loop});
  EXPECT_EQ(count<vector::BroadcastOp>(*module), 1);
  EXPECT_EQ(count<arith::MulFOp>(*module), 1);
  EXPECT_TRUE(succeeded(verify(*module)));
}

// Another op uses the divisors, too.
TEST_F(HoistDivisionsTest, OpThatIsUsedStays) {
  auto module = parse(R"(
    func.func @f(%A: memref<64xf32>, %d: f32) {
      %all = vector.broadcast %d : f32 to vector<8xf32>
      affine.for %i = 0 to 64 step 8 {
        %a = affine.vector_load %A[%i] : memref<64xf32>, vector<8xf32>
        %q = arith.divf %a, %all : vector<8xf32>
        %s = arith.addf %q, %all : vector<8xf32>
        affine.vector_store %s, %A[%i] : memref<64xf32>, vector<8xf32>
      }
      return
    })");
  SmallVector<Operation *> ops = opsOf(*module);
  SmallVector<Operation *> before = ops;
  hoistDivisions(ops);
  EXPECT_EQ(ops, before);
  EXPECT_EQ(count<vector::BroadcastOp>(*module), 2);
}

// The divisor changes in the loop.
TEST_F(HoistDivisionsTest, OtherDivisorsStay) {
  auto module = parse(R"(
    func.func @f(%A: memref<64xf32>, %D: memref<64xf32>) {
      affine.for %i = 0 to 64 step 8 {
        %d = affine.load %D[%i] : memref<64xf32>
        %all = vector.broadcast %d : f32 to vector<8xf32>
        %a = affine.vector_load %A[%i] : memref<64xf32>, vector<8xf32>
        %q = arith.divf %a, %all : vector<8xf32>
        affine.vector_store %q, %A[%i] : memref<64xf32>, vector<8xf32>
      }
      return
    })");
  SmallVector<Operation *> ops = opsOf(*module);
  hoistDivisions(ops);
  EXPECT_EQ(count<arith::MulFOp>(*module), 0);
}

} // namespace
