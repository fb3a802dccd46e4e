// RUN: baco-opt %s --baco-extract-space -o /dev/null \
// RUN:   | tr -d ' \n' | FileCheck %s

// A region that the schedule itself leaves out is not part of the space, nor is
// a sequence that only it includes; a param that is computed from knobs selects
// as a knob does, and must select something.

// CHECK:      "name":"s"
// CHECK-SAME: "name":"x"
// CHECK-SAME: "active_if":"(s-1)==0"
// CHECK-SAME: "name":"y"
// CHECK-SAME: "active_if":"(s-1)==1"
// CHECK-NOT:  "name"
// CHECK-SAME: "expression":"(s-1)>=0&&(s-1)<2"
// CHECK-SAME: "reason":"selectsoneofthe2regions"
// CHECK-NOT:  "expression"
// CHECK-SAME: "count":"5"
module attributes {transform.with_named_sequence} {
  transform.named_sequence @unused(%root: !transform.any_op {transform.readonly}) {
    %z = transform.tune.knob<"z"> options = [1, 2] -> !transform.param<i64>
    transform.yield
  }
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    transform.tune.alternatives<"fixed"> selected_region = 1 {
      %dead = transform.tune.knob<"dead"> options = [1, 2] -> !transform.param<i64>
      transform.smt.constrain_params(%dead) : (!transform.param<i64>) -> () {
      ^bb0(%v: !smt.int):
        %never = smt.int.cmp lt %v, %v
        smt.assert %never
      }
      transform.include @unused failures(propagate) (%root) : (!transform.any_op) -> ()
    }, {
    }
    %s = transform.tune.knob<"s"> options = [0, 1, 2] -> !transform.param<i64>
    %region = transform.smt.constrain_params(%s) : (!transform.param<i64>) -> !transform.param<i64> {
    ^bb0(%v: !smt.int):
      %one = smt.int.constant 1
      %r = smt.int.sub %v, %one
      smt.yield %r : !smt.int
    }
    transform.tune.alternatives<"computed"> selected_region = %region : !transform.param<i64> {
      %x = transform.tune.knob<"x"> options = [1, 2] -> !transform.param<i64>
    }, {
      %y = transform.tune.knob<"y"> options = [1, 2, 3] -> !transform.param<i64>
    }
    transform.yield
  }
}
