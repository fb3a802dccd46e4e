// Products on tensor cores of bf16 and of f32 rounded to tf32, with sums in f16, of a batch, and of
// operands whose rows are along the sum or not, are right in the emulator.
// RUN: baco-opt %s --baco-expand-recipes --transform-interpreter -o %t.mlir
// RUN: baco-opt %t.mlir --baco-lower-to-nvvm=format=llvm \
// RUN:   --baco-emulate-kernels=reference=%s -o /dev/null 2>&1 | FileCheck %s
// RUN: baco-opt %t.mlir --baco-lower-to-nvvm | FileCheck %s --check-prefix=PTX
// Older chips don't have the instructions:
// RUN: not baco-opt %t.mlir --baco-lower-to-nvvm=chip=sm_75 2>&1 \
// RUN:   | FileCheck %s --check-prefix=OLD
// RUN: not baco-opt %t.mlir --baco-lower-to-nvvm=chip=sm_70 2>&1 \
// RUN:   | FileCheck %s --check-prefix=OLDER
// Places in a fragment that are wrong:
// RUN: awk '/nvgpu.ldmatrix/ && ++n == 1 { sub("transpose = false", "transpose = true") } 1' \
// RUN:   %t.mlir > %t.wrong.mlir
// RUN: not baco-opt %t.wrong.mlir --baco-lower-to-nvvm=format=llvm \
// RUN:   --baco-emulate-kernels=reference=%s -o /dev/null 2>&1 | FileCheck %s --check-prefix=WRONG

// CHECK: remark: baco-emulate-kernels: 'bf16' is right in 3 orders
// CHECK: 'tf32' is right in 3 orders
// CHECK: 'batch' is right in 3 orders
// CHECK: 'transposed' is right in 3 orders
// CHECK: 'along' is right in 3 orders
// CHECK: 'sums' is right in 3 orders

// OLD: error: 'nvvm.mma.sync' in a kernel needs an sm_80 or later, but the chip is an sm_75
// OLDER: error: 'nvgpu.ldmatrix' in a kernel needs an sm_75 or later, but the chip is an sm_70

// WRONG: error: baco-emulate-kernels: order 'forward': argument 2 differs

// PTX:      gpu.binary @bf16_kernel
// PTX-SAME: ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16
// PTX-SAME: mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32
// PTX:      gpu.binary @tf32_kernel
// PTX-SAME: cp.async
// PTX-SAME: ldmatrix.sync.aligned.m8n8.x4.shared.b16
// PTX-SAME: cvt.rna.tf32.f32
// PTX-SAME: mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32
// PTX:      gpu.binary @batch_kernel
// PTX-SAME: ldmatrix.sync.aligned.m8n8.x2.trans.shared.b16
// PTX-SAME: mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32
// PTX:      gpu.binary @transposed_kernel
// PTX-SAME: ldmatrix.sync.aligned.m8n8.x4.{{(trans.)?}}shared.b16
// PTX-SAME: ldmatrix.sync.aligned.m8n8.x4.{{(trans.)?}}shared.b16
// PTX:      gpu.binary @along_kernel
// PTX-SAME: ldmatrix.sync.aligned.m8n8.x4.shared.b16
// PTX:      gpu.binary @sums_kernel
// PTX-SAME: mma.sync.aligned.m16n8k16.row.col.f16.f16.f16.f16

