// RUN: baco-opt %s --baco-expand-recipes | FileCheck %s

// Without a recipe there is no schedule.

// CHECK-NOT: transform.named_sequence
// CHECK: linalg.fill ins
// CHECK-NOT: transform.named_sequence
func.func @f(%a: f32, %A: memref<64xf32>) {
  linalg.fill ins(%a : f32) outs(%A : memref<64xf32>)
  return
}
