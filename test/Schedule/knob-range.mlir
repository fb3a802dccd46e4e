// RUN: baco-opt %s --baco-extract-space -o /dev/null \
// RUN:   | tr -d ' \n' | FileCheck %s

// Dictionaries of options, in both spellings that are in use.

// CHECK:      "name":"bounded","kind":"ordinal","values":[4,6,12]
// CHECK-SAME: "name":"listed","kind":"ordinal","values":[8,32]
// CHECK-SAME: "name":"whole","kind":"ordinal","values":[1,2,3,4,6,12]
// CHECK-SAME: "name":"top","kind":"ordinal","values":[9223372036854775806,9223372036854775807]
// CHECK-SAME: "name":"large","kind":"ordinal","values":[1,1048576,1099511627776]
// CHECK-SAME: "name":"real","kind":"ordinal","values":[0.5,1.5]
// CHECK-SAME: "name":"lists","kind":"categorical","values":["[8,4]","[4,8]"]
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op) {
    %a = transform.tune.knob<"bounded"> options =
        {lower_bound = 3, upper_bound = 12, divisible_by = 2, divides = 12}
        -> !transform.param<i64>
    %b = transform.tune.knob<"listed"> options =
        {options = [4, 8, 12, 32, 64], divisible_by = 8, divides = 96, upper_bound = 32}
        -> !transform.param<i64>
    %c = transform.tune.knob<"whole"> options = {divides = 12}
        -> !transform.param<i64>
    %t = transform.tune.knob<"top"> options =
        {lower_bound = 9223372036854775806, upper_bound = 9223372036854775807}
        -> !transform.param<i64>
    %l = transform.tune.knob<"large"> options =
        {divides = 1099511627776, options = [1, 7, 1048576, 1099511627776]}
        -> !transform.param<i64>
    %d = transform.tune.knob<"real"> options = [1.5, 0.5] -> !transform.any_param
    %e = transform.tune.knob<"lists"> options = [[8, 4], [4, 8]]
        -> !transform.any_param
    transform.yield
  }
}
