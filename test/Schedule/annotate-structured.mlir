// RUN: baco-opt %s --baco-annotate=host=vector-bytes=64,vector-registers=32,l1=49152,l2=2097152 | %one-line-recipes | FileCheck %s

// Every linalg op on memrefs that linalg's own steps can't express gets a
// recipe for its loops.

// Filters along the vector, columns of the image jammed.
// CHECK-LABEL: func.func @nhwc
// CHECK: linalg.conv_2d_nhwc_hwcf {baco.recipe = #baco.recipe<[
// CHECK-SAME: #baco.loop_permute<order = [4, 1, 2, 3, 5, 6, 7], statement = 0>
// CHECK-SAME: #baco.loop_vectorize<statement = 0, loop = 1, width = #baco.knob<"NR", #baco.ordinal<[16, 32, 64], log>
// CHECK-SAME: #baco.loop_unroll<statement = 0, loop = 4, factor = #baco.knob<"MR"
// CHECK-SAME: #baco.loop_copy<statement = 0, loop = 2, reference = 2, width = #baco.knob<"pack", #baco.ordinal<[0, 16]>
// CHECK-SAME: #baco.loop_prefetch<statement = 0, loop = 1, ahead = #baco.knob<"prefetch", #baco.ordinal<[0, 1]>
func.func @nhwc(%I: memref<1x58x58x64xf32>, %K: memref<3x3x64x64xf32>,
                %O: memref<1x56x56x64xf32>) {
  linalg.conv_2d_nhwc_hwcf
    {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>}
    ins(%I, %K : memref<1x58x58x64xf32>, memref<3x3x64x64xf32>)
    outs(%O : memref<1x56x56x64xf32>)
  return
}

// Columns along the vector, filters jammed.
// CHECK-LABEL: func.func @nchw
// CHECK: #baco.loop_permute<order = [1, 3, 4, 2, 5, 6, 7], statement = 0>
// CHECK-SAME: #baco.loop_vectorize<statement = 0, loop = 3, width = #baco.knob<"NR"
// CHECK-SAME: #baco.loop_unroll<statement = 0, loop = 4, factor = #baco.knob<"MR"
func.func @nchw(%I: memref<1x64x58x58xf32>, %K: memref<64x64x3x3xf32>,
                %O: memref<1x64x56x56xf32>) {
  linalg.conv_2d_nchw_fchw
    {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>}
    ins(%I, %K : memref<1x64x58x58xf32>, memref<64x64x3x3xf32>)
    outs(%O : memref<1x64x56x56xf32>)
  return
}

// CHECK-LABEL: func.func @conv1d
// CHECK: #baco.loop_permute<order = [3, 1, 2, 4, 5], statement = 0>
// CHECK-SAME: #baco.loop_tile<{{.*}}#baco.knob<"MC"
// CHECK-SAME: #baco.knob<"NR", #baco.ordinal<[8, 16, 32], log>
func.func @conv1d(%I: memref<4x1002x16xf64>, %K: memref<3x16x32xf64>,
                  %O: memref<4x500x32xf64>) {
  linalg.conv_1d_nwc_wcf
    {dilations = dense<1> : tensor<1xi64>, strides = dense<2> : tensor<1xi64>}
    ins(%I, %K : memref<4x1002x16xf64>, memref<3x16x32xf64>)
    outs(%O : memref<4x500x32xf64>)
  return
}

// CHECK-LABEL: func.func @conv3d
// CHECK: #baco.loop_permute<order = [5, 1, 2, 3, 4, 6, 7, 8, 9], statement = 0>
// CHECK-SAME: #baco.loop_vectorize<statement = 0, loop = 1, width = 16>
// CHECK-SAME: #baco.knob<"MR"
func.func @conv3d(%I: memref<1x18x18x18x16xf32>, %K: memref<3x3x3x16x16xf32>,
                  %O: memref<1x16x16x16x16xf32>) {
  linalg.conv_3d_ndhwc_dhwcf
    {dilations = dense<1> : tensor<3xi64>, strides = dense<1> : tensor<3xi64>}
    ins(%I, %K : memref<1x18x18x18x16xf32>, memref<3x3x3x16x16xf32>)
    outs(%O : memref<1x16x16x16x16xf32>)
  return
}

