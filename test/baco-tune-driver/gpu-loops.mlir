// Loops become kernels of a GPU, whose results are those of the loops; the
// command of the schedule makes them again.
// RUN: rm -rf %t
// RUN: baco-tune-driver %s --target=nvvm:sm_90 --evaluator=static --verify=emulate --budget=6 --seed=1 \
// RUN:   --output-dir=%t > %t.txt
// RUN: FileCheck %s --input-file=%t.txt
// RUN: cat %t/*.trials.jsonl | FileCheck %s --check-prefix=TRIALS \
// RUN:   --implicit-check-not='"status":"{{([^o]|o[^k])}}'
// RUN: baco-opt %s --baco-decompose-for-gpu \
// RUN:   --transform-preload-library=transform-library-paths=%t/gpu-loops.schedule.mlir \
// RUN:   --transform-interpreter -o %t/scheduled
// RUN: baco-opt %t/gpu-loops.tuned.mlir | cmp - %t/scheduled
// CHECK: product
// CHECK: steps
// TRIALS-COUNT-6: "status":"ok"
func.func @product(%A: memref<32x40xf32>, %B: memref<40x24xf32>, %C: memref<32x24xf32>) {
  %zero = arith.constant 0.0 : f32
  affine.for %i = 0 to 32 {
    affine.for %j = 0 to 24 {
      %s = affine.for %k = 0 to 40 iter_args(%sum = %zero) -> f32 {
        %a = affine.load %A[%i, %k] : memref<32x40xf32>
        %b = affine.load %B[%k, %j] : memref<40x24xf32>
        %p = arith.mulf %a, %b : f32
        %r = arith.addf %sum, %p : f32
        affine.yield %r : f32
      }
      affine.store %s, %C[%i, %j] : memref<32x24xf32>
    }
  }
  return
}

func.func @steps(%A: memref<66xf32>, %B: memref<66xf32>) {
  affine.for %t = 0 to 3 {
    affine.for %i = 1 to 65 {
      %a = affine.load %A[%i - 1] : memref<66xf32>
      %b = affine.load %A[%i + 1] : memref<66xf32>
      %s = arith.addf %a, %b : f32
      affine.store %s, %B[%i] : memref<66xf32>
    }
    affine.for %i = 1 to 65 {
      %a = affine.load %B[%i] : memref<66xf32>
      affine.store %a, %A[%i] : memref<66xf32>
    }
  }
  return
}
