//===- RestructureKernelsTest.cpp - New orders of known kernels -----------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The recipes of Table 1 of Tiwari et al., "A scalable auto-tuning framework
// for compiler optimization" (IPDPS 2009), as written there, and other orders
// of the same and similar kernels. Sizes divide tiles, or don't.
//
//===----------------------------------------------------------------------===//

#include "RestructureHelpers.h"

using namespace baco::loopnest;

/// `name` of `text` replaced by `value`, everywhere.
static std::string with(std::string text, const std::string &name,
                        int64_t value) {
  std::string number = std::to_string(value);
  for (size_t at = 0; (at = text.find(name, at)) != std::string::npos;
       at += number.size())
    text.replace(at, name.size(), number);
  return text;
}

/// C += A * B, loops in Fortran's order J, K, I.
static const char matmulText[] = R"(
  func.func @f(%A: memref<@Nx@Nxf64>, %B: memref<@Nx@Nxf64>,
               %C: memref<@Nx@Nxf64>) {
    affine.for %j = 0 to @N {
      affine.for %k = 0 to @N {
        affine.for %i = 0 to @N {
          %c = affine.load %C[%i, %j] : memref<@Nx@Nxf64>
          %a = affine.load %A[%i, %k] : memref<@Nx@Nxf64>
          %b = affine.load %B[%k, %j] : memref<@Nx@Nxf64>
          %p = arith.mulf %a, %b : f64
          %s = arith.addf %c, %p : f64
          affine.store %s, %C[%i, %j] : memref<@Nx@Nxf64>
        }
      }
    }
    return
  })";

TEST_F(RestructureTest, MatmulOfTable1) {
  for (int64_t n : {16, 19})
    for (int64_t tile : {0, 1, 4, 32})
      for (int64_t unroll : {1, 2, 3}) {
        std::string script =
            with(with("\"permute([3,1,2]) tile(0,2,@T) tile(0,2,@T) "
                      "tile(0,5,@T) datacopy(0,3,2,1) datacopy(0,4,3) "
                      "unroll(0,4,@U) unroll(0,5,@U)\"",
                      "@T", tile),
                 "@U", unroll);
        EXPECT_EQ(
            run(with(matmulText, "@N", n), script, {{n, n}, {n, n}, {n, n}}),
            "")
            << n << " " << script;
      }
}

TEST_F(RestructureTest, MatmulInVectors) {
  // k0, j0, copy of B, i0, i, j, k with a tile of C in registers.
  for (int64_t n : {16, 19})
    for (const char *script :
         {"\"permute([3,1,2]) tile(0,3,16) tile(0,3,8) datacopy(0,3,3) "
          "unroll(0,3,4) vectorize(0,4,8)\"",
          "\"vectorize(0,1,4)\"", "\"vectorize(0,2,4)\"",
          "\"permute([2,3,1]) vectorize(0,3,8)\"",
          "\"permute([3,2,1]) unroll(0,1,4) vectorize(0,3,8)\""})
      EXPECT_EQ(
          run(with(matmulText, "@N", n), script, {{n, n}, {n, n}, {n, n}}), "")
          << n << " " << script;
}

/// B := L^-1 B for a unit lower triangular L, loops in the order J, K, I.
static const char trsm[] = R"(
  func.func @f(%A: memref<@Nx@Nxf64>, %B: memref<@Nx@Nxf64>) {
    affine.for %j = 0 to @N {
      affine.for %k = 0 to @N {
        affine.for %i = affine_map<(d0) -> (d0 + 1)>(%k) to @N {
          %c = affine.load %B[%i, %j] : memref<@Nx@Nxf64>
          %b = affine.load %B[%k, %j] : memref<@Nx@Nxf64>
          %a = affine.load %A[%i, %k] : memref<@Nx@Nxf64>
          %p = arith.mulf %b, %a : f64
          %s = arith.subf %c, %p : f64
          affine.store %s, %B[%i, %j] : memref<@Nx@Nxf64>
        }
      }
    }
    return
  })";

TEST_F(RestructureTest, TrsmOfTable1) {
  for (int64_t n : {16, 19})
    for (int64_t tile : {4, 5, 32})
      for (int64_t unroll : {1, 2}) {
        std::string script =
            with(with("\"permute([1,3,2]) tile(0,3,@T) split(0,2,L3>=L1+@T) "
                      "tile(0,3,@T,2) tile(0,3,@T,2) datacopy(0,3,2) "
                      "datacopy(0,4,3,1) unroll(0,4,@U) unroll(0,5,@U) "
                      "datacopy(1,2,3,1) unroll(1,2,@U) unroll(1,3,@U)\"",
                      "@T", tile),
                 "@U", unroll);
        EXPECT_EQ(run(with(trsm, "@N", n), script, {{n, n}, {n, n}}), "")
            << n << " " << script;
      }
}

