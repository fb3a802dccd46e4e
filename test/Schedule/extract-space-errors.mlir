// RUN: baco-opt %s --split-input-file --verify-diagnostics \
// RUN:   --baco-extract-space=output=/dev/null

// expected-error @below {{no transform.named_sequence '@__transform_main' to start the schedule with}}
module attributes {transform.with_named_sequence} {
}

// -----

module attributes {transform.with_named_sequence} {
  // expected-error @below {{nothing to tune: the schedule has no unresolved transform.tune.knob and no transform.tune.alternatives}}
  transform.named_sequence @__transform_main(%root: !transform.any_op) {
    transform.yield
  }
}

// -----

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op) {
    // expected-error @below {{knob 'tile' has no options: list at least one value, as in [8, 16]}}
    %a = transform.tune.knob<"tile"> options = [] -> !transform.param<i64>
    transform.yield
  }
}

// -----

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op) {
    // expected-error @below {{knob 'tile': option 8 is listed twice}}
    %a = transform.tune.knob<"tile"> options = [8, 16, 8] -> !transform.param<i64>
    transform.yield
  }
}

// -----

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op) {
    // expected-note @below {{first declared here}}
    %a = transform.tune.knob<"tile"> options = [8, 16] -> !transform.param<i64>
    // expected-error @below {{knob 'tile' redeclared with other options}}
    %b = transform.tune.knob<"tile"> options = [8, 32] -> !transform.param<i64>
    transform.yield
  }
}

// -----

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op) {
    // expected-note @below {{first declared here}}
    %a = transform.tune.knob<"x"> options = [8, 16] -> !transform.param<i64>
    // expected-error @below {{two choices are called 'x'}}
    transform.tune.alternatives<"x"> {
      transform.yield
    }, {
      transform.yield
    }
    transform.yield
  }
}

// -----

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op) {
    // expected-error @below {{knob 'tile': unknown key 'low' in its options; known are lb, ub, step}}
    %a = transform.tune.knob<"tile"> options = {low = 1, lb = 1, ub = 8} -> !transform.param<i64>
    transform.yield
  }
}

// -----

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op) {
    // expected-error @below {{knob 'tile': a range needs both 'lb' and 'ub'}}
    %a = transform.tune.knob<"tile"> options = {lb = 1} -> !transform.param<i64>
    transform.yield
  }
}

// -----

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op) {
    // expected-error @below {{knob 'tile': 'ub' must be an integer of at most 64 bits, but is "8"}}
    %a = transform.tune.knob<"tile"> options = {lb = 1, ub = "8"} -> !transform.param<i64>
    transform.yield
  }
}

// -----

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op) {
    // expected-error @below {{knob 'tile': no option meets its bounds}}
    %a = transform.tune.knob<"tile"> options = {options = [3, 5], divisible_by = 2} -> !transform.param<i64>
    transform.yield
  }
}

// -----

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op) {
    // expected-error @below {{knob 'tile': options need 'options', 'upper_bound' or 'divides'}}
    %a = transform.tune.knob<"tile"> options = {lower_bound = 3} -> !transform.param<i64>
    transform.yield
  }
}

// -----

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op) {
    // expected-error @below {{more than 1048576 values: use a domain like #baco.integer<1 to 4000000000>}}
    %a = transform.tune.knob<"tile"> options = {upper_bound = 4000000000} -> !transform.param<i64>
    transform.yield
  }
}

// -----

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op) {
    // expected-error @below {{knob 'tile': options 8 : i64 are not supported}}
    %a = transform.tune.knob<"tile"> options = 8 : i64 -> !transform.param<i64>
    transform.yield
  }
}

// -----

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op) {
    // expected-error @below {{'baco.default' of knob 'tile' is 12 : i64, which is not one of its options}}
    %a = transform.tune.knob<"tile"> options = [8, 16] {baco.default = 12} -> !transform.param<i64>
    transform.yield
  }
}

// -----

module attributes {transform.with_named_sequence} {
  // expected-error @below {{constraint 'tile <= height' reads unknown knob 'height'; known are 'tile'}}
  transform.named_sequence @__transform_main(%root: !transform.any_op)
      attributes {baco.constraints = [#baco.constraint<"tile <= height", "">]} {
    %a = transform.tune.knob<"tile"> options = [8, 16] -> !transform.param<i64>
    transform.yield
  }
}

// -----

module attributes {transform.with_named_sequence} {
  // expected-error-re @below {{{{.*}}a > b{{.*}}a < b{{.*}}}}
  transform.named_sequence @__transform_main(%root: !transform.any_op)
      attributes {baco.constraints = [#baco.constraint<"a > b", "first">,
                                      #baco.constraint<"a < 100", "harmless">,
                                      #baco.constraint<"a < b", "second">]} {
    %a = transform.tune.knob<"a"> options = [8, 16] -> !transform.param<i64>
    %b = transform.tune.knob<"b"> options = [8, 16] -> !transform.param<i64>
    transform.yield
  }
}

// -----

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op) {
    %a = transform.tune.knob<"a"> options = [8, 16] -> !transform.param<i64>
    // expected-note @below {{this param}}
    %n = transform.num_associations %root : (!transform.any_op) -> !transform.param<i64>
    // expected-error @below {{a constrained param must be a knob, an integer constant or the result of another constrain_params}}
    transform.smt.constrain_params(%a, %n) : (!transform.param<i64>, !transform.param<i64>) -> () {
    ^bb0(%x: !smt.int, %y: !smt.int):
      %e = smt.int.cmp lt %x, %y
      smt.assert %e
    }
    transform.yield
  }
}

