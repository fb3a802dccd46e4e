//===- 2mm.mlir - Two matrix products as affine loops ---------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// D := beta D + alpha A B C.
func.func @kernel(%A: memref<{{NI}}x{{NK}}xf64>,
                  %B: memref<{{NK}}x{{NJ}}xf64>,
                  %C: memref<{{NJ}}x{{NL}}xf64>,
                  %D: memref<{{NI}}x{{NL}}xf64>,
                  %P: memref<{{NI}}x{{NJ}}xf64>) {
  %alpha = arith.constant 1.5 : f64
  %beta = arith.constant 1.2 : f64
  %c0 = arith.constant 0.0 : f64
  affine.for %i = 0 to {{NI}} {
    affine.for %j = 0 to {{NJ}} {
      affine.store %c0, %P[%i, %j] : memref<{{NI}}x{{NJ}}xf64>
      affine.for %k = 0 to {{NK}} {
        %0 = affine.load %P[%i, %j] : memref<{{NI}}x{{NJ}}xf64>
        %1 = affine.load %A[%i, %k] : memref<{{NI}}x{{NK}}xf64>
        %2 = arith.mulf %alpha, %1 : f64
        %3 = affine.load %B[%k, %j] : memref<{{NK}}x{{NJ}}xf64>
        %4 = arith.mulf %2, %3 : f64
        %5 = arith.addf %0, %4 : f64
        affine.store %5, %P[%i, %j] : memref<{{NI}}x{{NJ}}xf64>
      }
    }
  }
  affine.for %i = 0 to {{NI}} {
    affine.for %j = 0 to {{NL}} {
      %6 = affine.load %D[%i, %j] : memref<{{NI}}x{{NL}}xf64>
      %7 = arith.mulf %6, %beta : f64
      affine.store %7, %D[%i, %j] : memref<{{NI}}x{{NL}}xf64>
      affine.for %k = 0 to {{NJ}} {
        %8 = affine.load %D[%i, %j] : memref<{{NI}}x{{NL}}xf64>
        %9 = affine.load %P[%i, %k] : memref<{{NI}}x{{NJ}}xf64>
        %10 = affine.load %C[%k, %j] : memref<{{NJ}}x{{NL}}xf64>
        %11 = arith.mulf %9, %10 : f64
        %12 = arith.addf %8, %11 : f64
        affine.store %12, %D[%i, %j] : memref<{{NI}}x{{NL}}xf64>
      }
    }
  }
  return
}
