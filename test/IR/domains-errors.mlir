// RUN: baco-opt %s --split-input-file --verify-diagnostics

// expected-error @below {{an ordinal domain needs at least one value}}
func.func private @f() attributes {domain = #baco.ordinal<[]>}

// -----

// expected-error @below {{values of an ordinal domain must increase, but 8 follows 16}}
func.func private @f() attributes {domain = #baco.ordinal<[4, 16, 8]>}

// -----

// expected-error @below {{values of an ordinal domain must increase, but 4 follows 4}}
func.func private @f() attributes {domain = #baco.ordinal<[4, 4]>}

// -----

// expected-error @below {{'log' needs positive values, but 0 is not}}
func.func private @f() attributes {domain = #baco.ordinal<[0, 1], log>}

// -----

// expected-error @below {{expected 'log'}}
func.func private @f() attributes {domain = #baco.ordinal<[1, 2], logarithmic>}

// -----

// expected-error @below {{the range of integers 2 to 1 is empty}}
func.func private @f() attributes {domain = #baco.integer<2 to 1>}

// -----

// expected-error @below {{the step of a range must be at least 1, but is 0}}
func.func private @f() attributes {domain = #baco.integer<1 to 4 step 0>}

// -----

// expected-error @below {{'log' needs positive values, but -1 is not}}
func.func private @f() attributes {domain = #baco.integer<-1 to 4, log>}

// -----

// expected-error @below {{the range of reals 1.000000e+00 to 1.000000e+00 is empty}}
func.func private @f() attributes {domain = #baco.real<1.0 to 1.0>}

// -----

// expected-error @below {{'log' needs positive values, but 0.000000e+00 is not}}
func.func private @f() attributes {domain = #baco.real<0.0 to 1.0, log>}

// -----

// expected-error @below {{the bounds of a range must be finite}}
func.func private @f() attributes {domain = #baco.real<0.0 to 1.0e999>}

// -----

// expected-error @below {{a categorical domain needs at least one value}}
func.func private @f() attributes {domain = #baco.categorical<[]>}

// -----

// expected-error @below {{a categorical value is a string, a boolean or an i64 integer, but 1.000000e+00 : f64 is not}}
func.func private @f() attributes {domain = #baco.categorical<[1.0]>}

// -----

// expected-error @below {{categorical values must have one type, but "a" and 1 : i64 are not}}
func.func private @f() attributes {domain = #baco.categorical<["a", 1]>}

// -----

// expected-error @below {{categorical value "a" appears twice}}
func.func private @f() attributes {domain = #baco.categorical<["a", "b", "a"]>}

// -----

// expected-error @below {{a permutation has 1 to 20 elements, but 0 were asked for}}
func.func private @f() attributes {domain = #baco.permutation<0>}

// -----

// expected-error @below {{a permutation has 1 to 20 elements, but 21 were asked for}}
func.func private @f() attributes {domain = #baco.permutation<21>}

// -----

// expected-error @below {{expected spearman, kendall, hamming or naive, but found 'euclid'}}
func.func private @f() attributes {domain = #baco.permutation<3, euclid>}
