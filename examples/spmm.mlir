// A(i, j) += B(i, k) C(k, j)
// baco-tune-driver spmm.mlir --arg='spmm:0=uniform(extents=20000x20000,entries=200000)'
// or, with entries of your own, --arg=spmm:0=@matrix.mtx
#CSR = #sparse_tensor.encoding<{
  map = (d0, d1) -> (d0 : dense, d1 : compressed), posWidth = 32, crdWidth = 32 }>
func.func @spmm(%B: tensor<?x?xf64, #CSR>, %C: tensor<?x256xf64>,
                %A: tensor<?x256xf64>) -> tensor<?x256xf64> {
  %0 = linalg.generic {
      indexing_maps = [affine_map<(i, j, k) -> (i, k)>,
                       affine_map<(i, j, k) -> (k, j)>,
                       affine_map<(i, j, k) -> (i, j)>],
      iterator_types = ["parallel", "parallel", "reduction"]}
    ins(%B, %C : tensor<?x?xf64, #CSR>, tensor<?x256xf64>)
    outs(%A : tensor<?x256xf64>) {
  ^bb0(%b: f64, %c: f64, %a: f64):
    %1 = arith.mulf %b, %c : f64
    %2 = arith.addf %a, %1 : f64
    linalg.yield %2 : f64
  } -> tensor<?x256xf64>
  return %0 : tensor<?x256xf64>
}
