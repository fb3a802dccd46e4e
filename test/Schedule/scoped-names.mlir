// RUN: baco-opt %s --baco-extract-space -o /dev/null \
// RUN:   | tr -d ' \n' | FileCheck %s
// RUN: baco-opt %s --baco-concretize='configuration={"first.tile":8,"second.tile":4,"only":2}' \
// RUN:   | FileCheck %s --check-prefix=CONCRETE

// A name belongs to its named sequence; where two sequences use the same, it
// is qualified. What is not reached is not part of the space.

// CHECK:      "name":"first.tile"
// CHECK-SAME: "name":"only"
// CHECK-SAME: "name":"second.tile"
// CHECK-NOT:  "name"
// CHECK-SAME: "expression":"first.tile>=only"

// CONCRETE:      @first
// CONCRETE-NEXT:   transform.param.constant 8
// CONCRETE:      @second
// CONCRETE-NEXT:   transform.param.constant 4
// CONCRETE-NOT:  @unused
module attributes {transform.with_named_sequence} {
  transform.named_sequence @first(%root: !transform.any_op {transform.readonly})
      attributes {baco.constraints = [#baco.constraint<"tile >= only", "why">]} {
    %a = transform.tune.knob<"tile"> options = [4, 8] -> !transform.param<i64>
    %b = transform.tune.knob<"only"> options = [1, 2] -> !transform.param<i64>
    transform.debug.emit_param_as_remark %a : !transform.param<i64>
    transform.yield
  }
  transform.named_sequence @second(%root: !transform.any_op {transform.readonly}) {
    %a = transform.tune.knob<"tile"> options = [2, 4] -> !transform.param<i64>
    transform.debug.emit_param_as_remark %a : !transform.param<i64>
    transform.yield
  }
  transform.named_sequence @unused(%root: !transform.any_op {transform.readonly}) {
    %a = transform.tune.knob<"other"> options = [2, 4] -> !transform.param<i64>
    transform.yield
  }
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    transform.include @first failures(propagate) (%root) : (!transform.any_op) -> ()
    transform.include @second failures(propagate) (%root) : (!transform.any_op) -> ()
    transform.yield
  }
}
