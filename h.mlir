func.func @conv(%x: memref<1x30x30x128xf16>, %k: memref<3x3x128x128xf16>, %out: memref<1x28x28x128xf16>) {
  linalg.conv_2d_nhwc_hwcf {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>}
    ins(%x, %k : memref<1x30x30x128xf16>, memref<3x3x128x128xf16>) outs(%out : memref<1x28x28x128xf16>)
  return
}
