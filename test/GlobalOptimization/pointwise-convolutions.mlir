// RUN: baco-opt %s --baco-pointwise-convolutions --split-input-file | FileCheck %s

// A fill before it and what follows by elements get the same form; a constant is
// reshaped where it is.
// CHECK-LABEL: func @chain(
// CHECK-SAME:    %[[IMAGE:.*]]: tensor<1x7x9x4xf32>, %[[BIAS:.*]]: tensor<2xf32>, %[[OTHER:.*]]: tensor<1x7x9x2xf32>
// CHECK-DAG:     %[[FILTERS:.*]] = arith.constant dense<{{\[\[}}1.000000e+00, 2.000000e+00], {{.*}}> : tensor<4x2xf32>
// CHECK-DAG:     %[[PLACES:.*]] = tensor.collapse_shape %[[IMAGE]] {{\[\[}}0, 1, 2], [3]] {{.*}} into tensor<63x4xf32>
// CHECK:         %[[EMPTY:.*]] = tensor.empty() : tensor<63x2xf32>
// CHECK:         %[[ZEROS:.*]] = linalg.fill {{.*}} outs(%[[EMPTY]]
// CHECK:         %[[PRODUCT:.*]] = linalg.matmul ins(%[[PLACES]], %[[FILTERS]] {{.*}} outs(%[[ZEROS]]
// CHECK:         %[[BIASED:.*]] = linalg.generic {{.*}} ins(%[[PRODUCT]], %[[BIAS]] : tensor<63x2xf32>, tensor<2xf32>)
// CHECK:         %[[ADDED:.*]] = tensor.collapse_shape %[[OTHER]] {{\[\[}}0, 1, 2], [3]] {{.*}} into tensor<63x2xf32>
// CHECK:         %[[SUM:.*]] = linalg.generic {{.*}} ins(%[[BIASED]], %[[ADDED]] : tensor<63x2xf32>, tensor<63x2xf32>)
// CHECK:         %[[RESULT:.*]] = tensor.expand_shape %[[SUM]] {{.*}} into tensor<1x7x9x2xf32>
// CHECK-NEXT:    return %[[RESULT]]
#all = affine_map<(n, h, w, c) -> (n, h, w, c)>
#channel = affine_map<(n, h, w, c) -> (c)>
func.func @chain(%image: tensor<1x7x9x4xf32>, %bias: tensor<2xf32>,
                 %other: tensor<1x7x9x2xf32>) -> tensor<1x7x9x2xf32> {
  %filters = arith.constant dense<[[[[1.0, 2.0], [3.0, 4.0], [5.0, 6.0], [7.0, 8.0]]]]> : tensor<1x1x4x2xf32>
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<1x7x9x2xf32>
  %zeros = linalg.fill ins(%zero : f32) outs(%empty : tensor<1x7x9x2xf32>) -> tensor<1x7x9x2xf32>
  %convolved = linalg.conv_2d_nhwc_hwcf
    ins(%image, %filters : tensor<1x7x9x4xf32>, tensor<1x1x4x2xf32>)
    outs(%zeros : tensor<1x7x9x2xf32>) -> tensor<1x7x9x2xf32>
  %biased = linalg.generic
    {indexing_maps = [#all, #channel, #all], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
    ins(%convolved, %bias : tensor<1x7x9x2xf32>, tensor<2xf32>) outs(%empty : tensor<1x7x9x2xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %sum = arith.addf %a, %b : f32
    linalg.yield %sum : f32
  } -> tensor<1x7x9x2xf32>
  %result = linalg.generic
    {indexing_maps = [#all, #all, #all], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
    ins(%biased, %other : tensor<1x7x9x2xf32>, tensor<1x7x9x2xf32>) outs(%empty : tensor<1x7x9x2xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %sum = arith.addf %a, %b : f32
    linalg.yield %sum : f32
  } -> tensor<1x7x9x2xf32>
  return %result : tensor<1x7x9x2xf32>
}

// -----

// Channels-first, one image: filters times places. Data in resources are shared.
// CHECK-LABEL: func @channels_first(
// CHECK:         %[[FILTERS:.*]] = arith.constant dense_resource<weights> : tensor<2x4xf32>
// CHECK:         %[[PLACES:.*]] = tensor.collapse_shape {{.*}} {{\[\[}}0, 1], [2, 3]] {{.*}} into tensor<4x63xf32>
// CHECK:         linalg.generic {{.*}} iterator_types = ["parallel", "parallel", "reduction"]} ins(%[[PLACES]], %[[FILTERS]]
func.func @channels_first(%image: tensor<1x4x7x9xf32>, %sums: tensor<1x2x7x9xf32>) -> tensor<1x2x7x9xf32> {
  %filters = arith.constant dense_resource<weights> : tensor<2x4x1x1xf32>
  %result = linalg.conv_2d_nchw_fchw
    ins(%image, %filters : tensor<1x4x7x9xf32>, tensor<2x4x1x1xf32>)
    outs(%sums : tensor<1x2x7x9xf32>) -> tensor<1x2x7x9xf32>
  return %result : tensor<1x2x7x9xf32>
}

// Each of several such images would be a product.
// CHECK-LABEL: func @images_channels_first(
// CHECK:         linalg.conv_2d_nchw_fchw
func.func @images_channels_first(%images: tensor<2x4x7x9xf32>, %filters: tensor<2x4x1x1xf32>,
                                 %sums: tensor<2x2x7x9xf32>) -> tensor<2x2x7x9xf32> {
  %result = linalg.conv_2d_nchw_fchw
    ins(%images, %filters : tensor<2x4x7x9xf32>, tensor<2x4x1x1xf32>)
    outs(%sums : tensor<2x2x7x9xf32>) -> tensor<2x2x7x9xf32>
  return %result : tensor<2x2x7x9xf32>
}

{-#
  dialect_resources: {
    builtin: {
      weights: "0x040000000000803F000000400000404000008040000080BF000000C0000040C0000080C0"
    }
  }
#-}

// -----

// CHECK-LABEL: func @images(
// CHECK:         linalg.matmul {{.*}} tensor<126x4xf32>, tensor<4x2xf32>) outs({{.*}} : tensor<126x2xf32>)
func.func @images(%images: tensor<2x7x9x4xf32>, %filters: tensor<1x1x4x2xf32>,
                  %sums: tensor<2x7x9x2xf32>) -> tensor<2x7x9x2xf32> {
  %result = linalg.conv_2d_nhwc_hwcf
    ins(%images, %filters : tensor<2x7x9x4xf32>, tensor<1x1x4x2xf32>)
    outs(%sums : tensor<2x7x9x2xf32>) -> tensor<2x7x9x2xf32>
  return %result : tensor<2x7x9x2xf32>
}

// The conversion of elements stays what it is.
// CHECK-LABEL: func @conversion(
// CHECK:         linalg.generic {{.*}} tensor<63x4xf16>, tensor<4x2xf16>) outs({{.*}} : tensor<63x2xf32>)
// CHECK:         ^bb0(%[[IMAGE:.*]]: f16, %[[FILTER:.*]]: f16,
// CHECK-NEXT:      arith.extf %[[IMAGE]]
func.func @conversion(%image: tensor<1x7x9x4xf16>, %filters: tensor<1x1x4x2xf16>,
                      %sums: tensor<1x7x9x2xf32>) -> tensor<1x7x9x2xf32> {
  %result = linalg.conv_2d_nhwc_hwcf
    ins(%image, %filters : tensor<1x7x9x4xf16>, tensor<1x1x4x2xf16>)
    outs(%sums : tensor<1x7x9x2xf32>) -> tensor<1x7x9x2xf32>
  return %result : tensor<1x7x9x2xf32>
}

// Sums of integers keep their lines.
// CHECK-LABEL: func @bytes(
// CHECK:         linalg.conv_2d_nhwc_hwcf
func.func @bytes(%images: tensor<2x7x9x4xi8>, %filters: tensor<1x1x4x2xi8>,
                 %sums: tensor<2x7x9x2xi32>) -> tensor<2x7x9x2xi32> {
  %result = linalg.conv_2d_nhwc_hwcf
    ins(%images, %filters : tensor<2x7x9x4xi8>, tensor<1x1x4x2xi8>)
    outs(%sums : tensor<2x7x9x2xi32>) -> tensor<2x7x9x2xi32>
  return %result : tensor<2x7x9x2xi32>
}

// Filters are in another order.
// CHECK-LABEL: func @filters_first(
// CHECK-DAG:     %[[PLACES:.*]] = tensor.collapse_shape {{.*}} into tensor<63x4xf32>
// CHECK-DAG:     %[[FILTERS:.*]] = tensor.collapse_shape {{.*}} into tensor<2x4xf32>
// CHECK:         linalg.generic {{.*}} iterator_types = ["parallel", "parallel", "reduction"]} ins(%[[PLACES]], %[[FILTERS]]
func.func @filters_first(%image: tensor<1x7x9x4xf32>, %filters: tensor<2x1x1x4xf32>,
                         %sums: tensor<1x7x9x2xf32>) -> tensor<1x7x9x2xf32> {
  %result = linalg.conv_2d_nhwc_fhwc
    ins(%image, %filters : tensor<1x7x9x4xf32>, tensor<2x1x1x4xf32>)
    outs(%sums : tensor<1x7x9x2xf32>) -> tensor<1x7x9x2xf32>
  return %result : tensor<1x7x9x2xf32>
}

// CHECK-LABEL: func @memory(
// CHECK-DAG:     %[[IMAGE:.*]] = memref.collapse_shape %{{.*}} {{\[\[}}0, 1, 2], [3]] {{.*}} into memref<63x4xf32>
// CHECK-DAG:     %[[FILTERS:.*]] = memref.collapse_shape %{{.*}} {{\[\[}}0, 1, 2], [3]] {{.*}} into memref<4x2xf32>
// CHECK-DAG:     %[[SUMS:.*]] = memref.collapse_shape %{{.*}} {{\[\[}}0, 1, 2], [3]] {{.*}} into memref<63x2xf32>
// CHECK:         linalg.generic {{.*}} ins(%[[IMAGE]], %[[FILTERS]] {{.*}} outs(%[[SUMS]]
func.func @memory(%image: memref<1x7x9x4xf32>, %filters: memref<1x1x4x2xf32>, %sums: memref<1x7x9x2xf32>) {
  linalg.conv_2d_nhwc_hwcf
    ins(%image, %filters : memref<1x7x9x4xf32>, memref<1x1x4x2xf32>)
    outs(%sums : memref<1x7x9x2xf32>)
  return
}

// Lines that lie apart aren't one.
// CHECK-LABEL: func @gaps(
// CHECK:         linalg.conv_2d_nhwc_hwcf
func.func @gaps(%image: memref<1x7x9x4xf32, strided<[280, 40, 4, 1]>>, %filters: memref<1x1x4x2xf32>,
                %sums: memref<1x7x9x2xf32>) {
  linalg.conv_2d_nhwc_hwcf
    ins(%image, %filters : memref<1x7x9x4xf32, strided<[280, 40, 4, 1]>>, memref<1x1x4x2xf32>)
    outs(%sums : memref<1x7x9x2xf32>)
  return
}

// CHECK-LABEL: func @strided(
// CHECK:         linalg.conv_2d_nhwc_hwcf
func.func @strided(%image: tensor<1x7x9x4xf32>, %filters: tensor<1x1x4x2xf32>,
                   %sums: tensor<1x4x5x2xf32>) -> tensor<1x4x5x2xf32> {
  %result = linalg.conv_2d_nhwc_hwcf {strides = dense<2> : tensor<2xi64>}
    ins(%image, %filters : tensor<1x7x9x4xf32>, tensor<1x1x4x2xf32>)
    outs(%sums : tensor<1x4x5x2xf32>) -> tensor<1x4x5x2xf32>
  return %result : tensor<1x4x5x2xf32>
}

// CHECK-LABEL: func @sparse(
// CHECK:         linalg.conv_2d_nhwc_hwcf
#sparse = #sparse_tensor.encoding<{map = (y, x, c, f) -> (y : dense, x : dense, c : dense, f : compressed)}>
func.func @sparse(%image: tensor<1x7x9x4xf32>, %filters: tensor<1x1x4x2xf32, #sparse>,
                  %sums: tensor<1x7x9x2xf32>) -> tensor<1x7x9x2xf32> {
  %result = linalg.conv_2d_nhwc_hwcf
    ins(%image, %filters : tensor<1x7x9x4xf32>, tensor<1x1x4x2xf32, #sparse>)
    outs(%sums : tensor<1x7x9x2xf32>) -> tensor<1x7x9x2xf32>
  return %result : tensor<1x7x9x2xf32>
}

// CHECK-LABEL: func @dynamic(
// CHECK:         linalg.conv_2d_nhwc_hwcf
func.func @dynamic(%image: tensor<1x?x9x4xf32>, %filters: tensor<1x1x4x2xf32>,
                   %sums: tensor<1x?x9x2xf32>) -> tensor<1x?x9x2xf32> {
  %result = linalg.conv_2d_nhwc_hwcf
    ins(%image, %filters : tensor<1x?x9x4xf32>, tensor<1x1x4x2xf32>)
    outs(%sums : tensor<1x?x9x2xf32>) -> tensor<1x?x9x2xf32>
  return %result : tensor<1x?x9x2xf32>
}

// The result is computed inside of its border.
// CHECK-LABEL: func @padded(
// CHECK:         linalg.conv_2d_nhwc_hwcf
func.func @padded(%image: tensor<1x7x9x4xf32>, %filters: tensor<1x1x4x2xf32>,
                  %sums: tensor<1x7x9x2xf32>) -> tensor<1x9x11x2xf32> {
  %zero = arith.constant 0.0 : f32
  %convolved = linalg.conv_2d_nhwc_hwcf
    ins(%image, %filters : tensor<1x7x9x4xf32>, tensor<1x1x4x2xf32>)
    outs(%sums : tensor<1x7x9x2xf32>) -> tensor<1x7x9x2xf32>
  %result = tensor.pad %convolved low[0, 1, 1, 0] high[0, 1, 1, 0] {
  ^bb0(%n: index, %h: index, %w: index, %c: index):
    tensor.yield %zero : f32
  } : tensor<1x7x9x2xf32> to tensor<1x9x11x2xf32>
  return %result : tensor<1x9x11x2xf32>
}

// A function with a recipe stays.
// CHECK-LABEL: func @recipe(
// CHECK:         linalg.conv_2d_nhwc_hwcf
func.func @recipe(%image: memref<1x7x9x4xf32>, %filters: memref<1x1x4x2xf32>, %sums: memref<1x7x9x2xf32>) {
  linalg.conv_2d_nhwc_hwcf
    {baco.recipe = #baco.recipe<[#baco.loop_vectorize<statement = 0, loop = 4, width = 2>]>}
    ins(%image, %filters : memref<1x7x9x4xf32>, memref<1x1x4x2xf32>)
    outs(%sums : memref<1x7x9x2xf32>)
  return
}
