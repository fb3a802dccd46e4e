// RUN: baco-opt %s --verify-diagnostics --baco-concretize
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op)
      attributes {baco.target_options = {opt_level = 3}} {
    // expected-error @below {{target option 'opt_level' is both 3 : i64 and 0 : i64: set it in one place of the schedule}}
    %a = transform.tune.knob<"llvm.opt_level"> options = [0, 1] -> !transform.param<i64>
    transform.yield
  }
}
