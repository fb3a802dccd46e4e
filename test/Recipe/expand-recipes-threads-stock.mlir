// Tiles, and vectors, of what one of several threads has.
// RUN: baco-opt %s --baco-expand-recipes --baco-concretize='configuration={"T":4,"M":8}' -o %t.mlir
// RUN: %stock-mlir-opt %t.mlir --transform-interpreter -o %t.stock.mlir
// RUN: baco-opt %t.mlir --transform-interpreter -o %t.ours.mlir
// RUN: diff %t.stock.mlir %t.ours.mlir
// RUN: FileCheck %s --input-file=%t.stock.mlir

// CHECK-LABEL: func.func @threads
// CHECK: scf.forall (%{{.*}}) in (4)
// CHECK: scf.for %{{.*}} = %c0 to %c16 step %c8
// CHECK: iter_args({{.*}}) -> (vector<8x16xf32>)
// CHECK-NOT: linalg.
// CHECK: transform.named_sequence
func.func @threads(%A: memref<64x32xf32>, %B: memref<32x48xf32>, %C: memref<64x48xf32>) {
  linalg.matmul {baco.recipe = #baco.recipe<[
      #baco.parallelize<threads = [#baco.knob<"T", #baco.ordinal<[1, 2, 4]>>, 0, 0]>,
      #baco.tile<sizes = [#baco.knob<"M", #baco.ordinal<[4, 8, 16]>>, 16, 0]>,
      #baco.tile<sizes = [0, 0, 1]>,
      #baco.vectorize<>, #baco.hoist<>]>}
    ins(%A, %B : memref<64x32xf32>, memref<32x48xf32>) outs(%C : memref<64x48xf32>)
  return
}
