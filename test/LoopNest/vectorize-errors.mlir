// RUN: baco-opt %s --split-input-file --verify-diagnostics \
// RUN:   --transform-preload-library=transform-library-paths=%S/Inputs/vectorize-marked.mlir \
// RUN:   --transform-interpreter

func.func @carried(%A: memref<9xf32>, %B: memref<9xf32>, %x: f32) {
  // expected-error @below {{its carried value 0 isn't a reduction}}
  %r = affine.for %i = 0 to 9 iter_args(%last = %x) -> f32 {
    %a = affine.load %A[%i] : memref<9xf32>
    affine.store %last, %B[%i] : memref<9xf32>
    affine.yield %a : f32
  } {this}
  return
}

// -----

func.func @same_element(%A: memref<9xf32>, %B: memref<9xf32>) {
  affine.for %i = 0 to 9 {
    %a = affine.load %A[%i] : memref<9xf32>
    // expected-error @below {{every iteration of the loop writes the same element, and not as a reduction}}
    affine.store %a, %B[3] : memref<9xf32>
  } {this}
  return
}

// -----

func.func @running_sum(%A: memref<9xf32>, %B: memref<9xf32>) {
  affine.for %i = 0 to 9 {
    %a = affine.load %A[%i] : memref<9xf32>
    %x = affine.load %B[0] : memref<9xf32>
    %s = arith.addf %x, %a : f32
    // The sum is used on the way.
    affine.store %s, %A[%i] : memref<9xf32>
    // expected-error @below {{every iteration of the loop writes the same element, and not as a reduction}}
    affine.store %s, %B[0] : memref<9xf32>
  } {this}
  return
}

// -----

func.func @bounds(%A: memref<9x9xf32>, %x: f32) {
  affine.for %i = 0 to 9 {
    // expected-error @below {{its bounds depend on the loop to vectorize}}
    affine.for %j = 0 to affine_map<(d0) -> (d0)>(%i) {
      affine.store %x, %A[%i, %j] : memref<9x9xf32>
    }
  } {this}
  return
}

// -----

func.func @condition(%A: memref<9xf32>, %x: f32) {
  affine.for %i = 0 to 9 {
    // expected-error @below {{its condition depends on the loop to vectorize}}
    affine.if affine_set<(d0) : (d0 - 3 >= 0)>(%i) {
      affine.store %x, %A[%i] : memref<9xf32>
    }
  } {this}
  return
}

// -----

func.func private @f(f32) -> f32
func.func @call(%A: memref<9xf32>, %x: f32) {
  affine.for %i = 0 to 9 {
    // expected-error @below {{has side effects that can't be vectorized}}
    %y = func.call @f(%x) : (f32) -> f32
    affine.store %y, %A[%i] : memref<9xf32>
  } {this}
  return
}

// -----

func.func @no_vectors_of_vectors(%A: memref<9xvector<2xf32>>, %B: memref<9xvector<2xf32>>) {
  affine.for %i = 0 to 9 {
    // expected-error @below {{its element type can't be in a vector}}
    %a = affine.load %A[%i] : memref<9xvector<2xf32>>
    affine.store %a, %B[%i] : memref<9xvector<2xf32>>
  } {this}
  return
}

// -----

func.func @no_vector_form(%A: memref<9xf32>) {
  affine.for %i = 0 to 9 {
    %a = affine.load %A[%i] : memref<9xf32>
    // expected-error @below {{has no vector form}}
    %b = builtin.unrealized_conversion_cast %a : f32 to i32
    %c = arith.sitofp %b : i32 to f32
    affine.store %c, %A[%i] : memref<9xf32>
  } {this}
  return
}
