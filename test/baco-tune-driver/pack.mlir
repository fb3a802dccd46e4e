// Packed operands: every candidate computes what the plain lowering does.
// RUN: rm -rf %t && mkdir %t && cp %s %t/in.mlir
// RUN: baco-tune-driver %t/in.mlir --budget=40 --output-dir=%t %quick --verbose | FileCheck %s
// RUN: cat %t/*.trials.jsonl | FileCheck %s --check-prefix=TRIALS \
// RUN:   --implicit-check-not='"status":"{{([^o]|o[^k])}}'

// TRIALS: "status":"ok"

// CHECK-DAG: product: 2 evaluations
// CHECK-DAG: halves: 2 evaluations
// CHECK-DAG: orders: 8 evaluations

func.func @product(%A: memref<16x32xf32>, %B: memref<32x64xf32>, %C: memref<16x64xf32>) {
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
func.func @halves(%A: memref<16x32xf16>, %B: memref<32x64xf16>, %C: memref<16x64xf32>) {
  %a = bufferization.to_tensor %A restrict : memref<16x32xf16> to tensor<16x32xf16>
  %b = bufferization.to_tensor %B restrict : memref<32x64xf16> to tensor<32x64xf16>
  %c = bufferization.to_tensor %C restrict writable : memref<16x64xf32> to tensor<16x64xf32>
  %r = linalg.matmul {baco.recipe = #baco.recipe<[
      #baco.pack<sizes = [4, #baco.knob<"S", #baco.ordinal<[16, 32]>>, 8]>,
      #baco.tile<sizes = [1, 1, 1, 0, 0, 1]>,
      #baco.vectorize<>, #baco.bufferize<>, #baco.hoist<>]>}
    ins(%a, %b : tensor<16x32xf16>, tensor<32x64xf16>)
    outs(%c : tensor<16x64xf32>) -> tensor<16x64xf32>
  bufferization.materialize_in_destination %r in restrict writable %C
    : (tensor<16x64xf32>, memref<16x64xf32>) -> ()
  return
}
func.func @orders(%A: memref<16x32xf32>, %B: memref<32x64xf32>, %C: memref<16x64xf32>) {
  %a = bufferization.to_tensor %A restrict : memref<16x32xf32> to tensor<16x32xf32>
  %b = bufferization.to_tensor %B restrict : memref<32x64xf32> to tensor<32x64xf32>
  %c = bufferization.to_tensor %C restrict writable : memref<16x64xf32> to tensor<16x64xf32>
  %r = linalg.matmul {baco.recipe = #baco.recipe<[
      #baco.pack<sizes = [4, 16, 8],
        outer = [[], #baco.knob<"OB", #baco.permutation<2>>, #baco.knob<"OC", #baco.permutation<2>>],
        inner = [[], #baco.knob<"IB", #baco.permutation<2>>, []]>,
      #baco.tile<sizes = [1, 1, 1, 0, 0, 1]>,
      #baco.vectorize<>, #baco.bufferize<>, #baco.hoist<>]>}
    ins(%a, %b : tensor<16x32xf32>, tensor<32x64xf32>)
    outs(%c : tensor<16x64xf32>) -> tensor<16x64xf32>
  bufferization.materialize_in_destination %r in restrict writable %C
    : (tensor<16x64xf32>, memref<16x64xf32>) -> ()
  return
}
