// A(i, j) += B(i, j, k) x(k)
// baco-tune-driver ttv.mlir --arg=ttv:0=@TENSOR
#CSF = #sparse_tensor.encoding<{
  map = (d0, d1, d2) -> (d0 : dense, d1 : compressed, d2 : compressed),
  posWidth = 32, crdWidth = 32 }>
func.func @ttv(%B: tensor<?x?x?xf64, #CSF>, %x: tensor<?xf64>,
               %A: tensor<?x?xf64>) -> tensor<?x?xf64> {
  %0 = linalg.generic {
      indexing_maps = [affine_map<(i, j, k) -> (i, j, k)>,
                       affine_map<(i, j, k) -> (k)>,
                       affine_map<(i, j, k) -> (i, j)>],
      iterator_types = ["parallel", "parallel", "reduction"]}
    ins(%B, %x : tensor<?x?x?xf64, #CSF>, tensor<?xf64>)
    outs(%A : tensor<?x?xf64>) {
  ^bb0(%b: f64, %c: f64, %a: f64):
    %1 = arith.mulf %b, %c : f64
    %2 = arith.addf %a, %1 : f64
    linalg.yield %2 : f64
  } -> tensor<?x?xf64>
  return %0 : tensor<?x?xf64>
}
