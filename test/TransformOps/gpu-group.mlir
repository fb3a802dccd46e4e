// A product among ops that are in a block, what it needs, and those behind it, which follow it then.
// RUN: baco-opt %s --transform-interpreter --verify-diagnostics | FileCheck %s

// CHECK-LABEL: func.func @f(
// CHECK:         linalg.fill {{.*}}memref<8x16xf32>
// CHECK-NEXT:    linalg.matmul
// CHECK-NEXT:    linalg.fill {{.*}}memref<8xf32>
// CHECK-NEXT:    linalg.reduce

module attributes {transform.with_named_sequence} {
  func.func @f(%q: memref<8x4xf32>, %k: memref<4x16xf32>, %s: memref<8x16xf32>, %m: memref<8xf32>) {
    %zero = arith.constant 0.0 : f32
    // expected-remark @below {{rows}}
    linalg.fill ins(%zero : f32) outs(%m : memref<8xf32>)
    // expected-remark @below {{element}}
    linalg.fill ins(%zero : f32) outs(%s : memref<8x16xf32>)
    // expected-remark @below {{product}}
    linalg.matmul ins(%q, %k : memref<8x4xf32>, memref<4x16xf32>) outs(%s : memref<8x16xf32>)
    // expected-remark @below {{rows}}
    linalg.reduce {arith.addf} ins(%s : memref<8x16xf32>) outs(%m : memref<8xf32>) dimensions = [1]
    return
  }
  transform.named_sequence @__transform_main(%root: !transform.any_op) {
    %ops = transform.structured.match interface{LinalgOp} in %root
      : (!transform.any_op) -> !transform.any_op
    %elements, %product, %rows = transform.baco.gpu_group %ops
      : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op)
    transform.debug.emit_remark_at %elements, "element" : !transform.any_op
    transform.debug.emit_remark_at %product, "product" : !transform.any_op
    transform.debug.emit_remark_at %rows, "rows" : !transform.any_op
    transform.yield
  }
}
