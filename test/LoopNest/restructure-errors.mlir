// RUN: baco-opt %s --transform-interpreter --split-input-file --verify-diagnostics

// What keeps a nest from being scheduled, and commands that have no meaning for
// it; the note is where.

module attributes {transform.with_named_sequence} {
func.func @f(%A: memref<8xf32>, %B: memref<8xf32>) {
  affine.for %i = 0 to 8 {
    // expected-note @below {{here}}
    memref.copy %A, %B : memref<8xf32> to memref<8xf32>
  }
  return
}
transform.named_sequence @__transform_main(%root: !transform.any_op) {
  %f = transform.structured.match ops{["func.func"]} in %root
      : (!transform.any_op) -> !transform.any_op
  // expected-error @below {{the loops can't be restructured: has side effects, so that the loops around it can't be scheduled}}
  %new = transform.baco.restructure %f "original()"
      : (!transform.any_op) -> !transform.any_op
  transform.yield
}
}

// -----

module attributes {transform.with_named_sequence} {
func.func @f(%A: memref<8xf32>, %n: index) {
  affine.for %i = 0 to 8 {
    // expected-note @below {{here}}
    affine.for %j = 0 to min affine_map<(d0)[s0] -> (d0 * s0)>(%i)[%n] {
      %a = affine.load %A[%i] : memref<8xf32>
      affine.store %a, %A[%j] : memref<8xf32>
    }
  }
  return
}
transform.named_sequence @__transform_main(%root: !transform.any_op) {
  %f = transform.structured.match ops{["func.func"]} in %root
      : (!transform.any_op) -> !transform.any_op
  // expected-error @below {{the loops can't be restructured: the upper bound of the loop isn't affine in the loops around it and in loop-invariant values, so that it can't be scheduled}}
  %new = transform.baco.restructure %f "original()"
      : (!transform.any_op) -> !transform.any_op
  transform.yield
}
}

// -----

module attributes {transform.with_named_sequence} {
func.func @f(%A: memref<8xf32>) {
  affine.for %i = 0 to 8 {
    %v = memref.cast %A : memref<8xf32> to memref<?xf32>
    // expected-note @below {{here}}
    %a = affine.load %v[%i] : memref<?xf32>
    affine.store %a, %A[%i] : memref<8xf32>
  }
  return
}
transform.named_sequence @__transform_main(%root: !transform.any_op) {
  %f = transform.structured.match ops{["func.func"]} in %root
      : (!transform.any_op) -> !transform.any_op
  // expected-error @below {{the loops can't be restructured: accesses memory that is allocated or viewed in the nest, so that the loops around it can't be scheduled}}
  %new = transform.baco.restructure %f "original()"
      : (!transform.any_op) -> !transform.any_op
  transform.yield
}
}

// -----

module attributes {transform.with_named_sequence} {
func.func @f(%A: memref<8xf32>, %B: memref<8xf32>) {
  affine.for %i = 0 to 8 {
    // expected-note @below {{here}}
    %a = affine.load %A[%i] : memref<8xf32>
    // expected-note @below {{written here}}
    affine.for %j = 0 to 8 {
      affine.store %a, %A[%j] : memref<8xf32>
    }
  }
  return
}
transform.named_sequence @__transform_main(%root: !transform.any_op) {
  %f = transform.structured.match ops{["func.func"]} in %root
      : (!transform.any_op) -> !transform.any_op
  // expected-error @below {{the loops can't be restructured: reads memory that is written before the value is used, so that the loops around it can't be scheduled; load the value where it is used}}
  %new = transform.baco.restructure %f "original()"
      : (!transform.any_op) -> !transform.any_op
  transform.yield
}
}

// -----

module attributes {transform.with_named_sequence} {
func.func @f(%A: memref<8xf32>) {
  // expected-note @below {{here}}
  affine.for %i = 0 to 8 {
  }
  return
}
transform.named_sequence @__transform_main(%root: !transform.any_op) {
  %f = transform.structured.match ops{["func.func"]} in %root
      : (!transform.any_op) -> !transform.any_op
  // expected-error @below {{the loops can't be restructured: there is nothing to schedule: no store to memory in the loops}}
  %new = transform.baco.restructure %f "original()"
      : (!transform.any_op) -> !transform.any_op
  transform.yield
}
}

// -----

module attributes {transform.with_named_sequence} {
// expected-note @below {{here}}
func.func @f(%A: memref<8xf32>) {

  return
}
transform.named_sequence @__transform_main(%root: !transform.any_op) {
  %f = transform.structured.match ops{["func.func"]} in %root
      : (!transform.any_op) -> !transform.any_op
  // expected-error @below {{the loops can't be restructured: this is not one function with one block with loops}}
  %new = transform.baco.restructure %f "original()"
      : (!transform.any_op) -> !transform.any_op
  transform.yield
}
}

