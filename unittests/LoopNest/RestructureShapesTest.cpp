//===- RestructureShapesTest.cpp - What nests may look like ---------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Strides, parameters, conditions, carried values, scf loops, neighboring
// nests, statements of several stores.
//
//===----------------------------------------------------------------------===//

#include "RestructureHelpers.h"

using namespace baco::loopnest;

TEST_F(RestructureTest, StridesAndConditions) {
  const char payload[] = R"(
  func.func @f(%A: memref<40x40xf64>) {
    %two = arith.constant 2.0 : f64
    affine.for %i = 3 to 37 step 3 {
      affine.for %j = max affine_map<(d0) -> (d0 - 5, 2)>(%i)
          to min affine_map<(d0) -> (d0 + 9, 38)>(%i) step 2 {
        affine.if affine_set<(d0, d1) : (d0 + d1 - 30 >= 0)>(%i, %j) {
          %a = affine.load %A[%i, %j] : memref<40x40xf64>
          %b = arith.mulf %a, %two : f64
          affine.store %b, %A[%i, %j] : memref<40x40xf64>
        } else {
          %a = affine.load %A[%j, %i] : memref<40x40xf64>
          affine.store %a, %A[%j, %i + 1] : memref<40x40xf64>
        }
      }
    }
    return
  })";
  for (const char *script :
       {"\"original()\"", "\"tile(0,1,6)\"", "\"unroll(0,2,2)\""})
    EXPECT_EQ(run(payload, script, {{40, 40}}), "") << script;
}

TEST_F(RestructureTest, Parameters) {
  const char payload[] = R"(
  func.func @f(%A: memref<?x?xf64>, %B: memref<?xf64>, %C: memref<?xf64>,
               %s: index) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %n = memref.dim %A, %c0 : memref<?x?xf64>
    %m = memref.dim %A, %c1 : memref<?x?xf64>
    affine.for %i = 0 to %n {
      affine.for %j = %s to affine_map<()[s0] -> (s0 - 1)>()[%m] {
        %c = affine.load %C[%i] : memref<?xf64>
        %a = affine.load %A[%i, %j] : memref<?x?xf64>
        %b = affine.load %B[%j] : memref<?xf64>
        %p = arith.mulf %a, %b : f64
        %t = arith.addf %c, %p : f64
        affine.store %t, %C[%i] : memref<?xf64>
      }
    }
    return
  })";
  for (const char *script :
       {"\"original()\"", "\"permute([2,1])\"", "\"tile(0,2,4) tile(0,2,3)\"",
        "\"tile(0,2,4) tile(0,2,3) datacopy(0,3,2)\"",
        "\"tile(0,2,8) datacopy(0,2,3) unroll(0,2,4)\""})
    for (int64_t start : {0, 3, 12})
      EXPECT_EQ(run(payload, script, {{11, 13}, {13}, {11}}, {start}), "")
          << script << " from " << start;
}

TEST_F(RestructureTest, CarriedValues) {
  const char payload[] = R"(
  func.func @f(%A: memref<9x14xf64>, %x: memref<14xf64>, %y: memref<9xf64>,
               %z: memref<9xf64>) {
    %zero = arith.constant 0.0 : f64
    affine.for %i = 0 to 9 {
      %sum, %most = affine.for %j = 0 to 14
          iter_args(%s = %zero, %m = %zero) -> (f64, f64) {
        %a = affine.load %A[%i, %j] : memref<9x14xf64>
        %b = affine.load %x[%j] : memref<14xf64>
        %p = arith.mulf %a, %b : f64
        %t = arith.addf %s, %p : f64
        %u = arith.maximumf %m, %p : f64
        affine.yield %t, %u : f64, f64
      }
      affine.store %sum, %y[%i] : memref<9xf64>
      %q = arith.mulf %most, %most : f64
      affine.store %q, %z[%i] : memref<9xf64>
    }
    return
  })";
  for (const char *script : {"\"original()\"", "\"distribute([],1)\"",
                             "\"tile(2,2,4,2)\"", "\"auto(smart)\""})
    EXPECT_EQ(run(payload, script, {{9, 14}, {14}, {9}, {9}}), "") << script;
}

