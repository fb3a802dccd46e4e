// Recipes for GPUs: products, elements, reductions; and what gets none. Their
// defaults and draws run in the emulator by the tests baco-bench-gpu-emulated-*.
// RUN: baco-opt %s --baco-annotate=target=nvvm --verify-diagnostics | %one-line-recipes | FileCheck %s
// RUN: not baco-opt %s --baco-annotate=target=gpu 2>&1 | %one-line-recipes | FileCheck %s --check-prefix=TARGET

// TARGET: error: target must be cpu, nvvm:CHIP, cuda:CHIP, opencl:DEVICE or fpga:DEVICE, but is 'gpu'

#one = affine_map<(i) -> (i)>
#two = affine_map<(i, j) -> (i, j)>

// CHECK-LABEL: func.func @matmul(
// CHECK:      #baco.gpu_blocks<sizes = [#baco.knob<"BM", #baco.ordinal<[16, 32, 64, 128, 256], log>, default = 64>, #baco.knob<"BN", {{.*}}, default = 128>, 0]>
// CHECK-SAME: #baco.tile<sizes = [0, 0, #baco.knob<"BK", #baco.ordinal<[8, 16, 32, 64], log>, default = 32>]>
// CHECK-SAME: #baco.gpu_shared<operands = [0, 1], width = #baco.knob<"V", #baco.ordinal<[1, 2, 4], log>, default = 4>, padding = [#baco.knob<"P", #baco.ordinal<[0, 4]>, default = 0>, 0], stages = #baco.knob<"S", #baco.ordinal<[1, 2, 3, 4], log>, default = 3>, limit = 232448>
// CHECK-SAME: #baco.gpu_threads<sizes = [#baco.knob<"TM", #baco.ordinal<[1, 2, 4, 8, 16], log>, default = 8>, #baco.knob<"TN", {{.*}}, default = 8>, 0]>
// CHECK-SAME: #baco.vectorize<>, #baco.hoist<>], where = ["TM * TN <= 128" : "accumulators leave half of the registers of a thread", "32 * TM * TN <= BM * BN" : "a block has at least one warp of threads", "BM * BN <= 32768" : "accumulators leave half of the registers of a multiprocessor"]>
func.func @matmul(%a: memref<1024x1024xf32>, %b: memref<1024x1024xf32>, %c: memref<1024x1024xf32>) {
  linalg.matmul ins(%a, %b : memref<1024x1024xf32>, memref<1024x1024xf32>) outs(%c : memref<1024x1024xf32>)
  return
}

// Rows of 1022 floats begin at multiples of 8 bytes: longer vectors aren't the default.
// Their number isn't one that sizes of tiles divide. Blocks are small, so that there are more of them.
// CHECK-LABEL: func.func @unaligned(
// CHECK:      #baco.gpu_pad<extents = [64, 64, 1024]>
// CHECK-SAME: #baco.gpu_blocks<sizes = [#baco.knob<"BM", #baco.ordinal<[16, 32, 64], log>, default = 16>, #baco.knob<"BN", {{.*}}, default = 16>, 0]>
// CHECK-SAME: #baco.gpu_shared<operands = [0, 1], width = #baco.knob<"V", #baco.ordinal<[1, 2, 4], log>, default = 2>, {{.*}}, stages = #baco.knob<"S", {{.*}}, default = 3>
// CHECK-SAME: #baco.gpu_threads
func.func @unaligned(%a: memref<64x1022xf32>, %b: memref<1022x64xf32>, %c: memref<64x64xf32>) {
  linalg.matmul ins(%a, %b : memref<64x1022xf32>, memref<1022x64xf32>) outs(%c : memref<64x64xf32>)
  return
}

// Few tiles: threads have parts of the sum.
// CHECK-LABEL: func.func @few_tiles(
// CHECK:      #baco.gpu_blocks<sizes = [#baco.knob<"BM", {{.*}}, default = 32>, #baco.knob<"BN", {{.*}}, default = 64>, 0]>
// CHECK-SAME: #baco.gpu_split<sizes = [0, 0, #baco.knob<"KS", {{.*}}, default = 512>]>
// CHECK-SAME: #baco.tile<sizes = [0, 0, #baco.knob<"BK", {{.*}}, default = 64>]>
// CHECK-SAME: #baco.gpu_threads<sizes = [#baco.knob<"TM", {{.*}}, default = 16>, #baco.knob<"TN", {{.*}}, default = 8>, #baco.knob<"KT", #baco.ordinal<[4, 8, 16, 32, 64], log>, default = 8>]>
// CHECK-SAME: "32 * TM * TN * KT <= BM * BN * BK" : "a block has at least one warp of threads"
func.func @few_tiles(%a: memref<512x512xf32>, %b: memref<512x512xf32>, %c: memref<512x512xf32>) {
  linalg.matmul ins(%a, %b : memref<512x512xf32>, memref<512x512xf32>) outs(%c : memref<512x512xf32>)
  return
}

