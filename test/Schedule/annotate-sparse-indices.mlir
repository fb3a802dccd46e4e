// What is offered follows from how operands are indexed. Expanding checks that
// each value of a knob suits the others.
// RUN: baco-opt %s --baco-annotate --baco-expand-recipes | FileCheck %s

// A window's loops aren't split: their index isn't the iterator alone.
// CHECK-LABEL: sym_name = "conv"
// CHECK: transform.tune.knob<"order"> options = #baco.permutation<4>
// CHECK-NOT: transform.tune.knob<"tile

// A vector has at most two levels.
// CHECK: sym_name = "dot"
// CHECK: transform.tune.knob<"format"> options = #baco.categorical<["csf", "coo", "dense-csf"]>
// CHECK: transform.tune.knob<"tile0">

#DCSR = #sparse_tensor.encoding<{ map = (d0, d1) -> (d0 : compressed, d1 : compressed) }>
#Vector = #sparse_tensor.encoding<{ map = (d0) -> (d0 : compressed) }>
func.func @conv(%x: tensor<66x66xf64>, %f: tensor<3x3xf64, #DCSR>,
                %o: tensor<64x64xf64>) -> tensor<64x64xf64> {
  %0 = linalg.conv_2d ins(%x, %f : tensor<66x66xf64>, tensor<3x3xf64, #DCSR>)
    outs(%o : tensor<64x64xf64>) -> tensor<64x64xf64>
  return %0 : tensor<64x64xf64>
}
func.func @dot(%x: tensor<4096xf64, #Vector>, %y: tensor<4096xf64>,
               %o: tensor<f64>) -> tensor<f64> {
  %0 = linalg.dot ins(%x, %y : tensor<4096xf64, #Vector>, tensor<4096xf64>)
    outs(%o : tensor<f64>) -> tensor<f64>
  return %0 : tensor<f64>
}
