// A function with baco.no_tune gets neither recipes nor remarks.
// RUN: baco-opt %s --baco-annotate --verify-diagnostics | FileCheck %s
// CHECK-NOT: baco.recipe
func.func @kept(%a: memref<64x64xf32>, %b: memref<?x?xf32>) attributes {baco.no_tune} {
  linalg.matmul ins(%a, %a : memref<64x64xf32>, memref<64x64xf32>)
                outs(%a : memref<64x64xf32>)
  linalg.matmul ins(%b, %b : memref<?x?xf32>, memref<?x?xf32>)
                outs(%b : memref<?x?xf32>)
  return
}
