// What the step gpu_chain refuses.
// RUN: baco-opt %s --baco-expand-recipes --split-input-file --verify-diagnostics

#right = affine_map<(m, n, k) -> (n, k)>
#left = affine_map<(m, n, k) -> (m, k)>
#result = affine_map<(m, n, k) -> (m, n)>

func.func @f(%q: memref<64x32xf32>, %k: memref<64x32xf32>, %v: memref<64x32xf32>, %r: memref<64x32xf32>) {
  %zero = arith.constant 0.0 : f32
  %s = memref.alloc() : memref<64x64xf32>
  %p = memref.alloc() : memref<64x64xf32>
  linalg.fill ins(%zero : f32) outs(%s : memref<64x64xf32>)
  linalg.matmul indexing_maps = [#left, #right, #result] ins(%q, %k : memref<64x32xf32>, memref<64x32xf32>) outs(%s : memref<64x64xf32>)
  linalg.exp ins(%s : memref<64x64xf32>) outs(%p : memref<64x64xf32>)
  linalg.matmul {baco.recipe = #baco.recipe<[
      // expected-error @below {{'linalg.matmul' op recipe step 2 (gpu_chain): 24 must divide the columns}}
      #baco.gpu_blocks<sizes = [8, 0, 0]>, #baco.gpu_chain<columns = 24, rows = 2, run = 4, depth = 4, width = 4, padding = 4, stages = 1, lanes = 32, limit = 232448>, #baco.gpu_threads<sizes = [2, 4, 0]>]>}
    ins(%p, %v : memref<64x64xf32>, memref<64x32xf32>) outs(%r : memref<64x32xf32>)
  return
}

// -----

#right = affine_map<(m, n, k) -> (n, k)>
#left = affine_map<(m, n, k) -> (m, k)>
#result = affine_map<(m, n, k) -> (m, n)>

func.func @f(%q: memref<64x32xf32>, %k: memref<64x32xf32>, %v: memref<64x32xf32>, %r: memref<64x32xf32>) {
  %zero = arith.constant 0.0 : f32
  %s = memref.alloc() : memref<64x64xf32>
  %p = memref.alloc() : memref<64x64xf32>
  linalg.fill ins(%zero : f32) outs(%s : memref<64x64xf32>)
  linalg.matmul indexing_maps = [#left, #right, #result] ins(%q, %k : memref<64x32xf32>, memref<64x32xf32>) outs(%s : memref<64x64xf32>)
  linalg.exp ins(%s : memref<64x64xf32>) outs(%p : memref<64x64xf32>)
  linalg.matmul {baco.recipe = #baco.recipe<[
      // expected-error @below {{'linalg.matmul' op recipe step 2 (gpu_chain): 3 must divide the rows of a block}}
      #baco.gpu_blocks<sizes = [8, 0, 0]>, #baco.gpu_chain<columns = 32, rows = 3, run = 4, depth = 4, width = 4, padding = 4, stages = 1, lanes = 32, limit = 232448>, #baco.gpu_threads<sizes = [2, 4, 0]>]>}
    ins(%p, %v : memref<64x64xf32>, memref<64x32xf32>) outs(%r : memref<64x32xf32>)
  return
}

// -----

#right = affine_map<(m, n, k) -> (n, k)>
#left = affine_map<(m, n, k) -> (m, k)>
#result = affine_map<(m, n, k) -> (m, n)>

func.func @f(%q: memref<64x32xf32>, %k: memref<64x32xf32>, %v: memref<64x32xf32>, %r: memref<64x32xf32>) {
  %zero = arith.constant 0.0 : f32
  %s = memref.alloc() : memref<64x64xf32>
  %p = memref.alloc() : memref<64x64xf32>
  linalg.fill ins(%zero : f32) outs(%s : memref<64x64xf32>)
  linalg.matmul indexing_maps = [#left, #right, #result] ins(%q, %k : memref<64x32xf32>, memref<64x32xf32>) outs(%s : memref<64x64xf32>)
  linalg.exp ins(%s : memref<64x64xf32>) outs(%p : memref<64x64xf32>)
  linalg.matmul {baco.recipe = #baco.recipe<[
      // expected-error @below {{'linalg.matmul' op recipe step 2 (gpu_chain): 5 must divide the columns at a time}}
      #baco.gpu_blocks<sizes = [8, 0, 0]>, #baco.gpu_chain<columns = 32, rows = 2, run = 5, depth = 4, width = 4, padding = 4, stages = 1, lanes = 32, limit = 232448>, #baco.gpu_threads<sizes = [2, 4, 0]>]>}
    ins(%p, %v : memref<64x64xf32>, memref<64x32xf32>) outs(%r : memref<64x32xf32>)
  return
}

// -----

#right = affine_map<(m, n, k) -> (n, k)>
#left = affine_map<(m, n, k) -> (m, k)>
#result = affine_map<(m, n, k) -> (m, n)>

func.func @f(%q: memref<64x32xf32>, %k: memref<64x32xf32>, %v: memref<64x32xf32>, %r: memref<64x32xf32>) {
  %zero = arith.constant 0.0 : f32
  %s = memref.alloc() : memref<64x64xf32>
  %p = memref.alloc() : memref<64x64xf32>
  linalg.fill ins(%zero : f32) outs(%s : memref<64x64xf32>)
  linalg.matmul indexing_maps = [#left, #right, #result] ins(%q, %k : memref<64x32xf32>, memref<64x32xf32>) outs(%s : memref<64x64xf32>)
  linalg.exp ins(%s : memref<64x64xf32>) outs(%p : memref<64x64xf32>)
  linalg.matmul {baco.recipe = #baco.recipe<[
      // expected-error @below {{'linalg.matmul' op recipe step 2 (gpu_chain): 5 must divide the sum}}
      #baco.gpu_blocks<sizes = [8, 0, 0]>, #baco.gpu_chain<columns = 32, rows = 2, run = 4, depth = 5, width = 4, padding = 4, stages = 1, lanes = 32, limit = 232448>, #baco.gpu_threads<sizes = [2, 4, 0]>]>}
    ins(%p, %v : memref<64x64xf32>, memref<64x32xf32>) outs(%r : memref<64x32xf32>)
  return
}

// -----

#right = affine_map<(m, n, k) -> (n, k)>
#left = affine_map<(m, n, k) -> (m, k)>
#result = affine_map<(m, n, k) -> (m, n)>

func.func @f(%q: memref<64x32xf32>, %k: memref<64x32xf32>, %v: memref<64x32xf32>, %r: memref<64x32xf32>) {
  %zero = arith.constant 0.0 : f32
  %s = memref.alloc() : memref<64x64xf32>
  %p = memref.alloc() : memref<64x64xf32>
  linalg.fill ins(%zero : f32) outs(%s : memref<64x64xf32>)
  linalg.matmul indexing_maps = [#left, #right, #result] ins(%q, %k : memref<64x32xf32>, memref<64x32xf32>) outs(%s : memref<64x64xf32>)
  linalg.exp ins(%s : memref<64x64xf32>) outs(%p : memref<64x64xf32>)
  linalg.matmul {baco.recipe = #baco.recipe<[
      // expected-error @below {{'linalg.matmul' op recipe step 2 (gpu_chain): a vector must have at most 16 bytes}}
      #baco.gpu_blocks<sizes = [8, 0, 0]>, #baco.gpu_chain<columns = 32, rows = 2, run = 4, depth = 4, width = 8, padding = 8, stages = 1, lanes = 32, limit = 232448>, #baco.gpu_threads<sizes = [2, 4, 0]>]>}
    ins(%p, %v : memref<64x64xf32>, memref<64x32xf32>) outs(%r : memref<64x32xf32>)
  return
}

// -----

#right = affine_map<(m, n, k) -> (n, k)>
#left = affine_map<(m, n, k) -> (m, k)>
#result = affine_map<(m, n, k) -> (m, n)>

func.func @f(%q: memref<64x32xf32>, %k: memref<64x32xf32>, %v: memref<64x32xf32>, %r: memref<64x32xf32>) {
  %zero = arith.constant 0.0 : f32
  %s = memref.alloc() : memref<64x64xf32>
  %p = memref.alloc() : memref<64x64xf32>
  linalg.fill ins(%zero : f32) outs(%s : memref<64x64xf32>)
  linalg.matmul indexing_maps = [#left, #right, #result] ins(%q, %k : memref<64x32xf32>, memref<64x32xf32>) outs(%s : memref<64x64xf32>)
  linalg.exp ins(%s : memref<64x64xf32>) outs(%p : memref<64x64xf32>)
  linalg.matmul {baco.recipe = #baco.recipe<[
      // expected-error @below {{'linalg.matmul' op recipe step 2 (gpu_chain): 4 must divide the padding}}
      #baco.gpu_blocks<sizes = [8, 0, 0]>, #baco.gpu_chain<columns = 32, rows = 2, run = 4, depth = 4, width = 4, padding = 2, stages = 1, lanes = 32, limit = 232448>, #baco.gpu_threads<sizes = [2, 4, 0]>]>}
    ins(%p, %v : memref<64x64xf32>, memref<64x32xf32>) outs(%r : memref<64x32xf32>)
  return
}

// -----

#right = affine_map<(m, n, k) -> (n, k)>
#left = affine_map<(m, n, k) -> (m, k)>
#result = affine_map<(m, n, k) -> (m, n)>

func.func @f(%q: memref<64x32xf32>, %k: memref<64x32xf32>, %v: memref<64x32xf32>, %r: memref<64x32xf32>) {
  %zero = arith.constant 0.0 : f32
  %s = memref.alloc() : memref<64x64xf32>
  %p = memref.alloc() : memref<64x64xf32>
  linalg.fill ins(%zero : f32) outs(%s : memref<64x64xf32>)
  linalg.matmul indexing_maps = [#left, #right, #result] ins(%q, %k : memref<64x32xf32>, memref<64x32xf32>) outs(%s : memref<64x64xf32>)
  linalg.exp ins(%s : memref<64x64xf32>) outs(%p : memref<64x64xf32>)
  linalg.matmul {baco.recipe = #baco.recipe<[
      // expected-error @below {{'linalg.matmul' op recipe step 2 (gpu_chain): the tiles of a block must fit 4096 bytes of shared memory, but take 9856}}
      #baco.gpu_blocks<sizes = [8, 0, 0]>, #baco.gpu_chain<columns = 32, rows = 2, run = 4, depth = 4, width = 4, padding = 4, stages = 1, lanes = 32, limit = 4096>, #baco.gpu_threads<sizes = [2, 4, 0]>]>}
    ins(%p, %v : memref<64x64xf32>, memref<64x32xf32>) outs(%r : memref<64x32xf32>)
  return
}

// -----

#right = affine_map<(m, n, k) -> (n, k)>
#left = affine_map<(m, n, k) -> (m, k)>
#result = affine_map<(m, n, k) -> (m, n)>

func.func @f(%q: memref<64x32xf32>, %k: memref<64x32xf32>, %v: memref<64x32xf32>, %r: memref<64x32xf32>) {
  %zero = arith.constant 0.0 : f32
  %s = memref.alloc() : memref<64x64xf32>
  %p = memref.alloc() : memref<64x64xf32>
  linalg.fill ins(%zero : f32) outs(%s : memref<64x64xf32>)
  linalg.exp ins(%s : memref<64x64xf32>) outs(%s : memref<64x64xf32>)
  linalg.exp ins(%s : memref<64x64xf32>) outs(%p : memref<64x64xf32>)
  linalg.matmul {baco.recipe = #baco.recipe<[
      // expected-error @below {{'linalg.matmul' op recipe step 2 (gpu_chain): no product of matrices of static shape computes an input of the op}}
      #baco.gpu_blocks<sizes = [8, 0, 0]>, #baco.gpu_chain<columns = 32, rows = 2, run = 4, depth = 4, width = 4, padding = 4, stages = 1, lanes = 32, limit = 232448>, #baco.gpu_threads<sizes = [2, 4, 0]>]>}
    ins(%p, %v : memref<64x64xf32>, memref<64x32xf32>) outs(%r : memref<64x32xf32>)
  return
}

// -----

#right = affine_map<(m, n, k) -> (n, k)>
#left = affine_map<(m, n, k) -> (m, k)>
#result = affine_map<(m, n, k) -> (m, n)>

func.func @f(%q: memref<64x32xf32>, %k: memref<64x32xf32>, %v: memref<64x32xf32>, %r: memref<64x32xf32>) {
  %zero = arith.constant 0.0 : f32
  %s = memref.alloc() : memref<64x64xf32>
  %p = memref.alloc() : memref<64x64xf32>
  linalg.fill ins(%zero : f32) outs(%s : memref<64x64xf32>)
  linalg.matmul indexing_maps = [#left, #right, #result] ins(%q, %k : memref<64x32xf32>, memref<64x32xf32>) outs(%s : memref<64x64xf32>)
  linalg.generic {indexing_maps = [affine_map<(i, j) -> (j, i)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
    ins(%s : memref<64x64xf32>) outs(%p : memref<64x64xf32>) {
  ^bb0(%x: f32, %o: f32):
    linalg.yield %x : f32
  }
  linalg.matmul {baco.recipe = #baco.recipe<[
      // expected-error @below {{'linalg.matmul' op recipe step 2 (gpu_chain): the dimensions of a buffer have another order in 'linalg.generic'}}
      #baco.gpu_blocks<sizes = [8, 0, 0]>, #baco.gpu_chain<columns = 32, rows = 2, run = 4, depth = 4, width = 4, padding = 4, stages = 1, lanes = 32, limit = 232448>, #baco.gpu_threads<sizes = [2, 4, 0]>]>}
    ins(%p, %v : memref<64x64xf32>, memref<64x32xf32>) outs(%r : memref<64x32xf32>)
  return
}

// -----

#right = affine_map<(m, n, k) -> (n, k)>
#left = affine_map<(m, n, k) -> (m, k)>
#result = affine_map<(m, n, k) -> (m, n)>

func.func @f(%q: memref<64x32xf32>, %k: memref<64x32xf32>, %v: memref<64x32xf32>, %r: memref<64x32xf32>) {
  %zero = arith.constant 0.0 : f32
  %s = memref.alloc() : memref<64x64xf32>
  %p = memref.alloc() : memref<64x64xf32>
  linalg.fill ins(%zero : f32) outs(%s : memref<64x64xf32>)
  linalg.matmul indexing_maps = [#left, #right, #result] ins(%q, %k : memref<64x32xf32>, memref<64x32xf32>) outs(%s : memref<64x64xf32>)
  linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
    ins(%s : memref<64x64xf32>) outs(%p : memref<64x64xf32>) {
  ^bb0(%x: f32, %o: f32):
    %column = linalg.index 1 : index
    %number = arith.index_cast %column : index to i32
    %y = arith.sitofp %number : i32 to f32
    linalg.yield %y : f32
  }
  linalg.matmul {baco.recipe = #baco.recipe<[
      // expected-error @below {{'linalg.matmul' op recipe step 2 (gpu_chain): 'linalg.generic' isn't arithmetic on elements of a row, or a sum, product, maximum or minimum of them}}
      #baco.gpu_blocks<sizes = [8, 0, 0]>, #baco.gpu_chain<columns = 32, rows = 2, run = 4, depth = 4, width = 4, padding = 4, stages = 1, lanes = 32, limit = 232448>, #baco.gpu_threads<sizes = [2, 4, 0]>]>}
    ins(%p, %v : memref<64x64xf32>, memref<64x32xf32>) outs(%r : memref<64x32xf32>)
  return
}
