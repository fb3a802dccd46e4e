// What the step gpu_fuse refuses.
// RUN: baco-opt %s --baco-expand-recipes --split-input-file --verify-diagnostics

func.func @f(%a: memref<64x64xf32>, %c: memref<64x64xf32>, %d: memref<64x64xf32>) {
  %t = memref.alloc() : memref<64x64xf32>
  linalg.abs ins(%a : memref<64x64xf32>) outs(%t : memref<64x64xf32>)
  linalg.add {baco.recipe = #baco.recipe<[
      // expected-error @below {{'linalg.add' op recipe step 2 (gpu_fuse): no linalg op before it computes one of its inputs in a buffer that the function allocates}}
      #baco.gpu_blocks<sizes = [8, 8]>, #baco.gpu_fuse, #baco.gpu_threads<sizes = [1, 1]>]>}
    ins(%a, %c : memref<64x64xf32>, memref<64x64xf32>)
    outs(%d : memref<64x64xf32>)
  return
}

// -----

func.func @f(%a: memref<64x64xf32>, %c: memref<64x64xf32>, %d: memref<64x64xf32>) {
  %t = memref.alloc() : memref<64x64xf32>
  // expected-note @below {{here}}
  linalg.abs {baco.recipe = #baco.recipe<[#baco.gpu_blocks<sizes = [8, 8]>, #baco.gpu_threads<sizes = [1, 1]>]>} ins(%a : memref<64x64xf32>) outs(%t : memref<64x64xf32>)
  linalg.add {baco.recipe = #baco.recipe<[
      // expected-error @below {{'linalg.add' op recipe step 2 (gpu_fuse): an op that computes an input has its own recipe}}
      #baco.gpu_blocks<sizes = [8, 8]>, #baco.gpu_fuse, #baco.gpu_threads<sizes = [1, 1]>]>}
    ins(%t, %c : memref<64x64xf32>, memref<64x64xf32>)
    outs(%d : memref<64x64xf32>)
  return
}

// -----

func.func @f(%a: memref<64x64xf32>, %c: memref<64x64xf32>, %d: memref<64x64xf32>) {
  %t = memref.alloc() : memref<64x64xf32>
  linalg.abs ins(%a : memref<64x64xf32>) outs(%t : memref<64x64xf32>)
  linalg.copy ins(%t : memref<64x64xf32>) outs(%c : memref<64x64xf32>)
  linalg.add {baco.recipe = #baco.recipe<[
      // expected-error @below {{'linalg.add' op recipe step 2 (gpu_fuse): 'linalg.copy' uses a buffer that an input is computed in, too}}
      #baco.gpu_blocks<sizes = [8, 8]>, #baco.gpu_fuse, #baco.gpu_threads<sizes = [1, 1]>]>}
    ins(%t, %c : memref<64x64xf32>, memref<64x64xf32>)
    outs(%d : memref<64x64xf32>)
  return
}

// -----

func.func @f(%a: memref<64x64xf32>, %c: memref<64x64xf32>, %d: memref<64x64xf32>) {
  %t = memref.alloc() : memref<64x64xf32>
  linalg.abs ins(%a : memref<64x64xf32>) outs(%t : memref<64x64xf32>)
  linalg.copy ins(%c : memref<64x64xf32>) outs(%a : memref<64x64xf32>)
  linalg.add {baco.recipe = #baco.recipe<[
      // expected-error @below {{'linalg.add' op recipe step 2 (gpu_fuse): 'linalg.copy' before it may change what an op that computes an input reads}}
      #baco.gpu_blocks<sizes = [8, 8]>, #baco.gpu_fuse, #baco.gpu_threads<sizes = [1, 1]>]>}
    ins(%t, %c : memref<64x64xf32>, memref<64x64xf32>)
    outs(%d : memref<64x64xf32>)
  return
}

// -----

func.func @f(%a: memref<64x64xf32>, %c: memref<64x64xf32>, %d: memref<64x64xf32>) {
  %t = memref.alloc() : memref<64x64xf32>
  linalg.abs ins(%a : memref<64x64xf32>) outs(%t : memref<64x64xf32>)
  linalg.add {baco.recipe = #baco.recipe<[
      // expected-error @below {{'linalg.add' op recipe step 2 (gpu_fuse): it writes what an op that computes an input reads}}
      #baco.gpu_blocks<sizes = [8, 8]>, #baco.gpu_fuse, #baco.gpu_threads<sizes = [1, 1]>]>}
    ins(%t, %c : memref<64x64xf32>, memref<64x64xf32>)
    outs(%a : memref<64x64xf32>)
  return
}

// -----

func.func @f(%a: memref<64x64xf32>, %c: memref<64x64xf32>, %d: memref<64x64xf32>) {
  %t = memref.alloc() : memref<64x64xf32>
  linalg.abs ins(%a : memref<64x64xf32>) outs(%t : memref<64x64xf32>)
  linalg.add {baco.recipe = #baco.recipe<[
      // expected-error @below {{'linalg.add' op recipe step 2 (gpu_fuse): the op writes a buffer that it reads}}
      #baco.gpu_blocks<sizes = [8, 8]>, #baco.gpu_fuse, #baco.gpu_threads<sizes = [1, 1]>]>}
    ins(%t, %c : memref<64x64xf32>, memref<64x64xf32>)
    outs(%t : memref<64x64xf32>)
  return
}

// -----

func.func @f(%a: memref<64x64xf32>, %c: memref<64x64xf32>, %d: memref<64x64xf32>) {
  %t = memref.alloc() : memref<64x64xf32>
  linalg.abs ins(%a : memref<64x64xf32>) outs(%t : memref<64x64xf32>)
  linalg.add {baco.recipe = #baco.recipe<[
      // expected-error @below {{'linalg.add' op recipe step 2 (gpu_fuse): the tiles of a block must fit 255 bytes of shared memory, but take 256}}
      #baco.gpu_blocks<sizes = [8, 8]>, #baco.gpu_fuse<limit = 255>, #baco.gpu_threads<sizes = [1, 1]>]>}
    ins(%t, %c : memref<64x64xf32>, memref<64x64xf32>)
    outs(%d : memref<64x64xf32>)
  return
}

// -----

func.func @f(%a: memref<64x64xf32>, %c: memref<64x64xf32>, %d: memref<64x64xf32>) {
  %t = memref.alloc() : memref<64x64xf32>
  linalg.generic {indexing_maps = [affine_map<(i, j, k) -> (i, j)>, affine_map<(i, j, k) -> (i, k)>], iterator_types = ["parallel", "parallel", "parallel"]}
    ins(%a : memref<64x64xf32>) outs(%t : memref<64x64xf32>) {
  ^bb0(%v: f32, %o: f32):
    linalg.yield %v : f32
  }
  linalg.add {baco.recipe = #baco.recipe<[
      // expected-error @below {{'linalg.add' op recipe step 2 (gpu_fuse): 'linalg.generic', which computes an input in a buffer, does not write each element of it by one iteration of its parallel iterators}}
      #baco.gpu_blocks<sizes = [8, 8]>, #baco.gpu_fuse, #baco.gpu_threads<sizes = [1, 1]>]>}
    ins(%t, %c : memref<64x64xf32>, memref<64x64xf32>)
    outs(%d : memref<64x64xf32>)
  return
}

// -----

func.func @f(%a: memref<64x64xf32>, %c: memref<64x64xf32>, %d: memref<64x64xf32>) {
  %t = memref.alloc() : memref<64x64xf32>
  linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
    ins(%a : memref<64x64xf32>) outs(%t, %c : memref<64x64xf32>, memref<64x64xf32>) {
  ^bb0(%v: f32, %o: f32, %p: f32):
    linalg.yield %v, %v : f32, f32
  }
  linalg.add {baco.recipe = #baco.recipe<[
      // expected-error @below {{'linalg.add' op recipe step 2 (gpu_fuse): 'linalg.generic', which computes an input in a buffer, writes other memory, too}}
      #baco.gpu_blocks<sizes = [8, 8]>, #baco.gpu_fuse, #baco.gpu_threads<sizes = [1, 1]>]>}
    ins(%t, %c : memref<64x64xf32>, memref<64x64xf32>)
    outs(%d : memref<64x64xf32>)
  return
}

// -----

// Rows and columns of one buffer.
func.func @f(%a: memref<64x64xf32>, %d: memref<64x64xf32>) {
  %t = memref.alloc() : memref<64x64xf32>
  linalg.abs ins(%a : memref<64x64xf32>) outs(%t : memref<64x64xf32>)
  linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (j, i)>, affine_map<(i, j) -> (i, j)>],
    iterator_types = ["parallel", "parallel"],
    baco.recipe = #baco.recipe<[
      // expected-error @below {{'linalg.generic' op recipe step 2 (gpu_fuse): different tiles of one buffer are read, one of them by 'linalg.generic'}}
      #baco.gpu_blocks<sizes = [8, 16]>, #baco.gpu_fuse, #baco.gpu_threads<sizes = [1, 1]>]>}
    ins(%t, %t : memref<64x64xf32>, memref<64x64xf32>) outs(%d : memref<64x64xf32>) {
  ^bb0(%v: f32, %w: f32, %o: f32):
    %s = arith.addf %v, %w : f32
    linalg.yield %s : f32
  }
  return
}

// -----

func.func @f(%a: memref<64x64xf32>, %b: memref<64x64xf32>, %c: memref<64x64xf32>) {
  // expected-error @below {{'linalg.matmul' op recipe step 1 (gpu_fuse): the step belongs between 'gpu_blocks' and 'gpu_threads'}}
  linalg.matmul {baco.recipe = #baco.recipe<[#baco.gpu_fuse]>}
    ins(%a, %b : memref<64x64xf32>, memref<64x64xf32>)
    outs(%c : memref<64x64xf32>)
  return
}

// -----

// expected-error @below {{the limit of shared memory is 0 bytes, but must be positive}}
func.func private @f() attributes {a = #baco.gpu_fuse<limit = 0>}

// -----

func.func @f(%a: memref<64x64xf32>, %c: memref<64x64xf32>, %d: memref<64x64xf32>) {
  %t = memref.alloc() : memref<64x64xf32>
  linalg.abs ins(%a : memref<64x64xf32>) outs(%t : memref<64x64xf32>)
  linalg.add {baco.recipe = #baco.recipe<[
      // expected-error @below {{'linalg.add' op recipe step 3 (gpu_shared): an earlier step has put tiles into shared memory; let one 'gpu_shared' list all operands, or leave one of the steps out}}
      #baco.gpu_blocks<sizes = [8, 8]>, #baco.gpu_fuse, #baco.gpu_shared<operands = [1]>,
      #baco.gpu_threads<sizes = [1, 1]>]>}
    ins(%t, %c : memref<64x64xf32>, memref<64x64xf32>)
    outs(%d : memref<64x64xf32>)
  return
}
