// RUN: baco-opt %s --split-input-file --verify-diagnostics

// expected-error @below {{'func.func' op has unknown attribute 'baco.recipes'; did you mean 'baco.recipe'?}}
func.func private @f() attributes {baco.recipes = 1}

// -----

// expected-error @below {{'func.func' op has unknown attribute 'baco.zzzzzzzzzz'}}
func.func private @f() attributes {baco.zzzzzzzzzz}

// -----

// expected-error @below {{'func.func' op 'baco.recipe' must be a #baco.recipe, but is 1 : i64}}
func.func private @f() attributes {baco.recipe = 1}

// -----

// expected-error @below {{'func.func' op 'baco.constraints' belongs on a transform.named_sequence}}
func.func private @f() attributes {baco.constraints = []}

// -----

// expected-error @below {{'func.func' op 'baco.bind' belongs on a transform op}}
func.func private @f() attributes {baco.bind = {}}

// -----

// expected-error @below {{'func.func' op 'baco.default' belongs on a transform.tune.knob}}
func.func private @f() attributes {baco.default = 1}

// -----

// expected-error @below {{'func.func' op 'baco.extent' belongs on a transform.tune.knob}}
func.func private @f() attributes {baco.extent = 64}

// -----

module attributes {transform.with_named_sequence} {
  transform.named_sequence @s(%root: !transform.any_op) {
    // expected-error @below {{'baco.extent' must be a positive i64, but is 0 : i64}}
    %0 = transform.tune.knob<"T"> options = [4, 8] {baco.extent = 0} -> !transform.param<i64>
    transform.yield
  }
}

// -----

// expected-error @below {{'func.func' op 'baco.weights' belongs on a transform.tune.knob}}
func.func private @f() attributes {baco.weights = array<f64: 1.0>}

// -----

module attributes {transform.with_named_sequence} {
  // expected-error @below {{'baco.constraints' must be an array of #baco.constraint, but is "T < 8"}}
  transform.named_sequence @s(%root: !transform.any_op) attributes {baco.constraints = "T < 8"} {
    transform.yield
  }
}

// -----

module attributes {transform.with_named_sequence} {
  // expected-error @below {{'baco.constraints' holds "T < 8", which is not a #baco.constraint}}
  transform.named_sequence @s(%root: !transform.any_op) attributes {baco.constraints = ["T < 8"]} {
    transform.yield
  }
}

// -----

module attributes {transform.with_named_sequence} {
  transform.named_sequence @s(%root: !transform.any_op) {
    // expected-error @below {{'baco.bind' must be a dictionary from names of attributes to knobs, but is "U"}}
    transform.loop.unroll %root {factor = 2, baco.bind = "U"} : !transform.any_op
    transform.yield
  }
}

// -----

module attributes {transform.with_named_sequence} {
  transform.named_sequence @s(%root: !transform.any_op) {
    // expected-error @below {{'baco.bind' entry 'factor' must be the name of a knob, a list of integers and such names, or a #baco.reorder, but is 2 : i64}}
    transform.loop.unroll %root {factor = 2, baco.bind = {factor = 2}} : !transform.any_op
    transform.yield
  }
}

// -----

module attributes {transform.with_named_sequence} {
  transform.named_sequence @s(%root: !transform.any_op) {
    // expected-error @below {{'baco.bind' sets 'facto', which is not an attribute of the op; did you mean 'factor'?}}
    transform.loop.unroll %root {factor = 2, baco.bind = {facto = "U"}} : !transform.any_op
    transform.yield
  }
}

// -----

module attributes {transform.with_named_sequence} {
  transform.named_sequence @s(%root: !transform.any_op) {
    // expected-error @below {{'baco.default' of knob 'T' is 3 : i64, which is not one of its options}}
    %0 = transform.tune.knob<"T"> options = #baco.ordinal<[4, 8]> {baco.default = 3} -> !transform.param<i64>
    transform.yield
  }
}

// -----

module attributes {transform.with_named_sequence} {
  transform.named_sequence @s(%root: !transform.any_op) {
    // expected-error @below {{'baco.default' of knob 'T' is 3 : i64, which is not one of its options}}
    %0 = transform.tune.knob<"T"> options = [4, 8] {baco.default = 3} -> !transform.param<i64>
    transform.yield
  }
}

// -----

module attributes {transform.with_named_sequence} {
  transform.named_sequence @s(%root: !transform.any_op) {
    // expected-error @below {{'baco.weights' must be an array<f64: ...>, but is [1.000000e+00]}}
    %0 = transform.tune.knob<"T"> options = [4] {baco.weights = [1.0]} -> !transform.param<i64>
    transform.yield
  }
}

