//===- trsm.mlir - Triangular solve as affine loops -----------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// B := L^-1 B with a lower triangular L.
func.func @kernel(%L: memref<{{M}}x{{M}}x{{T}}>, %B: memref<{{M}}x{{N}}x{{T}}>) {
  affine.for %i = 0 to {{M}} {
    affine.for %j = 0 to {{N}} {
      affine.for %k = 0 to affine_map<(d0) -> (d0)>(%i) {
        %l = affine.load %L[%i, %k] : memref<{{M}}x{{M}}x{{T}}>
        %x = affine.load %B[%k, %j] : memref<{{M}}x{{N}}x{{T}}>
        %b = affine.load %B[%i, %j] : memref<{{M}}x{{N}}x{{T}}>
        %p = arith.mulf %l, %x : {{T}}
        %d = arith.subf %b, %p : {{T}}
        affine.store %d, %B[%i, %j] : memref<{{M}}x{{N}}x{{T}}>
      }
      %l = affine.load %L[%i, %i] : memref<{{M}}x{{M}}x{{T}}>
      %b = affine.load %B[%i, %j] : memref<{{M}}x{{N}}x{{T}}>
      %q = arith.divf %b, %l : {{T}}
      affine.store %q, %B[%i, %j] : memref<{{M}}x{{N}}x{{T}}>
    }
  }
  return
}
