// Poison may be another value in each lowering, and decide about results.
// RUN: baco-opt %s --baco-lower-front-ends 2>%t.remarks | FileCheck %s
// RUN: FileCheck %s --input-file=%t.remarks --check-prefix=REMARK

// REMARK: remark: made 2 poison values zero

// CHECK-LABEL: @start
// CHECK-DAG:   arith.constant 0.0
// CHECK-DAG:   tensor.empty() : tensor<8xf32>
// CHECK-NOT:   ub.poison
func.func @start(%a: memref<8xf32>, %r: memref<f32>) -> tensor<8xf32> {
  %one = arith.constant 1.0 : f32
  %start = ub.poison : f32
  %t = ub.poison : tensor<8xf32>
  %f = linalg.fill ins(%one : f32) outs(%t : tensor<8xf32>) -> tensor<8xf32>
  %max = affine.for %i = 0 to 8 iter_args(%m = %start) -> f32 {
    %x = affine.load %a[%i] : memref<8xf32>
    %n = arith.maximumf %m, %x : f32
    affine.yield %n : f32
  }
  affine.store %max, %r[] : memref<f32>
  return %f : tensor<8xf32>
}
