// Ops beside channels-last convolutions compute on transposed tensors.
// RUN: baco-opt %s --baco-channels-last=layout=channels-last --split-input-file 2> /dev/null | FileCheck %s

// Slices, concatenations and reshapes between convolutions.
// CHECK-LABEL: func.func @tensors(
// CHECK-SAME:    %[[X:.*]]: tensor<1x8x8x8xf32>, %[[W:.*]]: tensor<8x8x1x1xf32>
// CHECK-DAG:   linalg.transpose ins(%[[X]] : tensor<1x8x8x8xf32>) {{.*}} permutation = [0, 2, 3, 1]
// CHECK-DAG:   linalg.transpose ins(%[[W]] : tensor<8x8x1x1xf32>) {{.*}} permutation = [2, 3, 1, 0]
// CHECK:       %[[D:.*]] = linalg.conv_2d_nhwc_hwcf
// CHECK-NOT:   linalg.transpose
// CHECK:       %[[M:.*]] = linalg.map { math.exp } ins(%[[D]] : tensor<1x8x8x8xf32>)
// CHECK:       %[[C:.*]] = tensor.concat dim(3) %[[D]], %[[M]] : {{.*}} -> tensor<1x8x8x16xf32>
// CHECK:       %[[E:.*]] = tensor.expand_shape %[[C]] {{\[\[}}0], [1], [2], [3, 4]] output_shape [1, 8, 8, 4, 4]
// CHECK:       %[[B:.*]] = tensor.collapse_shape %[[E]] {{\[\[}}0], [1], [2], [3, 4]]
// CHECK:       %[[S:.*]] = tensor.extract_slice %[[B]][0, 0, 1, 2] [1, 8, 7, 8] [1, 1, 1, 1]
// CHECK:       %[[I:.*]] = tensor.insert_slice %[[S]] into %[[D]][0, 0, 1, 0] [1, 8, 7, 8] [1, 1, 1, 1]
// CHECK:       %[[L:.*]] = linalg.conv_2d_nhwc_hwcf {{.*}} ins(%[[I]], %{{.*}} : tensor<1x8x8x8xf32>, tensor<1x1x8x8xf32>)
// CHECK:       %[[R:.*]] = linalg.transpose ins(%[[L]] : tensor<1x8x8x8xf32>) {{.*}} permutation = [0, 3, 1, 2]
// CHECK:       return %[[R]]
func.func @tensors(%x: tensor<1x8x8x8xf32>, %w: tensor<8x8x1x1xf32>) -> tensor<1x8x8x8xf32> {
  %zero = arith.constant 0.0 : f32
  %o = tensor.empty() : tensor<1x8x8x8xf32>
  %f = linalg.fill ins(%zero : f32) outs(%o : tensor<1x8x8x8xf32>) -> tensor<1x8x8x8xf32>
  %d = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<1x8x8x8xf32>, tensor<8x8x1x1xf32>)
    outs(%f : tensor<1x8x8x8xf32>) -> tensor<1x8x8x8xf32>
  %m = linalg.map { math.exp } ins(%d : tensor<1x8x8x8xf32>) outs(%o : tensor<1x8x8x8xf32>)
  %c = tensor.concat dim(1) %d, %m : (tensor<1x8x8x8xf32>, tensor<1x8x8x8xf32>) -> tensor<1x16x8x8xf32>
  %e = tensor.expand_shape %c [[0], [1, 2], [3], [4]] output_shape [1, 4, 4, 8, 8] : tensor<1x16x8x8xf32> into tensor<1x4x4x8x8xf32>
  %b = tensor.collapse_shape %e [[0], [1, 2], [3], [4]] : tensor<1x4x4x8x8xf32> into tensor<1x16x8x8xf32>
  %s = tensor.extract_slice %b[0, 2, 0, 1] [1, 8, 8, 7] [1, 1, 1, 1] : tensor<1x16x8x8xf32> to tensor<1x8x8x7xf32>
  %i = tensor.insert_slice %s into %d[0, 0, 0, 1] [1, 8, 8, 7] [1, 1, 1, 1] : tensor<1x8x8x7xf32> into tensor<1x8x8x8xf32>
  %l = linalg.conv_2d_nchw_fchw ins(%i, %w : tensor<1x8x8x8xf32>, tensor<8x8x1x1xf32>)
    outs(%f : tensor<1x8x8x8xf32>) -> tensor<1x8x8x8xf32>
  return %l : tensor<1x8x8x8xf32>
}

