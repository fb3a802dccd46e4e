// Tiles for threads, as many or as large as knobs say, on memrefs and on tensors:
// every candidate computes what the plain lowering does, and what is chosen
// lowers to OpenMP.
// RUN: rm -rf %t && mkdir %t && cp %s %t/in.mlir
// RUN: baco-tune-driver %t/in.mlir --budget=24 --output-dir=%t %quick --verbose | FileCheck %s
// RUN: cat %t/*.trials.jsonl | FileCheck %s --check-prefix=TRIALS \
// RUN:   --implicit-check-not='"status":"{{([^o]|o[^k])}}'

// TRIALS: "status":"ok"
// What would be chosen of such small kernels if the originals took no part.
// RUN: baco-tune-driver %t/in.mlir --budget=24 --output-dir=%t/threads --entry=threads \
// RUN:   --evaluator=replay:%t/in.threads.trials.jsonl
// RUN: baco-opt %t/threads/in.tuned.mlir --baco-lower-to-cpu \
// RUN:   | FileCheck %s --check-prefix=THREADS
// RUN: baco-tune-driver %t/in.mlir --budget=24 --output-dir=%t/sizes --entry=sizes \
// RUN:   --evaluator=replay:%t/in.sizes.trials.jsonl
// RUN: baco-opt %t/sizes/in.tuned.mlir --baco-lower-to-cpu \
// RUN:   | FileCheck %s --check-prefix=SIZES

// CHECK-DAG: threads: {{[1-9][0-9]*}} evaluations
// CHECK-DAG: sizes: {{[1-9][0-9]*}} evaluations

// THREADS-LABEL: llvm.func @threads
// THREADS: omp.parallel
// SIZES-LABEL: llvm.func @sizes
// SIZES: omp.parallel

func.func @threads(%A: memref<64x32xf32>, %B: memref<32x48xf32>, %C: memref<64x48xf32>) {
  linalg.matmul {baco.recipe = #baco.recipe<[
      #baco.parallelize<threads = [#baco.knob<"T", #baco.ordinal<[1, 2, 4]>>, 2, 0]>]>}
    ins(%A, %B : memref<64x32xf32>, memref<32x48xf32>) outs(%C : memref<64x48xf32>)
  return
}
func.func @sizes(%A: memref<24x32xf32>, %B: memref<32x48xf32>, %C: memref<24x48xf32>) {
  %a = bufferization.to_tensor %A restrict : memref<24x32xf32> to tensor<24x32xf32>
  %b = bufferization.to_tensor %B restrict : memref<32x48xf32> to tensor<32x48xf32>
  %c = bufferization.to_tensor %C restrict writable : memref<24x48xf32> to tensor<24x48xf32>
  %r = linalg.matmul {baco.recipe = #baco.recipe<[
      #baco.parallelize<sizes = [#baco.knob<"S", #baco.ordinal<[8, 12]>>, 0, 0]>,
      #baco.tile<sizes = [4, 16, 0]>, #baco.tile<sizes = [0, 0, 1]>,
      #baco.vectorize<>, #baco.hoist<>, #baco.bufferize<>]>}
    ins(%a, %b : tensor<24x32xf32>, tensor<32x48xf32>)
    outs(%c : tensor<24x48xf32>) -> tensor<24x48xf32>
  bufferization.materialize_in_destination %r in restrict writable %C
    : (tensor<24x48xf32>, memref<24x48xf32>) -> ()
  return
}
