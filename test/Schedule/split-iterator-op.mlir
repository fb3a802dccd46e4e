// RUN: baco-opt %s --split-input-file --transform-interpreter --verify-diagnostics --mlir-print-local-scope | FileCheck %s

// An output of which two dimensions remain where there were one, and an index
// of the old iterator.

// CHECK-LABEL: func @product(
// CHECK: %[[C:.*]] = tensor.expand_shape %arg1 {{\[\[0\], \[1, 2\]\]}} output_shape [6, 2, 4]
// CHECK: %[[A:.*]] = tensor.expand_shape %arg2 {{\[\[0\], \[1, 2\]\]}} output_shape [5, 2, 4]
// CHECK: %[[R:.*]] = linalg.generic
// CHECK-SAME: affine_map<(d0, d1, d2, d3) -> (d0, d1)>
// CHECK-SAME: affine_map<(d0, d1, d2, d3) -> (d1, d2, d3)>
// CHECK-SAME: affine_map<(d0, d1, d2, d3) -> (d0, d2, d3)>
// CHECK-SAME: ["parallel", "reduction", "parallel", "parallel"]
// CHECK-SAME: ins(%arg0, %[[C]] : tensor<5x6xf64, #sparse_tensor.encoding<{{.*}}>>, tensor<6x2x4xf64>) outs(%[[A]] : tensor<5x2x4xf64>)
// CHECK-SAME: attrs =  {mine}
// CHECK: %[[OUTER:.*]] = linalg.index 2
// CHECK: %[[INNER:.*]] = linalg.index 3
// CHECK: affine.apply affine_map<(d0, d1) -> (d0 * 4 + d1)>(%[[OUTER]], %[[INNER]])
// CHECK: %[[FLAT:.*]] = tensor.collapse_shape %[[R]] {{\[\[0\], \[1, 2\]\]}} : tensor<5x2x4xf64> into tensor<5x8xf64>
// CHECK: return %[[FLAT]]

#CSR = #sparse_tensor.encoding<{map = (d0, d1) -> (d0 : dense, d1 : compressed)}>
module attributes {transform.with_named_sequence} {
  func.func @product(%b: tensor<5x6xf64, #CSR>, %c: tensor<6x8xf64>, %a: tensor<5x8xf64>) -> tensor<5x8xf64> {
    %r = linalg.generic {indexing_maps = [affine_map<(i, k, j) -> (i, k)>, affine_map<(i, k, j) -> (k, j)>, affine_map<(i, k, j) -> (i, j)>],
                         iterator_types = ["parallel", "reduction", "parallel"]}
        ins(%b, %c : tensor<5x6xf64, #CSR>, tensor<6x8xf64>) outs(%a : tensor<5x8xf64>) attrs = {mine} {
    ^bb0(%x: f64, %y: f64, %z: f64):
      %j = linalg.index 2 : index
      %n = arith.index_cast %j : index to i64
      %f = arith.sitofp %n : i64 to f64
      %p = arith.mulf %x, %y : f64
      %q = arith.mulf %p, %f : f64
      %s = arith.addf %z, %q : f64
      linalg.yield %s : f64
    } -> tensor<5x8xf64>
    return %r : tensor<5x8xf64>
  }
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %op = transform.structured.match ops{["linalg.generic"]} in %root : (!transform.any_op) -> !transform.any_op
    %four = transform.param.constant 4 : i64 -> !transform.param<i64>
    %split = transform.baco.split_iterator %op by %four {iterator = 2} : (!transform.any_op, !transform.param<i64>) -> !transform.any_op
    transform.yield
  }
}

// -----

// Named ops become general ones; operands that the iterator doesn't index stay.

// CHECK-LABEL: func @named(
// CHECK: linalg.generic
// CHECK-SAME: affine_map<(d0, d1, d2, d3) -> (d0, d1, d3)>
// CHECK-SAME: affine_map<(d0, d1, d2, d3) -> (d3, d2)>
// CHECK-SAME: ins(%{{.*}}, %arg1 : tensor<2x2x6xf32>, tensor<6x8xf32>)
module attributes {transform.with_named_sequence} {
  func.func @named(%b: tensor<4x6xf32>, %c: tensor<6x8xf32>, %a: tensor<4x8xf32>) -> tensor<4x8xf32> {
    %r = linalg.matmul ins(%b, %c : tensor<4x6xf32>, tensor<6x8xf32>) outs(%a : tensor<4x8xf32>) -> tensor<4x8xf32>
    return %r : tensor<4x8xf32>
  }
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %op = transform.structured.match ops{["linalg.matmul"]} in %root : (!transform.any_op) -> !transform.any_op
    %split = transform.baco.split_iterator %op {iterator = 0, factor = 2} : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}

// -----

module attributes {transform.with_named_sequence} {
  func.func @extent(%b: tensor<4x6xf32>, %c: tensor<6x8xf32>, %a: tensor<4x8xf32>) -> tensor<4x8xf32> {
    // expected-note@below {{the target is this}}
    %r = linalg.matmul ins(%b, %c : tensor<4x6xf32>, tensor<6x8xf32>) outs(%a : tensor<4x8xf32>) -> tensor<4x8xf32>
    return %r : tensor<4x8xf32>
  }
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %op = transform.structured.match ops{["linalg.matmul"]} in %root : (!transform.any_op) -> !transform.any_op
    // expected-error@below {{iterator 1 can't be split by 3: its extent is 8}}
    %split = transform.baco.split_iterator %op {iterator = 1, factor = 3} : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}

// -----

#CSR = #sparse_tensor.encoding<{map = (d0, d1) -> (d0 : dense, d1 : compressed)}>
module attributes {transform.with_named_sequence} {
  func.func @sparse(%b: tensor<4x6xf32, #CSR>, %c: tensor<6xf32>, %a: tensor<4xf32>) -> tensor<4xf32> {
    // expected-note@below {{the target is this}}
    %r = linalg.matvec ins(%b, %c : tensor<4x6xf32, #CSR>, tensor<6xf32>) outs(%a : tensor<4xf32>) -> tensor<4xf32>
    return %r : tensor<4xf32>
  }
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %op = transform.structured.match ops{["linalg.matvec"]} in %root : (!transform.any_op) -> !transform.any_op
    // expected-error@below {{iterator 0 can't be split by 2: the iterator indexes a sparse tensor}}
    %split = transform.baco.split_iterator %op {iterator = 0, factor = 2} : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}

// -----

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.consumed}) {
    // expected-error@below {{needs a factor: either the attribute 'factor' or a parameter after 'by'}}
    %split = transform.baco.split_iterator %root {iterator = 0} : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}
