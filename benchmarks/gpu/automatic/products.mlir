// Products that get their recipes by --baco-annotate=target=nvvm, or from
// baco-bench-draws --emulate.
// Reduced by: s/66x66x32x/18x18x4x/g; s/3x3x32x64x/3x3x4x8x/g; s/64x64x64x/16x16x8x/g; s/1024/64/g; s/1000/40/g; s/memref<16x/memref<3x/g
func.func @matmul(%a: memref<1024x1024xf32>, %b: memref<1024x1024xf32>,
                  %c: memref<1024x1024xf32>) {
  linalg.matmul ins(%a, %b : memref<1024x1024xf32>, memref<1024x1024xf32>)
    outs(%c : memref<1024x1024xf32>)
  return
}

// The left operand is transposed.
func.func @transposed(%a: memref<1000x1024xf32>, %b: memref<1000x1024xf32>,
                      %c: memref<1024x1024xf32>) {
  linalg.matmul
    indexing_maps = [affine_map<(m, n, k) -> (k, m)>,
                     affine_map<(m, n, k) -> (k, n)>,
                     affine_map<(m, n, k) -> (m, n)>]
    ins(%a, %b : memref<1000x1024xf32>, memref<1000x1024xf32>)
    outs(%c : memref<1024x1024xf32>)
  return
}

// On tensor cores: sums in f32.
func.func @halves(%a: memref<1024x1024xf16>, %b: memref<1024x1024xf16>,
                  %c: memref<1024x1024xf32>) {
  linalg.matmul ins(%a, %b : memref<1024x1024xf16>, memref<1024x1024xf16>)
    outs(%c : memref<1024x1024xf32>)
  return
}

func.func @brains(%a: memref<16x1024x1024xbf16>, %b: memref<16x1024x1024xbf16>,
                  %c: memref<16x1024x1024xf32>) {
  linalg.batch_matmul
    ins(%a, %b : memref<16x1024x1024xbf16>, memref<16x1024x1024xbf16>)
    outs(%c : memref<16x1024x1024xf32>)
  return
}

func.func @tf32(%a: memref<1024x1024xf32>, %b: memref<1024x1024xf32>,
                %c: memref<1024x1024xf32>) {
  linalg.matmul {baco.tf32}
    ins(%a, %b : memref<1024x1024xf32>, memref<1024x1024xf32>)
    outs(%c : memref<1024x1024xf32>)
  return
}

// Sums in f16 are for threads.
func.func @small(%a: memref<1024x1024xf16>, %b: memref<1024x1024xf16>,
                 %c: memref<1024x1024xf16>) {
  linalg.matmul ins(%a, %b : memref<1024x1024xf16>, memref<1024x1024xf16>)
    outs(%c : memref<1024x1024xf16>)
  return
}

func.func @batch(%a: memref<16x1024x1000xf32>, %b: memref<16x1000x1024xf32>,
                 %c: memref<16x1024x1024xf32>) {
  linalg.batch_matmul
    ins(%a, %b : memref<16x1024x1000xf32>, memref<16x1000x1024xf32>)
    outs(%c : memref<16x1024x1024xf32>)
  return
}

func.func @convolution(%x: memref<16x66x66x32xf32>, %k: memref<3x3x32x64xf32>,
                       %y: memref<16x64x64x64xf32>) {
  linalg.conv_2d_nhwc_hwcf {dilations = dense<1> : tensor<2xi64>,
                            strides = dense<1> : tensor<2xi64>}
    ins(%x, %k : memref<16x66x66x32xf32>, memref<3x3x32x64xf32>)
    outs(%y : memref<16x64x64x64xf32>)
  return
}
