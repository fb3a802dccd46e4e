// Which loop of a product threads share.
// RUN: baco-opt %s --baco-annotate="host=threads=2,vector-bytes=64,vector-registers=32,l1=49152,l2=2097152" | %one-line-recipes | FileCheck %s
// RUN: baco-opt %s --baco-annotate="host=threads=12,vector-bytes=64,vector-registers=32,l1=49152,l2=2097152" | %one-line-recipes | FileCheck %s --check-prefix=TWELVE

// Half of the columns: threads share no panels, and the rows, all of them, end in
// a tile of two.
// CHECK-LABEL: func.func @columns
// CHECK: linalg.matmul {baco.recipe = #baco.recipe<[
// CHECK-SAME: #baco.knob<"PI", #baco.ordinal<[16, 32, 64, 128], log>, default = 128
// CHECK-SAME: #baco.knob<"PJ", #baco.ordinal<[96, 192, 384, 768], log>, default = 384
// CHECK-SAME: #baco.knob<"NR", #baco.ordinal<[16, 32, 64], log>, default = 64>
// CHECK-SAME: #baco.knob<"MR", {{[^>]*}}>, default = 6>
func.func @columns(%a: memref<128x768xf32>, %b: memref<768x768xf32>,
                   %c: memref<128x768xf32>) {
  linalg.matmul ins(%a, %b : memref<128x768xf32>, memref<768x768xf32>)
                outs(%c : memref<128x768xf32>)
  return
}

// Of 24 columns one thread would have 16.
// CHECK-LABEL: func.func @rows
// CHECK: linalg.matmul {baco.recipe = #baco.recipe<[
// CHECK-SAME: #baco.knob<"PI", {{[^>]*}}>, default = 1568
// CHECK-SAME: #baco.knob<"PJ", #baco.ordinal<[16, 24], log>, default = 24
func.func @rows(%a: memref<3136x144xf32>, %b: memref<144x24xf32>,
                %c: memref<3136x24xf32>) {
  linalg.matmul ins(%a, %b : memref<3136x144xf32>, memref<144x24xf32>)
                outs(%c : memref<3136x24xf32>)
  return
}

// One thread has 504 columns, and the other 496.
// CHECK-LABEL: func.func @nearly_even
// CHECK: linalg.matmul {baco.recipe = #baco.recipe<[
// CHECK-SAME: #baco.knob<"PI", {{[^>]*}}>, default = 1000
// CHECK-SAME: #baco.knob<"PJ", {{[^>]*}}>, default = 512
func.func @nearly_even(%a: memref<1000x1000xf32>, %b: memref<1000x1000xf32>,
                       %c: memref<1000x1000xf32>) {
  linalg.matmul ins(%a, %b : memref<1000x1000xf32>, memref<1000x1000xf32>)
                outs(%c : memref<1000x1000xf32>)
  return
}

// Half of 96 columns are narrow: their tiles would have one or two vectors.
// CHECK-LABEL: func.func @narrow
// CHECK: linalg.matmul {baco.recipe = #baco.recipe<[
// CHECK-SAME: #baco.knob<"PI", {{[^>]*}}>, default = 98,
// CHECK-SAME: #baco.knob<"PJ", {{[^>]*}}>, default = 96,
func.func @narrow(%a: memref<196x576xf32>, %b: memref<576x96xf32>,
                  %c: memref<196x96xf32>) {
  linalg.matmul ins(%a, %b : memref<196x576xf32>, memref<576x96xf32>)
                outs(%c : memref<196x96xf32>)
  return
}

// Twelve threads have 22 rows each, which are tiles of two, or 96 columns but for
// the last.
// TWELVE-LABEL: func.func @uneven_rows
// TWELVE: linalg.matmul {baco.recipe = #baco.recipe<[
// TWELVE-SAME: #baco.knob<"PI", {{[^>]*}}>, default = 256,
// TWELVE-SAME: #baco.knob<"PJ", {{[^>]*}}>, default = 96,
func.func @uneven_rows(%a: memref<256x1024xf32>, %b: memref<1024x1000xf32>,
                       %c: memref<256x1000xf32>) {
  linalg.matmul ins(%a, %b : memref<256x1024xf32>, memref<1024x1000xf32>)
                outs(%c : memref<256x1000xf32>)
  return
}
