// A sum over the entries of a row takes vectors of 256 bits, whatever the machine's
// are, where rows have two of them on average. Of tensors that nobody has given
// nothing is known.
// RUN: baco-opt %s --baco-annotate=host=vector-bytes=64 | FileCheck %s

#CSR = #sparse_tensor.encoding<{
  map = (d0, d1) -> (d0 : dense, d1 : compressed), posWidth = 32, crdWidth = 32 }>
#CSC = #sparse_tensor.encoding<{
  map = (d0, d1) -> (d1 : dense, d0 : compressed), posWidth = 32, crdWidth = 32 }>

// CHECK-LABEL: @long
// CHECK: vl = {{[^>]*>}}, default = 4>
// CHECK-SAME: peel = {{[^>]*>}}, default = 1>
// CHECK-SAME: advisory "peel == 0 || vl * unroll <= 32"
func.func @long(%b: tensor<128x128xf64, #CSR> {baco.input = {tensor = "banded(rows=128, width=4, fill=1)"}},
                %x: tensor<128xf64>, %y: tensor<128xf64>) -> tensor<128xf64> {
  %r = linalg.matvec ins(%b, %x : tensor<128x128xf64, #CSR>, tensor<128xf64>)
                     outs(%y : tensor<128xf64>) -> tensor<128xf64>
  return %r : tensor<128xf64>
}

// CHECK-LABEL: @short
// CHECK: vl = {{[^>]*>}}, default = 0>
// CHECK-SAME: peel = {{[^>]*>}}, default = 0>
func.func @short(%b: tensor<128x128xf64, #CSR> {baco.input = {tensor = "banded(rows=128, width=3, fill=1)"}},
                 %x: tensor<128xf64>, %y: tensor<128xf64>) -> tensor<128xf64> {
  %r = linalg.matvec ins(%b, %x : tensor<128x128xf64, #CSR>, tensor<128xf64>)
                     outs(%y : tensor<128xf64>) -> tensor<128xf64>
  return %r : tensor<128xf64>
}

// CHECK-LABEL: @unknown
// CHECK: vl = {{[^>]*>}}, default = 0>
func.func @unknown(%b: tensor<128x128xf64, #CSR>, %x: tensor<128xf64>, %y: tensor<128xf64>) -> tensor<128xf64> {
  %r = linalg.matvec ins(%b, %x : tensor<128x128xf64, #CSR>, tensor<128xf64>)
                     outs(%y : tensor<128xf64>) -> tensor<128xf64>
  return %r : tensor<128xf64>
}

// Twice as many elements fit a vector.
// CHECK-LABEL: @single
// CHECK: vl = {{[^>]*>}}, default = 8>
func.func @single(%b: tensor<128x128xf32, #CSR> {baco.input = {tensor = "banded(rows=128, width=8, fill=1)"}},
                  %x: tensor<128xf32>, %y: tensor<128xf32>) -> tensor<128xf32> {
  %r = linalg.matvec ins(%b, %x : tensor<128x128xf32, #CSR>, tensor<128xf32>)
                     outs(%y : tensor<128xf32>) -> tensor<128xf32>
  return %r : tensor<128xf32>
}

// The entries of a column are added to elements of their own.
// CHECK-LABEL: @columns
// CHECK: vl = {{[^>]*>}}, default = 0>
func.func @columns(%b: tensor<128x128xf64, #CSC> {baco.input = {tensor = "banded(rows=128, width=20, fill=1)"}},
                   %x: tensor<128xf64>, %y: tensor<128xf64>) -> tensor<128xf64> {
  %r = linalg.matvec ins(%b, %x : tensor<128x128xf64, #CSC>, tensor<128xf64>)
                     outs(%y : tensor<128xf64>) -> tensor<128xf64>
  return %r : tensor<128xf64>
}

// Sums of a dense row are two vectors, and four if these have four rounds at least.
#COO = #sparse_tensor.encoding<{
  map = (d0, d1, d2) -> (d0 : dense, d1 : compressed(nonunique), d2 : singleton(soa)) }>
#entries = {
  indexing_maps = [affine_map<(i, j, p, k) -> (i, j, p)>, affine_map<(i, j, p, k) -> (i, k)>,
                   affine_map<(i, j, p, k) -> (j, k)>, affine_map<(i, j, p, k) -> (p)>],
  iterator_types = ["reduction", "reduction", "parallel", "reduction"]
}
// CHECK-LABEL: @products
// CHECK: vl = {{[^>]*>}}, default = 16>
// CHECK-SAME: factor = {{[^>]*>}}, default = 1>
func.func @products(%b: tensor<64x48x90xf64, #COO>, %c: tensor<64x64xf64>, %d: tensor<48x64xf64>, %a: tensor<90xf64>) -> tensor<90xf64> {
  %0 = linalg.generic #entries ins(%b, %c, %d : tensor<64x48x90xf64, #COO>, tensor<64x64xf64>, tensor<48x64xf64>) outs(%a : tensor<90xf64>) {
  ^bb0(%value: f64, %left: f64, %right: f64, %sum: f64):
    %1 = arith.mulf %value, %left : f64
    %2 = arith.mulf %1, %right : f64
    %3 = arith.addf %sum, %2 : f64
    linalg.yield %3 : f64
  } -> tensor<90xf64>
  return %0 : tensor<90xf64>
}
// CHECK-LABEL: @longer
// CHECK: vl = {{[^>]*>}}, default = 32>
func.func @longer(%b: tensor<64x48x90xf64, #COO>, %c: tensor<64x256xf64>, %d: tensor<48x256xf64>, %a: tensor<90xf64>) -> tensor<90xf64> {
  %0 = linalg.generic #entries ins(%b, %c, %d : tensor<64x48x90xf64, #COO>, tensor<64x256xf64>, tensor<48x256xf64>) outs(%a : tensor<90xf64>) {
  ^bb0(%value: f64, %left: f64, %right: f64, %sum: f64):
    %1 = arith.mulf %value, %left : f64
    %2 = arith.mulf %1, %right : f64
    %3 = arith.addf %sum, %2 : f64
    linalg.yield %3 : f64
  } -> tensor<90xf64>
  return %0 : tensor<90xf64>
}