// -----

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op) {
    %a = transform.tune.knob<"a"> options = [8, 16] -> !transform.param<i64>
    %b = transform.smt.constrain_params(%a) : (!transform.param<i64>) -> !transform.param<i64> {
    ^bb0(%x: !smt.int):
      // expected-error @below {{variable is not determined by the params}}
      %v = smt.declare_fun : !smt.int
      %e = smt.int.cmp lt %x, %v
      smt.assert %e
      smt.yield %v : !smt.int
    }
    transform.yield
  }
}

// -----

// A qualified name must not be one that is taken.

module attributes {transform.with_named_sequence} {
  transform.named_sequence @f(%root: !transform.any_op {transform.readonly}) {
    // expected-note @below {{first declared here}}
    %a = transform.tune.knob<"x"> options = [1, 2] -> !transform.param<i64>
    transform.yield
  }
  transform.named_sequence @g(%root: !transform.any_op {transform.readonly}) {
    %a = transform.tune.knob<"x"> options = [1, 2] -> !transform.param<i64>
    // expected-error @below {{two choices are called 'f.x'}}
    %b = transform.tune.knob<"f.x"> options = [1, 2] -> !transform.param<i64>
    transform.yield
  }
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    transform.include @f failures(propagate) (%root) : (!transform.any_op) -> ()
    transform.include @g failures(propagate) (%root) : (!transform.any_op) -> ()
    transform.yield
  }
}

// -----

module attributes {transform.with_named_sequence} {
  transform.named_sequence @match(%op: !transform.any_op {transform.readonly}) -> !transform.any_op {
    transform.match.operation_name %op ["func.func"] : !transform.any_op
    transform.yield %op : !transform.any_op
  }
  transform.named_sequence @act(%op: !transform.any_op {transform.consumed}) {
    %a = transform.tune.knob<"x"> options = [1, 2] -> !transform.param<i64>
    // expected-error @below {{named sequence '@act' uses itself}}
    transform.foreach_match in %op @match -> @act : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.consumed}) {
    transform.foreach_match in %root @match -> @act : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}

// -----

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op) {
    // expected-error @below {{knob 'x': selected value 400 : i64 is not one of its options}}
    %a = transform.tune.knob<"x"> = 400 from options = {lb = 1, ub = 4} -> !transform.param<i64>
    transform.yield
  }
}

// -----

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op) {
    // expected-error @below {{knob 'x': option 4 : i32 does not fit its type '!transform.param<i64>'; use !transform.any_param}}
    %a = transform.tune.knob<"x"> options = [4 : i32, 8 : i32] -> !transform.param<i64>
    transform.yield
  }
}

// -----

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op) {
    // expected-error @below {{knob 'x': value 200 does not fit its type '!transform.param<i8>'; use !transform.any_param}}
    %a = transform.tune.knob<"x"> options = {lb = 1, ub = 200} -> !transform.param<i8>
    transform.yield
  }
}

// -----

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op) {
    // expected-error @below {{knob 'x': its domain does not fit its type '!transform.param<i64>'}}
    %a = transform.tune.knob<"x"> options = #baco.permutation<3> -> !transform.param<i64>
    transform.yield
  }
}

// -----

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op) {
    // expected-error @below {{knob 'x': more than 1048576 values}}
    %a = transform.tune.knob<"x"> options = {lower_bound = -9223372036854775808, upper_bound = 9223372036854775807} -> !transform.param<i64>
    transform.yield
  }
}

// -----

// A value that is used twice stands in the text twice: bounded.

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op) {
    %a = transform.tune.knob<"some_long_name_of_a_knob"> options = [1, 2] -> !transform.param<i64>
    transform.smt.constrain_params(%a) : (!transform.param<i64>) -> () {
    ^bb0(%x: !smt.int):
      %1 = smt.int.mul %x, %x, %x, %x, %x, %x, %x, %x
      %2 = smt.int.mul %1, %1, %1, %1, %1, %1, %1, %1
      %3 = smt.int.mul %2, %2, %2, %2, %2, %2, %2, %2
      // expected-error @below {{written as one expression, this constraint has more than 65536 characters}}
      %4 = smt.int.mul %3, %3, %3, %3, %3, %3, %3, %3
      %e = smt.int.cmp lt %x, %4
      smt.assert %e
    }
    transform.yield
  }
}

// -----

// Upstream checks only attributes.

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op) {
    %a = transform.tune.knob<"a"> options = [1, 2] -> !transform.param<i64>
    %two = transform.param.constant 2 : i64 -> !transform.param<i64>
    // expected-error @below {{2 selects none of the 2 regions}}
    transform.tune.alternatives<"alt"> selected_region = %two : !transform.param<i64> {
    }, {
    }
    transform.yield
  }
}

// -----

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op) {
    %a = transform.tune.knob<"a"> options = [1, 2] -> !transform.param<i64>
    %b = transform.tune.knob<"b"> = -1 from options = [-1, 0] -> !transform.param<i64>
    // expected-error @below {{-1 selects none of the 2 regions}}
    transform.tune.alternatives<"alt"> selected_region = %b : !transform.param<i64> {
    }, {
    }
    transform.yield
  }
}