// Few rows and a long sum: blocks of as many columns as tiles of 64 x 64 have elements,
// and eight parts of the sum.
// CHECK-LABEL: func.func @few_rows(
// CHECK:      #baco.gpu_blocks<sizes = [16, #baco.knob<"BN", {{.*}}, default = 256>, 0]>
// CHECK-SAME: #baco.gpu_split<sizes = [0, 0, #baco.knob<"KS", #baco.ordinal<[128, 256, 512, 1024, 2048, 4096], log>, default = 512>]>
// CHECK-SAME: #baco.tile
// CHECK-SAME: #baco.gpu_threads
func.func @few_rows(%a: memref<16x4096xf32>, %b: memref<4096x4096xf32>, %c: memref<16x4096xf32>) {
  linalg.matmul ins(%a, %b : memref<16x4096xf32>, memref<4096x4096xf32>) outs(%c : memref<16x4096xf32>)
  return
}

// The batch is along z.
// CHECK-LABEL: func.func @batch(
// CHECK:      #baco.gpu_blocks<sizes = [1, #baco.knob<"BM"
// CHECK-SAME: #baco.gpu_threads<sizes = [1, #baco.knob<"TM"
func.func @batch(%a: memref<8x64x64xf32>, %b: memref<8x64x64xf32>, %c: memref<8x64x64xf32>) {
  linalg.batch_matmul ins(%a, %b : memref<8x64x64xf32>, memref<8x64x64xf32>) outs(%c : memref<8x64x64xf32>)
  return
}

// On tensor cores: sums in f32.
// CHECK-LABEL: func.func @halves(
// CHECK:      #baco.gpu_blocks<sizes = [#baco.knob<"BM", #baco.ordinal<[32, 64, 128, 256], log>, default = 64>, #baco.knob<"BN", {{.*}}, default = 128>, 0]>
// CHECK-SAME: #baco.tile<sizes = [0, 0, #baco.knob<"BK", #baco.ordinal<[32, 64], log>, default = 64>]>
// CHECK-SAME: #baco.gpu_shared<operands = [0, 1], width = #baco.knob<"V", #baco.ordinal<[1, 2, 4, 8], log>, default = 8>, padding = #baco.knob<"P", #baco.ordinal<[0, 8]>, default = 8>, stages = #baco.knob<"S", #baco.ordinal<[1, 2, 3, 4], log>, default = 3>, limit = 232448>
// CHECK-SAME: #baco.gpu_mma<sizes = [#baco.knob<"WM", #baco.ordinal<[16, 32, 64, 128], log>, default = 64>, #baco.knob<"WN", {{.*}}, default = 32>, 0]>]
// CHECK-SAME: where = ["WM * WN <= 4096" : "accumulators leave half of the registers of a thread", "BM * BN <= 32768" : "accumulators leave half of the registers of a multiprocessor"]>
func.func @halves(%a: memref<1024x1024xf16>, %b: memref<1024x1024xf16>, %c: memref<1024x1024xf32>) {
  linalg.matmul ins(%a, %b : memref<1024x1024xf16>, memref<1024x1024xf16>) outs(%c : memref<1024x1024xf32>)
  return
}

// Of 112 rows, one size of tiles would be the only one.
// CHECK-LABEL: func.func @odd_halves(
// CHECK:      #baco.gpu_pad<extents = [128, 128, 128]>
// CHECK-SAME: #baco.gpu_blocks<sizes = [#baco.knob<"BM", #baco.ordinal<[32, 64, 128], log>
func.func @odd_halves(%a: memref<101x101xf16>, %b: memref<101x101xf16>, %c: memref<101x101xf32>) {
  linalg.matmul ins(%a, %b : memref<101x101xf16>, memref<101x101xf16>) outs(%c : memref<101x101xf32>)
  return
}

