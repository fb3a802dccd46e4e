// RUN: baco-opt %s --transform-interpreter | FileCheck %s

// A linalg op on memrefs stands for its loops, on its own or among others.

// CHECK-LABEL: func.func @op
// CHECK-NOT: linalg
// CHECK: affine.for %[[J:.*]] = 0 to 20 {
// CHECK-NEXT: affine.for %[[I:.*]] = 0 to 30 {
// CHECK: affine.load %{{.*}}[%[[I]], %[[J]]]
func.func @op(%a: memref<30x20xf32>, %b: memref<20x30xf32>) {
  linalg.transpose ins(%a : memref<30x20xf32>) outs(%b : memref<20x30xf32>)
    permutation = [1, 0]
  return
}

// The loop before the op and the op's own are fused.
// CHECK-LABEL: func.func @nest
// CHECK-NOT: linalg
// CHECK: affine.for
// CHECK-COUNT-2: affine.store
// CHECK-NOT: affine.for
// CHECK: return
func.func @nest(%a: memref<64xf32>, %b: memref<64xf32>) {
  %x = arith.constant 1.0 : f32
  affine.for %i = 0 to 64 {
    affine.store %x, %a[%i] : memref<64xf32>
  }
  linalg.exp ins(%a : memref<64xf32>) outs(%b : memref<64xf32>)
  return
}

// In a loop, and between the loops that handles name.
// CHECK-LABEL: func.func @between
// CHECK-NOT: linalg
// CHECK-COUNT-3: affine.store
// CHECK-NOT: linalg
// CHECK: return
func.func @between(%a: memref<8x64xf32>, %b: memref<8x64xf32>) {
  %x = arith.constant 1.0 : f32
  affine.for %i = 0 to 8 {
    linalg.fill ins(%x : f32) outs(%a : memref<8x64xf32>)
  }
  linalg.exp ins(%a : memref<8x64xf32>) outs(%b : memref<8x64xf32>)
  affine.for %i = 0 to 8 {
    affine.store %x, %b[%i, 0] : memref<8x64xf32>
  }
  return
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %op = transform.structured.match ops{["linalg.transpose"]} in %root
      : (!transform.any_op) -> !transform.any_op
    %loops = transform.baco.restructure %op "permute([1,2])"
      : (!transform.any_op) -> !transform.any_op
    %function = transform.structured.match ops{["func.func"]}
      attributes{sym_name = "nest"} in %root
      : (!transform.any_op) -> !transform.any_op
    %fused = transform.baco.restructure %function "fuse([0,1],1)"
      : (!transform.any_op) -> !transform.any_op
    %last = transform.structured.match ops{["func.func"]}
      attributes{sym_name = "between"} in %root
      : (!transform.any_op) -> !transform.any_op
    %all = transform.structured.match ops{["affine.for"]} in %last
      : (!transform.any_op) -> !transform.any_op
    %between = transform.baco.restructure %all "original()"
      : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}
