// RUN: baco-opt %s --split-input-file --verify-diagnostics

// What the steps of a recipe require of their op.

func.func @f(%A: memref<64x64xf32>, %B: memref<64x64xf32>, %C: memref<64x64xf32>) {
  linalg.matmul {baco.recipe = #baco.recipe<[
      // expected-error @below {{'linalg.matmul' op recipe step 1 (tile): 2 sizes given for 3 iterators}}
      #baco.tile<sizes = [4, 4]>]>}
    ins(%A, %B : memref<64x64xf32>, memref<64x64xf32>)
    outs(%C : memref<64x64xf32>)
  return
}

// -----

func.func @f(%A: memref<64x64xf32>, %B: memref<64x64xf32>, %C: memref<64x64xf32>) {
  linalg.matmul {baco.recipe = #baco.recipe<[
      #baco.tile<sizes = [4, 4, 4]>,
      // expected-error @below {{'linalg.matmul' op recipe step 2 (promote): there is no operand 3, the op has 3}}
      #baco.promote<operands = [3]>]>}
    ins(%A, %B : memref<64x64xf32>, memref<64x64xf32>)
    outs(%C : memref<64x64xf32>)
  return
}

// -----

func.func @f(%A: memref<64x64xf32>, %B: memref<64x64xf32>, %C: memref<64x64xf32>) {
  linalg.matmul {baco.recipe = #baco.recipe<[
      // expected-error @below {{'linalg.matmul' op recipe step 1 (promote): there is no loop yet to copy operands in; put a 'tile' before it}}
      #baco.promote<operands = [0]>]>}
    ins(%A, %B : memref<64x64xf32>, memref<64x64xf32>)
    outs(%C : memref<64x64xf32>)
  return
}

// -----

func.func @f(%A: memref<64x64xf32>, %B: memref<64x64xf32>, %C: memref<64x64xf32>) {
  linalg.matmul {baco.recipe = #baco.recipe<[
      // expected-error @below {{'linalg.matmul' op recipe step 1 (interchange): order [1, 0] is for 2 elements, but there are 3}}
      #baco.interchange<order = [1, 0]>]>}
    ins(%A, %B : memref<64x64xf32>, memref<64x64xf32>)
    outs(%C : memref<64x64xf32>)
  return
}

// -----

func.func @f(%A: memref<64x64xf32>, %B: memref<64x64xf32>, %C: memref<64x64xf32>) {
  linalg.matmul {baco.recipe = #baco.recipe<[
      // expected-error @below {{'linalg.matmul' op recipe step 1 (interchange): knob 'order' orders 2 elements, but there are 3}}
      #baco.interchange<order = #baco.knob<"order", #baco.permutation<2>>>]>}
    ins(%A, %B : memref<64x64xf32>, memref<64x64xf32>)
    outs(%C : memref<64x64xf32>)
  return
}

// -----

func.func @f(%A: memref<64x64xf32>, %B: memref<64x64xf32>, %C: memref<64x64xf32>) {
  linalg.matmul {baco.recipe = #baco.recipe<[
      #baco.vectorize<>,
      // expected-error @below {{'linalg.matmul' op recipe step 2 (tile): an earlier step has turned the op into vector operations; put this step before 'vectorize'}}
      #baco.tile<sizes = [4, 4, 4]>]>}
    ins(%A, %B : memref<64x64xf32>, memref<64x64xf32>)
    outs(%C : memref<64x64xf32>)
  return
}

// -----

func.func @f(%A: memref<64x64xf32>, %B: memref<64x64xf32>, %C: memref<64x64xf32>) {
  linalg.matmul {baco.recipe = #baco.recipe<[
      #baco.vectorize<>,
      // expected-error @below {{'linalg.matmul' op recipe step 2 (vectorize): an earlier step has turned the op into vector operations; put this step before 'vectorize'}}
      #baco.vectorize<>]>}
    ins(%A, %B : memref<64x64xf32>, memref<64x64xf32>)
    outs(%C : memref<64x64xf32>)
  return
}

// -----

func.func @f(%A: memref<64x64xf32>, %B: memref<64x64xf32>, %C: memref<64x64xf32>) {
  linalg.matmul {baco.recipe = #baco.recipe<[
      #baco.tile<sizes = [4, 4, 4]>,
      // expected-error @below {{'linalg.matmul' op recipe step 2 (hoist): there are no vector transfers to hoist yet; put 'vectorize' before it}}
      #baco.hoist<>]>}
    ins(%A, %B : memref<64x64xf32>, memref<64x64xf32>)
    outs(%C : memref<64x64xf32>)
  return
}

// -----

func.func @f(%A: memref<64x64xf32>, %B: memref<64x64xf32>, %C: memref<64x64xf32>) {
  linalg.matmul {baco.recipe = #baco.recipe<[
      // expected-error @below {{'linalg.matmul' op recipe step 1 (tile): tile 7 of iterator 1 must divide 64 (vectorize needs full tiles)}}
      #baco.tile<sizes = [4, 7, 4]>,
      #baco.vectorize<>]>}
    ins(%A, %B : memref<64x64xf32>, memref<64x64xf32>)
    outs(%C : memref<64x64xf32>)
  return
}

// -----

func.func @f(%A: memref<64x64xf32>, %B: memref<64x64xf32>, %C: memref<64x64xf32>) {
  linalg.matmul {baco.recipe = #baco.recipe<[
      #baco.tile<sizes = [4, 0, 4]>,
      // expected-error @below {{'linalg.matmul' op recipe step 2 (tile): tile 3 of iterator 0 must divide 4 (vectorize needs full tiles)}}
      #baco.tile<sizes = [3, 0, 0]>,
      #baco.vectorize<>]>}
    ins(%A, %B : memref<64x64xf32>, memref<64x64xf32>)
    outs(%C : memref<64x64xf32>)
  return
}

// -----

func.func @f(%A: memref<?x64xf32>, %B: memref<64x64xf32>, %C: memref<?x64xf32>) {
  linalg.matmul {baco.recipe = #baco.recipe<[
      // expected-error @below {{'linalg.matmul' op recipe step 1 (tile): tile 'T' of iterator 0 must divide an extent that is not static (vectorize needs full tiles)}}
      #baco.tile<sizes = [#baco.knob<"T", #baco.ordinal<[4]>>, 0, 0]>,
      #baco.vectorize<>]>}
    ins(%A, %B : memref<?x64xf32>, memref<64x64xf32>)
    outs(%C : memref<?x64xf32>)
  return
}

// -----

func.func @f(%A: memref<?x64xf32>, %B: memref<64x64xf32>, %C: memref<?x64xf32>) {
  linalg.matmul {baco.recipe = #baco.recipe<[
      // expected-error @below {{'linalg.matmul' op recipe step 1 (vectorize): the extent of iterator 0 is not static}}
      #baco.vectorize<>]>}
    ins(%A, %B : memref<?x64xf32>, memref<64x64xf32>)
    outs(%C : memref<?x64xf32>)
  return
}

// -----

func.func @f(%A: memref<64x64xf32>, %B: memref<64x64xf32>, %C: memref<64x64xf32>) {
  linalg.matmul {baco.recipe = #baco.recipe<[
      // expected-error @below {{'linalg.matmul' op recipe step 1 (vectorize): 'copy_length' given, but no earlier 'promote' makes a copy}}
      #baco.vectorize<copy_length = 16>]>}
    ins(%A, %B : memref<64x64xf32>, memref<64x64xf32>)
    outs(%C : memref<64x64xf32>)
  return
}

// -----

func.func @f(%A: memref<64x64xf32>, %B: memref<64x64xf32>, %C: memref<64x64xf32>) {
  linalg.matmul {baco.recipe = #baco.recipe<[
      #baco.tile<sizes = [4, 16, 4]>,
      #baco.promote<operands = [1]>,
      // expected-error @below {{'linalg.matmul' op recipe step 3 (vectorize): vector length 3 of the copy of operand 1 must divide 16 (a row is copied by whole vectors)}}
      #baco.vectorize<copy_length = 3>]>}
    ins(%A, %B : memref<64x64xf32>, memref<64x64xf32>)
    outs(%C : memref<64x64xf32>)
  return
}

// -----

func.func @f(%A: memref<8x16xf32>, %B: memref<16x32xf32>, %C: memref<8x32xf32>) {
  linalg.matmul {baco.recipe = #baco.recipe<[
      #baco.interchange<order = #baco.knob<"order", #baco.permutation<3>>>,
      #baco.tile<sizes = [4, 4, 4]>,
      #baco.promote<operands = [0]>,
      // expected-error @below {{'linalg.matmul' op recipe step 4 (vectorize): vector length 4 of the copy of operand 0 must divide an extent that is not static (a row is copied by whole vectors)}}
      #baco.vectorize<copy_length = 4>]>}
    ins(%A, %B : memref<8x16xf32>, memref<16x32xf32>)
    outs(%C : memref<8x32xf32>)
  return
}

// -----

func.func @f(%a: f32, %A: memref<64xf32>) {
  linalg.fill {baco.recipe = #baco.recipe<[
      // expected-error @below {{'linalg.fill' op recipe step 2 (promote): operand 0 has no dimensions to copy, it is 'f32'}}
      #baco.tile<sizes = [4]>, #baco.promote<operands = [0]>]>}
    ins(%a : f32) outs(%A : memref<64xf32>)
  return
}

// -----

func.func @f(%A: memref<64x64xf32>, %v: memref<64xf32>, %w: memref<64xf32>) {
  linalg.matvec {baco.recipe = #baco.recipe<[
      #baco.tile<sizes = [4, 16]>, #baco.promote<operands = [0, 1]>,
      // expected-error @below {{'linalg.matvec' op recipe step 3 (vectorize): 'copy_length' needs operands of equal rank in one 'promote', but operand 0 has rank 2 and operand 1 rank 1}}
      #baco.vectorize<copy_length = 4>]>}
    ins(%A, %v : memref<64x64xf32>, memref<64xf32>) outs(%w : memref<64xf32>)
  return
}

// -----

func.func @f(%A: memref<4x4xf32>, %B: tensor<4x4xf32>) -> tensor<4x4xf32> {
  // expected-error @below {{'linalg.matmul' op cannot follow a recipe: it is not a linalg op on memrefs or on tensors, but on both}}
  %0 = linalg.matmul {baco.recipe = #baco.recipe<[#baco.vectorize<>]>}
    ins(%A, %B : memref<4x4xf32>, tensor<4x4xf32>)
    outs(%B : tensor<4x4xf32>) -> tensor<4x4xf32>
  return %0 : tensor<4x4xf32>
}

// -----

func.func @f(%A: memref<4xf32>) {
  // expected-error @below {{'memref.dealloc' op cannot follow a recipe: it is not a linalg op on memrefs or on tensors}}
  memref.dealloc %A {baco.recipe = #baco.recipe<[#baco.vectorize<>]>} : memref<4xf32>
  return
}

// -----

func.func @f(%A: memref<0x64xf32>, %B: memref<64x64xf32>, %C: memref<0x64xf32>) {
  // expected-error @below {{'linalg.matmul' op cannot follow a recipe: it does nothing, because the extent of iterator 0 is 0}}
  linalg.matmul {baco.recipe = #baco.recipe<[
      #baco.tile<sizes = [#baco.knob<"m", #baco.ordinal<[2, 4]>>, 0, 0]>,
      #baco.vectorize<>]>}
    ins(%A, %B : memref<0x64xf32>, memref<64x64xf32>)
    outs(%C : memref<0x64xf32>)
  return
}

// -----

func.func @f(%A: memref<64x64xf32>, %B: memref<64x64xf32>, %C: memref<64x64xf32>) {
  linalg.matmul {baco.recipe = #baco.recipe<[
      // expected-error @below {{recipe step 1 (tile): tile 65 of iterator 0 must be at most 64}}
      #baco.tile<sizes = [65, 0, 0], remainders = ["balance", "exact", "exact"]>]>}
    ins(%A, %B : memref<64x64xf32>, memref<64x64xf32>)
    outs(%C : memref<64x64xf32>)
  return
}

// -----

func.func @f(%A: memref<?x64xf32>, %B: memref<64x64xf32>, %C: memref<?x64xf32>) {
  linalg.matmul {baco.recipe = #baco.recipe<[
      // expected-error @below {{recipe step 1 (tile): the remainder of iterator 0 must be "exact", because its extent is not static}}
      #baco.tile<sizes = [4, 0, 0], remainders = ["split", "exact", "exact"]>]>}
    ins(%A, %B : memref<?x64xf32>, memref<64x64xf32>)
    outs(%C : memref<?x64xf32>)
  return
}

// -----

func.func @f(%A: memref<64x64xf32>, %B: memref<64x64xf32>, %C: memref<64x64xf32>) {
  linalg.matmul {baco.recipe = #baco.recipe<[
      #baco.tile<sizes = [12, 0, 0], remainders = ["balance", "exact", "exact"]>,
      // expected-error @below {{recipe step 2 (tile): the remainder of iterator 0 cannot be "split", because an earlier step has cut the op in parts where the iterator has other extents; use "balance"}}
      #baco.tile<sizes = [5, 0, 0], remainders = ["split", "exact", "exact"]>]>}
    ins(%A, %B : memref<64x64xf32>, memref<64x64xf32>)
    outs(%C : memref<64x64xf32>)
  return
}

// -----

func.func @f(%A: memref<64x64xf32>, %B: memref<64x64xf32>, %C: memref<64x64xf32>) {
  linalg.matmul {baco.recipe = #baco.recipe<[
      #baco.tile<sizes = [12, 0, 0], remainders = ["balance", "exact", "exact"]>,
      // expected-error @below {{recipe step 2 (tile): tile 4 of iterator 0 must divide extents of up to 12 that differ between the parts of the op (vectorize needs full tiles); set its remainder to "balance"}}
      #baco.tile<sizes = [4, 4, 1]>, #baco.vectorize<>]>}
    ins(%A, %B : memref<64x64xf32>, memref<64x64xf32>)
    outs(%C : memref<64x64xf32>)
  return
}

// -----

func.func @f(%A: memref<64x32xf32>, %B: memref<32x128xf32>, %C: memref<64x128xf32>) {
  linalg.matmul {baco.recipe = #baco.recipe<[
      #baco.interchange<order = #baco.knob<"p", #baco.permutation<3>>>,
      // expected-error @below {{recipe step 2 (tile): the remainder of iterator 0 must be "exact", because a knob permutes the iterators}}
      #baco.tile<sizes = [5, 0, 0], remainders = ["split", "exact", "exact"]>]>}
    ins(%A, %B : memref<64x32xf32>, memref<32x128xf32>)
    outs(%C : memref<64x128xf32>)
  return
}

// -----

func.func @no_loops(%a: tensor<8xf32>) -> tensor<8xf32> {
  // expected-error @below {{'linalg.exp' op cannot follow a recipe of loop commands: it is neither a loop nor a linalg op on memrefs that has loops; begin the recipe with 'bufferize'}}
  %0 = linalg.exp {baco.recipe = #baco.recipe<[
        #baco.loop_vectorize<statement = 0, loop = 1, width = 8>]>}
    ins(%a : tensor<8xf32>) outs(%a : tensor<8xf32>) -> tensor<8xf32>
  return %0 : tensor<8xf32>
}

// -----

func.func @three_loops(%A: memref<8x8x8xf32>) {
  %x = arith.constant 1.0 : f32
  affine.for %i = 0 to 8 {
    affine.for %j = 0 to 8 {
      affine.for %k = 0 to 8 {
        affine.store %x, %A[%i, %j, %k] : memref<8x8x8xf32>
      }
    }
  } {baco.recipe = #baco.recipe<[
      // expected-error @below {{'affine.for' op command 1 of its recipe, #baco.loop_permute<order = #baco.knob<"order", #baco.permutation<5>>>, needs 5 loops, but there are 3}}
      #baco.loop_permute<order = #baco.knob<"order", #baco.permutation<5>>>]>}
  return
}

// -----

// Each loop that is cut is one more.
func.func @cut_loops(%A: memref<8x8xf32>) {
  %x = arith.constant 1.0 : f32
  linalg.fill {baco.recipe = #baco.recipe<[
      #baco.loop_tile<statement = 0, loop = 2, size = 4>,
      #baco.loop_unroll<statement = 0, loop = 3, factor = 2>,
      // expected-error @below {{'linalg.fill' op command 3 of its recipe, #baco.loop_tile<statement = 0, loop = 5, size = 2>, needs 5 loops, but there are 4}}
      #baco.loop_tile<statement = 0, loop = 5, size = 2>]>}
    ins(%x : f32) outs(%A : memref<8x8xf32>)
  return
}

// -----

func.func @too_few(%A: memref<64xf32>, %B: memref<64xf32>) {
  // expected-error @below {{'linalg.exp' op cannot follow a recipe for 3 nests: fewer follow it in its block}}
  linalg.exp {baco.recipe = #baco.recipe<[
      #baco.loop_vectorize<statement = 0, loop = 1, width = 8>], nests = 3>}
    ins(%A : memref<64xf32>) outs(%B : memref<64xf32>)
  linalg.exp ins(%B : memref<64xf32>) outs(%A : memref<64xf32>)
  return
}

// -----

func.func @two_recipes(%A: memref<64xf32>, %B: memref<64xf32>) {
  // expected-error @below {{cannot follow a recipe for 2 nests: another of these nests has its own recipe}}
  linalg.exp {baco.recipe = #baco.recipe<[
      #baco.loop_vectorize<statement = 0, loop = 1, width = 8>], nests = 2>}
    ins(%A : memref<64xf32>) outs(%B : memref<64xf32>)
  // expected-note @below {{here}}
  linalg.exp {baco.recipe = #baco.recipe<[
      #baco.loop_vectorize<statement = 0, loop = 1, width = 8>]>}
    ins(%B : memref<64xf32>) outs(%A : memref<64xf32>)
  return
}

// -----

func.func @untiled_parts(%A: memref<60x64xf32>) {
  linalg.exp {baco.recipe = #baco.recipe<[
      // expected-error @below {{recipe step 1 (tile): a knob may leave iterator 0 untiled, which needs the remainder "exact"}}
      #baco.tile<sizes = [#baco.knob<"T", #baco.ordinal<[0, 8]>>, 0], remainders = ["split", "exact"]>]>}
    ins(%A : memref<60x64xf32>) outs(%A : memref<60x64xf32>)
  return
}

// -----

func.func @untiled_twice(%A: memref<64x64xf32>) {
  linalg.exp {baco.recipe = #baco.recipe<[
      #baco.tile<sizes = [#baco.knob<"T", #baco.ordinal<[0, 8]>>, 0]>,
      // expected-error @below {{recipe step 2 (tile): a knob may leave iterator 0 untiled, which needs a static extent that doesn't depend on other knobs}}
      #baco.tile<sizes = [#baco.knob<"U", #baco.ordinal<[0, 4]>>, 0]>]>}
    ins(%A : memref<64x64xf32>) outs(%A : memref<64x64xf32>)
  return
}

// -----

func.func @softmax(%A: memref<64x64xf32>) {
  // expected-error @below {{cannot follow a recipe of steps: it decomposes into several linalg ops; write loop commands, or decompose it first (transform.structured.decompose_interface, on tensors)}}
  linalg.softmax {baco.recipe = #baco.recipe<[#baco.tile<sizes = [8, 0]>]>}
    dimension(1) ins(%A : memref<64x64xf32>) outs(%A : memref<64x64xf32>)
  return
}

// -----

func.func @softmax_of_tensors(%A: tensor<64x64xf32>) -> tensor<64x64xf32> {
  // expected-error @below {{neither a loop nor a linalg op on memrefs that has loops; begin the recipe with 'bufferize'}}
  %r = linalg.softmax {baco.recipe = #baco.recipe<[#baco.loop_original<>]>}
    dimension(1) ins(%A : tensor<64x64xf32>) outs(%A : tensor<64x64xf32>) -> tensor<64x64xf32>
  return %r : tensor<64x64xf32>
}

// -----

func.func @softmax_loops(%A: memref<64x64xf32>) {
  // expected-error @below {{needs 3 loops, but there are 2}}
  linalg.softmax {baco.recipe = #baco.recipe<[#baco.loop_tile<statement = 1, loop = 3, size = 4>]>}
    dimension(1) ins(%A : memref<64x64xf32>) outs(%A : memref<64x64xf32>)
  return
}
