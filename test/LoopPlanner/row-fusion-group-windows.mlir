// RUN: baco-opt %s --baco-annotate=host=vector-bytes=64,vector-registers=32,l1=49152,l2=2097152 \
// RUN: | %one-line-recipes | FileCheck %s

// A window is summed in the loop along a row, with the fill before it and the
// bias behind it. Elements side by side share its coefficients.

// CHECK-LABEL: func.func @depthwise
// CHECK: linalg.fill {baco.recipe = #baco.recipe<[
// CHECK-SAME: #baco.loop_unroll<statement = 1, loop = 3, factor = #baco.knob<"U", #baco.ordinal<[1, 2, 4], log>, default = 4>>
// CHECK-SAME: #baco.loop_unroll<statement = 1, loop = 5, factor = 3>
// CHECK-SAME: #baco.loop_unroll<statement = 1, loop = 6, factor = 3>
// CHECK-SAME: #baco.loop_fuse<statements = [0, 1, 2], loop = #baco.knob<"columns", #baco.ordinal<[0, 4]>, default = 4>>], nests = 3
// CHECK-NOT: baco.recipe
// CHECK: return
func.func @depthwise(%x: memref<1x58x58x64xf32>, %w: memref<3x3x64xf32>, %b: memref<64xf32>, %acc: memref<1x56x56x64xf32>, %y: memref<1x56x56x64xf32>) {
  %zero = arith.constant 0.0 : f32
  linalg.fill ins(%zero : f32) outs(%acc : memref<1x56x56x64xf32>)
  linalg.depthwise_conv_2d_nhwc_hwc {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%x, %w : memref<1x58x58x64xf32>, memref<3x3x64xf32>) outs(%acc : memref<1x56x56x64xf32>)
  linalg.generic {indexing_maps = [affine_map<(a,b,c,d)->(a,b,c,d)>, affine_map<(a,b,c,d)->(d)>, affine_map<(a,b,c,d)->(a,b,c,d)>], iterator_types = ["parallel","parallel","parallel","parallel"]}
    ins(%acc, %b : memref<1x56x56x64xf32>, memref<64xf32>) outs(%y : memref<1x56x56x64xf32>) {
  ^bb0(%p: f32, %q: f32, %o: f32):
    %s = arith.addf %p, %q : f32
    linalg.yield %s : f32
  }
  return
}

// A product isn't a window, though its reduction is as short: the operand that
// doesn't move along the row is used again for each column.

// CHECK-LABEL: func.func @product
// CHECK: linalg.matmul {{.*}}MR
// CHECK-LABEL: func.func @large
func.func @product(%x: memref<512x8xf32>, %w: memref<8x512xf32>, %y: memref<512x512xf32>) {
  %zero = arith.constant 0.0 : f32
  linalg.fill ins(%zero : f32) outs(%y : memref<512x512xf32>)
  linalg.matmul ins(%x, %w : memref<512x8xf32>, memref<8x512xf32>) outs(%y : memref<512x512xf32>)
  return
}

// A window of 7x7 isn't unrolled as a whole, and stays a nest of its own.

// CHECK: linalg.depthwise_conv_2d_nhwc_hwc {{.*}}baco.recipe
func.func @large(%x: memref<1x62x62x64xf32>, %w: memref<7x7x64xf32>, %acc: memref<1x56x56x64xf32>) {
  %zero = arith.constant 0.0 : f32
  linalg.fill ins(%zero : f32) outs(%acc : memref<1x56x56x64xf32>)
  linalg.depthwise_conv_2d_nhwc_hwc {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%x, %w : memref<1x62x62x64xf32>, memref<7x7x64xf32>) outs(%acc : memref<1x56x56x64xf32>)
  return
}
