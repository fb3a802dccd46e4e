// What is copied last, without being tiled any more, becomes vectors, too; and
// where a knob says that nothing is copied, no copy is looked for.
// RUN: baco-opt %s --baco-expand-recipes --baco-concretize='configuration={"P":1,"L":4}' \
// RUN:   | %stock-mlir-opt --transform-interpreter | FileCheck %s
// RUN: baco-opt %s --baco-expand-recipes --baco-concretize='configuration={"P":0,"L":8}' \
// RUN:   | %stock-mlir-opt --transform-interpreter | FileCheck %s --check-prefix=OFF

// CHECK-LABEL: func.func @copies
// CHECK: memref.alloc
// CHECK: vector.store %{{.*}} : memref<1x4xf32{{.*}}>, vector<4xf32>
// CHECK: vector.fma %{{.*}} : vector<16xf32>
// CHECK-NOT: linalg.{{.*}} ins(
// OFF-LABEL: func.func @copies
// OFF-NOT: memref.alloc
// OFF: vector.fma %{{.*}} : vector<16xf32>
// OFF-NOT: linalg.{{.*}} ins(
func.func @copies(%A: memref<60x32xf32>, %B: memref<32x16xf32>, %C: memref<60x16xf32>) {
  linalg.matmul {baco.recipe = #baco.recipe<[
      #baco.tile<sizes = [4, 0, 8]>,
      #baco.promote<operands = [0], enabled = #baco.knob<"P", #baco.ordinal<[0, 1]>>>,
      #baco.vectorize<copy_length = #baco.knob<"L", #baco.ordinal<[4, 8]>>>]>}
    ins(%A, %B : memref<60x32xf32>, memref<32x16xf32>) outs(%C : memref<60x16xf32>)
  return
}
