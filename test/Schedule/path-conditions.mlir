// RUN: baco-opt %s --baco-extract-space -o /dev/null \
// RUN:   | tr -d ' \n' | FileCheck %s
// RUN: baco-opt %s --baco-concretize='configuration={"how":0,"size":16,"factor":2}' \
// RUN:   | FileCheck %s --check-prefix=TILED
// RUN: baco-opt %s --baco-concretize='configuration={"how":1,"size":4,"factor":4}' \
// RUN:   | FileCheck %s --check-prefix=UNTILED

// A knob in a region of alternatives is active only if that region is selected:
// one choice is one configuration. 3 sizes, or 2 factors, and 1 for the rest.

// CHECK:      "name":"how","kind":"categorical","values":[0,1,2]
// CHECK-SAME: "name":"size"
// CHECK-SAME: "active_if":"how==0"
// CHECK-SAME: "name":"factor"
// CHECK-SAME: "active_if":"how==1"
// CHECK-SAME: "count":"6"

// TILED-NOT:   alternatives
// TILED:       %[[SIZE:.*]] = transform.param.constant 16
// TILED:       tile_using_for %{{.*}} tile_sizes [%[[SIZE]]]
// TILED-NOT:   tile_using_for

// UNTILED-NOT: tile_using_for %{{.*}} tile_sizes [%
// UNTILED:     transform.param.constant 4
// UNTILED:     tile_using_for %{{.*}} tile_sizes [0, %
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op) {
    %mm = transform.structured.match ops{["linalg.matmul"]} in %root
        : (!transform.any_op) -> !transform.any_op
    transform.tune.alternatives<"how"> {
      %size = transform.tune.knob<"size"> options = [4, 8, 16]
          -> !transform.param<i64>
      %t, %l = transform.structured.tile_using_for %mm tile_sizes [%size]
          : (!transform.any_op, !transform.param<i64>)
          -> (!transform.any_op, !transform.any_op)
    }, {
      %factor = transform.tune.knob<"factor"> options = [2, 4]
          -> !transform.param<i64>
      %t, %l = transform.structured.tile_using_for %mm tile_sizes [0, %factor]
          : (!transform.any_op, !transform.param<i64>)
          -> (!transform.any_op, !transform.any_op)
    }, {
    }
    transform.yield
  }
}
