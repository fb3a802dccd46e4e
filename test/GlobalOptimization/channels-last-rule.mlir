// What is left to transpose decides: convolutions of few operations stay as
// they are, and so do functions that must.
// RUN: baco-opt %s --baco-channels-last -o %t 2> %t.remarks
// RUN: FileCheck %s --input-file=%t
// RUN: FileCheck %s --input-file=%t.remarks --check-prefix=REMARK
// RUN: baco-opt %s --baco-channels-last=layout=channels-last 2> /dev/null | FileCheck %s --check-prefix=FORCED
// RUN: baco-opt %s --baco-channels-last=entry=large 2> /dev/null | FileCheck %s --check-prefix=ENTRY

// REMARK: remark: 'small' keeps its channels first: 62 operations of convolutions for each element to transpose, and 1000 are worth it; layout=channels-last transposes
// REMARK-NOT: 'few'
// REMARK: remark: 'large' computes 1 convolution channels-last; 2 tensors are transposed in each execution
// REMARK: note: transposed: 'tensor<?x512x9x9xf32>'
// REMARK: note: transposed: 'tensor<?x7x7x512xf32>'
// REMARK: remark: 'argument' computes 2 convolutions channels-last; 3 tensors are
// REMARK-NOT: 'stays'

// CHECK-LABEL: func.func @small(
// CHECK:       linalg.conv_2d_nchw_fchw
// FORCED-LABEL: func.func @small(
// FORCED:       linalg.transpose {{.*}} permutation = [0, 2, 3, 1]
// FORCED:       linalg.conv_2d_nhwc_hwcf
// FORCED:       linalg.transpose {{.*}} permutation = [0, 3, 1, 2]
func.func @small(%x: tensor<1x8x16x16xf32>, %y: tensor<1x8x16x16xf32>) -> tensor<1x8x16x16xf32> {
  %w = arith.constant dense<0.5> : tensor<8x8x3x3xf32>
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<1x8x14x14xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<1x8x14x14xf32>) -> tensor<1x8x14x14xf32>
  %c = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<1x8x16x16xf32>, tensor<8x8x3x3xf32>)
    outs(%f : tensor<1x8x14x14xf32>) -> tensor<1x8x14x14xf32>
  %r = tensor.insert_slice %c into %y[0, 0, 0, 0] [1, 8, 14, 14] [1, 1, 1, 1]
    : tensor<1x8x14x14xf32> into tensor<1x8x16x16xf32>
  return %r : tensor<1x8x16x16xf32>
}

// Vectors of seven channels aren't full.
// CHECK-LABEL: func.func @few(
// CHECK:       linalg.conv_2d_nchw_fchw
// FORCED-LABEL: func.func @few(
// FORCED:       linalg.conv_2d_nhwc_hwcf
func.func @few(%x: tensor<1x512x9x9xf32>, %y: tensor<1x7x7x7xf32>) -> tensor<1x7x7x7xf32> {
  %w = arith.constant dense<0.5> : tensor<7x512x3x3xf32>
  %c = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<1x512x9x9xf32>, tensor<7x512x3x3xf32>)
    outs(%y : tensor<1x7x7x7xf32>) -> tensor<1x7x7x7xf32>
  return %c : tensor<1x7x7x7xf32>
}

