// A convolution at one place of its window is a product of slices, as far apart as windows are.
// RUN: baco-opt %s --transform-interpreter --split-input-file --verify-diagnostics | FileCheck %s

// CHECK-DAG: #[[X:.*]] = affine_map<(d0, d1, d2) -> (d0, d2)>
// CHECK-DAG: #[[K:.*]] = affine_map<(d0, d1, d2) -> (d2, d1)>
// CHECK-DAG: #[[Y:.*]] = affine_map<(d0, d1, d2) -> (d0, d1)>
// CHECK-LABEL: func.func @strided(
// CHECK-SAME:    %[[IN:.*]]: memref<1x1x7x8xf32>, %[[FILTER:.*]]: memref<1x1x8x16xf32>, %[[OUT:.*]]: memref<1x1x4x16xf32>)
// CHECK:         %[[S0:.*]] = memref.subview %[[IN]][0, 0, 0, 0] [1, 1, 4, 8] [1, 1, 2, 1] : memref<1x1x7x8xf32> to memref<4x8xf32, strided<[16, 1]>>
// CHECK:         %[[S1:.*]] = memref.subview %[[FILTER]][0, 0, 0, 0] [1, 1, 8, 16] [1, 1, 1, 1] : memref<1x1x8x16xf32> to memref<8x16xf32
// CHECK:         %[[S2:.*]] = memref.subview %[[OUT]][0, 0, 0, 0] [1, 1, 4, 16] [1, 1, 1, 1] : memref<1x1x4x16xf32> to memref<4x16xf32
// CHECK:         linalg.generic {indexing_maps = [#[[X]], #[[K]], #[[Y]]], iterator_types = ["parallel", "parallel", "reduction"]} ins(%[[S0]], %[[S1]] : {{.*}}) outs(%[[S2]] :
// CHECK:           arith.mulf
// CHECK:           arith.addf
module attributes {transform.with_named_sequence} {
  func.func @strided(%x: memref<1x1x7x8xf32>, %k: memref<1x1x8x16xf32>, %y: memref<1x1x4x16xf32>) {
    linalg.conv_2d_nhwc_hwcf {dilations = dense<1> : tensor<2xi64>, strides = dense<[1, 2]> : tensor<2xi64>}
      ins(%x, %k : memref<1x1x7x8xf32>, memref<1x1x8x16xf32>) outs(%y : memref<1x1x4x16xf32>)
    return
  }
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %op = transform.structured.match interface{LinalgOp} in %root : (!transform.any_op) -> !transform.any_op
    %product = transform.baco.drop_iterators %op [0, 1, 4, 5] : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}

// -----

// The iterator of the window is left.
module attributes {transform.with_named_sequence} {
  func.func @window(%x: memref<1x6xf32>, %k: memref<1x3xf32>, %y: memref<1x4xf32>) {
    // expected-note @below {{the target is this}}
    linalg.conv_2d ins(%x, %k : memref<1x6xf32>, memref<1x3xf32>) outs(%y : memref<1x4xf32>)
    return
  }
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %op = transform.structured.match interface{LinalgOp} in %root : (!transform.any_op) -> !transform.any_op
    // expected-error @below {{a dimension of an operand is indexed by several iterators, or not by a multiple of one; let those of windows have extent 1}}
    %product = transform.baco.drop_iterators %op [0, 2] : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}

// -----

module attributes {transform.with_named_sequence} {
  func.func @long(%x: memref<8xf32>, %y: memref<8xf32>) {
    // expected-note @below {{the target is this}}
    linalg.exp ins(%x : memref<8xf32>) outs(%y : memref<8xf32>)
    return
  }
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %op = transform.structured.match interface{LinalgOp} in %root : (!transform.any_op) -> !transform.any_op
    // expected-error @below {{it has no iterator 0 of extent 1}}
    %other = transform.baco.drop_iterators %op [0] : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}

// -----

module attributes {transform.with_named_sequence} {
  func.func @indices(%y: memref<1x8xindex>) {
    // expected-note @below {{the target is this}}
    linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
      outs(%y : memref<1x8xindex>) {
    ^bb0(%o: index):
      %j = linalg.index 1 : index
      linalg.yield %j : index
    }
    return
  }
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %op = transform.structured.match interface{LinalgOp} in %root : (!transform.any_op) -> !transform.any_op
    // expected-error @below {{it needs the numbers of iterations}}
    %other = transform.baco.drop_iterators %op [0] : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}
