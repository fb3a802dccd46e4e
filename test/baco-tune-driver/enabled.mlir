// With steps switched on and off by knobs, iterators left untiled, and vectors in
// what a thread has: every candidate computes what the plain lowering does.
// RUN: rm -rf %t && mkdir %t && cp %s %t/in.mlir
// RUN: baco-tune-driver %t/in.mlir --budget=48 --output-dir=%t %quick --verbose | FileCheck %s
// RUN: cat %t/*.trials.jsonl | FileCheck %s --check-prefix=TRIALS \
// RUN:   --implicit-check-not='"status":"{{([^o]|o[^k])}}'

// TRIALS: "status":"ok"

// CHECK-DAG: steps: {{[1-9][0-9]*}} evaluations
// CHECK-DAG: threads: {{[1-9][0-9]*}} evaluations

func.func @steps(%A: memref<64x32xf32>, %B: memref<32x16xf32>, %C: memref<64x16xf32>) {
  linalg.matmul {baco.recipe = #baco.recipe<[
      #baco.tile<sizes = [8, #baco.knob<"T", #baco.ordinal<[0, 4, 8]>>, 0]>,
      #baco.promote<operands = [0], enabled = #baco.knob<"P", #baco.ordinal<[0, 1]>>>,
      #baco.tile<sizes = [0, 0, 1]>,
      #baco.vectorize<enabled = #baco.knob<"V", #baco.ordinal<[0, 1]>>>,
      #baco.hoist<enabled = #baco.knob<"H", #baco.ordinal<[0, 1]>>>]>}
    ins(%A, %B : memref<64x32xf32>, memref<32x16xf32>) outs(%C : memref<64x16xf32>)
  return
}
func.func @threads(%A: memref<64x32xf32>, %B: memref<32x48xf32>, %C: memref<64x48xf32>) {
  linalg.matmul {baco.recipe = #baco.recipe<[
      #baco.parallelize<threads = [#baco.knob<"T", #baco.ordinal<[1, 2, 4]>>, 0, 0]>,
      #baco.tile<sizes = [#baco.knob<"M", #baco.ordinal<[4, 8, 32]>>, 16, 1]>,
      #baco.vectorize<>, #baco.hoist<>]>}
    ins(%A, %B : memref<64x32xf32>, memref<32x48xf32>) outs(%C : memref<64x48xf32>)
  return
}
