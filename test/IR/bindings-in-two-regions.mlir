// RUN: baco-opt %s --baco-concretize='configuration={"how":1,"order":[1,0]}' \
// RUN:   | FileCheck %s --implicit-check-not=baco. --implicit-check-not=alternatives

// A knob that two regions declare is one knob, and can be bound in either.

// CHECK: tile_using_for %{{.*}} tile_sizes [8, 16] interchange = [1, 0]
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op) {
    %mm = transform.structured.match ops{["linalg.matmul"]} in %root
        : (!transform.any_op) -> !transform.any_op
    transform.tune.alternatives<"how"> {
      %order = transform.tune.knob<"order"> options = #baco.permutation<2> -> !transform.any_param
      %t, %l:2 = transform.structured.tile_using_for %mm tile_sizes [4, 4]
          {baco.bind = {interchange = "order"}}
          : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op)
    }, {
      %order = transform.tune.knob<"order"> options = #baco.permutation<2> -> !transform.any_param
      %t, %l:2 = transform.structured.tile_using_for %mm tile_sizes [8, 16]
          {baco.bind = {interchange = "order"}}
          : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op)
    }
    transform.yield
  }
}
