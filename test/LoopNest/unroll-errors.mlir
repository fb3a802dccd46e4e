// RUN: baco-opt %s --transform-interpreter --split-input-file \
// RUN:   --verify-diagnostics

func.func @unknown(%n: index) {
  // expected-error @below {{can't be unrolled fully, because its trip count isn't constant: unroll it by a factor}}
  affine.for %i = 0 to %n {
  }
  return
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op) {
    %loop = transform.structured.match ops{["affine.for"]} in %root
        : (!transform.any_op) -> !transform.any_op
    transform.baco.unroll_loop %loop : !transform.any_op
    transform.yield
  }
}

// -----

func.func @long() {
  // expected-error @below {{unrolling it would make 5000 copies of its body, but at most 1024 are allowed}}
  affine.for %i = 0 to 5000 {
  }
  return
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op) {
    %loop = transform.structured.match ops{["affine.for"]} in %root
        : (!transform.any_op) -> !transform.any_op
    transform.baco.unroll_loop %loop : !transform.any_op
    transform.yield
  }
}

// -----

func.func @never() {
  // expected-error @below {{can't be unrolled 0 times: a factor is at least 1}}
  affine.for %i = 0 to 5000 {
  }
  return
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op) {
    %loop = transform.structured.match ops{["affine.for"]} in %root
        : (!transform.any_op) -> !transform.any_op
    transform.baco.unroll_loop %loop {factor = 0} : !transform.any_op
    transform.yield
  }
}

// -----

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op) {
    %two = transform.param.constant 2 : i64 -> !transform.param<i64>
    // expected-error @below {{has two values for 'factor': the attribute and a parameter after 'by'}}
    transform.baco.unroll_loop %root by %two {factor = 3}
        : !transform.any_op, !transform.param<i64>
    transform.yield
  }
}

// -----

func.func @endless(%A: memref<8xf32>, %x: f32) {
  // expected-error @below {{can't be unrolled fully, because its trip count isn't constant}}
  affine.for %i = 0 to 8 step 0 {
    affine.store %x, %A[%i] : memref<8xf32>
  }
  return
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op) {
    %loop = transform.structured.match ops{["affine.for"]} in %root
        : (!transform.any_op) -> !transform.any_op
    transform.baco.unroll_loop %loop : !transform.any_op
    transform.yield
  }
}
