// RUN: baco-opt %s --split-input-file --verify-diagnostics --baco-extract-space -o /dev/null

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op) {
    // expected-error @below {{knob 'llvm.opt_levle': there is no target option 'opt_levle'; did you mean 'opt_level'?; known are 'opt_level', 'codegen_level', 'prefer_vector_width', 'unroll_threshold', 'interleave_count', 'dot_products'}}
    %a = transform.tune.knob<"llvm.opt_levle"> options = [0, 3] -> !transform.param<i64>
    transform.yield
  }
}

// -----

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op) {
    // expected-error @below {{knob 'llvm.opt_level': target option 'opt_level' must be 0 to 3 or "auto", but is 4 : i64}}
    %a = transform.tune.knob<"llvm.opt_level"> options = [0, 4] -> !transform.param<i64>
    transform.yield
  }
}

// -----

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op) {
    // expected-error @below {{target option 'interleave_count' must be 1, 2, 4, 8 or 16, but is 3 : i64}}
    %a = transform.tune.knob<"llvm.interleave_count"> options = #baco.integer<1 to 4> -> !transform.any_param
    transform.yield
  }
}

// -----

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op) {
    // expected-error @below {{target option 'prefer_vector_width' must be 128, 256 or 512, but is "wide"}}
    %a = transform.tune.knob<"llvm.prefer_vector_width"> = "wide" from options = ["wide"] -> !transform.any_param
    %b = transform.tune.knob<"b"> options = [0, 4] -> !transform.param<i64>
    transform.yield
  }
}

// -----

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op) {
    // expected-error @below {{target option 'unroll_threshold' must be 0 to 100000, but is}}
    %a = transform.tune.knob<"llvm.unroll_threshold"> options = #baco.permutation<2> -> !transform.any_param
    transform.yield
  }
}

// -----

// expected-error @below {{'baco.target_options' belongs on a function or a transform.named_sequence}}
module attributes {baco.target_options = {}} {}

// -----

// expected-error @below {{'baco.target_options' must be a dictionary from options to values, but is 3 : i64}}
func.func private @f() attributes {baco.target_options = 3}

// -----

// expected-error @below {{'baco.target_options': target option 'codegen_level' must be 0 to 3, but is "auto"}}
func.func private @f() attributes {baco.target_options = {codegen_level = "auto"}}
