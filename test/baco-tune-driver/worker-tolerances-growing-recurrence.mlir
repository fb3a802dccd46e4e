// A recurrence whose sums of absolute values grow beyond the type: what other
// roundings do to its results is seen by trying.
// RUN: rm -rf %t
// RUN: baco-tune-driver %s --budget=3 --output-dir=%t %quick | FileCheck %s
// RUN: FileCheck %s --check-prefix=TRIALS --input-file=%t/worker-tolerances-growing-recurrence.trials.jsonl \
// RUN:   --implicit-check-not='"status":"{{([^o]|o[^k])}}'

// CHECK: f: 3 evaluations{{$}}
// TRIALS: "status":"ok"

func.func @f(%A: memref<65x128xf32>, %B: memref<65xf32>) {
  affine.for %i = 1 to 64 {
    %b = affine.load %B[%i] : memref<65xf32>
    %r = affine.for %j = 0 to 128 iter_args(%x = %b) -> f32 {
      %a = affine.load %A[%i, %j] : memref<65x128xf32>
      %p = affine.load %B[%i - 1] : memref<65xf32>
      %q = affine.load %B[%i] : memref<65xf32>
      %m = arith.mulf %a, %p : f32
      %n = arith.addf %m, %q : f32
      %s = arith.addf %x, %n : f32
      affine.yield %s : f32
    }
    affine.store %r, %B[%i] : memref<65xf32>
  }
  return
}
