// What takes no longer than its call isn't searched, whatever its type.
// RUN: baco-tune-driver %s --budget=20 --output-dir=%t %quick | FileCheck %s
// RUN: baco-tune-driver %s --entry=floats --budget=20 --output-dir=%t %quick | FileCheck %s --check-prefix=ONE

// CHECK: kernel
// CHECK: 3 evaluations in
// CHECK: floats, integers, bytes: the plain lowering takes no longer than its call: only the default was tried

// ONE: floats: 1 evaluation
// ONE: the plain lowering takes no longer than its call: only the default was tried
func.func @floats(%A: memref<1x2xf32>, %B: memref<2x1xf32>, %C: memref<1x1xf32>) {
  linalg.matmul ins(%A, %B : memref<1x2xf32>, memref<2x1xf32>) outs(%C : memref<1x1xf32>)
  return
}
func.func @integers(%A: memref<1x2xi32>, %B: memref<2x1xi32>, %C: memref<1x1xi32>) {
  linalg.matmul ins(%A, %B : memref<1x2xi32>, memref<2x1xi32>) outs(%C : memref<1x1xi32>)
  return
}
func.func @bytes(%A: memref<1x2xi8>, %B: memref<2x1xi8>, %C: memref<1x1xi8>) {
  linalg.matmul ins(%A, %B : memref<1x2xi8>, memref<2x1xi8>) outs(%C : memref<1x1xi8>)
  return
}
