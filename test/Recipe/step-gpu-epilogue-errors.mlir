// What the step gpu_epilogue refuses.
// RUN: baco-opt %s --baco-expand-recipes --split-input-file --verify-diagnostics

func.func @alone(%a: memref<64x64xf32>, %b: memref<64x64xf32>, %c: memref<64x64xf32>) {
  linalg.matmul {baco.recipe = #baco.recipe<[
      // expected-error @below {{'linalg.matmul' op recipe step 1 (gpu_epilogue): no elementwise op without a recipe is next to the op that sets or reads its result}}
      #baco.gpu_epilogue<>, #baco.gpu_blocks<sizes = [8, 8, 0]>, #baco.gpu_threads<sizes = [1, 1, 0]>, #baco.vectorize<>, #baco.hoist<>]>}
    ins(%a, %b : memref<64x64xf32>, memref<64x64xf32>) outs(%c : memref<64x64xf32>)
  return
}

// -----

// It reads another column of the result.
func.func @gather(%a: memref<64x64xf32>, %b: memref<64x64xf32>, %c: memref<64x64xf32>, %d: memref<63x63xf32>) {
  linalg.matmul {baco.recipe = #baco.recipe<[
      // expected-error @below {{no elementwise op without a recipe is next to the op}}
      #baco.gpu_epilogue<>, #baco.gpu_blocks<sizes = [8, 8, 0]>, #baco.gpu_threads<sizes = [1, 1, 0]>, #baco.vectorize<>, #baco.hoist<>]>}
    ins(%a, %b : memref<64x64xf32>, memref<64x64xf32>) outs(%c : memref<64x64xf32>)
  linalg.generic {indexing_maps = [affine_map<(i, j) -> (i + 1, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
    ins(%c : memref<64x64xf32>) outs(%d : memref<63x63xf32>) {
  ^bb0(%x: f32, %o: f32):
    linalg.yield %x : f32
  }
  return
}

// -----

func.func @own(%a: memref<64x64xf32>, %b: memref<64x64xf32>, %c: memref<64x64xf32>) {
  linalg.matmul {baco.recipe = #baco.recipe<[
      // expected-error @below {{no elementwise op without a recipe is next to the op}}
      #baco.gpu_epilogue<>, #baco.gpu_blocks<sizes = [8, 8, 0]>, #baco.gpu_threads<sizes = [1, 1, 0]>, #baco.vectorize<>, #baco.hoist<>]>}
    ins(%a, %b : memref<64x64xf32>, memref<64x64xf32>) outs(%c : memref<64x64xf32>)
  linalg.abs {baco.recipe = #baco.recipe<[#baco.gpu_blocks<sizes = [8, 8]>, #baco.gpu_threads<sizes = [1, 1]>]>}
    ins(%c : memref<64x64xf32>) outs(%c : memref<64x64xf32>)
  return
}

// -----

func.func @memory(%a: memref<64x64xf32>, %b: memref<64x64xf32>, %c: memref<64x64xf32>) {
  linalg.matmul {baco.recipe = #baco.recipe<[
      // expected-error @below {{recipe step 1 (gpu_epilogue): accumulators aren't in registers; let 'gpu_threads', 'vectorize' and 'hoist' follow, or 'gpu_mma'}}
      #baco.gpu_epilogue<>, #baco.gpu_blocks<sizes = [8, 8, 0]>, #baco.gpu_threads<sizes = [1, 1, 0]>]>}
    ins(%a, %b : memref<64x64xf32>, memref<64x64xf32>) outs(%c : memref<64x64xf32>)
  linalg.abs ins(%c : memref<64x64xf32>) outs(%c : memref<64x64xf32>)
  return
}

// -----

func.func @order(%a: memref<63x64xf32>, %b: memref<64x64xf32>, %c: memref<63x64xf32>) {
  linalg.matmul {baco.recipe = #baco.recipe<[
      // expected-error @below {{recipe step 1 (gpu_epilogue): put 'gpu_pad' before it}}
      #baco.gpu_epilogue<>, #baco.gpu_pad<extents = [64, 64, 64]>, #baco.gpu_blocks<sizes = [8, 8, 0]>, #baco.gpu_threads<sizes = [1, 1, 0]>, #baco.vectorize<>, #baco.hoist<>]>}
    ins(%a, %b : memref<63x64xf32>, memref<64x64xf32>) outs(%c : memref<63x64xf32>)
  linalg.abs ins(%c : memref<63x64xf32>) outs(%c : memref<63x64xf32>)
  return
}
