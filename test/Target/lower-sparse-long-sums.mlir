// LLVM unrolls sums of 256 elements by four vectors of 64 bytes, and sums of
// longer vectors by as many bytes. That of 64 elements stays its choice.
// RUN: baco-opt %s --split-input-file --baco-lower-sparse | FileCheck %s

// CHECK: #[[UNROLL:.*]] = #llvm.loop_unroll<disable = false, count = 4 : i32>
// CHECK: #[[FOUR:.*]] = #llvm.loop_annotation<unroll = #[[UNROLL]]>
// CHECK-LABEL: func.func @long(
// CHECK: iter_args({{.*}}) -> (vector<8xf64>)
// CHECK: arith.mulf
// CHECK: scf.yield
// CHECK-NEXT: loop_annotation = #[[FOUR]]}
// CHECK-LABEL: func.func @short(
// CHECK: iter_args({{.*}}) -> (vector<8xf64>)
// CHECK-NOT: loop_annotation = #[[FOUR]]}
// CHECK: return

// CHECK: #[[NO:.*]] = #llvm.loop_unroll<disable = true>
// CHECK: #[[KEEP:.*]] = #llvm.loop_annotation<unroll = #[[NO]]>
// CHECK-LABEL: func.func @wide(
// CHECK: iter_args({{.*}}) -> (vector<32xf64>)
// CHECK: arith.mulf
// CHECK: scf.yield
// CHECK-NEXT: loop_annotation = #[[KEEP]]}

#COO = #sparse_tensor.encoding<{map = (d0, d1, d2) -> (d0 : dense, d1 : compressed(nonunique), d2 : singleton(soa))}>
func.func @long(%b: tensor<16x12x40xf64, #COO>, %c: tensor<16x256xf64>, %d: tensor<12x256xf64>, %a: tensor<40xf64>) -> tensor<40xf64>
    attributes {baco.sparse_vl = 8} {
  %r = linalg.generic {
    indexing_maps = [affine_map<(i, j, p, k) -> (i, j, p)>, affine_map<(i, j, p, k) -> (i, k)>,
                     affine_map<(i, j, p, k) -> (j, k)>, affine_map<(i, j, p, k) -> (p)>],
    iterator_types = ["reduction", "reduction", "parallel", "reduction"]}
    ins(%b, %c, %d : tensor<16x12x40xf64, #COO>, tensor<16x256xf64>, tensor<12x256xf64>) outs(%a : tensor<40xf64>) {
  ^bb0(%value: f64, %left: f64, %right: f64, %sum: f64):
    %scaled = arith.mulf %value, %left : f64
    %product = arith.mulf %scaled, %right : f64
    %next = arith.addf %sum, %product : f64
    linalg.yield %next : f64
  } -> tensor<40xf64>
  return %r : tensor<40xf64>
}
func.func @short(%b: tensor<16x12x40xf64, #COO>, %c: tensor<16x64xf64>, %d: tensor<12x64xf64>, %a: tensor<40xf64>) -> tensor<40xf64>
    attributes {baco.sparse_vl = 8} {
  %r = linalg.generic {
    indexing_maps = [affine_map<(i, j, p, k) -> (i, j, p)>, affine_map<(i, j, p, k) -> (i, k)>,
                     affine_map<(i, j, p, k) -> (j, k)>, affine_map<(i, j, p, k) -> (p)>],
    iterator_types = ["reduction", "reduction", "parallel", "reduction"]}
    ins(%b, %c, %d : tensor<16x12x40xf64, #COO>, tensor<16x64xf64>, tensor<12x64xf64>) outs(%a : tensor<40xf64>) {
  ^bb0(%value: f64, %left: f64, %right: f64, %sum: f64):
    %scaled = arith.mulf %value, %left : f64
    %product = arith.mulf %scaled, %right : f64
    %next = arith.addf %sum, %product : f64
    linalg.yield %next : f64
  } -> tensor<40xf64>
  return %r : tensor<40xf64>
}

// -----

#COO = #sparse_tensor.encoding<{map = (d0, d1, d2) -> (d0 : dense, d1 : compressed(nonunique), d2 : singleton(soa))}>
func.func @wide(%b: tensor<16x12x40xf64, #COO>, %c: tensor<16x256xf64>, %d: tensor<12x256xf64>, %a: tensor<40xf64>) -> tensor<40xf64>
    attributes {baco.sparse_vl = 32} {
  %r = linalg.generic {
    indexing_maps = [affine_map<(i, j, p, k) -> (i, j, p)>, affine_map<(i, j, p, k) -> (i, k)>,
                     affine_map<(i, j, p, k) -> (j, k)>, affine_map<(i, j, p, k) -> (p)>],
    iterator_types = ["reduction", "reduction", "parallel", "reduction"]}
    ins(%b, %c, %d : tensor<16x12x40xf64, #COO>, tensor<16x256xf64>, tensor<12x256xf64>) outs(%a : tensor<40xf64>) {
  ^bb0(%value: f64, %left: f64, %right: f64, %sum: f64):
    %scaled = arith.mulf %value, %left : f64
    %product = arith.mulf %scaled, %right : f64
    %next = arith.addf %sum, %product : f64
    linalg.yield %next : f64
  } -> tensor<40xf64>
  return %r : tensor<40xf64>
}
