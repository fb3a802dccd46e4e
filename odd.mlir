func.func @conv(%x: memref<2x15x23x20xf16>, %k: memref<3x3x20x36xf16>, %out: memref<2x13x21x36xf32>) {
  linalg.conv_2d_nhwc_hwcf {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>}
    ins(%x, %k : memref<2x15x23x20xf16>, memref<3x3x20x36xf16>) outs(%out : memref<2x13x21x36xf32>)
  return
}