// Enough blocks for a larger one.
// CHECK-LABEL: func.func @brains(
// CHECK: #baco.gpu_blocks<sizes = [1, #baco.knob<"BM", {{.*}}, default = 128>, #baco.knob<"BN", {{.*}}, default = 128>, 0]>
// CHECK: #baco.gpu_mma<sizes = [1, #baco.knob<"WM", {{.*}}, default = 64>, #baco.knob<"WN", {{.*}}, default = 32>, 0]>
func.func @brains(%a: memref<8x1024x1024xbf16>, %b: memref<8x1024x1024xbf16>, %c: memref<8x1024x1024xf32>) {
  linalg.batch_matmul ins(%a, %b : memref<8x1024x1024xbf16>, memref<8x1024x1024xbf16>) outs(%c : memref<8x1024x1024xf32>)
  return
}

// CHECK-LABEL: func.func @tf32(
// CHECK: padding = [4, 8]
// CHECK: #baco.gpu_mma<
func.func @tf32(%a: memref<1024x1024xf32>, %b: memref<1024x1024xf32>, %c: memref<1024x1024xf32>) {
  linalg.matmul {baco.tf32} ins(%a, %b : memref<1024x1024xf32>, memref<1024x1024xf32>) outs(%c : memref<1024x1024xf32>)
  return
}

// Sums in f16 are on tensor cores, too. Extents that aren't multiples of 16 are padded.
// CHECK-LABEL: func.func @small(
// CHECK:      #baco.gpu_mma
// CHECK:      #baco.gpu_pad<extents = [64, 64, 96]>
// CHECK-SAME: #baco.gpu_mma
// CHECK:      return
func.func @small(%a: memref<64x64xf16>, %b: memref<64x64xf16>, %c: memref<64x64xf16>,
                 %d: memref<64x72xf16>, %e: memref<72x64xf16>, %f: memref<64x64xf32>) {
  linalg.matmul ins(%a, %b : memref<64x64xf16>, memref<64x64xf16>) outs(%c : memref<64x64xf16>)
  linalg.matmul ins(%d, %e : memref<64x72xf16>, memref<72x64xf16>) outs(%f : memref<64x64xf32>)
  return
}

// Tiles of places and filters; those of both inputs in shared memory, some channels at
// once. The last place and the filters of a thread are in registers, through the window.
// CHECK-LABEL: func.func @convolution(
// CHECK:      #baco.gpu_blocks<sizes = [1, #baco.knob<"BO", {{.*}}, default = 1>, #baco.knob<"BP", {{.*}}, default = 16>, #baco.knob<"BF", {{[^>]*}}>, default = 16>, 0, 0, 0]>
// CHECK-SAME: #baco.tile<sizes = [0, 0, 0, 0, 0, 0, #baco.knob<"C", #baco.ordinal<[4, 8], log>, default = 8>]>
// CHECK-SAME: #baco.gpu_shared<operands = [0, 1], width = #baco.knob<"V", #baco.ordinal<[1, 2, 4], log>, default = 4>, padding = #baco.knob<"P", #baco.ordinal<[0, 4]>, default = 4>, limit = 232448>
// CHECK-SAME: #baco.gpu_threads<sizes = [0, 1, #baco.knob<"TP", {{.*}}>, #baco.knob<"TF", {{.*}}>, 0, 0, 0]>, #baco.tile<sizes = [0, 0, 0, 0, 1, 1, #baco.knob<"KU", {{.*}}>]>, #baco.vectorize<>, #baco.hoist<>]
func.func @convolution(%x: memref<4x18x18x8xf32>, %k: memref<3x3x8x32xf32>, %y: memref<4x16x16x32xf32>) {
  linalg.conv_2d_nhwc_hwcf {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>}
    ins(%x, %k : memref<4x18x18x8xf32>, memref<3x3x8x32xf32>) outs(%y : memref<4x16x16x32xf32>)
  return
}

// A tile has a border: 32 + 2 columns are whole vectors of two.
// CHECK-LABEL: func.func @stencil(
// CHECK:      #baco.gpu_blocks<sizes = [#baco.knob<"BY", {{.*}}, default = 16>, #baco.knob<"BX", {{.*}}, default = 32>, 0, 0]>
// CHECK-SAME: #baco.gpu_shared<operands = [0], width = #baco.knob<"V", #baco.ordinal<[1, 2, 4], log>, default = 2>
func.func @stencil(%x: memref<66x66xf32>, %k: memref<3x3xf32>, %y: memref<64x64xf32>) {
  linalg.conv_2d ins(%x, %k : memref<66x66xf32>, memref<3x3xf32>) outs(%y : memref<64x64xf32>)
  return
}

