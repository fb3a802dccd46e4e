//===- 3mm.mlir - Three matrix products as affine loops -------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// G := (A B) (C D).
func.func @kernel(%A: memref<{{NI}}x{{NK}}xf64>,
                  %B: memref<{{NK}}x{{NJ}}xf64>,
                  %C: memref<{{NJ}}x{{NM}}xf64>,
                  %D: memref<{{NM}}x{{NL}}xf64>,
                  %E: memref<{{NI}}x{{NJ}}xf64>,
                  %P: memref<{{NJ}}x{{NL}}xf64>,
                  %G: memref<{{NI}}x{{NL}}xf64>) {
  %c0 = arith.constant 0.0 : f64
  affine.for %i = 0 to {{NI}} {
    affine.for %j = 0 to {{NJ}} {
      affine.store %c0, %E[%i, %j] : memref<{{NI}}x{{NJ}}xf64>
      affine.for %k = 0 to {{NK}} {
        %0 = affine.load %E[%i, %j] : memref<{{NI}}x{{NJ}}xf64>
        %1 = affine.load %A[%i, %k] : memref<{{NI}}x{{NK}}xf64>
        %2 = affine.load %B[%k, %j] : memref<{{NK}}x{{NJ}}xf64>
        %3 = arith.mulf %1, %2 : f64
        %4 = arith.addf %0, %3 : f64
        affine.store %4, %E[%i, %j] : memref<{{NI}}x{{NJ}}xf64>
      }
    }
  }
  affine.for %i = 0 to {{NJ}} {
    affine.for %j = 0 to {{NL}} {
      affine.store %c0, %P[%i, %j] : memref<{{NJ}}x{{NL}}xf64>
      affine.for %k = 0 to {{NM}} {
        %5 = affine.load %P[%i, %j] : memref<{{NJ}}x{{NL}}xf64>
        %6 = affine.load %C[%i, %k] : memref<{{NJ}}x{{NM}}xf64>
        %7 = affine.load %D[%k, %j] : memref<{{NM}}x{{NL}}xf64>
        %8 = arith.mulf %6, %7 : f64
        %9 = arith.addf %5, %8 : f64
        affine.store %9, %P[%i, %j] : memref<{{NJ}}x{{NL}}xf64>
      }
    }
  }
  affine.for %i = 0 to {{NI}} {
    affine.for %j = 0 to {{NL}} {
      affine.store %c0, %G[%i, %j] : memref<{{NI}}x{{NL}}xf64>
      affine.for %k = 0 to {{NJ}} {
        %10 = affine.load %G[%i, %j] : memref<{{NI}}x{{NL}}xf64>
        %11 = affine.load %E[%i, %k] : memref<{{NI}}x{{NJ}}xf64>
        %12 = affine.load %P[%k, %j] : memref<{{NJ}}x{{NL}}xf64>
        %13 = arith.mulf %11, %12 : f64
        %14 = arith.addf %10, %13 : f64
        affine.store %14, %G[%i, %j] : memref<{{NI}}x{{NL}}xf64>
      }
    }
  }
  return
}
