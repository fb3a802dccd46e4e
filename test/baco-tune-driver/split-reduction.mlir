// Reductions of all kinds into partial results: every candidate computes what
// the plain lowering does. What it allocates is freed.
// RUN: rm -rf %t && mkdir %t && cp %s %t/in.mlir
// RUN: baco-tune-driver %t/in.mlir --budget=24 --output-dir=%t %quick --verbose | FileCheck %s
// RUN: cat %t/*.trials.jsonl | FileCheck %s --check-prefix=TRIALS \
// RUN:   --implicit-check-not='"status":"{{([^o]|o[^k])}}'
// RUN: FileCheck %s --check-prefix=TUNED --input-file=%t/in.tuned.mlir

// CHECK-DAG: sum: {{[2-9]}} evaluations
// CHECK-DAG: maximum: {{[2-9]}} evaluations
// CHECK-DAG: product: {{[2-9]}} evaluations
// CHECK-DAG: integers: {{[2-9]}} evaluations
// CHECK-DAG: halves: {{[2-9]}} evaluations
// CHECK-DAG: brains: {{[2-9]}} evaluations

// TRIALS: "status":"ok"

// TUNED: func.func @sum
// TUNED-NOT: baco

#in = affine_map<(i, j) -> (i, j)>
#out = affine_map<(i, j) -> (i)>
func.func @sum(%A: memref<12x256xf64>, %C: memref<12xf64>) {
  %a = bufferization.to_tensor %A restrict : memref<12x256xf64> to tensor<12x256xf64>
  %c = bufferization.to_tensor %C restrict writable : memref<12xf64> to tensor<12xf64>
  %r = linalg.generic {indexing_maps = [#in, #out],
                       iterator_types = ["parallel", "reduction"]}
    ins(%a : tensor<12x256xf64>) outs(%c : tensor<12xf64>)
    attrs = {baco.recipe = #baco.recipe<[
      #baco.tile<sizes = [4, 0]>,
      #baco.split_reduction<iterator = 1, factor = #baco.knob<"P", #baco.ordinal<[1, 8, 32]>>>,
      #baco.vectorize<>, #baco.bufferize<>, #baco.hoist<>]>} {
  ^bb0(%x: f64, %y: f64):
    %s = arith.addf %x, %y : f64
    linalg.yield %s : f64
  } -> tensor<12xf64>
  bufferization.materialize_in_destination %r in restrict writable %C
    : (tensor<12xf64>, memref<12xf64>) -> ()
  return
}

// A tile that doesn't divide, and no step for vectors: the lowering behind the
// schedule bufferizes.
func.func @maximum(%A: memref<12x100xf32>, %C: memref<12xf32>) {
  %a = bufferization.to_tensor %A restrict : memref<12x100xf32> to tensor<12x100xf32>
  %c = bufferization.to_tensor %C restrict writable : memref<12xf32> to tensor<12xf32>
  %r = linalg.reduce {arith.maximumf} ins(%a : tensor<12x100xf32>)
    outs(%c : tensor<12xf32>) dimensions = [1]
    {baco.recipe = #baco.recipe<[
      #baco.split_reduction<iterator = 1, factor = #baco.knob<"P", #baco.ordinal<[8, 16]>>>]>}
  bufferization.materialize_in_destination %r in restrict writable %C
    : (tensor<12xf32>, memref<12xf32>) -> ()
  return
}

// The vectors come after the tensors are in memory.
func.func @product(%A: memref<8x64xf32>, %B: memref<64x16xf32>, %C: memref<8x16xf32>) {
  %a = bufferization.to_tensor %A restrict : memref<8x64xf32> to tensor<8x64xf32>
  %b = bufferization.to_tensor %B restrict : memref<64x16xf32> to tensor<64x16xf32>
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<8x16xf32>
  %c = linalg.fill ins(%zero : f32) outs(%e : tensor<8x16xf32>) -> tensor<8x16xf32>
  %r = linalg.matmul {baco.recipe = #baco.recipe<[
      #baco.split_reduction<iterator = 2, factor = #baco.knob<"P", #baco.ordinal<[1, 4]>>>,
      #baco.bufferize<>,
      #baco.tile<sizes = [4, 0, 0]>, #baco.promote<operands = [1]>,
      #baco.tile<sizes = [0, 0, 1]>, #baco.vectorize<>, #baco.hoist<>]>}
    ins(%a, %b : tensor<8x64xf32>, tensor<64x16xf32>)
    outs(%c : tensor<8x16xf32>) -> tensor<8x16xf32>
  bufferization.materialize_in_destination %r in restrict writable %C
    : (tensor<8x16xf32>, memref<8x16xf32>) -> ()
  return
}

func.func @integers(%A: memref<8x64xi8>, %B: memref<64x16xi8>, %C: memref<8x16xi32>) {
  %a = bufferization.to_tensor %A restrict : memref<8x64xi8> to tensor<8x64xi8>
  %b = bufferization.to_tensor %B restrict : memref<64x16xi8> to tensor<64x16xi8>
  %c = bufferization.to_tensor %C restrict writable : memref<8x16xi32> to tensor<8x16xi32>
  %r = linalg.matmul {baco.recipe = #baco.recipe<[
      #baco.tile<sizes = [4, 16, 0]>,
      #baco.split_reduction<iterator = 2, factor = #baco.knob<"P", #baco.ordinal<[1, 2]>>>,
      #baco.vectorize<>, #baco.bufferize<>, #baco.hoist<>]>}
    ins(%a, %b : tensor<8x64xi8>, tensor<64x16xi8>)
    outs(%c : tensor<8x16xi32>) -> tensor<8x16xi32>
  bufferization.materialize_in_destination %r in restrict writable %C
    : (tensor<8x16xi32>, memref<8x16xi32>) -> ()
  return
}

func.func @halves(%A: memref<8x64xf16>, %B: memref<64x16xf16>, %C: memref<8x16xf32>) {
  %a = bufferization.to_tensor %A restrict : memref<8x64xf16> to tensor<8x64xf16>
  %b = bufferization.to_tensor %B restrict : memref<64x16xf16> to tensor<64x16xf16>
  %c = bufferization.to_tensor %C restrict writable : memref<8x16xf32> to tensor<8x16xf32>
  %r = linalg.matmul {baco.recipe = #baco.recipe<[
      #baco.tile<sizes = [4, 16, 0]>,
      #baco.split_reduction<iterator = 2, factor = #baco.knob<"P", #baco.ordinal<[1, 2]>>>,
      #baco.vectorize<>, #baco.bufferize<>, #baco.hoist<>]>}
    ins(%a, %b : tensor<8x64xf16>, tensor<64x16xf16>)
    outs(%c : tensor<8x16xf32>) -> tensor<8x16xf32>
  bufferization.materialize_in_destination %r in restrict writable %C
    : (tensor<8x16xf32>, memref<8x16xf32>) -> ()
  return
}

func.func @brains(%A: memref<12x16xbf16>, %C: memref<12xbf16>) {
  %a = bufferization.to_tensor %A restrict : memref<12x16xbf16> to tensor<12x16xbf16>
  %c = bufferization.to_tensor %C restrict writable : memref<12xbf16> to tensor<12xbf16>
  %r = linalg.reduce {arith.addf} ins(%a : tensor<12x16xbf16>)
    outs(%c : tensor<12xbf16>) dimensions = [1]
    {baco.recipe = #baco.recipe<[
      #baco.split_reduction<iterator = 1, factor = #baco.knob<"P", #baco.ordinal<[2, 4]>>>,
      #baco.vectorize<>]>}
  bufferization.materialize_in_destination %r in restrict writable %C
    : (tensor<12xbf16>, memref<12xbf16>) -> ()
  return
}
