//===- mvt.mlir - Products with a matrix and its transpose as affine loops ===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// x := x + A y, z := z + A^T w.
func.func @kernel(%x: memref<{{N}}xf64>,
                  %z: memref<{{N}}xf64>,
                  %y: memref<{{N}}xf64>,
                  %w: memref<{{N}}xf64>,
                  %A: memref<{{N}}x{{N}}xf64>) {
  affine.for %i = 0 to {{N}} {
    affine.for %j = 0 to {{N}} {
      %0 = affine.load %x[%i] : memref<{{N}}xf64>
      %1 = affine.load %A[%i, %j] : memref<{{N}}x{{N}}xf64>
      %2 = affine.load %y[%j] : memref<{{N}}xf64>
      %3 = arith.mulf %1, %2 : f64
      %4 = arith.addf %0, %3 : f64
      affine.store %4, %x[%i] : memref<{{N}}xf64>
    }
  }
  affine.for %i = 0 to {{N}} {
    affine.for %j = 0 to {{N}} {
      %5 = affine.load %z[%i] : memref<{{N}}xf64>
      %6 = affine.load %A[%j, %i] : memref<{{N}}x{{N}}xf64>
      %7 = affine.load %w[%j] : memref<{{N}}xf64>
      %8 = arith.mulf %6, %7 : f64
      %9 = arith.addf %5, %8 : f64
      affine.store %9, %z[%i] : memref<{{N}}xf64>
    }
  }
  return
}
