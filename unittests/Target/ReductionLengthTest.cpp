//===- ReductionLengthTest.cpp - How many terms results are sums of -------===//
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

using ReductionLengthTest = KernelSignatureTest;

TEST_F(ReductionLengthTest, LoopsThatTheStoreDoesNotDependOnAreSums) {
  Signature s = readBody("%a: memref<4x7xf32>, %c: memref<4xf32>", R"(
    affine.for %i = 0 to 4 {
      affine.for %k = 0 to 7 {
        %x = affine.load %a[%i, %k] : memref<4x7xf32>
        %y = affine.load %c[%i] : memref<4xf32>
        %z = arith.addf %x, %y : f32
        affine.store %z, %c[%i] : memref<4xf32>
      }
    })");
  EXPECT_EQ(outputs(s), "io");
  EXPECT_EQ(s.reductionLength, 7);
}

TEST_F(ReductionLengthTest, IndicesThatAreComputedCount) {
  // c[2 * i] is another element in each iteration; of unknown bounds the
  // largest extent stands for the trip count.
  Signature s = readBody("%c: memref<64xf32>, %n: index, %x: f32", R"(
    %zero = arith.constant 0 : index
    %one = arith.constant 1 : index
    %two = arith.constant 2 : index
    %four = arith.constant 4 : index
    scf.for %t = %zero to %n step %one {
      scf.for %i = %zero to %four step %one {
        %j = arith.muli %i, %two : index
        memref.store %x, %c[%j] : memref<64xf32>
      }
    })");
  EXPECT_EQ(s.reductionLength, 64);
}

TEST_F(ReductionLengthTest, ValuesThatLoopsCarryAreSums) {
  Signature s = readBody("%a: memref<6x900xf32>, %c: memref<6xf32>", R"(
    %z = arith.constant 0.0 : f32
    affine.for %i = 0 to 6 {
      %s = affine.for %k = 0 to 900 iter_args(%acc = %z) -> f32 {
        %x = affine.load %a[%i, %k] : memref<6x900xf32>
        %y = arith.addf %acc, %x : f32
        affine.yield %y : f32
      }
      affine.store %s, %c[%i] : memref<6xf32>
    })");
  EXPECT_EQ(s.reductionLength, 900);
  s = readBody("%c: memref<1xf32>, %x: f32", R"(
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c40 = arith.constant 40 : index
    scf.for %k = %c0 to %c40 step %c1 {
      %s = scf.for %j = %c0 to %c40 step %c1 iter_args(%acc = %x) -> f32 {
        %y = arith.addf %acc, %x : f32
        scf.yield %y : f32
      }
      %old = memref.load %c[%c0] : memref<1xf32>
      %new = arith.addf %old, %s : f32
      memref.store %new, %c[%c0] : memref<1xf32>
    })");
  EXPECT_EQ(s.reductionLength, 40 * 40);
}

TEST_F(ReductionLengthTest, AffineTripCountsAreRead) {
  // Neither 8 nor 6: 300 sweeps over all elements.
  Signature s = readBody("%a: memref<8xf32>", R"(
    affine.for %t = 0 to 300 {
      affine.for %i = 1 to 7 {
        %x = affine.load %a[%i] : memref<8xf32>
        %y = arith.addf %x, %x : f32
        affine.store %y, %a[%i] : memref<8xf32>
      }
    })");
  EXPECT_EQ(s.reductionLength, 300);
}

