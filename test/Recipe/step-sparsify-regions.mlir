// Ops with regions restrict formats and orders to those for which upstream's
// loops compute the same.
// RUN: baco-opt %s --baco-expand-recipes | FileCheck %s

#CSR = #sparse_tensor.encoding<{ map = (d0, d1) -> (d0 : dense, d1 : compressed) }>

// Begins with the identity, or goes on with the result, which is the same.
// CHECK-DAG: "pos(order, 3) < pos(order, 1) || in(order[4], {0, 3})", "upstream begins 'sparse_tensor.reduce' with its identity inside of the loops of the result, so that iterator 1 must be inside of iterator 3, or one of these innermost"
// CHECK-DAG: "pos(order, 3) < pos(order, 2) || in(order[4], {0, 3}) || tile >= 32", "upstream begins {{.*}} iterator 2 must be inside of iterator 3, or
func.func @filled(%B: tensor<64x48xf64, #CSR>, %x: tensor<48x32xf64>) -> tensor<64xf64> {
  %far = arith.constant 1.0e10 : f64
  %same = arith.constant 1.0e10 : f64
  %e = tensor.empty() : tensor<64xf64>
  %f = linalg.fill ins(%same : f64) outs(%e : tensor<64xf64>) -> tensor<64xf64>
  %0 = linalg.generic {
      indexing_maps = [affine_map<(i, j, k) -> (i, j)>, affine_map<(i, j, k) -> (j, k)>, affine_map<(i, j, k) -> (i)>],
      iterator_types = ["parallel", "reduction", "reduction"]}
    ins(%B, %x : tensor<64x48xf64, #CSR>, tensor<48x32xf64>) outs(%f : tensor<64xf64>)
    attrs = {baco.recipe = #baco.recipe<[#baco.sparsify<format = "csf", order = #baco.knob<"order", #baco.permutation<5>>,
      tiles = [#baco.knob<"rows", #baco.ordinal<[4, 8]>>, 0, #baco.knob<"tile", #baco.ordinal<[8, 32]>>]>]>} {
  ^bb0(%b: f64, %c: f64, %a: f64):
    %1 = arith.mulf %b, %c : f64
    %2 = sparse_tensor.reduce %1, %a, %far : f64 {
      ^bb0(%l: f64, %r: f64):
        %s = arith.minimumf %l, %r : f64
        sparse_tensor.yield %s : f64
    }
    linalg.yield %2 : f64
  } -> tensor<64xf64>
  return %0 : tensor<64xf64>
}

// What is in the result before isn't known: rows without entries get the identity.
// CHECK-DAG: "pos(order2, 0) < pos(order2, 1)", "upstream begins 'sparse_tensor.reduce' with its identity inside of the loops of the result, so that iterator 1 must be inside of iterator 0"
// CHECK-DAG: "!(format2 == \22dcsr\22)", "format 'dcsr' visits other elements of the result than that of the type, and 'sparse_tensor.reduce' sets those to its identity; fill the result with it"
// CHECK-DAG: "!(format2 == \22dense\22)", "format 'dense' stores zeros elsewhere than that of the type, and 'sparse_tensor.reduce' treats them as entries"
// CHECK-NOT: format2 == \22csr\22), "format
func.func @unknown(%B: tensor<64x48xf64, #CSR>, %y: tensor<64xf64>) -> tensor<64xf64> {
  %far = arith.constant 1.0e10 : f64
  %0 = linalg.generic {
      indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>],
      iterator_types = ["parallel", "reduction"]}
    ins(%B : tensor<64x48xf64, #CSR>) outs(%y : tensor<64xf64>)
    attrs = {baco.recipe = #baco.recipe<[#baco.sparsify<format = #baco.knob<"format2", #baco.categorical<["csr", "dcsr", "dense"]>>,
      order = #baco.knob<"order2", #baco.permutation<2>>>]>} {
  ^bb0(%b: f64, %a: f64):
    %2 = sparse_tensor.reduce %b, %a, %far : f64 {
      ^bb0(%l: f64, %r: f64):
        %s = arith.minimumf %l, %r : f64
        sparse_tensor.yield %s : f64
    }
    linalg.yield %2 : f64
  } -> tensor<64xf64>
  return %0 : tensor<64xf64>
}

// In columns, the loop over rows is innermost.
// CHECK-DAG: "order3[1] == 0", "upstream begins 'sparse_tensor.reduce' with its identity inside of the loops of the result, unless one of these is innermost, as for the format of the type; fill the result with it"
#CSC = #sparse_tensor.encoding<{ map = (d0, d1) -> (d1 : dense, d0 : compressed) }>
func.func @columns(%B: tensor<64x48xf64, #CSC>, %y: tensor<64xf64>) -> tensor<64xf64> {
  %far = arith.constant 1.0e10 : f64
  %0 = linalg.generic {
      indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>],
      iterator_types = ["parallel", "reduction"]}
    ins(%B : tensor<64x48xf64, #CSC>) outs(%y : tensor<64xf64>)
    attrs = {baco.recipe = #baco.recipe<[#baco.sparsify<format = "csf", order = #baco.knob<"order3", #baco.permutation<2>>>]>} {
  ^bb0(%b: f64, %a: f64):
    %2 = sparse_tensor.reduce %b, %a, %far : f64 {
      ^bb0(%l: f64, %r: f64):
        %s = arith.minimumf %l, %r : f64
        sparse_tensor.yield %s : f64
    }
    linalg.yield %2 : f64
  } -> tensor<64xf64>
  return %0 : tensor<64xf64>
}

// CHECK-DAG: "!(format4 == \22dense\22)", "format 'dense' stores zeros elsewhere than that of the type, and 'sparse_tensor.unary' treats them as entries"
func.func @absent(%B: tensor<64x48xf64, #CSR>, %y: tensor<64x48xf64>) -> tensor<64x48xf64> {
  %one = arith.constant 1.0 : f64
  %0 = linalg.generic {
      indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>],
      iterator_types = ["parallel", "parallel"]}
    ins(%B : tensor<64x48xf64, #CSR>) outs(%y : tensor<64x48xf64>)
    attrs = {baco.recipe = #baco.recipe<[#baco.sparsify<format = #baco.knob<"format4", #baco.categorical<["csr", "dense"]>>,
      order = [0, 1]>]>} {
  ^bb0(%b: f64, %a: f64):
    %1 = sparse_tensor.unary %b : f64 to f64
      present = {
        ^bb0(%v: f64):
          %s = math.absf %v : f64
          sparse_tensor.yield %s : f64
      }
      absent = { sparse_tensor.yield %one : f64 }
    %2 = arith.addf %a, %1 : f64
    linalg.yield %2 : f64
  } -> tensor<64x48xf64>
  return %0 : tensor<64x48xf64>
}
