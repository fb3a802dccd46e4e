// Fused or not, in memory or in vectors: every candidate computes what the plain
// lowering does.
// RUN: rm -rf %t && mkdir %t && cp %s %t/in.mlir
// RUN: baco-tune-driver %t/in.mlir --budget=24 --output-dir=%t %quick --verbose | FileCheck %s
// RUN: cat %t/*.trials.jsonl | FileCheck %s --check-prefix=TRIALS \
// RUN:   --implicit-check-not='"status":"{{([^o]|o[^k])}}'

// TRIALS: "status":"ok"

// CHECK-DAG: loops: {{[2-9]}} evaluations
// CHECK-DAG: vectors: {{[2-9]}} evaluations

func.func @loops(%A: memref<24x32xf32>, %B: memref<32x48xf32>, %C: memref<24x48xf32>) {
  %a = bufferization.to_tensor %A restrict : memref<24x32xf32> to tensor<24x32xf32>
  %b = bufferization.to_tensor %B restrict : memref<32x48xf32> to tensor<32x48xf32>
  %c = bufferization.to_tensor %C restrict writable : memref<24x48xf32> to tensor<24x48xf32>
  %0 = tensor.empty() : tensor<24x32xf32>
  %f = linalg.abs ins(%a : tensor<24x32xf32>) outs(%0 : tensor<24x32xf32>) -> tensor<24x32xf32>
  %e = linalg.square ins(%f : tensor<24x32xf32>) outs(%0 : tensor<24x32xf32>) -> tensor<24x32xf32>
  %r = linalg.matmul {baco.recipe = #baco.recipe<[
      #baco.tile<sizes = [8, 0, 0]>,
      #baco.fuse<producer = [0], enabled = #baco.knob<"E", #baco.ordinal<[0, 1]>>>,
      #baco.fuse<producer = [0, 0], enabled = #baco.knob<"F", #baco.ordinal<[0, 1]>>>]>}
    ins(%e, %b : tensor<24x32xf32>, tensor<32x48xf32>)
    outs(%c : tensor<24x48xf32>) -> tensor<24x48xf32>
  bufferization.materialize_in_destination %r in restrict writable %C
    : (tensor<24x48xf32>, memref<24x48xf32>) -> ()
  return
}
func.func @vectors(%A: memref<24x32xf32>, %B: memref<32x48xf32>, %C: memref<24x48xf32>) {
  %a = bufferization.to_tensor %A restrict : memref<24x32xf32> to tensor<24x32xf32>
  %b = bufferization.to_tensor %B restrict : memref<32x48xf32> to tensor<32x48xf32>
  %c = bufferization.to_tensor %C restrict writable : memref<24x48xf32> to tensor<24x48xf32>
  %0 = tensor.empty() : tensor<24x32xf32>
  %f = linalg.abs ins(%a : tensor<24x32xf32>) outs(%0 : tensor<24x32xf32>) -> tensor<24x32xf32>
  %e = linalg.square ins(%f : tensor<24x32xf32>) outs(%0 : tensor<24x32xf32>) -> tensor<24x32xf32>
  %r = linalg.matmul {baco.recipe = #baco.recipe<[
      #baco.tile<sizes = [4, 16, 0]>,
      #baco.fuse<producer = [0], enabled = #baco.knob<"E", #baco.ordinal<[0, 1]>>>,
      #baco.fuse<producer = [0, 0], enabled = #baco.knob<"F", #baco.ordinal<[0, 1]>>>,
      #baco.vectorize<>, #baco.hoist<>, #baco.bufferize<>]>}
    ins(%e, %b : tensor<24x32xf32>, tensor<32x48xf32>)
    outs(%c : tensor<24x48xf32>) -> tensor<24x48xf32>
  bufferization.materialize_in_destination %r in restrict writable %C
    : (tensor<24x48xf32>, memref<24x48xf32>) -> ()
  return
}
