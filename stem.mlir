func.func @conv(%x: memref<1x229x229x3xf16>, %k: memref<7x7x3x64xf16>, %out: memref<1x112x112x64xf32>) {
  linalg.conv_2d_nhwc_hwcf {dilations = dense<1> : tensor<2xi64>, strides = dense<2> : tensor<2xi64>}
    ins(%x, %k : memref<1x229x229x3xf16>, memref<7x7x3x64xf16>) outs(%out : memref<1x112x112x64xf32>)
  return
}
