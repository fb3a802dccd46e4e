// A(p) += B(i, j, p) C(i, k) D(j, k), where p is the number of the entry
// baco-tune-driver sddmm.mlir '--arg=sddmm:0=numbered(MATRIX)'
#Sampled = #sparse_tensor.encoding<{
  map = (d0, d1, d2) -> (d0 : dense, d1 : compressed(nonunique),
                         d2 : singleton(soa)), posWidth = 32, crdWidth = 32 }>
func.func @sddmm(%B: tensor<?x?x?xf64, #Sampled>, %C: tensor<?x256xf64>,
                 %D: tensor<?x256xf64>, %A: tensor<?xf64>) -> tensor<?xf64> {
  %0 = linalg.generic {
      indexing_maps = [affine_map<(i, j, p, k) -> (i, j, p)>,
                       affine_map<(i, j, p, k) -> (i, k)>,
                       affine_map<(i, j, p, k) -> (j, k)>,
                       affine_map<(i, j, p, k) -> (p)>],
      iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
    ins(%B, %C, %D : tensor<?x?x?xf64, #Sampled>, tensor<?x256xf64>,
                     tensor<?x256xf64>)
    outs(%A : tensor<?xf64>) {
  ^bb0(%b: f64, %c: f64, %d: f64, %a: f64):
    %1 = arith.mulf %b, %c : f64
    %2 = arith.mulf %1, %d : f64
    %3 = arith.addf %a, %2 : f64
    linalg.yield %3 : f64
  } -> tensor<?xf64>
  return %0 : tensor<?xf64>
}
