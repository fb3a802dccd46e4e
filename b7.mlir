func.func @conv(%x: memref<16x9x9x512xf16>, %k: memref<3x3x512x512xf16>, %out: memref<16x7x7x512xf32>) {
  linalg.conv_2d_nhwc_hwcf {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>}
    ins(%x, %k : memref<16x9x9x512xf16>, memref<3x3x512x512xf16>) outs(%out : memref<16x7x7x512xf32>)
  return
}
