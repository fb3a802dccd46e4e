//===- doitgen.mlir - Multiresolution analysis kernel as affine loops -----===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// A[r][q] := A[r][q] W.
func.func @kernel(%A: memref<{{NR}}x{{NQ}}x{{NP}}xf64>,
                  %W: memref<{{NP}}x{{NP}}xf64>,
                  %s: memref<{{NP}}xf64>) {
  %c0 = arith.constant 0.0 : f64
  affine.for %r = 0 to {{NR}} {
    affine.for %q = 0 to {{NQ}} {
      affine.for %p = 0 to {{NP}} {
        affine.store %c0, %s[%p] : memref<{{NP}}xf64>
        affine.for %k = 0 to {{NP}} {
          %0 = affine.load %s[%p] : memref<{{NP}}xf64>
          %1 = affine.load %A[%r, %q, %k] : memref<{{NR}}x{{NQ}}x{{NP}}xf64>
          %2 = affine.load %W[%k, %p] : memref<{{NP}}x{{NP}}xf64>
          %3 = arith.mulf %1, %2 : f64
          %4 = arith.addf %0, %3 : f64
          affine.store %4, %s[%p] : memref<{{NP}}xf64>
        }
      }
      affine.for %p = 0 to {{NP}} {
        %5 = affine.load %s[%p] : memref<{{NP}}xf64>
        affine.store %5, %A[%r, %q, %p] : memref<{{NR}}x{{NQ}}x{{NP}}xf64>
      }
    }
  }
  return
}
