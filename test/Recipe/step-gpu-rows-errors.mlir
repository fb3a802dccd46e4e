// What the step gpu_rows refuses.
// RUN: baco-opt %s --baco-expand-recipes --split-input-file --verify-diagnostics

#column = affine_map<(i, j) -> (j)>
#row = affine_map<(i, j) -> (i)>
func.func @alone(%x: memref<8xf32>, %w: memref<64xf32>, %y: memref<8xf32>) {
  // expected-error @below {{'linalg.generic' op recipe step 1 (gpu_rows): no op without a recipe next to it needs the same rows}}
  linalg.generic {indexing_maps = [#row, #column, #row], iterator_types = ["parallel", "reduction"], baco.recipe = #baco.recipe<[#baco.gpu_rows<rows = 4, lanes = 32, width = 1>]>}
    ins(%x, %w : memref<8xf32>, memref<64xf32>) outs(%y : memref<8xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %p = arith.mulf %a, %b : f32
    %s = arith.addf %p, %o : f32
    linalg.yield %s : f32
  }
  return
}

// -----

#two = affine_map<(i, j) -> (i, j)>
#column = affine_map<(i, j) -> (j)>
func.func @columns(%x: memref<8x64xf32>, %y: memref<64xf32>) {
  // expected-error @below {{(gpu_rows): the op doesn't reduce its last iterator alone, by additions, products, maxima or minima of arithmetic on its elements}}
  linalg.generic {indexing_maps = [#two, #column], iterator_types = ["reduction", "parallel"], baco.recipe = #baco.recipe<[#baco.gpu_rows<rows = 4, lanes = 32, width = 1>]>}
    ins(%x : memref<8x64xf32>) outs(%y : memref<64xf32>) {
  ^bb0(%a: f32, %o: f32):
    %s = arith.addf %a, %o : f32
    linalg.yield %s : f32
  }
  return
}

// -----

#two = affine_map<(i, j) -> (i, j)>
#row = affine_map<(i, j) -> (i)>
func.func @lanes(%x: memref<8x64xf32>, %y: memref<8xf32>) {
  %z = arith.constant 0.0 : f32
  linalg.fill ins(%z : f32) outs(%y : memref<8xf32>)
  // expected-error @below {{(gpu_rows): the number of lanes 24 must be a power of two of at most 1024}}
  linalg.generic {indexing_maps = [#two, #row], iterator_types = ["parallel", "reduction"], baco.recipe = #baco.recipe<[#baco.gpu_rows<rows = 4, lanes = 24, width = 1>]>}
    ins(%x : memref<8x64xf32>) outs(%y : memref<8xf32>) {
  ^bb0(%a: f32, %o: f32):
    %s = arith.addf %a, %o : f32
    linalg.yield %s : f32
  }
  return
}

// -----

#two = affine_map<(i, j) -> (i, j)>
#row = affine_map<(i, j) -> (i)>
func.func @width(%x: memref<8x63xf32>, %y: memref<8xf32>) {
  %z = arith.constant 0.0 : f32
  linalg.fill ins(%z : f32) outs(%y : memref<8xf32>)
  // expected-error @below {{(gpu_rows): width 2 must divide a row of 63}}
  linalg.generic {indexing_maps = [#two, #row], iterator_types = ["parallel", "reduction"], baco.recipe = #baco.recipe<[#baco.gpu_rows<rows = 4, lanes = 32, width = 2>]>}
    ins(%x : memref<8x63xf32>) outs(%y : memref<8xf32>) {
  ^bb0(%a: f32, %o: f32):
    %s = arith.addf %a, %o : f32
    linalg.yield %s : f32
  }
  return
}

// -----

#two = affine_map<(i, j) -> (i, j)>
#row = affine_map<(i, j) -> (i)>
func.func @long(%x: memref<8x256xf32>, %y: memref<8xf32>) {
  %z = arith.constant 0.0 : f32
  linalg.fill ins(%z : f32) outs(%y : memref<8xf32>)
  // expected-error @below {{(gpu_rows): a lane has at most 64 elements of a row}}
  linalg.generic {indexing_maps = [#two, #row], iterator_types = ["parallel", "reduction"], baco.recipe = #baco.recipe<[#baco.gpu_rows<rows = 16, lanes = 2, width = 2>]>}
    ins(%x : memref<8x256xf32>) outs(%y : memref<8xf32>) {
  ^bb0(%a: f32, %o: f32):
    %s = arith.addf %a, %o : f32
    linalg.yield %s : f32
  }
  linalg.generic {indexing_maps = [#row, #two], iterator_types = ["parallel", "parallel"]}
    ins(%y : memref<8xf32>) outs(%x : memref<8x256xf32>) {
  ^bb0(%a: f32, %o: f32):
    %d = arith.divf %o, %a : f32
    linalg.yield %d : f32
  }
  return
}
