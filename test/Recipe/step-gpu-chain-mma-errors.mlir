// What the step gpu_chain refuses with tensor cores, and what steps behind it do.
// RUN: baco-opt %s --baco-expand-recipes --split-input-file --verify-diagnostics

#right = affine_map<(m, n, k) -> (n, k)>
#left = affine_map<(m, n, k) -> (m, k)>
#result = affine_map<(m, n, k) -> (m, n)>
#two = affine_map<(i, j) -> (i, j)>

func.func @f(%q: memref<64x32xf16>, %k: memref<64x32xf16>, %v: memref<64x32xf16>, %r: memref<64x32xf32>) {
  %zero = arith.constant 0.0 : f32
  %s = memref.alloc() : memref<64x64xf32>
  %p = memref.alloc() : memref<64x64xf16>
  linalg.fill ins(%zero : f32) outs(%s : memref<64x64xf32>)
  linalg.matmul indexing_maps = [#left, #right, #result]
    ins(%q, %k : memref<64x32xf16>, memref<64x32xf16>) outs(%s : memref<64x64xf32>)
  linalg.generic {indexing_maps = [#two, #two], iterator_types = ["parallel", "parallel"]}
    ins(%s : memref<64x64xf32>) outs(%p : memref<64x64xf16>) {
  ^bb0(%x: f32, %o: f16):
    %y = arith.truncf %x : f32 to f16
    linalg.yield %y : f16
  }
  linalg.matmul {baco.recipe = #baco.recipe<[
      // expected-error @below {{'linalg.matmul' op recipe step 2 (gpu_chain): 'gpu_mma' follows; let 'mma' be true}}
      #baco.gpu_blocks<sizes = [16, 0, 0]>, #baco.gpu_chain<columns = 32, rows = 16, run = 16, depth = 16, width = 8, padding = 8, stages = 1, lanes = 32, limit = 232448>,
      #baco.tile<sizes = [0, 0, 16]>, #baco.gpu_shared<operands = [1], width = 8, padding = 8>, #baco.gpu_mma<sizes = [16, 16, 0]>]>}
    ins(%p, %v : memref<64x64xf16>, memref<64x32xf16>) outs(%r : memref<64x32xf32>)
  return
}

// -----

#right = affine_map<(m, n, k) -> (n, k)>
#left = affine_map<(m, n, k) -> (m, k)>
#result = affine_map<(m, n, k) -> (m, n)>
#two = affine_map<(i, j) -> (i, j)>

func.func @f(%q: memref<64x32xf16>, %k: memref<64x32xf16>, %v: memref<64x32xf16>, %r: memref<64x32xf32>) {
  %zero = arith.constant 0.0 : f32
  %s = memref.alloc() : memref<64x64xf32>
  %p = memref.alloc() : memref<64x64xf16>
  linalg.fill ins(%zero : f32) outs(%s : memref<64x64xf32>)
  linalg.matmul indexing_maps = [#left, #right, #result]
    ins(%q, %k : memref<64x32xf16>, memref<64x32xf16>) outs(%s : memref<64x64xf32>)
  linalg.generic {indexing_maps = [#two, #two], iterator_types = ["parallel", "parallel"]}
    ins(%s : memref<64x64xf32>) outs(%p : memref<64x64xf16>) {
  ^bb0(%x: f32, %o: f16):
    %y = arith.truncf %x : f32 to f16
    linalg.yield %y : f16
  }
  linalg.matmul {baco.recipe = #baco.recipe<[
      // expected-error @below {{'linalg.matmul' op recipe step 2 (gpu_chain): no 'gpu_mma' follows, but 'mma' is true}}
      #baco.gpu_blocks<sizes = [16, 0, 0]>, #baco.gpu_chain<columns = 32, rows = 16, run = 16, depth = 16, width = 8, padding = 8, stages = 1, lanes = 32, limit = 232448, mma = true>,
      #baco.tile<sizes = [0, 0, 16]>, #baco.gpu_shared<operands = [1], width = 8, padding = 8>, #baco.gpu_threads<sizes = [4, 4, 0]>]>}
    ins(%p, %v : memref<64x64xf16>, memref<64x32xf16>) outs(%r : memref<64x32xf32>)
  return
}

// -----

#right = affine_map<(m, n, k) -> (n, k)>
#left = affine_map<(m, n, k) -> (m, k)>
#result = affine_map<(m, n, k) -> (m, n)>
#two = affine_map<(i, j) -> (i, j)>

func.func @f(%q: memref<64x32xf16>, %k: memref<64x32xf16>, %v: memref<64x32xf16>, %r: memref<64x32xf32>) {
  %zero = arith.constant 0.0 : f32
  %s = memref.alloc() : memref<64x64xf32>
  %p = memref.alloc() : memref<64x64xf16>
  linalg.fill ins(%zero : f32) outs(%s : memref<64x64xf32>)
  linalg.matmul indexing_maps = [#left, #right, #result]
    ins(%q, %k : memref<64x32xf16>, memref<64x32xf16>) outs(%s : memref<64x64xf32>)
  linalg.generic {indexing_maps = [#two, #two], iterator_types = ["parallel", "parallel"]}
    ins(%s : memref<64x64xf32>) outs(%p : memref<64x64xf16>) {
  ^bb0(%x: f32, %o: f16):
    %y = arith.truncf %x : f32 to f16
    linalg.yield %y : f16
  }
  linalg.matmul {baco.recipe = #baco.recipe<[
      // expected-error @below {{'linalg.matmul' op recipe step 2 (gpu_chain): the rows of a warp 8 must be a multiple of 16}}
      #baco.gpu_blocks<sizes = [16, 0, 0]>, #baco.gpu_chain<columns = 32, rows = 8, run = 16, depth = 16, width = 8, padding = 8, stages = 1, lanes = 32, limit = 232448, mma = true>,
      #baco.tile<sizes = [0, 0, 16]>, #baco.gpu_shared<operands = [1], width = 8, padding = 8>, #baco.gpu_mma<sizes = [16, 16, 0]>]>}
    ins(%p, %v : memref<64x64xf16>, memref<64x32xf16>) outs(%r : memref<64x32xf32>)
  return
}

// -----

#right = affine_map<(m, n, k) -> (n, k)>
#left = affine_map<(m, n, k) -> (m, k)>
#result = affine_map<(m, n, k) -> (m, n)>
#two = affine_map<(i, j) -> (i, j)>

func.func @f(%q: memref<64x32xf16>, %k: memref<64x32xf16>, %v: memref<64x32xf16>, %r: memref<64x32xf32>) {
  %zero = arith.constant 0.0 : f32
  %s = memref.alloc() : memref<64x64xf32>
  %p = memref.alloc() : memref<64x64xf16>
  linalg.fill ins(%zero : f32) outs(%s : memref<64x64xf32>)
  linalg.matmul indexing_maps = [#left, #right, #result]
    ins(%q, %k : memref<64x32xf16>, memref<64x32xf16>) outs(%s : memref<64x64xf32>)
  linalg.generic {indexing_maps = [#two, #two], iterator_types = ["parallel", "parallel"]}
    ins(%s : memref<64x64xf32>) outs(%p : memref<64x64xf16>) {
  ^bb0(%x: f32, %o: f16):
    %y = arith.truncf %x : f32 to f16
    linalg.yield %y : f16
  }
  linalg.matmul {baco.recipe = #baco.recipe<[
      // expected-error @below {{'linalg.matmul' op recipe step 2 (gpu_chain): the columns of a warp 4 must be a multiple of 8}}
      #baco.gpu_blocks<sizes = [16, 0, 0]>, #baco.gpu_chain<columns = 32, rows = 16, run = 4, depth = 16, width = 8, padding = 8, stages = 1, lanes = 32, limit = 232448, mma = true>,
      #baco.tile<sizes = [0, 0, 16]>, #baco.gpu_shared<operands = [1], width = 8, padding = 8>, #baco.gpu_mma<sizes = [16, 16, 0]>]>}
    ins(%p, %v : memref<64x64xf16>, memref<64x32xf16>) outs(%r : memref<64x32xf32>)
  return
}

// -----

#right = affine_map<(m, n, k) -> (n, k)>
#left = affine_map<(m, n, k) -> (m, k)>
#result = affine_map<(m, n, k) -> (m, n)>
#two = affine_map<(i, j) -> (i, j)>

func.func @f(%q: memref<64x32xf16>, %k: memref<64x32xf16>, %v: memref<64x32xf16>, %r: memref<64x32xf32>) {
  %zero = arith.constant 0.0 : f32
  %s = memref.alloc() : memref<64x64xf32>
  %p = memref.alloc() : memref<64x64xf16>
  linalg.fill ins(%zero : f32) outs(%s : memref<64x64xf32>)
  linalg.matmul indexing_maps = [#left, #right, #result]
    ins(%q, %k : memref<64x32xf16>, memref<64x32xf16>) outs(%s : memref<64x64xf32>)
  linalg.generic {indexing_maps = [#two, #two], iterator_types = ["parallel", "parallel"]}
    ins(%s : memref<64x64xf32>) outs(%p : memref<64x64xf16>) {
  ^bb0(%x: f32, %o: f16):
    %y = arith.truncf %x : f32 to f16
    linalg.yield %y : f16
  }
  linalg.matmul {baco.recipe = #baco.recipe<[
      // expected-error @below {{'linalg.matmul' op recipe step 2 (gpu_chain): the depth 8 must be a multiple of 16}}
      #baco.gpu_blocks<sizes = [16, 0, 0]>, #baco.gpu_chain<columns = 32, rows = 16, run = 16, depth = 8, width = 8, padding = 8, stages = 1, lanes = 32, limit = 232448, mma = true>,
      #baco.tile<sizes = [0, 0, 16]>, #baco.gpu_shared<operands = [1], width = 8, padding = 8>, #baco.gpu_mma<sizes = [16, 16, 0]>]>}
    ins(%p, %v : memref<64x64xf16>, memref<64x32xf16>) outs(%r : memref<64x32xf32>)
  return
}

// -----

#right = affine_map<(m, n, k) -> (n, k)>
#left = affine_map<(m, n, k) -> (m, k)>
#result = affine_map<(m, n, k) -> (m, n)>
#two = affine_map<(i, j) -> (i, j)>

func.func @f(%q: memref<64x32xf16>, %k: memref<64x32xf16>, %v: memref<64x32xf16>, %r: memref<64x32xf32>) {
  %zero = arith.constant 0.0 : f32
  %s = memref.alloc() : memref<64x64xf32>
  %p = memref.alloc() : memref<64x64xf16>
  linalg.fill ins(%zero : f32) outs(%s : memref<64x64xf32>)
  linalg.matmul indexing_maps = [#left, #right, #result]
    ins(%q, %k : memref<64x32xf16>, memref<64x32xf16>) outs(%s : memref<64x64xf32>)
  linalg.generic {indexing_maps = [#two, #two], iterator_types = ["parallel", "parallel"]}
    ins(%s : memref<64x64xf32>) outs(%p : memref<64x64xf16>) {
  ^bb0(%x: f32, %o: f16):
    %y = arith.truncf %x : f32 to f16
    linalg.yield %y : f16
  }
  linalg.matmul {baco.recipe = #baco.recipe<[
      // expected-error @below {{'linalg.matmul' op recipe step 2 (gpu_chain): the padding 4 must be a multiple of 8}}
      #baco.gpu_blocks<sizes = [16, 0, 0]>, #baco.gpu_chain<columns = 32, rows = 16, run = 16, depth = 16, width = 4, padding = 4, stages = 1, lanes = 32, limit = 232448, mma = true>,
      #baco.tile<sizes = [0, 0, 16]>, #baco.gpu_shared<operands = [1], width = 8, padding = 8>, #baco.gpu_mma<sizes = [16, 16, 0]>]>}
    ins(%p, %v : memref<64x64xf16>, memref<64x32xf16>) outs(%r : memref<64x32xf32>)
  return
}

// -----

#right = affine_map<(m, n, k) -> (n, k)>
#left = affine_map<(m, n, k) -> (m, k)>
#result = affine_map<(m, n, k) -> (m, n)>
#two = affine_map<(i, j) -> (i, j)>

func.func @f(%q: memref<64x32xf16>, %k: memref<64x32xf16>, %v: memref<64x32xf16>, %r: memref<64x32xf32>) {
  %zero = arith.constant 0.0 : f32
  %s = memref.alloc() : memref<64x64xf32>
  %p = memref.alloc() : memref<64x64xf16>
  linalg.fill ins(%zero : f32) outs(%s : memref<64x64xf32>)
  linalg.matmul indexing_maps = [#left, #right, #result]
    ins(%q, %k : memref<64x32xf16>, memref<64x32xf16>) outs(%s : memref<64x64xf32>)
  linalg.generic {indexing_maps = [#two, #two], iterator_types = ["parallel", "parallel"]}
    ins(%s : memref<64x64xf32>) outs(%p : memref<64x64xf16>) {
  ^bb0(%x: f32, %o: f16):
    %y = arith.truncf %x : f32 to f16
    linalg.yield %y : f16
  }
  linalg.matmul {baco.recipe = #baco.recipe<[
      // expected-error @below {{'linalg.matmul' op recipe step 2 (gpu_chain): the tiles of a block must fit 8192 bytes of shared memory, but take 10752}}
      #baco.gpu_blocks<sizes = [16, 0, 0]>, #baco.gpu_chain<columns = 32, rows = 16, run = 16, depth = 16, width = 8, padding = 8, stages = 1, lanes = 32, limit = 8192, mma = true>,
      #baco.tile<sizes = [0, 0, 16]>, #baco.gpu_shared<operands = [1], width = 8, padding = 8>, #baco.gpu_mma<sizes = [16, 16, 0]>]>}
    ins(%p, %v : memref<64x64xf16>, memref<64x32xf16>) outs(%r : memref<64x32xf32>)
  return
}

// -----

#right = affine_map<(m, n, k) -> (n, k)>
#left = affine_map<(m, n, k) -> (m, k)>
#result = affine_map<(m, n, k) -> (m, n)>
#two = affine_map<(i, j) -> (i, j)>

func.func @f(%q: memref<64x32xf16>, %k: memref<64x32xf16>, %v: memref<64x32xf16>, %r: memref<64x32xf32>) {
  %zero = arith.constant 0.0 : f32
  %s = memref.alloc() : memref<64x64xf32>
  %p = memref.alloc() : memref<64x64xf16>
  linalg.fill ins(%zero : f32) outs(%s : memref<64x64xf32>)
  linalg.matmul indexing_maps = [#left, #right, #result]
    ins(%q, %k : memref<64x32xf16>, memref<64x32xf16>) outs(%s : memref<64x64xf32>)
  linalg.generic {indexing_maps = [#two, #two], iterator_types = ["parallel", "parallel"]}
    ins(%s : memref<64x64xf32>) outs(%p : memref<64x64xf16>) {
  ^bb0(%x: f32, %o: f16):
    %y = arith.truncf %x : f32 to f16
    linalg.yield %y : f16
  }
  linalg.matmul {baco.recipe = #baco.recipe<[
      #baco.gpu_blocks<sizes = [16, 0, 0]>, #baco.gpu_chain<columns = 32, rows = 16, run = 16, depth = 16, width = 8, padding = 8, stages = 1, lanes = 32, limit = 232448, mma = true>,
      // expected-error @below {{'linalg.matmul' op recipe step 4 (gpu_shared): 'gpu_mma' needs both operands, whatever knobs are}}
      #baco.tile<sizes = [0, 0, 16]>, #baco.gpu_shared<operands = [0], width = 8, padding = 8>, #baco.gpu_mma<sizes = [16, 16, 0]>]>}
    ins(%p, %v : memref<64x64xf16>, memref<64x32xf16>) outs(%r : memref<64x32xf32>)
  return
}

// -----

#right = affine_map<(m, n, k) -> (n, k)>
#left = affine_map<(m, n, k) -> (m, k)>
#result = affine_map<(m, n, k) -> (m, n)>
#two = affine_map<(i, j) -> (i, j)>

func.func @f(%q: memref<64x32xf16>, %k: memref<64x32xf16>, %v: memref<64x32xf16>, %r: memref<64x32xf32>) {
  %zero = arith.constant 0.0 : f32
  %s = memref.alloc() : memref<64x64xf32>
  %p = memref.alloc() : memref<64x64xf16>
  linalg.fill ins(%zero : f32) outs(%s : memref<64x64xf32>)
  linalg.matmul indexing_maps = [#left, #right, #result]
    ins(%q, %k : memref<64x32xf16>, memref<64x32xf16>) outs(%s : memref<64x64xf32>)
  linalg.generic {indexing_maps = [#two, #two], iterator_types = ["parallel", "parallel"]}
    ins(%s : memref<64x64xf32>) outs(%p : memref<64x64xf16>) {
  ^bb0(%x: f32, %o: f16):
    %y = arith.truncf %x : f32 to f16
    linalg.yield %y : f16
  }
  linalg.matmul {baco.recipe = #baco.recipe<[
      #baco.gpu_blocks<sizes = [16, 0, 0]>, #baco.gpu_chain<columns = 32, rows = 16, run = 8, depth = 16, width = 8, padding = 8, stages = 1, lanes = 32, limit = 232448, mma = true>,
      #baco.tile<sizes = [0, 0, 16]>, #baco.gpu_shared<operands = [1], width = 8, padding = 8>,
      // expected-error @below {{'linalg.matmul' op recipe step 5 (gpu_mma): warps that compute rows compute the result, too}}
      #baco.gpu_mma<sizes = [16, 16, 0]>]>}
    ins(%p, %v : memref<64x64xf16>, memref<64x32xf16>) outs(%r : memref<64x32xf32>)
  return
}

// -----

#right = affine_map<(m, n, k) -> (n, k)>
#left = affine_map<(m, n, k) -> (m, k)>
#result = affine_map<(m, n, k) -> (m, n)>
#two = affine_map<(i, j) -> (i, j)>

func.func @f(%q: memref<64x32xf16>, %k: memref<64x32xf16>, %v: memref<64x32xf16>, %r: memref<64x32xf32>) {
  %zero = arith.constant 0.0 : f32
  %s = memref.alloc() : memref<64x64xf32>
  %p = memref.alloc() : memref<64x64xf16>
  linalg.fill ins(%zero : f32) outs(%s : memref<64x64xf32>)
  linalg.matmul indexing_maps = [#left, #right, #result]
    ins(%q, %k : memref<64x32xf16>, memref<64x32xf16>) outs(%s : memref<64x64xf32>)
  linalg.generic {indexing_maps = [#two, #two], iterator_types = ["parallel", "parallel"]}
    ins(%s : memref<64x64xf32>) outs(%p : memref<64x64xf16>) {
  ^bb0(%x: f32, %o: f16):
    %y = arith.truncf %x : f32 to f16
    linalg.yield %y : f16
  }
  linalg.matmul {baco.recipe = #baco.recipe<[
      #baco.gpu_blocks<sizes = [32, 0, 0]>, #baco.gpu_chain<columns = 32, rows = 16, run = 16, depth = 16, width = 8, padding = 8, stages = 1, lanes = 32, limit = 232448, mma = true>,
      #baco.tile<sizes = [0, 0, 16]>, #baco.gpu_shared<operands = [1], width = 8, padding = 8>,
      // expected-error @below {{'linalg.matmul' op recipe step 5 (gpu_mma): warps that compute rows compute the result, too}}
      #baco.gpu_mma<sizes = [32, 16, 0]>]>}
    ins(%p, %v : memref<64x64xf16>, memref<64x32xf16>) outs(%r : memref<64x32xf32>)
  return
}

// -----

#right = affine_map<(m, n, k) -> (n, k)>
#left = affine_map<(m, n, k) -> (m, k)>
#result = affine_map<(m, n, k) -> (m, n)>
#two = affine_map<(i, j) -> (i, j)>

func.func @f(%q: memref<64x32xf32>, %k: memref<64x32xf32>, %v: memref<64x32xf16>, %r: memref<64x32xf32>) {
  %zero = arith.constant 0.0 : f32
  %s = memref.alloc() : memref<64x64xf32>
  %p = memref.alloc() : memref<64x64xf16>
  linalg.fill ins(%zero : f32) outs(%s : memref<64x64xf32>)
  linalg.matmul indexing_maps = [#left, #right, #result]
    ins(%q, %k : memref<64x32xf32>, memref<64x32xf32>) outs(%s : memref<64x64xf32>)
  linalg.generic {indexing_maps = [#two, #two], iterator_types = ["parallel", "parallel"]}
    ins(%s : memref<64x64xf32>) outs(%p : memref<64x64xf16>) {
  ^bb0(%x: f32, %o: f16):
    %y = arith.truncf %x : f32 to f16
    linalg.yield %y : f16
  }
  linalg.matmul {baco.recipe = #baco.recipe<[
      // expected-error @below {{'linalg.matmul' op recipe step 2 (gpu_chain): the product of the rows: tensor cores round f32 to tf32, which has 11 digits; allow that by the attribute 'baco.tf32' of the op}}
      #baco.gpu_blocks<sizes = [16, 0, 0]>, #baco.gpu_chain<columns = 32, rows = 16, run = 16, depth = 16, width = 4, padding = 8, stages = 1, lanes = 32, limit = 232448, mma = true>,
      #baco.tile<sizes = [0, 0, 16]>, #baco.gpu_shared<operands = [1], width = 8, padding = 8>, #baco.gpu_mma<sizes = [16, 16, 0]>]>}
    ins(%p, %v : memref<64x64xf16>, memref<64x32xf16>) outs(%r : memref<64x32xf32>)
  return
}

// -----

#right = affine_map<(m, n, k) -> (n, k)>
#left = affine_map<(m, n, k) -> (m, k)>
#result = affine_map<(m, n, k) -> (m, n)>
#two = affine_map<(i, j) -> (i, j)>

func.func @f(%a: memref<64x32xf16>, %k: memref<64x32xf16>, %v: memref<64x32xf16>, %r: memref<64x32xf32>) {
  %q = memref.alloc() : memref<64x32xf16>
  linalg.exp ins(%a : memref<64x32xf16>) outs(%q : memref<64x32xf16>)
  %zero = arith.constant 0.0 : f32
  %s = memref.alloc() : memref<64x64xf32>
  %p = memref.alloc() : memref<64x64xf16>
  linalg.fill ins(%zero : f32) outs(%s : memref<64x64xf32>)
  linalg.matmul indexing_maps = [#left, #right, #result]
    ins(%q, %k : memref<64x32xf16>, memref<64x32xf16>) outs(%s : memref<64x64xf32>)
  linalg.generic {indexing_maps = [#two, #two], iterator_types = ["parallel", "parallel"]}
    ins(%s : memref<64x64xf32>) outs(%p : memref<64x64xf16>) {
  ^bb0(%x: f32, %o: f16):
    %y = arith.truncf %x : f32 to f16
    linalg.yield %y : f16
  }
  memref.dealloc %q : memref<64x32xf16>
  linalg.matmul {baco.recipe = #baco.recipe<[
      // expected-error @below {{'linalg.matmul' op recipe step 2 (gpu_chain): what an op that computes an input reads is freed before it}}
      #baco.gpu_blocks<sizes = [16, 0, 0]>, #baco.gpu_chain<columns = 32, rows = 16, run = 16, depth = 16, width = 8, padding = 8, stages = 1, lanes = 32, limit = 232448, mma = true>,
      #baco.tile<sizes = [0, 0, 16]>, #baco.gpu_shared<operands = [1], width = 8, padding = 8>, #baco.gpu_mma<sizes = [16, 16, 0]>]>}
    ins(%p, %v : memref<64x64xf16>, memref<64x32xf16>) outs(%r : memref<64x32xf32>)
  return
}
