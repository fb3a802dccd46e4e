func.func @conv(%x: memref<3x7x8x7xf16>, %k: memref<3x3x7x9xf16>, %out: memref<3x5x6x9xf32>) {
  linalg.conv_2d_nhwc_hwcf {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>}
    ins(%x, %k : memref<3x7x8x7xf16>, memref<3x3x7x9xf16>) outs(%out : memref<3x5x6x9xf32>)
  return
}
