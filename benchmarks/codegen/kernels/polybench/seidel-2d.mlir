//===- seidel-2d.mlir - 9-point Gauss-Seidel in 2-D as affine loops -------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// STEPS sweeps in place.
func.func @kernel(%A: memref<{{N}}x{{N}}xf64>) {
  %nine = arith.constant 9.0 : f64
  affine.for %t = 0 to {{STEPS}} {
    affine.for %i = 1 to {{N-1}} {
      affine.for %j = 1 to {{N-1}} {
        %0 = affine.load %A[%i - 1, %j - 1] : memref<{{N}}x{{N}}xf64>
        %1 = affine.load %A[%i - 1, %j] : memref<{{N}}x{{N}}xf64>
        %2 = arith.addf %0, %1 : f64
        %3 = affine.load %A[%i - 1, %j + 1] : memref<{{N}}x{{N}}xf64>
        %4 = arith.addf %2, %3 : f64
        %5 = affine.load %A[%i, %j - 1] : memref<{{N}}x{{N}}xf64>
        %6 = arith.addf %4, %5 : f64
        %7 = affine.load %A[%i, %j] : memref<{{N}}x{{N}}xf64>
        %8 = arith.addf %6, %7 : f64
        %9 = affine.load %A[%i, %j + 1] : memref<{{N}}x{{N}}xf64>
        %10 = arith.addf %8, %9 : f64
        %11 = affine.load %A[%i + 1, %j - 1] : memref<{{N}}x{{N}}xf64>
        %12 = arith.addf %10, %11 : f64
        %13 = affine.load %A[%i + 1, %j] : memref<{{N}}x{{N}}xf64>
        %14 = arith.addf %12, %13 : f64
        %15 = affine.load %A[%i + 1, %j + 1] : memref<{{N}}x{{N}}xf64>
        %16 = arith.addf %14, %15 : f64
        %17 = arith.divf %16, %nine : f64
        affine.store %17, %A[%i, %j] : memref<{{N}}x{{N}}xf64>
      }
    }
  }
  return
}
