// RUN: baco-opt %s --baco-expand-recipes --split-input-file --verify-diagnostics=only-expected

#CSR = #sparse_tensor.encoding<{ map = (d0, d1) -> (d0 : dense, d1 : compressed) }>
func.func @order(%B: tensor<64x48xf64, #CSR>, %C: tensor<48x16xf64>,
                 %A: tensor<64x16xf64>) -> tensor<64x16xf64> {
  // expected-error @below {{recipe step 1 (sparsify): format 'csr' stores iterator 0 outside of iterator 2, so that its loop must be outside, too}}
  %0 = linalg.matmul {baco.recipe = #baco.recipe<[#baco.sparsify<format = "csr", order = [2, 0, 1]>]>}
    ins(%B, %C : tensor<64x48xf64, #CSR>, tensor<48x16xf64>)
    outs(%A : tensor<64x16xf64>) -> tensor<64x16xf64>
  return %0 : tensor<64x16xf64>
}

// -----

#CSR = #sparse_tensor.encoding<{ map = (d0, d1) -> (d0 : dense, d1 : compressed) }>
func.func @loops(%B: tensor<64x48xf64, #CSR>, %C: tensor<48x16xf64>,
                 %A: tensor<64x16xf64>) -> tensor<64x16xf64> {
  // expected-error @below {{recipe step 1 (sparsify): order [0, 1] is for 2 elements, but there are 3}}
  %0 = linalg.matmul {baco.recipe = #baco.recipe<[#baco.sparsify<format = "csr", order = [0, 1]>]>}
    ins(%B, %C : tensor<64x48xf64, #CSR>, tensor<48x16xf64>)
    outs(%A : tensor<64x16xf64>) -> tensor<64x16xf64>
  return %0 : tensor<64x16xf64>
}

// -----

#CSR = #sparse_tensor.encoding<{ map = (d0, d1) -> (d0 : dense, d1 : compressed) }>
func.func @race(%B: tensor<64x48xf64, #CSR>, %C: tensor<48x16xf64>,
                %A: tensor<64x16xf64>) -> tensor<64x16xf64> {
  // expected-error @below {{recipe step 1 (sparsify): the outermost loop runs on several threads, and iterations of a reduction would write to the same elements at once}}
  %0 = linalg.matmul {baco.recipe = #baco.recipe<[#baco.sparsify<format = "csc", order = [2, 0, 1], parallel = "dense-outer-loop">]>}
    ins(%B, %C : tensor<64x48xf64, #CSR>, tensor<48x16xf64>)
    outs(%A : tensor<64x16xf64>) -> tensor<64x16xf64>
  return %0 : tensor<64x16xf64>
}

// -----

#CSR = #sparse_tensor.encoding<{ map = (d0, d1) -> (d0 : dense, d1 : compressed) }>
func.func @width(%B: tensor<64x480xf64, #CSR>, %C: tensor<480x16xf64>,
                 %A: tensor<64x16xf64>) -> tensor<64x16xf64> {
  // expected-error @below {{recipe step 1 (sparsify): coordinates up to 479 that format 'csr' stores need 16 bits}}
  %0 = linalg.matmul {baco.recipe = #baco.recipe<[#baco.sparsify<format = "csr", order = [0, 2, 1], coordinates = 8>]>}
    ins(%B, %C : tensor<64x480xf64, #CSR>, tensor<480x16xf64>)
    outs(%A : tensor<64x16xf64>) -> tensor<64x16xf64>
  return %0 : tensor<64x16xf64>
}

// -----

#CSR = #sparse_tensor.encoding<{ map = (d0, d1) -> (d0 : dense, d1 : compressed) }>
func.func @positions(
    %B: tensor<64x480xf64, #CSR> {baco.input = {tensor = "x.mtx", hash = "0", entries = 256, extents = array<i64: 64, 480>}},
    %C: tensor<480x16xf64>, %A: tensor<64x16xf64>) -> tensor<64x16xf64> {
  // expected-error @below {{recipe step 1 (sparsify): positions up to 256, the number of entries, need 16 bits}}
  %0 = linalg.matmul {baco.recipe = #baco.recipe<[#baco.sparsify<format = "csr", order = [0, 2, 1], positions = 8>]>}
    ins(%B, %C : tensor<64x480xf64, #CSR>, tensor<480x16xf64>)
    outs(%A : tensor<64x16xf64>) -> tensor<64x16xf64>
  return %0 : tensor<64x16xf64>
}

// -----

#CSF = #sparse_tensor.encoding<{ map = (i, j, k) -> (i : dense, j : compressed, k : compressed) }>
func.func @memory(%B: tensor<10000x10000x16xf64, #CSF>, %x: tensor<16xf64>,
                  %A: tensor<10000x10000xf64>) -> tensor<10000x10000xf64> {
  %0 = linalg.generic {
      // expected-error @below {{recipe step 1 (sparsify): dense levels of format 'dense-dense-csf' have 100000000 positions, more than 2^26}}
      baco.recipe = #baco.recipe<[#baco.sparsify<format = "dense-dense-csf", order = [0, 1, 2]>]>,
      indexing_maps = [affine_map<(i, j, k) -> (i, j, k)>, affine_map<(i, j, k) -> (k)>, affine_map<(i, j, k) -> (i, j)>],
      iterator_types = ["parallel", "parallel", "reduction"]}
    ins(%B, %x : tensor<10000x10000x16xf64, #CSF>, tensor<16xf64>)
    outs(%A : tensor<10000x10000xf64>) {
  ^bb0(%b: f64, %c: f64, %a: f64):
    %1 = arith.mulf %b, %c : f64
    %2 = arith.addf %a, %1 : f64
    linalg.yield %2 : f64
  } -> tensor<10000x10000xf64>
  return %0 : tensor<10000x10000xf64>
}

// -----

#CSR = #sparse_tensor.encoding<{ map = (d0, d1) -> (d0 : dense, d1 : compressed) }>
func.func @name(%B: tensor<64x48xf64, #CSR>, %C: tensor<48x16xf64>,
                %A: tensor<64x16xf64>) -> tensor<64x16xf64> {
  // expected-error @below {{recipe step 1 (sparsify): the format 'bsr' is unknown; it is coo, csf, csr}}
  %0 = linalg.matmul {baco.recipe = #baco.recipe<[#baco.sparsify<format = "bsr", order = [0, 1, 2]>]>}
    ins(%B, %C : tensor<64x48xf64, #CSR>, tensor<48x16xf64>)
    outs(%A : tensor<64x16xf64>) -> tensor<64x16xf64>
  return %0 : tensor<64x16xf64>
}

// -----

func.func @dense(%B: tensor<64x48xf64>, %C: tensor<48x16xf64>,
                 %A: tensor<64x16xf64>) -> tensor<64x16xf64> {
  // expected-error @below {{recipe step 1 (sparsify): the op can't be: it has no sparse operand}}
  %0 = linalg.matmul {baco.recipe = #baco.recipe<[#baco.sparsify<format = "csr", order = [0, 1, 2]>]>}
    ins(%B, %C : tensor<64x48xf64>, tensor<48x16xf64>)
    outs(%A : tensor<64x16xf64>) -> tensor<64x16xf64>
  return %0 : tensor<64x16xf64>
}

// -----

// expected-error @below {{'parallel' must be one of 'none', 'dense-outer-loop', 'any-storage-outer-loop', but is 'all'}}
#step = #baco.sparsify<format = "csr", order = [0, 1, 2], parallel = "all">

// -----

// expected-error @below {{'schedule' must be one of 'static', 'dynamic', 'guided', but is 'auto'}}
#step = #baco.sparsify<format = "csr", order = [0, 1, 2], schedule = "auto">

// -----

// expected-error @below {{'threads' must be from 0 to 64, but is 65 : i64}}
#step = #baco.sparsify<format = "csr", order = [0, 1, 2], threads = 65>

// -----

// expected-error @below {{'unroll' must be from 0 to 64, but is 100 : i64}}
#step = #baco.sparsify<format = "csr", order = [0, 1, 2], unroll = 100>

// -----

#CSR = #sparse_tensor.encoding<{ map = (d0, d1) -> (d0 : dense, d1 : compressed) }>
func.func @parts(%B: tensor<64x48xf64, #CSR>, %C: tensor<48x16xf64>,
                 %A: tensor<64x16xf64>) -> tensor<64x16xf64> {
  // expected-error @below {{recipe step 1 (sparsify): only a static schedule has parts without a 'chunk'}}
  %0 = linalg.matmul {baco.recipe = #baco.recipe<[#baco.sparsify<format = "csr", order = [0, 2, 1], parallel = "dense-outer-loop", schedule = "dynamic">]>}
    ins(%B, %C : tensor<64x48xf64, #CSR>, tensor<48x16xf64>)
    outs(%A : tensor<64x16xf64>) -> tensor<64x16xf64>
  return %0 : tensor<64x16xf64>
}

// -----

// expected-error @below {{'coordinates' must be 8, 16, 32 or 64, but is 12 : i64}}
#step = #baco.sparsify<format = "csr", order = [0, 1, 2], coordinates = 12>

// -----

// expected-error @below {{'vl' must be from 0 to 1024, but is 2048 : i64}}
#step = #baco.sparsify<format = "csr", order = [0, 1, 2], vl = 2048>

// -----

#CSR = #sparse_tensor.encoding<{ map = (d0, d1) -> (d0 : dense, d1 : compressed) }>
func.func @sparse_tile(%B: tensor<64x48xf64, #CSR>, %C: tensor<48x16xf64>,
                       %A: tensor<64x16xf64>) -> tensor<64x16xf64> {
  // expected-error @below {{recipe step 1 (sparsify): iterator 2 can't have tiles of one element, as it indexes the sparse operand}}
  %0 = linalg.matmul {baco.recipe = #baco.recipe<[#baco.sparsify<format = "csr", order = [0, 1, 2, 3], tiles = [0, 0, 1]>]>}
    ins(%B, %C : tensor<64x48xf64, #CSR>, tensor<48x16xf64>)
    outs(%A : tensor<64x16xf64>) -> tensor<64x16xf64>
  return %0 : tensor<64x16xf64>
}

// -----

#CSR = #sparse_tensor.encoding<{ map = (d0, d1) -> (d0 : dense, d1 : compressed) }>
func.func @levels(%B: tensor<64x48xf64, #CSR>, %C: tensor<48x16xf64>,
                  %A: tensor<64x16xf64>) -> tensor<64x16xf64> {
  // expected-error @below {{recipe step 1 (sparsify): format 'dense-dense-csf' is for more than the 2 levels of the sparse operand, which gets more by tiles}}
  %0 = linalg.matmul {baco.recipe = #baco.recipe<[#baco.sparsify<format = "dense-dense-csf", order = [0, 2, 3, 1], tiles = [0, 0, 48]>]>}
    ins(%B, %C : tensor<64x48xf64, #CSR>, tensor<48x16xf64>)
    outs(%A : tensor<64x16xf64>) -> tensor<64x16xf64>
  return %0 : tensor<64x16xf64>
}

// -----

#CSR = #sparse_tensor.encoding<{ map = (d0, d1) -> (d0 : dense, d1 : compressed) }>
func.func @place(%B: tensor<64x48xf64, #CSR>, %C: tensor<48x16xf64>,
                 %A: tensor<64x16xf64>) -> tensor<64x16xf64> {
  // expected-error @below {{recipe step 1 (sparsify): iterator 2 has one tile, so that the place of the loop over tiles makes no difference}}
  %0 = linalg.matmul {baco.recipe = #baco.recipe<[#baco.sparsify<format = "csr", order = [0, 2, 1, 3], tiles = [0, 0, 48]>]>}
    ins(%B, %C : tensor<64x48xf64, #CSR>, tensor<48x16xf64>)
    outs(%A : tensor<64x16xf64>) -> tensor<64x16xf64>
  return %0 : tensor<64x16xf64>
}

// -----

#CSR = #sparse_tensor.encoding<{ map = (d0, d1) -> (d0 : dense, d1 : compressed) }>
func.func @blocks(%B: tensor<64x480xf64, #CSR>, %C: tensor<480x16xf64>,
                  %A: tensor<64x16xf64>) -> tensor<64x16xf64> {
  // Coordinates in a tile of 120 columns fit 8 bits, others don't.
  %0 = linalg.matmul {baco.recipe = #baco.recipe<[#baco.sparsify<format = "dense-dense-csf", order = [2, 0, 3, 1], tiles = [0, 0, 120], coordinates = 8>]>}
    ins(%B, %C : tensor<64x480xf64, #CSR>, tensor<480x16xf64>)
    outs(%A : tensor<64x16xf64>) -> tensor<64x16xf64>
  return %0 : tensor<64x16xf64>
}
func.func @wide_blocks(%B: tensor<64x960xf64, #CSR>, %C: tensor<960x16xf64>,
                       %A: tensor<64x16xf64>) -> tensor<64x16xf64> {
  // expected-error @below {{coordinates of tiles of iterator 2 that format 'dense-dense-csf' stores need more than 8 bits}}
  %0 = linalg.matmul {baco.recipe = #baco.recipe<[#baco.sparsify<format = "dense-dense-csf", order = [2, 0, 3, 1], tiles = [0, 0, 480], coordinates = 8>]>}
    ins(%B, %C : tensor<64x960xf64, #CSR>, tensor<960x16xf64>)
    outs(%A : tensor<64x16xf64>) -> tensor<64x16xf64>
  return %0 : tensor<64x16xf64>
}

// -----

#CSR = #sparse_tensor.encoding<{ map = (d0, d1) -> (d0 : dense, d1 : compressed) }>
func.func @outside(%B: tensor<64x48xf64, #CSR>, %C: tensor<48x16xf64>,
                   %A: tensor<64x16xf64>) -> tensor<64x16xf64> {
  // expected-error @below {{recipe step 1 (sparsify): the loop over the tiles of iterator 1 must be outside of that in a tile}}
  %0 = linalg.matmul {baco.recipe = #baco.recipe<[#baco.sparsify<format = "csr", order = [0, 3, 2, 1], tiles = [0, 8, 0]>]>}
    ins(%B, %C : tensor<64x48xf64, #CSR>, tensor<48x16xf64>)
    outs(%A : tensor<64x16xf64>) -> tensor<64x16xf64>
  return %0 : tensor<64x16xf64>
}

// -----

#CSR = #sparse_tensor.encoding<{ map = (d0, d1) -> (d0 : dense, d1 : compressed) }>
func.func @number(%B: tensor<64x48xf64, #CSR>, %C: tensor<48x16xf64>,
                  %A: tensor<64x16xf64>) -> tensor<64x16xf64> {
  // expected-error @below {{recipe step 1 (sparsify): 'tiles' has 2 sizes, but the op has 3 iterators}}
  %0 = linalg.matmul {baco.recipe = #baco.recipe<[#baco.sparsify<format = "csr", order = [0, 1, 2], tiles = [0, 8]>]>}
    ins(%B, %C : tensor<64x48xf64, #CSR>, tensor<48x16xf64>)
    outs(%A : tensor<64x16xf64>) -> tensor<64x16xf64>
  return %0 : tensor<64x16xf64>
}

// -----

#CSR = #sparse_tensor.encoding<{ map = (d0, d1) -> (d0 : dense, d1 : compressed) }>
func.func @tile_and_vector(%B: tensor<64x48xf64, #CSR>, %C: tensor<48x16xf64>,
                           %A: tensor<64x16xf64>) -> tensor<64x16xf64> {
  // expected-error @below {{recipe step 1 (sparsify): the innermost loop, over at most 128 elements of a tile, is one vector in any case, so that the code would be the same}}
  %0 = linalg.matmul {baco.recipe = #baco.recipe<[#baco.sparsify<format = "csr", order = [0, 1, 2, 3], tiles = [0, 8, 0], vl = 8>]>}
    ins(%B, %C : tensor<64x48xf64, #CSR>, tensor<48x16xf64>)
    outs(%A : tensor<64x16xf64>) -> tensor<64x16xf64>
  return %0 : tensor<64x16xf64>
}
