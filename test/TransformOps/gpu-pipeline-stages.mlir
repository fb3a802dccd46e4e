// Tiles that are copied ahead by cp.async are right in the emulator: in two, three
// and four stages, in elements of two bytes, in blocks that have several tiles;
// and so are copies by registers, where cp.async can't copy, and by runs of elements.
// RUN: baco-opt %s --baco-expand-recipes --baco-concretize \
// RUN:   --transform-interpreter -o %t.mlir
// RUN: baco-opt %t.mlir --baco-lower-to-nvvm=format=llvm \
// RUN:   --baco-emulate-kernels=reference=%s -o /dev/null 2>&1 | FileCheck %s
// RUN: baco-opt %t.mlir --baco-lower-to-nvvm | FileCheck %s --check-prefix=PTX
// RUN: baco-opt %s --baco-expand-recipes \
// RUN:   --baco-concretize='configuration={"S": 4, "R": 4}' \
// RUN:   --transform-interpreter --baco-lower-to-nvvm=format=llvm \
// RUN:   --baco-emulate-kernels=reference=%s -o /dev/null 2>&1 | FileCheck %s
// One stage is one of loads and stores:
// RUN: baco-opt %s --baco-expand-recipes \
// RUN:   --baco-concretize='configuration={"S": 1}' \
// RUN:   --transform-interpreter -o %t.one.mlir
// RUN: FileCheck %s --check-prefix=ONE < %t.one.mlir
// Without the barrier of an iteration, other threads' copies aren't there yet:
// RUN: awk '!/gpu.barrier/ || ++n != 1' %t.mlir > %t.barrier.mlir
// RUN: not baco-opt %t.barrier.mlir --baco-lower-to-nvvm=format=llvm \
// RUN:   --baco-emulate-kernels 2>&1 | FileCheck %s --check-prefix=BARRIER
// If one more group may be pending, a copy isn't done:
// RUN: awk '/wait.group/ && ++n == 1 { sub("wait.group 1", "wait.group 2") } 1' \
// RUN:   %t.mlir > %t.wait.mlir
// RUN: not baco-opt %t.wait.mlir --baco-lower-to-nvvm=format=llvm \
// RUN:   --baco-emulate-kernels 2>&1 | FileCheck %s --check-prefix=WAIT

// CHECK: remark: baco-emulate-kernels: 'stages' is right in 3 orders
// CHECK: 'halves' is right in 3 orders
// CHECK: 'several' is right in 3 orders
// CHECK: 'registers' is right in 3 orders
// CHECK: 'runs' is right in 3 orders

// PTX:      gpu.binary @stages_kernel
// PTX-SAME: cp.async.cg.shared.global
// PTX-SAME: cp.async.commit_group
// PTX-SAME: cp.async.wait_group
// The accumulators are in registers: they are stored behind the loop only.
// PTX-NOT:  st.global
// PTX-SAME: @%p{{[0-9]+}} bra
// PTX-SAME: st.global

// ONE-LABEL: func.func @stages
// ONE-NOT:   nvgpu.
// ONE:       func.func @halves

// BARRIER: error: baco-emulate-kernels: order 'forward': kernel 'stages_kernel', {{.*}} {{reads|races}}
// WAIT: error: baco-emulate-kernels: order 'forward': kernel 'stages_kernel', {{.*}} where a copy of thread

func.func @stages(%a: memref<64x64xf32>, %b: memref<64x64xf32>, %c: memref<64x64xf32>) {
  linalg.matmul {baco.recipe = #baco.recipe<[
      #baco.gpu_blocks<sizes = [32, 32, 0]>,
      #baco.tile<sizes = [0, 0, 8]>,
      #baco.gpu_shared<operands = [0, 1], width = 4, padding = 4,
        stages = #baco.knob<"S", #baco.ordinal<[1, 2, 3, 4]>, default = 3>>,
      #baco.gpu_threads<sizes = [4, 4, 0]>,
      #baco.vectorize<>, #baco.hoist<>]>}
    ins(%a, %b : memref<64x64xf32>, memref<64x64xf32>) outs(%c : memref<64x64xf32>)
  return
}

func.func @halves(%a: memref<64x64xf16>, %b: memref<64x64xf16>, %c: memref<64x64xf16>) {
  linalg.matmul {baco.recipe = #baco.recipe<[
      #baco.gpu_blocks<sizes = [32, 32, 0]>,
      #baco.tile<sizes = [0, 0, 16]>,
      #baco.gpu_shared<operands = [0, 1], width = 2, stages = 2>,
      #baco.gpu_threads<sizes = [4, 4, 0]>,
      #baco.vectorize<>, #baco.hoist<>]>}
    ins(%a, %b : memref<64x64xf16>, memref<64x64xf16>) outs(%c : memref<64x64xf16>)
  return
}

func.func @several(%a: memref<64x64xf32>, %b: memref<64x64xf32>, %c: memref<64x64xf32>) {
  linalg.matmul {baco.recipe = #baco.recipe<[
      #baco.gpu_blocks<sizes = [16, 16, 0], global = [16, 16, 0], local = [8, 8, 0]>,
      #baco.tile<sizes = [0, 0, 16]>,
      #baco.gpu_shared<operands = [0, 1], width = 1, stages = 2>,
      #baco.gpu_threads<sizes = [2, 1, 0], local = [4, 8, 0]>,
      #baco.vectorize<>, #baco.hoist<>]>}
    ins(%a, %b : memref<64x64xf32>, memref<64x64xf32>) outs(%c : memref<64x64xf32>)
  return
}

// Rows of 61 elements of two bytes begin at no vector of four bytes. Not all threads
// have two elements of a tile.
func.func @registers(%a: memref<61x61xf16>, %b: memref<61x61xf16>, %c: memref<61x61xf16>) {
  linalg.matmul {baco.recipe = #baco.recipe<[
      #baco.gpu_pad<extents = [64, 64, 64]>,
      #baco.gpu_blocks<sizes = [32, 16, 0]>,
      #baco.tile<sizes = [0, 0, 4]>,
      #baco.gpu_shared<operands = [0, 1], width = 2, stages = 2>,
      #baco.gpu_threads<sizes = [4, 1, 0]>,
      #baco.vectorize<>, #baco.hoist<>]>}
    ins(%a, %b : memref<61x61xf16>, memref<61x61xf16>) outs(%c : memref<61x61xf16>)
  return
}

func.func @runs(%a: memref<64x64xf32>, %b: memref<64x64xf32>, %c: memref<64x64xf32>) {
  linalg.matmul {baco.recipe = #baco.recipe<[
      #baco.gpu_blocks<sizes = [32, 16, 0]>,
      #baco.tile<sizes = [0, 0, 4]>,
      #baco.gpu_shared<operands = [0, 1], run = #baco.knob<"R", #baco.ordinal<[4, 8, 32]>, default = 32>>,
      #baco.gpu_threads<sizes = [4, 4, 0]>,
      #baco.vectorize<>, #baco.hoist<>]>}
    ins(%a, %b : memref<64x64xf32>, memref<64x64xf32>) outs(%c : memref<64x64xf32>)
  return
}
