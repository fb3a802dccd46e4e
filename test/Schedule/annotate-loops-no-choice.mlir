// RUN: baco-opt %s --baco-annotate --verify-diagnostics | FileCheck %s

// Choices that would make candidates fail are not offered.
// CHECK-NOT: baco.recipe

func.func @halve(%A: memref<100xf32>) {
  %one = arith.constant 1.0 : f32
  %half = arith.constant 0.5 : f32
  // expected-remark@+1 {{no automatic recipe: nothing in it can be chosen; statement 0 stays as it is: it can't be computed on vectors}}
  affine.for %i = 0 to 100 {
    %a = affine.load %A[%i] : memref<100xf32>
    // expected-remark@+1 {{not vectorized: 'scf.while' is not a loop with affine bounds and constant positive steps}}
    %r = scf.while (%x = %a) : (f32) -> f32 {
      %g = arith.cmpf ogt, %x, %one : f32
      scf.condition(%g) %x : f32
    } do {
    ^bb0(%x: f32):
      %y = arith.mulf %x, %half : f32
      scf.yield %y : f32
    }
    affine.store %r, %A[%i] : memref<100xf32>
  }
  return
}

func.func @empty(%A: memref<100xf32>) {
  %two = arith.constant 2.0 : f32
  // expected-remark@+1 {{no automatic recipe: it has no iterations}}
  affine.for %i = 5 to 2 {
    affine.for %j = 0 to 100 {
      affine.store %two, %A[%j] : memref<100xf32>
    }
  }
  return
}

// Vectors are illegal, of any width but one.
func.func @modulo(%A: memref<100xf32>) {
  %two = arith.constant 2.0 : f32
  // expected-remark@+1 {{no automatic recipe: nothing in it can be chosen}}
  affine.for %i = 0 to 10 {
    affine.for %j = 0 to 100 {
      %a = affine.load %A[(%i * 93 + %j * 77) mod 100] : memref<100xf32>
      %b = arith.mulf %a, %two : f32
      affine.store %b, %A[%j] : memref<100xf32>
    }
  }
  return
}

// A loop that runs once is no vector, and may have any place.
func.func @column(%A: memref<64x1xf32>, %B: memref<64x1xf32>) {
  // expected-remark@+1 {{no automatic recipe: nothing in it can be chosen}}
  affine.for %i = 0 to 64 {
    affine.for %j = 0 to 1 {
      %a = affine.load %A[%i, %j] : memref<64x1xf32>
      affine.store %a, %B[%i, %j] : memref<64x1xf32>
    }
  }
  return
}
