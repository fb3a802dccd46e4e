// RUN: baco-opt %s --split-input-file --verify-diagnostics

// Which consumers can be fused.

func.func @f(%A: tensor<64x32xf32>, %B: tensor<32x48xf32>, %C: tensor<64x48xf32>, %v: tensor<64xf32>, %m: memref<64x48xf32>) -> tensor<64x48xf32> {
  %0 = linalg.matmul {baco.recipe = #baco.recipe<[
      // expected-error @below {{recipe step 1 (fuse_consumers): there is no loop yet to fuse into; put a 'tile' or 'parallelize' before it}}
      #baco.fuse_consumers<count = 1>]>}
    ins(%A, %B : tensor<64x32xf32>, tensor<32x48xf32>)
    outs(%C : tensor<64x48xf32>) -> tensor<64x48xf32>
  %1 = linalg.exp ins(%0 : tensor<64x48xf32>) outs(%C : tensor<64x48xf32>) -> tensor<64x48xf32>
  return %1 : tensor<64x48xf32>
}

// -----

func.func @f(%A: tensor<64x32xf32>, %B: tensor<32x48xf32>, %C: tensor<64x48xf32>, %v: tensor<64xf32>, %m: memref<64x48xf32>) -> tensor<64x48xf32> {
  %0 = linalg.matmul {baco.recipe = #baco.recipe<[
      // expected-error @below {{recipe step 2 (fuse_consumers): iterator 2 of the op is a tiled reduction, so that no iteration computes a whole sum; tile it in a later step}}
      #baco.tile<sizes = [8, 0, 8]>, #baco.fuse_consumers<count = 1>]>}
    ins(%A, %B : tensor<64x32xf32>, tensor<32x48xf32>)
    outs(%C : tensor<64x48xf32>) -> tensor<64x48xf32>
  %1 = linalg.exp ins(%0 : tensor<64x48xf32>) outs(%C : tensor<64x48xf32>) -> tensor<64x48xf32>
  return %1 : tensor<64x48xf32>
}

// -----

func.func @f(%A: tensor<64x32xf32>, %B: tensor<32x48xf32>, %C: tensor<64x48xf32>, %v: tensor<64xf32>, %m: memref<64x48xf32>) -> tensor<64x48xf32> {
  %0 = linalg.matmul {baco.recipe = #baco.recipe<[
      // expected-error @below {{recipe step 3 (fuse_consumers): a knob decides which iterators are tiled; put the step that tiles before 'interchange'}}
      #baco.interchange<order = #baco.knob<"p", #baco.permutation<3>>>, #baco.tile<sizes = [8, 16, 0]>, #baco.fuse_consumers<count = 1>]>}
    ins(%A, %B : tensor<64x32xf32>, tensor<32x48xf32>)
    outs(%C : tensor<64x48xf32>) -> tensor<64x48xf32>
  %1 = linalg.exp ins(%0 : tensor<64x48xf32>) outs(%C : tensor<64x48xf32>) -> tensor<64x48xf32>
  return %1 : tensor<64x48xf32>
}

// -----

func.func @f(%A: tensor<64x32xf32>, %B: tensor<32x48xf32>, %C: tensor<64x48xf32>, %v: tensor<64xf32>, %m: memref<64x48xf32>) -> tensor<64x48xf32> {
  %0 = linalg.matmul {baco.recipe = #baco.recipe<[
      // expected-error @below {{recipe step 3 (fuse_consumers): an earlier step has fused consumers; make its 'count' larger}}
      #baco.tile<sizes = [8, 16, 0]>, #baco.fuse_consumers<count = 1>, #baco.fuse_consumers<count = 1>]>}
    ins(%A, %B : tensor<64x32xf32>, tensor<32x48xf32>)
    outs(%C : tensor<64x48xf32>) -> tensor<64x48xf32>
  %1 = linalg.exp ins(%0 : tensor<64x48xf32>) outs(%C : tensor<64x48xf32>) -> tensor<64x48xf32>
  return %1 : tensor<64x48xf32>
}

// -----

func.func @f(%A: tensor<64x32xf32>, %B: tensor<32x48xf32>, %C: tensor<64x48xf32>, %v: tensor<64xf32>, %m: memref<64x48xf32>) -> tensor<64x48xf32> {
  %0 = linalg.matmul {baco.recipe = #baco.recipe<[
      // expected-error @below {{recipe step 3 (fuse_consumers): consumers can't use the padded tiles of an earlier 'pad'; put this step before 'pad'}}
      #baco.tile<sizes = [8, 16, 0]>, #baco.pad<multiples = [8, 1, 0]>, #baco.fuse_consumers<count = 1>]>}
    ins(%A, %B : tensor<64x32xf32>, tensor<32x48xf32>)
    outs(%C : tensor<64x48xf32>) -> tensor<64x48xf32>
  %1 = linalg.exp ins(%0 : tensor<64x48xf32>) outs(%C : tensor<64x48xf32>) -> tensor<64x48xf32>
  return %1 : tensor<64x48xf32>
}

// -----

func.func @f(%A: tensor<64x32xf32>, %B: tensor<32x48xf32>, %C: tensor<64x48xf32>, %v: tensor<64xf32>, %m: memref<64x48xf32>) -> tensor<64x48xf32> {
  %0 = linalg.matmul {baco.recipe = #baco.recipe<[
      // expected-error @below {{recipe step 2 (fuse_consumers): only 1 of 2 consumers can be fused}}
      #baco.tile<sizes = [8, 16, 0]>, #baco.fuse_consumers<count = #baco.knob<"N", #baco.ordinal<[0, 2]>>>]>}
    ins(%A, %B : tensor<64x32xf32>, tensor<32x48xf32>)
    outs(%C : tensor<64x48xf32>) -> tensor<64x48xf32>
  %1 = linalg.exp ins(%0 : tensor<64x48xf32>) outs(%C : tensor<64x48xf32>) -> tensor<64x48xf32>
  // expected-note @below {{this can't: it is not a linalg op on tensors}}
  return %1 : tensor<64x48xf32>
}

// -----

func.func @f(%A: tensor<64x32xf32>, %B: tensor<32x48xf32>, %C: tensor<64x48xf32>, %v: tensor<64xf32>, %m: memref<64x48xf32>) -> tensor<64xf32> {
  %0 = linalg.matmul {baco.recipe = #baco.recipe<[
      // expected-error @below {{recipe step 2 (fuse_consumers): only 0 of 1 consumers can be fused}}
      #baco.tile<sizes = [8, 16, 0]>, #baco.fuse_consumers<count = 1>]>}
    ins(%A, %B : tensor<64x32xf32>, tensor<32x48xf32>)
    outs(%C : tensor<64x48xf32>) -> tensor<64x48xf32>
  // expected-note @below {{this can't: it reduces over iterator 1, and each tile has only part of its iterations}}
  %1 = linalg.reduce {arith.addf} ins(%0 : tensor<64x48xf32>) outs(%v : tensor<64xf32>) dimensions = [1]
  return %1 : tensor<64xf32>
}

// -----

func.func @f(%A: tensor<64x32xf32>, %B: tensor<32x48xf32>, %C: tensor<64x48xf32>, %v: tensor<64xf32>, %m: memref<64x48xf32>) -> tensor<64x48xf32> {
  %0 = linalg.matmul {baco.recipe = #baco.recipe<[
      // expected-error @below {{recipe step 2 (fuse_consumers): only 0 of 1 consumers can be fused}}
      #baco.tile<sizes = [8, 16, 0]>, #baco.fuse_consumers<count = 1>]>}
    ins(%A, %B : tensor<64x32xf32>, tensor<32x48xf32>)
    outs(%C : tensor<64x48xf32>) -> tensor<64x48xf32>
  // expected-note @below {{this can't: it writes to operand 1, which the loops compute}}
  %1 = linalg.exp ins(%C : tensor<64x48xf32>) outs(%0 : tensor<64x48xf32>) -> tensor<64x48xf32>
  return %1 : tensor<64x48xf32>
}

// -----

func.func @f(%A: tensor<64x32xf32>, %B: tensor<32x48xf32>, %C: tensor<64x48xf32>, %v: tensor<64xf32>, %m: memref<64x48xf32>) -> tensor<64x48xf32> {
  %0 = linalg.matmul {baco.recipe = #baco.recipe<[
      // expected-error @below {{recipe step 2 (fuse_consumers): only 0 of 1 consumers can be fused}}
      #baco.tile<sizes = [8, 16, 0]>, #baco.fuse_consumers<count = 1>]>}
    ins(%A, %B : tensor<64x32xf32>, tensor<32x48xf32>)
    outs(%C : tensor<64x48xf32>) -> tensor<64x48xf32>
  // expected-note @below {{this can't: it has a recipe of its own}}
  %1 = linalg.exp {baco.recipe = #baco.recipe<[#baco.generalize<>]>} ins(%0 : tensor<64x48xf32>) outs(%C : tensor<64x48xf32>) -> tensor<64x48xf32>
  return %1 : tensor<64x48xf32>
}

// -----

func.func @f(%A: tensor<64x32xf32>, %B: tensor<32x48xf32>, %C: tensor<64x48xf32>, %v: tensor<64xf32>, %m: memref<64x48xf32>) -> tensor<64x48xf32> {
  %0 = linalg.matmul {baco.recipe = #baco.recipe<[
      // expected-error @below {{recipe step 2 (fuse_consumers): only 0 of 1 consumers can be fused}}
      #baco.tile<sizes = [8, 16, 0]>, #baco.fuse_consumers<count = 1>]>}
    ins(%A, %B : tensor<64x32xf32>, tensor<32x48xf32>)
    outs(%C : tensor<64x48xf32>) -> tensor<64x48xf32>
  // expected-note @below {{this can't: it is not a linalg op on tensors}}
  %2 = arith.negf %0 : tensor<64x48xf32>
  %1 = linalg.add ins(%0, %2 : tensor<64x48xf32>, tensor<64x48xf32>) outs(%C : tensor<64x48xf32>) -> tensor<64x48xf32>
  return %1 : tensor<64x48xf32>
}

// -----

func.func @f(%A: tensor<64x32xf32>, %B: tensor<32x48xf32>, %C: tensor<64x48xf32>, %v: tensor<64xf32>, %m: memref<64x48xf32>) -> tensor<64x48xf32> {
  %0 = linalg.matmul {baco.recipe = #baco.recipe<[
      // expected-error @below {{recipe step 2 (fuse_consumers): only 0 of 1 consumers can be fused}}
      #baco.tile<sizes = [8, 16, 0]>, #baco.fuse_consumers<count = 1>]>}
    ins(%A, %B : tensor<64x32xf32>, tensor<32x48xf32>)
    outs(%C : tensor<64x48xf32>) -> tensor<64x48xf32>
  bufferization.materialize_in_destination %C in restrict writable %m : (tensor<64x48xf32>, memref<64x48xf32>) -> ()
  // expected-note @below {{this can't: an op between it and the loops may write to memory}}
  %1 = linalg.exp ins(%0 : tensor<64x48xf32>) outs(%C : tensor<64x48xf32>) -> tensor<64x48xf32>
  return %1 : tensor<64x48xf32>
}

// -----

func.func @f(%A: tensor<64x32xf32>, %B: tensor<32x48xf32>, %C: tensor<64x48xf32>, %v: tensor<64xf32>, %m: memref<64x48xf32>) -> tensor<64x48x64xf32> {
  %0 = linalg.matmul {baco.recipe = #baco.recipe<[
      // expected-error @below {{recipe step 2 (fuse_consumers): only 1 of 2 consumers can be fused}}
      #baco.tile<sizes = [8, 8, 0]>, #baco.fuse_consumers<count = 2>]>}
    ins(%A, %B : tensor<64x32xf32>, tensor<32x48xf32>)
    outs(%C : tensor<64x48xf32>) -> tensor<64x48xf32>
  %e = tensor.empty() : tensor<48x64xf32>
  %t = linalg.transpose ins(%0 : tensor<64x48xf32>) outs(%e : tensor<48x64xf32>) permutation = [1, 0]
  %x = tensor.empty() : tensor<64x48x64xf32>
  // expected-note @below {{this can't: its operands need tiles of different loops along iterator 2}}
  %1 = linalg.generic {indexing_maps = [affine_map<(i, j, k) -> (i, j)>, affine_map<(i, j, k) -> (j, k)>, affine_map<(i, j, k) -> (i, j, k)>],
      iterator_types = ["parallel", "parallel", "parallel"]}
    ins(%0, %t : tensor<64x48xf32>, tensor<48x64xf32>) outs(%x : tensor<64x48x64xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    linalg.yield %a : f32
  } -> tensor<64x48x64xf32>
  return %1 : tensor<64x48x64xf32>
}

// -----

func.func @f(%A: tensor<64x32xf32>, %B: tensor<32x48xf32>, %C: tensor<64x48xf32>, %v: tensor<64xf32>, %m: memref<64x48xf32>) -> tensor<32x48xf32> {
  %0 = linalg.matmul {baco.recipe = #baco.recipe<[
      // expected-error @below {{recipe step 2 (fuse_consumers): only 0 of 1 consumers can be fused}}
      #baco.tile<sizes = [8, 16, 0]>, #baco.fuse_consumers<count = 1>]>}
    ins(%A, %B : tensor<64x32xf32>, tensor<32x48xf32>)
    outs(%C : tensor<64x48xf32>) -> tensor<64x48xf32>
  %e = tensor.empty() : tensor<32x48xf32>
  // expected-note @below {{this can't: operand 0 has an index that is not a single iterator}}
  %1 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i * 2, j)>, affine_map<(i, j) -> (i, j)>],
      iterator_types = ["parallel", "parallel"]}
    ins(%0 : tensor<64x48xf32>) outs(%e : tensor<32x48xf32>) {
  ^bb0(%a: f32, %o: f32):
    linalg.yield %a : f32
  } -> tensor<32x48xf32>
  return %1 : tensor<32x48xf32>
}

// -----

func.func @f(%A: tensor<64x?xf32>, %B: tensor<64x?xf32>, %C: tensor<64x?xf32>) -> tensor<64x?xf32> {
  %0 = linalg.exp {baco.recipe = #baco.recipe<[
      // expected-error @below {{recipe step 2 (fuse_consumers): dimension 1 of a result is dynamic and not tiled; tile it}}
      #baco.tile<sizes = [8, 0]>, #baco.fuse_consumers<count = 1>]>}
    ins(%A : tensor<64x?xf32>) outs(%B : tensor<64x?xf32>) -> tensor<64x?xf32>
  %1 = linalg.exp ins(%0 : tensor<64x?xf32>) outs(%C : tensor<64x?xf32>) -> tensor<64x?xf32>
  return %1 : tensor<64x?xf32>
}

// -----

// expected-error @below {{the number of consumers must be an integer or a knob, but is "all"}}
#all = #baco.fuse_consumers<count = "all">

// -----

// expected-error @below {{the number of consumers must be at least 0, but is -1}}
#negative = #baco.fuse_consumers<count = -1>