static const char jacobi[] = R"(
  func.func @f(%A: memref<@Nx@Nx@Nxf64>, %B: memref<@Nx@Nx@Nxf64>) {
    %w = arith.constant 0.125 : f64
    affine.for %k = 1 to #E {
      affine.for %j = 1 to #E {
        affine.for %i = 1 to #E {
          %0 = affine.load %B[%i - 1, %j, %k] : memref<@Nx@Nx@Nxf64>
          %1 = affine.load %B[%i + 1, %j, %k] : memref<@Nx@Nx@Nxf64>
          %2 = affine.load %B[%i, %j - 1, %k] : memref<@Nx@Nx@Nxf64>
          %3 = affine.load %B[%i, %j + 1, %k] : memref<@Nx@Nx@Nxf64>
          %4 = affine.load %B[%i, %j, %k - 1] : memref<@Nx@Nx@Nxf64>
          %5 = affine.load %B[%i, %j, %k + 1] : memref<@Nx@Nx@Nxf64>
          %6 = arith.addf %0, %1 : f64
          %7 = arith.addf %2, %3 : f64
          %8 = arith.addf %4, %5 : f64
          %9 = arith.addf %6, %7 : f64
          %10 = arith.addf %8, %9 : f64
          %11 = arith.mulf %w, %10 : f64
          affine.store %11, %A[%i, %j, %k] : memref<@Nx@Nx@Nxf64>
        }
      }
    }
    return
  })";

TEST_F(RestructureTest, JacobiOfTable1) {
  for (int64_t n : {10, 11})
    for (int64_t tile : {0, 1, 4})
      for (int64_t unroll : {1, 4}) {
        std::string script =
            with(with("\"original() tile(0, 3, @T) tile(0, 3, @T) "
                      "tile(0, 3, @T) unroll(0,5,@U)\"",
                      "@T", tile),
                 "@U", unroll);
        EXPECT_EQ(run(with(with(jacobi, "@N", n), "#E", n - 1), script,
                      {{n, n, n}, {n, n, n}}),
                  "")
            << n << " " << script;
      }
}

/// An imperfect nest: LU without pivoting.
static const char lu[] = R"(
  func.func @f(%A: memref<@Nx@Nxf64>) {
    affine.for %k = 0 to @N {
      affine.for %i = affine_map<(d0) -> (d0 + 1)>(%k) to @N {
        %a = affine.load %A[%i, %k] : memref<@Nx@Nxf64>
        %d = affine.load %A[%k, %k] : memref<@Nx@Nxf64>
        %q = arith.divf %a, %d : f64
        affine.store %q, %A[%i, %k] : memref<@Nx@Nxf64>
        affine.for %j = affine_map<(d0) -> (d0 + 1)>(%k) to @N {
          %x = affine.load %A[%i, %j] : memref<@Nx@Nxf64>
          %l = affine.load %A[%i, %k] : memref<@Nx@Nxf64>
          %u = affine.load %A[%k, %j] : memref<@Nx@Nxf64>
          %p = arith.mulf %l, %u : f64
          %s = arith.subf %x, %p : f64
          affine.store %s, %A[%i, %j] : memref<@Nx@Nxf64>
        }
      }
    }
    return
  })";

TEST_F(RestructureTest, Lu) {
  for (const char *script :
       {"\"original()\"", "\"distribute([0,1],2)\"",
        "\"distribute([0,1],2) permute(1,[1,3,2])\"", "\"tile(1,3,4,2)\"",
        "\"distribute([0,1],2) tile(1,3,5,2) unroll(1,3,2)\"",
        "\"auto(smart)\"", "\"auto(max)\"", "\"auto(min)\""})
    EXPECT_EQ(run(with(lu, "@N", 13), script, {{13, 13}}), "") << script;
}

TEST_F(RestructureTest, LuBackwardsIsIllegal) {
  EXPECT_NE(run(with(lu, "@N", 13), "\"reverse(0,1)\"", {{13, 13}})
                .find("the new order of the loops is illegal"),
            std::string::npos);
}

/// Lower triangle of C += A * A^T.
static const char syrk[] = R"(
  func.func @f(%A: memref<@Nx@Nxf64>, %C: memref<@Nx@Nxf64>) {
    affine.for %i = 0 to @N {
      affine.for %j = 0 to affine_map<(d0) -> (d0 + 1)>(%i) {
        affine.for %k = 0 to @N {
          %a = affine.load %A[%i, %k] : memref<@Nx@Nxf64>
          %b = affine.load %A[%j, %k] : memref<@Nx@Nxf64>
          %c = affine.load %C[%i, %j] : memref<@Nx@Nxf64>
          %p = arith.mulf %a, %b : f64
          %s = arith.addf %c, %p : f64
          affine.store %s, %C[%i, %j] : memref<@Nx@Nxf64>
        }
      }
    }
    return
  })";

