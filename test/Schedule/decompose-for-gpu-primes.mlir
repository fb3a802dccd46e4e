// Extents that nothing divides are padded, a reduction gets a last chunk that is
// smaller; a softmax and a copy become linalg ops, and rows that follow each other in
// memory one iterator. All are right in the emulator.
// RUN: baco-opt %s --baco-decompose-for-gpu -o %t.ops.mlir
// RUN: baco-opt %t.ops.mlir --baco-annotate=target=nvvm -o %t.mlir
// RUN: %one-line-recipes %t.mlir | FileCheck %s --check-prefix=RECIPE
// RUN: baco-opt %t.mlir --baco-expand-recipes --baco-concretize \
// RUN:   --transform-interpreter --baco-lower-to-nvvm=format=llvm \
// RUN:   --baco-emulate-kernels=reference=%t.ops.mlir -o /dev/null 2>&1 | FileCheck %s

// CHECK-DAG: remark: baco-emulate-kernels: 'scale' is right in 3 orders
// CHECK-DAG: 'sum' is right in 3 orders
// CHECK-DAG: 'product' is right in 3 orders
// CHECK-DAG: 'softmax' is right in 3 orders
// CHECK-DAG: 'rows' is right in 3 orders
// CHECK-DAG: 'copy' is right in 3 orders

// RECIPE-LABEL: func.func @scale(
// RECIPE: memref.collapse_shape {{.*}} into memref<5155xf32>
// RECIPE: #baco.gpu_pad<extents = [5376]>
// RECIPE-SAME: #baco.gpu_blocks<sizes = [#baco.knob<"BX", {{.*}}, default = 256>]>
func.func @scale(%x: memref<5x1031xf32>, %y: memref<5x1031xf32>, %a: f32) {
  linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>],
                  iterator_types = ["parallel", "parallel"]}
    ins(%x : memref<5x1031xf32>) outs(%y : memref<5x1031xf32>) {
  ^bb0(%u: f32, %o: f32):
    %v = arith.mulf %u, %a : f32
    linalg.yield %v : f32
  }
  return
}

// RECIPE-LABEL: func.func @sum(
// RECIPE: #baco.gpu_reduce<chunk = #baco.knob<"C", {{.*}}, default = 256>, run = #baco.knob<"R", {{.*}}, default = 8>
func.func @sum(%x: memref<4099xf32>, %s: memref<f32>) {
  linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> ()>],
                  iterator_types = ["reduction"]}
    ins(%x : memref<4099xf32>) outs(%s : memref<f32>) {
  ^bb0(%u: f32, %sum: f32):
    %w = arith.addf %u, %sum : f32
    linalg.yield %w : f32
  }
  return
}

// RECIPE-LABEL: func.func @product(
// RECIPE: #baco.gpu_pad<extents = [5, 1088, 7]>
func.func @product(%a: memref<5x7xf32>, %b: memref<7x1031xf32>, %c: memref<5x1031xf32>) {
  linalg.matmul ins(%a, %b : memref<5x7xf32>, memref<7x1031xf32>)
    outs(%c : memref<5x1031xf32>)
  return
}

// RECIPE-LABEL: func.func @softmax(
// RECIPE-COUNT-6: baco.recipe
// RECIPE-NOT: linalg.softmax
func.func @softmax(%x: memref<5x1031xf32>, %y: memref<5x1031xf32>) {
  linalg.softmax dimension(0) ins(%x : memref<5x1031xf32>) outs(%y : memref<5x1031xf32>)
  return
}

// Along rows, they are one kernel.
// RECIPE-LABEL: func.func @rows(
// RECIPE: #baco.gpu_rows<
// RECIPE-NOT: baco.recipe
func.func @rows(%x: memref<5x1031xf32>, %y: memref<5x1031xf32>) {
  linalg.softmax dimension(1) ins(%x : memref<5x1031xf32>) outs(%y : memref<5x1031xf32>)
  return
}

// RECIPE-LABEL: func.func @copy(
// RECIPE: linalg.copy {baco.recipe
func.func @copy(%x: memref<64x64xf32>, %y: memref<64x64xf32>) {
  memref.copy %x, %y : memref<64x64xf32> to memref<64x64xf32>
  return
}
