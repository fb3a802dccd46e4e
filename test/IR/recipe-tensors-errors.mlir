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

func.func @f(%A: tensor<8x64xi32>, %c: tensor<8xi32>) -> tensor<8xi32> {
  // expected-error @below {{recipe step 1 (pad): the op computes 'arith.divsi', which is undefined for some values that padding may add}}
  %0 = linalg.div {baco.recipe = #baco.recipe<[#baco.pad<multiples = [16]>]>}
    ins(%c, %c : tensor<8xi32>, tensor<8xi32>) outs(%c : tensor<8xi32>) -> tensor<8xi32>
  return %0 : tensor<8xi32>
}

// -----

// Zeros would be counted.
func.func @f(%A: tensor<8x61xf32>, %c: tensor<8xf32>) -> tensor<8xf32> {
  %0 = linalg.reduce ins(%A : tensor<8x61xf32>) outs(%c : tensor<8xf32>) dimensions = [1]
    // expected-error @below {{recipe step 2 (pad): padding a reduction needs a contraction, or an operation with a neutral element on a single input}}
    {baco.recipe = #baco.recipe<[#baco.tile<sizes = [0, 8]>, #baco.pad<multiples = [0, 1]>]>}
    (%x: f32, %y: f32) {
      %e = math.exp %x : f32
      %s = arith.addf %y, %e : f32
      linalg.yield %s : f32
    }
  return %0 : tensor<8xf32>
}

// -----

func.func @f(%A: tensor<64xf32>, %B: tensor<64xf32>) -> tensor<64xf32> {
  // expected-note @below {{here}}
  %0 = linalg.exp {baco.recipe = #baco.recipe<[#baco.vectorize<>]>}
    ins(%A : tensor<64xf32>) outs(%B : tensor<64xf32>) -> tensor<64xf32>
  %1 = linalg.abs {baco.recipe = #baco.recipe<[
      // expected-error @below {{recipe step 2 (fuse): the op that computes input 0 of 'linalg.abs' has its own recipe}}
      #baco.tile<sizes = [8]>, #baco.fuse<producer = [0]>]>}
    ins(%0 : tensor<64xf32>) outs(%B : tensor<64xf32>) -> tensor<64xf32>
  return %1 : tensor<64xf32>
}

// -----

func.func @f(%I: tensor<1x10x10x4xf32>, %K: tensor<3x3x4x8xf32>, %O: tensor<1x8x8x8xf32>) -> tensor<1x8x8x8xf32> {
  // expected-error @below {{recipe step 1 (pack): an operand has an index that is not a single iterator, and can't be cut into blocks}}
  %0 = linalg.conv_2d_nhwc_hwcf {baco.recipe = #baco.recipe<[#baco.pack<sizes = [0, 0, 0, 4, 0, 0, 0]>]>}
    ins(%I, %K : tensor<1x10x10x4xf32>, tensor<3x3x4x8xf32>) outs(%O : tensor<1x8x8x8xf32>) -> tensor<1x8x8x8xf32>
  return %0 : tensor<1x8x8x8xf32>
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
      // expected-error @below {{recipe step 3 (bufferize): the step would lose the loops of an earlier 'unroll'; put it before 'unroll'}}
      #baco.tile<sizes = [4, 0, 0]>, #baco.unroll<iterator = 0, factor = 2>, #baco.bufferize<>]>}
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
      // expected-error @below {{recipe step 1 (pad): 2 entries given for 3 iterators}}
      #baco.pad<multiples = [1, 1]>]>}
    ins(%A, %B : tensor<64x32xf32>, tensor<32x48xf32>)
    outs(%C : tensor<64x48xf32>) -> tensor<64x48xf32>
  return %0 : tensor<64x48xf32>
}

// -----

func.func @f(%A: tensor<64x32xf32>, %B: tensor<32x48xf32>, %C: tensor<64x48xf32>) -> tensor<64x48xf32> {
  %0 = linalg.matmul {baco.recipe = #baco.recipe<[
      // expected-error @below {{recipe step 2 (pad): a padded tile is at most the extent that it tiles, but there are 0}}
      #baco.tile<sizes = [0, 50, 0]>, #baco.pad<multiples = [0, 1, 0]>]>}
    ins(%A, %B : tensor<64x32xf32>, tensor<32x48xf32>)
    outs(%C : tensor<64x48xf32>) -> tensor<64x48xf32>
  return %0 : tensor<64x48xf32>
}

// -----

func.func @f(%A: tensor<64x32xf32>, %B: tensor<32x48xf32>, %C: tensor<64x48xf32>) -> tensor<64x48xf32> {
  %0 = linalg.matmul {baco.recipe = #baco.recipe<[
      // expected-error @below {{recipe step 2 (pad): an earlier step has replaced the op; put this step before 'split_reduction' and 'pack'}}
      #baco.split_reduction<iterator = 2, factor = 5>, #baco.pad<multiples = [0, 0, 1]>]>}
    ins(%A, %B : tensor<64x32xf32>, tensor<32x48xf32>)
    outs(%C : tensor<64x48xf32>) -> tensor<64x48xf32>
  return %0 : tensor<64x48xf32>
}

// -----

func.func @f(%A: tensor<64x32xf32>, %B: tensor<32x48xf32>, %C: tensor<64x48xf32>) -> tensor<64x48xf32> {
  %0 = linalg.matmul {baco.recipe = #baco.recipe<[
      // expected-error @below {{recipe step 1 (pack): block size 5 of iterator 1 must divide 48 (pack fills whole blocks)}}
      #baco.pack<sizes = [0, 5, 0]>]>}
    ins(%A, %B : tensor<64x32xf32>, tensor<32x48xf32>)
    outs(%C : tensor<64x48xf32>) -> tensor<64x48xf32>
  return %0 : tensor<64x48xf32>
}

// -----

func.func @f(%A: tensor<64x32xf32>, %B: tensor<32x48xf32>, %C: tensor<64x48xf32>) -> tensor<64x48xf32> {
  %0 = linalg.matmul {baco.recipe = #baco.recipe<[
      // expected-error @below {{recipe step 1 (pack): 'outer' has 2 orders for 3 operands}}
      #baco.pack<sizes = [4, 0, 0], outer = [[], []]>]>}
    ins(%A, %B : tensor<64x32xf32>, tensor<32x48xf32>)
    outs(%C : tensor<64x48xf32>) -> tensor<64x48xf32>
  return %0 : tensor<64x48xf32>
}

// -----

func.func @f(%A: tensor<64x32xf32>, %B: tensor<32x48xf32>, %C: tensor<64x48xf32>) -> tensor<64x48xf32> {
  %0 = linalg.matmul {baco.recipe = #baco.recipe<[
      // expected-error @below {{recipe step 1 (pack): 'outer' orders operand 1, which has no blocks}}
      #baco.pack<sizes = [4, 0, 0], outer = [[], [1, 0], []]>]>}
    ins(%A, %B : tensor<64x32xf32>, tensor<32x48xf32>)
    outs(%C : tensor<64x48xf32>) -> tensor<64x48xf32>
  return %0 : tensor<64x48xf32>
}

// -----

func.func @f(%A: tensor<64x32xf32>, %B: tensor<32x48xf32>, %C: tensor<64x48xf32>) -> tensor<64x48xf32> {
  %0 = linalg.matmul {baco.recipe = #baco.recipe<[
      // expected-error @below {{recipe step 1 (pack): order [0, 1] is for 2 elements, but there are 1}}
      #baco.pack<sizes = [4, 0, 0], inner = [[0, 1], [], []]>]>}
    ins(%A, %B : tensor<64x32xf32>, tensor<32x48xf32>)
    outs(%C : tensor<64x48xf32>) -> tensor<64x48xf32>
  return %0 : tensor<64x48xf32>
}

// -----

func.func @f(%A: tensor<64x32xf32>, %B: tensor<32x48xf32>, %C: tensor<64x48xf32>) -> tensor<64x48xf32> {
  %0 = linalg.matmul {baco.recipe = #baco.recipe<[
      // expected-error @below {{recipe step 1 (pack): knob 'O' orders 3 elements, but there are 2}}
      #baco.pack<sizes = [4, 0, 0], outer = [#baco.knob<"O", #baco.permutation<3>>, [], []]>]>}
    ins(%A, %B : tensor<64x32xf32>, tensor<32x48xf32>)
    outs(%C : tensor<64x48xf32>) -> tensor<64x48xf32>
  return %0 : tensor<64x48xf32>
}

// -----

func.func @f(%A: tensor<64x32xf32>, %B: tensor<32x48xf32>, %C: tensor<64x48xf32>) -> tensor<64x48xf32> {
  %0 = linalg.matmul {baco.recipe = #baco.recipe<[
      // expected-error @below {{recipe step 2 (pack): the step lays out whole operands; put it before the steps that make loops}}
      #baco.tile<sizes = [4, 0, 0]>, #baco.pack<sizes = [4, 0, 0]>]>}
    ins(%A, %B : tensor<64x32xf32>, tensor<32x48xf32>)
    outs(%C : tensor<64x48xf32>) -> tensor<64x48xf32>
  return %0 : tensor<64x48xf32>
}

// -----

func.func @f(%A: tensor<64x32xf32>, %B: tensor<32x48xf32>, %C: tensor<64x48xf32>) -> tensor<64x48xf32> {
  %0 = linalg.matmul {baco.recipe = #baco.recipe<[
      // expected-error @below {{recipe step 2 (pack): an earlier 'pack' has laid out the operands}}
      #baco.pack<sizes = [4, 0, 0]>, #baco.pack<sizes = [4, 0, 0, 2]>]>}
    ins(%A, %B : tensor<64x32xf32>, tensor<32x48xf32>)
    outs(%C : tensor<64x48xf32>) -> tensor<64x48xf32>
  return %0 : tensor<64x48xf32>
}

// -----

func.func @f(%A: tensor<64x32xf32>, %B: tensor<32x48xf32>, %C: tensor<64x48xf32>) -> tensor<64x48xf32> {
  %0 = linalg.matmul {baco.recipe = #baco.recipe<[
      // expected-error @below {{recipe step 4 (promote): an earlier 'pack' has copied the operands}}
      #baco.pack<sizes = [4, 0, 0]>, #baco.bufferize<>, #baco.tile<sizes = [1, 0, 0, 0]>, #baco.promote<operands = [0]>]>}
    ins(%A, %B : tensor<64x32xf32>, tensor<32x48xf32>)
    outs(%C : tensor<64x48xf32>) -> tensor<64x48xf32>
  return %0 : tensor<64x48xf32>
}

// -----

func.func @f(%A: tensor<64x32xf32>, %B: tensor<32x48xf32>, %C: tensor<64x48xf32>) -> tensor<64x48xf32> {
  %0 = linalg.matmul {baco.recipe = #baco.recipe<[
      // expected-error @below {{recipe step 1 (fuse): there is no loop yet to fuse into; put a 'tile' or 'parallelize' before it}}
      #baco.fuse<producer = [0]>]>}
    ins(%A, %B : tensor<64x32xf32>, tensor<32x48xf32>)
    outs(%C : tensor<64x48xf32>) -> tensor<64x48xf32>
  return %0 : tensor<64x48xf32>
}

// -----

func.func @f(%A: tensor<64x32xf32>, %B: tensor<32x48xf32>, %C: tensor<64x48xf32>) -> tensor<64x48xf32> {
  %0 = linalg.matmul {baco.recipe = #baco.recipe<[
      // expected-error @below {{recipe step 3 (fuse): several steps have made loops, and ops can be fused only into those of the first; put this step right after that one}}
      #baco.tile<sizes = [8, 0, 0]>, #baco.tile<sizes = [4, 0, 0]>, #baco.fuse<producer = [0]>]>}
    ins(%A, %B : tensor<64x32xf32>, tensor<32x48xf32>)
    outs(%C : tensor<64x48xf32>) -> tensor<64x48xf32>
  return %0 : tensor<64x48xf32>
}

// -----

func.func @f(%A: tensor<64x32xf32>, %B: tensor<32x48xf32>, %C: tensor<64x48xf32>) -> tensor<64x48xf32> {
  %0 = linalg.matmul {baco.recipe = #baco.recipe<[
      // expected-error @below {{recipe step 2 (fuse): no linalg op in the same block computes input 1 of 'linalg.matmul'}}
      #baco.tile<sizes = [8, 0, 0]>, #baco.fuse<producer = [1]>]>}
    ins(%A, %B : tensor<64x32xf32>, tensor<32x48xf32>)
    outs(%C : tensor<64x48xf32>) -> tensor<64x48xf32>
  return %0 : tensor<64x48xf32>
}

// -----

func.func @f(%A: tensor<64x32xf32>, %B: tensor<32x48xf32>, %C: tensor<64x48xf32>) -> tensor<64x48xf32> {
  %0 = linalg.matmul {baco.recipe = #baco.recipe<[
      // expected-error @below {{recipe step 2 (fuse): 'linalg.matmul' has no input 2, it has 2}}
      #baco.tile<sizes = [8, 0, 0]>, #baco.fuse<producer = [2]>]>}
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

// -----

func.func @f(%A: tensor<64xf32>, %B: tensor<64xf32>) -> tensor<64xf32> {
  %0 = linalg.exp ins(%A : tensor<64xf32>) outs(%B : tensor<64xf32>) -> tensor<64xf32>
  %1 = linalg.abs ins(%0 : tensor<64xf32>) outs(%B : tensor<64xf32>) -> tensor<64xf32>
  %2 = linalg.floor {baco.recipe = #baco.recipe<[
      // expected-error @below {{recipe step 2 (fuse): producer [0], which reads it, must be fused first}}
      #baco.tile<sizes = [8]>, #baco.fuse<producer = [0, 0]>]>}
    ins(%1 : tensor<64xf32>) outs(%B : tensor<64xf32>) -> tensor<64xf32>
  return %2 : tensor<64xf32>
}

// -----

func.func @f(%A: tensor<64xf32>, %B: tensor<64xf32>) -> tensor<64xf32> {
  %0 = linalg.exp ins(%A : tensor<64xf32>) outs(%B : tensor<64xf32>) -> tensor<64xf32>
  %1 = linalg.floor {baco.recipe = #baco.recipe<[
      // expected-error @below {{recipe step 3 (fuse): an earlier step has fused producer [0]}}
      #baco.tile<sizes = [8]>, #baco.fuse<producer = [0]>, #baco.fuse<producer = [0], enabled = 0>]>}
    ins(%0 : tensor<64xf32>) outs(%B : tensor<64xf32>) -> tensor<64xf32>
  return %1 : tensor<64xf32>
}

// -----

func.func @f(%A: tensor<8xcomplex<f32>>, %B: tensor<8xcomplex<f32>>) -> tensor<8xcomplex<f32>> {
  // expected-error @below {{recipe step 1 (pad): upstream has no value of type 'complex<f32>' to pad with}}
  %0 = linalg.copy {baco.recipe = #baco.recipe<[#baco.pad<multiples = [16]>]>}
    ins(%A : tensor<8xcomplex<f32>>) outs(%B : tensor<8xcomplex<f32>>) -> tensor<8xcomplex<f32>>
  return %0 : tensor<8xcomplex<f32>>
}

// -----

func.func @f(%A: tensor<64x32xf32>, %B: tensor<32x48xf32>, %C: tensor<64x48xf32>) -> tensor<64x48xf32> {
  %0 = linalg.matmul {baco.recipe = #baco.recipe<[
      // expected-error @below {{recipe step 2 (pad): 3 hoisting levels given for 2 inputs}}
      #baco.tile<sizes = [8, 8, 8]>, #baco.pad<multiples = [1, 1, 1], hoist = [1, 0, 0]>]>}
    ins(%A, %B : tensor<64x32xf32>, tensor<32x48xf32>)
    outs(%C : tensor<64x48xf32>) -> tensor<64x48xf32>
  return %0 : tensor<64x48xf32>
}

// -----

func.func @f(%A: tensor<64x32xf32>, %B: tensor<32x48xf32>, %C: tensor<64x48xf32>) -> tensor<64x48xf32> {
  %0 = linalg.matmul {baco.recipe = #baco.recipe<[
      #baco.tile<sizes = [8, 8, 0]>, #baco.tile<sizes = [4, 0, 0]>,
      // expected-error @below {{recipe step 3 (pad): the copies of input 1 can't move out of 2 loops, but only of 1, the loops that the last step has made}}
      #baco.pad<multiples = [1, 1, 1], hoist = [1, #baco.knob<"H", #baco.ordinal<[0, 2]>>]>]>}
    ins(%A, %B : tensor<64x32xf32>, tensor<32x48xf32>)
    outs(%C : tensor<64x48xf32>) -> tensor<64x48xf32>
  return %0 : tensor<64x48xf32>
}

// -----

func.func @f(%A: tensor<64x32xf32>, %B: tensor<32x48xf32>, %C: tensor<64x48xf32>) -> tensor<64x48xf32> {
  %0 = linalg.matmul {baco.recipe = #baco.recipe<[
      // expected-error @below {{recipe step 2 (pad): the copies of input 0 can't move out of 1 loops, but only of 0}}
      #baco.parallelize<sizes = [8, 8, 0]>, #baco.pad<multiples = [1, 1, 1], hoist = [1, 0]>]>}
    ins(%A, %B : tensor<64x32xf32>, tensor<32x48xf32>)
    outs(%C : tensor<64x48xf32>) -> tensor<64x48xf32>
  return %0 : tensor<64x48xf32>
}

// -----

func.func @f(%A: tensor<64x32xf32>, %B: tensor<32x48xf32>, %C: tensor<64x48xf32>) -> tensor<64x48xf32> {
  %0 = linalg.matmul {baco.recipe = #baco.recipe<[
      // expected-error @below {{recipe step 2 (pad): input 0 is not indexed by a padded iterator, so that there is no copy to hoist}}
      #baco.tile<sizes = [8, 8, 8]>, #baco.pad<multiples = [0, 1, 0], hoist = [1, 0]>]>}
    ins(%A, %B : tensor<64x32xf32>, tensor<32x48xf32>)
    outs(%C : tensor<64x48xf32>) -> tensor<64x48xf32>
  return %0 : tensor<64x48xf32>
}
