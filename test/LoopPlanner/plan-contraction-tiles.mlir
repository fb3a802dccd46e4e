// Plans for AMX: tiles of sums and their factors are eight, whole panels are interleaved by
// baco-tile-products, and rows aren't cut while level 2 holds them.
// RUN: baco-opt %s --baco-annotate="host=vector-bytes=64,vector-registers=32,l1=49152,l2=2097152,dot-products=2" | %one-line-recipes | FileCheck %s

// CHECK-LABEL: func.func @product
// CHECK-NOT: loop_tile
// CHECK: width = #baco.knob<"NR", #baco.ordinal<[16, 32, 64], log>, default = 64>
// CHECK-SAME: factor = #baco.knob<"MR", #baco.ordinal<[4, 7, 8, 12, 14, 16, 24, 28, 32], log>, default = 16>
// CHECK-SAME: factor = 4>
// CHECK-SAME: width = 0>
// CHECK-SAME: #baco.llvm<{dot_products = 2 : i64}>
// CHECK-SAME: "(MR + 15) // 16 * (NR // 16) + (MR + 15) // 16 + 1 <= 8" : "tiles of sums, those of rows and one of columns are at most 8"
func.func @product(%a: memref<512x512xi8>, %b: memref<512x512xi8>,
                   %c: memref<512x512xi32>) {
  linalg.matmul ins(%a, %b : memref<512x512xi8>, memref<512x512xi8>)
                outs(%c : memref<512x512xi32>)
  return
}

// Rows that level 2 doesn't hold are cut into blocks.
// CHECK-LABEL: func.func @high
// CHECK: #baco.loop_tile<statement = 0, loop = 2, size = #baco.knob<"MC"
// CHECK: dot_products = 2
func.func @high(%a: memref<4096x512xi8>, %b: memref<512x512xi8>,
                %c: memref<4096x512xi32>) {
  linalg.matmul ins(%a, %b : memref<4096x512xi8>, memref<512x512xi8>)
                outs(%c : memref<4096x512xi32>)
  return
}

// Few columns that don't fill tiles, few rows, words, and a reduction of unknown length are planned
// for VNNI; the option is the machine's, because kernels of one function share it.
// CHECK-LABEL: func.func @few_columns
// CHECK-NOT: most 8"
// CHECK: dot_products = 2
// CHECK-LABEL: func.func @few_rows
// CHECK-NOT: most 8"
// CHECK-LABEL: func.func @words
// CHECK-NOT: most 8"
// CHECK: dot_products = 2
// CHECK-LABEL: func.func @unknown
// CHECK-NOT: most 8"
func.func @few_columns(%a: memref<512x96xi8>, %b: memref<96x24xi8>,
                       %c: memref<512x24xi32>) {
  linalg.matmul ins(%a, %b : memref<512x96xi8>, memref<96x24xi8>)
                outs(%c : memref<512x24xi32>)
  return
}
func.func @few_rows(%a: memref<3x96xi8>, %b: memref<96x64xi8>,
                    %c: memref<3x64xi32>) {
  linalg.matmul ins(%a, %b : memref<3x96xi8>, memref<96x64xi8>)
                outs(%c : memref<3x64xi32>)
  return
}
func.func @words(%a: memref<128x96xi16>, %b: memref<96x64xi16>,
                 %c: memref<128x64xi32>) {
  linalg.matmul ins(%a, %b : memref<128x96xi16>, memref<96x64xi16>)
                outs(%c : memref<128x64xi32>)
  return
}
func.func @unknown(%a: memref<128x?xi8>, %b: memref<?x64xi8>,
                   %c: memref<128x64xi32>) {
  linalg.matmul ins(%a, %b : memref<128x?xi8>, memref<?x64xi8>)
                outs(%c : memref<128x64xi32>)
  return
}
