//===- atax.mlir - Matrix, transposed matrix and vector as affine loops ---===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// y := A^T (A x).
func.func @kernel(%A: memref<{{M}}x{{N}}xf64>,
                  %x: memref<{{N}}xf64>,
                  %y: memref<{{N}}xf64>,
                  %p: memref<{{M}}xf64>) {
  %c0 = arith.constant 0.0 : f64
  affine.for %i = 0 to {{N}} {
    affine.store %c0, %y[%i] : memref<{{N}}xf64>
  }
  affine.for %i = 0 to {{M}} {
    affine.store %c0, %p[%i] : memref<{{M}}xf64>
    affine.for %j = 0 to {{N}} {
      %0 = affine.load %p[%i] : memref<{{M}}xf64>
      %1 = affine.load %A[%i, %j] : memref<{{M}}x{{N}}xf64>
      %2 = affine.load %x[%j] : memref<{{N}}xf64>
      %3 = arith.mulf %1, %2 : f64
      %4 = arith.addf %0, %3 : f64
      affine.store %4, %p[%i] : memref<{{M}}xf64>
    }
    affine.for %j = 0 to {{N}} {
      %5 = affine.load %y[%j] : memref<{{N}}xf64>
      %6 = affine.load %A[%i, %j] : memref<{{M}}x{{N}}xf64>
      %7 = affine.load %p[%i] : memref<{{M}}xf64>
      %8 = arith.mulf %6, %7 : f64
      %9 = arith.addf %5, %8 : f64
      affine.store %9, %y[%j] : memref<{{N}}xf64>
    }
  }
  return
}
