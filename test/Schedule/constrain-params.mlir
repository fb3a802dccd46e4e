// RUN: baco-opt %s --baco-extract-space -o /dev/null \
// RUN:   | tr -d ' \n' | FileCheck %s
// RUN: baco-opt %s --baco-concretize='configuration={"a":7,"b":3}' | FileCheck %s --check-prefix=CONCRETE
// RUN: not baco-opt %s --baco-concretize='configuration={"a":0,"b":3}' 2>&1 | FileCheck %s --check-prefix=ZERO

// Integer and bool operations become expressions of the one language; division
// is SMT-LIB's, whose remainder is never negative.

// a in 0..7, b in {-3, 3}: a mod 3 is 1 for 1, 4, 7, whatever b; of these,
// a div b is at least -1 for (1, 3), (1, -3), (4, 3), (4, -3), (7, 3).
// CHECK:      "expression":"((a%abs(b))==1)"
// CHECK-SAME: "expression":"(((a-(a%abs(b)))//b)>=(-1))"
// CHECK-SAME: "expression":"(!(a==0)||(b!=3))"
// CHECK-SAME: "expression":"(((a>2)&&(b<7))||(!(a>2)&&true))"
// CHECK-SAME: "count":"5"

// The last region reads what the one before yields: 7 * 10 - (100 div 7).
// CONCRETE-NOT: constrain_params
// CONCRETE:     %[[V:.*]] = transform.param.constant 56 : i64
// CONCRETE:     emit_param_as_remark %[[V]]

// ZERO: [[# @LINE + 2]]:3: error: configuration: constraint '((a % abs(b)) == 1)' (asserted by the schedule; {{.*}}constrain-params.mlir:[[# @LINE + 11]]:7) is violated by a = 0, b = 3
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op) {
    %a = transform.tune.knob<"a"> options = #baco.integer<0 to 7> -> !transform.param<i64>
    %b = transform.tune.knob<"b"> options = [-3, 3] -> !transform.param<i64>
    transform.smt.constrain_params(%a, %b)
        : (!transform.param<i64>, !transform.param<i64>) -> () {
    ^bb0(%x: !smt.int, %y: !smt.int):
      %one = smt.int.constant 1
      %mod = smt.int.mod %x, %y
      %rest = smt.eq %mod, %one : !smt.int
      smt.assert %rest
      %minus = smt.int.constant -1
      %div = smt.int.div %x, %y
      %low = smt.int.cmp ge %div, %minus
      smt.assert %low
      %zero = smt.int.constant 0
      %three = smt.int.constant 3
      %none = smt.eq %x, %zero : !smt.int
      %other = smt.distinct %y, %three : !smt.int
      %implied = smt.implies %none, %other
      smt.assert %implied
      %two = smt.int.constant 2
      %seven = smt.int.constant 7
      %big = smt.int.cmp gt %x, %two
      %small = smt.int.cmp lt %y, %seven
      %true = smt.constant true
      %choice = smt.ite %big, %small, %true : !smt.bool
      smt.assert %choice
    }
    %q = transform.smt.constrain_params(%a) : (!transform.param<i64>) -> !transform.param<i64> {
    ^bb0(%x: !smt.int):
      %c = smt.int.constant 100
      %d = smt.int.div %c, %x
      smt.yield %d : !smt.int
    }
    %r = transform.smt.constrain_params(%a, %q)
        : (!transform.param<i64>, !transform.param<i64>) -> !transform.param<i64> {
    ^bb0(%x: !smt.int, %y: !smt.int):
      %ten = smt.int.constant 10
      %m = smt.int.mul %x, %ten
      %s = smt.int.sub %m, %y
      smt.yield %s : !smt.int
    }
    transform.debug.emit_param_as_remark %r : !transform.param<i64>
    transform.yield
  }
}
