// RUN: baco-opt %s --baco-expand-recipes --baco-concretize='configuration={"S":16}' -o %t.mlir
// RUN: %stock-mlir-opt %t.mlir --transform-interpreter -o %t.stock.mlir
// RUN: baco-opt %t.mlir --transform-interpreter -o %t.ours.mlir
// RUN: diff %t.stock.mlir %t.ours.mlir
// RUN: FileCheck %s --input-file=%t.stock.mlir

// Operands are transposed into blocks, and the result out of them. The rows of
// the second one are in blocks already.

// CHECK-LABEL: func.func @matmul
// CHECK: %[[A:.*]] = memref.expand_shape %arg0 {{.*}} into memref<4x4x32xf32>
// CHECK: linalg.transpose ins(%[[A]] {{.*}} permutation = [0, 2, 1]
// CHECK: memref.expand_shape %arg2 {{.*}} into memref<4x4x4x16xf32>
// CHECK-NEXT: linalg.transpose
// CHECK: scf.for %{{.*}} = %c0 to %c4 step %c1
// CHECK: scf.for %{{.*}} = %c0 to %c4 step %c1
// CHECK: scf.for %{{.*}} = %c0 to %c32 step %c1 iter_args
// CHECK: vector.load %arg1[{{.*}} : memref<32x64xf32>, vector<16xf32>
// CHECK-COUNT-4: vector.fma %{{.*}} : vector<16xf32>
// CHECK: linalg.transpose
// CHECK: transform.named_sequence
// CHECK-NOT: baco
func.func @matmul(%A: memref<16x32xf32>, %B: memref<32x64xf32>, %C: memref<16x64xf32>) {
  %a = bufferization.to_tensor %A restrict : memref<16x32xf32> to tensor<16x32xf32>
  %b = bufferization.to_tensor %B restrict : memref<32x64xf32> to tensor<32x64xf32>
  %c = bufferization.to_tensor %C restrict writable : memref<16x64xf32> to tensor<16x64xf32>
  %r = linalg.matmul {baco.recipe = #baco.recipe<[
      #baco.pack<sizes = [4, #baco.knob<"S", #baco.ordinal<[16, 32]>>, 0]>,
      #baco.tile<sizes = [1, 1, 1, 0, 0]>,
      #baco.vectorize<>, #baco.bufferize<>, #baco.hoist<>]>}
    ins(%a, %b : tensor<16x32xf32>, tensor<32x64xf32>)
    outs(%c : tensor<16x64xf32>) -> tensor<16x64xf32>
  bufferization.materialize_in_destination %r in restrict writable %C
    : (tensor<16x64xf32>, memref<16x64xf32>) -> ()
  return
}
