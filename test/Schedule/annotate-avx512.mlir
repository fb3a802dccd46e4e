// Matmuls on a machine with AVX-512 and 2 MiB of level 2. By hand: tiles of 12 x
// 32 or 6 x 64 have 24 sums, and 2 or 4 vectors of B and an element of A fit
// the other 8 registers.
// RUN: baco-opt %s --baco-annotate="host=vector-bytes=64,vector-registers=32,l1=49152,l2=2097152,l3=33554432" | %one-line-recipes | FileCheck %s

// 512 steps of two vectors take 1.3 times level 1: K needn't be cut. All of A is
// half of level 2, so that its rows needn't be copied.
// CHECK-LABEL: func.func @single
// CHECK: linalg.matmul {baco.recipe = #baco.recipe<[
// CHECK-NOT: "KC"
// CHECK-SAME: #baco.knob<"MC", #baco.ordinal<[48, 96, 120, 168, 192, 240, 336, 384, 480, 512], log>, default = 240, extent = 512>
// CHECK-SAME: #baco.knob<"NR", #baco.ordinal<[16, 32, 64], log>, default = 64>
// CHECK-SAME: #baco.knob<"MR", {{[^>]*}}>, default = 6>
// CHECK-SAME: #baco.knob<"packRows", #baco.ordinal<[0, 16]>, default = 0>
// CHECK-SAME: advisory "MR * NR // 16 + 1 * NR // 16 + 1 <= 32" : "the tile of sums and its operands fit 32 vector registers"
// CHECK-SAME: advisory "MR * NR // 16 >= 8"
func.func @single(%a: memref<512x512xf32>, %b: memref<512x512xf32>,
                  %c: memref<512x512xf32>) {
  linalg.matmul ins(%a, %b : memref<512x512xf32>, memref<512x512xf32>)
                outs(%c : memref<512x512xf32>)
  return
}

// Panels of 768 steps take twice level 1: K needn't be cut. All of B is larger
// than level 2, so that its copy comes from level 3, one panel ahead.
// CHECK-LABEL: func.func @wide
// CHECK: linalg.matmul {baco.recipe = #baco.recipe<[
// CHECK-NOT: "KC"
// CHECK-SAME: #baco.knob<"NR", #baco.ordinal<[16, 32, 64], log>, default = 64>
// CHECK-SAME: #baco.loop_prefetch<statement = 0, loop = 2, ahead = 1>
func.func @wide(%a: memref<128x768xf32>, %b: memref<768x3072xf32>,
                %c: memref<128x3072xf32>) {
  linalg.matmul ins(%a, %b : memref<128x768xf32>, memref<768x3072xf32>)
                outs(%c : memref<128x3072xf32>)
  return
}

// As many steps, but B fits half of level 2.
// CHECK-LABEL: func.func @few_columns
// CHECK: linalg.matmul {baco.recipe = #baco.recipe<[
// CHECK-NOT: "KC"
// CHECK-SAME: #baco.knob<"NR"
// CHECK-NOT: ahead = 1>
// CHECK-SAME: where
func.func @few_columns(%a: memref<128x768xf32>, %b: memref<768x320xf32>,
                       %c: memref<128x320xf32>) {
  linalg.matmul ins(%a, %b : memref<128x768xf32>, memref<768x320xf32>)
                outs(%c : memref<128x320xf32>)
  return
}

// Constant panels are copied before the first call, and come from memory in a
// network. Whether B is constant is known from the module around the function.
memref.global "private" constant @weights : memref<320x1280xf32> = dense<1.0>
// CHECK-LABEL: func.func @constant
// CHECK: linalg.matmul {baco.recipe = #baco.recipe<[
// CHECK-SAME: #baco.loop_copy<statement = 0, loop = 2, reference = 2, width = 16>
// CHECK-SAME: #baco.loop_prefetch<statement = 0, loop = 1, ahead = 1>
func.func @constant(%a: memref<49x320xf32>, %c: memref<49x1280xf32>) {
  %b = memref.get_global @weights : memref<320x1280xf32>
  linalg.matmul ins(%a, %b : memref<49x320xf32>, memref<320x1280xf32>)
                outs(%c : memref<49x1280xf32>)
  return
}

