// What can't be outlined stays as it is, and a remark says why.
// RUN: baco-opt %s --baco-outline-kernels --split-input-file \
// RUN:   --verify-diagnostics | FileCheck %s

func.func private @print(f32)
// expected-remark @below {{'sum' can't be run alone, because it calls '@print', which is external; none of its parts can be tuned}}
func.func @sum(%A: memref<64x64xvector<4xf32>>) {
  %zero = arith.constant dense<0.0> : vector<4xf32>
  // CHECK: affine.for
  // expected-remark @below {{not tuned: it is vector code; loops that load and store single elements can be tuned, and get vectors}}
  %sum = affine.for %i = 0 to 64 iter_args(%s = %zero) -> vector<4xf32> {
    %row = affine.for %j = 0 to 64 iter_args(%t = %s) -> vector<4xf32> {
      %x = affine.load %A[%i, %j] : memref<64x64xvector<4xf32>>
      %y = arith.addf %t, %x : vector<4xf32>
      affine.yield %y : vector<4xf32>
    }
    affine.yield %row : vector<4xf32>
  }
  %first = vector.extract %sum[0] : f32 from vector<4xf32>
  call @print(%first) : (f32) -> ()
  return
}

// -----

// expected-remark @below {{'unranked' can't be run alone, because it prints; none of its parts can be tuned}}
func.func @unranked(%A: memref<*xf32>, %B: memref<64x64xf32, 3>) {
  // CHECK: linalg.matmul
  // expected-remark @below {{not tuned: it uses a value of type memref<64x64xf32, 3>}}
  linalg.matmul ins(%B, %B : memref<64x64xf32, 3>, memref<64x64xf32, 3>)
                outs(%B : memref<64x64xf32, 3>)
  vector.print str "done\n"
  return
}

// -----

// expected-remark @below {{ops on tensors in functions that can't be run alone are not tuned, because the module can't be bufferized: }}
module {
  // expected-remark @below {{'absolute' can't be run alone, because it prints; none of its parts can be tuned}}
  func.func @absolute(%x: tensor<64x64xf32>) -> tensor<64x64xf32> {
    %A = tosa.abs %x : (tensor<64x64xf32>) -> tensor<64x64xf32>
    vector.print str "done\n"
    // CHECK: linalg.matmul
    %C = linalg.matmul ins(%A, %A : tensor<64x64xf32>, tensor<64x64xf32>)
                       outs(%A : tensor<64x64xf32>) -> tensor<64x64xf32>
    return %C : tensor<64x64xf32>
  }
}

// -----

// Recipes say themselves what is to be tuned.
func.func @by_hand(%A: memref<64x64xf32>) {
  // CHECK: linalg.matmul {baco.recipe
  linalg.matmul {baco.recipe = #baco.recipe<[#baco.vectorize<>]>}
    ins(%A, %A : memref<64x64xf32>, memref<64x64xf32>) outs(%A : memref<64x64xf32>)
  vector.print str "done\n"
  return
}

// -----

// expected-remark @below {{because it calls '@update', which is external; if it is a part of a kernel, name its library in --shared-libs; none}}
func.func @updates(%A: memref<64x64xf32>) {
  affine.for %i = 0 to 64 {
    affine.for %j = 0 to 64 {
      %x = affine.load %A[%i, %j] : memref<64x64xf32>
      func.call @update(%A) : (memref<64x64xf32>) -> ()
      affine.store %x, %A[%j, %i] : memref<64x64xf32>
    }
  }
  return
}
func.func private @update(memref<64x64xf32>)
