// A default that the constraints don't allow isn't replaced silently.
// RUN: baco-opt %s --baco-extract-space --split-input-file \
// RUN:   --verify-diagnostics -o /dev/null

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op)
      attributes {baco.constraints = [
        #baco.constraint<"b <= a", "tiles of b fit a">]} {
    %a = transform.tune.knob<"a"> options = [2, 4, 8] -> !transform.param<i64>
    // expected-warning-re @below {{the default 8 of knob 'b' is infeasible: constraint {{.*}}b <= a{{.*}}tiles of b fit a{{.*}} is violated by {{.*}}; the default is now b = 2}}
    %b = transform.tune.knob<"b"> options = [2, 4, 8] {baco.default = 8 : i64} -> !transform.param<i64>
    transform.yield
  }
}

// -----

// The first values are no explicit default.
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op)
      attributes {baco.constraints = [#baco.constraint<"a < b", "order">]} {
    %a = transform.tune.knob<"a"> options = [2, 4] -> !transform.param<i64>
    %b = transform.tune.knob<"b"> options = [2, 4] -> !transform.param<i64>
    transform.yield
  }
}
