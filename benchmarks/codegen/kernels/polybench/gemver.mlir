//===- gemver.mlir - Rank-two update and two products as affine loops -----===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// A := A + u1 v1^T + u2 v2^T, x := x + beta A^T y + z, w := w + alpha A x.
func.func @kernel(%A: memref<{{N}}x{{N}}xf64>,
                  %u1: memref<{{N}}xf64>,
                  %v1: memref<{{N}}xf64>,
                  %u2: memref<{{N}}xf64>,
                  %v2: memref<{{N}}xf64>,
                  %w: memref<{{N}}xf64>,
                  %x: memref<{{N}}xf64>,
                  %y: memref<{{N}}xf64>,
                  %z: memref<{{N}}xf64>) {
  %alpha = arith.constant 1.5 : f64
  %beta = arith.constant 1.2 : f64
  affine.for %i = 0 to {{N}} {
    affine.for %j = 0 to {{N}} {
      %0 = affine.load %A[%i, %j] : memref<{{N}}x{{N}}xf64>
      %1 = affine.load %u1[%i] : memref<{{N}}xf64>
      %2 = affine.load %v1[%j] : memref<{{N}}xf64>
      %3 = arith.mulf %1, %2 : f64
      %4 = arith.addf %0, %3 : f64
      %5 = affine.load %u2[%i] : memref<{{N}}xf64>
      %6 = affine.load %v2[%j] : memref<{{N}}xf64>
      %7 = arith.mulf %5, %6 : f64
      %8 = arith.addf %4, %7 : f64
      affine.store %8, %A[%i, %j] : memref<{{N}}x{{N}}xf64>
    }
  }
  affine.for %i = 0 to {{N}} {
    affine.for %j = 0 to {{N}} {
      %9 = affine.load %x[%i] : memref<{{N}}xf64>
      %10 = affine.load %A[%j, %i] : memref<{{N}}x{{N}}xf64>
      %11 = arith.mulf %beta, %10 : f64
      %12 = affine.load %y[%j] : memref<{{N}}xf64>
      %13 = arith.mulf %11, %12 : f64
      %14 = arith.addf %9, %13 : f64
      affine.store %14, %x[%i] : memref<{{N}}xf64>
    }
  }
  affine.for %i = 0 to {{N}} {
    %15 = affine.load %x[%i] : memref<{{N}}xf64>
    %16 = affine.load %z[%i] : memref<{{N}}xf64>
    %17 = arith.addf %15, %16 : f64
    affine.store %17, %x[%i] : memref<{{N}}xf64>
  }
  affine.for %i = 0 to {{N}} {
    affine.for %j = 0 to {{N}} {
      %18 = affine.load %w[%i] : memref<{{N}}xf64>
      %19 = affine.load %A[%i, %j] : memref<{{N}}x{{N}}xf64>
      %20 = arith.mulf %alpha, %19 : f64
      %21 = affine.load %x[%j] : memref<{{N}}xf64>
      %22 = arith.mulf %20, %21 : f64
      %23 = arith.addf %18, %22 : f64
      affine.store %23, %w[%i] : memref<{{N}}xf64>
    }
  }
  return
}
