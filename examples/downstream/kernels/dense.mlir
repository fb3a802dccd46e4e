// The kernels of this project. Their schedules are in ../tuned.

func.func @layer(%input: memref<64x96xf32>, %weights: memref<96x80xf32>,
                 %bias: memref<80xf32>, %output: memref<64x80xf32>) {
  %zero = arith.constant 0.0 : f32
  linalg.fill ins(%zero : f32) outs(%output : memref<64x80xf32>)
  linalg.matmul ins(%input, %weights : memref<64x96xf32>, memref<96x80xf32>)
                outs(%output : memref<64x80xf32>)
  linalg.generic {
    indexing_maps = [affine_map<(i, j) -> (j)>, affine_map<(i, j) -> (i, j)>],
    iterator_types = ["parallel", "parallel"]
  } ins(%bias : memref<80xf32>) outs(%output : memref<64x80xf32>) {
  ^bb0(%b: f32, %sum: f32):
    %biased = arith.addf %sum, %b : f32
    %positive = arith.maximumf %biased, %zero : f32
    linalg.yield %positive : f32
  }
  return
}

func.func @blur(%in: memref<130x194xf32>, %out: memref<128x192xf32>) {
  %ninth = arith.constant 0.111111112 : f32
  %zero = arith.constant 0.0 : f32
  affine.for %i = 0 to 128 {
    affine.for %j = 0 to 192 {
      %sum = affine.for %y = 0 to 3 iter_args(%rows = %zero) -> f32 {
        %row = affine.for %x = 0 to 3 iter_args(%s = %rows) -> f32 {
          %pixel = affine.load %in[%i + %y, %j + %x] : memref<130x194xf32>
          %next = arith.addf %s, %pixel : f32
          affine.yield %next : f32
        }
        affine.yield %row : f32
      }
      %mean = arith.mulf %sum, %ninth : f32
      affine.store %mean, %out[%i, %j] : memref<128x192xf32>
    }
  }
  return
}

// By a recipe of the project: what it leaves open are vectors and sums at once.
func.func @energy(%signal: memref<128x1024xf32>, %sums: memref<128xf32>) {
  affine.for %i = 0 to 128 {
    affine.for %j = 0 to 1024 {
      %x = affine.load %signal[%i, %j] : memref<128x1024xf32>
      %sum = affine.load %sums[%i] : memref<128xf32>
      %square = arith.mulf %x, %x : f32
      %next = arith.addf %sum, %square : f32
      affine.store %next, %sums[%i] : memref<128xf32>
    }
  } {baco.recipe = #baco.recipe<[
      #baco.loop_vectorize<statement = 0, loop = 2,
        width = #baco.knob<"width", #baco.ordinal<[4, 8, 16], log>, default = 4>>,
      #baco.loop_unroll<statement = 0, loop = 2,
        factor = #baco.knob<"unroll", #baco.ordinal<[4, 8, 16, 32, 64, 128], log>, default = 4>>],
      where = ["unroll % width == 0" : "whole vectors are unrolled"]>}
  return
}
