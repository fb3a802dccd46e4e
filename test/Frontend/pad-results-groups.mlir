// RUN: baco-opt %s --baco-pad-results --baco-outline-kernels 2>/dev/null | FileCheck %s

// The border is a part of the kernel, whose result is padded. The other user of
// the result reads it inside of its own kernel.

// CHECK-LABEL: func.func @net
// CHECK: %[[FIRST:.*]] = call @net_conv_2d_nhwc_hwcf(%{{.*}}) : (tensor<1x16x16x32xf32>, tensor<1x1x32x32xf32>) -> tensor<1x18x18x32xf32>
// CHECK: call @print
// CHECK: call @net_conv_2d_nhwc_hwcf_0({{.*}}%[[FIRST]]{{.*}}) {{.*}} -> tensor<1x16x16x32xf32>
// CHECK-LABEL: func.func private @net_conv_2d_nhwc_hwcf(
// CHECK-COUNT-4: linalg.fill ins(%{{.*}}) outs(%extracted_slice
// CHECK: linalg.conv_2d_nhwc_hwcf
// CHECK: linalg.exp
// CHECK: tensor.insert_slice
// CHECK: return %{{.*}} : tensor<1x18x18x32xf32>
// CHECK-LABEL: func.func private @net_conv_2d_nhwc_hwcf_0(
// CHECK: linalg.conv_2d_nhwc_hwcf
// CHECK: linalg.add
func.func @net(%x: tensor<1x16x16x32xf32>, %w0: tensor<1x1x32x32xf32>, %w: tensor<3x3x32x32xf32>) -> tensor<1x16x16x32xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<1x16x16x32xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<1x16x16x32xf32>) -> tensor<1x16x16x32xf32>
  %c = linalg.conv_2d_nhwc_hwcf ins(%x, %w0 : tensor<1x16x16x32xf32>, tensor<1x1x32x32xf32>) outs(%f : tensor<1x16x16x32xf32>) -> tensor<1x16x16x32xf32>
  %r = linalg.exp ins(%c : tensor<1x16x16x32xf32>) outs(%e : tensor<1x16x16x32xf32>) -> tensor<1x16x16x32xf32>
  func.call @print(%zero) : (f32) -> ()
  %pad = tensor.pad %r low[0, 1, 1, 0] high[0, 1, 1, 0] {
  ^bb0(%a0: index, %a1: index, %a2: index, %a3: index):
    tensor.yield %zero : f32
  } : tensor<1x16x16x32xf32> to tensor<1x18x18x32xf32>
  %c2 = linalg.conv_2d_nhwc_hwcf ins(%pad, %w : tensor<1x18x18x32xf32>, tensor<3x3x32x32xf32>) outs(%f : tensor<1x16x16x32xf32>) -> tensor<1x16x16x32xf32>
  %y = linalg.add ins(%c2, %r : tensor<1x16x16x32xf32>, tensor<1x16x16x32xf32>) outs(%e : tensor<1x16x16x32xf32>) -> tensor<1x16x16x32xf32>
  return %y : tensor<1x16x16x32xf32>
}

func.func private @print(f32)