/// Conditions on indices (one loop keeps its sum where they don't hold, the
/// other reads beyond the row), one on data in a branch of another, and a pair
/// of value and position.
TEST_F(RestructureTest, CarriedConditionals) {
  const char payload[] = R"(
  func.func @f(%A: memref<9x14xf64>, %y: memref<9xf64>, %z: memref<9xf64>,
               %p: memref<9xf64>, %q: memref<9xf64>) {
    %zero = arith.constant 0.0 : f64
    %half = arith.constant 0.5 : f64
    affine.for %i = 0 to 9 {
      %first = affine.load %y[%i] : memref<9xf64>
      %r:4 = affine.for %j = 0 to 14
          iter_args(%s = %first, %t = %half, %m = %zero, %at = %zero)
          -> (f64, f64, f64, f64) {
        %a = affine.load %A[%i, %j] : memref<9x14xf64>
        %s1 = affine.if affine_set<(d0, d1) : (d0 - d1 - 2 >= 0)>(%j, %i)
            -> f64 {
          %u = arith.addf %s, %a : f64
          affine.yield %u : f64
        } else {
          %u = arith.mulf %s, %half : f64
          affine.yield %u : f64
        }
        %s2 = affine.if affine_set<(d0) : (12 - d0 >= 0)>(%j) -> f64 {
          %next = affine.load %A[%i, %j + 1] : memref<9x14xf64>
          %u = arith.subf %s1, %next : f64
          affine.yield %u : f64
        } else {
          %u = arith.mulf %s1, %half : f64
          affine.yield %u : f64
        }
        %above = arith.cmpf ogt, %a, %half : f64
        %far = arith.cmpf ogt, %a, %zero : f64
        %t2 = scf.if %above -> f64 {
          %v = scf.if %far -> f64 {
            %u = arith.subf %t, %a : f64
            scf.yield %u : f64
          } else {
            scf.yield %t : f64
          }
          scf.yield %v : f64
        } else {
          %u = arith.mulf %a, %t : f64
          scf.yield %u : f64
        }
        %more = arith.cmpf ogt, %a, %m : f64
        %m2 = arith.select %more, %a, %m : f64
        %j32 = arith.index_cast %j : index to i32
        %place = arith.sitofp %j32 : i32 to f64
        %at2 = arith.select %more, %place, %at : f64
        affine.yield %s2, %t2, %m2, %at2 : f64, f64, f64, f64
      }
      affine.store %r#0, %y[%i] : memref<9xf64>
      %sum = arith.addf %r#1, %r#2 : f64
      affine.store %sum, %z[%i] : memref<9xf64>
      affine.store %r#3, %p[%i] : memref<9xf64>
      %last = affine.for %j = 0 to 14 iter_args(%s = %zero) -> f64 {
        %u = affine.if affine_set<(d0, d1) : (d0 - d1 - 2 >= 0)>(%j, %i)
            -> f64 {
          affine.yield %s : f64
        } else {
          %a = affine.load %A[%i, %j] : memref<9x14xf64>
          %b = arith.subf %s, %a : f64
          affine.yield %b : f64
        }
        affine.yield %u : f64
      }
      affine.store %last, %q[%i] : memref<9xf64>
    }
    return
  })";
  for (const char *script : {"\"original()\"", "\"auto(smart)\""})
    EXPECT_EQ(run(payload, script, {{9, 14}, {9}, {9}, {9}, {9}}), "")
        << script;
}

