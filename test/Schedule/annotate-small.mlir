// Small extents leave little to choose: constants instead of knobs, and no rule
// that nothing could meet.
// RUN: baco-opt %s --baco-annotate="host=vector-bytes=64,vector-registers=32,l1=49152,l2=1048576,l3=33554432" | %one-line-recipes | FileCheck %s

// One vector is one width. What stays in level 1 is neither copied nor prefetched.
// CHECK-LABEL: func.func @one_vector
// CHECK: #baco.loop_vectorize<statement = 0, loop = 1, width = 16>
// CHECK-SAME: #baco.knob<"pack", #baco.ordinal<[0, 16]>, default = 0>
// CHECK-SAME: #baco.knob<"prefetch", #baco.ordinal<[0, 1]>, default = 0>
// CHECK-SAME: where = [advisory "MR * 16 // 16 >= 8" : "8 independent sums hide the latency of multiply-adds", advisory "pack == 0 || prefetch == 0"
func.func @one_vector(%a: memref<16x16xf32>, %b: memref<16x16xf32>,
                      %c: memref<16x16xf32>) {
  linalg.matmul ins(%a, %b : memref<16x16xf32>, memref<16x16xf32>)
                outs(%c : memref<16x16xf32>)
  return
}

// Less than a vector of columns is one masked vector. There are too few rows for 8
// sums.
// CHECK-LABEL: func.func @awkward
// CHECK: #baco.loop_tile<statement = 0, loop = 3, size = #baco.knob<"KC"
// CHECK-SAME: #baco.loop_vectorize<statement = 0, loop = 2, width = 16>
// CHECK-SAME: "MR", #baco.ordinal<[1, 2, 3, 4, 5, 6], log>, default = 6
// CHECK-NOT: independent sums
func.func @awkward(%a: memref<6x9973xf32>, %b: memref<9973x12xf32>,
                   %c: memref<6x12xf32>) {
  linalg.matmul ins(%a, %b : memref<6x9973xf32>, memref<9973x12xf32>)
                outs(%c : memref<6x12xf32>)
  return
}
