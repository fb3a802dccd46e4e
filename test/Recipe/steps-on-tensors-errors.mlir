// RUN: baco-opt %s --split-input-file --verify-diagnostics

// What steps on tensors require of their op.

func.func @f(%A: memref<64xf32>, %B: memref<64xf32>) {
  // expected-error @below {{recipe step 1 (bufferize): the op is already on memrefs}}
  linalg.exp {baco.recipe = #baco.recipe<[#baco.bufferize<>]>}
    ins(%A : memref<64xf32>) outs(%B : memref<64xf32>)
  return
}

// -----

func.func @f(%A: tensor<64x32xf32>, %B: tensor<32x48xf32>, %C: tensor<64x48xf32>) -> tensor<64x48xf32> {
  %0 = linalg.matmul {baco.recipe = #baco.recipe<[
      // expected-error @below {{recipe step 2 (promote): the step works on memrefs, but the op is on tensors; put 'bufferize' before it}}
      #baco.tile<sizes = [4, 0, 0]>, #baco.promote<operands = [0]>]>}
    ins(%A, %B : tensor<64x32xf32>, tensor<32x48xf32>)
    outs(%C : tensor<64x48xf32>) -> tensor<64x48xf32>
  return %0 : tensor<64x48xf32>
}

// -----

func.func @f(%A: tensor<64x32xf32>, %B: tensor<32x48xf32>, %C: tensor<64x48xf32>) -> tensor<64x48xf32> {
  %0 = linalg.matmul {baco.recipe = #baco.recipe<[
      // expected-error @below {{recipe step 2 (bufferize): a remainder that is not "exact" has cut the op into parts; put 'vectorize' before this step}}
      #baco.tile<sizes = [5, 0, 0], remainders = ["split", "exact", "exact"]>, #baco.bufferize<>]>}
    ins(%A, %B : tensor<64x32xf32>, tensor<32x48xf32>)
    outs(%C : tensor<64x48xf32>) -> tensor<64x48xf32>
  return %0 : tensor<64x48xf32>
}

// -----

func.func @f(%A: tensor<64x32xf32>, %B: tensor<32x48xf32>, %C: tensor<64x48xf32>) -> tensor<64x48xf32> {
  %0 = linalg.matmul {baco.recipe = #baco.recipe<[
      // expected-error @below {{recipe step 1 (parallelize): iterator 2 is a reduction, whose iterations write to the same elements}}
      #baco.parallelize<threads = [0, 2, 2]>]>}
    ins(%A, %B : tensor<64x32xf32>, tensor<32x48xf32>)
    outs(%C : tensor<64x48xf32>) -> tensor<64x48xf32>
  return %0 : tensor<64x48xf32>
}

// -----

func.func @f(%A: tensor<64x32xf32>, %B: tensor<32x48xf32>, %C: tensor<64x48xf32>) -> tensor<64x48xf32> {
  %0 = linalg.matmul {baco.recipe = #baco.recipe<[
      // expected-error @below {{recipe step 2 (parallelize): an earlier 'parallelize' has distributed the op; give all sizes or threads there}}
      #baco.parallelize<threads = [2, 0, 0]>, #baco.parallelize<threads = [0, 2, 0]>]>}
    ins(%A, %B : tensor<64x32xf32>, tensor<32x48xf32>)
    outs(%C : tensor<64x48xf32>) -> tensor<64x48xf32>
  return %0 : tensor<64x48xf32>
}

// -----

func.func @f(%A: tensor<64x32xf32>, %B: tensor<32x48xf32>, %C: tensor<64x48xf32>) -> tensor<64x48xf32> {
  %0 = linalg.matmul {baco.recipe = #baco.recipe<[
      // expected-error @below {{recipe step 1 (parallelize): tile 7 of iterator 0 must divide 64 (vectorize needs full tiles)}}
      #baco.parallelize<sizes = [7, 0, 0]>, #baco.vectorize<>]>}
    ins(%A, %B : tensor<64x32xf32>, tensor<32x48xf32>)
    outs(%C : tensor<64x48xf32>) -> tensor<64x48xf32>
  return %0 : tensor<64x48xf32>
}