// -----

module attributes {transform.with_named_sequence} {
func.func @f(%A: memref<8xf32>) {
  // expected-note @below {{here}}
  affine.for %i = 1 to 8 {
    %a = affine.load %A[%i - 1] : memref<8xf32>
    affine.store %a, %A[%i] : memref<8xf32>
  }
  return
}
transform.named_sequence @__transform_main(%root: !transform.any_op) {
  %f = transform.structured.match ops{["func.func"]} in %root
      : (!transform.any_op) -> !transform.any_op
  // expected-error @below {{the loops can't be restructured: the new order of the loops is illegal: }}
  %new = transform.baco.restructure %f "reverse(0,1)"
      : (!transform.any_op) -> !transform.any_op
  transform.yield
}
}

// -----

module attributes {transform.with_named_sequence} {
func.func @f(%A: memref<8xf32>) {
  // expected-note @below {{here}}
  affine.for %i = 1 to 8 {
    %a = affine.load %A[%i - 1] : memref<8xf32>
    affine.store %a, %A[%i] : memref<8xf32>
  }
  return
}
transform.named_sequence @__transform_main(%root: !transform.any_op) {
  %f = transform.structured.match ops{["func.func"]} in %root
      : (!transform.any_op) -> !transform.any_op
  // expected-error @below {{the loops can't be restructured: the new order of the loops is illegal: }}
  %new = transform.baco.restructure %f "parallelize(0,1)"
      : (!transform.any_op) -> !transform.any_op
  transform.yield
}
}

// -----

module attributes {transform.with_named_sequence} {
func.func @f(%A: memref<8xf32>) {
  // expected-note @below {{here}}
  affine.for %i = 1 to 8 {
    %a = affine.load %A[%i - 1] : memref<8xf32>
    affine.store %a, %A[%i] : memref<8xf32>
  }
  return
}
transform.named_sequence @__transform_main(%root: !transform.any_op) {
  %f = transform.structured.match ops{["func.func"]} in %root
      : (!transform.any_op) -> !transform.any_op
  // expected-error @below {{the loops can't be restructured: #baco.loop_tile<statement = 0, loop = 1, size = "T">: "T" has no value; choose one with --baco-concretize}}
  %new = transform.baco.restructure %f "tile(0,1,T)"
      : (!transform.any_op) -> !transform.any_op
  transform.yield
}
}

// -----

module attributes {transform.with_named_sequence} {
func.func @f(%A: memref<8xf32>) {
  // expected-note @below {{here}}
  affine.for %i = 1 to 8 {
    %a = affine.load %A[%i - 1] : memref<8xf32>
    affine.store %a, %A[%i] : memref<8xf32>
  }
  return
}
transform.named_sequence @__transform_main(%root: !transform.any_op) {
  %f = transform.structured.match ops{["func.func"]} in %root
      : (!transform.any_op) -> !transform.any_op
  // expected-error @below {{the loops can't be restructured: #baco.loop_tile<statement = 3, loop = 1, size = 4>: }}
  %new = transform.baco.restructure %f "tile(3,1,4)"
      : (!transform.any_op) -> !transform.any_op
  transform.yield
}
}

// -----

module attributes {transform.with_named_sequence} {
func.func @f(%A: memref<8xf32>) {
  // expected-note @below {{here}}
  affine.for %i = 1 to 8 {
    %a = affine.load %A[%i - 1] : memref<8xf32>
    affine.store %a, %A[%i] : memref<8xf32>
  }
  return
}
transform.named_sequence @__transform_main(%root: !transform.any_op) {
  %f = transform.structured.match ops{["func.func"]} in %root
      : (!transform.any_op) -> !transform.any_op
  // expected-error @below {{the loops can't be restructured: #baco.loop_copy<statement = 0, loop = 1, reference = 7>: statement 0 has no reference 7; it has 2}}
  %new = transform.baco.restructure %f "datacopy(0,1,7)"
      : (!transform.any_op) -> !transform.any_op
  transform.yield
}
}

// -----

module attributes {transform.with_named_sequence} {
func.func @f(%A: memref<8xf32>) {
  // expected-note @below {{here}}
  affine.for %i = 1 to 8 {
    %a = affine.load %A[%i - 1] : memref<8xf32>
    affine.store %a, %A[%i] : memref<8xf32>
  }
  return
}
transform.named_sequence @__transform_main(%root: !transform.any_op) {
  %f = transform.structured.match ops{["func.func"]} in %root
      : (!transform.any_op) -> !transform.any_op
  // expected-error @below {{the loops can't be restructured: #baco.loop_copy<statement = 0, loop = 1, reference = 1, index = 3>: index 3 of an array with 1 dimensions}}
  %new = transform.baco.restructure %f "datacopy(0,1,1,3)"
      : (!transform.any_op) -> !transform.any_op
  transform.yield
}
}

