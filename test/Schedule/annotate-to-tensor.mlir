// RUN: baco-opt %s --baco-annotate -split-input-file -verify-diagnostics | FileCheck %s

// CHECK-LABEL: func @unrestricted
// CHECK-NOT: baco.recipe
func.func @unrestricted(%a: memref<128x128xf32>, %b: memref<128x128xf32>) {
  // expected-remark @below {{no automatic recipe: its function can't be bufferized without 'restrict' on it, which promises that nothing else reads or writes the memref; add that if it is so}}
  %tensor = bufferization.to_tensor %a : memref<128x128xf32> to tensor<128x128xf32>
  %empty = tensor.empty() : tensor<128x128xf32>
  %square = linalg.square ins(%tensor : tensor<128x128xf32>)
    outs(%empty : tensor<128x128xf32>) -> tensor<128x128xf32>
  bufferization.materialize_in_destination %square in writable %b
    : (tensor<128x128xf32>, memref<128x128xf32>) -> ()
  return
}

// -----

// CHECK-LABEL: func @restricted
// CHECK: baco.recipe
func.func @restricted(%a: memref<128x128xf32>, %b: memref<128x128xf32>) {
  %tensor = bufferization.to_tensor %a restrict : memref<128x128xf32> to tensor<128x128xf32>
  %empty = tensor.empty() : tensor<128x128xf32>
  %square = linalg.square ins(%tensor : tensor<128x128xf32>)
    outs(%empty : tensor<128x128xf32>) -> tensor<128x128xf32>
  bufferization.materialize_in_destination %square in writable %b
    : (tensor<128x128xf32>, memref<128x128xf32>) -> ()
  return
}
