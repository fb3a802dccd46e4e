// A tile of sums is carried in a vector over the entries of a row: it is neither
// filled nor read from memory. Where the result has other contents before, they
// are read once.
// RUN: baco-opt %s --baco-lower-sparse | FileCheck %s
// RUN: baco-opt %s --baco-lower-sparse=distinct-arguments=false | FileCheck %s --check-prefix=SHARED

#CSR = #sparse_tensor.encoding<{map = (d0, d1) -> (d0 : dense, d1 : compressed)}>

// CHECK-LABEL: func.func @filled(
// CHECK-NOT: linalg.fill
// CHECK: scf.for %[[I:.*]] = %{{.*}} to %c16
// CHECK: %[[ZEROS:.*]] = vector.broadcast {{.*}} : f64 to vector<24xf64>
// CHECK: %[[SUMS:.*]] = scf.for %{{.*}} iter_args(%{{.*}} = %[[ZEROS]])
// CHECK-NOT: vector.store
// CHECK: arith.addf {{.*}} fastmath<contract> : vector<24xf64>
// CHECK: scf.yield
// CHECK: vector.store %[[SUMS]], %{{.*}}[%[[I]], %c0]
// CHECK: return

// What may overlap the factors is written in each round.
// SHARED-LABEL: func.func @filled(
// SHARED-NOT: iter_args
// SHARED: vector.store {{.*}} vector<8xf64>
// SHARED: return
func.func @filled(%b: tensor<16x12xf64, #CSR>, %c: tensor<12x24xf64>) -> tensor<16x24xf64>
    attributes {baco.sparse_vl = 8} {
  %zero = arith.constant 0.0 : f64
  %empty = tensor.empty() : tensor<16x24xf64>
  %zeros = linalg.fill ins(%zero : f64) outs(%empty : tensor<16x24xf64>) -> tensor<16x24xf64>
  %a = linalg.matmul ins(%b, %c : tensor<16x12xf64, #CSR>, tensor<12x24xf64>) outs(%zeros : tensor<16x24xf64>) -> tensor<16x24xf64>
  return %a : tensor<16x24xf64>
}

// CHECK-LABEL: func.func @updated(
// CHECK: scf.for %[[I:.*]] = %{{.*}} to %c16
// CHECK: %[[OLD:.*]] = vector.load %{{.*}}[%[[I]],
// CHECK: scf.for %{{.*}} iter_args(%{{.*}} = %[[OLD]])
// CHECK-NOT: vector.store
// CHECK: scf.yield
// CHECK: vector.store
// CHECK: return
func.func @updated(%b: tensor<16x12xf64, #CSR>, %c: tensor<12x24xf64>, %a: tensor<16x24xf64>) -> tensor<16x24xf64> attributes {baco.sparse_vl = 8} {
  %r = linalg.matmul ins(%b, %c : tensor<16x12xf64, #CSR>, tensor<12x24xf64>) outs(%a : tensor<16x24xf64>) -> tensor<16x24xf64>
  return %r : tensor<16x24xf64>
}

// Rows of a column's entries differ.
// CHECK-LABEL: func.func @columns(
// CHECK: linalg.fill
// CHECK-NOT: iter_args
// CHECK: vector.store
// CHECK: return
#CSC = #sparse_tensor.encoding<{map = (d0, d1) -> (d1 : dense, d0 : compressed)}>
func.func @columns(%b: tensor<16x12xf64, #CSC>, %c: tensor<12x24xf64>) -> tensor<16x24xf64>
    attributes {baco.sparse_vl = 8} {
  %zero = arith.constant 0.0 : f64
  %empty = tensor.empty() : tensor<16x24xf64>
  %zeros = linalg.fill ins(%zero : f64) outs(%empty : tensor<16x24xf64>) -> tensor<16x24xf64>
  %a = linalg.matmul ins(%b, %c : tensor<16x12xf64, #CSC>, tensor<12x24xf64>) outs(%zeros : tensor<16x24xf64>) -> tensor<16x24xf64>
  return %a : tensor<16x24xf64>
}

// One tile has all columns.
// CHECK-LABEL: func.func @one_tile(
// CHECK-NOT: linalg.fill
// CHECK: scf.for {{.*}} iter_args(
// CHECK: return
func.func @one_tile(%b: tensor<16x12xf64, #CSR>, %c: tensor<12x1x8xf64>) -> tensor<16x1x8xf64> attributes {baco.sparse_vl = 8} {
  %zero = arith.constant 0.0 : f64
  %empty = tensor.empty() : tensor<16x1x8xf64>
  %zeros = linalg.fill ins(%zero : f64) outs(%empty : tensor<16x1x8xf64>) -> tensor<16x1x8xf64>
  %a = linalg.generic {
      indexing_maps = [affine_map<(i, k, t, j) -> (i, k)>, affine_map<(i, k, t, j) -> (k, t, j)>,
                       affine_map<(i, k, t, j) -> (i, t, j)>],
      iterator_types = ["parallel", "reduction", "parallel", "parallel"]}
    ins(%b, %c : tensor<16x12xf64, #CSR>, tensor<12x1x8xf64>) outs(%zeros : tensor<16x1x8xf64>) {
  ^bb0(%x: f64, %y: f64, %sum: f64):
    %product = arith.mulf %x, %y : f64
    %next = arith.addf %sum, %product : f64
    linalg.yield %next : f64
  } -> tensor<16x1x8xf64>
  return %a : tensor<16x1x8xf64>
}
