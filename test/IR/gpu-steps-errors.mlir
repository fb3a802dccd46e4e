// RUN: baco-opt %s --split-input-file --verify-diagnostics

// What the steps for GPUs ask of their fields, and of the op that carries them.

func.func @f(%a: memref<64x64xf32>, %b: memref<64x64xf32>, %c: memref<64x64xf32>) {
  linalg.matmul {baco.recipe = #baco.recipe<[
      // expected-error @below {{'linalg.matmul' op recipe step 1 (gpu_blocks): 2 entries given for 3 iterators}}
      #baco.gpu_blocks<sizes = [8, 8]>]>}
    ins(%a, %b : memref<64x64xf32>, memref<64x64xf32>)
    outs(%c : memref<64x64xf32>)
  return
}

// -----

func.func @f(%a: memref<64x64xf32>, %b: memref<64x64xf32>, %c: memref<64x64xf32>) {
  linalg.matmul {baco.recipe = #baco.recipe<[
      // expected-error @below {{'linalg.matmul' op recipe step 1 (gpu_blocks): iterator 2 is a reduction, whose iterations write to the same elements}}
      #baco.gpu_blocks<sizes = [8, 8, 8]>]>}
    ins(%a, %b : memref<64x64xf32>, memref<64x64xf32>)
    outs(%c : memref<64x64xf32>)
  return
}

// -----

func.func @f(%a: memref<64x64xf32>, %b: memref<64x64xf32>, %c: memref<64x64xf32>) {
  linalg.matmul {baco.recipe = #baco.recipe<[
      // expected-error @below {{'linalg.matmul' op recipe step 1 (gpu_blocks): no 'gpu_threads' follows, which says what one thread does}}
      #baco.gpu_blocks<sizes = [8, 8, 0]>]>}
    ins(%a, %b : memref<64x64xf32>, memref<64x64xf32>)
    outs(%c : memref<64x64xf32>)
  return
}

// -----

func.func @f(%a: memref<64x64xf32>, %b: memref<64x64xf32>, %c: memref<64x64xf32>) {
  linalg.matmul {baco.recipe = #baco.recipe<[
      // expected-error @below {{'linalg.matmul' op recipe step 1 (gpu_blocks): tile 12 of iterator 0 must divide 64 (gpu_blocks needs full tiles)}}
      #baco.gpu_blocks<sizes = [12, 8, 0]>,
      #baco.gpu_threads<sizes = [1, 1, 0]>]>}
    ins(%a, %b : memref<64x64xf32>, memref<64x64xf32>)
    outs(%c : memref<64x64xf32>)
  return
}

// -----

func.func @f(%a: memref<64x64xf32>, %b: memref<64x64xf32>, %c: memref<64x64xf32>) {
  linalg.matmul {baco.recipe = #baco.recipe<[
      #baco.parallelize<sizes = [8, 0, 0]>,
      // expected-error @below {{'linalg.matmul' op recipe step 2 (gpu_blocks): an earlier step has distributed the op; give all sizes there, or leave one of the steps out}}
      #baco.gpu_blocks<sizes = [8, 8, 0]>,
      #baco.gpu_threads<sizes = [1, 1, 0]>]>}
    ins(%a, %b : memref<64x64xf32>, memref<64x64xf32>)
    outs(%c : memref<64x64xf32>)
  return
}

// -----

func.func @f(%a: memref<64x64xf32>, %b: memref<64x64xf32>, %c: memref<64x64xf32>) {
  linalg.matmul {baco.recipe = #baco.recipe<[
      // expected-error @below {{'linalg.matmul' op recipe step 1 (gpu_threads): no 'gpu_blocks' comes before}}
      #baco.gpu_threads<sizes = [1, 1, 0]>]>}
    ins(%a, %b : memref<64x64xf32>, memref<64x64xf32>)
    outs(%c : memref<64x64xf32>)
  return
}

// -----

func.func @f(%a: memref<64x64xf32>, %b: memref<64x64xf32>, %c: memref<64x64xf32>) {
  linalg.matmul {baco.recipe = #baco.recipe<[
      #baco.gpu_blocks<sizes = [64, 64, 0]>,
      // expected-error @below {{'linalg.matmul' op recipe step 2 (gpu_threads): a block has at most 1024 threads}}
      #baco.gpu_threads<sizes = [1, 1, 0]>]>}
    ins(%a, %b : memref<64x64xf32>, memref<64x64xf32>)
    outs(%c : memref<64x64xf32>)
  return
}

// -----

func.func @f(%a: memref<64x64xf32>, %b: memref<64x64xf32>, %c: memref<64x64xf32>) {
  linalg.matmul {baco.recipe = #baco.recipe<[
      #baco.gpu_blocks<sizes = [8, 8, 0]>,
      #baco.gpu_threads<sizes = [2, 2, 0]>,
      // expected-error @below {{'linalg.matmul' op recipe step 3 (gpu_threads): an earlier 'gpu_threads' has distributed the op; give all sizes there}}
      #baco.gpu_threads<sizes = [1, 1, 0]>]>}
    ins(%a, %b : memref<64x64xf32>, memref<64x64xf32>)
    outs(%c : memref<64x64xf32>)
  return
}

// -----

func.func @f(%a: memref<64x64xf32>, %b: memref<64x64xf32>, %c: memref<64x64xf32>) {
  linalg.matmul {baco.recipe = #baco.recipe<[
      // expected-error @below {{'linalg.matmul' op recipe step 1 (gpu_shared): the step belongs between 'gpu_blocks' and 'gpu_threads'}}
      #baco.gpu_shared<operands = [0]>]>}
    ins(%a, %b : memref<64x64xf32>, memref<64x64xf32>)
    outs(%c : memref<64x64xf32>)
  return
}

// -----

func.func @f(%a: memref<64x64xf32>, %b: memref<64x64xf32>, %c: memref<64x64xf32>) {
  linalg.matmul {baco.recipe = #baco.recipe<[
      #baco.gpu_blocks<sizes = [8, 8, 0]>,
      // expected-error @below {{'linalg.matmul' op recipe step 2 (gpu_shared): the op has no input 2}}
      #baco.gpu_shared<operands = [2]>,
      #baco.gpu_threads<sizes = [1, 1, 0]>]>}
    ins(%a, %b : memref<64x64xf32>, memref<64x64xf32>)
    outs(%c : memref<64x64xf32>)
  return
}

// -----

func.func @f(%a: memref<64x64xf32>, %b: memref<64x64xf32>, %c: memref<64x64xf32>) {
  linalg.matmul {baco.recipe = #baco.recipe<[
      #baco.gpu_blocks<sizes = [8, 8, 0]>,
      #baco.gpu_shared<operands = [0]>,
      // expected-error @below {{'linalg.matmul' op recipe step 3 (gpu_shared): an earlier step has put tiles into shared memory; let one 'gpu_shared' list all operands, or leave one of the steps out}}
      #baco.gpu_shared<operands = [1]>,
      #baco.gpu_threads<sizes = [1, 1, 0]>]>}
    ins(%a, %b : memref<64x64xf32>, memref<64x64xf32>)
    outs(%c : memref<64x64xf32>)
  return
}

// -----

func.func @f(%a: memref<64x64xf32>, %b: memref<64x64xf32>, %c: memref<64x64xf32>) {
  linalg.matmul {baco.recipe = #baco.recipe<[
      #baco.gpu_blocks<sizes = [8, 8, 0]>,
      // expected-error @below {{'linalg.matmul' op recipe step 2 (gpu_shared): width 3 of the copy of operand 0 must divide 64 (a row is copied by whole vectors)}}
      #baco.gpu_shared<operands = [0], width = 3>,
      #baco.gpu_threads<sizes = [1, 1, 0]>]>}
    ins(%a, %b : memref<64x64xf32>, memref<64x64xf32>)
    outs(%c : memref<64x64xf32>)
  return
}

// -----

func.func @f(%a: memref<64x64xf32>, %b: memref<64x64xf32>, %c: memref<64x64xf32>) {
  linalg.matmul {baco.recipe = #baco.recipe<[
      #baco.gpu_blocks<sizes = [8, 8, 0]>,
      // expected-error @below {{'linalg.matmul' op recipe step 2 (gpu_shared): a vector must have at most 16 bytes}}
      #baco.gpu_shared<operands = [0], width = 8>,
      #baco.gpu_threads<sizes = [1, 1, 0]>]>}
    ins(%a, %b : memref<64x64xf32>, memref<64x64xf32>)
    outs(%c : memref<64x64xf32>)
  return
}

// -----

func.func @f(%a: memref<64x64xf32>, %b: memref<64x64xf32>, %c: memref<64x64xf32>) {
  linalg.matmul {baco.recipe = #baco.recipe<[
      #baco.gpu_blocks<sizes = [8, 8, 0]>,
      // expected-error @below {{'linalg.matmul' op recipe step 2 (gpu_shared): width 4 must divide padding 2 (rows begin at whole vectors)}}
      #baco.gpu_shared<operands = [0], width = 4, padding = 2>,
      #baco.gpu_threads<sizes = [1, 1, 0]>]>}
    ins(%a, %b : memref<64x64xf32>, memref<64x64xf32>)
    outs(%c : memref<64x64xf32>)
  return
}

// -----

func.func @f(%a: memref<64x64xf32>, %b: memref<64x64xf32>, %c: memref<64x64xf32>) {
  linalg.matmul {baco.recipe = #baco.recipe<[
      #baco.gpu_blocks<sizes = [8, 8, 0]>,
      // expected-error @below {{'linalg.matmul' op recipe step 2 (gpu_shared): the tiles of a block must fit 1000 bytes of shared memory}}
      #baco.gpu_shared<operands = [0], limit = 1000>,
      #baco.gpu_threads<sizes = [1, 1, 0]>]>}
    ins(%a, %b : memref<64x64xf32>, memref<64x64xf32>)
    outs(%c : memref<64x64xf32>)
  return
}

// -----

// expected-error @below {{4 sizes are not 0, but a GPU has three dimensions}}
func.func private @f() attributes {a = #baco.gpu_blocks<sizes = [1, 1, 1, 1], global = [8, 8, 8, 8], local = [1, 1, 1, 1]>}

// -----

// expected-error @below {{a tile size must be at least 0, but is -1}}
func.func private @f() attributes {a = #baco.gpu_blocks<sizes = [-1]>}

// -----

// expected-error @below {{at least one operand must be copied}}
func.func private @f() attributes {a = #baco.gpu_shared<operands = []>}

// -----

// expected-error @below {{operand 1 is copied twice}}
func.func private @f() attributes {a = #baco.gpu_shared<operands = [1, 1]>}

// -----

// expected-error @below {{operand index -1 is negative}}
func.func private @f() attributes {a = #baco.gpu_shared<operands = [-1]>}

// -----

// expected-error @below {{the width of copies must be at least 1, but is 0}}
func.func private @f() attributes {a = #baco.gpu_shared<operands = [0], width = 0>}

// -----

// expected-error @below {{the padding must be at least 0, but is -1}}
func.func private @f() attributes {a = #baco.gpu_shared<operands = [0], padding = -1>}

// -----

// expected-error @below {{the padding has 1 entries, but 2 operands are copied}}
func.func private @f() attributes {a = #baco.gpu_shared<operands = [0, 1], padding = [4]>}

// -----

// expected-error @below {{the limit of shared memory is 0 bytes, but must be positive}}
func.func private @f() attributes {a = #baco.gpu_shared<operands = [0], limit = 0>}

// -----

// expected-error @below {{4 sizes are not 0, but a GPU has three dimensions}}
func.func private @f() attributes {a = #baco.gpu_threads<sizes = [1, 1, 1, 1]>}

// -----

// A tile of 8 columns has 10 with its border.
func.func @f(%x: memref<66x66xf32>, %k: memref<3x3xf32>, %y: memref<64x64xf32>) {
  linalg.conv_2d {baco.recipe = #baco.recipe<[
      #baco.gpu_blocks<sizes = [8, 8, 0, 0]>,
      // expected-error @below {{recipe step 2 (gpu_shared): width 4 of the copy of operand 0 must divide 10 (a row is copied by whole vectors)}}
      #baco.gpu_shared<operands = [0], width = 4>,
      #baco.gpu_threads<sizes = [1, 1, 0, 0]>]>}
    ins(%x, %k : memref<66x66xf32>, memref<3x3xf32>) outs(%y : memref<64x64xf32>)
  return
}

// -----

// Its columns aren't those of a sum.
func.func @f(%x: memref<66xf32>, %y: memref<64xf32>) {
  linalg.generic {indexing_maps = [affine_map<(i) -> (i floordiv 2)>, affine_map<(i) -> (i)>],
                  iterator_types = ["parallel"],
    baco.recipe = #baco.recipe<[
      #baco.gpu_blocks<sizes = [8]>,
      // expected-error @below {{recipe step 2 (gpu_shared): a dimension of operand 0 is not indexed by iterators of static extent, or a sum of multiples of these}}
      #baco.gpu_shared<operands = [0]>,
      #baco.gpu_threads<sizes = [1]>]>}
    ins(%x : memref<66xf32>) outs(%y : memref<64xf32>) {
  ^bb0(%u: f32, %o: f32):
    linalg.yield %u : f32
  }
  return
}

// -----

func.func @f(%x: memref<66x66xf32>, %k: memref<3x3xf32>, %y: memref<64x64xf32>) {
  linalg.conv_2d {baco.recipe = #baco.recipe<[
      #baco.gpu_blocks<sizes = [8, 8, 0, 0]>,
      #baco.tile<sizes = [0, 0, 1, 0]>,
      // expected-error @below {{recipe step 3 (gpu_shared): tiles of operand 0 have borders, which don't begin at whole vectors; leave out 'stages'}}
      #baco.gpu_shared<operands = [0], stages = 2>,
      #baco.gpu_threads<sizes = [1, 1, 0, 0]>]>}
    ins(%x, %k : memref<66x66xf32>, memref<3x3xf32>) outs(%y : memref<64x64xf32>)
  return
}

// -----

func.func @f(%a: memref<61x61xf32>, %b: memref<61x61xf32>, %c: memref<61x61xf32>) {
  linalg.matmul {baco.recipe = #baco.recipe<[
      // expected-error @below {{'linalg.matmul' op recipe step 1 (gpu_pad): 2 extents given for 3 iterators}}
      #baco.gpu_pad<extents = [64, 64]>,
      #baco.gpu_blocks<sizes = [8, 8, 0]>,
      #baco.gpu_threads<sizes = [1, 1, 0]>]>}
    ins(%a, %b : memref<61x61xf32>, memref<61x61xf32>)
    outs(%c : memref<61x61xf32>)
  return
}

// -----

func.func @f(%a: memref<61x61xf32>, %b: memref<61x61xf32>, %c: memref<61x61xf32>) {
  linalg.matmul {baco.recipe = #baco.recipe<[
      // expected-error @below {{'linalg.matmul' op recipe step 1 (gpu_pad): extent 60 of iterator 0 is smaller than the op's, or that is not static}}
      #baco.gpu_pad<extents = [60, 64, 0]>,
      #baco.gpu_blocks<sizes = [8, 8, 0]>,
      #baco.gpu_threads<sizes = [1, 1, 0]>]>}
    ins(%a, %b : memref<61x61xf32>, memref<61x61xf32>)
    outs(%c : memref<61x61xf32>)
  return
}

// -----

func.func @f(%a: memref<61x61xf32>, %b: memref<61x61xf32>, %c: memref<61x61xf32>) {
  linalg.matmul {baco.recipe = #baco.recipe<[
      // expected-error @below {{an extent is -1, but must not be negative}}
      #baco.gpu_pad<extents = [-1, 64, 0]>,
      #baco.gpu_blocks<sizes = [8, 8, 0]>,
      #baco.gpu_threads<sizes = [1, 1, 0]>]>}
    ins(%a, %b : memref<61x61xf32>, memref<61x61xf32>)
    outs(%c : memref<61x61xf32>)
  return
}

// -----

func.func @f(%a: memref<61x61xf32>, %b: memref<61x61xf32>, %c: memref<61x61xf32>) {
  linalg.matmul {baco.recipe = #baco.recipe<[
      // expected-error @below {{all extents are 0, so that the step does nothing}}
      #baco.gpu_pad<extents = [0, 0, 0]>,
      #baco.gpu_blocks<sizes = [8, 8, 0]>,
      #baco.gpu_threads<sizes = [1, 1, 0]>]>}
    ins(%a, %b : memref<61x61xf32>, memref<61x61xf32>)
    outs(%c : memref<61x61xf32>)
  return
}

// -----

func.func @f(%a: memref<61x61xf32>, %b: memref<61x61xf32>, %c: memref<61x61xf32>) {
  linalg.matmul {baco.recipe = #baco.recipe<[
      // expected-error @below {{'linalg.matmul' op recipe step 1 (gpu_pad): no 'gpu_blocks' follows}}
      #baco.gpu_pad<extents = [64, 64, 64]>]>}
    ins(%a, %b : memref<61x61xf32>, memref<61x61xf32>)
    outs(%c : memref<61x61xf32>)
  return
}

// -----

func.func @f(%a: memref<61x61xf32>, %b: memref<61x61xf32>, %c: memref<61x61xf32>) {
  linalg.matmul {baco.recipe = #baco.recipe<[
      #baco.gpu_blocks<sizes = [61, 61, 0]>,
      // expected-error @below {{'linalg.matmul' op recipe step 2 (gpu_pad): an earlier step has made loops of the op}}
      #baco.gpu_pad<extents = [64, 64, 64]>,
      #baco.gpu_threads<sizes = [1, 1, 0]>]>}
    ins(%a, %b : memref<61x61xf32>, memref<61x61xf32>)
    outs(%c : memref<61x61xf32>)
  return
}

// -----

func.func @f(%a: memref<61x?xf32>, %b: memref<?x61xf32>, %c: memref<61x61xf32>) {
  linalg.matmul {baco.recipe = #baco.recipe<[
      // expected-error @below {{'linalg.matmul' op recipe step 1 (gpu_pad): extent 0 of iterator 2 is smaller than the op's, or that is not static}}
      #baco.gpu_pad<extents = [64, 64, 0]>,
      #baco.gpu_blocks<sizes = [8, 8, 0]>,
      #baco.gpu_threads<sizes = [1, 1, 0]>]>}
    ins(%a, %b : memref<61x?xf32>, memref<?x61xf32>)
    outs(%c : memref<61x61xf32>)
  return
}

// -----

func.func @f(%a: memref<61x61xf32>, %s: memref<61xf32>) {
  linalg.reduce {arith.maximumf} ins(%a : memref<61x61xf32>) outs(%s : memref<61xf32>) dimensions = [1]
    {baco.recipe = #baco.recipe<[
      // expected-error @below {{recipe step 1 (gpu_pad): iterator 1 doesn't index the result, but has another extent: that is for sums and products of matrices, which zeros don't change}}
      #baco.gpu_pad<extents = [64, 64]>,
      #baco.gpu_blocks<sizes = [8, 0]>,
      #baco.gpu_threads<sizes = [1, 0]>]>}
  return
}

// -----

func.func @f(%a: memref<61xi32>, %b: memref<61xi32>) {
  linalg.div {baco.recipe = #baco.recipe<[
      // expected-error @below {{recipe step 1 (gpu_pad): 'arith.divsi' of the op can't be computed for zeros}}
      #baco.gpu_pad<extents = [64]>,
      #baco.gpu_blocks<sizes = [8]>,
      #baco.gpu_threads<sizes = [2]>,
      #baco.vectorize<>]>}
    ins(%a, %b : memref<61xi32>, memref<61xi32>) outs(%b : memref<61xi32>)
  return
}

// -----

func.func @f(%a: memref<61xf32, strided<[?]>>, %b: memref<61xf32>) {
  linalg.copy {baco.recipe = #baco.recipe<[
      // expected-error @below {{recipe step 1 (gpu_pad): operand 0 is no memref of static shape and strides whose dimensions are indexed by sums of multiples of iterators}}
      #baco.gpu_pad<extents = [64]>,
      #baco.gpu_blocks<sizes = [8]>,
      #baco.gpu_threads<sizes = [1]>]>}
    ins(%a : memref<61xf32, strided<[?]>>) outs(%b : memref<61xf32>)
  return
}

// -----

func.func @f(%a: memref<64x64xf32>, %b: memref<64x64xf32>, %c: memref<64x64xf32>) {
  linalg.matmul {baco.recipe = #baco.recipe<[
      // expected-error @below {{the size of a part must be at least 0, but is -1}}
      #baco.gpu_split<sizes = [0, 0, -1]>, #baco.gpu_threads<sizes = [4, 4, 0]>]>}
    ins(%a, %b : memref<64x64xf32>, memref<64x64xf32>)
    outs(%c : memref<64x64xf32>)
  return
}

// -----

func.func @f(%a: memref<64x64xf32>, %b: memref<64x64xf32>, %c: memref<64x64xf32>) {
  linalg.matmul {baco.recipe = #baco.recipe<[
      // expected-error @below {{all entries are 0, so that the step does nothing}}
      #baco.gpu_split<sizes = [0, 0, 0]>, #baco.gpu_threads<sizes = [4, 4, 0]>]>}
    ins(%a, %b : memref<64x64xf32>, memref<64x64xf32>)
    outs(%c : memref<64x64xf32>)
  return
}

// -----

func.func @f(%a: memref<64x64xf32>, %b: memref<64x64xf32>, %c: memref<64x64xf32>) {
  linalg.matmul {baco.recipe = #baco.recipe<[
      // expected-error @below {{2 sizes are not 0, but one sum is split}}
      #baco.gpu_split<sizes = [0, 16, 16]>, #baco.gpu_threads<sizes = [4, 4, 0]>]>}
    ins(%a, %b : memref<64x64xf32>, memref<64x64xf32>)
    outs(%c : memref<64x64xf32>)
  return
}

// -----

func.func @f(%a: memref<64x64xf32>, %b: memref<64x64xf32>, %c: memref<64x64xf32>) {
  linalg.matmul {baco.recipe = #baco.recipe<[
      #baco.gpu_blocks<sizes = [16, 16, 0]>,
      // expected-error @below {{'linalg.matmul' op recipe step 2 (gpu_split): 2 entries given for 3 iterators}}
      #baco.gpu_split<sizes = [0, 16]>, #baco.gpu_threads<sizes = [4, 4, 0]>]>}
    ins(%a, %b : memref<64x64xf32>, memref<64x64xf32>)
    outs(%c : memref<64x64xf32>)
  return
}

// -----

func.func @f(%a: memref<64x64xf32>, %b: memref<64x64xf32>, %c: memref<64x64xf32>) {
  linalg.matmul {baco.recipe = #baco.recipe<[
      #baco.gpu_blocks<sizes = [16, 16, 0]>,
      // expected-error @below {{'linalg.matmul' op recipe step 2 (gpu_split): iterator 1 is not a reduction of the op}}
      #baco.gpu_split<sizes = [0, 16, 0]>, #baco.gpu_threads<sizes = [4, 4, 0]>]>}
    ins(%a, %b : memref<64x64xf32>, memref<64x64xf32>)
    outs(%c : memref<64x64xf32>)
  return
}

// -----

func.func @f(%a: memref<64x64xf32>, %b: memref<64x64xf32>, %c: memref<64x64xf32>) {
  linalg.matmul {baco.recipe = #baco.recipe<[
      #baco.gpu_blocks<sizes = [16, 16, 0]>,
      // expected-error @below {{'linalg.matmul' op recipe step 2 (gpu_split): tile 24 of iterator 2 must divide 64 (gpu_split needs full tiles)}}
      #baco.gpu_split<sizes = [0, 0, 24]>, #baco.gpu_threads<sizes = [4, 4, 0]>]>}
    ins(%a, %b : memref<64x64xf32>, memref<64x64xf32>)
    outs(%c : memref<64x64xf32>)
  return
}

// -----

func.func @f(%a: memref<64x64xf32>, %b: memref<64x64xf32>, %c: memref<64x64xf32>) {
  linalg.matmul {baco.recipe = #baco.recipe<[
      // expected-error @below {{'linalg.matmul' op recipe step 1 (gpu_split): the step belongs between 'gpu_blocks' and 'gpu_threads'}}
      #baco.gpu_split<sizes = [0, 0, 16]>,
      #baco.gpu_blocks<sizes = [16, 16, 0]>,
      #baco.gpu_threads<sizes = [4, 4, 0]>]>}
    ins(%a, %b : memref<64x64xf32>, memref<64x64xf32>)
    outs(%c : memref<64x64xf32>)
  return
}

// -----

func.func @f(%a: memref<64x64xf32>, %b: memref<64x64xf32>, %c: memref<64x64xf32>) {
  linalg.matmul {baco.recipe = #baco.recipe<[
      #baco.gpu_blocks<sizes = [16, 16, 0]>,
      #baco.tile<sizes = [0, 0, 16]>,
      // expected-error @below {{'linalg.matmul' op recipe step 3 (gpu_split): a 'tile' comes before; put it behind this step}}
      #baco.gpu_split<sizes = [0, 0, 16]>, #baco.gpu_threads<sizes = [4, 4, 0]>]>}
    ins(%a, %b : memref<64x64xf32>, memref<64x64xf32>)
    outs(%c : memref<64x64xf32>)
  return
}

// -----

func.func @f(%a: memref<64x64xf32>, %b: memref<64x64xf32>, %c: memref<64x64xf32>) {
  linalg.matmul {baco.recipe = #baco.recipe<[
      #baco.gpu_blocks<sizes = [16, 16, 0]>,
      // expected-error @below {{'linalg.matmul' op recipe step 2 (gpu_split): another one follows; split one sum, once}}
      #baco.gpu_split<sizes = [0, 0, 32]>,
      #baco.gpu_split<sizes = [0, 0, 16]>, #baco.gpu_threads<sizes = [4, 4, 0]>]>}
    ins(%a, %b : memref<64x64xf32>, memref<64x64xf32>)
    outs(%c : memref<64x64xf32>)
  return
}

// -----

func.func @f(%a: memref<64x64xf32>, %b: memref<64x64xf32>, %c: memref<64x64xf32>) {
  linalg.matmul {baco.recipe = #baco.recipe<[
      // expected-error @below {{'linalg.matmul' op recipe step 1 (gpu_blocks): 'gpu_split' follows, whose parts are along z of the grid: at most two sizes are not 0, and there is no 'global'}}
      #baco.gpu_blocks<sizes = [16, 16, 0], global = [32, 32, 0], local = [4, 4, 0]>,
      #baco.gpu_split<sizes = [0, 0, 16]>, #baco.gpu_threads<sizes = [4, 4, 0]>]>}
    ins(%a, %b : memref<64x64xf32>, memref<64x64xf32>)
    outs(%c : memref<64x64xf32>)
  return
}

// -----

func.func @f(%a: memref<64x64xf32>, %b: memref<64x64xf32>, %c: memref<64x64xf32>) {
  linalg.matmul {baco.recipe = #baco.recipe<[
      // expected-error @below {{'linalg.matmul' op recipe step 1 (gpu_blocks): 'gpu_split' and 'gpu_fuse' can't both follow}}
      #baco.gpu_blocks<sizes = [16, 16, 0]>,
      #baco.gpu_split<sizes = [0, 0, 16]>, #baco.gpu_fuse, #baco.gpu_threads<sizes = [4, 4, 0]>]>}
    ins(%a, %b : memref<64x64xf32>, memref<64x64xf32>)
    outs(%c : memref<64x64xf32>)
  return
}

// -----

func.func @f(%x: memref<64x64xf32>, %y: memref<64xf32>) {
  linalg.reduce {arith.maximumf} ins(%x : memref<64x64xf32>) outs(%y : memref<64xf32>) dimensions = [1]
    {baco.recipe = #baco.recipe<[
      #baco.gpu_blocks<sizes = [16, 0]>,
      // expected-error @below {{recipe step 2 (gpu_split): the op isn't one sum by 'arith.addf' or 'arith.addi', without 'linalg.index'}}
      #baco.gpu_split<sizes = [0, 16]>, #baco.gpu_threads<sizes = [1, 0]>]>}
  return
}

// -----

func.func @f(%x: memref<66xf32>, %k: memref<3xf32>, %y: memref<64xf32>) {
  linalg.conv_1d {baco.recipe = #baco.recipe<[
      #baco.gpu_blocks<sizes = [16, 0]>,
      // expected-error @below {{recipe step 2 (gpu_split): iterator 1 doesn't index operand 0 alone}}
      #baco.gpu_split<sizes = [0, 1]>, #baco.gpu_threads<sizes = [1, 0]>]>}
    ins(%x, %k : memref<66xf32>, memref<3xf32>) outs(%y : memref<64xf32>)
  return
}

// -----

// expected-error @below {{the run must be at least 1, but is 0}}
func.func private @f() attributes {a = #baco.gpu_chain<columns = 32, rows = 2, run = 0, depth = 4, width = 4, padding = 4, stages = 1, lanes = 32, limit = 232448>}

// -----

// expected-error @below {{the padding must be at least 0, but is -4}}
func.func private @f() attributes {a = #baco.gpu_chain<columns = 32, rows = 2, run = 4, depth = 4, width = 4, padding = -4, stages = 1, lanes = 32, limit = 232448>}

// -----

// expected-error @below {{the number of stages is 3, but must be 1 or 2}}
func.func private @f() attributes {a = #baco.gpu_chain<columns = 32, rows = 2, run = 4, depth = 4, width = 4, padding = 4, stages = 3, lanes = 32, limit = 232448>}

// -----

// expected-error @below {{the number of lanes is 24, but must be a power of two of at most 32}}
func.func private @f() attributes {a = #baco.gpu_chain<columns = 32, rows = 2, run = 4, depth = 4, width = 4, padding = 4, stages = 1, lanes = 24, limit = 232448>}

// -----

// expected-error @below {{the limit of shared memory is 0 bytes, but must be positive}}
func.func private @f() attributes {a = #baco.gpu_chain<columns = 32, rows = 2, run = 4, depth = 4, width = 4, padding = 4, stages = 1, lanes = 32, limit = 0>}

// -----

func.func @f(%a: memref<64x64xf32>, %b: memref<64x64xf32>, %c: memref<64x64xf32>) {
  linalg.matmul {baco.recipe = #baco.recipe<[
      // expected-error @below {{'linalg.matmul' op recipe step 1 (gpu_blocks): 'gpu_split' and 'gpu_chain' can't both follow}}
      #baco.gpu_blocks<sizes = [16, 16, 0]>,
      #baco.gpu_split<sizes = [0, 0, 16]>,
      #baco.gpu_chain<columns = 32, rows = 2, run = 4, depth = 4, width = 4, padding = 4, stages = 1, lanes = 32>,
      #baco.gpu_threads<sizes = [4, 4, 0]>]>}
    ins(%a, %b : memref<64x64xf32>, memref<64x64xf32>)
    outs(%c : memref<64x64xf32>)
  return
}
