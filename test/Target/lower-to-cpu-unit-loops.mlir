// Loops that run once are removed: LLVM takes minutes for hundreds of them.
// RUN: baco-opt %s --baco-lower-to-cpu | FileCheck %s
// CHECK-LABEL: llvm.func @unit(
// CHECK-NOT:     llvm.cond_br
// CHECK:         llvm.store
// CHECK-NOT:     llvm.cond_br
// CHECK:         llvm.return
func.func @unit(%A: memref<8x8xf32>, %x: f32) {
  affine.for %i = 0 to 1 {
    affine.for %j = affine_map<(d0) -> (d0 + 3)>(%i) to affine_map<(d0) -> (d0 + 4)>(%i) {
      affine.for %k = 2 to 4 step 2 {
        affine.store %x, %A[%j, %k] : memref<8x8xf32>
      }
    }
  }
  return
}
