// Extents with a ? stay dynamic in the version. Its linalg ops are loops, whose
// bound is the same extent where two are measured alike, and the function
// compares those. A version for fewer shapes comes before one for more.
// RUN: baco-opt %s --baco-specialize-shapes="shape=product:0=96?x32,1=32x48;0=64x32,1=32x48;strided:0=64?x40?" \
// RUN:   | FileCheck %s
// Without a number it stays dynamic if no other extent tells.
// RUN: baco-opt %s --baco-specialize-shapes="shape=product:0=?x?,1=32x?,2=?x48" \
// RUN:   | FileCheck %s --check-prefix=DEFAULT

// CHECK-LABEL: func.func @product(
// CHECK-DAG:     %[[ROWS:.*]] = memref.dim %arg0, %c0
// CHECK-DAG:     %[[SUMS:.*]] = memref.dim %arg2, %c0
// CHECK:         arith.cmpi eq, %[[SUMS]], %[[ROWS]]
// CHECK:         %[[BYTES:.*]] = arith.muli %c192{{.*}}, %[[SUMS]]
// CHECK:         arith.addi %{{.*}}, %[[BYTES]]
// CHECK:         func.call @product_64x32_32x48_64x48(
// CHECK:         func.call @product_nx32_32x48_nx48(
// CHECK-SAME:      (memref<?x32xf32>, memref<32x48xf32>, memref<?x48xf32>) -> ()
// CHECK:         linalg.matmul
// CHECK-LABEL: func.func private @product_64x32_32x48_64x48(
// CHECK-LABEL: func.func private @product_nx32_32x48_nx48(
// CHECK-SAME:    %[[A:.*]]: memref<?x32xf32> {baco.extents = array<i64: 96, 32>},
// CHECK-SAME:    memref<32x48xf32>,
// CHECK-SAME:    memref<?x48xf32> {baco.extents = array<i64: 96, 48>})
// CHECK:         %[[N:.*]] = memref.dim %[[A]], %c0
// CHECK:         affine.for %{{.*}} = 0 to %[[N]] {
// CHECK-NEXT:      affine.for %{{.*}} = 0 to 48 {
// CHECK-NEXT:        affine.for %{{.*}} = 0 to 32 {
// CHECK:               affine.store %{{.*}} : memref<?x48xf32>

// DEFAULT-LABEL: func.func private @product_nx32_32x48_nx48(
// DEFAULT-SAME:    array<i64: 256, 32>
func.func @product(%a: memref<?x?xf32>, %b: memref<?x?xf32>, %c: memref<?x?xf32>) {
  linalg.matmul ins(%a, %b : memref<?x?xf32>, memref<?x?xf32>) outs(%c : memref<?x?xf32>)
  return
}

// Rows must follow each other, however long they are.
// CHECK-LABEL: func.func @strided(
// CHECK:         %{{.*}}, %[[OFFSET:.*]], %{{.*}}:2, %[[STRIDES:.*]]:2 = memref.extract_strided_metadata %arg0
// CHECK:         arith.cmpi eq, %[[OFFSET]], %c0
// CHECK:         %[[COLUMNS:.*]] = memref.dim %arg0, %c1
// CHECK:         %[[LENGTH:.*]] = arith.muli %[[STRIDES]]#1, %[[COLUMNS]]
// CHECK:         arith.cmpi eq, %[[STRIDES]]#0, %[[LENGTH]]
// CHECK:         func.call @strided_nxn(
// CHECK-LABEL: func.func private @strided_nxn(
// CHECK-SAME:    memref<?x?xf32> {baco.extents = array<i64: 64, 40>}
func.func @strided(%a: memref<?x?xf32, strided<[?, 1], offset: ?>>) {
  linalg.exp ins(%a : memref<?x?xf32, strided<[?, 1], offset: ?>>) outs(%a : memref<?x?xf32, strided<[?, 1], offset: ?>>)
  return
}
