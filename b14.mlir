func.func @conv(%x: memref<16x16x16x256xf16>, %k: memref<3x3x256x256xf16>, %out: memref<16x14x14x256xf32>) {
  linalg.conv_2d_nhwc_hwcf {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>}
    ins(%x, %k : memref<16x16x16x256xf16>, memref<3x3x256x256xf16>) outs(%out : memref<16x14x14x256xf32>)
  return
}
