// With `baco.sparse_factor`, what doesn't change in a loop is no longer in its
// sum: D(l, j) is multiplied once for all m, and C(k, j) once for all l. Without
// it, all products are in the innermost loop.
// RUN: baco-opt %s --split-input-file --baco-lower-sparse --canonicalize --cse | FileCheck %s

#CSF = #sparse_tensor.encoding<{
  map = (k, l, m) -> (k : compressed, l : compressed, m : compressed)
}>
#mttkrp = {
  indexing_maps = [affine_map<(k, l, m, j) -> (k, l, m)>,
                   affine_map<(k, l, m, j) -> (k, j)>,
                   affine_map<(k, l, m, j) -> (l, j)>,
                   affine_map<(k, l, m, j) -> (m, j)>,
                   affine_map<(k, l, m, j) -> (j)>],
  iterator_types = ["reduction", "reduction", "reduction", "parallel"],
  sorted = true
}

// CHECK-LABEL: func.func @factored(
// CHECK: %[[ZERO:.*]] = arith.constant dense<0.000000e+00> : vector<16xf64>
// CHECK: %[[INIT:.*]] = vector.load %[[A:.*]][%c0] : memref<16xf64>
// CHECK: %[[ALL:.*]] = scf.for {{.*}} iter_args(%[[K:.*]] = %[[INIT]]) -> (vector<16xf64>)
// CHECK: %[[SUM_L:.*]] = scf.for {{.*}} iter_args(%[[L:.*]] = %[[ZERO]]) -> (vector<16xf64>)
// CHECK: %[[SUM_M:.*]] = scf.for {{.*}} iter_args(%[[M:.*]] = %[[ZERO]]) -> (vector<16xf64>)
// CHECK: %[[VALUE:.*]] = vector.broadcast
// CHECK: %[[E:.*]] = vector.load {{.*}} memref<7x16xf64>
// CHECK: %[[EACH:.*]] = arith.mulf %[[VALUE]], %[[E]]
// CHECK: %[[NEXT_M:.*]] = arith.addf %[[M]], %[[EACH]]
// CHECK: scf.yield %[[NEXT_M]]
// CHECK: %[[D:.*]] = vector.load {{.*}} memref<6x16xf64>
// CHECK: %[[TIMES_D:.*]] = arith.mulf %[[D]], %[[SUM_M]]
// CHECK: %[[NEXT_L:.*]] = arith.addf %[[L]], %[[TIMES_D]]
// CHECK: scf.yield %[[NEXT_L]]
// CHECK: %[[C:.*]] = vector.load {{.*}} memref<5x16xf64>
// CHECK: %[[TIMES_C:.*]] = arith.mulf %[[C]], %[[SUM_L]]
// CHECK: %[[NEXT_K:.*]] = arith.addf %[[K]], %[[TIMES_C]]
// CHECK: scf.yield %[[NEXT_K]]
// CHECK: vector.store %[[ALL]], %[[A]][%c0]
func.func @factored(%b: tensor<5x6x7xf64, #CSF>, %c: tensor<5x16xf64>,
                    %d: tensor<6x16xf64>, %e: tensor<7x16xf64>,
                    %a: tensor<16xf64>) -> tensor<16xf64>
    attributes {baco.sparse_factor} {
  %r = linalg.generic #mttkrp
      ins(%b, %c, %d, %e : tensor<5x6x7xf64, #CSF>, tensor<5x16xf64>,
                           tensor<6x16xf64>, tensor<7x16xf64>)
      outs(%a : tensor<16xf64>) {
  ^bb0(%value: f64, %f: f64, %g: f64, %h: f64, %sum: f64):
    %first = arith.mulf %value, %f : f64
    %second = arith.mulf %first, %g : f64
    %third = arith.mulf %second, %h : f64
    %next = arith.addf %sum, %third : f64
    linalg.yield %next : f64
  } -> tensor<16xf64>
  return %r : tensor<16xf64>
}

// -----

// Of scalars, too: the entry is multiplied by the sum over k. What is added isn't
// taken out.

#COO = #sparse_tensor.encoding<{
  map = (i, p) -> (i : compressed(nonunique), p : singleton(soa))
}>
#maps = [affine_map<(i, p, k) -> (i, p)>, affine_map<(i, p, k) -> (i, k)>,
         affine_map<(i, p, k) -> (p)>]

// CHECK-LABEL: func.func @scalars(
// CHECK: %[[VALUE:.*]] = memref.load %{{.*}} : memref<?xf64>
// CHECK: %[[SUM:.*]] = scf.for {{.*}} iter_args(%[[CARRIED:.*]] = %cst) -> (f64)
// CHECK: %[[C:.*]] = memref.load %{{.*}} : memref<5x40xf64>
// CHECK: %[[NEXT:.*]] = arith.addf %[[CARRIED]], %[[C]]
// CHECK: scf.yield %[[NEXT]]
// CHECK: %[[PRODUCT:.*]] = arith.mulf %[[VALUE]], %[[SUM]]
// CHECK: arith.addf %{{.*}}, %[[PRODUCT]]
func.func @scalars(%b: tensor<5x9xf64, #COO>, %c: tensor<5x40xf64>,
                   %a: tensor<9xf64>) -> tensor<9xf64>
    attributes {baco.sparse_factor} {
  %r = linalg.generic {indexing_maps = #maps, iterator_types = ["reduction", "parallel", "reduction"], sorted = true}
      ins(%b, %c : tensor<5x9xf64, #COO>, tensor<5x40xf64>)
      outs(%a : tensor<9xf64>) {
  ^bb0(%value: f64, %f: f64, %sum: f64):
    %product = arith.mulf %value, %f : f64
    %next = arith.addf %sum, %product : f64
    linalg.yield %next : f64
  } -> tensor<9xf64>
  return %r : tensor<9xf64>
}

// -----

#COO = #sparse_tensor.encoding<{
  map = (i, p) -> (i : compressed(nonunique), p : singleton(soa))
}>
#maps = [affine_map<(i, p, k) -> (i, p)>, affine_map<(i, p, k) -> (i, k)>,
         affine_map<(i, p, k) -> (p)>]

// CHECK-LABEL: func.func @plain(
// CHECK: %[[SUM:.*]] = scf.for {{.*}} iter_args(%[[CARRIED:.*]] = %{{.*}}) -> (f64)
// CHECK: %[[PRODUCT:.*]] = arith.mulf
// CHECK: %[[NEXT:.*]] = arith.addf %[[CARRIED]], %[[PRODUCT]]
// CHECK: scf.yield %[[NEXT]]
// CHECK-NOT: arith.mulf
func.func @plain(%b: tensor<5x9xf64, #COO>, %c: tensor<5x40xf64>,
                 %a: tensor<9xf64>) -> tensor<9xf64> {
  %r = linalg.generic {indexing_maps = #maps, iterator_types = ["reduction", "parallel", "reduction"], sorted = true}
      ins(%b, %c : tensor<5x9xf64, #COO>, tensor<5x40xf64>)
      outs(%a : tensor<9xf64>) {
  ^bb0(%value: f64, %f: f64, %sum: f64):
    %product = arith.mulf %value, %f : f64
    %next = arith.addf %sum, %product : f64
    linalg.yield %next : f64
  } -> tensor<9xf64>
  return %r : tensor<9xf64>
}
