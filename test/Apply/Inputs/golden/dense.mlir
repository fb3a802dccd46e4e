// Schedules of automatic annotation for AVX-512: the defaults, but a product with
// prefetches, and a convolution with a copy.
#map = affine_map<(d0, d1) -> (d0, d1)>
#map1 = affine_map<(d0, d1) -> (d0)>

func.func @matmul(%arg0: memref<64x48xf32>, %arg1: memref<48x96xf32>, %arg2: memref<64x96xf32>) {
  linalg.matmul {baco.recipe = #baco.recipe<[
    #baco.loop_permute<order = [2, 1, 3], statement = 0>,
    #baco.loop_vectorize<statement = 0, loop = 1, width = 32>,
    #baco.loop_unroll<statement = 0, loop = 2, factor = 14>,
    #baco.loop_unroll<statement = 0, loop = 3, factor = 2>,
    #baco.loop_copy<statement = 0, loop = 2, reference = 2, width = 0>,
    #baco.loop_prefetch<statement = 0, loop = 1, ahead = 1>]>}
    ins(%arg0, %arg1 : memref<64x48xf32>, memref<48x96xf32>) outs(%arg2 : memref<64x96xf32>)
  return
}

func.func @softmax(%arg0: memref<32x96xf32>, %arg1: memref<32x96xf32>) {
  %cst = arith.constant 0xFF800000 : f32
  %cst_0 = arith.constant 0.000000e+00 : f32
  %alloc = memref.alloc() : memref<32xf32>
  %alloc_1 = memref.alloc() : memref<32xf32>
  linalg.fill {baco.recipe = #baco.recipe<[
    #baco.loop_vectorize<statement = 1, loop = 2, width = 64>,
    #baco.loop_vectorize<statement = 2, loop = 2, width = 64>,
    #baco.loop_vectorize<statement = 4, loop = 2, width = 64>,
    #baco.loop_vectorize<statement = 5, loop = 2, width = 64>,
    #baco.loop_split<statement = 0, loop = 1, condition = "L1 >= 1">,
    #baco.loop_shift<statement = 0, loop = 1, amount = -1>,
    #baco.loop_split<statement = 1, loop = 1, condition = "L1 >= 1">,
    #baco.loop_shift<statement = 1, loop = 1, amount = -1>,
    #baco.loop_split<statement = 2, loop = 1, condition = "L1 <= 30">,
    #baco.loop_split<statement = 3, loop = 1, condition = "L1 <= 30">,
    #baco.loop_split<statement = 4, loop = 1, condition = "L1 <= 30">,
    #baco.loop_split<statement = 5, loop = 1, condition = "L1 <= 30">,
    #baco.loop_fuse<statements = [6, 7], loop = 1>, #baco.loop_fuse<statements = [0, 3], loop = 1>,
    #baco.loop_fuse<statements = [0, 1, 2, 4, 5], loop = 1>,
    #baco.loop_fuse<statements = [2, 4], loop = 2>,
    #baco.loop_fuse<statements = [1, 2], loop = 0>], nests = 6>} ins(%cst : f32) outs(%alloc : memref<32xf32>)
  linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "reduction"]} ins(%arg0 : memref<32x96xf32>) outs(%alloc : memref<32xf32>) {
  ^bb0(%in: f32, %out: f32):
    %0 = arith.maxnumf %in, %out : f32
    linalg.yield %0 : f32
  }
  linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel"]} ins(%arg0, %alloc : memref<32x96xf32>, memref<32xf32>) outs(%arg1 : memref<32x96xf32>) {
  ^bb0(%in: f32, %in_2: f32, %out: f32):
    %0 = arith.subf %in, %in_2 : f32
    %1 = math.exp %0 : f32
    linalg.yield %1 : f32
  }
  linalg.fill ins(%cst_0 : f32) outs(%alloc_1 : memref<32xf32>)
  linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "reduction"]} ins(%arg1 : memref<32x96xf32>) outs(%alloc_1 : memref<32xf32>) {
  ^bb0(%in: f32, %out: f32):
    %0 = arith.addf %in, %out : f32
    linalg.yield %0 : f32
  }
  linalg.generic {indexing_maps = [#map1, #map], iterator_types = ["parallel", "parallel"]} ins(%alloc_1 : memref<32xf32>) outs(%arg1 : memref<32x96xf32>) {
  ^bb0(%in: f32, %out: f32):
    %0 = arith.divf %out, %in : f32
    linalg.yield %0 : f32
  }
  memref.dealloc %alloc : memref<32xf32>
  memref.dealloc %alloc_1 : memref<32xf32>
  return
}

func.func @conv(%arg0: memref<1x18x18x16xf32>, %arg1: memref<3x3x16x32xf32>, %arg2: memref<1x16x16x32xf32>) {
  linalg.conv_2d_nhwc_hwcf {baco.recipe = #baco.recipe<[
    #baco.loop_permute<order = [4, 1, 2, 3, 5, 6, 7], statement = 0>,
    #baco.loop_vectorize<statement = 0, loop = 1, width = 32>,
    #baco.loop_unroll<statement = 0, loop = 4, factor = 3>,
    #baco.loop_unroll<statement = 0, loop = 3, factor = 4>,
    #baco.loop_unroll<statement = 0, loop = 7, factor = 2>,
    #baco.loop_copy<statement = 0, loop = 2, reference = 2, width = 16>,
    #baco.loop_prefetch<statement = 0, loop = 1, ahead = 0>]>,
    dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>}
    ins(%arg0, %arg1 : memref<1x18x18x16xf32>, memref<3x3x16x32xf32>) outs(%arg2 : memref<1x16x16x32xf32>)
  return
}