func.func @bf16(%a: memref<64x64xbf16>, %b: memref<64x64xbf16>, %c: memref<64x64xf32>) {
  linalg.matmul {baco.recipe = #baco.recipe<[
      #baco.gpu_blocks<sizes = [32, 32, 0]>, #baco.tile<sizes = [0, 0, 32]>,
      #baco.gpu_shared<operands = [0, 1], width = 8, padding = 8>,
      #baco.gpu_mma<sizes = [32, 16, 0]>]>}
    ins(%a, %b : memref<64x64xbf16>, memref<64x64xbf16>) outs(%c : memref<64x64xf32>)
  return
}

func.func @tf32(%a: memref<64x64xf32>, %b: memref<64x64xf32>, %c: memref<64x64xf32>) {
  linalg.matmul {baco.tf32, baco.recipe = #baco.recipe<[
      #baco.gpu_blocks<sizes = [32, 32, 0]>, #baco.tile<sizes = [0, 0, 16]>,
      #baco.gpu_shared<operands = [0, 1], width = 4, padding = 8, stages = 3>,
      #baco.gpu_mma<sizes = [16, 16, 0]>]>}
    ins(%a, %b : memref<64x64xf32>, memref<64x64xf32>) outs(%c : memref<64x64xf32>)
  return
}

func.func @batch(%a: memref<3x32x32xf16>, %b: memref<3x32x32xf16>, %c: memref<3x32x32xf32>) {
  linalg.batch_matmul {baco.recipe = #baco.recipe<[
      #baco.gpu_blocks<sizes = [1, 32, 16, 0]>, #baco.tile<sizes = [0, 0, 0, 16]>,
      #baco.gpu_shared<operands = [0, 1], width = 8, padding = 8, stages = 2>,
      #baco.gpu_mma<sizes = [1, 16, 8, 0]>]>}
    ins(%a, %b : memref<3x32x32xf16>, memref<3x32x32xf16>) outs(%c : memref<3x32x32xf32>)
  return
}

// A is stored by columns, and B too.
func.func @transposed(%a: memref<64x64xf16>, %b: memref<64x64xf16>, %c: memref<64x64xf32>) {
  linalg.matmul
    indexing_maps = [affine_map<(m, n, k) -> (k, m)>, affine_map<(m, n, k) -> (n, k)>,
                     affine_map<(m, n, k) -> (m, n)>]
    {baco.recipe = #baco.recipe<[
      #baco.gpu_blocks<sizes = [32, 32, 0]>, #baco.tile<sizes = [0, 0, 16]>,
      #baco.gpu_shared<operands = [0, 1], width = 8, padding = 8>,
      #baco.gpu_mma<sizes = [16, 16, 0]>]>}
    ins(%a, %b : memref<64x64xf16>, memref<64x64xf16>) outs(%c : memref<64x64xf32>)
  return
}

// The same for elements that matrices of 16 bits can't transpose.
func.func @along(%a: memref<64x64xf32>, %b: memref<64x64xf32>, %c: memref<64x64xf32>) {
  linalg.matmul
    indexing_maps = [affine_map<(m, n, k) -> (k, m)>, affine_map<(m, n, k) -> (n, k)>,
                     affine_map<(m, n, k) -> (m, n)>]
    {baco.tf32, baco.recipe = #baco.recipe<[
      #baco.gpu_blocks<sizes = [32, 32, 0]>, #baco.tile<sizes = [0, 0, 16]>,
      #baco.gpu_shared<operands = [0, 1], width = 4, padding = 4>,
      #baco.gpu_mma<sizes = [16, 16, 0]>]>}
    ins(%a, %b : memref<64x64xf32>, memref<64x64xf32>) outs(%c : memref<64x64xf32>)
  return
}

// Two neighbors are a register; the rows of the result end at odd elements.
func.func @sums(%a: memref<61x64xf16>, %b: memref<64x59xf16>, %c: memref<61x59xf16>) {
  linalg.matmul {baco.recipe = #baco.recipe<[
      #baco.gpu_pad<extents = [64, 64, 0]>,
      #baco.gpu_blocks<sizes = [32, 32, 0]>, #baco.tile<sizes = [0, 0, 32]>,
      #baco.gpu_shared<operands = [0, 1], width = 8, padding = 8>,
      #baco.gpu_mma<sizes = [32, 16, 0]>]>}
    ins(%a, %b : memref<61x64xf16>, memref<64x59xf16>) outs(%c : memref<61x59xf16>)
  return
}
