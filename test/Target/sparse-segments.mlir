// Entries with equal coordinates i, j have numbers p of their own, so that one loop
// over entries takes the place of loops over segments. Where a segment is summed,
// as a row of COO, they stay.
// RUN: baco-opt %s --baco-lower-sparse | FileCheck %s

// CHECK-LABEL: func.func @sampled(
// CHECK: scf.for %[[I:.*]] = %c0 to %c16
// CHECK-NOT: scf.while
// CHECK: scf.for %[[ENTRY:.*]] = %{{.*}} to %{{.*}} step %c1
// CHECK: memref.load %{{.*}}#1[%[[ENTRY]]] : memref<?xi32>
// CHECK: memref.load %{{.*}}#2[%[[ENTRY]]] : memref<?xi32>
// CHECK-NOT: scf.while
// CHECK-LABEL: func.func @rows(
// CHECK-COUNT-3: scf.while
// CHECK: return

#Sampled = #sparse_tensor.encoding<{
  map = (d0, d1, d2) -> (d0 : dense, d1 : compressed(nonunique), d2 : singleton(soa)), posWidth = 32, crdWidth = 32}>
#COO = #sparse_tensor.encoding<{map = (d0, d1) -> (d0 : compressed(nonunique), d1 : singleton(soa))}>
func.func @sampled(%b: tensor<16x12x40xf64, #Sampled>, %c: tensor<16x64xf64>, %d: tensor<12x64xf64>, %a: tensor<40xf64>) -> tensor<40xf64> {
  %r = linalg.generic {
    indexing_maps = [affine_map<(i, j, p, k) -> (i, j, p)>, affine_map<(i, j, p, k) -> (i, k)>,
                     affine_map<(i, j, p, k) -> (j, k)>, affine_map<(i, j, p, k) -> (p)>],
    iterator_types = ["reduction", "reduction", "parallel", "reduction"]}
    ins(%b, %c, %d : tensor<16x12x40xf64, #Sampled>, tensor<16x64xf64>, tensor<12x64xf64>) outs(%a : tensor<40xf64>) {
  ^bb0(%value: f64, %left: f64, %right: f64, %sum: f64):
    %scaled = arith.mulf %value, %left : f64
    %product = arith.mulf %scaled, %right : f64
    %next = arith.addf %sum, %product : f64
    linalg.yield %next : f64
  } -> tensor<40xf64>
  return %r : tensor<40xf64>
}
func.func @rows(%b: tensor<16x12xf64, #COO>, %x: tensor<12xf64>, %y: tensor<16xf64>) -> tensor<16xf64> {
  %r = linalg.matvec ins(%b, %x : tensor<16x12xf64, #COO>, tensor<12xf64>) outs(%y : tensor<16xf64>) -> tensor<16xf64>
  return %r : tensor<16xf64>
}
