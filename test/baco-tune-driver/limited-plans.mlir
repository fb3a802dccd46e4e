// Where vectors are limited by a dependence, or impossible for a statement,
// every candidate computes what the plain lowering does.
// RUN: rm -rf %t
// RUN: baco-tune-driver %s --budget=8 --host=vector-bytes=32 --output-dir=%t %quick --verbose 2>&1 | FileCheck %s
// RUN: cat %t/*.trials.jsonl | FileCheck %s --check-prefix=TRIALS \
// RUN:   --implicit-check-not='"status":"{{([^o]|o[^k])}}'

// TRIALS: "status":"ok"

// CHECK-DAG: shifted: {{[1-9][0-9]*}} evaluation
// CHECK-DAG: conditional: {{[1-9][0-9]*}} evaluation
// CHECK-DAG: both: {{[1-9][0-9]*}} evaluation

func.func @shifted(%A: memref<103xf32>, %B: memref<103xf32>) {
  affine.for %i = 4 to 103 {
    %a = affine.load %A[%i - 4] : memref<103xf32>
    %b = affine.load %B[%i] : memref<103xf32>
    %c = arith.mulf %a, %b : f32
    affine.store %c, %A[%i] : memref<103xf32>
  }
  return
}

func.func @conditional(%A: memref<14x23xf32>, %B: memref<23x14xf32>) {
  %zero = arith.constant 0.0 : f32
  affine.for %i = 0 to 14 {
    affine.for %j = 0 to 23 {
      %a = affine.load %A[%i, %j] : memref<14x23xf32>
      %g = arith.cmpf ogt, %a, %zero : f32
      scf.if %g {
        affine.store %a, %B[%j, %i] : memref<23x14xf32>
      }
    }
  }
  return
}

func.func @both(%A: memref<14x23xcomplex<f32>>, %B: memref<14x23xf32>) {
  affine.for %i = 0 to 14 {
    affine.for %j = 0 to 23 {
      %a = affine.load %A[%i, %j] : memref<14x23xcomplex<f32>>
      %c = complex.mul %a, %a : complex<f32>
      affine.store %c, %A[%i, %j] : memref<14x23xcomplex<f32>>
      %b = affine.load %B[%i, %j] : memref<14x23xf32>
      %d = arith.mulf %b, %b : f32
      affine.store %d, %B[%i, %j] : memref<14x23xf32>
    }
  }
  return
}
