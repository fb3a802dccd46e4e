// Ops become a part of the kernel of the op that reads their results: a block computes
// tiles of these, with their borders, in shared memory. Right in the emulator.
// RUN: baco-opt %s --baco-expand-recipes --baco-extract-space -o /dev/null \
// RUN:   | FileCheck %s --check-prefix=SPACE
// RUN: baco-opt %s --baco-expand-recipes --baco-concretize \
// RUN:   --transform-interpreter -o %t.mlir
// RUN: FileCheck %s --check-prefix=KERNEL < %t.mlir
// RUN: baco-opt %t.mlir --baco-lower-to-nvvm=format=llvm \
// RUN:   --baco-emulate-kernels=reference=%s -o /dev/null 2>&1 | FileCheck %s
// RUN: baco-opt %s --baco-expand-recipes \
// RUN:   --baco-concretize='configuration={"BY": 8, "BX": 32, "TY": 4}' \
// RUN:   --transform-interpreter --baco-lower-to-nvvm=format=llvm \
// RUN:   --baco-emulate-kernels=reference=%s -o /dev/null 2>&1 | FileCheck %s
// Annotation leaves the ops that are fused alone.
// RUN: baco-opt %s --baco-annotate=target=nvvm | FileCheck %s --check-prefix=ANNOTATE
// Each barrier is needed: without the first, sums are made of gradients that aren't
// there yet; without the second, corners of sums.
// RUN: awk '/gpu.barrier/ && !n++ {next} 1' %t.mlir > %t.first.mlir
// RUN: awk '/gpu.barrier/ && ++n == 2 {next} 1' %t.mlir > %t.second.mlir
// RUN: not baco-opt %t.first.mlir --baco-lower-to-nvvm=format=llvm \
// RUN:   --baco-emulate-kernels 2>&1 | FileCheck %s --check-prefix=BARRIER
// RUN: not baco-opt %t.second.mlir --baco-lower-to-nvvm=format=llvm \
// RUN:   --baco-emulate-kernels 2>&1 | FileCheck %s --check-prefix=BARRIER

// ANNOTATE-COUNT-2: #baco.recipe<
// ANNOTATE-NOT:     #baco.recipe<

// SPACE: "4 * BY * BX + 4 * BY * BX + 4 * BY * BX + 4 * (BY + 2) * (BX + 2) + 4 * (BY + 2) * (BX + 2) <= 8000",
// SPACE-NEXT: "reason": "the tiles of a block must fit 8000 bytes of shared memory"

// Nothing is left of the buffers. A sum is made by the thread that has set it to 0.
// KERNEL-LABEL: func.func @harris(
// KERNEL-NOT:     memref.alloc
// KERNEL:         gpu.launch {{.*}} workgroup(%{{.*}} : memref<6x10xf32, #gpu.address_space<workgroup>>, %{{.*}} : memref<6x10xf32, #gpu.address_space<workgroup>>, %{{.*}} : memref<4x8xf32, #gpu.address_space<workgroup>>, %{{.*}} : memref<4x8xf32, #gpu.address_space<workgroup>>, %{{.*}} : memref<4x8xf32, #gpu.address_space<workgroup>>)
// KERNEL:           memref.store %cst
// KERNEL:           linalg.conv_2d
// KERNEL:           gpu.barrier
// KERNEL:           linalg.generic
// KERNEL:           gpu.barrier
// KERNEL-NOT:       gpu.barrier
// KERNEL:           gpu.terminator

// Where a block has several tiles, one after another, threads wait before each.
// KERNEL-LABEL: func.func @turns(
// KERNEL:         scf.for
// KERNEL:           gpu.barrier
// KERNEL:           linalg.matmul
// KERNEL:           gpu.barrier
// KERNEL-NOT:       gpu.barrier
// KERNEL:           gpu.terminator

// CHECK: remark: baco-emulate-kernels: 'harris' is right in 3 orders
// CHECK: remark: baco-emulate-kernels: 'turns' is right in 3 orders

// BARRIER: error: baco-emulate-kernels: order 'forward': kernel 'harris_kernel', {{.*}} shared memory

