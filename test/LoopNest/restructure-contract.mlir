// RUN: baco-opt %s --transform-interpreter --split-input-file | FileCheck %s

// Candidates are measured with fused multiplications and additions: a
// restructured nest carries the flag that allows this, for later compilation.

// CHECK-LABEL: func.func @sums
// CHECK:         arith.mulf %{{.*}}, %{{.*}} fastmath<contract> : f32
// CHECK:         arith.addf %{{.*}}, %{{.*}} fastmath<reassoc,contract> : f32
// CHECK:         arith.divf %{{.*}}, %{{.*}} : f32
// CHECK:         arith.addi %{{.*}}, %{{.*}} : i32
module attributes {transform.with_named_sequence} {
func.func @sums(%A: memref<64xf32>, %B: memref<64xf32>, %n: memref<64xi32>) {
  affine.for %i = 0 to 64 {
    %a = affine.load %A[%i] : memref<64xf32>
    %b = affine.load %B[%i] : memref<64xf32>
    %p = arith.mulf %a, %b : f32
    %s = arith.addf %p, %b fastmath<reassoc> : f32
    %q = arith.divf %s, %a : f32
    affine.store %q, %B[%i] : memref<64xf32>
    %c = affine.load %n[%i] : memref<64xi32>
    %d = arith.addi %c, %c : i32
    affine.store %d, %n[%i] : memref<64xi32>
  }
  return
}
transform.named_sequence @__transform_main(%root: !transform.any_op) {
  %f = transform.structured.match ops{["func.func"]} in %root
      : (!transform.any_op) -> !transform.any_op
  %new = transform.baco.restructure %f "reverse(0,1)"
      : (!transform.any_op) -> !transform.any_op
  transform.yield
}
}

// -----

// CHECK-LABEL: func.func @strict
// CHECK:         arith.mulf %{{.*}}, %{{.*}} : f32
// CHECK:         arith.addf %{{.*}}, %{{.*}} : f32
module attributes {transform.with_named_sequence} {
func.func @strict(%A: memref<64xf32>, %B: memref<64xf32>) {
  affine.for %i = 0 to 64 {
    %a = affine.load %A[%i] : memref<64xf32>
    %b = affine.load %B[%i] : memref<64xf32>
    %p = arith.mulf %a, %b : f32
    %s = arith.addf %p, %b : f32
    affine.store %s, %B[%i] : memref<64xf32>
  }
  return
}
transform.named_sequence @__transform_main(%root: !transform.any_op) {
  %f = transform.structured.match ops{["func.func"]} in %root
      : (!transform.any_op) -> !transform.any_op
  %new = transform.baco.restructure %f strict "reverse(0,1)"
      : (!transform.any_op) -> !transform.any_op
  transform.yield
}
}
