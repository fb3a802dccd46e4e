// What must hold where knobs switch steps, leave iterators untiled, and say how
// many threads share them.
// RUN: baco-opt %s --baco-expand-recipes | FileCheck %s

// CHECK-LABEL: transform.named_sequence @schedule_vectors
// CHECK-SAME: "!(V == 1 && T != 0) || divides(T, 60)"
func.func @vectors(%A: memref<60x32xf32>, %B: memref<32x16xf32>, %C: memref<60x16xf32>) {
  linalg.matmul {baco.recipe = #baco.recipe<[
      #baco.tile<sizes = [#baco.knob<"T", #baco.ordinal<[0, 8, 12]>>, 0, 0]>,
      #baco.vectorize<enabled = #baco.knob<"V", #baco.ordinal<[0, 1]>>>]>}
    ins(%A, %B : memref<60x32xf32>, memref<32x16xf32>) outs(%C : memref<60x16xf32>)
  return
}

// CHECK-LABEL: transform.named_sequence @schedule_copies
// CHECK-SAME: "!(P == 1) || divides(L, K)"
func.func @copies(%A: memref<60x32xf32>, %B: memref<32x16xf32>, %C: memref<60x16xf32>) {
  linalg.matmul {baco.recipe = #baco.recipe<[
      #baco.tile<sizes = [4, 0, #baco.knob<"K", #baco.ordinal<[8, 16]>>]>,
      #baco.promote<operands = [0], enabled = #baco.knob<"P", #baco.ordinal<[0, 1]>>>,
      #baco.vectorize<copy_length = #baco.knob<"L", #baco.ordinal<[8, 16]>>>]>}
    ins(%A, %B : memref<60x32xf32>, memref<32x16xf32>) outs(%C : memref<60x16xf32>)
  return
}

// CHECK-LABEL: transform.named_sequence @schedule_threads
// CHECK-SAME: "divides(T, 60)"
// CHECK-SAME: "divides(M * T, 60)", "tile 'M' of iterator 0 must divide 60 / 'T' (vectorize needs full tiles)"
func.func @threads(%A: memref<60x32xf32>, %B: memref<32x16xf32>, %C: memref<60x16xf32>) {
  linalg.matmul {baco.recipe = #baco.recipe<[
      #baco.parallelize<threads = [#baco.knob<"T", #baco.ordinal<[1, 2, 4]>>, 0, 0]>,
      #baco.tile<sizes = [#baco.knob<"M", #baco.ordinal<[5, 6]>>, 0, 0]>,
      #baco.vectorize<>]>}
    ins(%A, %B : memref<60x32xf32>, memref<32x16xf32>) outs(%C : memref<60x16xf32>)
  return
}
