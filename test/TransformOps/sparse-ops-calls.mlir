// RUN: baco-opt %s --transform-interpreter | FileCheck %s

// Only calls of this function convert what they pass, not those of one of the
// same name in another module.

#CSR = #sparse_tensor.encoding<{ map = (d0, d1) -> (d0 : dense, d1 : compressed) }>
module attributes {transform.with_named_sequence} {
  func.func @f(%B: tensor<64x48xf64, #CSR>, %C: tensor<48x16xf64>,
               %A: tensor<64x16xf64>) -> tensor<64x16xf64> {
    %0 = linalg.matmul ins(%B, %C : tensor<64x48xf64, #CSR>, tensor<48x16xf64>)
      outs(%A : tensor<64x16xf64>) -> tensor<64x16xf64>
    return %0 : tensor<64x16xf64>
  }
  // CHECK-LABEL: @caller
  // CHECK: sparse_tensor.convert
  // CHECK-NEXT: call @f
  func.func @caller(%B: tensor<64x48xf64, #CSR>, %C: tensor<48x16xf64>,
                    %A: tensor<64x16xf64>) -> tensor<64x16xf64> {
    %0 = call @f(%B, %C, %A) : (tensor<64x48xf64, #CSR>, tensor<48x16xf64>, tensor<64x16xf64>) -> tensor<64x16xf64>
    return %0 : tensor<64x16xf64>
  }
  module @other {
    // CHECK-LABEL: @other_caller
    // CHECK-NOT: sparse_tensor.convert
    func.func private @f(tensor<64x48xf64, #CSR>)
    func.func @other_caller(%B: tensor<64x48xf64, #CSR>) {
      call @f(%B) : (tensor<64x48xf64, #CSR>) -> ()
      return
    }
  }
  transform.named_sequence @__transform_main(%m: !transform.any_op {transform.readonly}) {
    %op = transform.structured.match ops{["linalg.matmul"]} in %m
      : (!transform.any_op) -> !transform.any_op
    transform.baco.sparsify %op {format = "coo", order = array<i64: 0, 2, 1>}
      : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}
