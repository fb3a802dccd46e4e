// A result whose rows begin at odd elements: sums of a warp change places in shared
// memory, and are added to one row at a time. Right in the emulator.
// RUN: baco-opt %s --baco-expand-recipes --baco-concretize --transform-interpreter -o %t.mlir
// RUN: FileCheck %s < %t.mlir
// RUN: baco-opt %t.mlir --baco-lower-to-nvvm=format=llvm \
// RUN:   --baco-emulate-kernels=reference=%s -o /dev/null 2>&1 | FileCheck %s --check-prefix=RIGHT
// With tiles of a warp of 16 columns, neighbors stay where they are:
// RUN: baco-opt %s --baco-expand-recipes --baco-concretize='configuration={"N": 16}' \
// RUN:   --transform-interpreter -o %t.few.mlir
// RUN: FileCheck %s --check-prefix=FEW < %t.few.mlir
// Other warps may still read the operand:
// RUN: awk '/gpu.barrier/ { last = NR } { line[NR] = $0 } \
// RUN:   END { for (i = 1; i <= NR; ++i) if (i != last) print line[i] }' %t.mlir > %t.barrier.mlir
// RUN: not baco-opt %t.barrier.mlir --baco-lower-to-nvvm=format=llvm \
// RUN:   --baco-emulate-kernels 2>&1 | FileCheck %s --check-prefix=BARRIER

// RIGHT: 'relu' is right in 3 orders
// RIGHT: 'halves' is right in 3 orders
// RIGHT: 'floats' is right in 3 orders
// RIGHT: 'words' is right in 3 orders
// BARRIER: error: baco-emulate-kernels: order 'forward': kernel 'words_kernel', {{.*}} races

// FEW-LABEL: func.func @halves(
// FEW-NOT:   nvvm.bar.warp.sync
// FEW:       gpu.terminator

// An epilogue is done on what a thread then has.
// CHECK-LABEL: func.func @relu(
// CHECK:       nvvm.bar.warp.sync
// CHECK:       arith.maximumf
func.func @relu(%a: memref<64x128xf16>, %b: memref<128x61xf16>, %c: memref<64x61xf32>) {
  %zero = arith.constant 0.0 : f32
  linalg.fill ins(%zero : f32) outs(%c : memref<64x61xf32>)
  linalg.matmul {baco.recipe = #baco.recipe<[
      #baco.gpu_pad<extents = [64, 64, 0]>, #baco.gpu_epilogue<>,
      #baco.gpu_blocks<sizes = [32, 64, 0]>, #baco.tile<sizes = [0, 0, 64]>,
      #baco.gpu_shared<operands = [0, 1], width = 8, padding = 8>,
      #baco.gpu_mma<sizes = [16, 32, 0]>]>}
    ins(%a, %b : memref<64x128xf16>, memref<128x61xf16>) outs(%c : memref<64x61xf32>)
  linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
    outs(%c : memref<64x61xf32>) {
  ^bb0(%s: f32):
    %m = arith.maximumf %s, %zero : f32
    linalg.yield %m : f32
  }
  return
}

// CHECK-LABEL: func.func @halves(
// CHECK:       scf.for {{.*}} iter_args(%{{.*}} = %cst
// CHECK:         nvvm.mma.sync
// CHECK:       gpu.barrier
// Two neighbors at a time are stored, and elements of a row loaded:
// CHECK-COUNT-4: vector.store {{.*}} vector<4xf16>
// CHECK:       nvvm.bar.warp.sync
// CHECK-COUNT-8: vector.load {{.*}} vector<2xf16>
// CHECK:       nvvm.bar.warp.sync
// All are inside, or each is accessed if it is:
// CHECK:       scf.if
// CHECK-COUNT-16: memref.load %arg2
// CHECK-NEXT:    scf.yield
// CHECK:       scf.if
// CHECK-COUNT-16: memref.store {{.*}}, %arg2
// CHECK-NEXT:    } else {
func.func @halves(%a: memref<61x128xf16>, %b: memref<128x59xf16>, %c: memref<61x59xf32>) {
  linalg.matmul {baco.recipe = #baco.recipe<[
      #baco.gpu_pad<extents = [64, 64, 0]>,
      #baco.gpu_blocks<sizes = [32, 64, 0]>, #baco.tile<sizes = [0, 0, 64]>,
      #baco.gpu_shared<operands = [0, 1], width = 8, padding = 8>,
      #baco.gpu_mma<sizes = [16, #baco.knob<"N", #baco.ordinal<[16, 32]>, default = 32>, 0]>]>}
    ins(%a, %b : memref<61x128xf16>, memref<128x59xf16>) outs(%c : memref<61x59xf32>)
  return
}

// CHECK-LABEL: func.func @floats(
// CHECK-COUNT-4: vector.store {{.*}} vector<2xf32>
// CHECK:       nvvm.bar.warp.sync
// CHECK-COUNT-8: vector.load {{.*}} vector<1xf32>
func.func @floats(%a: memref<32x32xf32>, %b: memref<32x33xf32>, %c: memref<32x33xf32>) {
  linalg.matmul {baco.tf32, baco.recipe = #baco.recipe<[
      #baco.gpu_pad<extents = [0, 64, 0]>,
      #baco.gpu_blocks<sizes = [32, 64, 0]>, #baco.tile<sizes = [0, 0, 16]>,
      #baco.gpu_shared<operands = [0, 1], width = 1, padding = 4, stages = 2>,
      #baco.gpu_mma<sizes = [16, 32, 0]>]>}
    ins(%a, %b : memref<32x32xf32>, memref<32x33xf32>) outs(%c : memref<32x33xf32>)
  return
}

// Words that are copied ahead are there before the rows change places.
// CHECK-LABEL: func.func @words(
// CHECK:       nvvm.mma.sync
// CHECK:       nvvm.cp.async.wait.group 0
// CHECK-NEXT:  gpu.barrier
// CHECK:       nvvm.bar.warp.sync
func.func @words(%a: memref<61x93xf16>, %b: memref<93x59xf16>, %c: memref<61x59xf32>) {
  linalg.matmul {baco.recipe = #baco.recipe<[
      #baco.gpu_pad<extents = [64, 64, 96]>,
      #baco.gpu_blocks<sizes = [32, 64, 0]>, #baco.tile<sizes = [0, 0, 32]>,
      #baco.gpu_shared<operands = [0, 1], width = 8, padding = 8, stages = 2>,
      #baco.gpu_mma<sizes = [32, 32, 0]>]>}
    ins(%a, %b : memref<61x93xf16>, memref<93x59xf16>) outs(%c : memref<61x59xf32>)
  return
}
