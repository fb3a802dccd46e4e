// RUN: baco-opt %s --baco-expand-recipes --baco-concretize='configuration={"S":16,"O":[1,0],"I":[1,0]}' -o %t.mlir
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

// Other orders: columns of blocks of the second operand, each of which has its
// rows one after the other, and of the result.

// CHECK-LABEL: func.func @orders
// CHECK: linalg.transpose {{.*}}outs(%[[A:.*]] : memref<4x4x4x8xf32>) permutation = [0, 2, 1, 3]
// CHECK: linalg.transpose {{.*}}outs(%[[B:.*]] : memref<4x4x8x16xf32>) permutation = [2, 0, 1, 3]
// CHECK: linalg.transpose {{.*}}outs(%[[C:.*]] : memref<4x4x4x16xf32>) permutation = [2, 0, 1, 3]
// CHECK: scf.for %[[I:.*]] = %c0 to %c4 step %c1
// CHECK: scf.for %[[J:.*]] = %c0 to %c4 step %c1
// CHECK: scf.for %[[K:.*]] = %c0 to %c4 step %c1
// CHECK: vector.load %[[B]][%[[J]], %[[K]], %{{.*}}, %c0] : memref<4x4x8x16xf32>, vector<16xf32>
// CHECK: linalg.transpose ins(%[[C]] : {{.*}} permutation = [1, 2, 0, 3]
// CHECK: transform.named_sequence
// CHECK-NOT: baco
func.func @orders(%A: memref<16x32xf32>, %B: memref<32x64xf32>, %C: memref<16x64xf32>) {
  %a = bufferization.to_tensor %A restrict : memref<16x32xf32> to tensor<16x32xf32>
  %b = bufferization.to_tensor %B restrict : memref<32x64xf32> to tensor<32x64xf32>
  %c = bufferization.to_tensor %C restrict writable : memref<16x64xf32> to tensor<16x64xf32>
  %r = linalg.matmul {baco.recipe = #baco.recipe<[
      #baco.pack<sizes = [4, 16, 8],
        outer = [[], [1, 0], #baco.knob<"O", #baco.permutation<2>>],
        inner = [[], #baco.knob<"I", #baco.permutation<2>>, []]>,
      #baco.tile<sizes = [1, 1, 1, 0, 0, 1]>,
      #baco.vectorize<>, #baco.bufferize<>, #baco.hoist<>]>}
    ins(%a, %b : tensor<16x32xf32>, tensor<32x64xf32>)
    outs(%c : tensor<16x64xf32>) -> tensor<16x64xf32>
  bufferization.materialize_in_destination %r in restrict writable %C
    : (tensor<16x64xf32>, memref<16x64xf32>) -> ()
  return
}
