// Panels in a buffer of the kernel, which are numbered by quotients of columns.
// RUN: baco-opt %s --transform-interpreter | FileCheck %s

module attributes {transform.with_named_sequence} {
// Level 2 can't hold this copy of B: the next panel comes from level 3.

// CHECK-LABEL: func.func @far
// CHECK: %[[BUFFER:.*]] = memref.alloc() {{.*}} : memref<128x128x32xf32>
// CHECK: affine.for %[[PANEL:.*]] = 0 to 128 {
// CHECK: %[[NEXT:.*]] = arith.addi %[[PANEL]],
// CHECK: affine.for %{{.*}} = 0 to 128 iter_args
// CHECK: memref.prefetch %[[BUFFER]][%[[NEXT]], %{{.*}}, %{{.*}}], read, locality<2>, data
// CHECK-NOT: prefetch
// CHECK: return
func.func @far(%a: memref<128x128xf32>, %b: memref<128x4096xf32>, %c: memref<128x4096xf32>) {
  linalg.matmul {product} ins(%a, %b : memref<128x128xf32>, memref<128x4096xf32>) outs(%c : memref<128x4096xf32>)
  return
}

// It holds this one.

// CHECK-LABEL: func.func @near
// CHECK: memref.alloc() {{.*}} : memref<32x128x32xf32>
// CHECK-NOT: prefetch
// CHECK: return
func.func @near(%a: memref<128x128xf32>, %b: memref<128x1024xf32>, %c: memref<128x1024xf32>) {
  linalg.matmul {product} ins(%a, %b : memref<128x128xf32>, memref<128x1024xf32>) outs(%c : memref<128x1024xf32>)
  return
}

// Two threads have half of the panels each, whose numbers are differences of
// quotients.

// CHECK-LABEL: func.func @chunks
// CHECK: affine.parallel
// CHECK: %[[OWN:.*]] = memref.alloc() {{.*}} : memref<128x128x32xf32>
// CHECK: affine.vector_store %{{.*}}, %[[OWN]]
// CHECK: affine.for %[[PANEL:.*]] = 0 to 128 {
// CHECK: %[[NEXT:.*]] = arith.addi %[[PANEL]],
// CHECK: memref.prefetch %[[OWN]][%[[NEXT]], %{{.*}}, %{{.*}}], read, locality<2>, data
// CHECK-NOT: prefetch
// CHECK: return
func.func @chunks(%a: memref<128x128xf32>, %b: memref<128x8192xf32>, %c: memref<128x8192xf32>) {
  linalg.matmul {half} ins(%a, %b : memref<128x128xf32>, memref<128x8192xf32>) outs(%c : memref<128x8192xf32>)
  return
}

// The next rows of A, which each panel reads again, and fit level 2, aren't
// prefetched with those of C.

// CHECK-LABEL: func.func @rows
// CHECK: affine.prefetch %arg2
// CHECK-NOT: prefetch %arg0
// CHECK: return
func.func @rows(%a: memref<128x128xf32>, %b: memref<128x1024xf32>, %c: memref<128x1024xf32>) {
  linalg.matmul {row_by_row} ins(%a, %b : memref<128x128xf32>, memref<128x1024xf32>) outs(%c : memref<128x1024xf32>)
  return
}

// Of a tile of rows, the next one is read later.

// CHECK-LABEL: func.func @tiled_rows
// CHECK: prefetch %arg0
// CHECK: return
func.func @tiled_rows(%a: memref<128x128xf32>, %b: memref<128x1024xf32>, %c: memref<128x1024xf32>) {
  linalg.matmul {tiled} ins(%a, %b : memref<128x128xf32>, memref<128x1024xf32>) outs(%c : memref<128x1024xf32>)
  return
}

// A buffer of memrefs has no size in bytes.

// CHECK-LABEL: func.func @of_memrefs
// CHECK: return
func.func @of_memrefs(%a: memref<1024xf32>) {
  %rows = memref.alloc() : memref<128xmemref<1024xf32>>
  affine.for %i = 0 to 128 {
    affine.store %a, %rows[%i] : memref<128xmemref<1024xf32>>
  }
  affine.for %i = 0 to 128 {
    affine.for %j = 0 to 1024 {
      %x = affine.load %a[%j] : memref<1024xf32>
      %y = arith.addf %x, %x : f32
      affine.store %y, %a[%j] : memref<1024xf32>
    }
  } {repeated}
  memref.dealloc %rows : memref<128xmemref<1024xf32>>
  return
}
transform.named_sequence @__transform_main(%root: !transform.any_op) {
  %products = transform.structured.match attributes {product} in %root : (!transform.any_op) -> !transform.any_op
  transform.foreach %products : !transform.any_op {
  ^bb0(%product: !transform.any_op):
    %loops = transform.baco.restructure %product
      [#baco.loop_permute<order = [2, 1, 3], statement = 0>,
       #baco.loop_vectorize<statement = 0, loop = 1, width = 32>,
       #baco.loop_unroll<statement = 0, loop = 2, factor = 4>,
       #baco.loop_copy<statement = 0, loop = 1, reference = 2, width = 16, panel = 32>,
       #baco.loop_prefetch<statement = 0, loop = 1, ahead = 1>] : (!transform.any_op) -> !transform.any_op
  }
  %halves = transform.structured.match attributes {half} in %root : (!transform.any_op) -> !transform.any_op
  %chunks = transform.baco.restructure %halves
    [#baco.loop_tile<statement = 0, loop = 2, size = 4096, outer = 1>,
     #baco.loop_parallelize<statement = 0, loop = 1>,
     #baco.loop_permute<order = [1, 3, 2, 4], statement = 0>,
     #baco.loop_vectorize<statement = 0, loop = 2, width = 32>,
     #baco.loop_unroll<statement = 0, loop = 3, factor = 4>,
     #baco.loop_copy<statement = 0, loop = 2, reference = 2, width = 16, panel = 32>,
     #baco.loop_prefetch<statement = 0, loop = 2, ahead = 1>] : (!transform.any_op) -> !transform.any_op
  %others = transform.structured.match attributes {row_by_row} in %root : (!transform.any_op) -> !transform.any_op
  %rows = transform.baco.restructure %others
    [#baco.loop_permute<order = [2, 1, 3], statement = 0>,
     #baco.loop_vectorize<statement = 0, loop = 1, width = 32>,
     #baco.loop_unroll<statement = 0, loop = 2, factor = 4>,
     #baco.loop_prefetch<statement = 0, loop = 2, ahead = 1>] : (!transform.any_op) -> !transform.any_op
  %tiled = transform.structured.match attributes {tiled} in %root : (!transform.any_op) -> !transform.any_op
  %tiles = transform.baco.restructure %tiled
    [#baco.loop_tile<statement = 0, loop = 1, size = 32, outer = 1>,
     #baco.loop_vectorize<statement = 0, loop = 3, width = 32>,
     #baco.loop_prefetch<statement = 0, loop = 2, ahead = 1>] : (!transform.any_op) -> !transform.any_op
  transform.yield
}
}
