//===- fdtd-2d.mlir - FDTD method in two dimensions as affine loops -------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// The finite-difference time-domain method: STEPS steps; S is the source.
func.func @kernel(%S: memref<{{STEPS}}xf64>,
                  %X: memref<{{NX}}x{{NY}}xf64>,
                  %Y: memref<{{NX}}x{{NY}}xf64>,
                  %H: memref<{{NX}}x{{NY}}xf64>) {
  %half = arith.constant 0.5 : f64
  %rate = arith.constant 0.7 : f64
  affine.for %t = 0 to {{STEPS}} {
    affine.for %j = 0 to {{NY}} {
      %0 = affine.load %S[%t] : memref<{{STEPS}}xf64>
      affine.store %0, %Y[0, %j] : memref<{{NX}}x{{NY}}xf64>
    }
    affine.for %i = 1 to {{NX}} {
      affine.for %j = 0 to {{NY}} {
        %1 = affine.load %Y[%i, %j] : memref<{{NX}}x{{NY}}xf64>
        %2 = affine.load %H[%i, %j] : memref<{{NX}}x{{NY}}xf64>
        %3 = affine.load %H[%i - 1, %j] : memref<{{NX}}x{{NY}}xf64>
        %4 = arith.subf %2, %3 : f64
        %5 = arith.mulf %half, %4 : f64
        %6 = arith.subf %1, %5 : f64
        affine.store %6, %Y[%i, %j] : memref<{{NX}}x{{NY}}xf64>
      }
    }
    affine.for %i = 0 to {{NX}} {
      affine.for %j = 1 to {{NY}} {
        %7 = affine.load %X[%i, %j] : memref<{{NX}}x{{NY}}xf64>
        %8 = affine.load %H[%i, %j] : memref<{{NX}}x{{NY}}xf64>
        %9 = affine.load %H[%i, %j - 1] : memref<{{NX}}x{{NY}}xf64>
        %10 = arith.subf %8, %9 : f64
        %11 = arith.mulf %half, %10 : f64
        %12 = arith.subf %7, %11 : f64
        affine.store %12, %X[%i, %j] : memref<{{NX}}x{{NY}}xf64>
      }
    }
    affine.for %i = 0 to {{NX-1}} {
      affine.for %j = 0 to {{NY-1}} {
        %13 = affine.load %H[%i, %j] : memref<{{NX}}x{{NY}}xf64>
        %14 = affine.load %X[%i, %j + 1] : memref<{{NX}}x{{NY}}xf64>
        %15 = affine.load %X[%i, %j] : memref<{{NX}}x{{NY}}xf64>
        %16 = arith.subf %14, %15 : f64
        %17 = affine.load %Y[%i + 1, %j] : memref<{{NX}}x{{NY}}xf64>
        %18 = arith.addf %16, %17 : f64
        %19 = affine.load %Y[%i, %j] : memref<{{NX}}x{{NY}}xf64>
        %20 = arith.subf %18, %19 : f64
        %21 = arith.mulf %rate, %20 : f64
        %22 = arith.subf %13, %21 : f64
        affine.store %22, %H[%i, %j] : memref<{{NX}}x{{NY}}xf64>
      }
    }
  }
  return
}