// -----

module attributes {transform.with_named_sequence} {
func.func @f(%A: memref<8xf32>) {
  // expected-note @below {{here}}
  affine.for %i = 1 to 8 {
    %a = affine.load %A[%i - 1] : memref<8xf32>
    affine.store %a, %A[%i] : memref<8xf32>
  }
  return
}
transform.named_sequence @__transform_main(%root: !transform.any_op) {
  %f = transform.structured.match ops{["func.func"]} in %root
      : (!transform.any_op) -> !transform.any_op
  // expected-error @below {{the loops can't be restructured: #baco.loop_auto<fusion = "greedy">: fusion must be "min", "max" or "smart", or a knob whose value --baco-concretize chose, but is "greedy"}}
  %new = transform.baco.restructure %f "auto(greedy)"
      : (!transform.any_op) -> !transform.any_op
  transform.yield
}
}

// -----

module attributes {transform.with_named_sequence} {
// expected-note @below {{here}}
func.func @f(%A: memref<4xf32>) {
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  %c1 = arith.constant 1 : index
  cf.br ^next
^next:
  scf.for %i = %c0 to %c4 step %c1 {
    %a = memref.load %A[%i] : memref<4xf32>
    memref.store %a, %A[%i] : memref<4xf32>
  }
  return
}
transform.named_sequence @__transform_main(%root: !transform.any_op) {
  %f = transform.structured.match ops{["func.func"]} in %root
      : (!transform.any_op) -> !transform.any_op
  // expected-error @below {{the loops can't be restructured: this is not one function with one block with loops}}
  %new = transform.baco.restructure %f "original()"
      : (!transform.any_op) -> !transform.any_op
  transform.yield
}
}

// -----

// Without reassociation a sum keeps its order.
module attributes {transform.with_named_sequence} {
func.func @f(%A: memref<8xf32>, %s: memref<f32>) {
  // expected-note @below {{here}}
  affine.for %i = 0 to 8 {
    %a = affine.load %A[%i] : memref<8xf32>
    %b = affine.load %s[] : memref<f32>
    %c = arith.addf %a, %b : f32
    affine.store %c, %s[] : memref<f32>
  }
  return
}
transform.named_sequence @__transform_main(%root: !transform.any_op) {
  %f = transform.structured.match ops{["func.func"]} in %root
      : (!transform.any_op) -> !transform.any_op
  // expected-error @below {{the loops can't be restructured: the new order of the loops is illegal: }}
  %new = transform.baco.restructure %f strict "reverse(0,1)"
      : (!transform.any_op) -> !transform.any_op
  transform.yield
}
}

// -----

// A function whose only nest is on tensors.
module attributes {transform.with_named_sequence} {
func.func @f(%A: tensor<4x5xf32>, %x: f32) -> tensor<4x5xf32> {
  // expected-note @below {{here}}
  %r = linalg.fill ins(%x : f32) outs(%A : tensor<4x5xf32>) -> tensor<4x5xf32>
  return %r : tensor<4x5xf32>
}
transform.named_sequence @__transform_main(%root: !transform.any_op) {
  %f = transform.structured.match ops{["func.func"]} in %root
      : (!transform.any_op) -> !transform.any_op
  // expected-error @below {{the loops can't be restructured: this op works on tensors: bufferize it first}}
  %new = transform.baco.restructure %f "original()"
      : (!transform.any_op) -> !transform.any_op
  transform.yield
}
}

// -----

// In a loop, between others.
module attributes {transform.with_named_sequence} {
func.func @f(%A: memref<8xf32>, %s: memref<f32>) {
  %x = arith.constant 1.0 : f32
  affine.for %i = 0 to 8 {
    affine.store %x, %A[%i] : memref<8xf32>
  }
  affine.for %i = 0 to 8 {
    // expected-note @below {{here}}
    linalg.fill ins(%x : f32) outs(%s : memref<f32>)
  }
  affine.for %i = 0 to 8 {
    affine.store %x, %A[%i] : memref<8xf32>
  }
  return
}
transform.named_sequence @__transform_main(%root: !transform.any_op) {
  %f = transform.structured.match ops{["func.func"]} in %root
      : (!transform.any_op) -> !transform.any_op
  // expected-error @below {{the loops can't be restructured: this op can't be lowered to loops}}
  %new = transform.baco.restructure %f "original()"
      : (!transform.any_op) -> !transform.any_op
  transform.yield
}
}

// -----

