// Output that can't be written is an error of the pass.
// RUN: not baco-opt %s --baco-extract-space=output=/dev/full 2>&1 \
// RUN:   | FileCheck %s --check-prefix=FULL
// RUN: not baco-opt %s --baco-extract-space=output=/dev/null/x 2>&1 \
// RUN:   | FileCheck %s --check-prefix=PATH

// FULL: error: cannot write '/dev/full': No space left on device
// PATH: error: cannot open output file '/dev/null/x'
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op) {
    %a = transform.tune.knob<"a"> options = [1, 2] -> !transform.param<i64>
    transform.yield
  }
}
