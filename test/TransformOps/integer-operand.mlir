// RUN: baco-opt %s --transform-interpreter --split-input-file --verify-diagnostics

// A parameter that is no integer is a silenceable error.

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op) {
    transform.sequence %root : !transform.any_op failures(suppress) {
    ^bb0(%arg: !transform.any_op):
      %wide = transform.param.constant "wide" -> !transform.any_param
      transform.baco.gpu_copy %arg by %wide : !transform.any_op, !transform.any_param
    }
    transform.yield
  }
}

// -----

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op) {
    %wide = transform.param.constant "wide" -> !transform.any_param
    // expected-error @below {{the parameter 'width' must be one integer, but it has 1 values, not an integer}}
    transform.baco.gpu_copy %root by %wide : !transform.any_op, !transform.any_param
    transform.yield
  }
}
