// A function with many groups of ops is taken apart, as a model has to be;
// equal parts have equal kernels.
// RUN: baco-opt %s --baco-outline-kernels 2>%t.err | FileCheck %s
// RUN: FileCheck %s --check-prefix=REMARK --input-file=%t.err
// RUN: rm -rf %t
// RUN: baco-tune-driver %s --budget=20 --seed=1 --output-dir=%t --trial-time=2 --final-time=10 2>/dev/null \
// RUN:   | FileCheck %s --check-prefix=TUNED

// REMARK: remark: 'model' has 9 groups of ops, which are tuned apart; these parts of it can be tuned: '@model_matmul', {{.*}}'@model_matmul_7'
// REMARK-NOT: 'few'

// CHECK-LABEL: func.func @model
// CHECK-SAME:  attributes {baco.no_tune}
// CHECK-COUNT-9: call @model_matmul
// CHECK-LABEL: func.func @few
// CHECK:       linalg.matmul

// TUNED: model_matmul_0: the same kernel as model_matmul
func.func @model(%A: memref<32x32xf32>, %B: memref<32x32xf32>, %C: memref<32x32xf32>) {
  linalg.matmul ins(%A, %B : memref<32x32xf32>, memref<32x32xf32>) outs(%C : memref<32x32xf32>)
  linalg.matmul ins(%A, %B : memref<32x32xf32>, memref<32x32xf32>) outs(%C : memref<32x32xf32>)
  linalg.matmul ins(%A, %B : memref<32x32xf32>, memref<32x32xf32>) outs(%C : memref<32x32xf32>)
  linalg.matmul ins(%A, %B : memref<32x32xf32>, memref<32x32xf32>) outs(%C : memref<32x32xf32>)
  linalg.matmul ins(%A, %B : memref<32x32xf32>, memref<32x32xf32>) outs(%C : memref<32x32xf32>)
  linalg.matmul ins(%A, %B : memref<32x32xf32>, memref<32x32xf32>) outs(%C : memref<32x32xf32>)
  linalg.matmul ins(%A, %B : memref<32x32xf32>, memref<32x32xf32>) outs(%C : memref<32x32xf32>)
  linalg.matmul ins(%A, %B : memref<32x32xf32>, memref<32x32xf32>) outs(%C : memref<32x32xf32>)
  linalg.matmul ins(%A, %B : memref<32x32xf32>, memref<32x32xf32>) outs(%C : memref<32x32xf32>)
  return
}

func.func @few(%A: memref<32x32xf32>, %B: memref<32x32xf32>, %C: memref<32x32xf32>) {
  linalg.matmul ins(%A, %B : memref<32x32xf32>, memref<32x32xf32>) outs(%C : memref<32x32xf32>)
  return
}
