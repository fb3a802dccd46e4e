// Errors of sums whose parts threads have.
// RUN: baco-opt %s --split-input-file --verify-diagnostics --baco-expand-recipes

func.func @f(%a: memref<64x64xf32>, %b: memref<64x64xf32>, %c: memref<64x64xf32>) {
  linalg.matmul {baco.recipe = #baco.recipe<[
      #baco.gpu_blocks<sizes = [16, 16, 0]>, #baco.tile<sizes = [0, 0, 16]>,
      // expected-error @below {{recipe step 3 (gpu_threads): threads have parts of what is in shared memory; put 'gpu_shared' before it}}
      #baco.gpu_threads<sizes = [4, 4, 4]>, #baco.vectorize<>, #baco.hoist<>]>}
    ins(%a, %b : memref<64x64xf32>, memref<64x64xf32>) outs(%c : memref<64x64xf32>)
  return
}

// -----

func.func @f(%a: memref<64x64xf32>, %b: memref<64x64xf32>, %c: memref<64x64xf32>) {
  linalg.matmul {baco.recipe = #baco.recipe<[
      #baco.gpu_blocks<sizes = [16, 16, 0]>, #baco.tile<sizes = [0, 0, 16]>,
      #baco.gpu_shared<operands = [0, 1]>,
      // expected-error @below {{recipe step 4 (gpu_threads): sums of parts aren't in registers; let 'vectorize' and 'hoist' follow}}
      #baco.gpu_threads<sizes = [4, 4, 4]>]>}
    ins(%a, %b : memref<64x64xf32>, memref<64x64xf32>) outs(%c : memref<64x64xf32>)
  return
}

// -----

func.func @f(%a: memref<64x64xf32>, %b: memref<64x64xf32>, %c: memref<64x64xf32>) {
  linalg.matmul {baco.recipe = #baco.recipe<[
      #baco.gpu_blocks<sizes = [16, 16, 0], global = [64, 64, 0], local = [16, 16, 0]>,
      #baco.tile<sizes = [0, 0, 16]>, #baco.gpu_shared<operands = [0, 1]>,
      // expected-error @below {{recipe step 4 (gpu_threads): a reduction can't have a size with 'local', 'global', 'gpu_fuse', 'gpu_chain' or 'interchange'}}
      #baco.gpu_threads<sizes = [4, 4, 4]>, #baco.vectorize<>, #baco.hoist<>]>}
    ins(%a, %b : memref<64x64xf32>, memref<64x64xf32>) outs(%c : memref<64x64xf32>)
  return
}

// -----

// Four parts, but three rows.
func.func @f(%a: memref<48x64xf32>, %b: memref<64x64xf32>, %c: memref<48x64xf32>) {
  linalg.matmul {baco.recipe = #baco.recipe<[
      #baco.gpu_blocks<sizes = [24, 16, 0]>, #baco.tile<sizes = [0, 0, 16]>,
      #baco.gpu_shared<operands = [0, 1]>,
      // expected-error @below {{recipe step 4 (gpu_threads): the number of parts of a sum must divide size 3 (each thread adds some rows)}}
      #baco.gpu_threads<sizes = [3, 4, 4]>, #baco.vectorize<>, #baco.hoist<>]>}
    ins(%a, %b : memref<48x64xf32>, memref<64x64xf32>) outs(%c : memref<48x64xf32>)
  return
}

// -----

// 1,024 threads for one part.
func.func @f(%a: memref<64x64xf32>, %b: memref<64x64xf32>, %c: memref<64x64xf32>) {
  linalg.matmul {baco.recipe = #baco.recipe<[
      #baco.gpu_blocks<sizes = [64, 64, 0]>, #baco.tile<sizes = [0, 0, 16]>,
      #baco.gpu_shared<operands = [0, 1]>,
      // expected-error @below {{recipe step 4 (gpu_threads): a block has at most 1024 threads}}
      #baco.gpu_threads<sizes = [2, 2, 8]>, #baco.vectorize<>, #baco.hoist<>]>}
    ins(%a, %b : memref<64x64xf32>, memref<64x64xf32>) outs(%c : memref<64x64xf32>)
  return
}

// -----

func.func @f(%a: memref<64x64xf32>, %b: memref<64x64xf32>, %c: memref<64x64xf32>) {
  linalg.matmul {baco.recipe = #baco.recipe<[
      #baco.gpu_blocks<sizes = [64, 64, 0]>, #baco.tile<sizes = [0, 0, 32]>,
      #baco.gpu_shared<operands = [0, 1]>,
      // expected-error @below {{recipe step 4 (gpu_threads): the tiles of a block, and its sums of parts, must fit 49152 bytes of shared memory}}
      #baco.gpu_threads<sizes = [8, 8, 8]>, #baco.vectorize<>, #baco.hoist<>]>}
    ins(%a, %b : memref<64x64xf32>, memref<64x64xf32>) outs(%c : memref<64x64xf32>)
  return
}

// -----

func.func @f(%a: memref<64x64xf32>, %b: memref<64x64xf32>, %c: memref<64x64xf32>) {
  linalg.matmul {baco.recipe = #baco.recipe<[
      #baco.gpu_blocks<sizes = [32, 32, 0]>, #baco.tile<sizes = [0, 0, 16]>,
      #baco.gpu_shared<operands = [0, 1]>,
      // expected-error @below {{recipe step 4 (gpu_threads): parts of a sum are along z: another size must not be 0}}
      #baco.gpu_threads<sizes = [0, 0, 4]>, #baco.vectorize<>, #baco.hoist<>]>}
    ins(%a, %b : memref<64x64xf32>, memref<64x64xf32>) outs(%c : memref<64x64xf32>)
  return
}

// -----

// Products of sums aren't sums.
func.func @f(%a: memref<64x64xf32>, %b: memref<64xf32>) {
  linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>],
      iterator_types = ["parallel", "reduction"], baco.recipe = #baco.recipe<[
      #baco.gpu_blocks<sizes = [16, 0]>, #baco.tile<sizes = [0, 16]>,
      #baco.gpu_shared<operands = [0]>,
      // expected-error @below {{recipe step 4 (gpu_threads): the op isn't one sum by 'arith.addf' or 'arith.addi', without 'linalg.index'}}
      #baco.gpu_threads<sizes = [4, 4]>, #baco.vectorize<>, #baco.hoist<>]>}
    ins(%a : memref<64x64xf32>) outs(%b : memref<64xf32>) {
  ^bb0(%x: f32, %s: f32):
    %t = arith.mulf %s, %x : f32
    linalg.yield %t : f32
  }
  return
}

// -----

func.func @f(%a: memref<64x64xf32>, %b: memref<64x64xf32>, %c: memref<64x64xf32>) {
  linalg.matmul {baco.recipe = #baco.recipe<[
      #baco.gpu_blocks<sizes = [32, 32, 0]>, #baco.tile<sizes = [16, 0, 16]>,
      #baco.gpu_shared<operands = [0, 1]>,
      // expected-error @below {{recipe step 4 (gpu_threads): a reduction can't have a size behind a 'tile' of other iterators; let 'gpu_blocks' have these sizes}}
      #baco.gpu_threads<sizes = [4, 4, 8]>, #baco.vectorize<>, #baco.hoist<>]>}
    ins(%a, %b : memref<64x64xf32>, memref<64x64xf32>) outs(%c : memref<64x64xf32>)
  return
}

// -----

func.func @f(%a: memref<32x64xi32>, %b: memref<64x32xi32>, %c: memref<32x32xindex>) {
  linalg.generic {indexing_maps = [affine_map<(i, j, k) -> (i, k)>, affine_map<(i, j, k) -> (k, j)>, affine_map<(i, j, k) -> (i, j)>],
      iterator_types = ["parallel", "parallel", "reduction"], baco.recipe = #baco.recipe<[
      #baco.gpu_blocks<sizes = [16, 32, 0]>, #baco.tile<sizes = [0, 0, 16]>,
      #baco.gpu_shared<operands = [0, 1]>,
      // expected-error @below {{recipe step 4 (gpu_threads): sums are of type 'index'; leave out the size of the reduction}}
      #baco.gpu_threads<sizes = [4, 4, 4]>, #baco.vectorize<>, #baco.hoist<>]>}
    ins(%a, %b : memref<32x64xi32>, memref<64x32xi32>) outs(%c : memref<32x32xindex>) {
  ^bb0(%x: i32, %y: i32, %s: index):
    %p = arith.muli %x, %y : i32
    %q = arith.index_cast %p : i32 to index
    %t = arith.addi %s, %q : index
    linalg.yield %t : index
  }
  return
}
