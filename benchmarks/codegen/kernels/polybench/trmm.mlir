//===- trmm.mlir - Triangular matrix product as affine loops --------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// B := alpha A^T B with a unit lower triangular A.
func.func @kernel(%A: memref<{{M}}x{{M}}xf64>,
                  %B: memref<{{M}}x{{N}}xf64>) {
  %alpha = arith.constant 1.5 : f64
  affine.for %i = 0 to {{M}} {
    affine.for %j = 0 to {{N}} {
      affine.for %k = affine_map<(d0) -> (d0 + 1)>(%i) to {{M}} {
        %0 = affine.load %B[%i, %j] : memref<{{M}}x{{N}}xf64>
        %1 = affine.load %A[%k, %i] : memref<{{M}}x{{M}}xf64>
        %2 = affine.load %B[%k, %j] : memref<{{M}}x{{N}}xf64>
        %3 = arith.mulf %1, %2 : f64
        %4 = arith.addf %0, %3 : f64
        affine.store %4, %B[%i, %j] : memref<{{M}}x{{N}}xf64>
      }
      %5 = affine.load %B[%i, %j] : memref<{{M}}x{{N}}xf64>
      %6 = arith.mulf %5, %alpha : f64
      affine.store %6, %B[%i, %j] : memref<{{M}}x{{N}}xf64>
    }
  }
  return
}
