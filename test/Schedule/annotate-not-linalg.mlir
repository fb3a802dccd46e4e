// For ops on tensors or memrefs that aren't linalg ops with iterators, a remark
// says how to make them such ops.
// RUN: baco-opt %s --baco-annotate --split-input-file --verify-diagnostics | FileCheck %s
// CHECK-NOT: baco.recipe

func.func @tosa(%a: tensor<1x64x64xf32>) -> tensor<1x64x64xf32> {
  %zero = "tosa.const"() <{values = dense<0.0> : tensor<1xf32>}> : () -> tensor<1xf32>
  // expected-remark @below {{no automatic recipe: it is not a linalg op; baco-opt --baco-lower-front-ends makes it one, or says why not}}
  %0 = tosa.matmul %a, %a, %zero, %zero : (tensor<1x64x64xf32>, tensor<1x64x64xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x64x64xf32>
  // expected-remark @below {{it is not a linalg op; baco-opt --baco-lower-front-ends}}
  %1 = tosa.tanh %0 : (tensor<1x64x64xf32>) -> tensor<1x64x64xf32>
  return %1 : tensor<1x64x64xf32>
}

// -----

func.func @elementwise(%a: tensor<64x64xf32>, %n: index) -> tensor<64x64xf32> {
  %two = arith.constant dense<2.0> : tensor<64x64xf32>
  %m = arith.addi %n, %n : index
  // expected-remark @below {{no automatic recipe: it is not a linalg op; baco-opt --baco-lower-front-ends makes it one, or says why not}}
  %0 = arith.mulf %a, %two : tensor<64x64xf32>
  return %0 : tensor<64x64xf32>
}

// -----

func.func @pack(%a: tensor<64x64xf32>, %b: tensor<8x8x8x8xf32>) -> tensor<8x8x8x8xf32> {
  // expected-remark @below {{no automatic recipe: it can't be lowered to loops; baco-opt --baco-lower-front-ends makes it a transposition, or says why not}}
  %0 = linalg.pack %a inner_dims_pos = [0, 1] inner_tiles = [8, 8] into %b : tensor<64x64xf32> -> tensor<8x8x8x8xf32>
  return %0 : tensor<8x8x8x8xf32>
}

// -----

// Bufferization leaves nothing of it.
func.func @empty(%a: tensor<0x64xf32>, %b: tensor<64x64xf32>, %c: tensor<0x64xf32>) -> tensor<0x64xf32> {
  // expected-remark @below {{no automatic recipe: it is empty}}
  %0 = linalg.matmul ins(%a, %b : tensor<0x64xf32>, tensor<64x64xf32>)
                     outs(%c : tensor<0x64xf32>) -> tensor<0x64xf32>
  return %0 : tensor<0x64xf32>
}