// -----

// Transpositions of the file are no longer needed, broadcasts have other
// dimensions, and indices are those of the same loops. What the result
// overwrites isn't read.
// CHECK-LABEL: func.func @structured(
// CHECK-SAME:    %[[X:.*]]: tensor<1x8x8x4xf32>
// CHECK-NOT:   permutation = [0, 3, 1, 2]
// CHECK:       %[[B:.*]] = linalg.generic {{.*}} ins(%{{.*}} : tensor<8xf32>) outs(%{{.*}} : tensor<1x8x8x8xf32>)
// CHECK:       %[[D:.*]] = linalg.conv_2d_nhwc_hwcf {{.*}} ins(%[[X]], %{{.*}} : tensor<1x8x8x4xf32>, tensor<1x1x4x8xf32>) outs(%[[B]] :
// CHECK:       %[[I:.*]] = linalg.generic {{.*}} ins(%[[D]] : tensor<1x8x8x8xf32>)
// CHECK:         linalg.index 3 : index
// CHECK-NOT:   linalg.transpose
// CHECK:       return %[[I]]
func.func @structured(%x: tensor<1x8x8x4xf32>, %w: tensor<8x4x1x1xf32>, %b: tensor<8xf32>,
                      %unread: tensor<1x8x8x8xf32>) -> tensor<1x8x8x8xf32> {
  %e = tensor.empty() : tensor<1x4x8x8xf32>
  %t = linalg.transpose ins(%x : tensor<1x8x8x4xf32>) outs(%e : tensor<1x4x8x8xf32>) permutation = [0, 3, 1, 2]
  %o = tensor.empty() : tensor<1x8x8x8xf32>
  %i = linalg.broadcast ins(%b : tensor<8xf32>) outs(%o : tensor<1x8x8x8xf32>) dimensions = [0, 2, 3]
  %d = linalg.conv_2d_nchw_fchw ins(%t, %w : tensor<1x4x8x8xf32>, tensor<8x4x1x1xf32>)
    outs(%i : tensor<1x8x8x8xf32>) -> tensor<1x8x8x8xf32>
  %g = linalg.generic {
    indexing_maps = [affine_map<(n, c, h, w) -> (n, c, h, w)>, affine_map<(n, c, h, w) -> (n, c, h, w)>],
    iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
    ins(%d : tensor<1x8x8x8xf32>) outs(%unread : tensor<1x8x8x8xf32>) {
  ^bb0(%a: f32, %p: f32):
    %j = linalg.index 1 : index
    %k = arith.index_cast %j : index to i32
    %l = arith.sitofp %k : i32 to f32
    %s = arith.addf %a, %l : f32
    linalg.yield %s : f32
  } -> tensor<1x8x8x8xf32>
  %r = linalg.transpose ins(%g : tensor<1x8x8x8xf32>) outs(%o : tensor<1x8x8x8xf32>) permutation = [0, 2, 3, 1]
  return %r : tensor<1x8x8x8xf32>
}

// -----

// A tensor of one pixel is reshaped.
// CHECK-LABEL: func.func @pixel(
// CHECK:       %[[D:.*]] = linalg.conv_2d_nhwc_hwcf {{.*}} -> tensor<1x1x1x8xf32>
// CHECK:       %[[C:.*]] = tensor.collapse_shape %[[D]] {{\[\[}}0, 1, 2, 3]] : tensor<1x1x1x8xf32> into tensor<8xf32>
// CHECK:       %[[E:.*]] = tensor.expand_shape %[[C]] {{\[\[}}0, 1, 2, 3]] {{.*}} into tensor<1x8x1x1xf32>
// CHECK:       tensor.collapse_shape %[[E]] {{\[\[}}0], [1, 2, 3]]
func.func @pixel(%x: tensor<1x8x3x3xf32>, %w: tensor<8x8x3x3xf32>, %y: tensor<1x8x1x1xf32>) -> tensor<1x8xf32> {
  %d = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<1x8x3x3xf32>, tensor<8x8x3x3xf32>)
    outs(%y : tensor<1x8x1x1xf32>) -> tensor<1x8x1x1xf32>
  %c = tensor.collapse_shape %d [[0], [1, 2, 3]] : tensor<1x8x1x1xf32> into tensor<1x8xf32>
  return %c : tensor<1x8xf32>
}

