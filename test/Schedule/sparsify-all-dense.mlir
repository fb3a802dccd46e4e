// Levels that are all dense store no positions and no coordinates, so that
// other widths of these make no other type, which callers had to convert to.
// RUN: baco-opt %s --transform-interpreter | FileCheck %s

// CHECK: #[[DENSE:[a-z0-9]*]] = #sparse_tensor.encoding<{ map = (d0, d1) -> (d0 : dense, d1 : dense) }>
#D = #sparse_tensor.encoding<{ map = (d0, d1) -> (d0 : dense, d1 : dense) }>
module attributes {transform.with_named_sequence} {
  // CHECK: func.func @f(%{{.*}}: tensor<64x48xf64, #[[DENSE]]>
  func.func @f(%B: tensor<64x48xf64, #D>, %x: tensor<48xf64>,
               %y: tensor<64xf64>) -> tensor<64xf64> {
    // CHECK: linalg.generic
    // CHECK-SAME: sorted = true
    %0 = linalg.matvec ins(%B, %x : tensor<64x48xf64, #D>, tensor<48xf64>)
      outs(%y : tensor<64xf64>) -> tensor<64xf64>
    return %0 : tensor<64xf64>
  }
  transform.named_sequence @__transform_main(%m: !transform.any_op {transform.readonly}) {
    %op = transform.structured.match ops{["linalg.matvec"]} in %m
      : (!transform.any_op) -> !transform.any_op
    transform.baco.sparsify %op {format = "given", order = array<i64: 0, 1>, positions = 16, coordinates = 32}
      : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}
