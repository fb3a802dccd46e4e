// RUN: baco-opt %s --baco-extract-space -o /dev/null \
// RUN:   | tr -d ' \n' | FileCheck %s
// RUN: baco-opt %s --baco-concretize='configuration={"outer":1,"inner":0,"x":8}' \
// RUN:   | FileCheck %s --check-prefix=CONCRETE

// Alternatives inside alternatives, one of them selected by a knob; a sequence
// that only one region includes; a constraint that holds only where it stands.

// outer 0: 1; outer 1: inner 0 with 2 values of x, inner 1 with 2 of "odd name"
// CHECK:      "name":"oddname"
// CHECK-SAME: "active_if":"outer==1&&inner==1"
// CHECK-SAME: "name":"outer"
// CHECK-SAME: "name":"inner"
// CHECK-SAME: "active_if":"outer==1"
// CHECK-SAME: "name":"x"
// CHECK-SAME: "active_if":"outer==1&&inner==0"
// CHECK-SAME: "expression":"!(outer==1&&inner==0)||((x<=8))"
// CHECK-SAME: "count":"5"

// CONCRETE-NOT: alternatives
// CONCRETE-NOT: include
// CONCRETE:     transform.param.constant 8 : i64
module attributes {transform.with_named_sequence} {
  transform.named_sequence @called(%root: !transform.any_op {transform.readonly}) {
    %y = transform.tune.knob<"odd name"> options = [1, 2] -> !transform.param<i64>
    transform.debug.emit_param_as_remark %y : !transform.param<i64>
    transform.yield
  }
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %outer = transform.tune.knob<"outer"> options = [0, 1] -> !transform.param<i64>
    transform.tune.alternatives<"unused"> selected_region = %outer : !transform.param<i64> {
    }, {
      transform.tune.alternatives<"inner"> {
        %x = transform.tune.knob<"x"> options = [4, 8, 16] -> !transform.param<i64>
        transform.smt.constrain_params(%x) : (!transform.param<i64>) -> () {
        ^bb0(%v: !smt.int):
          %eight = smt.int.constant 8
          %le = smt.int.cmp le %v, %eight
          smt.assert %le
        }
        transform.debug.emit_param_as_remark %x : !transform.param<i64>
      }, {
        transform.include @called failures(propagate) (%root) : (!transform.any_op) -> ()
      }
    }
    transform.yield
  }
}
