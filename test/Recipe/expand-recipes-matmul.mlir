// RUN: baco-opt %s --baco-expand-recipes | FileCheck %s

// Two levels of blocks, packed panels, a register
// tile. A knob becomes a tune.knob, an order is bound.

// CHECK: module attributes {transform.with_named_sequence}
// CHECK: linalg.matmul ins(
// CHECK-LABEL: transform.named_sequence @__transform_main
// CHECK-SAME: %[[ROOT:.*]]: !transform.any_op {transform.readonly})
// CHECK-SAME: baco.constraints = [
// CHECK-SAME: #baco.constraint<"MC % MR == 0", "required by the recipe">,
// CHECK-SAME: #baco.constraint<"MR * NR <= 480", "registers", advisory>,
// CHECK-SAME: #baco.constraint<"divides(MC, 512)", "tile 'MC' of iterator 0 must divide 512 (vectorize needs full tiles)">,
// CHECK-SAME: #baco.constraint<"divides(KC, 128)", "tile 'KC' of iterator 2 must divide 128 (vectorize needs full tiles)">,
// CHECK-SAME: #baco.constraint<"divides(NR, 256)", "tile 'NR' of iterator 1 must divide 256 (vectorize needs full tiles)">,
// CHECK-SAME: #baco.constraint<"divides(MR, MC)", "tile 'MR' of iterator 0 must divide 'MC' (vectorize needs full tiles)">,
// CHECK-SAME: #baco.constraint<"divides(16, KC)", "vector length 16 of the copy of operand 0 must divide 'KC' (a row is copied by whole vectors)">,
// CHECK-SAME: #baco.constraint<"divides(16, NR)", "vector length 16 of the copy of operand 1 must divide 'NR' (a row is copied by whole vectors)">]
// CHECK: %[[F:.*]] = transform.structured.match ops{["func.func"]} attributes {sym_name = "matmul"} in %[[ROOT]]
// CHECK: %[[MM:.*]] = transform.structured.match ops{["linalg.matmul"]} in %[[F]]
// CHECK: %[[MC:.*]] = transform.tune.knob<"MC"> options = #baco.ordinal<[64, 128, 256, 512], log> {baco.default = 512 : i64, baco.extent = 512 : i64} -> !transform.param<i64>
// CHECK: %[[KC:.*]] = transform.tune.knob<"KC"> options = #baco.integer<16 to 128 step 16> {baco.extent = 128 : i64, baco.weights = array<f64: 1.{{.*}}>} -> !transform.param<i64>
// CHECK: transform.tune.knob<"order"> options = #baco.permutation<2> {baco.default = [1, 0]} -> !transform.any_param
// CHECK: %[[NR:.*]] = transform.tune.knob<"NR"> options = #baco.ordinal<[16, 32]> -> !transform.param<i64>
// CHECK: %[[MR:.*]] = transform.tune.knob<"MR"> options = #baco.ordinal<[4, 8]> -> !transform.param<i64>
// CHECK: %[[T0:.*]], %[[L0:.*]]:2 = transform.structured.tile_using_for %[[MM]] tile_sizes [%[[MC]], 0, %[[KC]]] interchange = [2, 0, 1] {baco.bind = {interchange = #baco.reorder<"order", [0, 2, 1]>}}
// CHECK: %[[P0:.*]] = transform.structured.promote %[[T0]] {alignment = 64 : i64, operands_to_promote = [0]}
// CHECK: %[[C0:.*]] = transform.structured.match ops{["linalg.copy"]} in %[[L0]]#1
// CHECK: %[[T1:.*]], %[[L1:.*]] = transform.structured.tile_using_for %[[P0]] tile_sizes [0, %[[NR]], 0]
// CHECK: %[[P1:.*]] = transform.structured.promote %[[T1]] {alignment = 128 : i64, operands_to_promote = [1]}
// CHECK: %[[C1:.*]] = transform.structured.match ops{["linalg.copy"]} in %[[L1]]
// CHECK: %[[T2:.*]], %{{.*}} = transform.structured.tile_using_for %[[P1]] tile_sizes [%[[MR]], 0, 0]
// CHECK: %[[T3:.*]], %{{.*}} = transform.structured.tile_using_for %[[T2]] tile_sizes [0, 0, 1]
// CHECK: transform.structured.vectorize %[[T3]] {create_named_contraction}
// CHECK-NEXT: transform.apply_patterns to %[[L0]]#0 {
// CHECK-NEXT:   transform.apply_patterns.canonicalization
// CHECK-NEXT: }
// CHECK: %[[V0:.*]], %{{.*}} = transform.structured.tile_using_for %[[C0]] tile_sizes [1, 16]
// CHECK: transform.structured.vectorize %[[V0]]
// CHECK: %[[V1:.*]], %{{.*}} = transform.structured.tile_using_for %[[C1]] tile_sizes [1, 16]
// CHECK: transform.structured.vectorize %[[V1]]
// CHECK-NEXT: transform.apply_patterns to %[[F]] {
// CHECK-NEXT:   transform.apply_patterns.memref.fold_memref_alias_ops
// CHECK-NEXT:   transform.apply_patterns.canonicalization
// CHECK-NEXT: }
// CHECK: %[[FOR:.*]] = transform.structured.match ops{["scf.for"]} in %[[F]]
// CHECK: transform.apply_licm to %[[FOR]]
// CHECK: transform.apply_cse to %[[F]]
// CHECK: transform.apply_patterns to %[[F]]
// CHECK: transform.apply_cse to %[[F]]
// CHECK: %[[F1:.*]] = transform.structured.hoist_redundant_vector_transfers %[[F]]
// CHECK: transform.apply_patterns to %[[F1]] {
// CHECK-NEXT:   transform.apply_patterns.vector.lower_contraction
// CHECK: transform.apply_patterns to %[[F1]] {
// CHECK-NEXT:   transform.apply_patterns.vector.lower_outerproduct
// CHECK: transform.apply_patterns to %[[F1]] {
// CHECK:   transform.apply_patterns.vector.lower_transfer
// CHECK: transform.yield
func.func @matmul(%A: memref<512x128xf32>, %B: memref<128x256xf32>, %C: memref<512x256xf32>) {
  linalg.matmul {baco.recipe = #baco.recipe<[
      #baco.tile<sizes = [#baco.knob<"MC", #baco.ordinal<[64, 128, 256, 512], log>, default = 512>, 0,
                          #baco.knob<"KC", #baco.integer<16 to 128 step 16>, weights = [1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 2.0]>],
                 order = #baco.knob<"order", #baco.permutation<2>, default = [1, 0]>>,
      #baco.promote<operands = [0]>,
      #baco.tile<sizes = [0, #baco.knob<"NR", #baco.ordinal<[16, 32]>>, 0]>,
      #baco.promote<operands = [1], alignment = 128>,
      #baco.tile<sizes = [#baco.knob<"MR", #baco.ordinal<[4, 8]>>, 0, 0]>,
      #baco.tile<sizes = [0, 0, 1]>,
      #baco.vectorize<copy_length = 16>,
      #baco.hoist<>],
      where = ["MC % MR == 0", advisory "MR * NR <= 480" : "registers"]>}
    ins(%A, %B : memref<512x128xf32>, memref<128x256xf32>)
    outs(%C : memref<512x256xf32>)
  return
}