// Channels along the vector.
// CHECK-LABEL: func.func @depthwise
// CHECK: linalg.depthwise_conv_2d_nhwc_hwc {baco.recipe
// CHECK-SAME: #baco.loop_unroll<statement = 0, loop = 3, factor = #baco.knob<"U"
// CHECK-SAME: #baco.loop_vectorize<statement = 0, loop = 4, width = #baco.knob<"W"
func.func @depthwise(%I: memref<1x58x58x64xf32>, %K: memref<3x3x64xf32>,
                     %O: memref<1x56x56x64xf32>) {
  linalg.depthwise_conv_2d_nhwc_hwc
    {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>}
    ins(%I, %K : memref<1x58x58x64xf32>, memref<3x3x64xf32>)
    outs(%O : memref<1x56x56x64xf32>)
  return
}

// CHECK-LABEL: func.func @pool
// CHECK: linalg.pooling_nhwc_max {baco.recipe
// CHECK-SAME: #baco.knob<"W"
func.func @pool(%I: memref<1x58x58x64xf32>, %K: memref<3x3xf32>,
                %O: memref<1x56x56x64xf32>) {
  linalg.pooling_nhwc_max
    {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>}
    ins(%I, %K : memref<1x58x58x64xf32>, memref<3x3xf32>)
    outs(%O : memref<1x56x56x64xf32>)
  return
}

// Columns are two elements apart: lanes of vectors are put together, which
// LLVM doesn't do around a window.
// CHECK-LABEL: func.func @pool_rows
// CHECK: linalg.pooling_nchw_max {baco.recipe
// CHECK-SAME: loop = 4, width = #baco.knob<"W", #baco.ordinal<[0, 16, 32]>, default = 16>
func.func @pool_rows(%I: memref<1x64x112x112xf32>, %K: memref<2x2xf32>,
                     %O: memref<1x64x56x56xf32>) {
  linalg.pooling_nchw_max {strides = dense<2> : vector<2xi64>}
    ins(%I, %K : memref<1x64x112x112xf32>, memref<2x2xf32>)
    outs(%O : memref<1x64x56x56xf32>)
  return
}

// Where that loop is innermost, LLVM does.
// CHECK-LABEL: func.func @every_other
// CHECK: affine.for
// CHECK: } {baco.recipe
// CHECK-SAME: #baco.knob<"W", #baco.ordinal<[0, 16, 32]>, default = 0>
func.func @every_other(%A: memref<65536xf32>, %B: memref<32768xf32>) {
  affine.for %i = 0 to 32768 {
    %a = affine.load %A[%i * 2] : memref<65536xf32>
    affine.store %a, %B[%i] : memref<32768xf32>
  }
  return
}

// Sums along vectors, four rows at a time.
// CHECK-LABEL: func.func @matvec
// CHECK: #baco.loop_unroll<statement = 0, loop = 1, factor = #baco.knob<"U"
// CHECK-SAME: #baco.loop_vectorize<statement = 0, loop = 2, width = #baco.knob<"W"
func.func @matvec(%a: memref<800x800xf32>, %b: memref<800xf32>,
                  %c: memref<800xf32>) {
  linalg.matvec ins(%a, %b : memref<800x800xf32>, memref<800xf32>)
                outs(%c : memref<800xf32>)
  return
}

// CHECK-LABEL: func.func @dot
// CHECK: linalg.dot {baco.recipe = #baco.recipe<[#baco.loop_vectorize
func.func @dot(%a: memref<8000xf32>, %b: memref<8000xf32>, %c: memref<f32>) {
  linalg.dot ins(%a, %b : memref<8000xf32>, memref<8000xf32>)
             outs(%c : memref<f32>)
  return
}

