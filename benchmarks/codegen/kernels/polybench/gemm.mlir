//===- gemm.mlir - Matrix product as affine loops -------------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// C := beta C + alpha A B.
func.func @kernel(%A: memref<{{NI}}x{{NK}}xf64>,
                  %B: memref<{{NK}}x{{NJ}}xf64>,
                  %C: memref<{{NI}}x{{NJ}}xf64>) {
  %alpha = arith.constant 1.5 : f64
  %beta = arith.constant 1.2 : f64
  affine.for %i = 0 to {{NI}} {
    affine.for %j = 0 to {{NJ}} {
      %0 = affine.load %C[%i, %j] : memref<{{NI}}x{{NJ}}xf64>
      %1 = arith.mulf %0, %beta : f64
      affine.store %1, %C[%i, %j] : memref<{{NI}}x{{NJ}}xf64>
    }
    affine.for %k = 0 to {{NK}} {
      affine.for %j = 0 to {{NJ}} {
        %2 = affine.load %C[%i, %j] : memref<{{NI}}x{{NJ}}xf64>
        %3 = affine.load %A[%i, %k] : memref<{{NI}}x{{NK}}xf64>
        %4 = arith.mulf %alpha, %3 : f64
        %5 = affine.load %B[%k, %j] : memref<{{NK}}x{{NJ}}xf64>
        %6 = arith.mulf %4, %5 : f64
        %7 = arith.addf %2, %6 : f64
        affine.store %7, %C[%i, %j] : memref<{{NI}}x{{NJ}}xf64>
      }
    }
  }
  return
}
