// RUN: baco-opt %s --baco-annotate="host=vector-bytes=64,vector-registers=32,l1=49152,l2=1048576,l3=33554432" | FileCheck %s

// Contractions beyond the plain matmul: three iterators are blocked like those
// of a matmul, in loops over the others.

// Many small products, which don't fit level 2 together: the next one is asked
// for while one is computed, which loop commands do.
// CHECK-LABEL: func.func @stream
// CHECK: linalg.batch_matmul {baco.recipe = #baco.recipe<[#baco.loop_permute<order = [1, 3, 2, 4]
// CHECK-SAME: #baco.loop_vectorize<statement = 0, loop = 2, width = #baco.knob<"NR"
// CHECK-SAME: #baco.loop_unroll<statement = 0, loop = 3, factor = #baco.knob<"MR"
// CHECK-SAME: #baco.loop_unroll<statement = 0, loop = 4, factor = #baco.knob<"KU", #baco.ordinal<[2, 4], log>, default = 4>>
// CHECK-SAME: #baco.loop_prefetch<statement = 0, loop = 1, ahead = #baco.knob<"prefetch", #baco.ordinal<[0, 1]>, default = 1>>
func.func @stream(%a: memref<512x32x32xf32>, %b: memref<512x32x32xf32>, %c: memref<512x32x32xf32>) {
  linalg.batch_matmul ins(%a, %b : memref<512x32x32xf32>, memref<512x32x32xf32>)
                      outs(%c : memref<512x32x32xf32>)
  return
}

// Fewer of them: a loop over the batch, and no packing.
// CHECK-LABEL: func.func @batch
// CHECK: linalg.batch_matmul {baco.recipe = #baco.recipe<[#baco.tile<sizes = [1, 0, 0, 0]>,
// CHECK-SAME: #baco.tile<sizes = [0, #baco.knob<"MR", #baco.ordinal<[2, 4, 8, 16], log>, default = 8>, #baco.knob<"NR", #baco.ordinal<[16, 32], log>, default = 32>, 0]>,
// CHECK-SAME: #baco.tile<sizes = [0, 0, 0, 1]>, #baco.vectorize<>, #baco.hoist<>]
func.func @batch(%a: memref<16x32x32xf32>, %b: memref<16x32x32xf32>, %c: memref<16x32x32xf32>) {
  linalg.batch_matmul ins(%a, %b : memref<16x32x32xf32>, memref<16x32x32xf32>)
                      outs(%c : memref<16x32x32xf32>)
  return
}

// A is transposed: it is read by columns, which need not be contiguous.
#at = affine_map<(m, n, k) -> (k, m)>
#b = affine_map<(m, n, k) -> (k, n)>
#c = affine_map<(m, n, k) -> (m, n)>
// CHECK-LABEL: func.func @transposed
// CHECK: baco.recipe = #baco.recipe<[#baco.tile<sizes = [#baco.knob<"MC"{{.*}}>, 0, #baco.knob<"KC"
// CHECK-SAME: #baco.promote<operands = [0]>
// CHECK-SAME: #baco.promote<operands = [1]>
func.func @transposed(%a: memref<256x256xf32>, %b: memref<256x256xf32>, %c: memref<256x256xf32>) {
  linalg.matmul indexing_maps = [#at, #b, #c]
    ins(%a, %b : memref<256x256xf32>, memref<256x256xf32>)
    outs(%c : memref<256x256xf32>)
  return
}

// The first operand plays B. Iterators are put in the order that the lowering
// of vectors knows.
#first = affine_map<(k, m, n) -> (k, n)>
#second = affine_map<(k, m, n) -> (m, k)>
#out = affine_map<(k, m, n) -> (m, n)>
// CHECK-LABEL: func.func @swapped
// CHECK: #baco.interchange<order = [2, 1, 0]>
// CHECK-SAME: #baco.tile<sizes = [0, #baco.knob<"MC"{{.*}}>, #baco.knob<"KC"
// CHECK-SAME: #baco.promote<operands = [1]>
// CHECK-SAME: #baco.tile<sizes = [#baco.knob<"NR"{{[^>]*}}>, default = 32>, 0, 0]>
// CHECK-SAME: #baco.promote<operands = [0]>
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

// No rows: one row of the register tile.
// CHECK-LABEL: func.func @vecmat
// CHECK: baco.recipe = #baco.recipe<[#baco.tile<sizes = [#baco.knob<"NR", #baco.ordinal<[16, 32, 64, 128], log>, default = 128>, 0]>, #baco.tile<sizes = [0, 1]>, #baco.vectorize<>, #baco.hoist<>]
func.func @vecmat(%a: memref<256xf32>, %b: memref<256x256xf32>, %c: memref<256xf32>) {
  linalg.vecmat ins(%a, %b : memref<256xf32>, memref<256x256xf32>)
                outs(%c : memref<256xf32>)
  return
}

// Vectors are those of the sums.
// CHECK-LABEL: func.func @widening
// CHECK: #baco.knob<"NR", #baco.ordinal<[16, 32, 64, 128], log>
// CHECK-SAME: #baco.vectorize<copy_length = 16>
func.func @widening(%a: memref<256x256xi8>, %b: memref<256x256xi8>, %c: memref<256x256xi32>) {
  linalg.matmul ins(%a, %b : memref<256x256xi8>, memref<256x256xi8>)
                outs(%c : memref<256x256xi32>)
  return
}

// Steps of linalg extend by the sign, and that of named ops only; loops do what
// the body says.
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
