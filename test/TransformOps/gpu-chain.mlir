// Rows of a product, and a softmax of them, are computed in shared memory by the kernel that reads
// them. Right in the emulator: with inputs that are views, and whatever knobs are.
// RUN: rm -rf %t && mkdir %t
// RUN: baco-opt %s --baco-expand-recipes --baco-extract-space -o /dev/null \
// RUN:   | FileCheck %s --check-prefix=SPACE
// RUN: baco-opt %s --baco-expand-recipes --baco-concretize \
// RUN:   --transform-interpreter -o %t/kernel.mlir
// RUN: FileCheck %s --check-prefix=KERNEL < %t/kernel.mlir
// RUN: baco-opt %t/kernel.mlir --baco-lower-to-nvvm=format=llvm \
// RUN:   --baco-emulate-kernels=reference=%s -o /dev/null 2>&1 | FileCheck %s
// RUN: baco-opt %s --baco-expand-recipes \
// RUN:   --baco-concretize='configuration={"BM": 16, "TM": 4, "KU": 2, "S": 1, "L": 4}' \
// RUN:   --transform-interpreter --baco-lower-to-nvvm=format=llvm \
// RUN:   --baco-emulate-kernels=reference=%s -o /dev/null 2>&1 | FileCheck %s
// Without the barrier behind the product, rows are read that others still write.
// RUN: awk '/gpu.barrier/ && ++n == 4 {next} 1' %t/kernel.mlir > %t/race.mlir
// RUN: not baco-opt %t/race.mlir --baco-lower-to-nvvm=format=llvm \
// RUN:   --baco-emulate-kernels 2>&1 | FileCheck %s --check-prefix=RACE

// SPACE: "reason": "'TM' must divide the rows of a block"
// SPACE: "reason": "the tiles of a block must fit 232448 bytes of shared memory"

// The sums of the product, and what a lane has of a row, are registers.
// The four keys of a thread are eight rows apart.
// KERNEL-DAG: affine_map<()[s0] -> (s0 * 8 - (s0 floordiv 4) * 31)>
// KERNEL-DAG: affine_map<()[s0] -> (s0 + 24)>
// KERNEL-LABEL: func.func @views(
// KERNEL-NOT:     memref.alloc
// KERNEL:         gpu.launch {{.*}} workgroup(%{{.*}} : memref<8x64xf32, #gpu.address_space<workgroup>>, %{{.*}} : memref<8x64xf32, #gpu.address_space<workgroup>>, %{{.*}} : memref<8x36xf32, #gpu.address_space<workgroup>>, %{{.*}} : memref<2x32x36xf32, #gpu.address_space<workgroup>>, %{{.*}} : memref<2x16x32xf32, #gpu.address_space<workgroup>>)
// KERNEL:           scf.for {{.*}} iter_args({{.*}}) -> (vector<2x4xf32>)
// KERNEL:           gpu.barrier
// KERNEL:           gpu.shuffle
// KERNEL:           math.exp
// KERNEL:           gpu.shuffle
// KERNEL:           gpu.barrier
// KERNEL:           scf.for {{.*}} iter_args({{.*}}) -> (vector<2x4xf32>)
// KERNEL:           gpu.terminator
// KERNEL-NOT:     gpu.launch

// CHECK: remark: baco-emulate-kernels: 'views' is right in 3 orders

// RACE: error: baco-emulate-kernels: order 'forward': kernel 'views_kernel', {{.*}} shared memory

