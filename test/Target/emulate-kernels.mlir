// Recipes for GPUs are right in the emulator, in several orders of blocks and
// threads: without and with shared memory, static and dynamic, views, element
// types of two bytes.
// RUN: baco-opt %s --baco-expand-recipes --baco-concretize \
// RUN:   --transform-interpreter --baco-lower-to-nvvm=format=llvm \
// RUN:   --baco-emulate-kernels=reference=%s -o /dev/null 2>&1 | FileCheck %s
// The same with other choices and drawn orders:
// RUN: baco-opt %s --baco-expand-recipes \
// RUN:   --baco-concretize='configuration={"BM": 32, "BK": 8, "V": 1, "P": 0}' \
// RUN:   --transform-interpreter --baco-lower-to-nvvm=format=llvm \
// RUN:   --baco-emulate-kernels='reference=%s orders=4 seed=7' -o /dev/null \
// RUN:   2>&1 | FileCheck %s --check-prefix=SIX
// Without either barrier of the product, there are races:
// RUN: baco-opt %s --baco-expand-recipes --baco-concretize \
// RUN:   --transform-interpreter -o %t.mlir
// RUN: awk '!/gpu.barrier/ || ++n != 1' %t.mlir > %t.first.mlir
// RUN: not baco-opt %t.first.mlir --baco-lower-to-nvvm=format=llvm \
// RUN:   --baco-emulate-kernels 2>&1 | FileCheck %s --check-prefix=FIRST
// RUN: awk '!/gpu.barrier/ || ++n != 2' %t.mlir > %t.second.mlir
// RUN: not baco-opt %t.second.mlir --baco-lower-to-nvvm=format=llvm \
// RUN:   --baco-emulate-kernels 2>&1 | FileCheck %s --check-prefix=SECOND

// CHECK: remark: baco-emulate-kernels: 'matmul' is right in 3 orders of blocks and threads
// CHECK: 'scale' is right in 3 orders
// CHECK: 'stencil' is right in 3 orders
// CHECK: 'batch' is right in 3 orders
// CHECK: 'squares' is right in 3 orders
// CHECK: 'halves' is right in 3 orders
// CHECK: 'dynamic' is right in 3 orders
// CHECK: 'brain' is right in 3 orders

// SIX-COUNT-8: is right in 6 orders of blocks and threads

// FIRST: error: baco-emulate-kernels: order 'forward': kernel 'matmul_kernel', {{.*}} races: it {{reads|writes}} shared memory '{{.*}}' at byte {{[0-9]+}}, which {{other threads|thread .*}} {{read|wrote}} without a barrier between
// SECOND: error: baco-emulate-kernels: order 'forward': kernel 'matmul_kernel', {{.*}} reads shared memory '{{.*}}' at byte {{[0-9]+}}, which no thread has written

#row = affine_map<(i, j) -> (i)>
#both = affine_map<(i, j) -> (i, j)>
#one = affine_map<(i) -> (i)>

