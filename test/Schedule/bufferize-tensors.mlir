// An op on tensors gets the recipe of the op on memrefs that it becomes, behind a
// `bufferize`; what can't be is told why.
// RUN: baco-opt %s --baco-annotate="host=vector-bytes=64,vector-registers=32,l1=49152,l2=2097152,l3=33554432" \
// RUN:   --split-input-file --verify-diagnostics | %one-line-recipes | FileCheck %s

// CHECK-LABEL: func.func @matmul
// CHECK-SAME:  tensor<64x48xf32>
// CHECK: linalg.fill ins
// CHECK: linalg.matmul {baco.recipe = #baco.recipe<[#baco.bufferize<>, #baco.loop_
// CHECK-NOT: baco.mark
func.func @matmul(%A: tensor<64x32xf32>, %B: tensor<32x48xf32>, %C: tensor<64x48xf32>) -> tensor<64x48xf32> {
  %zero = arith.constant 0.0 : f32
  %c = linalg.fill ins(%zero : f32) outs(%C : tensor<64x48xf32>) -> tensor<64x48xf32>
  %r = linalg.matmul ins(%A, %B : tensor<64x32xf32>, tensor<32x48xf32>)
                     outs(%c : tensor<64x48xf32>) -> tensor<64x48xf32>
  return %r : tensor<64x48xf32>
}

// -----

// Loop commands for a chain of two ops. A function on memrefs has nothing to put
// into memory.
// CHECK-LABEL: func.func @chain
// CHECK: linalg.exp {baco.recipe = #baco.recipe<[#baco.bufferize<>, #baco.loop_{{.*}}, nests = 2
// CHECK-NOT: baco.recipe
// CHECK-LABEL: func.func @memrefs
// CHECK: baco.recipe = #baco.recipe<[#baco.loop_
func.func @chain(%a: tensor<64x4096xf32>, %b: tensor<64x4096xf32>) -> tensor<64x4096xf32> {
  %e = tensor.empty() : tensor<64x4096xf32>
  %0 = linalg.exp ins(%a : tensor<64x4096xf32>) outs(%e : tensor<64x4096xf32>) -> tensor<64x4096xf32>
  %1 = linalg.add ins(%0, %b : tensor<64x4096xf32>, tensor<64x4096xf32>)
                  outs(%e : tensor<64x4096xf32>) -> tensor<64x4096xf32>
  return %1 : tensor<64x4096xf32>
}
func.func @memrefs(%a: memref<64x4096xf32>, %b: memref<64x4096xf32>) {
  linalg.exp ins(%a : memref<64x4096xf32>) outs(%b : memref<64x4096xf32>)
  return
}

// -----

// CHECK-LABEL: func.func @own
// CHECK-NOT: #baco.loop_
func.func @own(%a: tensor<64x4096xf32>) -> tensor<64x4096xf32> {
  // expected-remark @below {{no automatic recipe: the recipe of another op of its function does not begin with 'bufferize'}}
  %0 = linalg.exp ins(%a : tensor<64x4096xf32>) outs(%a : tensor<64x4096xf32>) -> tensor<64x4096xf32>
  %1 = linalg.abs {baco.recipe = #baco.recipe<[#baco.tile<sizes = [4, 0]>]>}
    ins(%0 : tensor<64x4096xf32>) outs(%0 : tensor<64x4096xf32>) -> tensor<64x4096xf32>
  return %1 : tensor<64x4096xf32>
}

// -----

// CHECK-LABEL: func.func @unknown
// CHECK-NOT: baco.recipe
func.func @unknown(%a: tensor<64x4096xf32>) -> tensor<64x4096xf32> {
  // expected-remark @below {{no automatic recipe: its function can't be bufferized: op was not bufferized}}
  %0 = linalg.exp ins(%a : tensor<64x4096xf32>) outs(%a : tensor<64x4096xf32>) -> tensor<64x4096xf32>
  %1 = builtin.unrealized_conversion_cast %0 : tensor<64x4096xf32> to tensor<64x4096xi32>
  %2 = builtin.unrealized_conversion_cast %1 : tensor<64x4096xi32> to tensor<64x4096xf32>
  return %2 : tensor<64x4096xf32>
}