// Values of 7 * 2^93. Nothing is left of the code for them, nor of the buffer,
// which is allocated right in front of it.
module attributes {transform.with_named_sequence} {
func.func @far_buffer(%A: memref<8xf32>, %B: memref<8xf32>) {
  // expected-note @below {{here}}
  affine.for %i = 0 to 8 {
    %a = affine.load %A[%i] : memref<8xf32>
    affine.store %a, %B[%i] : memref<8xf32>
  }
  return
}
transform.named_sequence @__transform_main(%root: !transform.any_op) {
  %f = transform.structured.match ops{["func.func"]} in %root
      : (!transform.any_op) -> !transform.any_op
  // expected-error @below {{which affine loops can't express}}
  %new = transform.baco.restructure %f
      "datacopy(0,1,1) scale(0,1,2147483648) scale(0,1,2147483648) scale(0,1,2147483648)"
      : (!transform.any_op) -> !transform.any_op
  transform.yield
}
}

// -----

module attributes {transform.with_named_sequence} {
func.func @far(%A: memref<8xf32>) {
  %x = arith.constant 1.0 : f32
  // expected-note @below {{here}}
  affine.for %i = 0 to 8 {
    affine.store %x, %A[%i] : memref<8xf32>
  }
  return
}
transform.named_sequence @__transform_main(%root: !transform.any_op) {
  %f = transform.structured.match ops{["func.func"]} in %root
      : (!transform.any_op) -> !transform.any_op
  // expected-error @below {{the new order needs the upper bound 69324642199981295394350956544, which affine loops can't express}}
  %new = transform.baco.restructure %f
      "scale(0,1,2147483648) scale(0,1,2147483648) scale(0,1,2147483648)"
      : (!transform.any_op) -> !transform.any_op
  transform.yield
}
}

// -----

module attributes {transform.with_named_sequence} {
func.func @f(%A: memref<8xf32>) {
  // expected-note @below {{here}}
  affine.for %i = 1 to 8 {
    %a = affine.load %A[%i - 1] : memref<8xf32>
    affine.store %a, %A[%i] : memref<8xf32>
  }
  return
}
transform.named_sequence @__transform_main(%root: !transform.any_op) {
  %f = transform.structured.match ops{["func.func"]} in %root
      : (!transform.any_op) -> !transform.any_op
  // expected-error @below {{#baco.loop_expand<statement = 0, loop = 1, reference = 0>: an iteration of loop 1 may read elements of A0 that it hasn't written before: the array can't be expanded}}
  %new = transform.baco.restructure %f "expand(0,1,0)"
      : (!transform.any_op) -> !transform.any_op
  transform.yield
}
}

// -----

module attributes {transform.with_named_sequence} {
func.func @f(%A: memref<8x8xf32>) {
  affine.for %i = 0 to 8 {
    // expected-note @below {{here}}
    linalg.softmax dimension(1) ins(%A : memref<8x8xf32>) outs(%A : memref<8x8xf32>)
  }
  return
}
transform.named_sequence @__transform_main(%root: !transform.any_op) {
  %f = transform.structured.match ops{["func.func"]} in %root
      : (!transform.any_op) -> !transform.any_op
  // expected-error @below {{the loops can't be restructured: a softmax in a loop needs buffers and can't be part of a nest: restructure it alone}}
  %new = transform.baco.restructure %f "original()"
      : (!transform.any_op) -> !transform.any_op
  transform.yield
}
}

// -----

module attributes {transform.with_named_sequence} {
func.func @f(%A: tensor<8x8xf32>) -> tensor<8x8xf32> {
  // expected-note @below {{here}}
  %r = linalg.softmax dimension(1) ins(%A : tensor<8x8xf32>) outs(%A : tensor<8x8xf32>) -> tensor<8x8xf32>
  return %r : tensor<8x8xf32>
}
transform.named_sequence @__transform_main(%root: !transform.any_op) {
  %f = transform.structured.match ops{["func.func"]} in %root
      : (!transform.any_op) -> !transform.any_op
  // expected-error @below {{the loops can't be restructured: this op works on tensors: bufferize it first}}
  %new = transform.baco.restructure %f "original()"
      : (!transform.any_op) -> !transform.any_op
  transform.yield
}
}

// -----

module attributes {transform.with_named_sequence} {
func.func @endless(%A: memref<8xf32>, %x: f32) {
  // expected-note @below {{here}}
  affine.for %i = 0 to 8 step 0 {
    affine.store %x, %A[%i] : memref<8xf32>
  }
  return
}
transform.named_sequence @__transform_main(%root: !transform.any_op) {
  %f = transform.structured.match ops{["func.func"]} in %root
      : (!transform.any_op) -> !transform.any_op
  // expected-error @below {{the loops can't be restructured: has a step of 0 and can't be scheduled}}
  %new = transform.baco.restructure %f "original()"
      : (!transform.any_op) -> !transform.any_op
  transform.yield
}
}
