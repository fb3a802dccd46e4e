// Ops with regions say what is computed of entries: the shortest step from each
// row, and products of what is stored only.
// RUN: rm -rf %t && mkdir %t
// RUN: baco-tune-driver %s --budget=2 --verbose --seed=1 --output-dir=%t 2>&1 | FileCheck %s
// CHECK-NOT: error:
// CHECK: shortest: {{[0-9]}} evaluation
// CHECK: speed-up
// CHECK: positive: {{[0-9]}} evaluation
// CHECK: speed-up
// CHECK-NOT: error:

#CSR = #sparse_tensor.encoding<{ map = (d0, d1) -> (d0 : dense, d1 : compressed) }>
func.func @shortest(%B: tensor<64x128xf64, #CSR>, %x: tensor<128xf64>,
                    %y: tensor<64xf64>) -> tensor<64xf64> {
  %far = arith.constant 1.0e10 : f64
  %0 = linalg.generic {
      indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (j)>,
                       affine_map<(i, j) -> (i)>],
      iterator_types = ["parallel", "reduction"]}
    ins(%B, %x : tensor<64x128xf64, #CSR>, tensor<128xf64>) outs(%y : tensor<64xf64>) {
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
  } -> tensor<64xf64>
  return %0 : tensor<64xf64>
}

func.func @positive(%B: tensor<64x128xf64, #CSR>, %x: tensor<64x128xf64>,
                    %y: tensor<64x128xf64>) -> tensor<64x128xf64> {
  %0 = linalg.generic {
      indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>,
                       affine_map<(i, j) -> (i, j)>],
      iterator_types = ["parallel", "parallel"]}
    ins(%B, %x : tensor<64x128xf64, #CSR>, tensor<64x128xf64>)
    outs(%y : tensor<64x128xf64>) {
  ^bb0(%b: f64, %c: f64, %a: f64):
    %1 = sparse_tensor.unary %b : f64 to f64
      present = {
        ^bb0(%v: f64):
          %s = math.absf %v : f64
          sparse_tensor.yield %s : f64
      }
      absent = {}
    %2 = arith.mulf %1, %c : f64
    linalg.yield %2 : f64
  } -> tensor<64x128xf64>
  return %0 : tensor<64x128xf64>
}
