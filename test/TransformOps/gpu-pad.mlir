// Extents that no tile divides: all tiles are full, copies to shared memory read at
// most what is there, and the result is stored where there is one.
// RUN: split-file %s %t
// RUN: baco-opt %t/product.mlir --baco-expand-recipes --transform-interpreter | FileCheck %s
// RUN: baco-opt %t/division.mlir --baco-expand-recipes --transform-interpreter \
// RUN:   | FileCheck %s --check-prefix=LOOP
// RUN: not baco-opt %t/error.mlir --transform-interpreter 2>&1 \
// RUN:   | FileCheck %s --check-prefix=ERROR

//--- product.mlir
// CHECK-LABEL: func.func @product(
// CHECK-SAME:    %[[A:.*]]: memref<61x61xf32, strided<[64, 1]>>, %[[B:.*]]: memref<61x60xf32>, %[[C:.*]]: memref<61x60xf32>
// CHECK:       gpu.launch blocks({{.*}}) in (%{{[a-z0-9]+}} = %c2, %{{[a-z0-9]+}} = %c2,
// Rows of A have 61 elements, so that a vector may be partly inside:
// CHECK:         %[[LEFT:.*]] = arith.subi %c61{{.*}}, 
// CHECK:         %[[SOME:.*]] = arith.maxsi %[[LEFT]]
// CHECK:         %[[COUNT:.*]] = arith.minsi %[[SOME]]
// CHECK:         %[[READ:.*]] = arith.select {{.*}}, %[[COUNT]]
// CHECK:         nvgpu.device_async_copy %[[A]][{{.*}}], {{.*}}, 4, %[[READ]]
// CHECK:         nvgpu.device_async_copy %[[B]]
// CHECK:         scf.for
// CHECK:           vector.load {{.*}}workgroup
// All rows of a thread are inside, or each is stored if it is:
// CHECK:         scf.if
// CHECK-COUNT-4:   vector.store {{.*}}, %[[C]][{{.*}}] : memref<61x60xf32>, vector<4xf32>
// CHECK-NEXT:    } else {
// CHECK-COUNT-4:   scf.if
// CHECK-NEXT:        vector.store {{.*}}, %[[C]][{{.*}}] : memref<61x60xf32>, vector<4xf32>
// CHECK-NOT:     unrealized_conversion_cast
// CHECK:         gpu.terminator
func.func @product(%a: memref<61x61xf32, strided<[64, 1]>>, %b: memref<61x60xf32>, %c: memref<61x60xf32>) {
  linalg.matmul {baco.recipe = #baco.recipe<[
      #baco.gpu_pad<extents = [64, 64, 64]>,
      #baco.gpu_blocks<sizes = [32, 32, 0]>, #baco.tile<sizes = [0, 0, 16]>,
      #baco.gpu_shared<operands = [0, 1], width = 4, stages = 2>,
      #baco.gpu_threads<sizes = [4, 4, 0]>, #baco.tile<sizes = [0, 0, 1]>,
      #baco.vectorize<>, #baco.hoist<>]>}
    ins(%a, %b : memref<61x61xf32, strided<[64, 1]>>, memref<61x60xf32>)
    outs(%c : memref<61x60xf32>)
  return
}

//--- division.mlir
// Nothing is divided by an element that isn't there.
// LOOP-LABEL: func.func @division(
// LOOP:         %[[INSIDE:.*]] = arith.cmpi ult, %{{.*}}, %c61
// LOOP-NEXT:    scf.if %[[INSIDE]] {
// LOOP:           arith.divsi
// LOOP:           memref.store
// LOOP-NEXT:    }
func.func @division(%a: memref<61xi32>, %b: memref<61xi32>) {
  linalg.div {baco.recipe = #baco.recipe<[
      #baco.gpu_pad<extents = [64]>,
      #baco.gpu_blocks<sizes = [32]>, #baco.gpu_threads<sizes = [1]>]>}
    ins(%a, %b : memref<61xi32>, memref<61xi32>) outs(%b : memref<61xi32>)
  return
}

//--- error.mlir
// ERROR: error: extent 60 of iterator 0 is smaller than the op's, or that is not static
// ERROR: note: the target is this
module attributes {transform.with_named_sequence} {
  func.func @f(%a: memref<61xf32>, %b: memref<61xf32>) {
    linalg.copy ins(%a : memref<61xf32>) outs(%b : memref<61xf32>)
    return
  }
  transform.named_sequence @__transform_main(%m: !transform.any_op {transform.readonly}) {
    %copy = transform.structured.match ops{["linalg.copy"]} in %m
      : (!transform.any_op) -> !transform.any_op
    transform.baco.gpu_pad %copy [60] : !transform.any_op
    transform.yield
  }
}
