// A barrier before copies to shared memory is only there if others may still read
// what an iteration before has copied. The emulator sees that the rest is enough.
// RUN: baco-opt %s --baco-expand-recipes --transform-interpreter -o %t.mlir
// RUN: baco-opt %t.mlir --baco-lower-to-nvvm=format=llvm \
// RUN:   --baco-emulate-kernels=reference=%s -o /dev/null 2>&1 | FileCheck %s --check-prefix=RIGHT
// RUN: baco-opt %t.mlir --baco-lower-to-nvvm | FileCheck %s

// RIGHT: remark: baco-emulate-kernels: 'once' is right in 3 orders
// RIGHT: 'steps' is right in 3 orders
// RIGHT: 'tiles' is right in 3 orders

// CHECK:      gpu.binary @once_kernel
// CHECK-SAME: bar.sync
// CHECK-NOT:  bar.sync
// CHECK:      gpu.binary @steps_kernel
// CHECK-SAME: bar.sync
// CHECK-SAME: bar.sync
// CHECK-NOT:  bar.sync
// CHECK:      gpu.binary @tiles_kernel
// CHECK-SAME: bar.sync
// CHECK-SAME: bar.sync
// CHECK-NOT:  bar.sync

// The sum is one tile long.
func.func @once(%a: memref<32x32xf32>, %b: memref<32x32xf32>, %c: memref<32x32xf32>) {
  linalg.matmul {baco.recipe = #baco.recipe<[
      #baco.gpu_blocks<sizes = [16, 16, 0]>, #baco.tile<sizes = [0, 0, 32]>,
      #baco.gpu_shared<operands = [0, 1], width = 4>,
      #baco.gpu_threads<sizes = [2, 2, 0]>, #baco.tile<sizes = [0, 0, 4]>,
      #baco.vectorize<>, #baco.hoist<>]>}
    ins(%a, %b : memref<32x32xf32>, memref<32x32xf32>) outs(%c : memref<32x32xf32>)
  return
}

func.func @steps(%a: memref<32x32xf32>, %b: memref<32x32xf32>, %c: memref<32x32xf32>) {
  linalg.matmul {baco.recipe = #baco.recipe<[
      #baco.gpu_blocks<sizes = [16, 16, 0]>, #baco.tile<sizes = [0, 0, 8]>,
      #baco.gpu_shared<operands = [0, 1], width = 4>,
      #baco.gpu_threads<sizes = [2, 2, 0]>, #baco.tile<sizes = [0, 0, 4]>,
      #baco.vectorize<>, #baco.hoist<>]>}
    ins(%a, %b : memref<32x32xf32>, memref<32x32xf32>) outs(%c : memref<32x32xf32>)
  return
}

// The sum is one tile long, but a block has two tiles of the result.
func.func @tiles(%a: memref<32x32xf32>, %b: memref<32x32xf32>, %c: memref<32x32xf32>) {
  linalg.matmul {baco.recipe = #baco.recipe<[
      #baco.gpu_blocks<sizes = [16, 16, 0], global = [8, 8, 0], local = [8, 8, 0]>,
      #baco.tile<sizes = [0, 0, 32]>,
      #baco.gpu_shared<operands = [0, 1], width = 4>,
      #baco.gpu_threads<sizes = [2, 2, 0], local = [8, 8, 0]>, #baco.tile<sizes = [0, 0, 4]>,
      #baco.vectorize<>, #baco.hoist<>]>}
    ins(%a, %b : memref<32x32xf32>, memref<32x32xf32>) outs(%c : memref<32x32xf32>)
  return
}