func.func @matmul(%a: memref<64x64xf32>, %b: memref<64x64xf32>, %c: memref<64x64xf32>) {
  linalg.matmul {baco.recipe = #baco.recipe<[
      #baco.gpu_blocks<sizes = [#baco.knob<"BM", #baco.ordinal<[16, 32, 64], log>, default = 64>, 32, 0]>,
      #baco.tile<sizes = [0, 0, #baco.knob<"BK", #baco.ordinal<[8, 16, 32], log>, default = 16>]>,
      #baco.gpu_shared<operands = [0, 1],
        width = #baco.knob<"V", #baco.ordinal<[1, 2, 4], log>, default = 4>,
        padding = #baco.knob<"P", #baco.ordinal<[0, 4]>, default = 4>>,
      #baco.gpu_threads<sizes = [4, 4, 0]>,
      #baco.tile<sizes = [0, 0, 4]>,
      #baco.vectorize<>, #baco.hoist<>]>}
    ins(%a, %b : memref<64x64xf32>, memref<64x64xf32>) outs(%c : memref<64x64xf32>)
  return
}

func.func @scale(%x: memref<4096xf32>, %y: memref<4096xf32>) {
  %a = arith.constant 3.0 : f32
  linalg.generic {indexing_maps = [#one, #one], iterator_types = ["parallel"],
    baco.recipe = #baco.recipe<[#baco.gpu_blocks<sizes = [512]>, #baco.gpu_threads<sizes = [4]>, #baco.vectorize<>]>}
    ins(%x : memref<4096xf32>) outs(%y : memref<4096xf32>) {
  ^bb0(%u: f32, %v: f32):
    %p = arith.mulf %u, %a : f32
    linalg.yield %p : f32
  }
  return
}

func.func @stencil(%x: memref<66x66xf32>, %y: memref<64x64xf32>) {
  %a = arith.constant 0.25 : f32
  %n = memref.subview %x[0, 1] [64, 64] [1, 1] : memref<66x66xf32> to memref<64x64xf32, strided<[66, 1], offset: 1>>
  %s = memref.subview %x[2, 1] [64, 64] [1, 1] : memref<66x66xf32> to memref<64x64xf32, strided<[66, 1], offset: 133>>
  linalg.generic {indexing_maps = [#both, #both, #both], iterator_types = ["parallel", "parallel"],
    baco.recipe = #baco.recipe<[#baco.gpu_blocks<sizes = [16, 32]>, #baco.gpu_threads<sizes = [1, 2]>]>}
    ins(%n, %s : memref<64x64xf32, strided<[66, 1], offset: 1>>, memref<64x64xf32, strided<[66, 1], offset: 133>>) outs(%y : memref<64x64xf32>) {
  ^bb0(%u: f32, %v: f32, %o: f32):
    %0 = arith.addf %u, %v : f32
    %3 = arith.mulf %0, %a : f32
    linalg.yield %3 : f32
  }
  return
}

func.func @batch(%a: memref<4x32x64xf32>, %b: memref<4x64x32xf32>, %c: memref<4x32x32xf32>) {
  linalg.batch_matmul {baco.recipe = #baco.recipe<[#baco.gpu_blocks<sizes = [1, 16, 32, 0]>,
    #baco.tile<sizes = [0, 0, 0, 16]>, #baco.gpu_shared<operands = [0, 1], width = 4, padding = 4>,
    #baco.gpu_threads<sizes = [1, 4, 4, 0]>, #baco.vectorize<>, #baco.hoist<>]>}
    ins(%a, %b : memref<4x32x64xf32>, memref<4x64x32xf32>) outs(%c : memref<4x32x32xf32>)
  return
}

func.func @squares(%x: memref<64x256xf32>, %y: memref<64xf32>) {
  linalg.generic {indexing_maps = [#both, #row], iterator_types = ["parallel", "reduction"],
    baco.recipe = #baco.recipe<[#baco.gpu_blocks<sizes = [16, 0]>, #baco.gpu_threads<sizes = [1, 0]>]>}
    ins(%x : memref<64x256xf32>) outs(%y : memref<64xf32>) {
  ^bb0(%u: f32, %o: f32):
    %p = arith.mulf %u, %u : f32
    %q = arith.addf %p, %o : f32
    linalg.yield %q : f32
  }
  return
}

func.func @halves(%a: memref<64x64xf16>, %b: memref<64x64xf16>, %c: memref<64x64xf16>) {
  linalg.matmul {baco.recipe = #baco.recipe<[#baco.gpu_blocks<sizes = [32, 32, 0]>,
    #baco.tile<sizes = [0, 0, 16]>, #baco.gpu_shared<operands = [0, 1], width = 8, padding = 8>,
    #baco.gpu_threads<sizes = [4, 4, 0]>, #baco.vectorize<>, #baco.hoist<>]>}
    ins(%a, %b : memref<64x64xf16>, memref<64x64xf16>) outs(%c : memref<64x64xf16>)
  return
}

func.func @dynamic(%a: memref<128x128xf32>, %b: memref<128x128xf32>, %c: memref<128x128xf32>) {
  linalg.matmul {baco.recipe = #baco.recipe<[#baco.gpu_blocks<sizes = [128, 128, 0]>,
    #baco.tile<sizes = [0, 0, 64]>, #baco.gpu_shared<operands = [0, 1], width = 4, padding = 4, limit = 232448>,
    #baco.gpu_threads<sizes = [8, 8, 0]>, #baco.tile<sizes = [0, 0, 4]>, #baco.vectorize<>, #baco.hoist<>]>}
    ins(%a, %b : memref<128x128xf32>, memref<128x128xf32>) outs(%c : memref<128x128xf32>)
  return
}

func.func @brain(%a: memref<64x64xbf16>, %b: memref<64x64xbf16>, %c: memref<64x64xf32>) {
  linalg.matmul {baco.recipe = #baco.recipe<[#baco.gpu_blocks<sizes = [32, 32, 0]>,
    #baco.tile<sizes = [0, 0, 16]>, #baco.gpu_shared<operands = [0, 1], width = 8, padding = 8>,
    #baco.gpu_threads<sizes = [4, 4, 0]>, #baco.vectorize<>, #baco.hoist<>]>}
    ins(%a, %b : memref<64x64xbf16>, memref<64x64xbf16>) outs(%c : memref<64x64xf32>)
  return
}
