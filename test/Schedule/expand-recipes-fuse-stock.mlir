// RUN: baco-opt %s --baco-expand-recipes --baco-concretize='configuration={"E":1,"F":1}' -o %t.b.mlir
// RUN: %stock-mlir-opt %t.b.mlir --transform-interpreter -o %t.b.stock.mlir
// RUN: baco-opt %t.b.mlir --transform-interpreter -o %t.b.ours.mlir
// RUN: diff %t.b.stock.mlir %t.b.ours.mlir
// RUN: FileCheck %s --check-prefix=BOTH --input-file=%t.b.stock.mlir
// RUN: baco-opt %s --baco-expand-recipes --baco-concretize='configuration={"E":1,"F":0}' -o %t.o.mlir
// RUN: %stock-mlir-opt %t.o.mlir --transform-interpreter -o %t.o.stock.mlir
// RUN: baco-opt %t.o.mlir --transform-interpreter -o %t.o.ours.mlir
// RUN: diff %t.o.stock.mlir %t.o.ours.mlir
// RUN: FileCheck %s --check-prefix=ONE --input-file=%t.o.stock.mlir
// RUN: baco-opt %s --baco-expand-recipes --baco-concretize='configuration={"E":0,"F":0}' -o %t.n.mlir
// RUN: %stock-mlir-opt %t.n.mlir --transform-interpreter -o %t.n.stock.mlir
// RUN: baco-opt %t.n.mlir --transform-interpreter -o %t.n.ours.mlir
// RUN: diff %t.n.stock.mlir %t.n.ours.mlir
// RUN: FileCheck %s --check-prefix=NONE --input-file=%t.n.stock.mlir

// What knobs say is computed by rows, where it is used; nothing of that is
// computed twice.

// BOTH-LABEL: func.func @matmul
// BOTH-NOT: linalg.
// BOTH: scf.for
// BOTH: linalg.abs {{.*}} outs({{.*}} : memref<8x32xf32
// BOTH: linalg.exp {{.*}} outs({{.*}} : memref<8x32xf32
// BOTH: linalg.matmul
// BOTH-NOT: linalg.
// BOTH: transform.named_sequence
// BOTH-NOT: baco

// ONE-LABEL: func.func @matmul
// ONE-NOT: linalg.exp
// ONE: linalg.abs {{.*}} outs({{.*}} : memref<64x32xf32
// ONE-NOT: linalg.
// ONE: scf.for
// ONE: linalg.exp {{.*}} outs({{.*}} : memref<8x32xf32
// ONE: linalg.matmul
// ONE: transform.named_sequence

// NONE-LABEL: func.func @matmul
// NONE: linalg.abs {{.*}} outs({{.*}} : memref<64x32xf32
// NONE: linalg.exp {{.*}} outs({{.*}} : memref<64x32xf32
// NONE: scf.for
// NONE-NEXT: memref.subview
// NONE-NEXT: memref.subview
// NONE-NEXT: linalg.matmul
// NONE: transform.named_sequence
func.func @matmul(%A: memref<64x32xf32>, %B: memref<32x48xf32>, %C: memref<64x48xf32>) {
  %a = bufferization.to_tensor %A restrict : memref<64x32xf32> to tensor<64x32xf32>
  %b = bufferization.to_tensor %B restrict : memref<32x48xf32> to tensor<32x48xf32>
  %c = bufferization.to_tensor %C restrict writable : memref<64x48xf32> to tensor<64x48xf32>
  %0 = tensor.empty() : tensor<64x32xf32>
  %f = linalg.abs ins(%a : tensor<64x32xf32>) outs(%0 : tensor<64x32xf32>) -> tensor<64x32xf32>
  %e = linalg.exp ins(%f : tensor<64x32xf32>) outs(%0 : tensor<64x32xf32>) -> tensor<64x32xf32>
  %r = linalg.matmul {baco.recipe = #baco.recipe<[
      #baco.tile<sizes = [8, 0, 0]>,
      #baco.fuse<producer = [0], enabled = #baco.knob<"E", #baco.ordinal<[0, 1]>>>,
      #baco.fuse<producer = [0, 0], enabled = #baco.knob<"F", #baco.ordinal<[0, 1]>>>,
      #baco.bufferize<>]>}
    ins(%e, %b : tensor<64x32xf32>, tensor<32x48xf32>)
    outs(%c : tensor<64x48xf32>) -> tensor<64x48xf32>
  bufferization.materialize_in_destination %r in restrict writable %C
    : (tensor<64x48xf32>, memref<64x48xf32>) -> ()
  return
}
