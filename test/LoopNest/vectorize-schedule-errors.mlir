// RUN: baco-opt %s --transform-interpreter --split-input-file \
// RUN:   --verify-diagnostics


func.func @width(%A: memref<9xf32>) {
  // expected-error @below {{can't be vectorized by 12: a width must be a power of two from 2 to 1024}}
  affine.for %i = 0 to 9 {
  }
  return
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op) {
    %loop = transform.structured.match ops{["affine.for"]} in %root
        : (!transform.any_op) -> !transform.any_op
    transform.baco.vectorize_loop %loop {width = 12} : !transform.any_op
    transform.yield
  }
}
// -----

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op) {
    // expected-error @below {{needs a width: either the attribute 'width' or a parameter after 'by'}}
    transform.baco.vectorize_loop %root : !transform.any_op
    transform.yield
  }
}

// -----

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op) {
    %widths = transform.param.constant "wide" -> !transform.any_param
    // expected-error @below {{the parameter 'width' must be one integer, but it has 1 values, not an integer}}
    transform.baco.vectorize_loop %root by %widths
        : !transform.any_op, !transform.any_param
    transform.yield
  }
}

// -----

// expected-note @below {{the target is this}}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op) {
    // expected-error @below {{only 'affine.for' loops can be changed}}
    transform.baco.vectorize_loop %root {width = 4} : !transform.any_op
    transform.yield
  }
}