// A transposed operand is transposed by the copy.
#a = affine_map<(m, n, k) -> (m, k)>
#t = affine_map<(m, n, k) -> (n, k)>
#c = affine_map<(m, n, k) -> (m, n)>
// CHECK-LABEL: func.func @transposed
// CHECK: #baco.loop_copy<statement = 0, loop = 1, reference = 2, order = [1, 0], width = {{[0-9]+}}, panel = #baco.knob<"NR"
func.func @transposed(%a: memref<256x256xf32>, %b: memref<256x256xf32>,
                      %c: memref<256x256xf32>) {
  linalg.matmul indexing_maps = [#a, #t, #c]
    ins(%a, %b : memref<256x256xf32>, memref<256x256xf32>)
    outs(%c : memref<256x256xf32>)
  return
}

#left = affine_map<(i, j, k, l) -> (i, k, l)>
#right = affine_map<(i, j, k, l) -> (k, l, j)>
#sum = affine_map<(i, j, k, l) -> (i, j)>
// CHECK-LABEL: func.func @two_sums
// CHECK: attrs =  {baco.recipe
// CHECK-SAME: #baco.knob<"NR"
// CHECK-SAME: #baco.knob<"MR"
func.func @two_sums(%a: memref<64x8x8xf32>, %b: memref<8x8x64xf32>,
                    %c: memref<64x64xf32>) {
  linalg.generic {indexing_maps = [#left, #right, #sum],
                  iterator_types = ["parallel", "parallel", "reduction",
                                    "reduction"]}
    ins(%a, %b : memref<64x8x8xf32>, memref<8x8x64xf32>)
    outs(%c : memref<64x64xf32>) {
  ^bb0(%x: f32, %y: f32, %z: f32):
    %m = arith.mulf %x, %y : f32
    %s = arith.addf %z, %m : f32
    linalg.yield %s : f32
  }
  return
}

#id = affine_map<(i, j) -> (i, j)>
#row = affine_map<(i, j) -> (j)>
// CHECK-LABEL: func.func @broadcast
// CHECK: attrs =  {baco.recipe
// CHECK-SAME: #baco.knob<"W"
func.func @broadcast(%a: memref<256x256xf32>, %b: memref<256xf32>,
                     %c: memref<256x256xf32>) {
  linalg.generic {indexing_maps = [#id, #row, #id],
                  iterator_types = ["parallel", "parallel"]}
    ins(%a, %b : memref<256x256xf32>, memref<256xf32>)
    outs(%c : memref<256x256xf32>) {
  ^bb0(%x: f32, %y: f32, %z: f32):
    %s = arith.mulf %x, %y : f32
    linalg.yield %s : f32
  }
  return
}

// Rows that aren't contiguous are read element by element.
// CHECK-LABEL: func.func @columns
// CHECK: linalg.matmul {baco.recipe = #baco.recipe<[#baco.loop_permute
func.func @columns(%a: memref<64x64xf32, strided<[1, 64]>>,
                   %b: memref<64x64xf32>, %c: memref<64x64xf32>) {
  linalg.matmul ins(%a, %b : memref<64x64xf32, strided<[1, 64]>>,
                             memref<64x64xf32>)
                outs(%c : memref<64x64xf32>)
  return
}

// Squares of a transposing copy are transposed in registers, a cache line a
// row, in loops and as an op alike.
// CHECK-LABEL: func.func @transpose
// CHECK-SAME: memref<256x512xf32>
// CHECK: linalg.transpose {{.*}} {baco.recipe
// CHECK-SAME: width = #baco.knob<"W", #baco.ordinal<[0, 16, 32]>, default = 16>
func.func @transpose(%A: memref<256x512xf32>, %B: memref<512x256xf32>) {
  linalg.transpose ins(%A : memref<256x512xf32>)
    outs(%B : memref<512x256xf32>) permutation = [1, 0]
  return
}

// CHECK-LABEL: func.func @transpose_in_loops
// CHECK: width = #baco.knob<"W", #baco.ordinal<[0, 8, 16, 32]>, default = 8>
func.func @transpose_in_loops(%A: memref<256x512xf64>, %B: memref<512x256xf64>) {
  affine.for %i = 0 to 256 {
    affine.for %j = 0 to 512 {
      %a = affine.load %A[%i, %j] : memref<256x512xf64>
      affine.store %a, %B[%j, %i] : memref<512x256xf64>
    }
  }
  return
}
