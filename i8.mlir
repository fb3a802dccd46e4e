func.func @conv(%x: memref<1x30x30x128xi8>, %k: memref<3x3x128x128xi8>, %out: memref<1x28x28x128xi32>) {
  linalg.conv_2d_nhwc_hwcf {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>}
    ins(%x, %k : memref<1x30x30x128xi8>, memref<3x3x128x128xi8>) outs(%out : memref<1x28x28x128xi32>)
  return
}
