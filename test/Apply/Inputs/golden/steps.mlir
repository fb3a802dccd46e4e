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

#in = affine_map<(i, j) -> (i, j)>
#out = affine_map<(i, j) -> (i)>
func.func @split_reduction(%A: memref<64x256xf32>, %C: memref<64xf32>) {
  %a = bufferization.to_tensor %A restrict : memref<64x256xf32> to tensor<64x256xf32>
  %c = bufferization.to_tensor %C restrict writable : memref<64xf32> to tensor<64xf32>
  %r = linalg.generic {indexing_maps = [#in, #out],
                       iterator_types = ["parallel", "reduction"]}
    ins(%a : tensor<64x256xf32>) outs(%c : tensor<64xf32>)
    attrs = {baco.recipe = #baco.recipe<[
      #baco.tile<sizes = [4, 0]>,
      #baco.split_reduction<iterator = 1, factor = 16>,
      #baco.vectorize<>, #baco.bufferize<>, #baco.hoist<>]>} {
  ^bb0(%x: f32, %y: f32):
    %s = arith.addf %y, %x : f32
    linalg.yield %s : f32
  } -> tensor<64xf32>
  bufferization.materialize_in_destination %r in restrict writable %C
    : (tensor<64xf32>, memref<64xf32>) -> ()
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
