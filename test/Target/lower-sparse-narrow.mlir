// A loop of 16 rounds around one that gathers bytes isn't unrolled by LLVM, which
// vectorizes the latter with a load for each element. Gathers of 32 bits are
// instructions.
// RUN: baco-opt %s --baco-lower-sparse | FileCheck %s

// CHECK: #[[UNROLL:.*]] = #llvm.loop_unroll<disable = true>
// CHECK: #[[KEEP:.*]] = #llvm.loop_annotation<unroll = #[[UNROLL]]>

// CHECK-LABEL: func.func @bytes(
// CHECK: scf.for
// CHECK: scf.for
// CHECK: scf.for
// CHECK-NOT: loop_annotation
// CHECK: memref.store
// CHECK: loop_annotation = #[[KEEP]]
// CHECK: loop_annotation = #[[KEEP]]
// CHECK-LABEL: func.func @words(
// CHECK-NOT: loop_annotation

#CSR = #sparse_tensor.encoding<{map = (d0, d1) -> (d0 : dense, d1 : compressed)}>
#ik = affine_map<(i, j, k) -> (i, k)>
#kj = affine_map<(i, j, k) -> (k, j)>
#ij = affine_map<(i, j, k) -> (i, j)>
func.func @bytes(%b: tensor<64x12xi8, #CSR>, %c: tensor<12x16xi8>, %a: tensor<64x16xi8>) -> tensor<64x16xi8> {
  %r = linalg.generic {indexing_maps = [#ik, #kj, #ij], iterator_types = ["parallel", "parallel", "reduction"]}
    ins(%b, %c : tensor<64x12xi8, #CSR>, tensor<12x16xi8>) outs(%a : tensor<64x16xi8>) attrs = {sorted = true} {
  ^bb0(%x: i8, %y: i8, %s: i8):
    %0 = arith.muli %x, %y : i8
    %1 = arith.addi %s, %0 : i8
    linalg.yield %1 : i8
  } -> tensor<64x16xi8>
  return %r : tensor<64x16xi8>
}
func.func @words(%b: tensor<64x12xi32, #CSR>, %c: tensor<12x16xi32>, %a: tensor<64x16xi32>) -> tensor<64x16xi32> {
  %r = linalg.generic {indexing_maps = [#ik, #kj, #ij], iterator_types = ["parallel", "parallel", "reduction"]}
    ins(%b, %c : tensor<64x12xi32, #CSR>, tensor<12x16xi32>) outs(%a : tensor<64x16xi32>) attrs = {sorted = true} {
  ^bb0(%x: i32, %y: i32, %s: i32):
    %0 = arith.muli %x, %y : i32
    %1 = arith.addi %s, %0 : i32
    linalg.yield %1 : i32
  } -> tensor<64x16xi32>
  return %r : tensor<64x16xi32>
}
