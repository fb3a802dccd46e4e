// RUN: baco-opt %s --split-input-file --verify-diagnostics \
// RUN:   --baco-concretize='configuration={"tile":12}'

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op) {
    // expected-error @below {{12 is not one of the values of 'tile'}}
    %a = transform.tune.knob<"tile"> options = [8, 16] -> !transform.param<i64>
    transform.yield
  }
}

// -----

// expected-error @below {{the schedule has no knob 'tile'; it has 'size'}}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op) {
    %a = transform.tune.knob<"size"> options = [8, 16] -> !transform.param<i64>
    transform.yield
  }
}

// -----

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op) {
    %a = transform.tune.knob<"tile"> options = [12, 16] -> !transform.param<i64>
    %mm = transform.structured.match ops{["linalg.matmul"]} in %root
        : (!transform.any_op) -> !transform.any_op
    // expected-error @below {{baco.bind: no knob 'order' in this named sequence}}
    %t, %l = transform.structured.tile_using_for %mm tile_sizes [4]
        {baco.bind = {interchange = "order"}}
        : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
}

// -----

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op) {
    %a = transform.tune.knob<"tile"> options = [12, 16] -> !transform.param<i64>
    %mm = transform.structured.match ops{["linalg.matmul"]} in %root
        : (!transform.any_op) -> !transform.any_op
    // expected-error @below {{'baco.bind' sets 'color', which is not an attribute of the op}}
    %t, %l = transform.structured.tile_using_for %mm tile_sizes [4]
        {baco.bind = {color = "tile"}}
        : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
}

// -----

module attributes {transform.with_named_sequence} {
  // expected-error-re @below {{configuration: constraint 'tile % 8 == 0' (full vectors; {{.*}}concretize-errors.mlir:{{.*}}) is violated by tile = 12}}
  transform.named_sequence @__transform_main(%root: !transform.any_op)
      attributes {baco.constraints = [
        #baco.constraint<"tile % 8 == 0", "full vectors">]} {
    %a = transform.tune.knob<"tile"> options = [12, 16] -> !transform.param<i64>
    transform.yield
  }
}

// -----

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op) {
    %a = transform.tune.knob<"tile"> options = [12, 16] -> !transform.param<i64>
    %two = transform.param.constant 2 : i64 -> !transform.param<i64>
    // expected-error @below {{2 selects none of the 2 regions}}
    transform.tune.alternatives<"alt"> selected_region = %two : !transform.param<i64> {
    }, {
    }
    transform.yield
  }
}
