// RUN: baco-opt %s --baco-extract-space -o /dev/null \
// RUN:   | tr -d ' \n' | FileCheck %s

// Weights belong to the options as they are written, and go with them when
// these are sorted.

// CHECK: "name":"x","kind":"ordinal","values":[16,32,64],"default":64,"weights":[1.0,2.0,100.0]
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op) {
    %x = transform.tune.knob<"x"> options = [64, 16, 32]
        {baco.weights = array<f64: 100.0, 1.0, 2.0>} -> !transform.param<i64>
    transform.yield
  }
}
