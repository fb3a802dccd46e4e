// With layout=tensor-cores, convolutions become channels-last that a GPU's tensor cores can do then.
// RUN: baco-opt %s --baco-channels-last=layout=tensor-cores 2>/dev/null | FileCheck %s

// CHECK-LABEL: func.func @halves(
// CHECK:         linalg.conv_2d_nhwc_hwcf
func.func @halves(%x: tensor<1x32x10x10xf16>, %k: tensor<32x32x3x3xf16>) -> tensor<1x32x8x8xf16> {
  %z = arith.constant 0.0 : f16
  %e = tensor.empty() : tensor<1x32x8x8xf16>
  %f = linalg.fill ins(%z : f16) outs(%e : tensor<1x32x8x8xf16>) -> tensor<1x32x8x8xf16>
  %c = linalg.conv_2d_nchw_fchw {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>}
    ins(%x, %k : tensor<1x32x10x10xf16>, tensor<32x32x3x3xf16>) outs(%f : tensor<1x32x8x8xf16>) -> tensor<1x32x8x8xf16>
  return %c : tensor<1x32x8x8xf16>
}

// Channels don't fill an instruction.
// CHECK-LABEL: func.func @few(
// CHECK:         linalg.conv_2d_nchw_fchw
func.func @few(%x: tensor<1x20x10x10xf16>, %k: tensor<32x20x3x3xf16>, %c: tensor<1x32x8x8xf32>) -> tensor<1x32x8x8xf32> {
  %r = linalg.conv_2d_nchw_fchw {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>}
    ins(%x, %k : tensor<1x20x10x10xf16>, tensor<32x20x3x3xf16>) outs(%c : tensor<1x32x8x8xf32>) -> tensor<1x32x8x8xf32>
  return %r : tensor<1x32x8x8xf32>
}

// Elements of f32 must not be rounded, unless the op allows it.
// CHECK-LABEL: func.func @singles(
// CHECK:         linalg.conv_2d_nchw_fchw
func.func @singles(%x: tensor<1x32x10x10xf32>, %k: tensor<32x32x3x3xf32>, %c: tensor<1x32x8x8xf32>) -> tensor<1x32x8x8xf32> {
  %r = linalg.conv_2d_nchw_fchw {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>}
    ins(%x, %k : tensor<1x32x10x10xf32>, tensor<32x32x3x3xf32>) outs(%c : tensor<1x32x8x8xf32>) -> tensor<1x32x8x8xf32>
  return %r : tensor<1x32x8x8xf32>
}

// CHECK-LABEL: func.func @rounded(
// CHECK:         linalg.conv_2d_nhwc_hwcf
func.func @rounded(%x: tensor<1x32x10x10xf32>, %k: tensor<32x32x3x3xf32>, %c: tensor<1x32x8x8xf32>) -> tensor<1x32x8x8xf32> {
  %r = linalg.conv_2d_nchw_fchw {baco.tf32, dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>}
    ins(%x, %k : tensor<1x32x10x10xf32>, tensor<32x32x3x3xf32>) outs(%c : tensor<1x32x8x8xf32>) -> tensor<1x32x8x8xf32>
  return %r : tensor<1x32x8x8xf32>
}
