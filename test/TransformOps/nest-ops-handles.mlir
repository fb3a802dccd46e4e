// RUN: baco-opt %s --transform-interpreter --split-input-file 2>&1 | FileCheck %s

// Handles to what was between the loops are empty: the ops are gone.

// CHECK-LABEL: IR printer: lowered
// CHECK-NOT: linalg.fill
// CHECK: func.func @fill_between
module attributes {transform.with_named_sequence} {
func.func @fill_between(%A: memref<64xf32>, %B: memref<64xf32>, %x: f32) {
  affine.for %i = 0 to 64 {
    affine.store %x, %A[%i] : memref<64xf32>
  }
  linalg.fill ins(%x : f32) outs(%B : memref<64xf32>)
  affine.for %i = 0 to 64 {
    %a = affine.load %A[%i] : memref<64xf32>
    affine.store %a, %B[%i] : memref<64xf32>
  }
  return
}
transform.named_sequence @__transform_main(%root: !transform.any_op) {
  %loops = transform.structured.match ops{["affine.for"]} in %root
      : (!transform.any_op) -> !transform.any_op
  %fill = transform.structured.match ops{["linalg.fill"]} in %root
      : (!transform.any_op) -> !transform.any_op
  %new = transform.baco.restructure %loops []
      : (!transform.any_op) -> !transform.any_op
  transform.print %fill {name = "lowered"} : !transform.any_op
  transform.yield
}
}

// -----

// The same for loops, also those that become affine ones.

// CHECK-LABEL: IR printer: raised
// CHECK-NOT: scf.for
// CHECK-LABEL: IR printer: replaced
// CHECK-NOT: {this}
// CHECK: func.func @loops_between
module attributes {transform.with_named_sequence} {
func.func @loops_between(%A: memref<64xf32>, %B: memref<64xf32>, %x: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  affine.for %i = 0 to 64 {
    affine.store %x, %A[%i] : memref<64xf32>
  }
  scf.for %i = %c0 to %c64 step %c1 {
    memref.store %x, %B[%i] : memref<64xf32>
  }
  affine.for %i = 0 to 64 {
    affine.store %x, %B[%i] : memref<64xf32>
  } {this}
  affine.for %i = 0 to 64 {
    %a = affine.load %A[%i] : memref<64xf32>
    affine.store %a, %B[%i] : memref<64xf32>
  }
  return
}
transform.named_sequence @__transform_main(%root: !transform.any_op) {
  %loops = transform.structured.match ops{["affine.for"]} in %root
      : (!transform.any_op) -> !transform.any_op
  %first, %middle, %last = transform.split_handle %loops
      : (!transform.any_op)
      -> (!transform.any_op, !transform.any_op, !transform.any_op)
  %ends = transform.merge_handles %first, %last : !transform.any_op
  %between = transform.structured.match ops{["scf.for"]} in %root
      : (!transform.any_op) -> !transform.any_op
  %new = transform.baco.restructure %ends []
      : (!transform.any_op) -> !transform.any_op
  transform.print %between {name = "raised"} : !transform.any_op
  transform.print %middle {name = "replaced"} : !transform.any_op
  transform.yield
}
}
