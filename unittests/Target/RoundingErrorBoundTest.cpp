//===- RoundingErrorBoundTest.cpp - Tests of kernels that bound others
//--------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What majorants compute is tested in ModuleCompilerTest, where their IR isn't
// verified.
//
//===----------------------------------------------------------------------===//

#include "TestHelpers.h"

#include "baco/KernelAnalysis/KernelSignature.h"

#include "mlir/IR/Verifier.h"

using namespace mlir;
using namespace baco::target;

using RoundingErrorBoundTest = ModuleTest;

/// Nothing comes before the address of the constants, which are read first.
TEST_F(RoundingErrorBoundTest, ConstantsInMemory) {
  OwningOpRef<ModuleOp> module = parse(R"(
    memref.global "private" constant @w : memref<2xf32> = dense<[-3.0, 2.0]>
    func.func @f(%a: memref<2xf32>) {
      %w = memref.get_global @w : memref<2xf32>
      affine.for %i = 0 to 2 {
        %v = memref.get_global @w : memref<2xf32>
        %x = affine.load %a[%i] : memref<2xf32>
        %y = affine.load %v[%i] : memref<2xf32>
        %z = affine.load %w[%i] : memref<2xf32>
        %p = arith.mulf %x, %y : f32
        %s = arith.addf %p, %z : f32
        affine.store %s, %a[%i] : memref<2xf32>
      }
      return
    })");
  ASSERT_TRUE(module);
  auto kernel = module->lookupSymbol<func::FuncOp>("f");
  ASSERT_TRUE(needsErrorBound(kernel));
  ASSERT_TRUE(succeeded(makeErrorBound(kernel)));
  EXPECT_TRUE(succeeded(verify(*module)));
}

/// Choices and comparisons are those of the values.
TEST_F(RoundingErrorBoundTest, Selections) {
  OwningOpRef<ModuleOp> module = parse(R"(
    func.func @f(%a: memref<4xf32>, %n: i32) {
      %least = arith.constant 0.1 : f32
      %one = arith.constant 1.0 : f32
      %count = arith.sitofp %n : i32 to f32
      affine.for %i = 0 to 4 {
        %x = affine.load %a[%i] : memref<4xf32>
        %d = arith.subf %x, %count : f32
        %s = math.absf %d : f32
        %m = arith.maximumf %s, %x : f32
        %c = arith.cmpf ole, %m, %least : f32
        %r = arith.select %c, %one, %m : f32
        affine.store %r, %a[%i] : memref<4xf32>
      }
      return
    })");
  ASSERT_TRUE(module);
  auto kernel = module->lookupSymbol<func::FuncOp>("f");
  ASSERT_TRUE(needsErrorBound(kernel));
  ASSERT_TRUE(succeeded(makeErrorBound(kernel)));
  EXPECT_TRUE(succeeded(verify(*module)));
}
