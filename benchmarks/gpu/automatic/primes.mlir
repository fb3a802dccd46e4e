// Extents that nothing divides, and ops that become several kernels or other ones.
// Recipes are those of --baco-annotate=target=nvvm.
// Reduced by: s/4091/5/g; s/4093/1031/g; s/1048573/4099/g; s/1024/32/g
#two = affine_map<(i, j) -> (i, j)>

func.func @scale(%x: memref<4091x4093xf32>, %y: memref<4091x4093xf32>, %a: f32) {
  linalg.generic {indexing_maps = [#two, #two], iterator_types = ["parallel", "parallel"]}
    ins(%x : memref<4091x4093xf32>) outs(%y : memref<4091x4093xf32>) {
  ^bb0(%u: f32, %o: f32):
    %v = arith.mulf %u, %a : f32
    linalg.yield %v : f32
  }
  return
}

func.func @vector(%x: memref<1048573xf32>, %y: memref<1048573xf32>) {
  linalg.add ins(%x, %y : memref<1048573xf32>, memref<1048573xf32>)
    outs(%y : memref<1048573xf32>)
  return
}

func.func @transpose(%x: memref<4093x1024xf32>, %y: memref<1024x4093xf32>) {
  linalg.transpose ins(%x : memref<4093x1024xf32>)
    outs(%y : memref<1024x4093xf32>) permutation = [1, 0]
  return
}

func.func @copy(%x: memref<4091x4093xf32>, %y: memref<4091x4093xf32>) {
  memref.copy %x, %y : memref<4091x4093xf32> to memref<4091x4093xf32>
  return
}

func.func @rows(%x: memref<4091x4093xf32>, %y: memref<4091xf32>) {
  linalg.generic {indexing_maps = [#two, affine_map<(i, j) -> (i)>],
                  iterator_types = ["parallel", "reduction"]}
    ins(%x : memref<4091x4093xf32>) outs(%y : memref<4091xf32>) {
  ^bb0(%u: f32, %sum: f32):
    %w = arith.addf %u, %sum : f32
    linalg.yield %w : f32
  }
  return
}

func.func @sum(%x: memref<1048573xf32>, %s: memref<f32>) {
  linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> ()>],
                  iterator_types = ["reduction"]}
    ins(%x : memref<1048573xf32>) outs(%s : memref<f32>) {
  ^bb0(%u: f32, %sum: f32):
    %w = arith.addf %u, %sum : f32
    linalg.yield %w : f32
  }
  return
}

func.func @product(%a: memref<4091x127xf32>, %b: memref<127x4093xf32>, %c: memref<4091x4093xf32>) {
  linalg.matmul ins(%a, %b : memref<4091x127xf32>, memref<127x4093xf32>)
    outs(%c : memref<4091x4093xf32>)
  return
}

func.func @batch(%a: memref<3x4091x127xf32>, %b: memref<3x127x4093xf32>, %c: memref<3x4091x4093xf32>) {
  linalg.batch_matmul ins(%a, %b : memref<3x4091x127xf32>, memref<3x127x4093xf32>)
    outs(%c : memref<3x4091x4093xf32>)
  return
}

func.func @softmax(%x: memref<4091x4093xf32>, %y: memref<4091x4093xf32>) {
  linalg.softmax dimension(1) ins(%x : memref<4091x4093xf32>) outs(%y : memref<4091x4093xf32>)
  return
}

func.func @softmax_of_heads(%x: memref<8x64x128xf32>, %y: memref<8x64x128xf32>) {
  linalg.softmax dimension(2) ins(%x : memref<8x64x128xf32>) outs(%y : memref<8x64x128xf32>)
  return
}
