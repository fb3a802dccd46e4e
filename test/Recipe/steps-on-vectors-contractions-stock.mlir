// Recipes of steps for contractions go through upstream's interpreter, and leave
// vectors: sums in registers across the innermost loop, nothing of linalg.
// RUN: baco-opt %s --baco-expand-recipes --baco-concretize -o %t.mlir
// RUN: %stock-mlir-opt %t.mlir --transform-interpreter -o %t.stock.mlir
// RUN: baco-opt %t.mlir --transform-interpreter -o %t.ours.mlir
// RUN: diff %t.stock.mlir %t.ours.mlir
// RUN: FileCheck %s --input-file=%t.stock.mlir

// CHECK-LABEL: func.func @batch
// CHECK: scf.for %{{.*}} = %c0 to %c4 step %c1
// CHECK: iter_args({{.*}}) -> (vector<8x16xf32>)
// CHECK-COUNT-8: vector.fma %{{.*}} : vector<16xf32>
// CHECK-NOT: linalg.
func.func @batch(%a: memref<4x8x8xf32>, %b: memref<4x8x16xf32>, %c: memref<4x8x16xf32>) {
  linalg.batch_matmul {baco.recipe = #baco.recipe<[#baco.tile<sizes = [1, 0, 0, 0]>,
      #baco.tile<sizes = [0, #baco.knob<"MR", #baco.ordinal<[4, 8]>, default = 8>, 16, 0]>, #baco.tile<sizes = [0, 0, 0, 1]>,
      #baco.vectorize<>, #baco.hoist<>]>}
                      ins(%a, %b : memref<4x8x8xf32>, memref<4x8x16xf32>)
                      outs(%c : memref<4x8x16xf32>)
  return
}

#a = affine_map<(i, x, j, k) -> (x, k, i)>
#b = affine_map<(i, x, j, k) -> (k, j)>
#c = affine_map<(i, x, j, k) -> (i, x, j)>
// CHECK-LABEL: func.func @einsum
// CHECK: scf.for %{{.*}} = %c0 to %c3 step %c1
// CHECK: iter_args({{.*}}) -> (vector<6x1x16xf32>)
// CHECK-COUNT-6: vector.fma %{{.*}} : vector<16xf32>
// CHECK-NOT: linalg.
func.func @einsum(%a: memref<3x5x12xf32>, %b: memref<5x16xf32>, %c: memref<12x3x16xf32>) {
  linalg.generic {indexing_maps = [#a, #b, #c],
                  iterator_types = ["parallel", "parallel", "parallel", "reduction"],
                  baco.recipe = #baco.recipe<[#baco.interchange<order = [1, 0, 2, 3]>,
                    #baco.tile<sizes = [1, 0, 0, 0]>,
                    #baco.tile<sizes = [0, #baco.knob<"MR", #baco.ordinal<[6, 12]>, default = 6>, 16, 0]>,
                    #baco.tile<sizes = [0, 0, 0, 1]>, #baco.vectorize<>, #baco.hoist<>]>}
    ins(%a, %b : memref<3x5x12xf32>, memref<5x16xf32>) outs(%c : memref<12x3x16xf32>) {
  ^bb0(%x: f32, %y: f32, %z: f32):
    %m = arith.mulf %x, %y : f32
    %s = arith.addf %z, %m : f32
    linalg.yield %s : f32
  }
  return
}

// CHECK-LABEL: func.func @half
// CHECK: iter_args({{.*}}) -> (vector<{{[0-9]+}}x16xf32>)
// CHECK: arith.extf %{{.*}} : vector<16xf16> to vector<16xf32>
// CHECK-NOT: linalg.
// CHECK: transform.named_sequence
func.func @half(%a: memref<8x8xf16>, %b: memref<8x16xf16>, %c: memref<8x16xf32>) {
  linalg.matmul {baco.recipe = #baco.recipe<[#baco.tile<sizes = [#baco.knob<"MR", #baco.ordinal<[4, 8]>, default = 4>, 16, 0]>,
      #baco.tile<sizes = [0, 0, 1]>, #baco.vectorize<>, #baco.hoist<>]>}
                ins(%a, %b : memref<8x8xf16>, memref<8x16xf16>)
                outs(%c : memref<8x16xf32>)
  return
}
