// RUN: baco-opt %s --baco-extract-space -o /dev/null \
// RUN:   | tr -d ' \n' | FileCheck %s

// An inactive knob has its default. A constraint that only the default violates
// does not forbid the other region. Constraints may read alternatives, and
// knobs whose value is selected.

// how = 0 with x = 8 or 16; how = 1.
// CHECK:      "expression":"!(how==0)||(x>4)"
// CHECK-SAME: "expression":"!(how==0)||(how<(2)||x==4)"
// CHECK-SAME: "count":"3"
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op)
      attributes {baco.constraints = [#baco.constraint<"x > 4", "">,
                                      #baco.constraint<"how < two || x == 4", "">]} {
    %two = transform.tune.knob<"two"> = 2 from options = [1, 2] -> !transform.param<i64>
    transform.tune.alternatives<"how"> {
      %x = transform.tune.knob<"x"> options = [4, 8, 16] -> !transform.param<i64>
    }, {
    }
    transform.yield
  }
}
