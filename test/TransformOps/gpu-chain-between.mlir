// An op with a kernel of its own, between ops that become a part of a later one: that comes first, and the
// op is found without them. Right in the emulator.
// RUN: baco-opt %s --baco-expand-recipes --transform-interpreter -o %t.mlir
// RUN: FileCheck %s < %t.mlir
// RUN: baco-opt %t.mlir --baco-lower-to-nvvm=format=llvm \
// RUN:   --baco-emulate-kernels=reference=%s -o /dev/null 2>&1 | FileCheck %s --check-prefix=RIGHT

// CHECK-COUNT-2: gpu.launch blocks
// CHECK-NOT:     gpu.launch
// CHECK-NOT:     linalg.matmul ins
// CHECK:         transform.named_sequence

// RIGHT: 'chain' is right in 3 orders

#right = affine_map<(m, n, k) -> (n, k)>
#left = affine_map<(m, n, k) -> (m, k)>
#result = affine_map<(m, n, k) -> (m, n)>

func.func @chain(%q: memref<64x32xf32>, %k: memref<64x32xf32>, %v: memref<64x32xf32>, %r: memref<64x32xf32>) {
  %zero = arith.constant 0.0 : f32
  %s = memref.alloc() : memref<64x64xf32>
  %p = memref.alloc() : memref<64x64xf32>
  linalg.fill ins(%zero : f32) outs(%s : memref<64x64xf32>)
  linalg.matmul indexing_maps = [#left, #right, #result]
    ins(%q, %k : memref<64x32xf32>, memref<64x32xf32>) outs(%s : memref<64x64xf32>)
  linalg.exp ins(%s : memref<64x64xf32>) outs(%p : memref<64x64xf32>)
  linalg.fill {baco.recipe = #baco.recipe<[
      #baco.gpu_blocks<sizes = [8, 32]>, #baco.gpu_threads<sizes = [1, 1]>, #baco.vectorize<>]>}
    ins(%zero : f32) outs(%r : memref<64x32xf32>)
  linalg.matmul {baco.recipe = #baco.recipe<[
      #baco.gpu_blocks<sizes = [8, 0, 0]>,
      #baco.gpu_chain<columns = 32, rows = 2, run = 4, depth = 4, width = 4, padding = 4, stages = 1,
                      lanes = 32, limit = 232448>,
      #baco.gpu_threads<sizes = [2, 4, 0]>, #baco.tile<sizes = [0, 0, 4]>, #baco.vectorize<>, #baco.hoist<>]>}
    ins(%p, %v : memref<64x64xf32>, memref<64x32xf32>) outs(%r : memref<64x32xf32>)
  memref.dealloc %s : memref<64x64xf32>
  memref.dealloc %p : memref<64x64xf32>
  return
}
