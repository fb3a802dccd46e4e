// Nests that pass over the same matrix, by rows and by columns, are one kernel,
// and every candidate computes what the plain lowering does.
// RUN: rm -rf %t
// RUN: baco-tune-driver %s --host=l2=65536 --budget=12 --output-dir=%t %quick \
// RUN:   | FileCheck %s
// RUN: cat %t/*.trials.jsonl | FileCheck %s --check-prefix=TRIALS \
// RUN:   --implicit-check-not='"status":"{{([^o]|o[^k])}}'

// TRIALS: "TB0"
// TRIALS-SAME: "U1"

// CHECK: both_ways: 12 evaluations{{$}}
func.func @both_ways(%A: memref<130x130xf64>, %x: memref<130xf64>,
                     %y: memref<130xf64>, %z: memref<130xf64>,
                     %w: memref<130xf64>) {
  affine.for %i = 0 to 130 {
    affine.for %j = 0 to 130 {
      %a = affine.load %A[%i, %j] : memref<130x130xf64>
      %v = affine.load %y[%j] : memref<130xf64>
      %p = arith.mulf %a, %v : f64
      %b = arith.addf %a, %p : f64
      affine.store %b, %A[%i, %j] : memref<130x130xf64>
    }
  }
  affine.for %i = 0 to 130 {
    affine.for %j = 0 to 130 {
      %a = affine.load %A[%j, %i] : memref<130x130xf64>
      %v = affine.load %w[%j] : memref<130xf64>
      %p = arith.mulf %a, %v : f64
      %s = affine.load %z[%i] : memref<130xf64>
      %t = arith.addf %s, %p : f64
      affine.store %t, %z[%i] : memref<130xf64>
    }
  }
  affine.for %i = 0 to 130 {
    affine.for %j = 0 to 130 {
      %a = affine.load %A[%i, %j] : memref<130x130xf64>
      %v = affine.load %w[%j] : memref<130xf64>
      %p = arith.mulf %a, %v : f64
      %s = affine.load %x[%i] : memref<130xf64>
      %t = arith.addf %s, %p : f64
      affine.store %t, %x[%i] : memref<130xf64>
    }
  }
  return
}