// -----

module attributes {transform.with_named_sequence} {
  transform.named_sequence @s(%root: !transform.any_op) {
    // expected-error @below {{knob 'T': 1 weights given for 2 values}}
    %0 = transform.tune.knob<"T"> options = [4, 8] {baco.weights = array<f64: 1.0>} -> !transform.param<i64>
    transform.yield
  }
}

// -----

module attributes {transform.with_named_sequence} {
  transform.named_sequence @s(%root: !transform.any_op) {
    // expected-error @below {{knob 'T': 3 weights given for 2 values}}
    %0 = transform.tune.knob<"T"> options = #baco.integer<1 to 2> {baco.weights = array<f64: 1.0, 1.0, 1.0>} -> !transform.param<i64>
    transform.yield
  }
}

// -----

// expected-error @below {{'baco.no_tune' must be a unit attribute of a function}}
module attributes {baco.no_tune} {}

// -----

// expected-error @below {{'func.func' op 'baco.no_tune' must be a unit attribute of a function}}
func.func private @f() attributes {baco.no_tune = 1}

// -----

// expected-error @below {{'baco.input' of argument 0 is 300 : i64: the value does not fit into 'i8'}}
func.func private @f(i8 {baco.input = 300})

// -----

// expected-error @below {{'baco.input' of argument 0 is 1 : i64: one value is for a scalar; write a distribution of the elements}}
func.func private @f(memref<4xf32> {baco.input = 1})

// -----

// expected-error @below {{'baco.input' of argument 0 is 1 : i64: one value is for a scalar; write the range of the elements}}
func.func private @f(memref<4xi32> {baco.input = 1})

// -----

// expected-error @below {{'baco.input' of argument 1 is "x": it must be a number, #baco.integer<LEAST to GREATEST>, or a dictionary with 'uniform', 'normal', 'below' or 'file'}}
func.func private @f(i32, i32 {baco.input = "x"})

// -----

