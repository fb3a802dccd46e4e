// RUN: baco-opt --load-dialect-plugin=%baco-plugin %s --baco-annotate=host=vector-bytes=64,vector-registers=32 \
// RUN:   2>&1 | FileCheck %s

// Our own tool has all that is in the plugin; loading it changes nothing.

// CHECK: linalg.matmul {baco.recipe
func.func @f(%a: memref<64x64xf32>, %b: memref<64x64xf32>,
             %c: memref<64x64xf32>) {
  linalg.matmul ins(%a, %b : memref<64x64xf32>, memref<64x64xf32>)
                outs(%c : memref<64x64xf32>)
  return
}
