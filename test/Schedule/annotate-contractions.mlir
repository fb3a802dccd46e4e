// RUN: baco-opt %s --baco-annotate="host=vector-bytes=64,vector-registers=32,l1=49152,l2=1048576,l3=33554432" | %one-line-recipes | FileCheck %s

// Contractions beyond the plain matmul: three iterators are blocked like those
// of a matmul, in loops over the others.

// Many small products, which don't fit level 2 together: the next one is
// prefetched while one is computed.
// CHECK-LABEL: func.func @stream
// CHECK: linalg.batch_matmul {baco.recipe = #baco.recipe<[#baco.loop_permute<order = [1, 3, 2, 4]
// CHECK-SAME: #baco.loop_vectorize<statement = 0, loop = 2, width = #baco.knob<"NR"
// CHECK-SAME: #baco.loop_unroll<statement = 0, loop = 3, factor = #baco.knob<"MR"
// CHECK-SAME: #baco.loop_unroll<statement = 0, loop = 4, factor = #baco.knob<"KU", #baco.ordinal<[2, 4], log>, default = 2>>
// CHECK-SAME: #baco.loop_prefetch<statement = 0, loop = 1, ahead = #baco.knob<"prefetch", #baco.ordinal<[0, 1]>, default = 1>>
func.func @stream(%a: memref<512x32x32xf32>, %b: memref<512x32x32xf32>, %c: memref<512x32x32xf32>) {
  linalg.batch_matmul ins(%a, %b : memref<512x32x32xf32>, memref<512x32x32xf32>)
                      outs(%c : memref<512x32x32xf32>)
  return
}

// Fewer of them, which do.
// CHECK-LABEL: func.func @batch
// CHECK: linalg.batch_matmul {baco.recipe = #baco.recipe<[#baco.loop_permute<order = [1, 3, 2, 4]
// CHECK-SAME: #baco.loop_prefetch<statement = 0, loop = 1, ahead = #baco.knob<"prefetch", #baco.ordinal<[0, 1]>, default = 0>>
func.func @batch(%a: memref<16x32x32xf32>, %b: memref<16x32x32xf32>, %c: memref<16x32x32xf32>) {
  linalg.batch_matmul ins(%a, %b : memref<16x32x32xf32>, memref<16x32x32xf32>)
                      outs(%c : memref<16x32x32xf32>)
  return
}

// A is transposed: its elements are broadcast and need not be contiguous.
#at = affine_map<(m, n, k) -> (k, m)>
#b = affine_map<(m, n, k) -> (k, n)>
#c = affine_map<(m, n, k) -> (m, n)>
// CHECK-LABEL: func.func @transposed
// CHECK: baco.recipe = #baco.recipe<[#baco.loop_permute<order = [2, 1, 3]
// CHECK-SAME: #baco.loop_tile<statement = 0, loop = 2, size = #baco.knob<"MC"
// CHECK-SAME: #baco.loop_copy<statement = 0, loop = 1, reference = 2, width = 16, panel = #baco.knob<"NR"
func.func @transposed(%a: memref<256x256xf32>, %b: memref<256x256xf32>, %c: memref<256x256xf32>) {
  linalg.matmul indexing_maps = [#at, #b, #c]
    ins(%a, %b : memref<256x256xf32>, memref<256x256xf32>)
    outs(%c : memref<256x256xf32>)
  return
}

// The first operand plays B, and the sum was the outermost loop.
#first = affine_map<(k, m, n) -> (k, n)>
#second = affine_map<(k, m, n) -> (m, k)>
#out = affine_map<(k, m, n) -> (m, n)>
// CHECK-LABEL: func.func @swapped
// CHECK: baco.recipe = #baco.recipe<[#baco.loop_permute<order = [3, 2, 1]
// CHECK-SAME: #baco.loop_vectorize<statement = 0, loop = 2, width = #baco.knob<"NR", {{[^>]*}}>, default = 32>>
// CHECK-SAME: #baco.loop_copy<statement = 0, loop = 1, reference = 1, width = 8, panel = #baco.knob<"NR"
func.func @swapped(%a: memref<256x256xf64>, %b: memref<256x256xf64>, %c: memref<256x256xf64>) {
  linalg.generic {indexing_maps = [#first, #second, #out],
                  iterator_types = ["reduction", "parallel", "parallel"]}
    ins(%a, %b : memref<256x256xf64>, memref<256x256xf64>)
    outs(%c : memref<256x256xf64>) {
  ^bb0(%x: f64, %y: f64, %z: f64):
    %m = arith.mulf %x, %y : f64
    %s = arith.addf %z, %m : f64
    linalg.yield %s : f64
  }
  return
}

// No rows: eight vectors of sums.
// CHECK-LABEL: func.func @vecmat
// CHECK: baco.recipe = #baco.recipe<[#baco.loop_vectorize<statement = 0, loop = 1, width = #baco.knob<"W", {{[^>]*}}>, default = 128>>]
func.func @vecmat(%a: memref<256xf32>, %b: memref<256x256xf32>, %c: memref<256xf32>) {
  linalg.vecmat ins(%a, %b : memref<256xf32>, memref<256x256xf32>)
                outs(%c : memref<256xf32>)
  return
}

// Vectors are those of the sums.
// CHECK-LABEL: func.func @widening
// CHECK: #baco.knob<"NR", #baco.ordinal<[16, 32, 64], log>
func.func @widening(%a: memref<256x256xi8>, %b: memref<256x256xi8>, %c: memref<256x256xi32>) {
  linalg.matmul ins(%a, %b : memref<256x256xi8>, memref<256x256xi8>)
                outs(%c : memref<256x256xi32>)
  return
}

// Elements are extended as the body says.
// CHECK-LABEL: func.func @unsigned
// CHECK: linalg.matmul {baco.recipe = #baco.recipe<[#baco.loop_
// CHECK-SAME: #baco.loop_vectorize
func.func @unsigned(%a: memref<256x256xi8>, %b: memref<256x256xi8>, %c: memref<256x256xi32>) {
  linalg.matmul {cast = #linalg.type_fn<cast_unsigned>}
    ins(%a, %b : memref<256x256xi8>, memref<256x256xi8>)
    outs(%c : memref<256x256xi32>)
  return
}
// CHECK-LABEL: func.func @widening_generic
// CHECK: baco.recipe = #baco.recipe<[#baco.loop_
// CHECK-SAME: #baco.loop_vectorize
func.func @widening_generic(%a: memref<256x256xbf16>, %b: memref<256x256xbf16>, %c: memref<256x256xf32>) {
  linalg.generic {indexing_maps = [affine_map<(m, n, k) -> (m, k)>,
                                   affine_map<(m, n, k) -> (k, n)>,
                                   affine_map<(m, n, k) -> (m, n)>],
                  iterator_types = ["parallel", "parallel", "reduction"]}
    ins(%a, %b : memref<256x256xbf16>, memref<256x256xbf16>)
    outs(%c : memref<256x256xf32>) {
  ^bb0(%x: bf16, %y: bf16, %z: f32):
    %v = arith.extf %x : bf16 to f32
    %w = arith.extf %y : bf16 to f32
    %m = arith.mulf %v, %w : f32
    %s = arith.addf %z, %m : f32
    linalg.yield %s : f32
  }
  return
}
