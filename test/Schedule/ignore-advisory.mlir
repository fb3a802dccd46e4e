// Advisory constraints can be left out; the others stay.
// RUN: baco-opt %s --baco-extract-space -o /dev/null | tr -d ' \n' \
// RUN:   | FileCheck %s --check-prefix=ALL
// RUN: baco-opt %s --baco-extract-space=ignore-advisory -o /dev/null \
// RUN:   | tr -d ' \n' | FileCheck %s --check-prefix=HARD
// RUN: baco-opt %s --baco-concretize='configuration={"a":4,"b":4}' \
// RUN:   | FileCheck %s --check-prefix=BEYOND

// ALL:      "expression":"a*b<=8"
// ALL:      "advisory":true
// ALL:      "count":"5"

// HARD-NOT: "advisory"
// HARD:     "expression":"a<=b"
// HARD-NOT: "expression"
// HARD:     "count":"6"

// Whoever names values has a reason to.
// BEYOND: transform.param.constant 4
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op)
      attributes {baco.constraints = [
        #baco.constraint<"a * b <= 8", "a guess", advisory>,
        #baco.constraint<"a <= b", "needed">]} {
    %a = transform.tune.knob<"a"> options = [1, 2, 4] -> !transform.param<i64>
    %b = transform.tune.knob<"b"> options = [1, 2, 4] -> !transform.param<i64>
    transform.debug.emit_param_as_remark %a : !transform.param<i64>
    transform.yield
  }
}
