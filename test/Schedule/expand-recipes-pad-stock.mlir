// RUN: baco-opt %s --baco-expand-recipes --baco-concretize='configuration={"NR":32}' -o %t.mlir
// RUN: %stock-mlir-opt %t.mlir --transform-interpreter -o %t.stock.mlir
// RUN: baco-opt %t.mlir --transform-interpreter -o %t.ours.mlir
// RUN: diff %t.stock.mlir %t.ours.mlir
// RUN: FileCheck %s --input-file=%t.stock.mlir

// Partial tiles of rows and columns are padded in buffers, which are allocated
// once. The product of a tile stays in registers; its full part is copied back.
// That of the sums isn't padded: 48 is a multiple of 16.

// CHECK-LABEL: func.func @matmul
// CHECK-DAG: %[[A:.*]] = memref.alloc() {{.*}} : memref<8x16xf32>
// CHECK-DAG: %[[B:.*]] = memref.alloc() {{.*}} : memref<16x32xf32>
// CHECK-DAG: %[[C:.*]] = memref.alloc() {{.*}} : memref<8x32xf32>
// CHECK: scf.for
// CHECK: scf.for %{{.*}} = %c0 to %c16 step %c1 iter_args({{.*}}) -> (vector<8x32xf32>)
// CHECK-COUNT-8: vector.fma %{{.*}} : vector<32xf32>
// CHECK: scf.yield
// CHECK: memref.copy
// CHECK-DAG: memref.dealloc %[[A]]
// CHECK-DAG: memref.dealloc %[[B]]
// CHECK-DAG: memref.dealloc %[[C]]
// CHECK: transform.named_sequence
// CHECK-NOT: baco
func.func @matmul(%A: memref<37x48xf32>, %B: memref<48x59xf32>, %C: memref<37x59xf32>) {
  %a = bufferization.to_tensor %A restrict : memref<37x48xf32> to tensor<37x48xf32>
  %b = bufferization.to_tensor %B restrict : memref<48x59xf32> to tensor<48x59xf32>
  %c = bufferization.to_tensor %C restrict writable : memref<37x59xf32> to tensor<37x59xf32>
  %r = linalg.matmul {baco.recipe = #baco.recipe<[
      #baco.tile<sizes = [8, #baco.knob<"NR", #baco.ordinal<[16, 32]>>, 16]>,
      #baco.pad<multiples = [1, 1, 0]>,
      #baco.tile<sizes = [0, 0, 1]>,
      #baco.vectorize<>, #baco.hoist<>, #baco.bufferize<>]>}
    ins(%a, %b : tensor<37x48xf32>, tensor<48x59xf32>)
    outs(%c : tensor<37x59xf32>) -> tensor<37x59xf32>
  bufferization.materialize_in_destination %r in restrict writable %C
    : (tensor<37x59xf32>, memref<37x59xf32>) -> ()
  return
}
