// What blocks and threads with several tiles, and copies ahead, refuse.
// RUN: baco-opt %s --baco-expand-recipes --split-input-file --verify-diagnostics

func.func @f(%a: memref<64x64xf32>, %b: memref<64x64xf32>, %c: memref<64x64xf32>) {
  linalg.matmul {baco.recipe = #baco.recipe<[
      // expected-error @below {{recipe step 1 (gpu_blocks): local size 3 must divide global size 16 (a grid has whole blocks)}}
      #baco.gpu_blocks<sizes = [8, 8, 0], global = [16, 16, 0], local = [3, 8, 0]>,
      #baco.gpu_threads<sizes = [1, 1, 0]>]>}
    ins(%a, %b : memref<64x64xf32>, memref<64x64xf32>) outs(%c : memref<64x64xf32>)
  return
}

// -----

func.func @f(%a: memref<64x64xf32>, %b: memref<64x64xf32>, %c: memref<64x64xf32>) {
  linalg.matmul {baco.recipe = #baco.recipe<[
      // expected-error @below {{recipe step 1 (gpu_blocks): tiles of 8 must be spread evenly over the blocks}}
      #baco.gpu_blocks<sizes = [8, 8, 0], global = [12, 16, 0], local = [4, 4, 0]>,
      #baco.gpu_threads<sizes = [1, 1, 0]>]>}
    ins(%a, %b : memref<64x64xf32>, memref<64x64xf32>) outs(%c : memref<64x64xf32>)
  return
}

// -----

func.func @f(%a: memref<64x64xf32>, %b: memref<64x64xf32>, %c: memref<64x64xf32>) {
  linalg.matmul {baco.recipe = #baco.recipe<[
      #baco.gpu_blocks<sizes = [64, 64, 0]>,
      // expected-error @below {{recipe step 2 (gpu_threads): a block has at most 1024 threads}}
      #baco.gpu_threads<sizes = [1, 1, 0], local = [64, 32, 0]>]>}
    ins(%a, %b : memref<64x64xf32>, memref<64x64xf32>) outs(%c : memref<64x64xf32>)
  return
}

// -----

func.func @f(%a: memref<64x64xf32>, %b: memref<64x64xf32>, %c: memref<64x64xf32>) {
  linalg.matmul {baco.recipe = #baco.recipe<[
      #baco.gpu_blocks<sizes = [64, 64, 0]>,
      // expected-error @below {{recipe step 2 (gpu_threads): tiles of 2 must be spread evenly over the threads}}
      #baco.gpu_threads<sizes = [2, 1, 0], local = [12, 32, 0]>]>}
    ins(%a, %b : memref<64x64xf32>, memref<64x64xf32>) outs(%c : memref<64x64xf32>)
  return
}

// -----

func.func @f(%a: memref<64x64xf32>, %b: memref<64x64xf32>, %c: memref<64x64xf32>) {
  linalg.matmul {baco.recipe = #baco.recipe<[
      #baco.gpu_blocks<sizes = [16, 16, 0]>,
      // expected-error @below {{recipe step 2 (gpu_shared): there is no loop to copy ahead in; put a 'tile' before it, or leave out 'stages'}}
      #baco.gpu_shared<operands = [0, 1], stages = 2>,
      #baco.gpu_threads<sizes = [1, 1, 0]>]>}
    ins(%a, %b : memref<64x64xf32>, memref<64x64xf32>) outs(%c : memref<64x64xf32>)
  return
}

// -----

func.func @f(%a: memref<64x64xf32>, %b: memref<64x64xf32>, %c: memref<64x64xf32>) {
  linalg.matmul {baco.recipe = #baco.recipe<[
      #baco.gpu_blocks<sizes = [16, 16, 0]>,
      #baco.tile<sizes = [0, 0, 16]>,
      // expected-error @below {{recipe step 3 (gpu_shared): the tiles of a block must fit 4096 bytes of shared memory}}
      #baco.gpu_shared<operands = [0, 1], stages = 3, limit = 4096>,
      #baco.gpu_threads<sizes = [1, 1, 0]>]>}
    ins(%a, %b : memref<64x64xf32>, memref<64x64xf32>) outs(%c : memref<64x64xf32>)
  return
}

// -----

func.func @f(%a: memref<64x64xf32>, %b: memref<64x64xf32>, %c: memref<64x64xf32>) {
  linalg.matmul {baco.recipe = #baco.recipe<[
      #baco.gpu_blocks<sizes = [16, 16, 0]>,
      #baco.tile<sizes = [0, 0, 16]>,
      // expected-error @below {{recipe step 3 (gpu_shared): run 48 must divide the tile of operand 0}}
      #baco.gpu_shared<operands = [0, 1], run = 48>,
      #baco.gpu_threads<sizes = [1, 1, 0]>]>}
    ins(%a, %b : memref<64x64xf32>, memref<64x64xf32>) outs(%c : memref<64x64xf32>)
  return
}

// -----

// expected-error @below {{'run' can't be given with 'width' or 'stages'}}
#step = #baco.gpu_shared<operands = [0, 1], run = 4, stages = 2>

// -----

// expected-error @below {{the number of stages must be at least 1, but is 0}}
#step = #baco.gpu_shared<operands = [0, 1], stages = 0>

// -----

// expected-error @below {{'global' and 'local' must be given together}}
#step = #baco.gpu_blocks<sizes = [8, 8, 0], global = [16, 16, 0]>

// -----

// expected-error @below {{a local size must be given for each tile size that is not 0, and for no other}}
#step = #baco.gpu_threads<sizes = [8, 8, 0], local = [16, 16, 4]>

// -----

// expected-error @below {{a tile size is a product of 1 numbers; write the number alone}}
#step = #baco.gpu_threads<sizes = [[8], 8, 0]>

// -----

// Vectors of two bytes are too short for cp.async, which more than two stages need.
func.func @f(%a: memref<64x66xf16>, %b: memref<66x64xf16>, %c: memref<64x64xf16>) {
  linalg.matmul {baco.recipe = #baco.recipe<[
      #baco.gpu_blocks<sizes = [16, 16, 0]>,
      #baco.tile<sizes = [0, 0, 22]>,
      // expected-error @below {{recipe step 3 (gpu_shared): copies in more than two stages are asynchronous, of vectors of 4, 8 or 16 bytes that rows begin with}}
      #baco.gpu_shared<operands = [1], width = 1, stages = 3>,
      #baco.gpu_threads<sizes = [1, 1, 0]>]>}
    ins(%a, %b : memref<64x66xf16>, memref<66x64xf16>) outs(%c : memref<64x64xf16>)
  return
}

// -----

func.func @f(%a: memref<64x64xbf16>, %b: memref<64x64xbf16>, %c: memref<64x64xbf16>) {
  linalg.matmul {baco.recipe = #baco.recipe<[
      #baco.gpu_blocks<sizes = [32, 32, 0]>,
      #baco.tile<sizes = [0, 0, 16]>,
      #baco.gpu_shared<operands = [0, 1]>,
      // expected-error @below {{recipe step 4 (gpu_mma): tensor cores are for products of matrices, and convolutions, of f16, bf16 or f32 with sums in f32, of f16 with sums in f16, or of i8 with sums in i32}}
      #baco.gpu_mma<sizes = [16, 8, 0]>]>}
    ins(%a, %b : memref<64x64xbf16>, memref<64x64xbf16>) outs(%c : memref<64x64xbf16>)
  return
}

// -----

func.func @f(%a: memref<64x64xf16>, %b: memref<64x64xf16>, %c: memref<64x64xf32>) {
  linalg.matmul {baco.recipe = #baco.recipe<[
      #baco.gpu_blocks<sizes = [32, 32, 0]>,
      #baco.tile<sizes = [0, 0, 16]>,
      #baco.gpu_shared<operands = [0, 1]>,
      // expected-error @below {{recipe step 4 (gpu_mma): the rows of a warp 8 must be a multiple of 16}}
      #baco.gpu_mma<sizes = [8, 8, 0]>]>}
    ins(%a, %b : memref<64x64xf16>, memref<64x64xf16>) outs(%c : memref<64x64xf32>)
  return
}

// -----

func.func @f(%a: memref<64x64xf16>, %b: memref<64x64xf16>, %c: memref<64x64xf32>) {
  linalg.matmul {baco.recipe = #baco.recipe<[
      #baco.gpu_blocks<sizes = [32, 32, 0]>,
      #baco.tile<sizes = [0, 0, 16]>,
      // expected-error @below {{recipe step 3 (gpu_mma): no 'gpu_blocks', 'tile' of the sum and 'gpu_shared' of both operands come before}}
      #baco.gpu_mma<sizes = [16, 8, 0]>]>}
    ins(%a, %b : memref<64x64xf16>, memref<64x64xf16>) outs(%c : memref<64x64xf32>)
  return
}

// -----

func.func @f(%a: memref<64x64xf16>, %b: memref<64x64xf16>, %c: memref<64x64xf32>) {
  linalg.matmul {baco.recipe = #baco.recipe<[
      #baco.gpu_blocks<sizes = [32, 32, 0]>,
      #baco.tile<sizes = [0, 0, 16]>,
      // expected-error @below {{recipe step 3 (gpu_shared): 'gpu_mma' needs both operands, whatever knobs are}}
      #baco.gpu_shared<operands = [0]>,
      #baco.gpu_mma<sizes = [16, 8, 0]>]>}
    ins(%a, %b : memref<64x64xf16>, memref<64x64xf16>) outs(%c : memref<64x64xf32>)
  return
}

// -----

func.func @f(%a: memref<64x64xf16>, %b: memref<64x64xf16>, %c: memref<64x64xf32>) {
  linalg.matmul {baco.recipe = #baco.recipe<[
      #baco.gpu_blocks<sizes = [32, 32, 0]>,
      #baco.tile<sizes = [0, 0, 16]>,
      // expected-error @below {{recipe step 3 (gpu_shared): rows of matrices for tensor cores begin at multiples of 16 bytes}}
      #baco.gpu_shared<operands = [0, 1], padding = 4>,
      #baco.gpu_mma<sizes = [16, 8, 0]>]>}
    ins(%a, %b : memref<64x64xf16>, memref<64x64xf16>) outs(%c : memref<64x64xf32>)
  return
}

// -----

func.func @f(%a: memref<64x64xf32>, %b: memref<64x64xf32>, %c: memref<64x64xf32>) {
  linalg.matmul {baco.recipe = #baco.recipe<[
      #baco.gpu_blocks<sizes = [32, 32, 0]>,
      #baco.tile<sizes = [0, 0, 16]>,
      #baco.gpu_shared<operands = [0, 1]>,
      // expected-error @below {{recipe step 4 (gpu_mma): tensor cores round f32 to tf32, which has 11 digits; allow that by the attribute 'baco.tf32' of the op}}
      #baco.gpu_mma<sizes = [16, 8, 0]>]>}
    ins(%a, %b : memref<64x64xf32>, memref<64x64xf32>) outs(%c : memref<64x64xf32>)
  return
}

// -----

func.func @f(%a: memref<64x64xf32>, %b: memref<64x64xf32>, %c: memref<64x64xf32>) {
  linalg.matmul {baco.tf32, baco.recipe = #baco.recipe<[
      #baco.gpu_blocks<sizes = [32, 32, 0]>,
      #baco.tile<sizes = [0, 0, 16]>,
      // expected-error @below {{recipe step 3 (gpu_shared): rows of matrices for tensor cores begin at multiples of 16 bytes}}
      #baco.gpu_shared<operands = [0, 1], padding = 2>,
      #baco.gpu_mma<sizes = [16, 8, 0]>]>}
    ins(%a, %b : memref<64x64xf32>, memref<64x64xf32>) outs(%c : memref<64x64xf32>)
  return
}

// -----

func.func @f(%a: memref<4x64x64xf16>, %b: memref<4x64x64xf16>, %c: memref<4x64x64xf32>) {
  linalg.batch_matmul {baco.recipe = #baco.recipe<[
      #baco.gpu_blocks<sizes = [2, 32, 32, 0]>,
      #baco.tile<sizes = [0, 0, 0, 16]>,
      #baco.gpu_shared<operands = [0, 1]>,
      // expected-error @below {{recipe step 4 (gpu_mma): a warp has one product of a batch, and one row of an image: the size must be 1}}
      #baco.gpu_mma<sizes = [0, 16, 8, 0]>]>}
    ins(%a, %b : memref<4x64x64xf16>, memref<4x64x64xf16>) outs(%c : memref<4x64x64xf32>)
  return
}

// -----

module attributes {baco.gpu_target = #nvvm.target<chip = "sm_75">} {
  func.func @f(%a: memref<64x64xf16>, %b: memref<64x64xf16>, %c: memref<64x64xf32>) {
    linalg.matmul {baco.recipe = #baco.recipe<[
        #baco.gpu_blocks<sizes = [32, 32, 0]>,
        #baco.tile<sizes = [0, 0, 16]>,
        #baco.gpu_shared<operands = [0, 1]>,
        // expected-error @below {{recipe step 4 (gpu_mma): tensor cores need an sm_80 or later, but the target is sm_75}}
        #baco.gpu_mma<sizes = [16, 8, 0]>]>}
      ins(%a, %b : memref<64x64xf16>, memref<64x64xf16>) outs(%c : memref<64x64xf32>)
    return
  }
}

// -----

// expected-error @below {{'baco.tf32' must be a unit attribute of a linalg op}}
func.func private @f() attributes {baco.tf32}
