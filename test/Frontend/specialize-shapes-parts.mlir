// A private function that is a part of its caller's version needs no shape of
// its own, so that no remark asks for one.
// RUN: baco-opt %s --baco-specialize-shapes="shape=predict:0=8x32" \
// RUN:   --verify-diagnostics | FileCheck %s

// CHECK-NOT:   @layer
// CHECK-LABEL: func.func @predict(
// CHECK:         call @predict_8x32(
// CHECK-LABEL: func.func private @predict_8x32(
// CHECK:         linalg.matmul {{.*}} tensor<8x32xf32>
// CHECK-NOT:   @layer
func.func private @layer(%x: tensor<?x32xf32>, %w: tensor<32x48xf32>)
    -> tensor<?x48xf32> {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f32
  %n = tensor.dim %x, %c0 : tensor<?x32xf32>
  %empty = tensor.empty(%n) : tensor<?x48xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<?x48xf32>)
    -> tensor<?x48xf32>
  %y = linalg.matmul ins(%x, %w : tensor<?x32xf32>, tensor<32x48xf32>)
                     outs(%init : tensor<?x48xf32>) -> tensor<?x48xf32>
  return %y : tensor<?x48xf32>
}

func.func @predict(%x: tensor<?x32xf32>, %w: tensor<32x48xf32>)
    -> tensor<?x48xf32> {
  %y = call @layer(%x, %w) : (tensor<?x32xf32>, tensor<32x48xf32>)
    -> tensor<?x48xf32>
  %r = linalg.sqrt ins(%y : tensor<?x48xf32>) outs(%y : tensor<?x48xf32>)
    -> tensor<?x48xf32>
  return %r : tensor<?x48xf32>
}

// A function that no version calls still asks.
// expected-remark @below {{say which shapes to tune: --shape=rest:0=}}
func.func private @rest(%x: tensor<?x32xf32>) -> tensor<?x32xf32> {
  %y = linalg.sqrt ins(%x : tensor<?x32xf32>) outs(%x : tensor<?x32xf32>)
    -> tensor<?x32xf32>
  return %y : tensor<?x32xf32>
}
