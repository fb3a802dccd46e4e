// A view begins between two vectors: its tiles are copied by registers, those of the other operand, too.
// Right in the emulator, which checks that accesses are aligned.
// RUN: baco-opt %s --baco-expand-recipes --transform-interpreter -o %t.mlir
// RUN: FileCheck %s < %t.mlir
// RUN: baco-opt %t.mlir --baco-lower-to-nvvm=format=llvm \
// RUN:   --baco-emulate-kernels=reference=%s -o /dev/null 2>&1 | FileCheck %s --check-prefix=RIGHT

// CHECK-LABEL: func.func @view(
// CHECK-NOT:     nvgpu.device_async_copy
// CHECK-LABEL: func.func @aligned(
// CHECK:         nvgpu.device_async_copy

// RIGHT: 'view' is right in 3 orders
// RIGHT: 'aligned' is right in 3 orders

func.func @view(%all: memref<64x40xf32>, %b: memref<32x32xf32>, %c: memref<64x32xf32>) {
  %a = memref.subview %all[0, 2] [64, 32] [1, 1] : memref<64x40xf32> to memref<64x32xf32, strided<[40, 1], offset: 2>>
  linalg.matmul {baco.recipe = #baco.recipe<[
      #baco.gpu_blocks<sizes = [16, 16, 0]>, #baco.tile<sizes = [0, 0, 8]>,
      #baco.gpu_shared<operands = [0, 1], width = 4, stages = 2>,
      #baco.gpu_threads<sizes = [2, 4, 0]>]>}
    ins(%a, %b : memref<64x32xf32, strided<[40, 1], offset: 2>>, memref<32x32xf32>) outs(%c : memref<64x32xf32>)
  return
}

func.func @aligned(%all: memref<64x40xf32>, %b: memref<32x32xf32>, %c: memref<64x32xf32>) {
  %a = memref.subview %all[0, 4] [64, 32] [1, 1] : memref<64x40xf32> to memref<64x32xf32, strided<[40, 1], offset: 4>>
  linalg.matmul {baco.recipe = #baco.recipe<[
      #baco.gpu_blocks<sizes = [16, 16, 0]>, #baco.tile<sizes = [0, 0, 8]>,
      #baco.gpu_shared<operands = [0, 1], width = 4, stages = 2>,
      #baco.gpu_threads<sizes = [2, 4, 0]>]>}
    ins(%a, %b : memref<64x32xf32, strided<[40, 1], offset: 4>>, memref<32x32xf32>) outs(%c : memref<64x32xf32>)
  return
}
