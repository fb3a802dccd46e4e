// Sums in parts are right in the emulator, with extents that are padded, on threads and
// on tensor cores.
// RUN: baco-opt %s --baco-expand-recipes --baco-concretize --transform-interpreter -o %t.mlir
// RUN: baco-opt %t.mlir --baco-lower-to-nvvm=format=llvm \
// RUN:   --baco-emulate-kernels=reference=%s -o /dev/null 2>&1 | FileCheck %s
// Other parts, of which one is the whole sum:
// RUN: baco-opt %s --baco-expand-recipes --baco-concretize='configuration={"F": 512, "H": 64}' \
// RUN:   --transform-interpreter --baco-lower-to-nvvm=format=llvm \
// RUN:   --baco-emulate-kernels=reference=%s -o /dev/null 2>&1 | FileCheck %s
// Without the barrier behind the zeros, a thread may add before another one sets them:
// RUN: awk '!/gpu.barrier/ || ++n != 1' %t.mlir > %t.first.mlir
// RUN: not baco-opt %t.first.mlir --baco-lower-to-nvvm=format=llvm \
// RUN:   --baco-emulate-kernels=reference=%s -o /dev/null 2>&1 | FileCheck %s --check-prefix=RACE
// Blocks that add to the same part write over each other:
// RUN: sed 's/%block_id_z = gpu.block_id  z/%block_id_z = arith.constant 0 : index/' %t.mlir > %t.same.mlir
// RUN: not baco-opt %t.same.mlir --baco-lower-to-nvvm=format=llvm \
// RUN:   --baco-emulate-kernels=reference=%s -o /dev/null 2>&1 | FileCheck %s --check-prefix=RACE

// CHECK: 'halves' is right in 3 orders
// CHECK: 'floats' is right in 3 orders
// CHECK: 'sums' is right in 3 orders

// RACE: error: baco-emulate-kernels: order 'forward': kernel 'halves_kernel', {{.*}} races: it {{reads|writes}} a buffer

func.func @halves(%a: memref<59x500xf16>, %b: memref<500x61xf16>, %c: memref<59x61xf32>) {
  linalg.matmul {baco.recipe = #baco.recipe<[
      #baco.gpu_pad<extents = [64, 64, 512]>,
      #baco.gpu_blocks<sizes = [32, 32, 0]>,
      #baco.gpu_split<sizes = [0, 0, #baco.knob<"H", #baco.ordinal<[64, 128, 512]>, default = 128>]>,
      #baco.tile<sizes = [0, 0, 32]>,
      #baco.gpu_shared<operands = [0, 1], width = 4, padding = 8, stages = 2>,
      #baco.gpu_mma<sizes = [16, 16, 0]>]>}
    ins(%a, %b : memref<59x500xf16>, memref<500x61xf16>) outs(%c : memref<59x61xf32>)
  return
}

func.func @floats(%a: memref<3x512xf32>, %b: memref<512x61xf32>, %c: memref<3x61xf32>) {
  linalg.matmul {baco.recipe = #baco.recipe<[
      #baco.gpu_pad<extents = [0, 64, 0]>,
      #baco.gpu_blocks<sizes = [3, 32, 0]>,
      #baco.gpu_split<sizes = [0, 0, #baco.knob<"F", #baco.ordinal<[64, 128, 512]>, default = 128>]>,
      #baco.tile<sizes = [0, 0, 16]>,
      #baco.gpu_shared<operands = [0, 1], width = 1, stages = 3>,
      #baco.gpu_threads<sizes = [3, 1, 0]>, #baco.tile<sizes = [0, 0, 4]>,
      #baco.vectorize<>, #baco.hoist<>]>}
    ins(%a, %b : memref<3x512xf32>, memref<512x61xf32>) outs(%c : memref<3x61xf32>)
  return
}

func.func @sums(%x: memref<16x256xi32>, %y: memref<16xi32>) {
  linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>],
      iterator_types = ["parallel", "reduction"],
      baco.recipe = #baco.recipe<[#baco.gpu_blocks<sizes = [16, 0]>,
        #baco.gpu_split<sizes = [0, 32]>, #baco.gpu_threads<sizes = [1, 0]>]>}
    ins(%x : memref<16x256xi32>) outs(%y : memref<16xi32>) {
  ^bb0(%u: i32, %s: i32):
    %t = arith.addi %u, %s : i32
    linalg.yield %t : i32
  }
  return
}
