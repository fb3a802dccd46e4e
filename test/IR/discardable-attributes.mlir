// RUN: baco-opt %s | baco-opt | FileCheck %s

// The attributes of the dialect where they may stand.

module attributes {transform.with_named_sequence} {
  // CHECK: baco.constraints = [#baco.constraint<"T < 8", "why">]
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly})
      attributes {baco.constraints = [#baco.constraint<"T < 8", "why">]} {
    %0 = transform.structured.match ops{["linalg.generic"]} in %root : (!transform.any_op) -> !transform.any_op
    // CHECK: tune.knob<"T"> options = [4, 8] {baco.default = 8 : i64, baco.weights = array<f64: 1.000000e+00, 2.000000e+00>}
    %1 = transform.tune.knob<"T"> options = [4, 8] {baco.default = 8, baco.weights = array<f64: 1.0, 2.0>} -> !transform.any_param
    // CHECK: tune.knob<"order"> options = #baco.permutation<2> {baco.default = [1, 0]}
    %2 = transform.tune.knob<"order"> options = #baco.permutation<2> {baco.default = [1, 0]} -> !transform.any_param
    // CHECK: baco.bind = {iterator_interchange = "order"}
    %3 = transform.structured.interchange %0 iterator_interchange = [0, 1] {baco.bind = {iterator_interchange = "order"}} : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}

// CHECK: func.func private @inputs(i1 {baco.input = true}, index {baco.input = -3 : i64}, memref<?xi8> {baco.input = #baco.integer<-128 to 127>})
func.func private @inputs(i1 {baco.input = true}, index {baco.input = -3},
    memref<?xi8> {baco.input = #baco.integer<-128 to 127>})
