// Tiles of inputs that are read through windows are in shared memory with their
// borders, and right in the emulator: of convolutions with strides and dilations,
// with channels in steps, and of stencils.
// RUN: baco-opt %s --baco-expand-recipes --baco-extract-space -o /dev/null \
// RUN:   | FileCheck %s --check-prefix=SPACE
// RUN: baco-opt %s --baco-expand-recipes --baco-concretize \
// RUN:   --transform-interpreter -o %t.mlir
// RUN: FileCheck %s --check-prefix=KERNEL < %t.mlir
// RUN: baco-opt %t.mlir --baco-lower-to-nvvm=format=llvm \
// RUN:   --baco-emulate-kernels=reference=%s -o /dev/null 2>&1 | FileCheck %s
// RUN: baco-opt %s --baco-expand-recipes \
// RUN:   --baco-concretize='configuration={"BX": 32, "V": 1}' \
// RUN:   --transform-interpreter --baco-lower-to-nvvm=format=llvm \
// RUN:   --baco-emulate-kernels=reference=%s -o /dev/null 2>&1 | FileCheck %s
// Others' copies aren't there yet without the barrier behind them:
// RUN: awk '!/gpu.barrier/' %t.mlir > %t.barrier.mlir
// RUN: not baco-opt %t.barrier.mlir --baco-lower-to-nvvm=format=llvm \
// RUN:   --baco-emulate-kernels 2>&1 | FileCheck %s --check-prefix=BARRIER

// SPACE-DAG: "divides(V, (BX + 2))"
// SPACE-DAG: "40 * (BX + 2) <= 2000"

// KERNEL-LABEL: func.func @stencil(
// KERNEL: workgroup(%{{.*}} : memref<10x18xf32, #gpu.address_space<workgroup>>)
// KERNEL-LABEL: func.func @strides(
// KERNEL: workgroup(%{{.*}} : memref<1x11x11x4xf32, #gpu.address_space<workgroup>>, %{{.*}} : memref<3x3x4x16xf32, #gpu.address_space<workgroup>>)

// CHECK: remark: baco-emulate-kernels: 'stencil' is right in 3 orders
// CHECK: 'strides' is right in 3 orders

// BARRIER: error: baco-emulate-kernels: order 'forward': kernel 'stencil_kernel', {{.*}} shared memory

func.func @stencil(%x: memref<66x66xf32>, %k: memref<3x3xf32>, %y: memref<64x64xf32>) {
  linalg.conv_2d {baco.recipe = #baco.recipe<[
      #baco.gpu_blocks<sizes = [8, #baco.knob<"BX", #baco.ordinal<[16, 32]>>, 0, 0]>,
      #baco.gpu_shared<operands = [0], width = #baco.knob<"V", #baco.ordinal<[1, 2, 4]>, default = 2>, limit = 2000>,
      #baco.gpu_threads<sizes = [1, 2, 0, 0]>]>}
    ins(%x, %k : memref<66x66xf32>, memref<3x3xf32>) outs(%y : memref<64x64xf32>)
  return
}

// Of 4 x 4 results with a stride of 2 and neighbors at a distance of 2: 3 * 2 +
// 2 * 2 + 1 rows.
func.func @strides(%x: memref<2x19x19x8xf32>, %k: memref<3x3x8x32xf32>, %y: memref<2x8x8x32xf32>) {
  linalg.conv_2d_nhwc_hwcf {dilations = dense<2> : tensor<2xi64>, strides = dense<2> : tensor<2xi64>,
    baco.recipe = #baco.recipe<[
      #baco.gpu_blocks<sizes = [0, 4, 4, 16, 0, 0, 0]>,
      #baco.tile<sizes = [1, 0, 0, 0, 0, 0, 4]>,
      #baco.gpu_shared<operands = [0, 1], width = 4>,
      #baco.gpu_threads<sizes = [0, 1, 1, 2, 0, 0, 0]>]>}
    ins(%x, %k : memref<2x19x19x8xf32>, memref<3x3x8x32xf32>) outs(%y : memref<2x8x8x32xf32>)
  return
}
