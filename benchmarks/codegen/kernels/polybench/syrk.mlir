//===- syrk.mlir - Symmetric rank-k update as affine loops ----------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// C := beta C + alpha A A^T, lower triangle.
func.func @kernel(%A: memref<{{N}}x{{M}}xf64>,
                  %C: memref<{{N}}x{{N}}xf64>) {
  %alpha = arith.constant 1.5 : f64
  %beta = arith.constant 1.2 : f64
  affine.for %i = 0 to {{N}} {
    affine.for %j = 0 to affine_map<(d0) -> (d0 + 1)>(%i) {
      %0 = affine.load %C[%i, %j] : memref<{{N}}x{{N}}xf64>
      %1 = arith.mulf %0, %beta : f64
      affine.store %1, %C[%i, %j] : memref<{{N}}x{{N}}xf64>
    }
    affine.for %k = 0 to {{M}} {
      affine.for %j = 0 to affine_map<(d0) -> (d0 + 1)>(%i) {
        %2 = affine.load %C[%i, %j] : memref<{{N}}x{{N}}xf64>
        %3 = affine.load %A[%i, %k] : memref<{{N}}x{{M}}xf64>
        %4 = arith.mulf %alpha, %3 : f64
        %5 = affine.load %A[%j, %k] : memref<{{N}}x{{M}}xf64>
        %6 = arith.mulf %4, %5 : f64
        %7 = arith.addf %2, %6 : f64
        affine.store %7, %C[%i, %j] : memref<{{N}}x{{N}}xf64>
      }
    }
  }
  return
}
