// Sparse kernels, with each field of the step `sparsify`.
#CSR = #sparse_tensor.encoding<{
  map = (d0, d1) -> (d0 : dense, d1 : compressed), posWidth = 32, crdWidth = 32 }>
#COO = #sparse_tensor.encoding<{
  map = (d0, d1, d2) -> (d0 : dense, d1 : compressed(nonunique), d2 : singleton(soa)) }>
#CSF = #sparse_tensor.encoding<{
  map = (d0, d1, d2) -> (d0 : dense, d1 : compressed, d2 : compressed) }>

// Sums of a tile of columns stay in registers.
func.func @spmm(%B: tensor<200x300xf64, #CSR>, %C: tensor<300x64xf64>, %A: tensor<200x64xf64>) -> tensor<200x64xf64> {
  %0 = linalg.matmul {baco.recipe = #baco.recipe<[#baco.sparsify<
      format = "csr", order = [0, 1, 2, 3], tiles = [0, 32, 0], positions = 32,
      coordinates = 16, vl = 0, unroll = 4>]>}
    ins(%B, %C : tensor<200x300xf64, #CSR>, tensor<300x64xf64>)
    outs(%A : tensor<200x64xf64>) -> tensor<200x64xf64>
  return %0 : tensor<200x64xf64>
}

// Chunks of rows and blocks of columns.
func.func @spmm_blocks(%B: tensor<200x300xf64, #CSR>, %C: tensor<300x64xf64>, %A: tensor<200x64xf64>) -> tensor<200x64xf64> {
  %0 = linalg.matmul {baco.recipe = #baco.recipe<[#baco.sparsify<
      format = "dense-dense-csf", order = [2, 0, 3, 4, 1], tiles = [25, 0, 100]>]>}
    ins(%B, %C : tensor<200x300xf64, #CSR>, tensor<300x64xf64>)
    outs(%A : tensor<200x64xf64>) -> tensor<200x64xf64>
  return %0 : tensor<200x64xf64>
}

// Chunks of rows on several threads.
func.func @spmm_threads(%B: tensor<200x300xf64, #CSR>, %C: tensor<300x64xf64>, %A: tensor<200x64xf64>) -> tensor<200x64xf64> {
  %0 = linalg.matmul {baco.recipe = #baco.recipe<[#baco.sparsify<
      format = "csr", order = [0, 3, 2, 1], tiles = [25, 0, 0],
      parallel = "dense-outer-loop", threads = 4, schedule = "dynamic", chunk = 2>]>}
    ins(%B, %C : tensor<200x300xf64, #CSR>, tensor<300x64xf64>)
    outs(%A : tensor<200x64xf64>) -> tensor<200x64xf64>
  return %0 : tensor<200x64xf64>
}

// Vectors of gathered elements.
func.func @spmv(%B: tensor<200x300xf32, #CSR>, %x: tensor<300xf32>, %y: tensor<200xf32>) -> tensor<200xf32> {
  %zero = arith.constant 0.0 : f32
  %zeros = linalg.fill ins(%zero : f32) outs(%y : tensor<200xf32>) -> tensor<200xf32>
  %0 = linalg.matvec {baco.recipe = #baco.recipe<[#baco.sparsify<
      format = "csr", order = [0, 1], vl = 8, simd32 = 1, peel = 1>]>}
    ins(%B, %x : tensor<200x300xf32, #CSR>, tensor<300xf32>)
    outs(%zeros : tensor<200xf32>) -> tensor<200xf32>
  return %0 : tensor<200xf32>
}

func.func @sddmm(%B: tensor<16x12x40xf64, #COO>, %C: tensor<16x64xf64>, %D: tensor<12x64xf64>, %A: tensor<40xf64>) -> tensor<40xf64> {
  %0 = linalg.generic {
      indexing_maps = [affine_map<(i, j, p, k) -> (i, j, p)>, affine_map<(i, j, p, k) -> (i, k)>,
                       affine_map<(i, j, p, k) -> (j, k)>, affine_map<(i, j, p, k) -> (p)>],
      iterator_types = ["reduction", "reduction", "parallel", "reduction"]}
    ins(%B, %C, %D : tensor<16x12x40xf64, #COO>, tensor<16x64xf64>, tensor<12x64xf64>)
    outs(%A : tensor<40xf64>)
    attrs = {baco.recipe = #baco.recipe<[#baco.sparsify<
      format = "given", order = [0, 1, 2, 3], vl = 16>]>} {
  ^bb0(%value: f64, %left: f64, %right: f64, %sum: f64):
    %scaled = arith.mulf %value, %left : f64
    %product = arith.mulf %scaled, %right : f64
    %next = arith.addf %sum, %product : f64
    linalg.yield %next : f64
  } -> tensor<40xf64>
  return %0 : tensor<40xf64>
}

// A factor that is taken out of the sum.
func.func @mttkrp(%B: tensor<20x30x40xf64, #CSF>, %C: tensor<30x16xf64>, %D: tensor<40x16xf64>, %A: tensor<20x16xf64>) -> tensor<20x16xf64> {
  %0 = linalg.generic {
      indexing_maps = [affine_map<(i, k, l, j) -> (i, k, l)>, affine_map<(i, k, l, j) -> (k, j)>,
                       affine_map<(i, k, l, j) -> (l, j)>, affine_map<(i, k, l, j) -> (i, j)>],
      iterator_types = ["parallel", "reduction", "reduction", "parallel"]}
    ins(%B, %C, %D : tensor<20x30x40xf64, #CSF>, tensor<30x16xf64>, tensor<40x16xf64>)
    outs(%A : tensor<20x16xf64>)
    attrs = {baco.recipe = #baco.recipe<[#baco.sparsify<
      format = "given", order = [0, 1, 2, 3], factor = 1>]>} {
  ^bb0(%value: f64, %left: f64, %right: f64, %sum: f64):
    %scaled = arith.mulf %value, %left : f64
    %product = arith.mulf %scaled, %right : f64
    %next = arith.addf %sum, %product : f64
    linalg.yield %next : f64
  } -> tensor<20x16xf64>
  return %0 : tensor<20x16xf64>
}
