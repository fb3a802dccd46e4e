//===- jacobi-steps.mlir - Sweeps of 7-point Jacobi as affine loops -------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

func.func @kernel(%A: memref<{{N}}x{{N}}x{{N}}x{{T}}>,
                  %B: memref<{{N}}x{{N}}x{{N}}x{{T}}>) {
  %c = arith.constant 0.14285714285714285 : {{T}}
  affine.for %t = 0 to {{STEPS/2}} {
    affine.for %i = 1 to {{N-1}} {
      affine.for %j = 1 to {{N-1}} {
        affine.for %k = 1 to {{N-1}} {
          %v0 = affine.load %A[%i, %j, %k] : memref<{{N}}x{{N}}x{{N}}x{{T}}>
          %v1 = affine.load %A[%i - 1, %j, %k] : memref<{{N}}x{{N}}x{{N}}x{{T}}>
          %v2 = affine.load %A[%i + 1, %j, %k] : memref<{{N}}x{{N}}x{{N}}x{{T}}>
          %v3 = affine.load %A[%i, %j - 1, %k] : memref<{{N}}x{{N}}x{{N}}x{{T}}>
          %v4 = affine.load %A[%i, %j + 1, %k] : memref<{{N}}x{{N}}x{{N}}x{{T}}>
          %v5 = affine.load %A[%i, %j, %k - 1] : memref<{{N}}x{{N}}x{{N}}x{{T}}>
          %v6 = affine.load %A[%i, %j, %k + 1] : memref<{{N}}x{{N}}x{{N}}x{{T}}>
          %s1 = arith.addf %v0, %v1 : {{T}}
          %s2 = arith.addf %s1, %v2 : {{T}}
          %s3 = arith.addf %s2, %v3 : {{T}}
          %s4 = arith.addf %s3, %v4 : {{T}}
          %s5 = arith.addf %s4, %v5 : {{T}}
          %s6 = arith.addf %s5, %v6 : {{T}}
          %m = arith.mulf %c, %s6 : {{T}}
          affine.store %m, %B[%i, %j, %k] : memref<{{N}}x{{N}}x{{N}}x{{T}}>
        }
      }
    }
    affine.for %i = 1 to {{N-1}} {
      affine.for %j = 1 to {{N-1}} {
        affine.for %k = 1 to {{N-1}} {
          %v0 = affine.load %B[%i, %j, %k] : memref<{{N}}x{{N}}x{{N}}x{{T}}>
          %v1 = affine.load %B[%i - 1, %j, %k] : memref<{{N}}x{{N}}x{{N}}x{{T}}>
          %v2 = affine.load %B[%i + 1, %j, %k] : memref<{{N}}x{{N}}x{{N}}x{{T}}>
          %v3 = affine.load %B[%i, %j - 1, %k] : memref<{{N}}x{{N}}x{{N}}x{{T}}>
          %v4 = affine.load %B[%i, %j + 1, %k] : memref<{{N}}x{{N}}x{{N}}x{{T}}>
          %v5 = affine.load %B[%i, %j, %k - 1] : memref<{{N}}x{{N}}x{{N}}x{{T}}>
          %v6 = affine.load %B[%i, %j, %k + 1] : memref<{{N}}x{{N}}x{{N}}x{{T}}>
          %s1 = arith.addf %v0, %v1 : {{T}}
          %s2 = arith.addf %s1, %v2 : {{T}}
          %s3 = arith.addf %s2, %v3 : {{T}}
          %s4 = arith.addf %s3, %v4 : {{T}}
          %s5 = arith.addf %s4, %v5 : {{T}}
          %s6 = arith.addf %s5, %v6 : {{T}}
          %m = arith.mulf %c, %s6 : {{T}}
          affine.store %m, %A[%i, %j, %k] : memref<{{N}}x{{N}}x{{N}}x{{T}}>
        }
      }
    }
  }
  return
}