// What only sets elements gets a recipe, too: the host can't.
// CHECK-LABEL: func.func @fill(
// CHECK: linalg.fill {baco.recipe = #baco.recipe<[#baco.gpu_blocks<sizes = [#baco.knob<"BX", #baco.ordinal<[16, 32, 64, 128, 256, 512, 1024, 2048, 4096], log>, default = 256>]>, #baco.gpu_threads<sizes = [#baco.knob<"TX", #baco.ordinal<[1, 2, 4, 8], log>, default = 1>]>, #baco.vectorize<>]>}
func.func @fill(%x: memref<8192xf32>) {
  %zero = arith.constant 0.0 : f32
  linalg.fill ins(%zero : f32) outs(%x : memref<8192xf32>)
  return
}

// More elements than there can be threads: each has a vector. Rows that follow each
// other in memory are one.
// CHECK-LABEL: func.func @rows(
// CHECK:      memref.collapse_shape %{{.*}} {{\[\[}}0, 1]] : memref<1021x1021xf32> into memref<1042441xf32>
// CHECK:      #baco.gpu_pad<extents = [1044480]>
// CHECK-SAME: #baco.gpu_blocks<sizes = [#baco.knob<"BX", {{.*}}, default = 1024>]>, #baco.gpu_threads<sizes = [#baco.knob<"TX", {{.*}}, default = 4>]>, #baco.vectorize<>]>}
func.func @rows(%x: memref<1021x1021xf32>, %y: memref<1021x1021xf32>) {
  linalg.add ins(%x, %y : memref<1021x1021xf32>, memref<1021x1021xf32>) outs(%y : memref<1021x1021xf32>)
  return
}

// CHECK-LABEL: func.func @sum(
// CHECK: #baco.gpu_reduce<chunk = #baco.knob<"C", {{.*}}, default = 512>, run = #baco.knob<"R", {{.*}}, default = 8>, stride = #baco.knob<"L", {{.*}}, default = 64>, global = [#baco.knob<"G", {{.*}}, default = 512>, #baco.knob<"L", {{.*}}>], local = #baco.knob<"L", {{.*}}>>
func.func @sum(%x: memref<65536xf32>, %s: memref<f32>) {
  linalg.generic {indexing_maps = [#one, affine_map<(i) -> ()>], iterator_types = ["reduction"]}
    ins(%x : memref<65536xf32>) outs(%s : memref<f32>) {
  ^bb0(%u: f32, %sum: f32):
    %w = arith.addf %u, %sum : f32
    linalg.yield %w : f32
  }
  return
}

// CHECK-LABEL: func.func @none(
// CHECK-NOT:   baco.recipe
func.func @none(%x: memref<64x64xf32>, %y: memref<?x?xf32>, %d: memref<?xf32>) {
  %zero = arith.constant 0.0 : f32
  // expected-remark @below {{no automatic recipe: its shape is not static, or empty}}
  linalg.fill ins(%zero : f32) outs(%d : memref<?xf32>)
  // expected-remark @below {{no automatic recipe: its shape is not static}}
  memref.copy %x, %y : memref<64x64xf32> to memref<?x?xf32>
  // expected-remark @below {{no automatic recipe: it is several linalg ops; decompose it first}}
  linalg.softmax dimension(0) ins(%d : memref<?xf32>) outs(%d : memref<?xf32>)
  // expected-remark @below {{no automatic recipe: GPUs get linalg ops only, which these loops can't become: it stores to no element of its own}}
  affine.for %i = 0 to 64 {
    affine.store %zero, %x[%i, %i] : memref<64x64xf32>
  }
  return
}

// A recipe that is there stays.
// CHECK-LABEL: func.func @kept(
// CHECK: linalg.fill {baco.recipe = #baco.recipe<[#baco.gpu_blocks<sizes = [64]>, #baco.gpu_threads<sizes = [1]>]>}
func.func @kept(%x: memref<8192xf32>) {
  %zero = arith.constant 0.0 : f32
  linalg.fill {baco.recipe = #baco.recipe<[#baco.gpu_blocks<sizes = [64]>, #baco.gpu_threads<sizes = [1]>]>}
    ins(%zero : f32) outs(%x : memref<8192xf32>)
  return
}
