// RUN: baco-opt %s --split-input-file --baco-lower-sparse | FileCheck %s

// Buffers in place of the tensor, in the order of the levels; the sum of a row
// begins with what would have been filled in.

#CSR = #sparse_tensor.encoding<{
  map = (i, k) -> (i : dense, k : compressed), posWidth = 32, crdWidth = 16
}>

// CHECK-LABEL: func.func @spmm(
// CHECK-SAME: %{{.*}}: memref<8x4xf64>, %{{.*}}: memref<?xi32>, %{{.*}}: memref<?xi16>, %{{.*}}: memref<?xf64>, %{{.*}}: memref<6x4xf64>, %{{.*}}: memref<8x4xf64>)
// CHECK: memref.distinct_objects
// CHECK-NOT: linalg.fill
// CHECK: scf.for %[[I:.*]] =
// CHECK: memref.load %{{.*}}[%[[I]]] : memref<?xi32>
// CHECK: %[[ZEROS:.*]] = vector.broadcast %cst : f64 to vector<4xf64>
// CHECK: %[[ROW:.*]] = scf.for {{.*}} iter_args(%{{.*}} = %[[ZEROS]])
// CHECK: memref.load %{{.*}} : memref<?xi16>
// CHECK-NOT: scf.for
// CHECK: vector.store %[[ROW]]
// CHECK: memref.copy
func.func @spmm(%d: tensor<8x4xf64>, %b: tensor<8x6xf64, #CSR>,
                %c: tensor<6x4xf64>) -> tensor<8x4xf64> {
  %zero = arith.constant 0.0 : f64
  %z = linalg.fill ins(%zero : f64) outs(%d : tensor<8x4xf64>) -> tensor<8x4xf64>
  %r = linalg.generic {
      indexing_maps = [affine_map<(i, k, j) -> (i, k)>,
                       affine_map<(i, k, j) -> (k, j)>,
                       affine_map<(i, k, j) -> (i, j)>],
      iterator_types = ["parallel", "reduction", "parallel"]}
      ins(%b, %c : tensor<8x6xf64, #CSR>, tensor<6x4xf64>)
      outs(%z : tensor<8x4xf64>) attrs = {sorted = true} {
  ^bb(%x: f64, %y: f64, %a: f64):
    %p = arith.mulf %x, %y : f64
    %s = arith.addf %a, %p : f64
    linalg.yield %s : f64
  } -> tensor<8x4xf64>
  return %r : tensor<8x4xf64>
}

// -----

// Where a row is too long for a vector, it is filled where it is summed.

#CSR = #sparse_tensor.encoding<{map = (i, k) -> (i : dense, k : compressed)}>

// CHECK-LABEL: func.func @wide(
// CHECK-NOT: linalg.fill
// CHECK: scf.for %[[I:.*]] =
// CHECK-NEXT: %[[ROW:.*]] = memref.subview %{{.*}}[%[[I]], 0] [1, 200] [1, 1]
// CHECK-NEXT: linalg.fill {{.*}} outs(%[[ROW]]
// CHECK: scf.for
// CHECK: scf.for
func.func @wide(%b: tensor<8x6xf64, #CSR>, %c: tensor<6x200xf64>) -> tensor<8x200xf64> {
  %zero = arith.constant 0.0 : f64
  %e = tensor.empty() : tensor<8x200xf64>
  %z = linalg.fill ins(%zero : f64) outs(%e : tensor<8x200xf64>) -> tensor<8x200xf64>
  %r = linalg.matmul ins(%b, %c : tensor<8x6xf64, #CSR>, tensor<6x200xf64>) outs(%z : tensor<8x200xf64>) -> tensor<8x200xf64>
  return %r : tensor<8x200xf64>
}

// -----

// A column's entries are in many rows, so that the fill stays where it is.

#CSC = #sparse_tensor.encoding<{map = (i, k) -> (k : dense, i : compressed)}>

// CHECK-LABEL: func.func @columns(
// CHECK-SAME: %{{.*}}: memref<?xindex>, %{{.*}}: memref<?xindex>, %{{.*}}: memref<?xf64>, %{{.*}}: memref<6xf64>, %[[Y:.*]]: memref<8xf64>)
// CHECK: linalg.fill
// CHECK: scf.for
// CHECK: scf.for
func.func @columns(%b: tensor<8x6xf64, #CSC>, %x: tensor<6xf64>)
    -> tensor<8xf64> {
  %zero = arith.constant 0.0 : f64
  %e = tensor.empty() : tensor<8xf64>
  %z = linalg.fill ins(%zero : f64) outs(%e : tensor<8xf64>) -> tensor<8xf64>
  %r = linalg.generic {
      indexing_maps = [affine_map<(k, i) -> (i, k)>, affine_map<(k, i) -> (k)>,
                       affine_map<(k, i) -> (i)>],
      iterator_types = ["reduction", "parallel"]}
      ins(%b, %x : tensor<8x6xf64, #CSC>, tensor<6xf64>)
      outs(%z : tensor<8xf64>) attrs = {sorted = true} {
  ^bb(%v: f64, %w: f64, %a: f64):
    %p = arith.mulf %v, %w : f64
    %s = arith.addf %a, %p : f64
    linalg.yield %s : f64
  } -> tensor<8xf64>
  return %r : tensor<8xf64>
}

// -----

// Options: vectors, whose sum may be computed in any order, and a parallel loop
// over rows.

#CSR = #sparse_tensor.encoding<{map = (i, k) -> (i : dense, k : compressed)}>

// CHECK-LABEL: func.func @spmv(
// CHECK: scf.parallel
// CHECK: scf.for {{.*}} -> (vector<8xf64>)
// CHECK: vector.gather
// CHECK: vector.reduction <add>, %{{.*}} fastmath<reassoc> : vector<8xf64> into f64
func.func @spmv(%b: tensor<8x6xf64, #CSR>, %x: tensor<6xf64>, %y: tensor<8xf64>)
    -> tensor<8xf64>
    attributes {baco.sparse_vl = 8, baco.sparse_parallel = "dense-outer-loop"} {
  %r = linalg.generic {
      indexing_maps = [affine_map<(i, k) -> (i, k)>, affine_map<(i, k) -> (k)>,
                       affine_map<(i, k) -> (i)>],
      iterator_types = ["parallel", "reduction"]}
      ins(%b, %x : tensor<8x6xf64, #CSR>, tensor<6xf64>)
      outs(%y : tensor<8xf64>) {
  ^bb(%v: f64, %w: f64, %a: f64):
    %p = arith.mulf %v, %w : f64
    %s = arith.addf %a, %p : f64
    linalg.yield %s : f64
  } -> tensor<8xf64>
  return %r : tensor<8xf64>
}

// -----

// Without sparse tensors nothing changes.

// CHECK-LABEL: func.func @dense(%{{.*}}: tensor<4xf64>) -> tensor<4xf64>
func.func @dense(%x: tensor<4xf64>) -> tensor<4xf64> {
  return %x : tensor<4xf64>
}
