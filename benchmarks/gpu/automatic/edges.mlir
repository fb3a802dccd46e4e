// Extents that few sizes divide, so that tiles at the edges are padded. Recipes are
// those of --baco-annotate=target=nvvm.
// Reduced by: s/1003/67/g; s/1021/59/g; s/1022/60/g; s/1000/56/g; s/4096/64/g; s/509/43/g; s/30x30x/13x13x/g; s/28x28x/11x11x/g
#two = affine_map<(i, j) -> (i, j)>

func.func @product(%a: memref<1003x1021xf32>, %b: memref<1021x509xf32>, %c: memref<1003x509xf32>) {
  linalg.matmul ins(%a, %b : memref<1003x1021xf32>, memref<1021x509xf32>)
    outs(%c : memref<1003x509xf32>)
  return
}

func.func @halves(%a: memref<1003x1021xf16>, %b: memref<1021x509xf16>, %c: memref<1003x509xf32>) {
  linalg.matmul ins(%a, %b : memref<1003x1021xf16>, memref<1021x509xf16>)
    outs(%c : memref<1003x509xf32>)
  return
}

// Rows begin at multiples of 16 bytes.
func.func @aligned(%a: memref<1003x1000xf16>, %b: memref<1000x1000xf16>, %c: memref<1003x1000xf32>) {
  linalg.matmul ins(%a, %b : memref<1003x1000xf16>, memref<1000x1000xf16>)
    outs(%c : memref<1003x1000xf32>)
  return
}

func.func @brains(%a: memref<3x1003x1021xbf16>, %b: memref<3x509x1021xbf16>, %c: memref<3x1003x509xf32>) {
  linalg.batch_matmul indexing_maps = [affine_map<(b, i, j, k) -> (b, i, k)>,
      affine_map<(b, i, j, k) -> (b, j, k)>, affine_map<(b, i, j, k) -> (b, i, j)>]
    ins(%a, %b : memref<3x1003x1021xbf16>, memref<3x509x1021xbf16>)
    outs(%c : memref<3x1003x509xf32>)
  return
}

func.func @tf32(%a: memref<1003x1021xf32>, %b: memref<1021x509xf32>, %c: memref<1003x509xf32>) {
  linalg.matmul {baco.tf32} ins(%a, %b : memref<1003x1021xf32>, memref<1021x509xf32>)
    outs(%c : memref<1003x509xf32>)
  return
}

// The left operand is transposed, and sums have the type of the operands.
func.func @small(%a: memref<1021x1003xf16>, %b: memref<1021x509xf16>, %c: memref<1003x509xf16>) {
  linalg.matmul indexing_maps = [affine_map<(i, j, k) -> (k, i)>,
      affine_map<(i, j, k) -> (k, j)>, affine_map<(i, j, k) -> (i, j)>]
    ins(%a, %b : memref<1021x1003xf16>, memref<1021x509xf16>)
    outs(%c : memref<1003x509xf16>)
  return
}

// Parts of the sum have blocks of their own.
func.func @long(%a: memref<27x1536xf32>, %b: memref<1536x19xf32>, %c: memref<27x19xf32>) {
  linalg.matmul ins(%a, %b : memref<27x1536xf32>, memref<1536x19xf32>)
    outs(%c : memref<27x19xf32>)
  return
}

func.func @long_halves(%a: memref<27x1536xf16>, %b: memref<1536x19xf16>, %c: memref<27x19xf32>) {
  linalg.matmul ins(%a, %b : memref<27x1536xf16>, memref<1536x19xf16>)
    outs(%c : memref<27x19xf32>)
  return
}

func.func @rows(%a: memref<5x4096xf16>, %b: memref<4096x4096xf16>, %c: memref<5x4096xf32>) {
  linalg.matmul ins(%a, %b : memref<5x4096xf16>, memref<4096x4096xf16>)
    outs(%c : memref<5x4096xf32>)
  return
}

func.func @columns(%a: memref<4096x4096xf32>, %b: memref<4096x3xf32>, %c: memref<4096x3xf32>) {
  linalg.matmul ins(%a, %b : memref<4096x4096xf32>, memref<4096x3xf32>)
    outs(%c : memref<4096x3xf32>)
  return
}

func.func @add(%x: memref<1021x1021xf32>, %y: memref<1021x1021xf32>) {
  linalg.add ins(%x, %y : memref<1021x1021xf32>, memref<1021x1021xf32>)
    outs(%y : memref<1021x1021xf32>)
  return
}

func.func @bias(%x: memref<1003x1021xf32>, %b: memref<1021xf32>, %y: memref<1003x1021xf32>) {
  linalg.generic {indexing_maps = [#two, affine_map<(i, j) -> (j)>, #two],
                  iterator_types = ["parallel", "parallel"]}
    ins(%x, %b : memref<1003x1021xf32>, memref<1021xf32>) outs(%y : memref<1003x1021xf32>) {
  ^bb0(%u: f32, %v: f32, %o: f32):
    %w = arith.addf %u, %v : f32
    linalg.yield %w : f32
  }
  return
}

// Elements of a window, and a division, which isn't done for zeros outside.
func.func @quotients(%x: memref<1022xi32>, %y: memref<1021xi32>) {
  linalg.generic {indexing_maps = [affine_map<(i) -> (i + 1)>, affine_map<(i) -> (i)>],
                  iterator_types = ["parallel"]}
    ins(%x : memref<1022xi32>) outs(%y : memref<1021xi32>) {
  ^bb0(%u: i32, %o: i32):
    %ten = arith.constant 10 : i32
    %v = arith.divsi %u, %ten : i32
    linalg.yield %v : i32
  }
  return
}

func.func @transpose(%x: memref<1003x1021xf32>, %y: memref<1021x1003xf32>) {
  linalg.transpose ins(%x : memref<1003x1021xf32>)
    outs(%y : memref<1021x1003xf32>) permutation = [1, 0]
  return
}

// Negative elements: zeros outside aren't the largest.
func.func @largest(%x: memref<1003x1021xf32>, %y: memref<1003xf32>) {
  linalg.generic {indexing_maps = [#two, affine_map<(i, j) -> (i)>],
                  iterator_types = ["parallel", "reduction"]}
    ins(%x : memref<1003x1021xf32>) outs(%y : memref<1003xf32>) {
  ^bb0(%u: f32, %o: f32):
    %a = math.absf %u : f32
    %b = arith.negf %a : f32
    %m = arith.maximumf %b, %o : f32
    linalg.yield %m : f32
  }
  return
}

func.func @convolution(%x: memref<3x30x30x13xf32>, %k: memref<3x3x13x31xf32>, %y: memref<3x28x28x31xf32>) {
  linalg.conv_2d_nhwc_hwcf {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>}
    ins(%x, %k : memref<3x30x30x13xf32>, memref<3x3x13x31xf32>)
    outs(%y : memref<3x28x28x31xf32>)
  return
}
