// Small extents leave little to choose: constants instead of knobs, and no rule
// that nothing could meet.
// RUN: baco-opt %s --baco-annotate="host=vector-bytes=64,vector-registers=32,l1=49152,l2=1048576,l3=33554432" | FileCheck %s

// CHECK-LABEL: func.func @one_vector
// CHECK: baco.recipe = #baco.recipe<[#baco.tile<sizes = [16, 0, 16], order = [1, 0]>
// CHECK-SAME: #baco.tile<sizes = [0, 16, 0]>
// CHECK-SAME: #baco.tile<sizes = [#baco.knob<"MR", #baco.ordinal<[2, 4, 8, 16], log>, default = 16>, 0, 0]>
// CHECK-SAME: copy_length = 16
// CHECK-SAME: where = [advisory "MR * 16 / 16 >= 8" : "8 independent sums hide the latency of multiply-adds"]
func.func @one_vector(%a: memref<16x16xf32>, %b: memref<16x16xf32>,
                      %c: memref<16x16xf32>) {
  linalg.matmul ins(%a, %b : memref<16x16xf32>, memref<16x16xf32>)
                outs(%c : memref<16x16xf32>)
  return
}

// Vectors of 4 where 8 elements don't divide; K is prime, so its rows are
// copied by scalars.
// CHECK-LABEL: func.func @awkward
// CHECK: baco.recipe = #baco.recipe<[#baco.tile<sizes = [6, 0, 997], order = [1, 0]>
// CHECK-SAME: #baco.tile<sizes = [0, 4, 0]>
// CHECK-SAME: "MR", #baco.ordinal<[2, 3, 6], log>, default = 6
// CHECK-SAME: #baco.vectorize<>
// CHECK-NOT: where
func.func @awkward(%a: memref<6x997xf32>, %b: memref<997x12xf32>,
                   %c: memref<6x12xf32>) {
  linalg.matmul ins(%a, %b : memref<6x997xf32>, memref<997x12xf32>)
                outs(%c : memref<6x12xf32>)
  return
}
