//===- bicg.mlir - Products of a biconjugate gradient as affine loops -----===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// s := A^T r, q := A p.
func.func @kernel(%A: memref<{{N}}x{{M}}xf64>,
                  %s: memref<{{M}}xf64>,
                  %q: memref<{{N}}xf64>,
                  %p: memref<{{M}}xf64>,
                  %r: memref<{{N}}xf64>) {
  %c0 = arith.constant 0.0 : f64
  affine.for %i = 0 to {{M}} {
    affine.store %c0, %s[%i] : memref<{{M}}xf64>
  }
  affine.for %i = 0 to {{N}} {
    affine.store %c0, %q[%i] : memref<{{N}}xf64>
    affine.for %j = 0 to {{M}} {
      %0 = affine.load %s[%j] : memref<{{M}}xf64>
      %1 = affine.load %r[%i] : memref<{{N}}xf64>
      %2 = affine.load %A[%i, %j] : memref<{{N}}x{{M}}xf64>
      %3 = arith.mulf %1, %2 : f64
      %4 = arith.addf %0, %3 : f64
      affine.store %4, %s[%j] : memref<{{M}}xf64>
      %5 = affine.load %q[%i] : memref<{{N}}xf64>
      %6 = affine.load %A[%i, %j] : memref<{{N}}x{{M}}xf64>
      %7 = affine.load %p[%j] : memref<{{M}}xf64>
      %8 = arith.mulf %6, %7 : f64
      %9 = arith.addf %5, %8 : f64
      affine.store %9, %q[%i] : memref<{{N}}xf64>
    }
  }
  return
}
