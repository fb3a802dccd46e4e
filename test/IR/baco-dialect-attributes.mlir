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
// CHECK: func.func private @sources(f32 {baco.input = 2.500000e+00 : f64}, memref<?xbf16> {baco.input = {seed = 1 : i64, uniform = [5.000000e-01, 2]}}, tensor<4xcomplex<f32>> {baco.input = {normal = [0, 1]}}, memref<4xindex> {baco.input = {below = 100 : i64}}, memref<4xi1> {baco.input = {file = "x.npy"}})
func.func private @sources(f32 {baco.input = 2.5 : f64},
    memref<?xbf16> {baco.input = {uniform = [0.5, 2], seed = 1}},
    tensor<4xcomplex<f32>> {baco.input = {normal = [0, 1]}},
    memref<4xindex> {baco.input = {below = 100}},
    memref<4xi1> {baco.input = {file = "x.npy"}})
// CHECK: func.func private @sparse() attributes {baco.sparse_parallel = "dense-outer-loop", baco.sparse_simd32, baco.sparse_unroll = 4 : i64, baco.sparse_vl = 8 : i64, baco.team_chunk = 16 : i64, baco.team_schedule = "guided", baco.team_threads = 2 : i64}
func.func private @sparse() attributes {baco.sparse_vl = 8,
    baco.sparse_simd32, baco.sparse_parallel = "dense-outer-loop",
    baco.sparse_unroll = 4, baco.team_threads = 2, baco.team_schedule = "guided",
    baco.team_chunk = 16}
