// All candidates that constraints leave of a reduction verify: those that begin
// it with its identity in each block of columns are known to be wrong.
// RUN: rm -rf %t && mkdir %t
// RUN: baco-tune-driver %s --arg='shortest:0=@uniform(extents=16x24,entries=40)' \
// RUN:   --optimizer=exhaustive --budget=1000 --trial-time=1 --final-time=5 --output-dir=%t 2>&1 | FileCheck %s
// RUN: baco-tune-driver %s --emit-space=- 2>&1 | FileCheck %s --check-prefix=SPACE
// CHECK: shortest: 16 evaluations{{$}}
// SPACE: upstream begins 'sparse_tensor.reduce' with its identity inside of the loops of the result

#CSR = #sparse_tensor.encoding<{ map = (d0, d1) -> (d0 : dense, d1 : compressed) }>
func.func @shortest(%B: tensor<16x24xf64, #CSR>, %x: tensor<24xf64>) -> tensor<16xf64> {
  %far = arith.constant 1.0e10 : f64
  %e = tensor.empty() : tensor<16xf64>
  %f = linalg.fill ins(%far : f64) outs(%e : tensor<16xf64>) -> tensor<16xf64>
  %0 = linalg.generic {
      indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (j)>,
                       affine_map<(i, j) -> (i)>],
      iterator_types = ["parallel", "reduction"]}
    ins(%B, %x : tensor<16x24xf64, #CSR>, tensor<24xf64>) outs(%f : tensor<16xf64>)
    attrs = {baco.recipe = #baco.recipe<[#baco.sparsify<
      format = #baco.knob<"format", #baco.categorical<["csr", "csc", "dcsr", "dcsc", "coo", "csf", "dense-csf"]>>,
      order = #baco.knob<"order", #baco.permutation<3>>, tiles = [0, #baco.knob<"tile", #baco.ordinal<[6, 24]>>]>]>} {
  ^bb0(%b: f64, %c: f64, %a: f64):
    %1 = sparse_tensor.binary %b, %c : f64, f64 to f64
      overlap = {
        ^bb0(%l: f64, %r: f64):
          %s = arith.addf %l, %r : f64
          sparse_tensor.yield %s : f64
      }
      left = {}
      right = {}
    %2 = sparse_tensor.reduce %1, %a, %far : f64 {
      ^bb0(%l: f64, %r: f64):
        %s = arith.minimumf %l, %r : f64
        sparse_tensor.yield %s : f64
    }
    linalg.yield %2 : f64
  } -> tensor<16xf64>
  return %0 : tensor<16xf64>
}
