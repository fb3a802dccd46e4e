// Outputs that may be inputs: loop commands do what dependences allow, or nothing.
// RUN: baco-opt %s --baco-annotate --split-input-file --verify-diagnostics | %one-line-recipes | FileCheck %s

// CHECK-LABEL: @same
// CHECK: baco.recipe<[#baco.loop_permute
// CHECK-SAME: other orders of the loops break a dependence
func.func @same(%a: memref<64x64xf32>, %b: memref<64x64xf32>) {
  linalg.matmul ins(%a, %b : memref<64x64xf32>, memref<64x64xf32>)
                outs(%a : memref<64x64xf32>)
  return
}

// -----

// CHECK-LABEL: @views
// CHECK-NOT: baco.recipe
func.func @views(%a: memref<128x64xf32>, %b: memref<64x64xf32>) {
  %x = memref.subview %a[0, 0] [64, 64] [1, 1]
      : memref<128x64xf32> to memref<64x64xf32, strided<[64, 1]>>
  %y = memref.subview %a[32, 0] [64, 64] [1, 1]
      : memref<128x64xf32> to memref<64x64xf32, strided<[64, 1], offset: 2048>>
  // expected-remark @below {{no automatic recipe}}
  // expected-remark @below {{views of the same memory may alias}}
  linalg.matmul ins(%x, %b : memref<64x64xf32, strided<[64, 1]>>, memref<64x64xf32>)
                outs(%y : memref<64x64xf32, strided<[64, 1], offset: 2048>>)
  return
}

// -----

// Blocks of one buffer beside each other aren't the same memory.
// CHECK-LABEL: @blocks
// CHECK: baco.recipe<[#baco.loop_permute
// CHECK-SAME: "MR"
func.func @blocks(%a: memref<64x192xf32>) {
  %x = memref.subview %a[0, 0] [64, 64] [1, 1]
      : memref<64x192xf32> to memref<64x64xf32, strided<[192, 1]>>
  %y = memref.subview %a[0, 64] [64, 64] [1, 1]
      : memref<64x192xf32> to memref<64x64xf32, strided<[192, 1], offset: 64>>
  %z = memref.subview %a[0, 128] [64, 64] [1, 1]
      : memref<64x192xf32> to memref<64x64xf32, strided<[192, 1], offset: 128>>
  linalg.matmul ins(%x, %y : memref<64x64xf32, strided<[192, 1]>>, memref<64x64xf32, strided<[192, 1], offset: 64>>)
                outs(%z : memref<64x64xf32, strided<[192, 1], offset: 128>>)
  return
}

// -----

// CHECK-LABEL: @called
// CHECK-NOT: baco.recipe
func.func private @called(%a: memref<64x64xf32>, %b: memref<64x64xf32>, %c: memref<64x64xf32>) {
  // expected-remark @below {{a call of this function passes two arguments that may alias}}
  linalg.matmul ins(%a, %b : memref<64x64xf32>, memref<64x64xf32>)
                outs(%c : memref<64x64xf32>)
  return
}
func.func @caller(%a: memref<64x64xf32>, %b: memref<64x64xf32>) {
  call @called(%a, %b, %a)
      : (memref<64x64xf32>, memref<64x64xf32>, memref<64x64xf32>) -> ()
  return
}
