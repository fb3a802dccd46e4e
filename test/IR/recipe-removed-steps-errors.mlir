// RUN: baco-opt %s --split-input-file --verify-diagnostics

// Steps of earlier versions name their replacements.

// expected-error @below {{the step 'pack' was removed; use transform.structured.pack, or the loop command 'loop_copy'}}
#step = #baco.pack<sizes = [8, 16, 0]>

// -----

// expected-error @below {{the step 'pad' was removed; use transform.structured.pad, or the 'remainders' of a 'tile'}}
#step = #baco.pad<multiples = [1, 16, 0]>

// -----

// expected-error @below {{the step 'fuse' was removed; use transform.structured.fuse_into_containing_op, or the loop command 'loop_fuse'}}
#step = #baco.fuse<producer = [0]>

// -----

// expected-error @below {{the step 'fuse_consumers' was removed; use transform.structured.fuse on the consumer, or the loop command 'loop_fuse'}}
#step = #baco.fuse_consumers<count = 2>

// -----

func.func @f(%A: memref<64x64xf32>) {
  linalg.exp {baco.recipe = #baco.recipe<[
      #baco.tile<sizes = [1, 0]>,
      // expected-error @below {{the step 'unroll' was removed; use transform.loop.unroll, or the loop command 'loop_unroll'}}
      #baco.unroll<iterator = 0, factor = 2>]>}
    ins(%A : memref<64x64xf32>) outs(%A : memref<64x64xf32>)
  return
}

// -----

// expected-error @below {{the step 'generalize' was removed; use transform.structured.generalize, or a linalg.generic}}
#step = #baco.generalize<>

// -----

// expected-error @below {{the step 'split_reduction' was removed; use transform.structured.tile_reduction_using_for, or loop commands}}
#step = #baco.split_reduction<iterator = 1, factor = 16>