// expected-error @below {{'baco.input' of argument 0 is #baco.integer<0 to 9 step 3>: the range has a step or 'log', which values of arguments don't have}}
func.func private @f(i32 {baco.input = #baco.integer<0 to 9 step 3>})

// -----

// expected-error @below {{: the dictionary must have one of 'uniform', 'normal', 'below' and 'file', and may have a 'seed', which a file doesn't}}
func.func private @f(memref<4xf32> {baco.input = {uniform = [0, 1], below = 3}})

// -----

// expected-error @below {{: the dictionary must have one of 'uniform', 'normal', 'below' and 'file', and may have a 'seed', which a file doesn't}}
func.func private @f(memref<4xf32> {baco.input = {}})

// -----

// expected-error @below {{: the dictionary must have one of 'uniform', 'normal', 'below' and 'file', and may have a 'seed', which a file doesn't}}
func.func private @f(memref<4xf32> {baco.input = {file = "x", seed = 1}})

// -----

// expected-error @below {{: 'file' must be the name of a file that numpy.save has written}}
func.func private @f(memref<4xf32> {baco.input = {file = 3}})

// -----

// expected-error @below {{: 'uniform' must be [LEAST, GREATEST], two numbers}}
func.func private @f(memref<4xf32> {baco.input = {uniform = [0, 1, 2]}})

// -----

// expected-error @below {{: 'uniform' must be [LEAST, GREATEST], two integers of 64 bits}}
func.func private @f(memref<4xi32> {baco.input = {uniform = [0.5, 1]}})

// -----

// expected-error @below {{: the range is empty}}
func.func private @f(memref<4xi32> {baco.input = {uniform = [3, 1]}})

// -----

// expected-error @below {{: the range does not fit into 'memref<4xi8>'}}
func.func private @f(memref<4xi8> {baco.input = {uniform = [0, 200]}})

// -----

// expected-error @below {{: a range needs more than one bit}}
func.func private @f(memref<4xi1> {baco.input = {uniform = [0, 1]}})

// -----

// expected-error @below {{: 'below' must be an extent, at least 1}}
func.func private @f(memref<4xi32> {baco.input = {below = 0}})

// -----

// expected-error @below {{: the range does not fit into 'memref<4xf16>'}}
func.func private @f(memref<4xf16> {baco.input = {uniform = [0, 1000000]}})

// -----

// expected-error @below {{: 'seed' must be an integer of 63 bits, at least 0}}
func.func private @f(memref<4xf32> {baco.input = {normal = [0, 1], seed = -1}})

// -----

// expected-error @below {{: a range of integers is for integers; write {uniform = [LEAST, GREATEST]}}}
func.func private @f(memref<4xf32> {baco.input = #baco.integer<0 to 9>})

// -----

// expected-error @below {{: an integer that is passed by value has a value or a range}}
func.func private @f(i32 {baco.input = {uniform = [0, 9]}})

// -----

// expected-error @below {{: the value does not fit into 'f32'}}
func.func private @f(f32 {baco.input = 1.000000e+300 : f64})

// -----

// expected-error @below {{: one value isn't a complex number; write a distribution of its parts}}
func.func private @f(complex<f32> {baco.input = 1 : i64})

// -----

// expected-error @below {{: only numbers can be given}}
func.func private @f(none {baco.input = 1 : i64})

// -----

// expected-error @below {{'func.func' op 'baco.sparse_vl' must be an i64 from 0 to 1024}}
func.func private @f() attributes {baco.sparse_vl = -1}

// -----

// expected-error @below {{'func.func' op 'baco.sparse_vl' must be an i64 from 0 to 1024}}
func.func private @f() attributes {baco.sparse_vl = 8 : i32}

// -----

// expected-error @below {{'func.func' op 'baco.sparse_unroll' must be an i64 from 0 to 64}}
func.func private @f() attributes {baco.sparse_unroll = 65}

// -----

// expected-error @below {{'func.func' op 'baco.team_threads' must be an i64 from 0 to 64}}
func.func private @f() attributes {baco.team_threads = 65}

// -----

// expected-error @below {{'func.func' op 'baco.team_chunk' must be an i64 from 0 to 1073741824}}
func.func private @f() attributes {baco.team_chunk = -1}

// -----

// expected-error @below {{'func.func' op 'baco.team_schedule' must be "static", "dynamic" or "guided"}}
func.func private @f() attributes {baco.team_schedule = "auto"}

// -----

func.func @f() {
  // expected-error @below {{'func.return' op 'baco.team_chunk' belongs on a function}}
  return {baco.team_chunk = 8}
}

// -----

// expected-error @below {{'func.func' op 'baco.sparse_simd32' must be a unit attribute}}
func.func private @f() attributes {baco.sparse_simd32 = 1}

// -----

// expected-error @below {{'func.func' op 'baco.sparse_peel' must be a unit attribute}}
func.func private @f() attributes {baco.sparse_peel = 1}

// -----

// expected-error @below {{'func.func' op 'baco.sparse_factor' must be a unit attribute}}
func.func private @f() attributes {baco.sparse_factor = true}

// -----

// expected-error @below {{'func.func' op 'baco.sparse_parallel' must be "none", "dense-outer-loop" or "any-storage-outer-loop"}}
func.func private @f() attributes {baco.sparse_parallel = "any-storage-any-loop"}

// -----

func.func @f() {
  // expected-error @below {{'func.return' op 'baco.sparse_vl' belongs on a function}}
  return {baco.sparse_vl = 8}
}

// -----

// expected-error @below {{'baco.extents' of argument 0 is array<i64: 4>: it has 1 extents, but the memref has 2}}
func.func private @f(memref<?x4xf32> {baco.extents = array<i64: 4>})

// -----

// expected-error @below {{'baco.extents' of argument 0 is array<i64: 9, 5>: extent 5 differs from that of the memref, 4}}
func.func private @f(memref<?x4xf32> {baco.extents = array<i64: 9, 5>})

// -----

// expected-error @below {{'baco.extents' of argument 0 is array<i64: 0, 4>: extents are at least 1}}
func.func private @f(memref<?x4xf32> {baco.extents = array<i64: 0, 4>})

// -----

// expected-error @below {{'baco.extents' of argument 0 is 4 : i64: it belongs on a memref, and is an array<i64: ...>}}
func.func private @f(memref<?xf32> {baco.extents = 4})

// -----

// expected-error @below {{'func.func' op argument 1 has unknown attribute 'baco.inputs'; did you mean 'baco.input'?}}
func.func private @f(i8, i8 {baco.inputs = 3})

// -----

// expected-error @below {{'func.func' op argument 0 has unknown attribute 'baco.recipe'}}
func.func private @f(i8 {baco.recipe})

// -----

// expected-error @below {{'func.func' op result 0 has attribute 'baco.input', but results have none of baco's}}
func.func private @f() -> (i8 {baco.input = 3})

// -----

// expected-error @below {{'func.func' op 'baco.stages' must be a positive i64 on a linalg.copy; transform.baco.gpu_promote sets it}}
func.func private @f() attributes {baco.stages = 3}

// -----

// expected-error @below {{'func.func' op 'baco.mark' must be a unit or a number, but is "f"}}
func.func private @f() attributes {baco.mark = "f"}
