// Loops to an argument end where the arrays do, at the latest: what is copied
// has a size in all candidates.
// RUN: rm -rf %t
// RUN: baco-tune-driver %s --budget=16 --optimizer=random --output-dir=%t %quick --verbose 2>&1 | FileCheck %s
// RUN: cat %t/*.trials.jsonl | FileCheck %s --check-prefix=TRIALS \
// RUN:   --implicit-check-not='"status":"{{([^o]|o[^k])}}'

// TRIALS: "status":"ok"

// CHECK-DAG: transposed: {{[1-9]}} evaluations
// CHECK-DAG: batch: {{[1-9]}} evaluations

func.func @transposed(%A: memref<40x40xf32>, %B: memref<40x40xf32>, %C: memref<40x40xf32>, %n: index) {
  affine.for %i = 0 to %n {
    affine.for %j = 0 to %n {
      affine.for %k = 0 to %n {
        %a = affine.load %A[%i, %k] : memref<40x40xf32>
        %b = affine.load %B[%j, %k] : memref<40x40xf32>
        %c = affine.load %C[%i, %j] : memref<40x40xf32>
        %p = arith.mulf %a, %b : f32
        %s = arith.addf %c, %p : f32
        affine.store %s, %C[%i, %j] : memref<40x40xf32>
      }
    }
  }
  return
}

func.func @batch(%A: memref<4x40x40xf32>, %B: memref<4x40x40xf32>, %C: memref<4x40x40xf32>, %m: index, %n: index) {
  affine.for %b = 0 to %m {
    affine.for %i = 0 to 40 {
      affine.for %j = 0 to 40 {
        affine.for %k = 0 to %n {
          %0 = affine.load %A[%b, %i, %k] : memref<4x40x40xf32>
          %1 = affine.load %B[%b, %k, %j] : memref<4x40x40xf32>
          %2 = affine.load %C[%b, %i, %j] : memref<4x40x40xf32>
          %p = arith.mulf %0, %1 : f32
          %s = arith.addf %2, %p : f32
          affine.store %s, %C[%b, %i, %j] : memref<4x40x40xf32>
        }
      }
    }
  }
  return
}