// The number of images is dynamic; any order tells it, and the extents.
// CHECK-LABEL: func.func @large(
// CHECK-SAME:    %[[X:.*]]: tensor<?x512x9x9xf32>
// CHECK:       %[[N:.*]] = tensor.dim %[[X]], %{{.*}} : tensor<?x512x9x9xf32>
// CHECK:       tensor.empty(%[[N]]) : tensor<?x9x9x512xf32>
// CHECK:       linalg.transpose ins(%[[X]] : tensor<?x512x9x9xf32>)
// CHECK:       %[[C:.*]] = linalg.conv_2d_nhwc_hwcf {{.*}}-> tensor<?x7x7x512xf32>
// CHECK:       tensor.dim %[[C]], %{{.*}} : tensor<?x7x7x512xf32>
// CHECK:       %[[M:.*]] = linalg.map { math.absf } ins(%[[C]] : tensor<?x7x7x512xf32>)
// CHECK:       %[[R:.*]] = linalg.transpose ins(%[[M]] : tensor<?x7x7x512xf32>) outs(%{{.*}} : tensor<?x512x7x7xf32>) permutation = [0, 3, 1, 2]
// CHECK:       return %[[R]]
// ENTRY:       linalg.conv_2d_nchw_fchw
// ENTRY-LABEL: func.func @large(
// ENTRY:       linalg.conv_2d_nhwc_hwcf
// ENTRY-LABEL: func.func @argument(
// ENTRY:       linalg.conv_2d_nchw_fchw
func.func @large(%x: tensor<?x512x9x9xf32>) -> tensor<?x512x7x7xf32> {
  %zero = arith.constant 0.0 : f32
  %i = arith.constant 0 : index
  %n = tensor.dim %x, %i : tensor<?x512x9x9xf32>
  %w = arith.constant dense<0.5> : tensor<512x512x3x3xf32>
  %e = tensor.empty(%n) : tensor<?x512x7x7xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<?x512x7x7xf32>) -> tensor<?x512x7x7xf32>
  %c = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<?x512x9x9xf32>, tensor<512x512x3x3xf32>)
    outs(%f : tensor<?x512x7x7xf32>) -> tensor<?x512x7x7xf32>
  %n1 = tensor.dim %c, %i : tensor<?x512x7x7xf32>
  %e1 = tensor.empty(%n1) : tensor<?x512x7x7xf32>
  %m = linalg.map { math.absf } ins(%c : tensor<?x512x7x7xf32>) outs(%e1 : tensor<?x512x7x7xf32>)
  return %m : tensor<?x512x7x7xf32>
}

// A filter that isn't a constant is transposed, too.
// CHECK-LABEL: func.func @argument(
// CHECK:       linalg.transpose ins(%{{.*}} : tensor<128x128x3x3xf32>) outs(%{{.*}} : tensor<3x3x128x128xf32>) permutation = [2, 3, 1, 0]
func.func @argument(%x: tensor<1x128x34x34xf32>, %w: tensor<128x128x3x3xf32>) -> tensor<1x128x32x32xf32> {
  %zero = arith.constant 0.0 : f32
  %w1 = arith.constant dense<0.5> : tensor<128x128x3x3xf32>
  %e = tensor.empty() : tensor<1x128x32x32xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<1x128x32x32xf32>) -> tensor<1x128x32x32xf32>
  %c = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<1x128x34x34xf32>, tensor<128x128x3x3xf32>)
    outs(%f : tensor<1x128x32x32xf32>) -> tensor<1x128x32x32xf32>
  %p = tensor.pad %c low[0, 0, 1, 1] high[0, 0, 1, 1] {
  ^bb0(%i0: index, %i1: index, %i2: index, %i3: index):
    tensor.yield %zero : f32
  } : tensor<1x128x32x32xf32> to tensor<1x128x34x34xf32>
  %d = linalg.conv_2d_nchw_fchw ins(%p, %w1 : tensor<1x128x34x34xf32>, tensor<128x128x3x3xf32>)
    outs(%f : tensor<1x128x32x32xf32>) -> tensor<1x128x32x32xf32>
  return %d : tensor<1x128x32x32xf32>
}

// CHECK-LABEL: func.func @stays(
// CHECK:       linalg.conv_2d_nchw_fchw
func.func @stays(%x: tensor<1x512x9x9xf32>, %y: tensor<1x512x7x7xf32>) -> tensor<1x512x7x7xf32>
    attributes {baco.no_tune} {
  %w = arith.constant dense<0.5> : tensor<512x512x3x3xf32>
  %c = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<1x512x9x9xf32>, tensor<512x512x3x3xf32>)
    outs(%y : tensor<1x512x7x7xf32>) -> tensor<1x512x7x7xf32>
  return %c : tensor<1x512x7x7xf32>
}
