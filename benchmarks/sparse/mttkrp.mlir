// A(i, j) += B(i, k, l, m) C(k, j) D(l, j) E(m, j)
// baco-tune-driver mttkrp.mlir --arg=mttkrp:0=@TENSOR
#CSF = #sparse_tensor.encoding<{
  map = (d0, d1, d2, d3) -> (d0 : dense, d1 : compressed, d2 : compressed,
                             d3 : compressed), posWidth = 32, crdWidth = 32 }>
func.func @mttkrp(%B: tensor<?x?x?x?xf64, #CSF>, %C: tensor<?x32xf64>,
                  %D: tensor<?x32xf64>, %E: tensor<?x32xf64>,
                  %A: tensor<?x32xf64>) -> tensor<?x32xf64> {
  %0 = linalg.generic {
      indexing_maps = [affine_map<(i, j, k, l, m) -> (i, k, l, m)>,
                       affine_map<(i, j, k, l, m) -> (k, j)>,
                       affine_map<(i, j, k, l, m) -> (l, j)>,
                       affine_map<(i, j, k, l, m) -> (m, j)>,
                       affine_map<(i, j, k, l, m) -> (i, j)>],
      iterator_types = ["parallel", "parallel", "reduction", "reduction",
                        "reduction"]}
    ins(%B, %C, %D, %E : tensor<?x?x?x?xf64, #CSF>, tensor<?x32xf64>,
                         tensor<?x32xf64>, tensor<?x32xf64>)
    outs(%A : tensor<?x32xf64>) {
  ^bb0(%b: f64, %c: f64, %d: f64, %e: f64, %a: f64):
    %1 = arith.mulf %b, %c : f64
    %2 = arith.mulf %1, %d : f64
    %3 = arith.mulf %2, %e : f64
    %4 = arith.addf %a, %3 : f64
    linalg.yield %4 : f64
  } -> tensor<?x32xf64>
  return %0 : tensor<?x32xf64>
}
