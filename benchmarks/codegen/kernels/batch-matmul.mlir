//===- batch-matmul.mlir - Batched matrix multiplication as one op --------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

func.func @kernel(%A: memref<{{COUNT}}x{{N}}x{{N}}x{{T}}>,
                  %B: memref<{{COUNT}}x{{N}}x{{N}}x{{T}}>,
                  %C: memref<{{COUNT}}x{{N}}x{{N}}x{{T}}>) {
  linalg.batch_matmul
    ins(%A, %B : memref<{{COUNT}}x{{N}}x{{N}}x{{T}}>,
                 memref<{{COUNT}}x{{N}}x{{N}}x{{T}}>)
    outs(%C : memref<{{COUNT}}x{{N}}x{{N}}x{{T}}>)
  return
}
