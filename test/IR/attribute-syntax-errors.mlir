// RUN: baco-opt %s --split-input-file --verify-diagnostics

// expected-error @below {{the name of a knob must be a letter or '_' followed by letters, digits and '_', but is '2m'}}
func.func private @f() attributes {knob = #baco.knob<"2m", #baco.ordinal<[1]>>}

// -----

// expected-error @below {{the name of a knob must be a letter or '_' followed by letters, digits and '_', but is ''}}
func.func private @f() attributes {knob = #baco.knob<"", #baco.ordinal<[1]>>}

// -----

// expected-error @below {{knob 'MC': default 3 : i64 is not in #baco.ordinal<[64, 128]>}}
func.func private @f() attributes {knob = #baco.knob<"MC", #baco.ordinal<[64, 128]>, default = 3>}

// -----

// expected-error @below {{knob 'MC': default 2 : i64 is not in #baco.integer<1 to 9 step 2>}}
func.func private @f() attributes {knob = #baco.knob<"MC", #baco.integer<1 to 9 step 2>, default = 2>}

// -----

// expected-error @below {{knob 'r': default 1.500000e+00 : f64 is not in #baco.real<0.000000e+00 to 1.000000e+00>}}
func.func private @f() attributes {knob = #baco.knob<"r", #baco.real<0.0 to 1.0>, default = 1.5>}

// -----

// expected-error @below {{knob 'mode': default "inner" is not in #baco.categorical<["none", "outer"]>}}
func.func private @f() attributes {knob = #baco.knob<"mode", #baco.categorical<["none", "outer"]>, default = "inner">}

// -----

// expected-error @below {{knob 'order': default [1, 1] is not in #baco.permutation<2>}}
func.func private @f() attributes {knob = #baco.knob<"order", #baco.permutation<2>, default = [1, 1]>}

// -----

// expected-error @below {{knob 'order': default [0, 1, 2] is not in #baco.permutation<2>}}
func.func private @f() attributes {knob = #baco.knob<"order", #baco.permutation<2>, default = [0, 1, 2]>}

// -----

// expected-error @below {{knob 'MC': 1 weights given for 2 values}}
func.func private @f() attributes {knob = #baco.knob<"MC", #baco.ordinal<[64, 128]>, weights = [1.0]>}

// -----

// expected-error @below {{knob 'MC': weight -1.000000e+00 is not a number of at least 0}}
func.func private @f() attributes {knob = #baco.knob<"MC", #baco.ordinal<[64, 128]>, weights = [1.0, -1.0]>}

// -----

// expected-error @below {{knob 'MC': at least one weight must be positive}}
func.func private @f() attributes {knob = #baco.knob<"MC", #baco.ordinal<[64, 128]>, weights = [0.0, 0.0]>}

// -----

// expected-error @below {{knob 'r': a range of reals can't have weights}}
func.func private @f() attributes {knob = #baco.knob<"r", #baco.real<0.0 to 1.0>, weights = [1.0]>}

// -----

// expected-error @below {{expected one 'default', one 'weights' and one 'extent' at most, but found 'weight'}}
func.func private @f() attributes {knob = #baco.knob<"MC", #baco.ordinal<[64]>, weight = [1.0]>}

// -----

// expected-error @below {{expected one 'default', one 'weights' and one 'extent' at most, but found 'default'}}
func.func private @f() attributes {knob = #baco.knob<"MC", #baco.ordinal<[64]>, default = 64, default = 64>}

// -----

// expected-error @below {{expected one 'default', one 'weights' and one 'extent' at most, but found 'extent'}}
func.func private @f() attributes {knob = #baco.knob<"MC", #baco.ordinal<[64]>, extent = 64, extent = 64>}

// -----

// expected-error @below {{knob 'MC': the extent must be positive, but is 0}}
func.func private @f() attributes {knob = #baco.knob<"MC", #baco.ordinal<[64]>, extent = 0>}

// -----

// expected-error @below {{knob 'p': only numbers have an extent, not #baco.permutation<2>}}
func.func private @f() attributes {knob = #baco.knob<"p", #baco.permutation<2>, extent = 2>}

// -----

// expected-error @below {{constraint "MC >": }}
func.func private @f() attributes {constraint = #baco.constraint<"MC >">}

// -----

// expected-error @below {{constraint "1 < 2" doesn't use any knob}}
func.func private @f() attributes {constraint = #baco.constraint<"1 < 2", "always">}

// -----

// expected-error @below {{expected 'advisory'}}
func.func private @f() attributes {constraint = #baco.constraint<"MC < 2", "why", maybe>}

// -----

// expected-error @below {{the name of a knob must be a letter or '_' followed by letters, digits and '_', but is 'a b'}}
func.func private @f() attributes {bind = #baco.reorder<"a b", [0]>}

// -----

// expected-error @below {{knob 'order': the list to reorder must hold each of 0 to its length - 1 once, but is [0, 2]}}
func.func private @f() attributes {bind = #baco.reorder<"order", [0, 2]>}
