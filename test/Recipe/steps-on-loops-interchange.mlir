// RUN: baco-opt %s --baco-expand-recipes | FileCheck %s

// After an order that is a knob, what a tile must divide depends on the order.
// A named op is generalized first; a constant order is in the op as it is.

// CHECK-LABEL: transform.named_sequence @schedule_knob
// CHECK-SAME: #baco.constraint<"!(pos(p, 0) == 0) || divides(T, 8)", "tile 'T' of iterator 0 must divide 8 (vectorize needs full tiles)">
// CHECK-SAME: #baco.constraint<"!(pos(p, 1) == 0) || divides(T, 16)", "tile 'T' of iterator 0 must divide 16 (vectorize needs full tiles)">
// CHECK-SAME: #baco.constraint<"!(pos(p, 2) == 0) || divides(T, 32)", "tile 'T' of iterator 0 must divide 32 (vectorize needs full tiles)">
// CHECK-SAME: #baco.constraint<"!(pos(p, 0) == 1)", "tile 16 of iterator 1 must divide 8 (vectorize needs full tiles)">]
// CHECK: %[[G:.*]] = transform.structured.generalize
// CHECK: transform.structured.interchange %[[G]] iterator_interchange = [0, 1, 2] {baco.bind = {iterator_interchange = "p"}}
// CHECK: transform.structured.vectorize
// CHECK-NEXT: transform.apply_patterns
// CHECK-NEXT:   transform.apply_patterns.vector.reduction_to_contract
func.func @knob(%A: memref<8x32xf32>, %B: memref<32x16xf32>, %C: memref<8x16xf32>) {
  linalg.matmul {baco.recipe = #baco.recipe<[
      #baco.interchange<order = #baco.knob<"p", #baco.permutation<3>>>,
      #baco.tile<sizes = [#baco.knob<"T", #baco.ordinal<[4, 8]>>, 16, 0]>,
      #baco.vectorize<>]>}
    ins(%A, %B : memref<8x32xf32>, memref<32x16xf32>)
    outs(%C : memref<8x16xf32>)
  return
}

// Iterators are now (k, m, n) = (32, 8, 16), and B's rows still run over n.
// CHECK-LABEL: transform.named_sequence @schedule_constant
// CHECK-SAME: baco.constraints = [#baco.constraint<"divides(K, 32)", {{[^>]*}}>,
// CHECK-SAME: #baco.constraint<"divides(N, 16)", {{[^>]*}}>,
// CHECK-SAME: #baco.constraint<"divides(4, N)", "vector length 4 of the copy of operand 1 must divide 'N' (a row is copied by whole vectors)">]
// CHECK: transform.structured.interchange %{{.*}} iterator_interchange = [2, 0, 1] :
// CHECK: transform.structured.tile_using_for %{{.*}} tile_sizes [%{{.*}}, 0, %{{.*}}] interchange = [2, 0, 1] :
func.func @constant(%A: memref<8x32xf32>, %B: memref<32x16xf32>, %C: memref<8x16xf32>) {
  linalg.matmul {baco.recipe = #baco.recipe<[
      #baco.interchange<order = [2, 0, 1]>,
      #baco.tile<sizes = [#baco.knob<"K", #baco.ordinal<[4, 8]>>, 0,
                          #baco.knob<"N", #baco.ordinal<[4, 8]>>],
                 order = [1, 0]>,
      #baco.promote<operands = [1]>,
      #baco.vectorize<copy_length = 4>]>}
    ins(%A, %B : memref<8x32xf32>, memref<32x16xf32>)
    outs(%C : memref<8x16xf32>)
  return
}
