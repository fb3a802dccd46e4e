// Steps of recipes by hand, on buffers and on tensors.

// Tiles, copies of tiles, vectors, and sums in registers, with LLVM's options.
func.func @promote(%A: memref<64x48xf32>, %B: memref<48x32xf32>, %C: memref<64x32xf32>) {
  linalg.matmul {baco.recipe = #baco.recipe<[
      #baco.tile<sizes = [16, 0, 24]>,
      #baco.promote<operands = [0]>,
      #baco.tile<sizes = [4, 16, 0]>,
      #baco.tile<sizes = [0, 0, 1]>,
      #baco.vectorize<>, #baco.hoist<>,
      #baco.llvm<{prefer_vector_width = 256}>]>}
    ins(%A, %B : memref<64x48xf32>, memref<48x32xf32>) outs(%C : memref<64x32xf32>)
  return
}

func.func @threads(%A: memref<64x32xf32>, %B: memref<32x48xf32>, %C: memref<64x48xf32>) {
  linalg.matmul {baco.recipe = #baco.recipe<[
      #baco.parallelize<threads = [4, 0, 0]>,
      #baco.tile<sizes = [8, 16, 0]>,
      #baco.tile<sizes = [0, 0, 1]>,
      #baco.vectorize<>, #baco.hoist<>]>}
    ins(%A, %B : memref<64x32xf32>, memref<32x48xf32>) outs(%C : memref<64x48xf32>)
  return
}
