//===- matmul.mlir - C += A * B as one op ---------------------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

func.func @kernel(%A: memref<{{M}}x{{K}}x{{T}}>, %B: memref<{{K}}x{{N}}x{{T}}>{{KIND}},
                  %C: memref<{{M}}x{{N}}x{{T}}>) {
  linalg.matmul
    ins(%A, %B : memref<{{M}}x{{K}}x{{T}}>, memref<{{K}}x{{N}}x{{T}}>)
    outs(%C : memref<{{M}}x{{N}}x{{T}}>)
  return
}
