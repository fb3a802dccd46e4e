// Functions on tensors that differ in their names only are planned once.
// RUN: baco-opt %s --baco-annotate --verify-diagnostics | %one-line-recipes | FileCheck %s

// CHECK-LABEL: func.func @first
// CHECK:       linalg.matmul {baco.recipe = [[RECIPE:#baco.recipe<.*>]]} ins
// CHECK-LABEL: func.func @other
// CHECK:       linalg.matmul {baco.recipe = #baco.recipe<
// CHECK-LABEL: func.func @second
// CHECK:       linalg.matmul {baco.recipe = [[RECIPE]]} ins
// CHECK:       linalg.exp ins
func.func @first(%a: tensor<64x64xf32>, %c: tensor<64x64xf32>, %x: tensor<?x64xf32>)
    -> (tensor<64x64xf32>, tensor<?x64xf32>) {
  %p = linalg.matmul ins(%a, %a : tensor<64x64xf32>, tensor<64x64xf32>)
                     outs(%c : tensor<64x64xf32>) -> tensor<64x64xf32>
  // Of the second one there is no remark.
  // expected-remark @below {{no automatic recipe: its shape is dynamic}}
  %e = linalg.exp ins(%x : tensor<?x64xf32>) outs(%x : tensor<?x64xf32>) -> tensor<?x64xf32>
  return %p, %e : tensor<64x64xf32>, tensor<?x64xf32>
}

func.func @other(%a: tensor<64x48xf32>, %b: tensor<48x64xf32>, %c: tensor<64x64xf32>)
    -> tensor<64x64xf32> {
  %p = linalg.matmul ins(%a, %b : tensor<64x48xf32>, tensor<48x64xf32>)
                     outs(%c : tensor<64x64xf32>) -> tensor<64x64xf32>
  return %p : tensor<64x64xf32>
}

func.func @second(%a: tensor<64x64xf32>, %c: tensor<64x64xf32>, %x: tensor<?x64xf32>)
    -> (tensor<64x64xf32>, tensor<?x64xf32>) {
  %p = linalg.matmul ins(%a, %a : tensor<64x64xf32>, tensor<64x64xf32>)
                     outs(%c : tensor<64x64xf32>) -> tensor<64x64xf32>
  %e = linalg.exp ins(%x : tensor<?x64xf32>) outs(%x : tensor<?x64xf32>) -> tensor<?x64xf32>
  return %p, %e : tensor<64x64xf32>, tensor<?x64xf32>
}
