// Stencils and convolutions that get their recipes by --baco-annotate=target=nvvm, or
// from baco-bench-draws --emulate: tiles of inputs have borders.
// Reduced by: s/1026x1026/34x34/g; s/1024x1024/32x32/g; s/memref<8x130x130x64x/memref<2x10x10x8x/g; s/memref<8x128x128x64x/memref<2x8x8x8x/g; s/memref<8x32x66x66x/memref<2x8x18x18x/g; s/memref<64x32x3x3x/memref<8x8x3x3x/g; s/memref<8x64x64x64x/memref<2x8x16x16x/g

// A mean of 3 x 3 neighbors, or a gradient, by weights.
func.func @stencil(%x: memref<1026x1026xf32>, %k: memref<3x3xf32>,
                   %y: memref<1024x1024xf32>) {
  linalg.conv_2d ins(%x, %k : memref<1026x1026xf32>, memref<3x3xf32>)
    outs(%y : memref<1024x1024xf32>)
  return
}

func.func @pooling(%x: memref<8x130x130x64xf32>, %window: memref<3x3xf32>,
                   %y: memref<8x128x128x64xf32>) {
  linalg.pooling_nhwc_max {dilations = dense<1> : tensor<2xi64>,
                           strides = dense<1> : tensor<2xi64>}
    ins(%x, %window : memref<8x130x130x64xf32>, memref<3x3xf32>)
    outs(%y : memref<8x128x128x64xf32>)
  return
}

// Rows of tiles have borders.
func.func @images(%x: memref<8x32x66x66xf32>, %k: memref<64x32x3x3xf32>,
                  %y: memref<8x64x64x64xf32>) {
  linalg.conv_2d_nchw_fchw {dilations = dense<1> : tensor<2xi64>,
                            strides = dense<1> : tensor<2xi64>}
    ins(%x, %k : memref<8x32x66x66xf32>, memref<64x32x3x3xf32>)
    outs(%y : memref<8x64x64x64xf32>)
  return
}
