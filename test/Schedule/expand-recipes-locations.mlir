// RUN: baco-opt %s --baco-expand-recipes -mlir-print-debuginfo \
// RUN:   -mlir-print-local-scope | FileCheck %s

// What a schedule does leads back to the op that asked for it.

// CHECK: transform.structured.tile_using_for {{.*}} loc("kernel.c":7:3)
// CHECK: transform.yield loc("kernel.c":7:3)
// CHECK: } loc("kernel.c":7:3)
func.func @f(%a: f32, %A: memref<64xf32>) {
  linalg.fill {baco.recipe = #baco.recipe<[#baco.tile<sizes = [4]>]>}
    ins(%a : f32) outs(%A : memref<64xf32>) loc("kernel.c":7:3)
  return
}
