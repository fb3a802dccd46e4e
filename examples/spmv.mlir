// y(i) += B(i, k) x(k), with a recipe: rows with narrower coordinates, in vectors
// of a length that tuning chooses.
// baco-tune-driver spmv.mlir --arg='spmv:0=@uniform(extents=4x6,entries=5)'
// or, with entries of your own, --arg=spmv:0=@matrix.mtx. spmv.c calls what this writes.
#CSR = #sparse_tensor.encoding<{
  map = (d0, d1) -> (d0 : dense, d1 : compressed), posWidth = 32, crdWidth = 32 }>
func.func @spmv(%B: tensor<4x6xf64, #CSR>, %x: tensor<6xf64>,
                %y: tensor<4xf64>) -> tensor<4xf64> {
  %0 = linalg.generic {
      indexing_maps = [affine_map<(i, k) -> (i, k)>, affine_map<(i, k) -> (k)>,
                       affine_map<(i, k) -> (i)>],
      iterator_types = ["parallel", "reduction"]}
    ins(%B, %x : tensor<4x6xf64, #CSR>, tensor<6xf64>)
    outs(%y : tensor<4xf64>)
    attrs = {baco.recipe = #baco.recipe<[
      #baco.sparsify<format = "csr", order = [0, 1], positions = 32, coordinates = 16,
                     vl = #baco.knob<"vl", #baco.ordinal<[1, 4]>>>]>} {
  ^bb0(%b: f64, %c: f64, %a: f64):
    %1 = arith.mulf %b, %c : f64
    %2 = arith.addf %a, %1 : f64
    linalg.yield %2 : f64
  } -> tensor<4xf64>
  return %0 : tensor<4xf64>
}
