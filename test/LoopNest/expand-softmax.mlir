// RUN: baco-opt %s --baco-annotate=host=vector-bytes=64,vector-registers=32,l1=49152,l2=2097152 -o %t
// RUN: %one-line-recipes %t | FileCheck %s
// RUN: baco-opt %t --baco-expand-recipes | FileCheck %s --check-prefix=EXPANDED

// A softmax gets the recipe of the chain of six ops that it stands for. On
// tensors upstream's bufferization drops its attributes, so that it is found by
// its place again.

// CHECK-LABEL: func.func @rows
// CHECK: linalg.softmax {baco.recipe = #baco.recipe<[
// CHECK-SAME: #baco.loop_vectorize<statement = 5, loop = 2, width = #baco.knob<"W",
// CHECK-SAME: #baco.loop_fuse<statements = [0, 1, 2, 4, 5], loop = #baco.knob<"rows", #baco.ordinal<[0, 1]>, default = 1>>
// CHECK-SAME: #baco.loop_fuse<statements = [2, 4], loop = #baco.knob<"columns", #baco.ordinal<[0, 2]>, default = 2>>
// CHECK-SAME: #baco.loop_fuse<statements = [1, 2], loop = #baco.knob<"ahead", #baco.ordinal<[0, 2]>, default = 2>>
// EXPANDED-LABEL: @schedule_rows(
// EXPANDED: %[[OP:.*]] = transform.structured.match ops{["linalg.softmax"]}
// EXPANDED: transform.baco.restructure %[[OP]]
func.func @rows(%a: memref<1024x1024xf32>, %b: memref<1024x1024xf32>) {
  linalg.softmax dimension(1) ins(%a : memref<1024x1024xf32>)
                              outs(%b : memref<1024x1024xf32>)
  return
}

// Columns are no rows, but nests like others.
// CHECK-LABEL: func.func @columns
// CHECK: linalg.softmax {baco.recipe = #baco.recipe<[
// CHECK-NOT: "rows"
// CHECK-SAME: dimension(0)
func.func @columns(%a: memref<64x128xf32>, %b: memref<64x128xf32>) {
  linalg.softmax dimension(0) ins(%a : memref<64x128xf32>)
                              outs(%b : memref<64x128xf32>)
  return
}

// One row.
// CHECK-LABEL: func.func @vector
// CHECK: linalg.softmax {baco.recipe = #baco.recipe<[
func.func @vector(%a: memref<4096xf64>, %b: memref<4096xf64>) {
  linalg.softmax dimension(0) ins(%a : memref<4096xf64>)
                              outs(%b : memref<4096xf64>)
  return
}

// What it follows by rows is one chain with it.
// CHECK-LABEL: func.func @scaled
// CHECK: linalg.abs {baco.recipe = #baco.recipe<[
// CHECK-SAME: statements = [0, 1, 2, 3, 5, 6]
// CHECK-SAME: nests = 2
// CHECK-NOT: recipe
// EXPANDED-LABEL: @schedule_scaled(
// EXPANDED-DAG: %[[FIRST:.*]] = transform.structured.match ops{["linalg.abs"]}
// EXPANDED-DAG: %[[LAST:.*]] = transform.structured.match ops{["linalg.softmax"]}
// EXPANDED: transform.merge_handles %[[FIRST]], %[[LAST]]
func.func @scaled(%a: memref<1024x1024xf32>, %b: memref<1024x1024xf32>) {
  linalg.abs ins(%a : memref<1024x1024xf32>) outs(%b : memref<1024x1024xf32>)
  linalg.softmax dimension(1) ins(%b : memref<1024x1024xf32>)
                              outs(%b : memref<1024x1024xf32>)
  return
}

// In a loop its buffers are those of an iteration.
// CHECK-LABEL: func.func @batch
// CHECK: affine.for %{{.*}} = 0 to 16 {
// CHECK: linalg.softmax {baco.recipe = #baco.recipe<[
// CHECK-SAME: "rows"
func.func @batch(%b: memref<64x1024xf32>) {
  affine.for %i = 0 to 16 {
    linalg.softmax dimension(1) ins(%b : memref<64x1024xf32>)
                                outs(%b : memref<64x1024xf32>)
  }
  return
}

// CHECK-LABEL: func.func @tensors
// CHECK: linalg.softmax {baco.recipe = #baco.recipe<[#baco.bufferize<>, {{.*}}"rows"
// CHECK: linalg.softmax {baco.recipe = #baco.recipe<[#baco.bufferize<>,
// CHECK-NOT: "rows"
// CHECK: return
// EXPANDED-LABEL: @schedule_tensors(
// EXPANDED: %[[OPS:.*]] = transform.structured.match ops{["linalg.softmax"]}
// EXPANDED: %[[MANY:.*]] = transform.merge_handles %[[OPS]],
// EXPANDED: %[[EACH:.*]]:2 = transform.split_handle %[[MANY]] {overflow_result = 1
// EXPANDED: transform.baco.restructure %[[EACH]]#0
// EXPANDED-LABEL: @schedule_tensors_1(
// EXPANDED: %[[OPS:.*]] = transform.structured.match ops{["linalg.softmax"]}
// EXPANDED: %[[EACH:.*]]:2 = transform.split_handle %[[OPS]]
// EXPANDED: transform.baco.restructure %[[EACH]]#1
func.func @tensors(%a: tensor<64x128xf64>) -> tensor<64x128xf64> {
  %b = tensor.empty() : tensor<64x128xf64>
  %r = linalg.softmax dimension(1) ins(%a : tensor<64x128xf64>)
    outs(%b : tensor<64x128xf64>) -> tensor<64x128xf64>
  %s = linalg.softmax dimension(0) ins(%r : tensor<64x128xf64>)
    outs(%b : tensor<64x128xf64>) -> tensor<64x128xf64>
  return %s : tensor<64x128xf64>
}
