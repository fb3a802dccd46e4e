// RUN: baco-opt %s --split-input-file --verify-diagnostics

// What steps on tensors require of their op.

func.func @f(%A: memref<64xf32>, %c: memref<f32>) {
  linalg.reduce {arith.addf} ins(%A : memref<64xf32>) outs(%c : memref<f32>) dimensions = [0]
    // expected-error @below {{recipe step 1 (split_reduction): the step works on tensors, but the op is on memrefs; read these by 'bufferization.to_tensor', and write the result by 'bufferization.materialize_in_destination'}}
    {baco.recipe = #baco.recipe<[#baco.split_reduction<iterator = 0, factor = 8>]>}
  return
}

// -----

func.func @f(%A: memref<64xf32>, %B: memref<64xf32>) {
  // expected-error @below {{recipe step 1 (bufferize): the op is already on memrefs}}
  linalg.exp {baco.recipe = #baco.recipe<[#baco.bufferize<>]>}
    ins(%A : memref<64xf32>) outs(%B : memref<64xf32>)
  return
}

// -----

// The neutral element would have to be known.
func.func @f(%A: tensor<8x64xf32>, %c: tensor<8xf32>) -> tensor<8xf32> {
  %0 = linalg.reduce ins(%A : tensor<8x64xf32>) outs(%c : tensor<8xf32>) dimensions = [1]
    // expected-error @below {{recipe step 1 (split_reduction): the op doesn't reduce by a single operation with a neutral element}}
    {baco.recipe = #baco.recipe<[#baco.split_reduction<iterator = 1, factor = 8>]>}
    (%x: f32, %y: f32) {
      %s = arith.divf %y, %x : f32
      linalg.yield %s : f32
    }
  return %0 : tensor<8xf32>
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
      // expected-error @below {{recipe step 2 (split_reduction): the step works on tensors; put it before 'bufferize'}}
      #baco.bufferize<>, #baco.split_reduction<iterator = 2, factor = 4>]>}
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
      // expected-error @below {{recipe step 1 (split_reduction): there is no iterator 3, the op has 3}}
      #baco.split_reduction<iterator = 3, factor = 4>]>}
    ins(%A, %B : tensor<64x32xf32>, tensor<32x48xf32>)
    outs(%C : tensor<64x48xf32>) -> tensor<64x48xf32>
  return %0 : tensor<64x48xf32>
}

// -----

func.func @f(%A: tensor<64x32xf32>, %B: tensor<32x48xf32>, %C: tensor<64x48xf32>) -> tensor<64x48xf32> {
  %0 = linalg.matmul {baco.recipe = #baco.recipe<[
      // expected-error @below {{recipe step 1 (split_reduction): iterator 1 is not a reduction}}
      #baco.split_reduction<iterator = 1, factor = 4>]>}
    ins(%A, %B : tensor<64x32xf32>, tensor<32x48xf32>)
    outs(%C : tensor<64x48xf32>) -> tensor<64x48xf32>
  return %0 : tensor<64x48xf32>
}

// -----

func.func @f(%A: tensor<64x32xf32>, %B: tensor<32x48xf32>, %C: tensor<64x48xf32>) -> tensor<64x48xf32> {
  %0 = linalg.matmul {baco.recipe = #baco.recipe<[
      // expected-error @below {{recipe step 2 (split_reduction): an earlier step has split the reduction over iterator 2; make the factor larger}}
      #baco.split_reduction<iterator = 2, factor = 4>, #baco.split_reduction<iterator = 2, factor = 2>]>}
    ins(%A, %B : tensor<64x32xf32>, tensor<32x48xf32>)
    outs(%C : tensor<64x48xf32>) -> tensor<64x48xf32>
  return %0 : tensor<64x48xf32>
}

// -----

func.func @f(%A: tensor<64x32xf32>, %B: tensor<32x48xf32>, %C: tensor<64x48xf32>) -> tensor<64x48xf32> {
  %0 = linalg.matmul {baco.recipe = #baco.recipe<[
      // expected-error @below {{recipe step 2 (split_reduction): a knob decides which iterator 2 is; put this step before 'interchange'}}
      #baco.interchange<order = #baco.knob<"p", #baco.permutation<3>>>, #baco.split_reduction<iterator = 2, factor = 4>]>}
    ins(%A, %B : tensor<64x32xf32>, tensor<32x48xf32>)
    outs(%C : tensor<64x48xf32>) -> tensor<64x48xf32>
  return %0 : tensor<64x48xf32>
}

// -----

func.func @f(%A: tensor<64x32xf32>, %B: tensor<32x48xf32>, %C: tensor<64x48xf32>) -> tensor<64x48xf32> {
  %0 = linalg.matmul {baco.recipe = #baco.recipe<[
      // expected-error @below {{recipe step 1 (split_reduction): tile 5 of iterator 2 must divide 32 (vectorize needs full tiles)}}
      #baco.split_reduction<iterator = 2, factor = 5>, #baco.vectorize<>]>}
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
