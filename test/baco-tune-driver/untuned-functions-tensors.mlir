// A schedule on tensors bufferizes the whole module, which is no change of other
// functions that one should know of: what they compute stays. By costs, a
// schedule is always kept.
// RUN: rm -rf %t && mkdir %t
// RUN: baco-tune-driver %s --entry=product --evaluator=static --budget=1 \
// RUN:   --seed=1 --output-dir=%t 2>&1 | FileCheck %s
// RUN: FileCheck %s --input-file=%t/untuned-functions-tensors.tuned.mlir --check-prefix=TUNED

// CHECK-NOT: warning: the schedule
// CHECK:     wrote
// TUNED: func.func @main({{.*}}tensor<16x16xf32>) -> tensor<16x16xf32>
func.func private @product(%A: tensor<16x16xf32>, %B: tensor<16x16xf32>)
    -> tensor<16x16xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<16x16xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<16x16xf32>)
      -> tensor<16x16xf32>
  %r = linalg.matmul ins(%A, %B : tensor<16x16xf32>, tensor<16x16xf32>)
      outs(%init : tensor<16x16xf32>) -> tensor<16x16xf32>
  return %r : tensor<16x16xf32>
}
func.func @main(%A: tensor<16x16xf32>) -> tensor<16x16xf32> {
  %one = arith.constant 1.0 : f32
  %0 = arith.constant 0 : index
  %B = tensor.insert %one into %A[%0, %0] : tensor<16x16xf32>
  %r = call @product(%A, %B)
      : (tensor<16x16xf32>, tensor<16x16xf32>) -> tensor<16x16xf32>
  %x = tensor.extract %r[%0, %0] : tensor<16x16xf32>
  vector.print %x : f32
  return %r : tensor<16x16xf32>
}
