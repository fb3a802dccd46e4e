// A list of shapes says which convolutions are rewritten, whatever is estimated
// or forced.
// RUN: baco-opt %s --baco-winograd="tile=1x4x4x2x2xf32:2,1x9x9x9x9xf32:4" | FileCheck %s
// RUN: baco-opt %s --baco-winograd="tile=1x4x4x2x2xf32:2 forced" | FileCheck %s

// CHECK-LABEL: func.func @listed
// CHECK:         linalg.batch_matmul {{.*}} tensor<16x4x2xf32>
func.func @listed(%x: tensor<1x6x6x2xf32>, %r: tensor<1x4x4x2xf32>) -> tensor<1x4x4x2xf32> {
  %w = arith.constant dense<0.5> : tensor<3x3x2x2xf32>
  %c = linalg.conv_2d_nhwc_hwcf ins(%x, %w : tensor<1x6x6x2xf32>, tensor<3x3x2x2xf32>)
    outs(%r : tensor<1x4x4x2xf32>) -> tensor<1x4x4x2xf32>
  return %c : tensor<1x4x4x2xf32>
}

// CHECK-LABEL: func.func @other
// CHECK-NOT:     batch_matmul
// CHECK:         linalg.conv_2d_nhwc_hwcf
func.func @other(%x: tensor<1x34x34x64xf32>, %r: tensor<1x32x32x64xf32>) -> tensor<1x32x32x64xf32> {
  %w = arith.constant dense<0.5> : tensor<3x3x64x64xf32>
  %c = linalg.conv_2d_nhwc_hwcf ins(%x, %w : tensor<1x34x34x64xf32>, tensor<3x3x64x64xf32>)
    outs(%r : tensor<1x32x32x64xf32>) -> tensor<1x32x32x64xf32>
  return %c : tensor<1x32x32x64xf32>
}
