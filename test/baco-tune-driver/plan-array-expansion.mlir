// Rows of a product that share a temporary get one each, and triangular
// products in place copy rows before they are written. Every candidate computes
// what the plain lowering does.
// RUN: rm -rf %t
// RUN: baco-tune-driver %s --budget=12 --output-dir=%t %quick --verbose | FileCheck %s
// RUN: cat %t/*.trials.jsonl | FileCheck %s --check-prefix=TRIALS \
// RUN:   --implicit-check-not='"status":"{{([^o]|o[^k])}}'
// RUN: cat %t/*.schedule.mlir | FileCheck %s --check-prefix=SCHEDULE

// TRIALS: "status":"ok"
// SCHEDULE: loop_expand
// SCHEDULE: condition = "L{{[0-9]}} < L1"

// CHECK: rows: {{[1-9][0-9]*}} evaluations{{$}}
// CHECK: triangle: {{[1-9][0-9]*}} evaluations{{$}}
func.func @rows(%A: memref<5x34x48xf32>, %W: memref<48x48xf32>,
                %s: memref<48xf32>) {
  %zero = arith.constant 0.0 : f32
  affine.for %r = 0 to 5 {
    affine.for %q = 0 to 34 {
      affine.for %p = 0 to 48 {
        affine.store %zero, %s[%p] : memref<48xf32>
        affine.for %k = 0 to 48 {
          %0 = affine.load %s[%p] : memref<48xf32>
          %1 = affine.load %A[%r, %q, %k] : memref<5x34x48xf32>
          %2 = affine.load %W[%k, %p] : memref<48x48xf32>
          %3 = arith.mulf %1, %2 : f32
          %4 = arith.addf %0, %3 : f32
          affine.store %4, %s[%p] : memref<48xf32>
        }
      }
      affine.for %p = 0 to 48 {
        %5 = affine.load %s[%p] : memref<48xf32>
        affine.store %5, %A[%r, %q, %p] : memref<5x34x48xf32>
      }
    }
  }
  return
}

func.func @triangle(%A: memref<660x660xf32>, %B: memref<660x64xf32>) {
  affine.for %i = 0 to 660 {
    affine.for %j = 0 to 64 {
      affine.for %k = affine_map<(i) -> (i + 1)>(%i) to 660 {
        %0 = affine.load %B[%i, %j] : memref<660x64xf32>
        %1 = affine.load %A[%k, %i] : memref<660x660xf32>
        %2 = affine.load %B[%k, %j] : memref<660x64xf32>
        %3 = arith.mulf %1, %2 : f32
        %4 = arith.addf %0, %3 : f32
        affine.store %4, %B[%i, %j] : memref<660x64xf32>
      }
    }
  }
  return
}
