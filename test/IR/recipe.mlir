// RUN: baco-opt %s | baco-opt | %one-line-recipes | FileCheck %s
// RUN: baco-opt %s -mlir-print-op-generic | baco-opt | %one-line-recipes | FileCheck %s

// Every step is printed as it was written, without what is the default.

// CHECK-LABEL: @steps
func.func @steps(%A: memref<64x64xf32>, %B: memref<64x64xf32>, %C: memref<64x64xf32>) {
  // CHECK: baco.recipe = #baco.recipe<[
  // CHECK-SAME: #baco.interchange<order = [0, 1, 2]>,
  // CHECK-SAME: #baco.interchange<order = #baco.knob<"loops", #baco.permutation<3>>>,
  // CHECK-SAME: #baco.tile<sizes = [32, 0, #baco.knob<"KC", #baco.ordinal<[16, 32]>, default = 32>], order = [1, 0]>,
  // CHECK-SAME: #baco.promote<operands = [0]>,
  // CHECK-SAME: #baco.tile<sizes = [0, 16, 0], order = #baco.knob<"one", #baco.permutation<1>>>,
  // CHECK-SAME: #baco.promote<operands = [1, 2], alignment = 128>,
  // CHECK-SAME: #baco.tile<sizes = [4, 0, 1]>,
  // CHECK-SAME: #baco.vectorize<>,
  // CHECK-SAME: #baco.hoist<enabled = #baco.knob<"H", #baco.integer<0 to 1>>>]>
  linalg.matmul {baco.recipe = #baco.recipe<[
      #baco.interchange<order = [0, 1, 2]>,
      #baco.interchange<order = #baco.knob<"loops", #baco.permutation<3>>>,
      #baco.tile<sizes = [32, 0, #baco.knob<"KC", #baco.ordinal<[16, 32]>, default = 32>],
                 order = [1, 0]>,
      #baco.promote<operands = [0], alignment = 64>,
      #baco.tile<sizes = [0, 16, 0], order = #baco.knob<"one", #baco.permutation<1>>>,
      #baco.promote<operands = [1, 2], alignment = 128>,
      #baco.tile<sizes = [4, 0, 1]>,
      #baco.vectorize<>,
      #baco.hoist<enabled = #baco.knob<"H", #baco.integer<0 to 1>>>]>}
    ins(%A, %B : memref<64x64xf32>, memref<64x64xf32>)
    outs(%C : memref<64x64xf32>)
  return
}

// CHECK-LABEL: @where
func.func @where(%A: memref<64xf32>) {
  // CHECK: #baco.vectorize<copy_length = 16>]
  // CHECK-SAME: where = ["T % 4 == 0", "T > 8" : "why", advisory "T < 60", advisory "T < 50" : "a guess"]>
  linalg.generic {
      indexing_maps = [affine_map<(i) -> (i)>], iterator_types = ["parallel"]}
    outs(%A : memref<64xf32>)
    attrs = {baco.recipe = #baco.recipe<[
      #baco.tile<sizes = [#baco.knob<"T", #baco.ordinal<[16, 32]>>]>,
      #baco.promote<operands = [0]>,
      #baco.vectorize<copy_length = 16>],
      where = ["T % 4 == 0", "T > 8" : "why", advisory "T < 60",
               advisory "T < 50" : "a guess"]>} {
    ^bb0(%a: f32):
      linalg.yield %a : f32
  }
  return
}

// CHECK-LABEL: @remainders
func.func @remainders(%A: memref<8x8xf32>, %B: memref<8x13xf32>, %C: memref<8x13xf32>) {
  // CHECK: #baco.tile<sizes = [3, 4, 0], remainders = ["balance", "split", "exact"], rest = 3>
  // CHECK-SAME: #baco.tile<sizes = [2, 0, 0], remainders = ["balance", "exact", "exact"]>
  linalg.matmul {baco.recipe = #baco.recipe<[
      #baco.tile<sizes = [3, 4, 0], remainders = ["balance", "split", "exact"], rest = 3>,
      #baco.tile<sizes = [2, 0, 0], remainders = ["balance", "exact", "exact"], rest = 0>]>}
    ins(%A, %B : memref<8x8xf32>, memref<8x13xf32>)
    outs(%C : memref<8x13xf32>)
  return
}

// CHECK-LABEL: @tensors
func.func @tensors(%A: tensor<8x8xf32>, %B: tensor<8x16xf32>, %C: tensor<8x16xf32>) -> tensor<8x16xf32> {
  %a = linalg.exp ins(%A : tensor<8x8xf32>) outs(%A : tensor<8x8xf32>) -> tensor<8x8xf32>
  // CHECK: #baco.parallelize<threads = [#baco.knob<"T", #baco.ordinal<[1, 2]>>, 0, 0]>,
  // CHECK-SAME: #baco.bufferize<>]
  %r = linalg.matmul {baco.recipe = #baco.recipe<[
      #baco.parallelize<threads = [#baco.knob<"T", #baco.ordinal<[1, 2]>>, 0, 0]>,
      #baco.bufferize<>]>}
    ins(%a, %B : tensor<8x8xf32>, tensor<8x16xf32>)
    outs(%C : tensor<8x16xf32>) -> tensor<8x16xf32>
  // CHECK: #baco.parallelize<sizes = [1, 0, 0]>]
  %s = linalg.matmul {baco.recipe = #baco.recipe<[
      #baco.parallelize<sizes = [1, 0, 0]>]>}
    ins(%a, %B : tensor<8x8xf32>, tensor<8x16xf32>)
    outs(%r : tensor<8x16xf32>) -> tensor<8x16xf32>
  return %s : tensor<8x16xf32>
}

// CHECK-LABEL: @nests
func.func @nests(%A: memref<64xf32>, %B: memref<64xf32>) {
  // CHECK: baco.recipe = #baco.recipe<[#baco.loop_fuse<statements = [0, 1], loop = #baco.knob<"F", #baco.ordinal<[0, 1]>>>], nests = 2, where = ["F > 0"]>
  linalg.exp {baco.recipe = #baco.recipe<[
      #baco.loop_fuse<statements = [0, 1], loop = #baco.knob<"F", #baco.ordinal<[0, 1]>>>],
      nests = 2, where = ["F > 0"]>}
    ins(%A : memref<64xf32>) outs(%B : memref<64xf32>)
  linalg.exp ins(%B : memref<64xf32>) outs(%A : memref<64xf32>)
  // CHECK: #baco.loop_vectorize<statement = 0, loop = 1, width = 8>], nests = 2>
  linalg.exp {baco.recipe = #baco.recipe<[
      #baco.loop_vectorize<statement = 0, loop = 1, width = 8>], nests = 2>}
    ins(%A : memref<64xf32>) outs(%B : memref<64xf32>)
  linalg.exp ins(%B : memref<64xf32>) outs(%A : memref<64xf32>)
  return
}