/// What a sum skips adds nothing, not even the sign of a zero.
TEST_F(RestructureTest, SelectedTerms) {
  const char payload[] = R"(
  func.func @f(%A: memref<40xf64>, %y: memref<4xf64>) {
    %half = arith.constant 0.5 : f64
    affine.for %i = 0 to 40 {
      %a = affine.load %A[%i] : memref<40xf64>
      %c = arith.cmpf olt, %a, %half : f64
      %s = affine.load %y[0] : memref<4xf64>
      %add = arith.addf %a, %s : f64
      %s2 = arith.select %c, %add, %s : f64
      affine.store %s2, %y[0] : memref<4xf64>
      %p = affine.load %y[1] : memref<4xf64>
      %mul = arith.mulf %p, %a : f64
      %p2 = arith.select %c, %p, %mul : f64
      affine.store %p2, %y[1] : memref<4xf64>
      %d = affine.load %y[2] : memref<4xf64>
      %sub = arith.subf %d, %a : f64
      %d2 = arith.select %c, %sub, %d : f64
      affine.store %d2, %y[2] : memref<4xf64>
      %e = affine.load %y[3] : memref<4xf64>
      %rest = arith.subf %a, %e : f64
      %e2 = arith.select %c, %rest, %e : f64
      affine.store %e2, %y[3] : memref<4xf64>
    }
    return
  })";
  for (const char *script : {"\"original()\"", "\"auto(smart)\""})
    EXPECT_EQ(run(payload, script, {{40}, {4}}), "") << script;
}

TEST_F(RestructureTest, ScfLoops) {
  const char payload[] = R"(
  func.func @f(%A: memref<12x15xf64>, %B: memref<15x12xf64>) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c12 = arith.constant 12 : index
    scf.for %i = %c0 to %c12 step %c1 {
      %end = arith.addi %i, %c2 : index
      scf.for %j = %c1 to %end step %c2 {
        %small = arith.cmpi slt, %j, %i : index
        scf.if %small {
          %next = arith.addi %j, %c1 : index
          %a = memref.load %A[%i, %next] : memref<12x15xf64>
          memref.store %a, %B[%j, %i] : memref<15x12xf64>
        }
      }
    }
    return
  })";
  for (const char *script :
       {"\"original()\"", "\"permute([2,1])\"", "\"tile(0,2,4) tile(0,2,4)\""})
    EXPECT_EQ(run(payload, script, {{12, 15}, {15, 12}}), "") << script;
}

TEST_F(RestructureTest, NeighboringNests) {
  // The values that stores share, and an exchange of two elements.
  const char payload[] = R"(
  func.func @f(%A: memref<16x16xf64>, %x: memref<16xf64>, %y: memref<16xf64>) {
    affine.for %i = 0 to 16 {
      affine.for %j = 0 to 16 {
        %a = affine.load %A[%i, %j] : memref<16x16xf64>
        %b = affine.load %x[%i] : memref<16xf64>
        %c = affine.load %y[%j] : memref<16xf64>
        %p = arith.mulf %b, %c : f64
        %s = arith.addf %a, %p : f64
        affine.store %s, %A[%i, %j] : memref<16x16xf64>
      }
    }
    affine.for %i = 0 to 16 {
      affine.for %j = 0 to 16 {
        %a = affine.load %A[%j, %i] : memref<16x16xf64>
        %b = affine.load %x[%i] : memref<16xf64>
        %s = arith.addf %a, %b : f64
        affine.store %s, %x[%i] : memref<16xf64>
      }
    }
    affine.for %i = 0 to 8 {
      %a = affine.load %x[%i] : memref<16xf64>
      %b = affine.load %x[15 - %i] : memref<16xf64>
      affine.store %b, %x[%i] : memref<16xf64>
      affine.store %a, %x[15 - %i] : memref<16xf64>
    }
    return
  })";
  for (const char *script :
       {"\"original()\"", "\"permute(1,[2,1])\"", "\"tile(0,2,4)\"",
        "\"reverse(2,1)\"", "\"auto(min)\""})
    EXPECT_EQ(run(payload, script, {{16, 16}, {16}, {16}}), "") << script;
}

