// What can't be scheduled is left as it was, and the remark says why.
// RUN: baco-opt %s --baco-annotate --split-input-file --verify-diagnostics | FileCheck %s
// CHECK-NOT: baco.recipe

func.func @dynamic(%a: memref<?x8xf32>, %b: memref<8x8xf32>,
                   %c: memref<?x8xf32>) {
  // expected-remark @below {{no automatic recipe: its shape is dynamic}}
  linalg.matmul ins(%a, %b : memref<?x8xf32>, memref<8x8xf32>)
                outs(%c : memref<?x8xf32>)
  return
}

// -----

func.func @tensors(%a: tensor<?x8xf32>, %b: tensor<8x8xf32>,
                   %c: tensor<?x8xf32>) -> tensor<?x8xf32> {
  // expected-remark @below {{no automatic recipe: its shape is dynamic}}
  %0 = linalg.matmul ins(%a, %b : tensor<?x8xf32>, tensor<8x8xf32>)
                     outs(%c : tensor<?x8xf32>) -> tensor<?x8xf32>
  return %0 : tensor<?x8xf32>
}

// -----

func.func @complex(%a: memref<8x8xcomplex<f32>>, %b: memref<8x8xcomplex<f32>>,
                   %c: memref<8x8xcomplex<f32>>) {
  // expected-remark @below {{elements must be integers, indices or floating-point numbers}}
  linalg.matmul ins(%a, %b : memref<8x8xcomplex<f32>>, memref<8x8xcomplex<f32>>)
                outs(%c : memref<8x8xcomplex<f32>>)
  return
}

// -----

func.func @empty(%a: memref<8x0xf32>, %b: memref<0x8xf32>,
                 %c: memref<8x8xf32>) {
  // expected-remark @below {{no automatic recipe: it is empty}}
  linalg.matmul ins(%a, %b : memref<8x0xf32>, memref<0x8xf32>)
                outs(%c : memref<8x8xf32>)
  return
}

// -----

func.func @huge(%a: memref<4294967296x4294967296xf32>,
                %b: memref<4294967296x4294967296xf32>,
                %c: memref<4294967296x4294967296xf32>) {
  // expected-remark @below {{no automatic recipe: it is too large: an operand exceeds the address space}}
  linalg.matmul ins(%a, %b : memref<4294967296x4294967296xf32>, memref<4294967296x4294967296xf32>)
                outs(%c : memref<4294967296x4294967296xf32>)
  return
}

// -----

func.func private @unknown(f32) -> f32

#id = affine_map<(i) -> (i)>
func.func @call(%a: memref<2048xf32>) {
  // expected-remark @below {{no automatic recipe: 'func.call' in its body has no form for vectors}}
  linalg.generic {indexing_maps = [#id], iterator_types = ["parallel"]}
    outs(%a : memref<2048xf32>) {
  ^bb0(%x: f32):
    %y = func.call @unknown(%x) : (f32) -> f32
    linalg.yield %y : f32
  }
  return
}

// -----

// What a search would gain nothing for is left alone without a remark.
func.func @trivial(%x: f32, %a: memref<64x64xf32>, %b: memref<64x64xf32>,
                   %c: memref<100xf32>) {
  linalg.fill ins(%x : f32) outs(%a : memref<64x64xf32>)
  linalg.copy ins(%a : memref<64x64xf32>) outs(%b : memref<64x64xf32>)
  linalg.exp ins(%c : memref<100xf32>) outs(%c : memref<100xf32>)
  return
}

// -----

func.func @softmaxes(%a: memref<64x64xi32>, %b: memref<?x64xf32>,
                     %c: memref<0x64xf32>, %e: memref<8x8xf32>) {
  // expected-remark @below {{no automatic recipe: only a softmax of floating-point numbers can be lowered to loops}}
  linalg.softmax dimension(1) ins(%a : memref<64x64xi32>) outs(%a : memref<64x64xi32>)
  // expected-remark @below {{no automatic recipe: its shape is dynamic}}
  linalg.softmax dimension(1) ins(%b : memref<?x64xf32>) outs(%b : memref<?x64xf32>)
  // expected-remark @below {{no automatic recipe: it is empty}}
  linalg.softmax dimension(1) ins(%c : memref<0x64xf32>) outs(%c : memref<0x64xf32>)
  linalg.softmax dimension(1) ins(%e : memref<8x8xf32>) outs(%e : memref<8x8xf32>)
  return
}

// -----

func.func @softmax_of_tensors(%d: tensor<?x64xf32>) -> tensor<?x64xf32> {
  // expected-remark @below {{no automatic recipe: its shape is dynamic}}
  %f = linalg.softmax dimension(1) ins(%d : tensor<?x64xf32>) outs(%d : tensor<?x64xf32>) -> tensor<?x64xf32>
  return %f : tensor<?x64xf32>
}

// -----

module {
  module @inner {
    func.func @matmul(%a: memref<64x64xf32>, %b: memref<64x64xf32>,
                      %c: memref<64x64xf32>) {
      %zero = arith.constant 0.0 : f32
      linalg.fill ins(%zero : f32) outs(%c : memref<64x64xf32>)
      // expected-remark @below {{no automatic recipe: it is not in a func.func of the outermost module, so that a schedule can't find it}}
      linalg.matmul ins(%a, %b : memref<64x64xf32>, memref<64x64xf32>)
                    outs(%c : memref<64x64xf32>)
      // expected-remark @below {{no automatic recipe: it is not in a func.func of the outermost module}}
      affine.for %i = 0 to 64 {
        affine.store %zero, %c[%i, %i] : memref<64x64xf32>
      }
      return
    }
  }
}
