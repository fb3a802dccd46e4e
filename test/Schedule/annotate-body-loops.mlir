// RUN: baco-opt %s --baco-annotate | FileCheck %s

// A loop in the body of a linalg op is a part of that, and gets no recipe.
// CHECK-LABEL: @sums
// CHECK:         linalg.generic
// CHECK-SAME:      baco.recipe
// CHECK:         scf.for
// CHECK-NOT:     baco.recipe
func.func @sums(%x: memref<4096x64xf32>, %y: memref<64x64xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4096 = arith.constant 4096 : index
  %zero = arith.constant 0.0 : f32
  linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>],
                  iterator_types = ["parallel", "parallel"],
                  baco.recipe = #baco.recipe<[#baco.tile<sizes = [8, 8]>]>}
    outs(%y : memref<64x64xf32>) {
  ^bb0(%before: f32):
    %j = linalg.index 1 : index
    %sum = scf.for %i = %c0 to %c4096 step %c1 iter_args(%s = %zero) -> f32 {
      %a = memref.load %x[%i, %j] : memref<4096x64xf32>
      %n = arith.addf %s, %a : f32
      scf.yield %n : f32
    }
    linalg.yield %sum : f32
  }
  return
}