TEST_F(RestructureTest, Syrk) {
  for (const char *script :
       {"\"permute([3,1,2])\"", "\"permute([2,3,1])\"", "\"tile(0,2,4)\"",
        "\"tile(0,2,4) tile(0,2,4) tile(0,5,4)\"",
        "\"permute([1,3,2]) unroll(0,1,4)\"",
        "\"tile(0,2,4) tile(0,2,4) datacopy(0,3,2,1)\"",
        "\"split(0,1,L1>=7) permute(0,[3,1,2])\"", "\"reverse(0,3)\"",
        "\"shift(0,1,3) scale(0,2,2)\"",
        "\"permute([1,3,2]) vectorize(0,3,4)\"", "\"vectorize(0,3,4)\"",
        "\"vectorize(0,2,4)\"", "\"auto(smart)\""})
    EXPECT_EQ(run(with(syrk, "@N", 14), script, {{14, 14}, {14, 14}}), "")
        << script;
}

/// Two arrays in turns.
static const char jacobi1d[] = R"(
  func.func @f(%A: memref<20xf64>, %B: memref<20xf64>) {
    %w = arith.constant 0.333 : f64
    affine.for %t = 0 to 7 {
      affine.for %i = 1 to 19 {
        %0 = affine.load %A[%i - 1] : memref<20xf64>
        %1 = affine.load %A[%i] : memref<20xf64>
        %2 = affine.load %A[%i + 1] : memref<20xf64>
        %3 = arith.addf %0, %1 : f64
        %4 = arith.addf %3, %2 : f64
        %5 = arith.mulf %w, %4 : f64
        affine.store %5, %B[%i] : memref<20xf64>
      }
      affine.for %i = 1 to 19 {
        %0 = affine.load %B[%i - 1] : memref<20xf64>
        %1 = affine.load %B[%i] : memref<20xf64>
        %2 = affine.load %B[%i + 1] : memref<20xf64>
        %3 = arith.addf %0, %1 : f64
        %4 = arith.addf %3, %2 : f64
        %5 = arith.mulf %w, %4 : f64
        affine.store %5, %A[%i] : memref<20xf64>
      }
    }
    return
  })";

TEST_F(RestructureTest, TimeTiling) {
  // The second sweep runs one iteration later, then both are skewed.
  for (const char *script :
       {"\"shift(1,2,1) fuse([0,1],2) nonsingular([[1,0],[2,1]]) "
        "tile(0,2,4) tile(0,2,3)\"",
        "\"auto(max)\"", "\"auto(smart)\""})
    EXPECT_EQ(run(jacobi1d, script, {{20}, {20}}), "") << script;
  EXPECT_NE(run(jacobi1d, "\"fuse([0,1],2)\"", {{20}, {20}})
                .find("the new order of the loops is illegal"),
            std::string::npos);
}

/// Fig. 3 of the paper: a cycle of dependences, so that loops can't be
/// distributed.
static const char figure3[] = R"(
  func.func @f(%A: memref<16x16xf64>, %B: memref<16xf64>,
               %S: memref<16xf64>) {
    %zero = arith.constant 0.0 : f64
    affine.for %i = 1 to 16 {
      affine.store %zero, %S[%i] : memref<16xf64>
      affine.for %j = 0 to affine_map<(d0) -> (d0)>(%i) {
        %s = affine.load %S[%i] : memref<16xf64>
        %a = affine.load %A[%j, %i] : memref<16x16xf64>
        %b = affine.load %B[%j] : memref<16xf64>
        %p = arith.mulf %a, %b : f64
        %t = arith.addf %s, %p : f64
        affine.store %t, %S[%i] : memref<16xf64>
      }
      %b = affine.load %B[%i] : memref<16xf64>
      %s = affine.load %S[%i] : memref<16xf64>
      %d = arith.subf %b, %s : f64
      affine.store %d, %B[%i] : memref<16xf64>
    }
    return
  })";

TEST_F(RestructureTest, Figure3) {
  Shapes shapes = {{16, 16}, {16}, {16}};
  for (const char *script :
       {"\"original()\"", "\"align(1,1)\"", "\"tile(1,2,4,2)\"",
        "\"unroll(1,2,4)\"", "\"tile(1,2,4)\"", "\"auto(max)\""})
    EXPECT_EQ(run(figure3, script, shapes), "") << script;
  EXPECT_NE(run(figure3, "\"distribute([0,1,2],1)\"", shapes), "");
}
