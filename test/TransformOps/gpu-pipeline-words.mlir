// Rows of an odd number of halves: every second one begins at a word, and is copied by
// cp.async, while the others are loaded to registers and shifted. Right in the emulator.
// RUN: baco-opt %s --baco-expand-recipes --baco-concretize --transform-interpreter -o %t.mlir
// RUN: FileCheck %s < %t.mlir
// RUN: baco-opt %t.mlir --baco-lower-to-nvvm=format=llvm \
// RUN:   --baco-emulate-kernels=reference=%s -o /dev/null 2>&1 | FileCheck %s --check-prefix=RIGHT
// Without the wait of an iteration, words aren't there yet:
// RUN: grep -v wait.group %t.mlir > %t.wait.mlir
// RUN: not baco-opt %t.wait.mlir --baco-lower-to-nvvm=format=llvm \
// RUN:   --baco-emulate-kernels 2>&1 | FileCheck %s --check-prefix=WAIT

// RIGHT: 'odd' is right in 3 orders
// RIGHT: 'left' is right in 3 orders
// WAIT: error: baco-emulate-kernels: order 'forward': kernel 'odd_kernel', {{.*}} where a copy of thread

// CHECK-LABEL: func.func @odd(
// CHECK:       nvvm.cp.async.commit.group
// CHECK:       scf.for
// CHECK:         nvvm.cp.async.wait.group 0
// CHECK-NEXT:    gpu.barrier
// CHECK:         nvgpu.device_async_copy %arg0{{.*}}, 2, %{{.*}} : memref<61x93xf16>
// CHECK:         nvgpu.device_async_copy %arg1{{.*}}, 2, %{{.*}} : memref<93x59xf16>
// CHECK:         nvvm.cp.async.commit.group
// CHECK:         vector.load {{.*}} vector<16xf16>
// CHECK:         nvvm.mma.sync
// CHECK:         llvm.intr.fshr
func.func @odd(%a: memref<61x93xf16>, %b: memref<93x59xf16>, %c: memref<61x59xf32>) {
  linalg.matmul {baco.recipe = #baco.recipe<[
      #baco.gpu_pad<extents = [64, 64, 96]>,
      #baco.gpu_blocks<sizes = [32, #baco.knob<"N", #baco.ordinal<[32, 64]>, default = 64>, 0]>,
      #baco.tile<sizes = [0, 0, 32]>,
      #baco.gpu_shared<operands = [0, 1], width = 8, padding = 8, stages = 2>,
      #baco.gpu_mma<sizes = [16, 16, 0]>]>}
    ins(%a, %b : memref<61x93xf16>, memref<93x59xf16>) outs(%c : memref<61x59xf32>)
  return
}

// Only the rows of one operand are odd. Those of the other one are loaded to registers.
// CHECK-LABEL: func.func @left(
// CHECK:       nvgpu.device_async_copy %arg0
// CHECK-NOT:   nvgpu.device_async_copy %arg1
// CHECK:       gpu.terminator
func.func @left(%a: memref<32x93xbf16>, %b: memref<93x64xbf16>, %c: memref<32x64xf32>) {
  linalg.matmul {baco.recipe = #baco.recipe<[
      #baco.gpu_pad<extents = [0, 0, 96]>,
      #baco.gpu_blocks<sizes = [32, #baco.knob<"L", #baco.ordinal<[32, 64]>, default = 64>, 0]>,
      #baco.tile<sizes = [0, 0, 32]>,
      #baco.gpu_shared<operands = [0, 1], width = 8, padding = 8, stages = 2>,
      #baco.gpu_mma<sizes = [16, 16, 0]>]>}
    ins(%a, %b : memref<32x93xbf16>, memref<93x64xbf16>) outs(%c : memref<32x64xf32>)
  return
}
