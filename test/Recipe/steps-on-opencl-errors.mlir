// Steps that a device of OpenCL can't do, and its limits.
// RUN: baco-opt %s --split-input-file --verify-diagnostics \
// RUN:   --baco-expand-recipes

module attributes {baco.gpu_target = #opencl.target<"small", threads = 256, items = [256, 256, 32], local_bytes = 1024, units = 4, half = false, doubles = true>} {
  func.func @stages(%a: memref<64x64xf32>, %b: memref<64x64xf32>, %c: memref<64x64xf32>) {
    linalg.matmul {baco.recipe = #baco.recipe<[
        #baco.gpu_blocks<sizes = [8, 8, 0]>, #baco.tile<sizes = [0, 0, 8]>,
        // expected-error @below {{recipe step 3 (gpu_shared): copies in stages are asynchronous, which small can't do; leave out 'stages'}}
        #baco.gpu_shared<operands = [0, 1], stages = 2, limit = 49152>,
        #baco.gpu_threads<sizes = [1, 1, 0]>]>}
      ins(%a, %b : memref<64x64xf32>, memref<64x64xf32>) outs(%c : memref<64x64xf32>)
    return
  }
}

// -----

module attributes {baco.gpu_target = #opencl.target<"small", threads = 256, items = [256, 256, 32], local_bytes = 1024, units = 4, half = false, doubles = true>} {
  func.func @shared(%a: memref<64x64xf32>, %b: memref<64x64xf32>, %c: memref<64x64xf32>) {
    linalg.matmul {baco.recipe = #baco.recipe<[
        #baco.gpu_blocks<sizes = [16, 16, 0]>, #baco.tile<sizes = [0, 0, 16]>,
        // expected-error @below {{recipe step 3 (gpu_shared): the tiles of a block must fit 1024 bytes of shared memory}}
        #baco.gpu_shared<operands = [0, 1], limit = 49152>,
        #baco.gpu_threads<sizes = [1, 1, 0]>]>}
      ins(%a, %b : memref<64x64xf32>, memref<64x64xf32>) outs(%c : memref<64x64xf32>)
    return
  }
}

// -----

module attributes {baco.gpu_target = #opencl.target<"small", threads = 256, items = [256, 256, 32], local_bytes = 1024, units = 4, half = false, doubles = true>} {
  func.func @threads(%a: memref<64x64xf32>, %b: memref<64x64xf32>, %c: memref<64x64xf32>) {
    linalg.matmul {baco.recipe = #baco.recipe<[
        #baco.gpu_blocks<sizes = [32, 32, 0]>,
        // expected-error @below {{recipe step 2 (gpu_threads): a block has at most 256 threads}}
        #baco.gpu_threads<sizes = [1, 1, 0]>]>}
      ins(%a, %b : memref<64x64xf32>, memref<64x64xf32>) outs(%c : memref<64x64xf32>)
    return
  }
}

// -----

module attributes {baco.gpu_target = #opencl.target<"small", threads = 256, items = [256, 256, 32], local_bytes = 1024, units = 4, half = false, doubles = true>} {
  func.func @sum(%x: memref<65536xf64>, %s: memref<f64>) {
    linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> ()>], iterator_types = ["reduction"],
      baco.recipe = #baco.recipe<[
        // expected-error @below {{recipe step 1 (gpu_reduce): small has no atomic operations on 64 bits}}
        #baco.gpu_reduce<chunk = 256, run = 1, stride = 64, global = 256, local = 64>]>}
      ins(%x : memref<65536xf64>) outs(%s : memref<f64>) {
    ^bb0(%u: f64, %v: f64):
      %w = arith.addf %u, %v : f64
      linalg.yield %w : f64
    }
    return
  }
}
