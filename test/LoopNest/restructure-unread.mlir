// RUN: baco-opt %s --transform-interpreter | FileCheck %s

// Values that one nest stores for the next are passed in registers if they
// share loops; the allocation is removed unless it has other readers.

// CHECK-LABEL: func.func @kernel
// CHECK-NOT: memref.alloc
// CHECK: affine.for
// CHECK: affine.for
// CHECK: math.exp
// CHECK-NOT: affine.store
// CHECK: %[[D:.*]] = arith.addf
// CHECK: affine.store %[[D]], %{{.*}}
// CHECK-NOT: affine.store
// CHECK-NOT: memref.dealloc
// CHECK: return
func.func @kernel(%A: memref<64x64xf32>, %B: memref<64x64xf32>) {
  %t = memref.alloc() : memref<64x64xf32>
  linalg.exp ins(%A : memref<64x64xf32>) outs(%t : memref<64x64xf32>)
  linalg.add ins(%A, %t : memref<64x64xf32>, memref<64x64xf32>)
             outs(%B : memref<64x64xf32>)
  memref.dealloc %t : memref<64x64xf32>
  return
}

// CHECK-LABEL: func.func @returned
// CHECK: memref.alloc
// CHECK: affine.for
// CHECK-COUNT-2: affine.store
func.func @returned(%A: memref<64x64xf32>, %B: memref<64x64xf32>)
    -> memref<64x64xf32> {
  %t = memref.alloc() : memref<64x64xf32>
  linalg.exp ins(%A : memref<64x64xf32>) outs(%t : memref<64x64xf32>)
  linalg.add ins(%A, %t : memref<64x64xf32>, memref<64x64xf32>)
             outs(%B : memref<64x64xf32>)
  return %t : memref<64x64xf32>
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op) {
    %all = transform.structured.match ops{["func.func"]} in %root
        : (!transform.any_op) -> !transform.any_op
    transform.foreach %all : !transform.any_op {
    ^bb0(%function: !transform.any_op):
      transform.baco.restructure %function
          [#baco.loop_fuse<statements = [0, 1], loop = 2>]
          : (!transform.any_op) -> !transform.any_op
    }
    transform.yield
  }
}