#ids = affine_map<(i, j) -> (i, j)>
#pixel = affine_map<(i, j, k, l) -> (i, j)>
#window = affine_map<(i, j, k, l) -> (i + k, j + l)>
#three = affine_map<(i, j, k, l) -> (k, l)>
func.func @harris(%x: memref<36x36xf32>, %kx: memref<3x3xf32>, %ky: memref<3x3xf32>, %y: memref<32x32xf32>) {
  %zero = arith.constant 0.0 : f32
  %kappa = arith.constant 0.04 : f32
  %dx = memref.alloc() : memref<34x34xf32>
  %dy = memref.alloc() : memref<34x34xf32>
  %xx = memref.alloc() : memref<32x32xf32>
  %xy = memref.alloc() : memref<32x32xf32>
  %yy = memref.alloc() : memref<32x32xf32>
  linalg.fill ins(%zero : f32) outs(%dx : memref<34x34xf32>)
  linalg.conv_2d ins(%x, %kx : memref<36x36xf32>, memref<3x3xf32>) outs(%dx : memref<34x34xf32>)
  linalg.fill ins(%zero : f32) outs(%dy : memref<34x34xf32>)
  linalg.conv_2d ins(%x, %ky : memref<36x36xf32>, memref<3x3xf32>) outs(%dy : memref<34x34xf32>)
  linalg.fill ins(%zero : f32) outs(%xx : memref<32x32xf32>)
  linalg.fill ins(%zero : f32) outs(%xy : memref<32x32xf32>)
  linalg.fill ins(%zero : f32) outs(%yy : memref<32x32xf32>)
  linalg.generic {indexing_maps = [#window, #window, #three, #pixel, #pixel, #pixel],
                  iterator_types = ["parallel", "parallel", "reduction", "reduction"]}
    ins(%dx, %dy, %kx : memref<34x34xf32>, memref<34x34xf32>, memref<3x3xf32>)
    outs(%xx, %xy, %yy : memref<32x32xf32>, memref<32x32xf32>, memref<32x32xf32>) {
  ^bb0(%a: f32, %b: f32, %e: f32, %sxx: f32, %sxy: f32, %syy: f32):
    %0 = arith.mulf %a, %a : f32
    %1 = arith.addf %sxx, %0 : f32
    %2 = arith.mulf %a, %b : f32
    %3 = arith.addf %sxy, %2 : f32
    %4 = arith.mulf %b, %b : f32
    %5 = arith.addf %syy, %4 : f32
    linalg.yield %1, %3, %5 : f32, f32, f32
  }
  linalg.generic {indexing_maps = [#ids, #ids, #ids, #ids], iterator_types = ["parallel", "parallel"],
    baco.recipe = #baco.recipe<[
      #baco.gpu_blocks<sizes = [#baco.knob<"BY", #baco.ordinal<[4, 8, 16], log>>, #baco.knob<"BX", #baco.ordinal<[8, 16, 32], log>>]>,
      #baco.gpu_fuse<limit = 8000>,
      #baco.gpu_threads<sizes = [#baco.knob<"TY", #baco.ordinal<[1, 2, 4], log>, default = 2>, 1]>]>}
    ins(%xx, %xy, %yy : memref<32x32xf32>, memref<32x32xf32>, memref<32x32xf32>) outs(%y : memref<32x32xf32>) {
  ^bb0(%sxx: f32, %sxy: f32, %syy: f32, %o: f32):
    %d0 = arith.mulf %sxx, %syy : f32
    %d1 = arith.mulf %sxy, %sxy : f32
    %det = arith.subf %d0, %d1 : f32
    %trace = arith.addf %sxx, %syy : f32
    %t2 = arith.mulf %trace, %trace : f32
    %t3 = arith.mulf %t2, %kappa : f32
    %r = arith.subf %det, %t3 : f32
    linalg.yield %r : f32
  }
  memref.dealloc %dx : memref<34x34xf32>
  memref.dealloc %xx : memref<32x32xf32>
  return
}

#all = affine_map<(i, j) -> (i, j)>
#turned = affine_map<(i, j) -> (j, i)>
func.func @turns(%a: memref<32x16xf32>, %b: memref<16x24xf32>, %y: memref<24x32xf32>) {
  %zero = arith.constant 0.0 : f32
  %c = memref.alloc() : memref<32x24xf32>
  linalg.fill ins(%zero : f32) outs(%c : memref<32x24xf32>)
  linalg.matmul ins(%a, %b : memref<32x16xf32>, memref<16x24xf32>) outs(%c : memref<32x24xf32>)
  linalg.generic {indexing_maps = [#turned, #all], iterator_types = ["parallel", "parallel"],
    baco.recipe = #baco.recipe<[
      #baco.gpu_blocks<sizes = [4, 8], global = [12, 16], local = [2, 8]>,
      #baco.gpu_fuse,
      #baco.gpu_threads<sizes = [2, 1], local = [2, 8]>]>}
    ins(%c : memref<32x24xf32>) outs(%y : memref<24x32xf32>) {
  ^bb0(%v: f32, %o: f32):
    %r = arith.maximumf %v, %zero : f32
    linalg.yield %r : f32
  }
  return
}
