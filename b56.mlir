func.func @conv(%x: memref<16x58x58x64xf16>, %k: memref<3x3x64x64xf16>, %out: memref<16x56x56x64xf32>) {
  linalg.conv_2d_nhwc_hwcf {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>}
    ins(%x, %k : memref<16x58x58x64xf16>, memref<3x3x64x64xf16>) outs(%out : memref<16x56x56x64xf32>)
  return
}