TEST_F(ReductionLengthTest, VectorsThatAreReducedAreSums) {
  Signature s = readBody(
      "%A: memref<64x512xf32>, %B: memref<512xf32>, %C: memref<64xf32>", R"(
    %c0 = arith.constant 0 : index
    %z = arith.constant 0.0 : f32
    %a = vector.transfer_read %A[%c0, %c0], %z
      : memref<64x512xf32>, vector<64x512xf32>
    %b = vector.transfer_read %B[%c0], %z : memref<512xf32>, vector<512xf32>
    %c = vector.transfer_read %C[%c0], %z : memref<64xf32>, vector<64xf32>
    %r = vector.contract {
      indexing_maps = [affine_map<(i, k) -> (i, k)>, affine_map<(i, k) -> (k)>,
                       affine_map<(i, k) -> (i)>],
      iterator_types = ["parallel", "reduction"],
      kind = #vector.kind<add>} %a, %b, %c
      : vector<64x512xf32>, vector<512xf32> into vector<64xf32>
    vector.transfer_write %r, %C[%c0] : vector<64xf32>, memref<64xf32>)");
  // And the accumulator.
  EXPECT_EQ(s.reductionLength, 513);
  s = readBody("%a: memref<32xf32>, %c: memref<f32>", R"(
    %c0 = arith.constant 0 : index
    %v = vector.load %a[%c0] : memref<32xf32>, vector<32xf32>
    %r = vector.reduction <add>, %v : vector<32xf32> into f32
    memref.store %r, %c[] : memref<f32>)");
  EXPECT_GE(s.reductionLength, 32);
  EXPECT_LE(s.reductionLength, 64);
}

TEST_F(ReductionLengthTest, WhatIsCalledCounts) {
  Signature s = read(R"(
    func.func private @inner(%a: memref<512xf32>, %c: memref<f32>) {
      linalg.dot ins(%a, %a : memref<512xf32>, memref<512xf32>)
                 outs(%c : memref<f32>)
      return
    }
    func.func private @sum(%x: f32, %y: f32) -> f32 {
      %z = arith.addf %x, %y : f32
      return %z : f32
    }
    func.func @f(%a: memref<512xf32>, %c: memref<f32>, %d: memref<9xf32>,
                 %x: f32) {
      affine.for %t = 0 to 3 {
        func.call @inner(%a, %c) : (memref<512xf32>, memref<f32>) -> ()
      }
      affine.for %i = 0 to 9 {
        %y = func.call @sum(%x, %x) : (f32, f32) -> f32
        affine.store %y, %d[%i] : memref<9xf32>
      }
      return
    })");
  EXPECT_GE(s.reductionLength, 3 * 512 + 2);
  EXPECT_LE(s.reductionLength, 3 * 512 + 4);
}

TEST_F(ReductionLengthTest, FunctionsThatCallThemselvesAreCounted) {
  Signature s = read(R"(
    func.func @f(%c: memref<70xf32>, %p: i1) {
      scf.if %p {
        func.call @f(%c, %p) : (memref<70xf32>, i1) -> ()
      }
      return
    })");
  EXPECT_EQ(s.reductionLength, 70);
}

TEST_F(ReductionLengthTest, TheTermsOfAChainAddUp) {
  // D += (A * B) * B: relative errors of 5 roundings and of 5 more.
  Signature s = readBody("%a: memref<4x5xf32>, %b: memref<5x5xf32>, %t: "
                         "memref<4x5xf32>, %d: memref<4x5xf32>",
                         R"(
    linalg.matmul ins(%a, %b : memref<4x5xf32>, memref<5x5xf32>)
                  outs(%t : memref<4x5xf32>)
    linalg.matmul ins(%t, %b : memref<4x5xf32>, memref<5x5xf32>)
                  outs(%d : memref<4x5xf32>))");
  EXPECT_EQ(s.reductionLength, 10);
}

TEST_F(ReductionLengthTest, ComplexNumbersAreSumsOfTwoProducts) {
  Signature s =
      readBody("%a: memref<8xcomplex<f32>>, %c: memref<8xcomplex<f32>>", R"(
    affine.for %i = 0 to 8 {
      %x = affine.load %a[%i] : memref<8xcomplex<f32>>
      %y = affine.load %c[%i] : memref<8xcomplex<f32>>
      %xy = complex.mul %x, %y : complex<f32>
      %z = complex.add %xy, %y : complex<f32>
      affine.store %z, %c[%i] : memref<8xcomplex<f32>>
    })");
  EXPECT_EQ(s.reductionLength, 3);
  EXPECT_EQ(s.roundedTo, ElementType::F32);
  s = readMatmul("complex<f64>", "complex<f64>");
  EXPECT_EQ(s.reductionLength, 14);
}

TEST_F(ReductionLengthTest, TheLeastPreciseRoundingCounts) {
  // A sum in f32 of products of f16 numbers.
  Signature s = readMatmul("f16", "f32");
  EXPECT_EQ(s.roundedTo, ElementType::F32);
  s = read(R"(
    func.func private @narrow(%x: f32) -> f32 {
      %y = arith.truncf %x : f32 to bf16
      %z = arith.extf %y : bf16 to f32
      return %z : f32
    }
    func.func @f(%a: memref<4xf32>, %i: index) {
      %x = memref.load %a[%i] : memref<4xf32>
      %y = func.call @narrow(%x) : (f32) -> f32
      memref.store %y, %a[%i] : memref<4xf32>
      return
    })");
  EXPECT_EQ(s.roundedTo, ElementType::BF16);
  // A softmax rounds in the type of its elements.
  s = readBody("%a: memref<4x8xf16>", R"(
    linalg.softmax dimension(1) ins(%a : memref<4x8xf16>)
                                outs(%a : memref<4x8xf16>))");
  EXPECT_EQ(s.roundedTo, ElementType::F16);
  // Tensor cores may take f32 for as many digits as f16 has.
  s = readBody("%a: memref<8x8xf32>, %c: memref<8x8xf32>", R"(
    linalg.matmul {baco.tf32} ins(%a, %a : memref<8x8xf32>, memref<8x8xf32>)
                              outs(%c : memref<8x8xf32>))");
  EXPECT_EQ(s.roundedTo, ElementType::F16);
  // What is only moved isn't rounded.
  s = readBody("%a: memref<4xf16>, %b: memref<4xf64>, %i: index", R"(
    %x = memref.load %a[%i] : memref<4xf16>
    %y = arith.extf %x : f16 to f64
    %z = arith.negf %y : f64
    memref.store %z, %b[%i] : memref<4xf64>)");
  EXPECT_EQ(s.roundedTo, ElementType::F64);
}