// Half as many elements in a vector; blocks of A are limited by level 2. Rows that
// lie 16 KiB apart share an eighth of its places.
// CHECK-LABEL: func.func @double
// CHECK: "NR", #baco.ordinal<[8, 16, 32], log>, default = 32
// CHECK-SAME: advisory "MR * NR // 8 + 1 * NR // 8 + 1 <= 32"
// CHECK-SAME: advisory "KC * 1 * NR * 8 <= 196608"
// CHECK-SAME: advisory "KC * 1 * MC * 8 <= 1048576" : "a block of rows, which is reused for each panel, stays in half of level 2"
// CHECK-SAME: advisory "packRows != 0 || MC * 16384 <= 2097152"
func.func @double(%a: memref<2x2048x2048xf64>, %b: memref<2x2048x2048xf64>,
                  %c: memref<2x2048x2048xf64>) {
  linalg.batch_matmul
    ins(%a, %b : memref<2x2048x2048xf64>, memref<2x2048x2048xf64>)
    outs(%c : memref<2x2048x2048xf64>)
  return
}

// Copies are in panels as wide as the vectors; A is larger than level 2, and
// blocks of rows are copied, too.
// CHECK-LABEL: func.func @large
// CHECK: linalg.matmul {baco.recipe = #baco.recipe<[
// CHECK-SAME: #baco.loop_tile<statement = 0, loop = 3, size = #baco.knob<"KC", #baco.ordinal<[128, 176, 208, 256, 352, 512, 1024], log>, default = 512, extent = 1024>, outer = 1>
// CHECK-SAME: #baco.loop_tile<statement = 0, loop = 3, size = #baco.knob<"MC", #baco.ordinal<[48, 96, 120, 168, 192, 240, 336, 384, 480], log>
// CHECK-SAME: #baco.loop_vectorize<statement = 0, loop = 3, width = #baco.knob<"NR", #baco.ordinal<[16, 32, 64], log>, default = 64>>
// CHECK-SAME: #baco.knob<"MR", {{.*}}, default = 6>
// CHECK-SAME: #baco.loop_copy<statement = 0, loop = 2, reference = 2, width = 16, panel = #baco.knob<"NR"
// CHECK-SAME: #baco.loop_copy<statement = 0, loop = 3, reference = 1, width = #baco.knob<"packRows", #baco.ordinal<[0, 16]>, default = 16>>
// CHECK-SAME: #baco.loop_prefetch<statement = 0, loop = 4, ahead = #baco.knob<"prefetch", #baco.ordinal<[0, 1]>, default = 1>>
// CHECK-SAME: "a panel, which is reused for each row, is at most four times as large as level 1"
func.func @large(%a: memref<1024x1024xf32>, %b: memref<1024x1024xf32>,
                 %c: memref<1024x1024xf32>) {
  linalg.matmul ins(%a, %b : memref<1024x1024xf32>, memref<1024x1024xf32>)
                outs(%c : memref<1024x1024xf32>)
  return
}

// An op that has a recipe keeps it.
// CHECK-LABEL: func.func @mine
// CHECK: baco.recipe = #baco.recipe<[#baco.tile<sizes = [4, 4, 4]>]>
func.func @mine(%a: memref<16x16xf32>, %b: memref<16x16xf32>,
                %c: memref<16x16xf32>) {
  linalg.matmul {baco.recipe = #baco.recipe<[#baco.tile<sizes = [4, 4, 4]>]>}
    ins(%a, %b : memref<16x16xf32>, memref<16x16xf32>)
    outs(%c : memref<16x16xf32>)
  return
}
