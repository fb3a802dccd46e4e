//===- matmul-scf.mlir - C += A * B as scf loops --------------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// In the order of {{LOOP1}}, {{LOOP2}}, {{LOOP3}}.
func.func @kernel(%A: memref<{{M}}x{{K}}x{{T}}>, %B: memref<{{K}}x{{N}}x{{T}}>,
                  %C: memref<{{M}}x{{N}}x{{T}}>) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %end1 = arith.constant {{END1}} : index
  %end2 = arith.constant {{END2}} : index
  %end3 = arith.constant {{END3}} : index
  scf.for %{{LOOP1}} = %zero to %end1 step %one {
    scf.for %{{LOOP2}} = %zero to %end2 step %one {
      scf.for %{{LOOP3}} = %zero to %end3 step %one {
        %a = memref.load %A[%i, %k] : memref<{{M}}x{{K}}x{{T}}>
        %b = memref.load %B[%k, %j] : memref<{{K}}x{{N}}x{{T}}>
        %c = memref.load %C[%i, %j] : memref<{{M}}x{{N}}x{{T}}>
        %p = arith.mulf %a, %b : {{T}}
        %s = arith.addf %c, %p : {{T}}
        memref.store %s, %C[%i, %j] : memref<{{M}}x{{N}}x{{T}}>
      }
    }
  }
  return
}
