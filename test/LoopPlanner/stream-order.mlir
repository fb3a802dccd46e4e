// RUN: baco-opt %s --baco-annotate=host=vector-bytes=64,vector-registers=32,l1=49152,l2=2097152 | %one-line-recipes | FileCheck %s

// One row times a matrix that level 2 doesn't hold is no contraction: each row
// of the matrix is read as it lies there, eight at once.
// CHECK-LABEL: func.func @one_row
// CHECK: baco.recipe = #baco.recipe<[
// CHECK-SAME: #baco.loop_permute<order = [1, 3, 2], statement = 0>
// CHECK-SAME: #baco.loop_unroll<statement = 0, loop = 2, factor = #baco.knob<"U", {{[^>]*}}>, default = 8>>
// CHECK-SAME: #baco.loop_vectorize<statement = 0, loop = 3, width = #baco.knob<"W",
func.func @one_row(%A: memref<1x768xf32>, %B: memref<768x3072xf32>,
                   %C: memref<1x3072xf32>) {
  linalg.matmul ins(%A, %B : memref<1x768xf32>, memref<768x3072xf32>)
      outs(%C : memref<1x3072xf32>)
  return
}

// Rows of a page are read one after the other.
// CHECK-LABEL: func.func @one_row_of_pages
// CHECK: #baco.knob<"U", {{[^>]*}}>, default = 1>
func.func @one_row_of_pages(%A: memref<1x3072xf32>, %B: memref<3072x768xf32>,
                            %C: memref<1x768xf32>) {
  linalg.matmul ins(%A, %B : memref<1x3072xf32>, memref<3072x768xf32>)
      outs(%C : memref<1x768xf32>)
  return
}

// Four rows are jammed with the eight.
// CHECK-LABEL: func.func @four_rows
// CHECK: baco.recipe = #baco.recipe<[
// CHECK-SAME: #baco.loop_permute<order = [3, 1, 2], statement = 0>
// CHECK-SAME: #baco.loop_unroll<statement = 0, loop = 1, factor = #baco.knob<"U", {{[^>]*}}>, default = 8>>
// CHECK-SAME: #baco.loop_unroll<statement = 0, loop = 2, factor = 4>
// CHECK-SAME: #baco.loop_vectorize<statement = 0, loop = 3, width = #baco.knob<"W",
func.func @four_rows(%A: memref<4x768xf32>, %B: memref<768x3072xf32>,
                     %C: memref<4x3072xf32>) {
  linalg.matmul ins(%A, %B : memref<4x768xf32>, memref<768x3072xf32>)
      outs(%C : memref<4x3072xf32>)
  return
}

// A matrix that level 2 holds has panels.
// CHECK-LABEL: func.func @one_row_nearby
// CHECK: #baco.knob<"NR",
func.func @one_row_nearby(%A: memref<1x256xf32>, %B: memref<256x256xf32>,
                          %C: memref<1x256xf32>) {
  linalg.matmul ins(%A, %B : memref<1x256xf32>, memref<256x256xf32>)
      outs(%C : memref<1x256xf32>)
  return
}

// A transposed matrix, too: sums are along the vector. Its rows are a page.
// CHECK-LABEL: func.func @four_rows_transposed
// CHECK: baco.recipe = #baco.recipe<[
// CHECK-SAME: #baco.loop_permute<order = [2, 1, 3], statement = 0>
// CHECK-SAME: #baco.loop_unroll<statement = 0, loop = 1, factor = #baco.knob<"U", {{[^>]*}}>, default = 1>>
// CHECK-SAME: #baco.loop_unroll<statement = 0, loop = 2, factor = 4>
// CHECK-SAME: #baco.loop_vectorize<statement = 0, loop = 3, width = #baco.knob<"W",
// CHECK-SAME: "4 * (U * W // 16) + W // 16 + 1 <= 32"
func.func @four_rows_transposed(%A: memref<4x768xf32>, %B: memref<3072x768xf32>,
                                %C: memref<4x3072xf32>) {
  linalg.matmul
      indexing_maps = [affine_map<(m, n, k) -> (m, k)>,
                       affine_map<(m, n, k) -> (n, k)>,
                       affine_map<(m, n, k) -> (m, n)>]
      ins(%A, %B : memref<4x768xf32>, memref<3072x768xf32>)
      outs(%C : memref<4x3072xf32>)
  return
}
