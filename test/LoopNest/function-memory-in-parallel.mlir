// A copy in a parallel loop has memory of its own in each iteration.
// RUN: baco-opt %s --transform-interpreter | FileCheck %s

// CHECK-LABEL: func.func @product
// CHECK-NEXT:    scf.forall
// CHECK:           %[[COPY:.*]] = memref.alloc() {{.*}} : memref<150x1xf32>
// CHECK:           affine.store %{{.*}}, %[[COPY]]
// CHECK:           affine.load %[[COPY]]
// CHECK:           memref.dealloc %[[COPY]]
// CHECK-NEXT:    }
// CHECK-NOT:     memref.dealloc
func.func @product(%a: memref<120x150xf32>, %b: memref<150x100xf32>,
                   %c: memref<120x100xf32>) {
  scf.forall (%i, %j) = (0, 0) to (120, 100) step (1, 2) {
    %0 = memref.subview %a[%i, 0] [1, 150] [1, 1]
      : memref<120x150xf32> to memref<1x150xf32, strided<[150, 1], offset: ?>>
    %1 = memref.subview %b[0, %j] [150, 2] [1, 1]
      : memref<150x100xf32> to memref<150x2xf32, strided<[100, 1], offset: ?>>
    %2 = memref.subview %c[%i, %j] [1, 2] [1, 1]
      : memref<120x100xf32> to memref<1x2xf32, strided<[100, 1], offset: ?>>
    linalg.matmul
      ins(%0, %1 : memref<1x150xf32, strided<[150, 1], offset: ?>>,
                   memref<150x2xf32, strided<[100, 1], offset: ?>>)
      outs(%2 : memref<1x2xf32, strided<[100, 1], offset: ?>>)
  }
  return
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op) {
    %0 = transform.structured.match ops{["linalg.matmul"]} in %root
      : (!transform.any_op) -> !transform.any_op
    %1 = transform.baco.restructure %0
      [#baco.loop_permute<order = [2, 1, 3], statement = 0>,
       #baco.loop_copy<statement = 0, loop = 2, reference = 2, width = 16>]
      : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}
