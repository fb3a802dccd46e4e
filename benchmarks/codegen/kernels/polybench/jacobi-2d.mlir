//===- jacobi-2d.mlir - 5-point Jacobi in two dimensions as affine loops --===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// STEPS sweeps from A to B and back.
func.func @kernel(%A: memref<{{N}}x{{N}}xf64>,
                  %B: memref<{{N}}x{{N}}xf64>) {
  %fifth = arith.constant 0.2 : f64
  affine.for %t = 0 to {{STEPS}} {
    affine.for %i = 1 to {{N-1}} {
      affine.for %j = 1 to {{N-1}} {
        %0 = affine.load %A[%i, %j] : memref<{{N}}x{{N}}xf64>
        %1 = affine.load %A[%i, %j - 1] : memref<{{N}}x{{N}}xf64>
        %2 = arith.addf %0, %1 : f64
        %3 = affine.load %A[%i, %j + 1] : memref<{{N}}x{{N}}xf64>
        %4 = arith.addf %2, %3 : f64
        %5 = affine.load %A[%i + 1, %j] : memref<{{N}}x{{N}}xf64>
        %6 = arith.addf %4, %5 : f64
        %7 = affine.load %A[%i - 1, %j] : memref<{{N}}x{{N}}xf64>
        %8 = arith.addf %6, %7 : f64
        %9 = arith.mulf %fifth, %8 : f64
        affine.store %9, %B[%i, %j] : memref<{{N}}x{{N}}xf64>
      }
    }
    affine.for %i = 1 to {{N-1}} {
      affine.for %j = 1 to {{N-1}} {
        %10 = affine.load %B[%i, %j] : memref<{{N}}x{{N}}xf64>
        %11 = affine.load %B[%i, %j - 1] : memref<{{N}}x{{N}}xf64>
        %12 = arith.addf %10, %11 : f64
        %13 = affine.load %B[%i, %j + 1] : memref<{{N}}x{{N}}xf64>
        %14 = arith.addf %12, %13 : f64
        %15 = affine.load %B[%i + 1, %j] : memref<{{N}}x{{N}}xf64>
        %16 = arith.addf %14, %15 : f64
        %17 = affine.load %B[%i - 1, %j] : memref<{{N}}x{{N}}xf64>
        %18 = arith.addf %16, %17 : f64
        %19 = arith.mulf %fifth, %18 : f64
        affine.store %19, %A[%i, %j] : memref<{{N}}x{{N}}xf64>
      }
    }
  }
  return
}
