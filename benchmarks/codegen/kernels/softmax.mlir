//===- softmax.mlir - Softmax of each row as a chain of ops ---------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#both = affine_map<(i, j) -> (i, j)>
#row = affine_map<(i, j) -> (i)>
func.func @kernel(%A: memref<{{M}}x{{N}}xf32>, %B: memref<{{M}}x{{N}}xf32>) {
  %least = arith.constant 0xFF800000 : f32
  %zero = arith.constant 0.0 : f32
  %largest = memref.alloc() : memref<{{M}}xf32>
  %sum = memref.alloc() : memref<{{M}}xf32>
  linalg.fill ins(%least : f32) outs(%largest : memref<{{M}}xf32>)
  linalg.generic {indexing_maps = [#both, #row],
                  iterator_types = ["parallel", "reduction"]}
    ins(%A : memref<{{M}}x{{N}}xf32>) outs(%largest : memref<{{M}}xf32>) {
  ^bb0(%a: f32, %m: f32):
    %r = arith.maxnumf %a, %m : f32
    linalg.yield %r : f32
  }
  linalg.generic {indexing_maps = [#both, #row, #both],
                  iterator_types = ["parallel", "parallel"]}
    ins(%A, %largest : memref<{{M}}x{{N}}xf32>, memref<{{M}}xf32>)
    outs(%B : memref<{{M}}x{{N}}xf32>) {
  ^bb0(%a: f32, %m: f32, %b: f32):
    %d = arith.subf %a, %m : f32
    %e = math.exp %d : f32
    linalg.yield %e : f32
  }
  linalg.fill ins(%zero : f32) outs(%sum : memref<{{M}}xf32>)
  linalg.generic {indexing_maps = [#both, #row],
                  iterator_types = ["parallel", "reduction"]}
    ins(%B : memref<{{M}}x{{N}}xf32>) outs(%sum : memref<{{M}}xf32>) {
  ^bb0(%b: f32, %s: f32):
    %r = arith.addf %b, %s : f32
    linalg.yield %r : f32
  }
  linalg.generic {indexing_maps = [#row, #both],
                  iterator_types = ["parallel", "parallel"]}
    ins(%sum : memref<{{M}}xf32>) outs(%B : memref<{{M}}x{{N}}xf32>) {
  ^bb0(%s: f32, %b: f32):
    %q = arith.divf %b, %s : f32
    linalg.yield %q : f32
  }
  memref.dealloc %largest : memref<{{M}}xf32>
  memref.dealloc %sum : memref<{{M}}xf32>
  return
}
