// Small extents leave little to choose: constants instead of knobs, and no rule
// that nothing could meet.
// RUN: baco-opt %s --baco-annotate="host=vector-bytes=64,vector-registers=32,l1=49152,l2=1048576,l3=33554432" | FileCheck %s

// What fits level 1 is not packed.
// CHECK-LABEL: func.func @one_vector
// CHECK: baco.recipe = #baco.recipe<[#baco.tile<sizes = [#baco.knob<"MR", #baco.ordinal<[2, 4, 8, 16], log>, default = 16>, 16, 0]>
// CHECK-SAME: #baco.tile<sizes = [0, 0, 1]>
// CHECK-SAME: #baco.vectorize<>
// CHECK-SAME: where = [advisory "MR * 16 / 16 >= 8" : "8 independent sums hide the latency of multiply-adds"]
func.func @one_vector(%a: memref<16x16xf32>, %b: memref<16x16xf32>,
                      %c: memref<16x16xf32>) {
  linalg.matmul ins(%a, %b : memref<16x16xf32>, memref<16x16xf32>)
                outs(%c : memref<16x16xf32>)
  return
}

// Less than a vector of columns is one tile. K is prime: its blocks leave a
// rest.
// CHECK-LABEL: func.func @awkward
// CHECK: baco.recipe = #baco.recipe<[#baco.tile<sizes = [6, 0, #baco.knob<"KC", #baco.ordinal<[64, 128, 256, 512, 1024], log>, default = 512>], order = [1, 0], remainders = ["exact", "exact", "split"]>
// CHECK-SAME: #baco.tile<sizes = [0, 12, 0]>
// CHECK-SAME: "MR", #baco.ordinal<[2, 3, 6], log>, default = 6
// CHECK-SAME: #baco.vectorize<copy_length = 16>
// CHECK-NOT: where
func.func @awkward(%a: memref<6x9973xf32>, %b: memref<9973x12xf32>,
                   %c: memref<6x12xf32>) {
  linalg.matmul ins(%a, %b : memref<6x9973xf32>, memref<9973x12xf32>)
                outs(%c : memref<6x12xf32>)
  return
}
