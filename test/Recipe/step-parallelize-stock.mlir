// RUN: baco-opt %s --baco-expand-recipes --baco-concretize='configuration={"T":4,"S":8}' -o %t.mlir
// RUN: %stock-mlir-opt %t.mlir --transform-interpreter -o %t.stock.mlir
// RUN: baco-opt %t.mlir --transform-interpreter -o %t.ours.mlir
// RUN: diff %t.stock.mlir %t.ours.mlir
// RUN: FileCheck %s --input-file=%t.stock.mlir

// As many tiles as threads, or tiles of a size.

// CHECK-LABEL: func.func @threads
// CHECK: scf.forall (%{{.*}}, %{{.*}}) in (4, 2)
// CHECK: linalg.matmul {{.*}}ins({{.*}} : memref<16x32xf32, {{.*}}>, memref<32x24xf32,
// CHECK-LABEL: func.func @sizes
// CHECK-NOT: memref.alloc
// CHECK: scf.forall (%{{.*}}) in (8)
// CHECK: linalg.matmul {{.*}}ins({{.*}} : memref<8x32xf32, {{.*}}>, memref<32x48xf32>
// CHECK-NOT: memref.alloc
// CHECK: transform.named_sequence
// CHECK-NOT: baco
func.func @threads(%A: memref<64x32xf32>, %B: memref<32x48xf32>, %C: memref<64x48xf32>) {
  linalg.matmul {baco.recipe = #baco.recipe<[
      #baco.parallelize<threads = [#baco.knob<"T", #baco.ordinal<[1, 2, 4]>>, 2, 0]>]>}
    ins(%A, %B : memref<64x32xf32>, memref<32x48xf32>) outs(%C : memref<64x48xf32>)
  return
}
func.func @sizes(%A: memref<64x32xf32>, %B: memref<32x48xf32>, %C: memref<64x48xf32>) {
  %a = bufferization.to_tensor %A restrict : memref<64x32xf32> to tensor<64x32xf32>
  %b = bufferization.to_tensor %B restrict : memref<32x48xf32> to tensor<32x48xf32>
  %c = bufferization.to_tensor %C restrict writable : memref<64x48xf32> to tensor<64x48xf32>
  %r = linalg.matmul {baco.recipe = #baco.recipe<[
      #baco.parallelize<sizes = [#baco.knob<"S", #baco.ordinal<[8, 16]>>, 0, 0]>,
      #baco.bufferize<>]>}
    ins(%a, %b : tensor<64x32xf32>, tensor<32x48xf32>)
    outs(%c : tensor<64x48xf32>) -> tensor<64x48xf32>
  bufferization.materialize_in_destination %r in restrict writable %C
    : (tensor<64x48xf32>, memref<64x48xf32>) -> ()
  return
}
