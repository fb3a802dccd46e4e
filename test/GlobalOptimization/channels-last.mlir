// A network of convolutions computes on channels-last images from its argument
// to the last reduction: only the argument is transposed in an execution.
// RUN: baco-opt %s --baco-channels-last=layout=channels-last --baco-transpose-constants -o %t 2> %t.remarks
// RUN: FileCheck %s --input-file=%t
// RUN: FileCheck %s --input-file=%t.remarks --check-prefix=REMARK
// Nothing is left to do.
// RUN: baco-opt %t --baco-channels-last=layout=channels-last --baco-transpose-constants | diff %t -
// RUN: baco-opt %s --baco-channels-last=layout=keep -o %t.kept
// RUN: baco-opt %s | diff %t.kept -
// RUN: not baco-opt %s --baco-channels-last=layout=nhwc 2>&1 | FileCheck %s --check-prefix=ERROR

// REMARK: channels-last.mlir:[[# @LINE + 4]]:1: remark: 'network' computes 4 convolutions channels-last; 1 tensor is transposed in each execution
// REMARK: channels-last.mlir:[[# @LINE + 3]]:{{.*}}: note: transposed: 'tensor<1x3x34x34xf32>'
// REMARK: remark: transposed the constants of 4 ops
// ERROR: error: layout must be auto, keep, channels-last or tensor-cores, but is 'nhwc'
func.func @network(%x: tensor<1x3x34x34xf32>) -> tensor<1x16xf32> {
  %zero = arith.constant 0.0 : f32
  %least = arith.constant 0xFF800000 : f32
  %w0 = arith.constant dense<0.5> : tensor<16x3x3x3xf32>
  %b0 = arith.constant dense<0.25> : tensor<16xf32>
  %e = tensor.empty() : tensor<1x16x32x32xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<1x16x32x32xf32>) -> tensor<1x16x32x32xf32>
  // CHECK-LABEL: func.func @network
  // CHECK-SAME:    %[[X:.*]]: tensor<1x3x34x34xf32>
  // CHECK:       %[[T:.*]] = linalg.transpose ins(%[[X]] : tensor<1x3x34x34xf32>) outs(%{{.*}} : tensor<1x34x34x3xf32>) permutation = [0, 2, 3, 1]
  // CHECK-NOT:   linalg.transpose
  // CHECK-DAG:   %[[W0:.*]] = arith.constant dense<5.000000e-01> : tensor<3x3x3x16xf32>
  // CHECK-DAG:   %[[F:.*]] = linalg.fill {{.*}} -> tensor<1x32x32x16xf32>
  // CHECK:       %[[C0:.*]] = linalg.conv_2d_nhwc_hwcf {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>}
  // CHECK-SAME:    ins(%[[T]], %[[W0]] : tensor<1x34x34x3xf32>, tensor<3x3x3x16xf32>) outs(%[[F]] :
  %c0 = linalg.conv_2d_nchw_fchw {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>}
    ins(%x, %w0 : tensor<1x3x34x34xf32>, tensor<16x3x3x3xf32>)
    outs(%f : tensor<1x16x32x32xf32>) -> tensor<1x16x32x32xf32>
  // A bias, and what is positive.
  // CHECK:       %[[R0:.*]] = linalg.generic {indexing_maps = [#[[$ALL:.*]], #[[$CHANNELS:.*]], #[[$ALL]]], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
  // CHECK-SAME:    ins(%[[C0]], %{{.*}} : tensor<1x32x32x16xf32>, tensor<16xf32>)
  %r0 = linalg.generic {
    indexing_maps = [affine_map<(n, c, h, w) -> (n, c, h, w)>, affine_map<(n, c, h, w) -> (c)>,
                     affine_map<(n, c, h, w) -> (n, c, h, w)>],
    iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
    ins(%c0, %b0 : tensor<1x16x32x32xf32>, tensor<16xf32>) outs(%e : tensor<1x16x32x32xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %s = arith.addf %a, %b : f32
    %m = arith.maximumf %s, %zero : f32
    linalg.yield %m : f32
  } -> tensor<1x16x32x32xf32>
  // CHECK:       %[[P0:.*]] = tensor.pad %[[R0]] low[0, 1, 1, 0] high[0, 0, 0, 0]
  %p0 = tensor.pad %r0 low[0, 0, 1, 1] high[0, 0, 0, 0] {
  ^bb0(%i0: index, %i1: index, %i2: index, %i3: index):
    tensor.yield %least : f32
  } : tensor<1x16x32x32xf32> to tensor<1x16x33x33xf32>
  %window = tensor.empty() : tensor<3x3xf32>
  %e1 = tensor.empty() : tensor<1x16x16x16xf32>
  %f1 = linalg.fill ins(%least : f32) outs(%e1 : tensor<1x16x16x16xf32>) -> tensor<1x16x16x16xf32>
  // CHECK:       %[[M:.*]] = linalg.pooling_nhwc_max {dilations = dense<1> : tensor<2xi64>, strides = dense<2> : tensor<2xi64>}
  // CHECK-SAME:    ins(%[[P0]], %{{.*}} : tensor<1x33x33x16xf32>, tensor<3x3xf32>)
  %m = linalg.pooling_nchw_max {dilations = dense<1> : tensor<2xi64>, strides = dense<2> : tensor<2xi64>}
    ins(%p0, %window : tensor<1x16x33x33xf32>, tensor<3x3xf32>)
    outs(%f1 : tensor<1x16x16x16xf32>) -> tensor<1x16x16x16xf32>
  %w1 = arith.constant dense<0.5> : tensor<16x3x3xf32>
  %p1 = tensor.pad %m low[0, 0, 1, 1] high[0, 0, 1, 1] {
  ^bb0(%i0: index, %i1: index, %i2: index, %i3: index):
    tensor.yield %zero : f32
  } : tensor<1x16x16x16xf32> to tensor<1x16x18x18xf32>
  %f2 = linalg.fill ins(%zero : f32) outs(%e1 : tensor<1x16x16x16xf32>) -> tensor<1x16x16x16xf32>
  // CHECK:       %[[D:.*]] = linalg.depthwise_conv_2d_nhwc_hwc {{.*}}tensor<1x18x18x16xf32>, tensor<3x3x16xf32>)
  %d = linalg.depthwise_conv_2d_nchw_chw {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>}
    ins(%p1, %w1 : tensor<1x16x18x18xf32>, tensor<16x3x3xf32>)
    outs(%f2 : tensor<1x16x16x16xf32>) -> tensor<1x16x16x16xf32>
  %w2 = arith.constant dense<0.5> : tensor<16x16x1x1xf32>
  // CHECK:       %[[C2:.*]] = linalg.conv_2d_nhwc_hwcf {{.*}} ins(%[[D]], %{{.*}} : tensor<1x16x16x16xf32>, tensor<1x1x16x16xf32>)
  %c2 = linalg.conv_2d_nchw_fchw {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>}
    ins(%d, %w2 : tensor<1x16x16x16xf32>, tensor<16x16x1x1xf32>)
    outs(%f2 : tensor<1x16x16x16xf32>) -> tensor<1x16x16x16xf32>
  // A residual.
  // CHECK:       %[[S:.*]] = linalg.add ins(%[[C2]], %[[M]] : tensor<1x16x16x16xf32>, tensor<1x16x16x16xf32>)
  %s = linalg.add ins(%c2, %m : tensor<1x16x16x16xf32>, tensor<1x16x16x16xf32>)
    outs(%e1 : tensor<1x16x16x16xf32>) -> tensor<1x16x16x16xf32>
  // A convolution as front ends generalize it.
  %w3 = arith.constant dense<0.5> : tensor<16x16x3x3xf32>
  %e3 = tensor.empty() : tensor<1x16x14x14xf32>
  %f3 = linalg.fill ins(%zero : f32) outs(%e3 : tensor<1x16x14x14xf32>) -> tensor<1x16x14x14xf32>
  // CHECK:       %[[C3:.*]] = linalg.conv_2d_nhwc_hwcf {{.*}} ins(%[[S]], %{{.*}} : tensor<1x16x16x16xf32>, tensor<3x3x16x16xf32>)
  %c3 = linalg.generic {
    indexing_maps = [affine_map<(n, f, h, w, c, i, j) -> (n, c, h + i, w + j)>,
                     affine_map<(n, f, h, w, c, i, j) -> (f, c, i, j)>,
                     affine_map<(n, f, h, w, c, i, j) -> (n, f, h, w)>],
    iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction", "reduction", "reduction"]}
    ins(%s, %w3 : tensor<1x16x16x16xf32>, tensor<16x16x3x3xf32>) outs(%f3 : tensor<1x16x14x14xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %p = arith.mulf %a, %b : f32
    %q = arith.addf %o, %p : f32
    linalg.yield %q : f32
  } -> tensor<1x16x14x14xf32>
  // CHECK:       linalg.generic {indexing_maps = [#[[$ALL]], #{{.*}}], iterator_types = ["parallel", "reduction", "reduction", "parallel"]}
  // CHECK-SAME:    ins(%[[C3]] : tensor<1x14x14x16xf32>) outs(%{{.*}} : tensor<1x16xf32>)
  // CHECK-NOT:   linalg.transpose
  %e4 = tensor.empty() : tensor<1x16xf32>
  %f4 = linalg.fill ins(%zero : f32) outs(%e4 : tensor<1x16xf32>) -> tensor<1x16xf32>
  %mean = linalg.reduce { arith.addf } ins(%c3 : tensor<1x16x14x14xf32>)
    outs(%f4 : tensor<1x16xf32>) dimensions = [2, 3]
  return %mean : tensor<1x16xf32>
}