TEST_F(RestructureTest, WhatIsNotAffine) {
  // A condition on data, and a subscript that is loaded.
  const char payload[] = R"(
  func.func @f(%A: memref<12xf64>, %B: memref<12xf64>) {
    %half = arith.constant 0.06 : f64
    %eight = arith.constant 8.0 : f64
    affine.for %t = 0 to 3 {
      affine.for %i = 0 to 12 {
        %a = affine.load %A[%i] : memref<12xf64>
        %large = arith.cmpf ogt, %a, %half : f64
        scf.if %large {
          %scaled = arith.mulf %a, %eight : f64
          %number = arith.fptosi %scaled : f64 to i64
          %index = arith.index_cast %number : i64 to index
          %b = memref.load %A[%index] : memref<12xf64>
          affine.store %b, %B[%i] : memref<12xf64>
        }
      }
    }
    return
  })";
  for (const char *script :
       {"\"original()\"", "\"permute([2,1])\"", "\"unroll(0,2,4)\"",
        "\"tile(0,2,5) datacopy(0,2,0)\""})
    EXPECT_EQ(run(payload, script, {{12}, {12}}), "") << script;
}

TEST_F(RestructureTest, InParallel) {
  const char payload[] = R"(
  func.func @f(%A: memref<30x20xf64>, %B: memref<20xf64>) {
    affine.for %i = 0 to 30 {
      affine.for %j = 1 to 20 {
        %a = affine.load %A[%i, %j - 1] : memref<30x20xf64>
        %b = affine.load %B[%j] : memref<20xf64>
        %s = arith.addf %a, %b : f64
        affine.store %s, %A[%i, %j] : memref<30x20xf64>
      }
    }
    return
  })";
  for (const char *script :
       {"\"parallelize(0,1)\"", "\"tile(0,1,4) parallelize(0,1)\"",
        "\"permute([2,1]) parallelize(0,2)\"",
        "\"datacopy(0,1,2) parallelize(0,1)\""})
    EXPECT_EQ(run(payload, script, {{30, 20}, {20}}), "") << script;
  EXPECT_NE(run(payload, "\"parallelize(0,2)\"", {{30, 20}, {20}})
                .find("the new order of the loops is illegal"),
            std::string::npos);
}

/// Tiles of a triangle leave a rest whose only row depends on a condition.
TEST_F(RestructureTest, OneIterationAtOneOfTwoPlaces) {
  const char payload[] = R"(
  func.func @f(%A: memref<87xf64>, %s: memref<1xf64>) {
    affine.for %i = 0 to 31 {
      affine.for %j = affine_map<(d0) -> (d0 + 2)>(%i) to 31 {
        affine.for %k = 0 to 3 {
          %a = affine.load %A[%j * 2 - %i + 26] : memref<87xf64>
          %b = affine.load %s[0] : memref<1xf64>
          %p = arith.mulf %a, %b : f64
          affine.store %p, %A[%j * 2 - %i + 26] : memref<87xf64>
        }
      }
    }
    return
  })";
  EXPECT_EQ(run(payload, "\"tile(0,2,15,2) unroll(0,3,4) vectorize(0,4,4)\"",
                {{87}, {1}}),
            "");
}

/// isl writes a condition that always holds as 1.
TEST_F(RestructureTest, DisjunctionWithAConstant) {
  const char payload[] = R"(
  func.func @f(%A: memref<34x44xf64>, %B: memref<69xf64>) {
    affine.for %i = 2 to 34 {
      affine.for %j = affine_map<(d0) -> (d0 + 2)>(%i) to 34 step 5 {
        affine.for %k = 0 to affine_map<(d0) -> (d0 floordiv 4 + 1)>(%j) {
          affine.if affine_set<(d0) : (d0 mod 2 == 0)>(%j) {
            %a = affine.load %A[%j, (%i + %k + 2) floordiv 3]
                : memref<34x44xf64>
            %b = affine.load %B[%k + 2] : memref<69xf64>
            %s = arith.addf %a, %b : f64
            affine.store %s, %A[%j, (%i + %k + 2) floordiv 3]
                : memref<34x44xf64>
          }
        }
      }
    }
    return
  })";
  EXPECT_EQ(run(payload,
                "\"skew(0,2,[1,1]) skew(0,3,[0,1,1]) tile(0,1,4) "
                "tile(0,3,16,2) unroll(0,4,16)\"",
                {{34, 44}, {69}}),
            "");
}
