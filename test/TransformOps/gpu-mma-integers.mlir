// Products of bytes on tensor cores: signed, unsigned, or one of each; a sum along rows is
// loaded by ldmatrix, one along columns byte by byte. Rows of the result may begin at odd
// elements. Right in the emulator.
// RUN: baco-opt %s --baco-expand-recipes --transform-interpreter -o %t.mlir
// RUN: baco-opt %t.mlir --baco-lower-to-nvvm=format=llvm \
// RUN:   --baco-emulate-kernels=reference=%s -o /dev/null 2>&1 | FileCheck %s
// RUN: baco-opt %t.mlir --baco-lower-to-nvvm=chip=sm_80 | FileCheck %s --check-prefix=PTX
// The emulator tells if one side is taken for the other:
// RUN: sed 's/<u8>, multiplicandBPtxType = #nvvm.mma_type<s8>/<s8>, multiplicandBPtxType = #nvvm.mma_type<u8>/' %t.mlir > %t.wrong.mlir
// RUN: not baco-opt %t.wrong.mlir --baco-lower-to-nvvm=format=llvm \
// RUN:   --baco-emulate-kernels=reference=%s -o /dev/null 2>&1 | FileCheck %s --check-prefix=WRONG

// CHECK: 'both_signed' is right in 3 orders
// CHECK: 'mixed' is right in 3 orders
// CHECK: 'along_rows' is right in 3 orders
// CHECK: 'odd_rows' is right in 3 orders
// WRONG: error: baco-emulate-kernels: order 'forward': argument 2 differs at
// PTX-DAG: mma.sync.aligned.m16n8k32.row.col.s32.s8.s8.s32
// PTX-DAG: mma.sync.aligned.m16n8k32.row.col.s32.u8.s8.s32
// PTX-DAG: mma.sync.aligned.m16n8k32.row.col.s32.u8.u8.s32

func.func @both_signed(%a: memref<64x128xi8>, %b: memref<128x64xi8>, %c: memref<64x64xi32>) {
  linalg.matmul {baco.recipe = #baco.recipe<[
      #baco.gpu_blocks<sizes = [32, 64, 0]>, #baco.tile<sizes = [0, 0, 64]>,
      #baco.gpu_shared<operands = [0, 1], width = 16, padding = 16, stages = 2>,
      #baco.gpu_mma<sizes = [16, 32, 0]>]>}
    ins(%a, %b : memref<64x128xi8>, memref<128x64xi8>) outs(%c : memref<64x64xi32>)
  return
}

func.func @mixed(%a: memref<64x128xi8>, %b: memref<128x64xi8>, %c: memref<64x64xi32>) {
  linalg.generic {indexing_maps = [affine_map<(i, j, k) -> (i, k)>, affine_map<(i, j, k) -> (k, j)>, affine_map<(i, j, k) -> (i, j)>],
      iterator_types = ["parallel", "parallel", "reduction"], baco.recipe = #baco.recipe<[
      #baco.gpu_blocks<sizes = [32, 32, 0]>, #baco.tile<sizes = [0, 0, 64]>,
      #baco.gpu_shared<operands = [0, 1], width = 16, padding = 16>,
      #baco.gpu_mma<sizes = [32, 8, 0]>]>}
    ins(%a, %b : memref<64x128xi8>, memref<128x64xi8>) outs(%c : memref<64x64xi32>) {
  ^bb0(%x: i8, %y: i8, %s: i32):
    %wide = arith.extui %x : i8 to i32
    %weight = arith.extsi %y : i8 to i32
    %product = arith.muli %wide, %weight : i32
    %sum = arith.addi %s, %product : i32
    linalg.yield %sum : i32
  }
  return
}

func.func @along_rows(%a: memref<32x96xi8>, %b: memref<64x96xi8>, %c: memref<32x64xi32>) {
  linalg.matmul indexing_maps = [affine_map<(i, j, k) -> (i, k)>, affine_map<(i, j, k) -> (j, k)>, affine_map<(i, j, k) -> (i, j)>]
    {cast = #linalg.type_fn<cast_unsigned>, baco.recipe = #baco.recipe<[
      #baco.gpu_blocks<sizes = [32, 32, 0]>, #baco.tile<sizes = [0, 0, 32]>,
      #baco.gpu_shared<operands = [0, 1], width = 16, padding = 16>,
      #baco.gpu_mma<sizes = [16, 16, 0]>]>}
    ins(%a, %b : memref<32x96xi8>, memref<64x96xi8>) outs(%c : memref<32x64xi32>)
  return
}

func.func @odd_rows(%a: memref<64x128xi8>, %b: memref<128x61xi8>, %c: memref<64x61xi32>) {
  linalg.matmul {baco.recipe = #baco.recipe<[
      #baco.gpu_pad<extents = [64, 64, 0]>,
      #baco.gpu_blocks<sizes = [32, 64, 0]>, #baco.tile<sizes = [0, 0, 64]>,
      #baco.gpu_shared<operands = [0, 1], width = 16, padding = 16>,
      #baco.gpu_mma<sizes = [16, 32, 0]>]>}
    ins(%a, %b : memref<64x128xi8>, memref<128x61xi8>) outs(%c : memref<64x61xi32>)
  return
}
