//===- jacobi-1d.mlir - 3-point Jacobi in one dimension as affine loops ---===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// STEPS sweeps from A to B and back.
func.func @kernel(%A: memref<{{N}}xf64>,
                  %B: memref<{{N}}xf64>) {
  %third = arith.constant 0.33333 : f64
  affine.for %t = 0 to {{STEPS}} {
    affine.for %i = 1 to {{N-1}} {
      %0 = affine.load %A[%i - 1] : memref<{{N}}xf64>
      %1 = affine.load %A[%i] : memref<{{N}}xf64>
      %2 = arith.addf %0, %1 : f64
      %3 = affine.load %A[%i + 1] : memref<{{N}}xf64>
      %4 = arith.addf %2, %3 : f64
      %5 = arith.mulf %third, %4 : f64
      affine.store %5, %B[%i] : memref<{{N}}xf64>
    }
    affine.for %i = 1 to {{N-1}} {
      %6 = affine.load %B[%i - 1] : memref<{{N}}xf64>
      %7 = affine.load %B[%i] : memref<{{N}}xf64>
      %8 = arith.addf %6, %7 : f64
      %9 = affine.load %B[%i + 1] : memref<{{N}}xf64>
      %10 = arith.addf %8, %9 : f64
      %11 = arith.mulf %third, %10 : f64
      affine.store %11, %A[%i] : memref<{{N}}xf64>
    }
  }
  return
}
