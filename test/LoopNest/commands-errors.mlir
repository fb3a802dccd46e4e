// RUN: baco-opt %s --split-input-file --verify-diagnostics

// What a list of commands or a script may not say.

// -----

module attributes {transform.with_named_sequence} {
transform.named_sequence @s(%f: !transform.any_op {transform.consumed}) {
  // expected-error @below {{'tile(0,2)' has 2 arguments; expected tile(statement, loop, size, ?outer)}}
  %new = transform.baco.restructure %f "tile(0,2)"
      : (!transform.any_op) -> !transform.any_op
  transform.yield
}
}

// -----

module attributes {transform.with_named_sequence} {
transform.named_sequence @s(%f: !transform.any_op {transform.consumed}) {
  // expected-error @below {{'tilt(0,2,3)' is not a command; the commands are original, permute, tile, split, nonsingular, skew, shift, scale, reverse, distribute, fuse, align, unroll, vectorize, parallelize, datacopy, expand, contract, prefetch and auto}}
  %new = transform.baco.restructure %f "tilt(0,2,3)"
      : (!transform.any_op) -> !transform.any_op
  transform.yield
}
}

// -----

module attributes {transform.with_named_sequence} {
transform.named_sequence @s(%f: !transform.any_op {transform.consumed}) {
  // expected-error @below {{expected a command such as tile(0,2,TJ), but found 'tile(0,2,3'}}
  %new = transform.baco.restructure %f "tile(0,2,3"
      : (!transform.any_op) -> !transform.any_op
  transform.yield
}
}

// -----

module attributes {transform.with_named_sequence} {
transform.named_sequence @s(%f: !transform.any_op {transform.consumed}) {
  // expected-error @below {{'tile(0,0,3)': loop must be at least 1, but is 0}}
  %new = transform.baco.restructure %f "tile(0,0,3)"
      : (!transform.any_op) -> !transform.any_op
  transform.yield
}
}

// -----

module attributes {transform.with_named_sequence} {
transform.named_sequence @s(%f: !transform.any_op {transform.consumed}) {
  // expected-error @below {{'permute([1,1])': order must be a permutation of the loops 1, 2, ..., a knob or the name of one, but is [1, 1]}}
  %new = transform.baco.restructure %f "permute([1,1])"
      : (!transform.any_op) -> !transform.any_op
  transform.yield
}
}

// -----

module attributes {transform.with_named_sequence} {
transform.named_sequence @s(%f: !transform.any_op {transform.consumed}) {
  // expected-error @below {{'tile(0,1,-2)': size must be at least 0, but is -2}}
  %new = transform.baco.restructure %f "tile(0,1,-2)"
      : (!transform.any_op) -> !transform.any_op
  transform.yield
}
}

// -----

module attributes {transform.with_named_sequence} {
transform.named_sequence @s(%f: !transform.any_op {transform.consumed}) {
  // expected-error @below {{'tile(0,1,4 x)': size must be an integer, a knob or the name of one, but is "4 x"}}
  %new = transform.baco.restructure %f "tile(0,1,4 x)"
      : (!transform.any_op) -> !transform.any_op
  transform.yield
}
}

// -----

module attributes {transform.with_named_sequence} {
transform.named_sequence @s(%f: !transform.any_op {transform.consumed}) {
  // expected-error @below {{row [1] of the matrix has 1 columns, but others have 2}}
  %new = transform.baco.restructure %f "nonsingular([[1,0],[1]])"
      : (!transform.any_op) -> !transform.any_op
  transform.yield
}
}

// -----

module attributes {transform.with_named_sequence} {
transform.named_sequence @s(%f: !transform.any_op {transform.consumed}) {
  // expected-error @below {{the matrix has 2 rows and 1 columns, but needs as many columns as rows, or one more}}
  %new = transform.baco.restructure %f "nonsingular([[1],[1]])"
      : (!transform.any_op) -> !transform.any_op
  transform.yield
}
}

// -----

module attributes {transform.with_named_sequence} {
transform.named_sequence @s(%f: !transform.any_op {transform.consumed}) {
  // expected-error @below {{element 1 of the commands is #baco.tile<sizes = [1]>, which is not a loop command}}
  %new = transform.baco.restructure %f [#baco.tile<sizes = [1]>]
      : (!transform.any_op) -> !transform.any_op
  transform.yield
}
}

// -----

module attributes {transform.with_named_sequence} {
transform.named_sequence @s(%f: !transform.any_op {transform.consumed}) {
  // expected-error @below {{index and order both set the layout of the buffer; give only one of them}}
  %new = transform.baco.restructure %f [#baco.loop_copy<statement = 0, loop = 1, reference = 0, index = 0, order = [0]>]
      : (!transform.any_op) -> !transform.any_op
  transform.yield
}
}

// -----

module attributes {transform.with_named_sequence} {
transform.named_sequence @s(%f: !transform.any_op {transform.consumed}) {
  // expected-error @below {{a copy of the whole array has its layout; leave out index, order and panel, or whole}}
  %new = transform.baco.restructure %f [#baco.loop_copy<statement = 0, loop = 1, reference = 0, index = 0, whole = 1>]
      : (!transform.any_op) -> !transform.any_op
  transform.yield
}
}

// -----

module attributes {transform.with_named_sequence} {
transform.named_sequence @s(%f: !transform.any_op {transform.consumed}) {
  // expected-error @below {{a split needs a condition, such as "L2 >= L1"}}
  %new = transform.baco.restructure %f "split(0,1,)"
      : (!transform.any_op) -> !transform.any_op
  transform.yield
}
}

// -----

module attributes {transform.with_named_sequence} {
transform.named_sequence @s(%f: !transform.any_op {transform.consumed}) {
  // expected-error @below {{amount must be from -2147483648 to 2147483648, but is 9223372036854775807}}
  %new = transform.baco.restructure %f "shift(0,1,9223372036854775807)"
      : (!transform.any_op) -> !transform.any_op
  transform.yield
}
}

// -----

module attributes {transform.with_named_sequence} {
transform.named_sequence @s(%f: !transform.any_op {transform.consumed}) {
  // expected-error @below {{matrix must be from -2147483648 to 2147483648, but is 9223372036854775807}}
  %new = transform.baco.restructure %f "nonsingular([[9223372036854775807,1],[1,1]])"
      : (!transform.any_op) -> !transform.any_op
  transform.yield
}
}

// -----

module attributes {transform.with_named_sequence} {
transform.named_sequence @s(%f: !transform.any_op {transform.consumed}) {
  // expected-error @below {{'prefetch(0,1,-1)': ahead must be at least 0, but is -1}}
  %new = transform.baco.restructure %f "prefetch(0,1,-1)"
      : (!transform.any_op) -> !transform.any_op
  transform.yield
}
}
