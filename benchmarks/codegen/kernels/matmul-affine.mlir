//===- matmul-affine.mlir - C += A * B as affine loops --------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// In the order of {{LOOP1}}, {{LOOP2}}, {{LOOP3}}.
func.func @kernel(%A: memref<{{M}}x{{K}}x{{T}}>, %B: memref<{{K}}x{{N}}x{{T}}>,
                  %C: memref<{{M}}x{{N}}x{{T}}>) {
  affine.for %{{LOOP1}} = 0 to {{END1}} {
    affine.for %{{LOOP2}} = 0 to {{END2}} {
      affine.for %{{LOOP3}} = 0 to {{END3}} {
        %a = affine.load %A[%i, %k] : memref<{{M}}x{{K}}x{{T}}>
        %b = affine.load %B[%k, %j] : memref<{{K}}x{{N}}x{{T}}>
        %c = affine.load %C[%i, %j] : memref<{{M}}x{{N}}x{{T}}>
        %p = arith.mulf %a, %b : {{T}}
        %s = arith.addf %c, %p : {{T}}
        affine.store %s, %C[%i, %j] : memref<{{M}}x{{N}}x{{T}}>
      }
    }
  }
  return
}
