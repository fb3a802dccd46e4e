// A product, a sum with a bias and a relu: fused or not, whole or by rows, in
// memory or in vectors, every candidate computes what the plain lowering does.
// RUN: rm -rf %t && mkdir %t && cp %s %t/in.mlir
// RUN: baco-tune-driver %t/in.mlir --budget=24 --output-dir=%t %quick --verbose | FileCheck %s
// RUN: cat %t/*.trials.jsonl | FileCheck %s --check-prefix=TRIALS \
// RUN:   --implicit-check-not='"status":"{{([^o]|o[^k])}}'

// TRIALS: "status":"ok"

// CHECK-DAG: partial: {{1[0-2]}} evaluations
// CHECK-DAG: vectors: {{[2-9]}} evaluations
// CHECK-DAG: threads: {{[2-9]}} evaluations

// Tiles that don't divide; the result of the sum is read once more behind, and
// producers are fused into the same loops.
func.func @partial(%A: memref<25x32xf32>, %B: memref<32x50xf32>,
                   %bias: memref<50xf32>, %C: memref<25x50xf32>,
                   %D: memref<25x50xf32>) {
  %a = bufferization.to_tensor %A restrict : memref<25x32xf32> to tensor<25x32xf32>
  %b = bufferization.to_tensor %B restrict : memref<32x50xf32> to tensor<32x50xf32>
  %v = bufferization.to_tensor %bias restrict : memref<50xf32> to tensor<50xf32>
  %c = bufferization.to_tensor %C restrict writable : memref<25x50xf32> to tensor<25x50xf32>
  %d = bufferization.to_tensor %D restrict writable : memref<25x50xf32> to tensor<25x50xf32>
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<25x50xf32>
  %square = linalg.square ins(%a : tensor<25x32xf32>) outs(%a : tensor<25x32xf32>) -> tensor<25x32xf32>
  %sums = linalg.fill ins(%zero : f32) outs(%empty : tensor<25x50xf32>) -> tensor<25x50xf32>
  %product = linalg.matmul {baco.recipe = #baco.recipe<[
      #baco.tile<sizes = [#baco.knob<"M", #baco.ordinal<[0, 4, 10]>>, 16, 0],
                 order = [1, 0]>,
      #baco.fuse_consumers<count = #baco.knob<"N", #baco.ordinal<[0, 1, 2]>>>,
      #baco.fuse<producer = [0], enabled = #baco.knob<"P", #baco.ordinal<[0, 1]>>>,
      #baco.tile<sizes = [0, 0, 8]>]>}
    ins(%square, %b : tensor<25x32xf32>, tensor<32x50xf32>)
    outs(%sums : tensor<25x50xf32>) -> tensor<25x50xf32>
  %rows = linalg.broadcast ins(%v : tensor<50xf32>) outs(%empty : tensor<25x50xf32>) dimensions = [0]
  %biased = linalg.add ins(%product, %rows : tensor<25x50xf32>, tensor<25x50xf32>)
    outs(%c : tensor<25x50xf32>) -> tensor<25x50xf32>
  %zeros = linalg.fill ins(%zero : f32) outs(%empty : tensor<25x50xf32>) -> tensor<25x50xf32>
  %relu = linalg.max ins(%biased, %zeros : tensor<25x50xf32>, tensor<25x50xf32>)
    outs(%d : tensor<25x50xf32>) -> tensor<25x50xf32>
  bufferization.materialize_in_destination %biased in restrict writable %C
    : (tensor<25x50xf32>, memref<25x50xf32>) -> ()
  bufferization.materialize_in_destination %relu in restrict writable %D
    : (tensor<25x50xf32>, memref<25x50xf32>) -> ()
  return
}

// In registers: what is added and compared is a tile of vectors.
func.func @vectors(%A: memref<24x32xf32>, %B: memref<32x48xf32>,
                   %bias: memref<48xf32>, %C: memref<24x48xf32>) {
  %a = bufferization.to_tensor %A restrict : memref<24x32xf32> to tensor<24x32xf32>
  %b = bufferization.to_tensor %B restrict : memref<32x48xf32> to tensor<32x48xf32>
  %v = bufferization.to_tensor %bias restrict : memref<48xf32> to tensor<48xf32>
  %c = bufferization.to_tensor %C restrict writable : memref<24x48xf32> to tensor<24x48xf32>
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<24x48xf32>
  %sums = linalg.fill ins(%zero : f32) outs(%empty : tensor<24x48xf32>) -> tensor<24x48xf32>
  %product = linalg.matmul {baco.recipe = #baco.recipe<[
      #baco.tile<sizes = [#baco.knob<"M", #baco.ordinal<[4, 8]>>, 16, 0]>,
      #baco.fuse_consumers<count = #baco.knob<"N", #baco.ordinal<[0, 1]>>>,
      #baco.tile<sizes = [0, 0, 1]>,
      #baco.vectorize<>,
      #baco.hoist<enabled = #baco.knob<"H", #baco.ordinal<[0, 1]>>>,
      #baco.bufferize<>]>}
    ins(%a, %b : tensor<24x32xf32>, tensor<32x48xf32>)
    outs(%sums : tensor<24x48xf32>) -> tensor<24x48xf32>
  %relu = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>,
      affine_map<(i, j) -> (j)>, affine_map<(i, j) -> (i, j)>],
      iterator_types = ["parallel", "parallel"]}
    ins(%product, %v : tensor<24x48xf32>, tensor<48xf32>)
    outs(%c : tensor<24x48xf32>) {
  ^bb0(%x: f32, %y: f32, %out: f32):
    %sum = arith.addf %x, %y : f32
    %max = arith.maximumf %sum, %zero : f32
    linalg.yield %max : f32
  } -> tensor<24x48xf32>
  bufferization.materialize_in_destination %relu in restrict writable %C
    : (tensor<24x48xf32>, memref<24x48xf32>) -> ()
  return
}

// Each thread adds up the rows that it computes.
func.func @threads(%A: memref<24x32xf32>, %B: memref<32x48xf32>, %C: memref<24xf32>) {
  %a = bufferization.to_tensor %A restrict : memref<24x32xf32> to tensor<24x32xf32>
  %b = bufferization.to_tensor %B restrict : memref<32x48xf32> to tensor<32x48xf32>
  %c = bufferization.to_tensor %C restrict writable : memref<24xf32> to tensor<24xf32>
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<24x48xf32>
  %sums = linalg.fill ins(%zero : f32) outs(%empty : tensor<24x48xf32>) -> tensor<24x48xf32>
  %product = linalg.matmul {baco.recipe = #baco.recipe<[
      #baco.parallelize<threads = [#baco.knob<"T", #baco.ordinal<[1, 2]>>, 0, 0]>,
      #baco.fuse_consumers<count = #baco.knob<"N", #baco.ordinal<[0, 2]>>>]>}
    ins(%a, %b : tensor<24x32xf32>, tensor<32x48xf32>)
    outs(%sums : tensor<24x48xf32>) -> tensor<24x48xf32>
  %e = linalg.exp ins(%product : tensor<24x48xf32>) outs(%empty : tensor<24x48xf32>) -> tensor<24x48xf32>
  %r = linalg.reduce {arith.addf} ins(%e : tensor<24x48xf32>)
    outs(%c : tensor<24xf32>) dimensions = [1]
  bufferization.materialize_in_destination %r in restrict writable %C
    : (tensor<24xf32>, memref<24xf32>) -> ()
  return
}
