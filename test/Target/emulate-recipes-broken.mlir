// Kernels of recipes are right, and each mistake that is made in them is noticed.
// RUN: split-file %s %t
// RUN: baco-opt %t/reduce.mlir --baco-expand-recipes \
// RUN:   --transform-interpreter --canonicalize -o %t/reduce.right.mlir
// RUN: baco-opt %t/scal.mlir --baco-expand-recipes \
// RUN:   --transform-interpreter --canonicalize -o %t/scal.right.mlir
// RUN: baco-opt %t/reduce.right.mlir --baco-lower-to-nvvm=format=llvm \
// RUN:   --baco-emulate-kernels=reference=%t/reduce.mlir -o /dev/null 2>&1 \
// RUN:   | FileCheck %s --check-prefix=RIGHT
// RUN: baco-opt %t/scal.right.mlir --baco-lower-to-nvvm=format=llvm \
// RUN:   --baco-emulate-kernels=reference=%t/scal.mlir -o /dev/null 2>&1 \
// RUN:   | FileCheck %s --check-prefix=RIGHT
// RIGHT: is right in 3 orders of blocks and threads

// Each of the three barriers is needed:
// RUN: awk '!/gpu.barrier/ || ++n != 1' %t/reduce.right.mlir > %t/first.mlir
// RUN: not baco-opt %t/first.mlir --baco-lower-to-nvvm=format=llvm \
// RUN:   --baco-emulate-kernels 2>&1 | FileCheck %s --check-prefix=FIRST
// FIRST: error: {{.*}}reads shared memory '{{.*}}' at byte {{[0-9]+}}, which no thread has written
// RUN: awk '!/gpu.barrier/ || ++n != 2' %t/reduce.right.mlir > %t/second.mlir
// RUN: not baco-opt %t/second.mlir --baco-lower-to-nvvm=format=llvm \
// RUN:   --baco-emulate-kernels 2>&1 | FileCheck %s --check-prefix=RACE
// RUN: awk '!/gpu.barrier/ || ++n != 3' %t/reduce.right.mlir > %t/third.mlir
// RUN: not baco-opt %t/third.mlir --baco-lower-to-nvvm=format=llvm \
// RUN:   --baco-emulate-kernels 2>&1 | FileCheck %s --check-prefix=RACE
// RACE: error: {{.*}} races: it {{reads|writes}} shared memory

// Blocks that add without an atomic operation:
// RUN: awk '/atomic_rmw/ { sub("%.* = memref.atomic_rmw addf", "memref.store"); sub(":.*", ": memref<f32>") } 1' \
// RUN:   %t/reduce.right.mlir > %t/store.mlir
// RUN: not baco-opt %t/store.mlir --baco-lower-to-nvvm=format=llvm \
// RUN:   --baco-emulate-kernels 2>&1 | FileCheck %s --check-prefix=STORE
// STORE: error: {{.*}} races: it writes argument {{[0-9]}} at byte 0, which block (0,0,0) wrote in the same launch

// Chunks that overlap:
// RUN: sed 's/constant 256 : index/constant 248 : index/' %t/reduce.right.mlir > %t/index.mlir
// RUN: not baco-opt %t/index.mlir --baco-lower-to-nvvm=format=llvm \
// RUN:   --baco-emulate-kernels=reference=%t/reduce.mlir 2>&1 | FileCheck %s --check-prefix=INDEX
// INDEX: error: baco-emulate-kernels: order 'forward': argument 1 differs at

// A block too many:
// RUN: awk '/gpu.launch/ { print "%%more = arith.constant 5 : index"; sub("= %%c4", "= %%more") } 1' \
// RUN:   %t/scal.right.mlir > %t/bounds.mlir
// RUN: not baco-opt %t/bounds.mlir --baco-lower-to-nvvm=format=llvm \
// RUN:   --baco-emulate-kernels 2>&1 | FileCheck %s --check-prefix=BOUNDS
// BOUNDS: error: {{.*}} out of bounds: byte 4096 of argument 0, which has 4096

// Blocks that begin in others' tiles:
// RUN: sed 's/s0 [*] 256/s0 * 128/' %t/scal.right.mlir > %t/overlap.mlir
// RUN: not baco-opt %t/overlap.mlir --baco-lower-to-nvvm=format=llvm \
// RUN:   --baco-emulate-kernels 2>&1 | FileCheck %s --check-prefix=OVERLAP
// OVERLAP: error: {{.*}} races: it reads argument 0 at byte 512, which block (0,0,0) wrote in the same launch

// Vectors that begin in others:
// RUN: sed 's/s0 [*] 4)/s0 * 3)/' %t/scal.right.mlir > %t/align.mlir
// RUN: not baco-opt %t/align.mlir --baco-lower-to-nvvm=format=llvm \
// RUN:   --baco-emulate-kernels 2>&1 | FileCheck %s --check-prefix=ALIGN
// ALIGN: error: {{.*}} races: it reads argument 0 at byte 12, which thread (0,0,0) wrote without a barrier between

//--- reduce.mlir
func.func @sum(%x: memref<1024xf32>, %s: memref<f32>) {
  linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> ()>],
                  iterator_types = ["reduction"],
    baco.recipe = #baco.recipe<[
      #baco.gpu_reduce<chunk = 256, run = 4, stride = 8, global = 16, local = 8>]>}
    ins(%x : memref<1024xf32>) outs(%s : memref<f32>) {
  ^bb0(%u: f32, %sum: f32):
    %w = arith.addf %u, %sum : f32
    linalg.yield %w : f32
  }
  return
}

//--- scal.mlir
func.func @scal(%x: memref<1024xf32>) {
  %a = arith.constant 0.75 : f32
  linalg.generic {indexing_maps = [affine_map<(i) -> (i)>],
                  iterator_types = ["parallel"],
    baco.recipe = #baco.recipe<[#baco.gpu_blocks<sizes = [256]>,
      #baco.gpu_threads<sizes = [4]>, #baco.vectorize<>]>}
    outs(%x : memref<1024xf32>) {
  ^bb0(%u: f32):
    %v = arith.mulf %u, %a : f32
    linalg.yield %v : f32
  }
  return
}
