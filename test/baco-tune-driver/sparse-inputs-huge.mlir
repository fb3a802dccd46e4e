// A sparse tensor may have more places than 64 bits count: its entries are made
// up as those of others, and their number is known.
// RUN: rm -rf %t && mkdir %t
// RUN: baco-tune-driver %s --output-dir=%t --emit-space=- 2>&1 | FileCheck %s
// CHECK: remark: the entries of argument 0 are made up by uniform(extents=4294967296x4294967296x4294967296, entries=1048576); give them by --arg=total:0=@FILE
// CHECK: positions up to 1048576, the number of entries, need 32 bits
#CSF = #sparse_tensor.encoding<{
  map = (d0, d1, d2) -> (d0 : compressed, d1 : compressed, d2 : compressed) }>
func.func @total(%B: tensor<4294967296x4294967296x4294967296xf64, #CSF>,
                 %y: tensor<f64>) -> tensor<f64> {
  %0 = linalg.generic {
      indexing_maps = [affine_map<(i, j, k) -> (i, j, k)>, affine_map<(i, j, k) -> ()>],
      iterator_types = ["reduction", "reduction", "reduction"]}
    ins(%B : tensor<4294967296x4294967296x4294967296xf64, #CSF>)
    outs(%y : tensor<f64>) {
  ^bb0(%b: f64, %a: f64):
    %1 = arith.addf %a, %b : f64
    linalg.yield %1 : f64
  } -> tensor<f64>
  return %0 : tensor<f64>
}