// -----

// CHECK-LABEL: func.func @forms(
// CHECK:       linalg.conv_1d_nwc_wcf {{.*}} ins(%{{.*}}, %{{.*}} : tensor<1x10x8xf32>, tensor<3x8x16xf32>)
// CHECK:       linalg.pooling_nwc_sum {{.*}} -> tensor<1x4x16xf32>
// CHECK:       linalg.conv_3d_ndhwc_dhwcf {{.*}} ins(%{{.*}}, %{{.*}} : tensor<1x4x4x4x8xf32>, tensor<1x2x3x8x16xf32>)
// CHECK:       linalg.conv_2d_nhwgc_gfhwc {{.*}} ins(%{{.*}}, %{{.*}} : tensor<1x4x5x2x3xf32>, tensor<2x8x1x1x3xf32>)
// CHECK:       linalg.depthwise_conv_1d_nwc_wc {{.*}} -> tensor<1x8x8xf32>
func.func @forms(%a: tensor<1x8x10xf32>, %wa: tensor<16x8x3xf32>, %ya: tensor<1x16x8xf32>, %pa: tensor<1x16x4xf32>,
                 %b: tensor<1x8x4x4x4xf32>, %wb: tensor<16x8x1x2x3xf32>, %yb: tensor<1x16x4x3x2xf32>,
                 %c: tensor<1x2x3x4x5xf32>, %wc: tensor<8x2x3x1x1xf32>, %yc: tensor<1x2x8x4x5xf32>,
                 %wd: tensor<8x3xf32>, %yd: tensor<1x8x8xf32>)
    -> (tensor<1x16x4xf32>, tensor<1x16x4x3x2xf32>, tensor<1x2x8x4x5xf32>, tensor<1x8x8xf32>) {
  %window = tensor.empty() : tensor<2xf32>
  %0 = linalg.conv_1d_ncw_fcw ins(%a, %wa : tensor<1x8x10xf32>, tensor<16x8x3xf32>)
    outs(%ya : tensor<1x16x8xf32>) -> tensor<1x16x8xf32>
  %1 = linalg.pooling_ncw_sum {strides = dense<2> : tensor<1xi64>} ins(%0, %window : tensor<1x16x8xf32>, tensor<2xf32>)
    outs(%pa : tensor<1x16x4xf32>) -> tensor<1x16x4xf32>
  %2 = linalg.conv_3d_ncdhw_fcdhw ins(%b, %wb : tensor<1x8x4x4x4xf32>, tensor<16x8x1x2x3xf32>)
    outs(%yb : tensor<1x16x4x3x2xf32>) -> tensor<1x16x4x3x2xf32>
  %3 = linalg.conv_2d_ngchw_fgchw ins(%c, %wc : tensor<1x2x3x4x5xf32>, tensor<8x2x3x1x1xf32>)
    outs(%yc : tensor<1x2x8x4x5xf32>) -> tensor<1x2x8x4x5xf32>
  %4 = linalg.depthwise_conv_1d_ncw_cw ins(%a, %wd : tensor<1x8x10xf32>, tensor<8x3xf32>)
    outs(%yd : tensor<1x8x8xf32>) -> tensor<1x8x8xf32>
  return %1, %2, %3, %4 : tensor<1x16x4xf32>, tensor<1x16x4x3x2xf32>, tensor<1x2x8x4x5xf32>, tensor<1x8x8xf32>
}
