// All kernels' knobs, each with its default, its values and what reads it.
// RUN: baco-tune-driver %s --emit-space=table | FileCheck %s
// JSON is of one.
// RUN: %exits 1 baco-tune-driver %s --emit-space=- 2>&1 | FileCheck %s --check-prefix=ONE

// CHECK:      product: 3 knobs, 24 configurations
// CHECK-NEXT:   order = (0, 1, 2) of orders of 3 elements, such as (0, 1, 2)
// CHECK-NEXT:     loop_permute order: numbers of loops, outermost first
// CHECK-NEXT:   T = 32 of 16, 32
// CHECK-NEXT:     loop_tile size of loop 3: iterations of a tile
// CHECK-NEXT:   U = 1 of 1, 2, 3, 4
// CHECK-NEXT:     loop_unroll factor of loop 4: copies
// CHECK-NEXT:   needed: U <= T
// CHECK-NEXT:     a reason
// CHECK-NEXT:   advised: T > 16
// CHECK-NEXT:     another one
// CHECK-NEXT: tiled: 2 knobs, 12 configurations
// CHECK-NEXT:   order = (0, 1, 2) of
// CHECK-NEXT:     transform.structured.interchange iterator_interchange
// CHECK-NEXT:   T = 32 of 16, 32
// CHECK-NEXT:     transform.structured.tile_using_for of iterator 0
// CHECK-NEXT:   needed: divides(T, 64)
// CHECK-NEXT:     tile 'T' of iterator 0 must divide 64 (vectorize needs full tiles)

// ONE: error: the module has 2 kernels: choose one with --entry, or show all with --emit-space=table

func.func @product(%A: memref<64x64xf32>, %B: memref<64x64xf32>, %C: memref<64x64xf32>) {
  linalg.matmul {baco.recipe = #baco.recipe<[
      #baco.loop_permute<order = #baco.knob<"order", #baco.permutation<3>>, statement = 0>,
      #baco.loop_tile<statement = 0, loop = 3, size = #baco.knob<"T", #baco.ordinal<[16, 32]>, default = 32>>,
      #baco.loop_unroll<statement = 0, loop = 4, factor = #baco.knob<"U", #baco.integer<1 to 4>>>],
     where = ["U <= T" : "a reason", advisory "T > 16" : "another one"]>}
    ins(%A, %B : memref<64x64xf32>, memref<64x64xf32>) outs(%C : memref<64x64xf32>)
  return
}
func.func @tiled(%A: memref<64x64xf32>, %B: memref<64x64xf32>, %C: memref<64x64xf32>) {
  linalg.matmul {baco.recipe = #baco.recipe<[
      #baco.interchange<order = #baco.knob<"order", #baco.permutation<3>>>,
      #baco.tile<sizes = [#baco.knob<"T", #baco.ordinal<[16, 32]>, default = 32>, 0, 1]>,
      #baco.vectorize<>]>}
    ins(%A, %B : memref<64x64xf32>, memref<64x64xf32>) outs(%C : memref<64x64xf32>)
  return
}
