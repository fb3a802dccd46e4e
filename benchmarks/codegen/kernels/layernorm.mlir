//===- layernorm.mlir - Layer normalization of each row as a chain of ops -===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#both = affine_map<(i, j) -> (i, j)>
#row = affine_map<(i, j) -> (i)>
#column = affine_map<(i, j) -> (j)>
#element = affine_map<(i) -> (i)>
func.func @kernel(%A: memref<{{M}}x{{N}}xf32>, %scale: memref<{{N}}xf32>,
                  %shift: memref<{{N}}xf32>, %B: memref<{{M}}x{{N}}xf32>) {
  %zero = arith.constant 0.0 : f32
  %length = arith.constant {{N}}.0 : f32
  %epsilon = arith.constant 1.0e-5 : f32
  %mean = memref.alloc() : memref<{{M}}xf32>
  %factor = memref.alloc() : memref<{{M}}xf32>
  linalg.fill ins(%zero : f32) outs(%mean : memref<{{M}}xf32>)
  linalg.generic {indexing_maps = [#both, #row],
                  iterator_types = ["parallel", "reduction"]}
    ins(%A : memref<{{M}}x{{N}}xf32>) outs(%mean : memref<{{M}}xf32>) {
  ^bb0(%a: f32, %s: f32):
    %r = arith.addf %a, %s : f32
    linalg.yield %r : f32
  }
  linalg.generic {indexing_maps = [#element], iterator_types = ["parallel"]}
    outs(%mean : memref<{{M}}xf32>) {
  ^bb0(%s: f32):
    %r = arith.divf %s, %length : f32
    linalg.yield %r : f32
  }
  linalg.fill ins(%zero : f32) outs(%factor : memref<{{M}}xf32>)
  linalg.generic {indexing_maps = [#both, #row, #row],
                  iterator_types = ["parallel", "reduction"]}
    ins(%A, %mean : memref<{{M}}x{{N}}xf32>, memref<{{M}}xf32>)
    outs(%factor : memref<{{M}}xf32>) {
  ^bb0(%a: f32, %m: f32, %s: f32):
    %d = arith.subf %a, %m : f32
    %q = arith.mulf %d, %d : f32
    %r = arith.addf %q, %s : f32
    linalg.yield %r : f32
  }
  linalg.generic {indexing_maps = [#element], iterator_types = ["parallel"]}
    outs(%factor : memref<{{M}}xf32>) {
  ^bb0(%s: f32):
    %v = arith.divf %s, %length : f32
    %e = arith.addf %v, %epsilon : f32
    %r = math.rsqrt %e : f32
    linalg.yield %r : f32
  }
  linalg.generic {indexing_maps = [#both, #row, #row, #column, #column, #both],
                  iterator_types = ["parallel", "parallel"]}
    ins(%A, %mean, %factor, %scale, %shift
        : memref<{{M}}x{{N}}xf32>, memref<{{M}}xf32>, memref<{{M}}xf32>,
          memref<{{N}}xf32>, memref<{{N}}xf32>)
    outs(%B : memref<{{M}}x{{N}}xf32>) {
  ^bb0(%a: f32, %m: f32, %f: f32, %g: f32, %h: f32, %b: f32):
    %d = arith.subf %a, %m : f32
    %n = arith.mulf %d, %f : f32
    %s = arith.mulf %n, %g : f32
    %r = arith.addf %s, %h : f32
    linalg.yield %r : f32
  }
  memref.dealloc %mean : memref<{{M}}xf32>
  memref.dealloc %factor : memref<{{M}}xf32>
  return
}
