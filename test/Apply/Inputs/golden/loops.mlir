// Nests of loops, by loop commands.

func.func @product(%A: memref<64x96xf64>, %B: memref<96x64xf64>, %C: memref<64x64xf64>) {
  affine.for %i = 0 to 64 {
    affine.for %j = 0 to 64 {
      affine.for %k = 0 to 96 {
        %a = affine.load %A[%i, %k] : memref<64x96xf64>
        %b = affine.load %B[%k, %j] : memref<96x64xf64>
        %c = affine.load %C[%i, %j] : memref<64x64xf64>
        %p = arith.mulf %a, %b : f64
        %s = arith.addf %c, %p : f64
        affine.store %s, %C[%i, %j] : memref<64x64xf64>
      }
    }
  } {baco.recipe = #baco.recipe<[
      #baco.loop_permute<order = [2, 1, 3]>,
      #baco.loop_vectorize<statement = 0, loop = 1, width = 16>,
      #baco.loop_unroll<statement = 0, loop = 2, factor = 4>,
      #baco.loop_unroll<statement = 0, loop = 3, factor = 2>]>}
  return
}

// Vectors of sums, and columns that are left over.
func.func @sums(%A: memref<62x99xf32>, %s: memref<62xf32>) {
  affine.for %i = 0 to 62 {
    affine.for %j = 0 to 99 {
      %a = affine.load %A[%i, %j] : memref<62x99xf32>
      %x = affine.load %s[%i] : memref<62xf32>
      %r = arith.addf %x, %a : f32
      affine.store %r, %s[%i] : memref<62xf32>
    }
  } {baco.recipe = #baco.recipe<[
      #baco.loop_vectorize<statement = 0, loop = 2, width = 8>,
      #baco.loop_unroll<statement = 0, loop = 2, factor = 16>]>}
  return
}

func.func @stencil(%A: memref<66x130xf32>, %B: memref<66x130xf32>) {
  %c = arith.constant 0.2 : f32
  affine.for %i = 1 to 65 {
    affine.for %j = 1 to 129 {
      %n = affine.load %A[%i - 1, %j] : memref<66x130xf32>
      %w = affine.load %A[%i, %j - 1] : memref<66x130xf32>
      %x = affine.load %A[%i, %j] : memref<66x130xf32>
      %e = affine.load %A[%i, %j + 1] : memref<66x130xf32>
      %s = affine.load %A[%i + 1, %j] : memref<66x130xf32>
      %s1 = arith.addf %n, %w : f32
      %s2 = arith.addf %s1, %x : f32
      %s3 = arith.addf %s2, %e : f32
      %s4 = arith.addf %s3, %s : f32
      %m = arith.mulf %c, %s4 : f32
      affine.store %m, %B[%i, %j] : memref<66x130xf32>
    }
  } {baco.recipe = #baco.recipe<[
      #baco.loop_tile<statement = 0, loop = 1, size = 16>,
      #baco.loop_vectorize<statement = 0, loop = 3, width = 16>,
      #baco.loop_unroll<statement = 0, loop = 2, factor = 4>]>}
  return
}

// A division that the vectors share, and rows on several threads.
func.func @quotients(%A: memref<64x96xf32>, %s: memref<64xf32>) {
  affine.for %i = 0 to 64 {
    affine.for %j = 0 to 96 {
      %a = affine.load %A[%i, %j] : memref<64x96xf32>
      %x = affine.load %s[%i] : memref<64xf32>
      %q = arith.divf %a, %x : f32
      affine.store %q, %A[%i, %j] : memref<64x96xf32>
    }
  } {baco.recipe = #baco.recipe<[
      #baco.loop_tile<statement = 0, loop = 1, size = 16>,
      #baco.loop_parallelize<statement = 0, loop = 1>,
      #baco.loop_vectorize<statement = 0, loop = 3, width = 8>]>}
  return
}

// Functions that are made of others.
func.func @functions(%A: memref<256xf32>, %B: memref<256xf32>) {
  affine.for %i = 0 to 256 {
    %a = affine.load %A[%i] : memref<256xf32>
    %e = math.expm1 %a : f32
    %r = math.log1p %e : f32
    affine.store %r, %B[%i] : memref<256xf32>
  } {baco.recipe = #baco.recipe<[
      #baco.loop_vectorize<statement = 0, loop = 1, width = 8>]>}
  return
}
