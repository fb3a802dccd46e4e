// Kernels whose registers are compared with those of ptxas (sm_90.csv): recipes that
// --baco-annotate=target=nvvm wrote for functions of benchmarks/gpu/automatic, 2026-11-28.
#map = affine_map<(d0, d1, d2) -> (d2, d0)>
#map1 = affine_map<(d0, d1, d2) -> (d2, d1)>
#map2 = affine_map<(d0, d1, d2) -> (d0, d1)>
#map3 = affine_map<(d0) -> (d0)>
#map4 = affine_map<(d0) -> ()>
#map5 = affine_map<(d0, d1) -> (d0, d1)>
#map6 = affine_map<(d0, d1) -> (d0)>
module {
  func.func @matmul(%arg0: memref<1024x1024xf32>, %arg1: memref<1024x1024xf32>, %arg2: memref<1024x1024xf32>) {
    linalg.matmul {baco.recipe = #baco.recipe<[
      #baco.gpu_blocks<sizes = [#baco.knob<"BM", #baco.ordinal<[16, 32, 64, 128, 256], log>, default = 64>, #baco.knob<"BN", #baco.ordinal<[16, 32, 64, 128, 256], log>, default = 64>, 0]>,
      #baco.tile<sizes = [0, 0, #baco.knob<"BK", #baco.ordinal<[8, 16, 32, 64], log>, default = 16>]>,
      #baco.gpu_shared<operands = [0, 1], width = #baco.knob<"V", #baco.ordinal<[1, 2, 4], log>, default = 4>, padding = #baco.knob<"P", #baco.ordinal<[0, 4]>, default = 0>, stages = #baco.knob<"S", #baco.ordinal<[1, 2, 3, 4], log>, default = 3>, limit = 232448>,
      #baco.gpu_threads<sizes = [#baco.knob<"TM", #baco.ordinal<[1, 2, 4, 8, 16], log>, default = 4>, #baco.knob<"TN", #baco.ordinal<[1, 2, 4, 8, 16], log>, default = 4>, 0]>,
      #baco.tile<sizes = [0, 0, #baco.knob<"KU", #baco.ordinal<[1, 2, 4, 8, 16], log>, default = 4>]>,
      #baco.vectorize<>,
      #baco.hoist<>],
    where = [
      "TM * TN <= 128" : "accumulators leave half of the registers of a thread",
      "32 * TM * TN <= BM * BN" : "a block has at least one warp of threads",
      "BM * BN <= 32768" : "accumulators leave half of the registers of a multiprocessor"]>} ins(%arg0, %arg1 : memref<1024x1024xf32>, memref<1024x1024xf32>) outs(%arg2 : memref<1024x1024xf32>)
    return
  }
  func.func @transposed(%arg0: memref<1000x1024xf32>, %arg1: memref<1000x1024xf32>, %arg2: memref<1024x1024xf32>) {
    linalg.matmul indexing_maps = [#map, #map1, #map2] {baco.recipe = #baco.recipe<[
      #baco.gpu_blocks<sizes = [#baco.knob<"BM", #baco.ordinal<[16, 32, 64, 128, 256], log>, default = 64>, #baco.knob<"BN", #baco.ordinal<[16, 32, 64, 128, 256], log>, default = 64>, 0]>,
      #baco.tile<sizes = [0, 0, #baco.knob<"BK", #baco.ordinal<[8, 10, 20, 25, 40, 50], log>, default = 20>]>,
      #baco.gpu_shared<operands = [0, 1], width = #baco.knob<"V", #baco.ordinal<[1, 2, 4], log>, default = 4>, padding = #baco.knob<"P", #baco.ordinal<[0, 4]>, default = 0>, stages = #baco.knob<"S", #baco.ordinal<[1, 2, 3, 4], log>, default = 3>, limit = 232448>,
      #baco.gpu_threads<sizes = [#baco.knob<"TM", #baco.ordinal<[1, 2, 4, 8, 16], log>, default = 4>, #baco.knob<"TN", #baco.ordinal<[1, 2, 4, 8, 16], log>, default = 4>, 0]>,
      #baco.tile<sizes = [0, 0, #baco.knob<"KU", #baco.ordinal<[1, 2, 4, 5, 8, 10], log>, default = 4>]>,
      #baco.vectorize<>,
      #baco.hoist<>],
    where = [
      "TM * TN <= 128" : "accumulators leave half of the registers of a thread",
      "32 * TM * TN <= BM * BN" : "a block has at least one warp of threads",
      "BM * BN <= 32768" : "accumulators leave half of the registers of a multiprocessor"]>} ins(%arg0, %arg1 : memref<1000x1024xf32>, memref<1000x1024xf32>) outs(%arg2 : memref<1024x1024xf32>)
    return
  }
  func.func @halves(%arg0: memref<1024x1024xf16>, %arg1: memref<1024x1024xf16>, %arg2: memref<1024x1024xf32>) {
    linalg.matmul {baco.recipe = #baco.recipe<[
      #baco.gpu_blocks<sizes = [#baco.knob<"BM", #baco.ordinal<[32, 64, 128, 256], log>, default = 64>, #baco.knob<"BN", #baco.ordinal<[32, 64, 128, 256], log>, default = 64>, 0]>,
      #baco.tile<sizes = [0, 0, #baco.knob<"BK", #baco.ordinal<[32, 64], log>, default = 32>]>,
      #baco.gpu_shared<operands = [0, 1], width = #baco.knob<"V", #baco.ordinal<[1, 2, 4, 8], log>, default = 8>, padding = #baco.knob<"P", #baco.ordinal<[0, 8]>, default = 8>, stages = #baco.knob<"S", #baco.ordinal<[1, 2, 3, 4], log>, default = 3>, limit = 232448>,
      #baco.gpu_mma<sizes = [#baco.knob<"WM", #baco.ordinal<[16, 32, 64, 128], log>, default = 32>, #baco.knob<"WN", #baco.ordinal<[16, 32, 64, 128], log>, default = 16>, 0]>],
    where = [
      "WM * WN <= 4096" : "accumulators leave half of the registers of a thread",
      "BM * BN <= 32768" : "accumulators leave half of the registers of a multiprocessor"]>} ins(%arg0, %arg1 : memref<1024x1024xf16>, memref<1024x1024xf16>) outs(%arg2 : memref<1024x1024xf32>)
    return
  }
  func.func @brains(%arg0: memref<16x1024x1024xbf16>, %arg1: memref<16x1024x1024xbf16>, %arg2: memref<16x1024x1024xf32>) {
    linalg.batch_matmul {baco.recipe = #baco.recipe<[
      #baco.gpu_blocks<sizes = [1, #baco.knob<"BM", #baco.ordinal<[32, 64, 128, 256], log>, default = 128>, #baco.knob<"BN", #baco.ordinal<[32, 64, 128, 256], log>, default = 128>, 0]>,
      #baco.tile<sizes = [0, 0, 0, #baco.knob<"BK", #baco.ordinal<[32, 64], log>, default = 32>]>,
      #baco.gpu_shared<operands = [0, 1], width = #baco.knob<"V", #baco.ordinal<[1, 2, 4, 8], log>, default = 8>, padding = #baco.knob<"P", #baco.ordinal<[0, 8]>, default = 8>, stages = #baco.knob<"S", #baco.ordinal<[1, 2, 3, 4], log>, default = 3>, limit = 232448>,
      #baco.gpu_mma<sizes = [1, #baco.knob<"WM", #baco.ordinal<[16, 32, 64, 128], log>, default = 64>, #baco.knob<"WN", #baco.ordinal<[16, 32, 64, 128], log>, default = 32>, 0]>],
    where = [
      "WM * WN <= 4096" : "accumulators leave half of the registers of a thread",
      "BM * BN <= 32768" : "accumulators leave half of the registers of a multiprocessor"]>} ins(%arg0, %arg1 : memref<16x1024x1024xbf16>, memref<16x1024x1024xbf16>) outs(%arg2 : memref<16x1024x1024xf32>)
    return
  }
  func.func @tf32(%arg0: memref<1024x1024xf32>, %arg1: memref<1024x1024xf32>, %arg2: memref<1024x1024xf32>) {
    linalg.matmul {baco.recipe = #baco.recipe<[
      #baco.gpu_blocks<sizes = [#baco.knob<"BM", #baco.ordinal<[32, 64, 128, 256], log>, default = 64>, #baco.knob<"BN", #baco.ordinal<[32, 64, 128, 256], log>, default = 64>, 0]>,
      #baco.tile<sizes = [0, 0, #baco.knob<"BK", #baco.ordinal<[16, 32], log>, default = 16>]>,
      #baco.gpu_shared<operands = [0, 1], width = #baco.knob<"V", #baco.ordinal<[1, 2, 4], log>, default = 4>, padding = #baco.knob<"P", #baco.ordinal<[0, 4, 8]>, default = 4>, stages = #baco.knob<"S", #baco.ordinal<[1, 2, 3, 4], log>, default = 3>, limit = 232448>,
      #baco.gpu_mma<sizes = [#baco.knob<"WM", #baco.ordinal<[16, 32, 64, 128], log>, default = 32>, #baco.knob<"WN", #baco.ordinal<[16, 32, 64, 128], log>, default = 16>, 0]>],
    where = [
      "WM * WN <= 4096" : "accumulators leave half of the registers of a thread",
      "BM * BN <= 32768" : "accumulators leave half of the registers of a multiprocessor"]>, baco.tf32} ins(%arg0, %arg1 : memref<1024x1024xf32>, memref<1024x1024xf32>) outs(%arg2 : memref<1024x1024xf32>)
    return
  }
  func.func @small(%arg0: memref<1024x1024xf16>, %arg1: memref<1024x1024xf16>, %arg2: memref<1024x1024xf16>) {
    linalg.matmul {baco.recipe = #baco.recipe<[
      #baco.gpu_blocks<sizes = [#baco.knob<"BM", #baco.ordinal<[16, 32, 64, 128, 256], log>, default = 64>, #baco.knob<"BN", #baco.ordinal<[16, 32, 64, 128, 256], log>, default = 64>, 0]>,
      #baco.tile<sizes = [0, 0, #baco.knob<"BK", #baco.ordinal<[8, 16, 32, 64], log>, default = 16>]>,
      #baco.gpu_shared<operands = [0, 1], width = #baco.knob<"V", #baco.ordinal<[1, 2, 4, 8], log>, default = 8>, padding = #baco.knob<"P", #baco.ordinal<[0, 8]>, default = 0>, stages = #baco.knob<"S", #baco.ordinal<[1, 2, 3, 4], log>, default = 3>, limit = 232448>,
      #baco.gpu_threads<sizes = [#baco.knob<"TM", #baco.ordinal<[1, 2, 4, 8, 16], log>, default = 4>, #baco.knob<"TN", #baco.ordinal<[1, 2, 4, 8, 16], log>, default = 4>, 0]>,
      #baco.tile<sizes = [0, 0, #baco.knob<"KU", #baco.ordinal<[1, 2, 4, 8, 16], log>, default = 4>]>,
      #baco.vectorize<>,
      #baco.hoist<>],
    where = [
      "TM * TN <= 256" : "accumulators leave half of the registers of a thread",
      "32 * TM * TN <= BM * BN" : "a block has at least one warp of threads"]>} ins(%arg0, %arg1 : memref<1024x1024xf16>, memref<1024x1024xf16>) outs(%arg2 : memref<1024x1024xf16>)
    return
  }
  func.func @batch(%arg0: memref<16x1024x1000xf32>, %arg1: memref<16x1000x1024xf32>, %arg2: memref<16x1024x1024xf32>) {
    linalg.batch_matmul {baco.recipe = #baco.recipe<[
      #baco.gpu_blocks<sizes = [1, #baco.knob<"BM", #baco.ordinal<[16, 32, 64, 128, 256], log>, default = 64>, #baco.knob<"BN", #baco.ordinal<[16, 32, 64, 128, 256], log>, default = 64>, 0]>,
      #baco.tile<sizes = [0, 0, 0, #baco.knob<"BK", #baco.ordinal<[8, 10, 20, 25, 40, 50], log>, default = 20>]>,
      #baco.gpu_shared<operands = [0, 1], width = #baco.knob<"V", #baco.ordinal<[1, 2, 4], log>, default = 4>, padding = #baco.knob<"P", #baco.ordinal<[0, 4]>, default = 0>, stages = #baco.knob<"S", #baco.ordinal<[1, 2, 3, 4], log>, default = 3>, limit = 232448>,
      #baco.gpu_threads<sizes = [1, #baco.knob<"TM", #baco.ordinal<[1, 2, 4, 8, 16], log>, default = 4>, #baco.knob<"TN", #baco.ordinal<[1, 2, 4, 8, 16], log>, default = 4>, 0]>,
      #baco.tile<sizes = [0, 0, 0, #baco.knob<"KU", #baco.ordinal<[1, 2, 4, 5, 8, 10], log>, default = 4>]>,
      #baco.vectorize<>,
      #baco.hoist<>],
    where = [
      "TM * TN <= 128" : "accumulators leave half of the registers of a thread",
      "32 * TM * TN <= BM * BN" : "a block has at least one warp of threads",
      "BM * BN <= 32768" : "accumulators leave half of the registers of a multiprocessor"]>} ins(%arg0, %arg1 : memref<16x1024x1000xf32>, memref<16x1000x1024xf32>) outs(%arg2 : memref<16x1024x1024xf32>)
    return
  }
  func.func @convolution(%arg0: memref<16x66x66x32xf32>, %arg1: memref<3x3x32x64xf32>, %arg2: memref<16x64x64x64xf32>) {
    linalg.conv_2d_nhwc_hwcf {baco.recipe = #baco.recipe<[
      #baco.gpu_blocks<sizes = [0, #baco.knob<"BZ", #baco.ordinal<[1, 2, 4, 8], log>, default = 1>, #baco.knob<"BY", #baco.ordinal<[1, 2, 4, 8, 16, 32, 64], log>, default = 16>, #baco.knob<"BX", #baco.ordinal<[16, 32, 64], log>, default = 32>, 0, 0, 0]>,
      #baco.tile<sizes = [1, 0, 0, 0, 0, 0, #baco.knob<"C6", #baco.ordinal<[4, 8, 16, 32], log>, default = 8>]>,
      #baco.gpu_shared<operands = [0, 1], width = #baco.knob<"V", #baco.ordinal<[1, 2, 4], log>, default = 4>, limit = 232448, enabled = #baco.knob<"S", #baco.ordinal<[0, 1]>, default = 1>>,
      #baco.gpu_threads<sizes = [0, #baco.knob<"TZ", #baco.ordinal<[1, 2, 4, 8], log>, default = 1>, #baco.knob<"TY", #baco.ordinal<[1, 2, 4, 8], log>, default = 1>, #baco.knob<"TX", #baco.ordinal<[1, 2, 4, 8], log>, default = 1>, 0, 0, 0]>]>, dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%arg0, %arg1 : memref<16x66x66x32xf32>, memref<3x3x32x64xf32>) outs(%arg2 : memref<16x64x64x64xf32>)
    return
  }
  func.func @scal(%arg0: memref<16777216xf32>, %arg1: f32) {
    linalg.generic {indexing_maps = [#map3], iterator_types = ["parallel"]} outs(%arg0 : memref<16777216xf32>) attrs =  {baco.recipe = #baco.recipe<[
      #baco.gpu_blocks<sizes = [#baco.knob<"BX", #baco.ordinal<[16, 32, 64, 128, 256, 512, 1024, 2048, 4096], log>, default = 1024>]>,
      #baco.gpu_threads<sizes = [#baco.knob<"TX", #baco.ordinal<[1, 2, 4, 8], log>, default = 4>]>,
      #baco.vectorize<>]>} {
    ^bb0(%out: f32):
      %0 = arith.mulf %out, %arg1 : f32
      linalg.yield %0 : f32
    }
    return
  }
  func.func @transpose(%arg0: memref<4096x4096xf32>, %arg1: memref<4096x4096xf32>) {
    linalg.transpose ins(%arg0 : memref<4096x4096xf32>) outs(%arg1 : memref<4096x4096xf32>) permutation = [1, 0]  {baco.recipe = #baco.recipe<[
      #baco.gpu_blocks<sizes = [#baco.knob<"BY", #baco.ordinal<[1, 2, 4, 8, 16, 32, 64], log>, default = 4>, #baco.knob<"BX", #baco.ordinal<[16, 32, 64, 128, 256, 512, 1024], log>, default = 128>]>,
      #baco.gpu_threads<sizes = [#baco.knob<"TY", #baco.ordinal<[1, 2, 4, 8], log>, default = 1>, #baco.knob<"TX", #baco.ordinal<[1, 2, 4, 8], log>, default = 4>]>,
      #baco.vectorize<>]>}
    return
  }
  func.func @asum(%arg0: memref<16777216xf32>, %arg1: memref<f32>) {
    linalg.generic {indexing_maps = [#map3, #map4], iterator_types = ["reduction"]} ins(%arg0 : memref<16777216xf32>) outs(%arg1 : memref<f32>) attrs =  {baco.recipe = #baco.recipe<[#baco.gpu_reduce<chunk = #baco.knob<"C", #baco.ordinal<[256, 512, 1024, 2048, 4096, 8192, 16384, 32768, 65536], log>, default = 8192>, run = #baco.knob<"R", #baco.ordinal<[1, 2, 4, 8, 16, 32], log>, default = 8>, stride = #baco.knob<"L", #baco.ordinal<[32, 64, 128, 256, 512, 1024], log>, default = 256>, global = [#baco.knob<"G", #baco.ordinal<[32, 64, 128, 256, 512, 1024, 2048, 4096], log>, default = 512>, #baco.knob<"L", #baco.ordinal<[32, 64, 128, 256, 512, 1024], log>, default = 256>], local = #baco.knob<"L", #baco.ordinal<[32, 64, 128, 256, 512, 1024], log>, default = 256>>]>} {
    ^bb0(%in: f32, %out: f32):
      %0 = math.absf %in : f32
      %1 = arith.addf %0, %out : f32
      linalg.yield %1 : f32
    }
    return
  }
  func.func @rows(%arg0: memref<4096x4096xf32>, %arg1: memref<4096xf32>) {
    linalg.generic {indexing_maps = [#map5, #map6], iterator_types = ["parallel", "reduction"]} ins(%arg0 : memref<4096x4096xf32>) outs(%arg1 : memref<4096xf32>) attrs =  {baco.recipe = #baco.recipe<[
      #baco.gpu_blocks<sizes = [#baco.knob<"BX", #baco.ordinal<[16, 32, 64, 128, 256, 512, 1024, 2048, 4096], log>, default = 128>, 0]>,
      #baco.gpu_threads<sizes = [#baco.knob<"TX", #baco.ordinal<[1, 2, 4, 8], log>, default = 1>, 0]>]>} {
    ^bb0(%in: f32, %out: f32):
      %0 = arith.addf %in, %out : f32
      linalg.yield %0 : f32
    }
    return
  }
  func.func @gelu(%arg0: memref<16777216xf32>, %arg1: memref<16777216xf32>) {
    %cst = arith.constant 5.000000e-01 : f32
    %cst_0 = arith.constant 1.000000e+00 : f32
    %cst_1 = arith.constant 0.707106769 : f32
    linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel"]} ins(%arg0 : memref<16777216xf32>) outs(%arg1 : memref<16777216xf32>) attrs =  {baco.recipe = #baco.recipe<[
      #baco.gpu_blocks<sizes = [#baco.knob<"BX", #baco.ordinal<[16, 32, 64, 128, 256, 512, 1024, 2048, 4096], log>, default = 1024>]>,
      #baco.gpu_threads<sizes = [#baco.knob<"TX", #baco.ordinal<[1, 2, 4, 8], log>, default = 4>]>,
      #baco.vectorize<>]>} {
    ^bb0(%in: f32, %out: f32):
      %0 = arith.mulf %in, %cst_1 : f32
      %1 = math.erf %0 : f32
      %2 = arith.addf %1, %cst_0 : f32
      %3 = arith.mulf %in, %cst : f32
      %4 = arith.mulf %3, %2 : f32
      linalg.yield %4 : f32
    }
    return
  }
  func.func @softmax(%arg0: memref<4096x4096xf32>, %arg1: memref<4096xf32>, %arg2: memref<4096x4096xf32>, %arg3: memref<4096xf32>) {
    %cst = arith.constant 0.000000e+00 : f32
    %cst_0 = arith.constant 0xFF800000 : f32
    linalg.fill {baco.recipe = #baco.recipe<[
      #baco.gpu_blocks<sizes = [#baco.knob<"BX", #baco.ordinal<[16, 32, 64, 128, 256, 512, 1024, 2048, 4096], log>, default = 1024>]>,
      #baco.gpu_threads<sizes = [#baco.knob<"TX", #baco.ordinal<[1, 2, 4, 8], log>, default = 4>]>,
      #baco.vectorize<>]>} ins(%cst_0 : f32) outs(%arg1 : memref<4096xf32>)
    linalg.generic {indexing_maps = [#map5, #map6], iterator_types = ["parallel", "reduction"]} ins(%arg0 : memref<4096x4096xf32>) outs(%arg1 : memref<4096xf32>) attrs =  {baco.recipe = #baco.recipe<[
      #baco.gpu_blocks<sizes = [#baco.knob<"BX", #baco.ordinal<[16, 32, 64, 128, 256, 512, 1024, 2048, 4096], log>, default = 128>, 0]>,
      #baco.gpu_threads<sizes = [#baco.knob<"TX", #baco.ordinal<[1, 2, 4, 8], log>, default = 1>, 0]>]>} {
    ^bb0(%in: f32, %out: f32):
      %0 = arith.maximumf %in, %out : f32
      linalg.yield %0 : f32
    }
    linalg.generic {indexing_maps = [#map5, #map6, #map5], iterator_types = ["parallel", "parallel"]} ins(%arg0, %arg1 : memref<4096x4096xf32>, memref<4096xf32>) outs(%arg2 : memref<4096x4096xf32>) attrs =  {baco.recipe = #baco.recipe<[
      #baco.gpu_blocks<sizes = [#baco.knob<"BY", #baco.ordinal<[1, 2, 4, 8, 16, 32, 64], log>, default = 4>, #baco.knob<"BX", #baco.ordinal<[16, 32, 64, 128, 256, 512, 1024], log>, default = 128>]>,
      #baco.gpu_threads<sizes = [#baco.knob<"TY", #baco.ordinal<[1, 2, 4, 8], log>, default = 1>, #baco.knob<"TX", #baco.ordinal<[1, 2, 4, 8], log>, default = 4>]>,
      #baco.vectorize<>]>} {
    ^bb0(%in: f32, %in_1: f32, %out: f32):
      %0 = arith.subf %in, %in_1 : f32
      %1 = math.exp %0 : f32
      linalg.yield %1 : f32
    }
    linalg.fill {baco.recipe = #baco.recipe<[
      #baco.gpu_blocks<sizes = [#baco.knob<"BX", #baco.ordinal<[16, 32, 64, 128, 256, 512, 1024, 2048, 4096], log>, default = 1024>]>,
      #baco.gpu_threads<sizes = [#baco.knob<"TX", #baco.ordinal<[1, 2, 4, 8], log>, default = 4>]>,
      #baco.vectorize<>]>} ins(%cst : f32) outs(%arg3 : memref<4096xf32>)
    linalg.generic {indexing_maps = [#map5, #map6], iterator_types = ["parallel", "reduction"]} ins(%arg2 : memref<4096x4096xf32>) outs(%arg3 : memref<4096xf32>) attrs =  {baco.recipe = #baco.recipe<[
      #baco.gpu_blocks<sizes = [#baco.knob<"BX", #baco.ordinal<[16, 32, 64, 128, 256, 512, 1024, 2048, 4096], log>, default = 128>, 0]>,
      #baco.gpu_threads<sizes = [#baco.knob<"TX", #baco.ordinal<[1, 2, 4, 8], log>, default = 1>, 0]>]>} {
    ^bb0(%in: f32, %out: f32):
      %0 = arith.addf %in, %out : f32
      linalg.yield %0 : f32
    }
    linalg.generic {indexing_maps = [#map6, #map5], iterator_types = ["parallel", "parallel"]} ins(%arg3 : memref<4096xf32>) outs(%arg2 : memref<4096x4096xf32>) attrs =  {baco.recipe = #baco.recipe<[
      #baco.gpu_blocks<sizes = [#baco.knob<"BY", #baco.ordinal<[1, 2, 4, 8, 16, 32, 64], log>, default = 4>, #baco.knob<"BX", #baco.ordinal<[16, 32, 64, 128, 256, 512, 1024], log>, default = 128>]>,
      #baco.gpu_threads<sizes = [#baco.knob<"TY", #baco.ordinal<[1, 2, 4, 8], log>, default = 1>, #baco.knob<"TX", #baco.ordinal<[1, 2, 4, 8], log>, default = 4>]>,
      #baco.vectorize<>]>} {
    ^bb0(%in: f32, %out: f32):
      %0 = arith.divf %out, %in : f32
      linalg.yield %0 : f32
    }
    return
  }
  func.func @stencil(%arg0: memref<1026x1026xf32>, %arg1: memref<3x3xf32>, %arg2: memref<1024x1024xf32>) {
    linalg.conv_2d {baco.recipe = #baco.recipe<[
      #baco.gpu_blocks<sizes = [#baco.knob<"BY", #baco.ordinal<[1, 2, 4, 8, 16, 32, 64], log>, default = 16>, #baco.knob<"BX", #baco.ordinal<[16, 32, 64, 128, 256, 512, 1024], log>, default = 32>, 0, 0]>,
      #baco.gpu_shared<operands = [0], width = #baco.knob<"V", #baco.ordinal<[1, 2, 4], log>, default = 2>, limit = 232448, enabled = #baco.knob<"S", #baco.ordinal<[0, 1]>, default = 1>>,
      #baco.gpu_threads<sizes = [#baco.knob<"TY", #baco.ordinal<[1, 2, 4, 8], log>, default = 1>, #baco.knob<"TX", #baco.ordinal<[1, 2, 4, 8], log>, default = 1>, 0, 0]>]>} ins(%arg0, %arg1 : memref<1026x1026xf32>, memref<3x3xf32>) outs(%arg2 : memref<1024x1024xf32>)
    return
  }
  func.func @pooling(%arg0: memref<8x130x130x64xf32>, %arg1: memref<3x3xf32>, %arg2: memref<8x128x128x64xf32>) {
    linalg.pooling_nhwc_max {baco.recipe = #baco.recipe<[
      #baco.gpu_blocks<sizes = [0, #baco.knob<"BZ", #baco.ordinal<[1, 2, 4, 8], log>, default = 1>, #baco.knob<"BY", #baco.ordinal<[1, 2, 4, 8, 16, 32, 64], log>, default = 16>, #baco.knob<"BX", #baco.ordinal<[16, 32, 64], log>, default = 32>, 0, 0]>,
      #baco.tile<sizes = [1, 0, 0, 0, 0, 0]>,
      #baco.gpu_shared<operands = [0], width = #baco.knob<"V", #baco.ordinal<[1, 2, 4], log>, default = 4>, limit = 232448, enabled = #baco.knob<"S", #baco.ordinal<[0, 1]>, default = 1>>,
      #baco.gpu_threads<sizes = [0, #baco.knob<"TZ", #baco.ordinal<[1, 2, 4, 8], log>, default = 1>, #baco.knob<"TY", #baco.ordinal<[1, 2, 4, 8], log>, default = 1>, #baco.knob<"TX", #baco.ordinal<[1, 2, 4, 8], log>, default = 1>, 0, 0]>]>, dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%arg0, %arg1 : memref<8x130x130x64xf32>, memref<3x3xf32>) outs(%arg2 : memref<8x128x128x64xf32>)
    return
  }
  func.func @images(%arg0: memref<8x32x66x66xf32>, %arg1: memref<64x32x3x3xf32>, %arg2: memref<8x64x64x64xf32>) {
    linalg.conv_2d_nchw_fchw {baco.recipe = #baco.recipe<[
      #baco.gpu_blocks<sizes = [0, #baco.knob<"BZ", #baco.ordinal<[1, 2, 4, 8], log>, default = 1>, #baco.knob<"BY", #baco.ordinal<[1, 2, 4, 8, 16, 32, 64], log>, default = 16>, #baco.knob<"BX", #baco.ordinal<[16, 32, 64], log>, default = 32>, 0, 0, 0]>,
      #baco.tile<sizes = [1, 0, 0, 0, #baco.knob<"C4", #baco.ordinal<[4, 8, 16, 32], log>, default = 8>, 0, 0]>,
      #baco.gpu_shared<operands = [0, 1], width = #baco.knob<"V", #baco.ordinal<[1, 2, 4], log>, default = 1>, limit = 232448, enabled = #baco.knob<"S", #baco.ordinal<[0, 1]>, default = 1>>,
      #baco.gpu_threads<sizes = [0, #baco.knob<"TZ", #baco.ordinal<[1, 2, 4, 8], log>, default = 1>, #baco.knob<"TY", #baco.ordinal<[1, 2, 4, 8], log>, default = 1>, #baco.knob<"TX", #baco.ordinal<[1, 2, 4, 8], log>, default = 1>, 0, 0, 0]>]>, dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%arg0, %arg1 : memref<8x32x66x66xf32>, memref<64x32x3x3xf32>) outs(%arg2 : memref<8x64x64x64xf32>)
    return
  }
}

