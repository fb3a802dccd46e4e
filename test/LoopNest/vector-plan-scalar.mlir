// RUN: baco-opt %s --split-input-file --baco-annotate --verify-diagnostics | FileCheck %s

// Ops without a vector form get a remark, and plans without vectors.

// CHECK-LABEL: func.func @complex
// CHECK: baco.recipe = #baco.recipe<[#baco.loop_permute<order = #baco.knob<"order", #baco.permutation<2>, default = [0, 1]>, statement = 0>]>
func.func @complex(%A: memref<64x100xcomplex<f32>>, %B: memref<100xcomplex<f32>>) {
  affine.for %i = 0 to 64 {
    affine.for %j = 0 to 100 {
      // expected-remark@+1 {{not vectorized: its element type can't be vectorized}}
      %a = affine.load %A[%i, %j] : memref<64x100xcomplex<f32>>
      %b = affine.load %B[%j] : memref<100xcomplex<f32>>
      %c = complex.add %a, %b : complex<f32>
      affine.store %c, %B[%j] : memref<100xcomplex<f32>>
    }
  }
  return
}

// -----

// CHECK-LABEL: func.func @conditional
// CHECK: baco.recipe = #baco.recipe<[#baco.loop_permute<order = #baco.knob<"order"
func.func @conditional(%A: memref<64x100xf32>, %B: memref<64x100xf32>) {
  %zero = arith.constant 0.0 : f32
  affine.for %i = 0 to 64 {
    affine.for %j = 0 to 100 {
      %a = affine.load %A[%i, %j] : memref<64x100xf32>
      %g = arith.cmpf ogt, %a, %zero : f32
      // expected-remark@+1 {{not vectorized: 'scf.if' has no vector form}}
      scf.if %g {
        affine.store %a, %B[%i, %j] : memref<64x100xf32>
      }
    }
  }
  return
}

// -----

// The others are not hindered.
// CHECK-LABEL: func.func @both
// CHECK: #baco.loop_distribute<statements = [0, 1], loop = 1>
// CHECK-NOT: #baco.loop_vectorize<statement = 0
// CHECK: #baco.loop_vectorize<statement = 1
// CHECK-NOT: #baco.loop_vectorize<statement = 0
func.func @both(%A: memref<64x100xcomplex<f32>>, %B: memref<64x100xf32>) {
  affine.for %i = 0 to 64 {
    affine.for %j = 0 to 100 {
      // expected-remark@+1 {{not vectorized: its element type can't be vectorized}}
      %a = affine.load %A[%i, %j] : memref<64x100xcomplex<f32>>
      %c = complex.mul %a, %a : complex<f32>
      affine.store %c, %A[%i, %j] : memref<64x100xcomplex<f32>>
      %b = affine.load %B[%i, %j] : memref<64x100xf32>
      %d = arith.mulf %b, %b : f32
      affine.store %d, %B[%i, %j] : memref<64x100xf32>
    }
  }
  return
}