#right = affine_map<(m, n, k) -> (n, k)>
#left = affine_map<(m, n, k) -> (m, k)>
#result = affine_map<(m, n, k) -> (m, n)>
#two = affine_map<(i, j) -> (i, j)>
#row = affine_map<(i, j) -> (i)>
// Views of one buffer.
func.func @views(%qkv: memref<64x96xf32>, %r: memref<64x32xf32>) {
  %zero = arith.constant 0.0 : f32
  %low = arith.constant 0xFF800000 : f32
  %q = memref.subview %qkv[0, 0] [64, 32] [1, 1] : memref<64x96xf32> to memref<64x32xf32, strided<[96, 1]>>
  %k = memref.subview %qkv[0, 32] [64, 32] [1, 1] : memref<64x96xf32> to memref<64x32xf32, strided<[96, 1], offset: 32>>
  %v = memref.subview %qkv[0, 64] [64, 32] [1, 1] : memref<64x96xf32> to memref<64x32xf32, strided<[96, 1], offset: 64>>
  %s = memref.alloc() : memref<64x64xf32>
  %p = memref.alloc() : memref<64x64xf32>
  %max = memref.alloc() : memref<64xf32>
  %sum = memref.alloc() : memref<64xf32>
  linalg.fill ins(%low : f32) outs(%max : memref<64xf32>)
  linalg.fill ins(%zero : f32) outs(%sum : memref<64xf32>)
  linalg.fill ins(%zero : f32) outs(%s : memref<64x64xf32>)
  linalg.matmul indexing_maps = [#left, #right, #result]
    ins(%q, %k : memref<64x32xf32, strided<[96, 1]>>, memref<64x32xf32, strided<[96, 1], offset: 32>>) outs(%s : memref<64x64xf32>)
  linalg.generic {indexing_maps = [#two, #row], iterator_types = ["parallel", "reduction"]}
    ins(%s : memref<64x64xf32>) outs(%max : memref<64xf32>) {
  ^bb0(%x: f32, %o: f32):
    %y = arith.maxnumf %x, %o : f32
    linalg.yield %y : f32
  }
  linalg.generic {indexing_maps = [#two, #row, #two], iterator_types = ["parallel", "parallel"]}
    ins(%s, %max : memref<64x64xf32>, memref<64xf32>) outs(%p : memref<64x64xf32>) {
  ^bb0(%x: f32, %m: f32, %o: f32):
    %d = arith.subf %x, %m : f32
    %e = math.exp %d : f32
    linalg.yield %e : f32
  }
  linalg.generic {indexing_maps = [#two, #row], iterator_types = ["parallel", "reduction"]}
    ins(%p : memref<64x64xf32>) outs(%sum : memref<64xf32>) {
  ^bb0(%x: f32, %o: f32):
    %y = arith.addf %x, %o : f32
    linalg.yield %y : f32
  }
  linalg.generic {indexing_maps = [#row, #two], iterator_types = ["parallel", "parallel"]}
    ins(%sum : memref<64xf32>) outs(%p : memref<64x64xf32>) {
  ^bb0(%t: f32, %x: f32):
    %y = arith.divf %x, %t : f32
    linalg.yield %y : f32
  }
  linalg.fill ins(%zero : f32) outs(%r : memref<64x32xf32>)
  linalg.matmul {baco.recipe = #baco.recipe<[
      #baco.gpu_epilogue<>,
      #baco.gpu_blocks<sizes = [#baco.knob<"BM", #baco.ordinal<[8, 16]>, default = 8>, 0, 0]>,
      #baco.gpu_chain<columns = 32, rows = #baco.knob<"TM", #baco.ordinal<[2, 4]>, default = 2>, run = 4,
                      depth = #baco.knob<"KU", #baco.ordinal<[2, 4]>, default = 4>, width = 4, padding = 4,
                      stages = #baco.knob<"S", #baco.ordinal<[1, 2]>, default = 2>,
                      lanes = #baco.knob<"L", #baco.ordinal<[4, 32]>, default = 32>, limit = 232448>,
      #baco.tile<sizes = [0, 0, 16]>,
      #baco.gpu_shared<operands = [1], width = 4, stages = 2, limit = 232448>,
      #baco.gpu_threads<sizes = [#baco.knob<"TM", #baco.ordinal<[2, 4]>, default = 2>, 4, 0]>,
      #baco.tile<sizes = [0, 0, 4]>, #baco.vectorize<>, #baco.hoist<>]>}
    ins(%p, %v : memref<64x64xf32>, memref<64x32xf32, strided<[96, 1], offset: 64>>) outs(%r : memref<64x32xf32>)
  memref.dealloc %s : memref<64x64xf32>
  memref.dealloc %p : memref<64x64xf32>
  memref.dealloc %max : memref<64xf32>
  memref.dealloc %sum : memref<64xf32>
  return
}
