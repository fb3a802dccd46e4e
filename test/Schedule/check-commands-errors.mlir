// RUN: baco-opt %s --split-input-file --verify-diagnostics \
// RUN:   --baco-extract-space=output=/dev/null

// Knobs that loop commands name must exist, with values that the fields may
// hold.

module attributes {transform.with_named_sequence} {
transform.named_sequence @__transform_main(%f: !transform.any_op {transform.consumed}) {
  %t = transform.tune.knob<"TI"> options = [8, 16] -> !transform.param<i64>
  // expected-error @below {{#baco.loop_tile<statement = 0, loop = 1, size = "TJ"> names "TJ", which is not a knob of the sequence; did you mean "TI"?}}
  %new = transform.baco.restructure %f "tile(0,1,TJ)"
      : (!transform.any_op) -> !transform.any_op
  transform.yield
}
}

// -----

module attributes {transform.with_named_sequence} {
transform.named_sequence @__transform_main(%f: !transform.any_op {transform.consumed}) {
  %t = transform.tune.knob<"T"> options = [8, 16] -> !transform.param<i64>
  // expected-error @below {{names "N", which is not a knob of the sequence}}
  %new = transform.baco.restructure %f "split(0,1,L1 >= T and L2 <= p0 + N)"
      : (!transform.any_op) -> !transform.any_op
  transform.yield
}
}

// -----

module attributes {transform.with_named_sequence} {
transform.named_sequence @__transform_main(%f: !transform.any_op {transform.consumed}) {
  %t = transform.tune.knob<"T"> options = [8, -2] -> !transform.param<i64>
  // expected-error @below {{'transform.baco.restructure' op knob 'T' may be -2 : i64, which does not fit #baco.loop_tile<statement = 0, loop = 1, size = "T">: size must be at least 0, but is -2}}
  %new = transform.baco.restructure %f "tile(0,1,T)"
      : (!transform.any_op) -> !transform.any_op
  transform.yield
}
}

// -----

module attributes {transform.with_named_sequence} {
transform.named_sequence @__transform_main(%f: !transform.any_op {transform.consumed}) {
  %t = transform.tune.knob<"T"> options = #baco.integer<-1 to 1000000> -> !transform.param<i64>
  // expected-error @below {{knob 'T' may be -1 : i64, which does not fit}}
  %new = transform.baco.restructure %f "unroll(0,1,T)"
      : (!transform.any_op) -> !transform.any_op
  transform.yield
}
}

// -----

module attributes {transform.with_named_sequence} {
transform.named_sequence @__transform_main(%f: !transform.any_op {transform.consumed}) {
  %o = transform.tune.knob<"O"> options = [[0, 1], [0, 2]] -> !transform.any_param
  // expected-error @below {{knob 'O' may be [0, 2], which does not fit #baco.loop_permute<order = "O">: order must be a permutation of the loops 1, 2, ..., a knob or the name of one, but is [1, 3]}}
  %new = transform.baco.restructure %f "permute(O)"
      : (!transform.any_op) -> !transform.any_op
  transform.yield
}
}

// -----

module attributes {transform.with_named_sequence} {
transform.named_sequence @__transform_main(%f: !transform.any_op {transform.consumed}) {
  %o = transform.tune.knob<"T"> options = ["a", "b"] -> !transform.any_param
  // expected-error @below {{knob 'T' may be "a", which does not fit #baco.loop_tile<statement = 0, loop = 1, size = "T">: it is not a value of a field}}
  %new = transform.baco.restructure %f "tile(0,1,T)"
      : (!transform.any_op) -> !transform.any_op
  transform.yield
}
}

// -----

module attributes {transform.with_named_sequence} {
transform.named_sequence @__transform_main(%f: !transform.any_op {transform.consumed}) {
  %o = transform.tune.knob<"F"> options = [1, 2] -> !transform.any_param
  // expected-error @below {{knob 'F' may be 1 : i64, which does not fit #baco.loop_auto<fusion = "F">: fusion must be "min", "max", "smart" or the name of a knob}}
  %new = transform.baco.restructure %f "auto(F)"
      : (!transform.any_op) -> !transform.any_op
  transform.yield
}
}

// -----

// A value that is selected counts, too.
module attributes {transform.with_named_sequence} {
transform.named_sequence @__transform_main(%f: !transform.any_op {transform.consumed}) {
  %u = transform.tune.knob<"U"> = -4 : i64 from options = [2, -4] -> !transform.param<i64>
  %t = transform.tune.knob<"T"> options = [2, 4] -> !transform.param<i64>
  // expected-error @below {{knob 'U' may be -4 : i64, which does not fit}}
  %new = transform.baco.restructure %f "tile(0,1,T) unroll(0,1,U)"
      : (!transform.any_op) -> !transform.any_op
  transform.yield
}
}
