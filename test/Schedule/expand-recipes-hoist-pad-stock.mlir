// RUN: baco-opt %s --baco-expand-recipes --baco-concretize='configuration={"HA":2,"HB":3}' -o %t.mlir
// RUN: %stock-mlir-opt %t.mlir --transform-interpreter -o %t.stock.mlir
// RUN: baco-opt %t.mlir --transform-interpreter -o %t.ours.mlir
// RUN: diff %t.stock.mlir %t.ours.mlir
// RUN: FileCheck %s --input-file=%t.stock.mlir
// RUN: baco-opt %s --baco-expand-recipes --baco-concretize='configuration={"HA":0,"HB":0}' -o %t.0.mlir
// RUN: %stock-mlir-opt %t.0.mlir --transform-interpreter -o %t.0.stock.mlir
// RUN: baco-opt %t.0.mlir --transform-interpreter -o %t.0.ours.mlir
// RUN: diff %t.0.stock.mlir %t.0.ours.mlir
// RUN: FileCheck %s --check-prefix=NONE --input-file=%t.0.stock.mlir

// B is packed whole before all loops, and for each block of rows all of A that
// belongs to it. The tiles of A are full: without hoisting they are copied all
// the same.

// CHECK-LABEL: func.func @matmul
// CHECK: %[[B:.*]] = memref.alloc() {{.*}} : memref<4x3x16x16xf32>
// CHECK: scf.for
// CHECK: scf.for
// CHECK: memref.subview %[[B]]
// CHECK: memref.copy
// CHECK: %[[A:.*]] = memref.alloc() {{.*}} : memref<3x8x16xf32>
// CHECK: scf.for
// CHECK: scf.for
// CHECK: memref.subview %[[A]]
// CHECK: scf.for
// CHECK: scf.for
// CHECK-DAG: memref.subview %[[A]]
// CHECK-DAG: memref.subview %[[B]]
// CHECK: vector.fma
// CHECK: transform.named_sequence
// CHECK-NOT: baco

// NONE-LABEL: func.func @matmul
// NONE-NOT: memref<4x3x16x16xf32>
// NONE-COUNT-4: scf.for
// NONE-NOT: scf.for
// NONE: vector.fma
// NONE: transform.named_sequence
// NONE-NOT: hoist_pad
func.func @matmul(%A: memref<32x48xf32>, %B: memref<48x59xf32>, %C: memref<32x59xf32>) {
  %a = bufferization.to_tensor %A restrict : memref<32x48xf32> to tensor<32x48xf32>
  %b = bufferization.to_tensor %B restrict : memref<48x59xf32> to tensor<48x59xf32>
  %c = bufferization.to_tensor %C restrict writable : memref<32x59xf32> to tensor<32x59xf32>
  %r = linalg.matmul {baco.recipe = #baco.recipe<[
      #baco.tile<sizes = [8, 16, 16]>,
      #baco.pad<multiples = [1, 1, 1],
                hoist = [#baco.knob<"HA", #baco.ordinal<[0, 1, 2]>>,
                         #baco.knob<"HB", #baco.ordinal<[0, 2, 3]>>]>,
      #baco.tile<sizes = [0, 0, 1]>,
      #baco.vectorize<>, #baco.hoist<>, #baco.bufferize<>]>}
    ins(%a, %b : tensor<32x48xf32>, tensor<48x59xf32>)
    outs(%c : tensor<32x59xf32>) -> tensor<32x59xf32>
  bufferization.materialize_in_destination %r in restrict writable %C
    : (tensor<32x59xf32>, memref<32x59xf32>) -> ()
  return
}
