func.func @conv(%x: memref<4x28x44x48xf16>, %k: memref<5x5x48x96xf16>, %out: memref<4x24x40x96xf32>) {
  linalg.conv_2d_nhwc_hwcf {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>}
    ins(%x, %k : memref<4x28x44x48xf16>, memref<5x5x48x96xf16>) outs(%out : memref<4x24x40x96xf32>)
  return
}
