// A version for each shape that the option says, with what linalg ops tell of
// other arguments; the function compares extents, and keeps its attributes.
// Versions have the recipes.
// RUN: baco-opt %s --baco-specialize-shapes="shape=product:a=96x32,1=32x48;0=1x32,1=32x1;strided:0=64x64,1=64x64;returned:0=24x64,1=64x8;from_empty:0=40x96;sums:0=96x80" \
// RUN:   | FileCheck %s

// CHECK-LABEL: func.func @product(
// CHECK-SAME:    memref<?x?xf32> {llvm.noalias}
// CHECK-SAME:    attributes {baco.no_tune, llvm.emit_c_interface}
// CHECK-DAG:     %[[C0:.*]] = arith.constant 0 : index
// CHECK-DAG:     %[[C96:.*]] = arith.constant 96 : index
// CHECK-DAG:     %[[ROWS:.*]] = memref.dim %arg0, %[[C0]]
// CHECK-DAG:     arith.cmpi eq, %[[ROWS]], %[[C96]]
// CHECK:         scf.if
// CHECK:           %[[A:.*]] = memref.cast %arg0 : memref<?x?xf32> to memref<96x32xf32>
// CHECK:           func.call @product_96x32_32x48_96x48(%[[A]],
// CHECK:         } else {
// CHECK:           scf.if
// CHECK:             func.call @product_1x32_32x1_1x1(
// CHECK:           } else {
// CHECK-NEXT:        linalg.matmul
// CHECK-SAME:          memref<?x?xf32>
// CHECK-LABEL: func.func private @product_96x32_32x48_96x48(
// CHECK-SAME:    memref<96x32xf32> {llvm.noalias}, %{{.*}}: memref<32x48xf32>, %{{.*}}: memref<96x48xf32>) {
// CHECK-NEXT:    linalg.matmul {baco.recipe = {{.*}} memref<96x32xf32>
// CHECK-NEXT:    return
// CHECK-LABEL: func.func private @product_1x32_32x1_1x1(
func.func @product(%a: memref<?x?xf32> {llvm.noalias}, %b: memref<?x?xf32>,
                   %c: memref<?x?xf32>) attributes {llvm.emit_c_interface} {
  linalg.matmul {baco.recipe = #baco.recipe<[#baco.tile<sizes = [8, 8, 8]>]>}
    ins(%a, %b : memref<?x?xf32>, memref<?x?xf32>) outs(%c : memref<?x?xf32>)
  return
}

// Where the type leaves them open, strides and offset must be contiguous.
// CHECK-LABEL: func.func @strided(
// CHECK:         %{{.*}}, %[[OFFSET:.*]], %{{.*}}:2, %[[STRIDES:.*]]:2 = memref.extract_strided_metadata %arg0
// CHECK:         arith.cmpi eq, %[[OFFSET]], %c0
// CHECK:         arith.cmpi eq, %[[STRIDES]]#0, %c64
// CHECK:         memref.cast %arg0 : memref<?x?xf32, strided<[?, 1], offset: ?>> to memref<64x64xf32>
func.func @strided(%a: memref<?x?xf32, strided<[?, 1], offset: ?>>,
                   %b: memref<?x?xf32>, %c: memref<?x?xf32>) {
  linalg.matmul
    ins(%a, %b : memref<?x?xf32, strided<[?, 1], offset: ?>>, memref<?x?xf32>)
    outs(%c : memref<?x?xf32>)
  return
}

// CHECK-LABEL: func.func @returned(
// CHECK:         tensor.dim %arg0
// CHECK:         %[[RESULT:.*]]:2 = scf.if %{{.*}} -> (tensor<?x?xf32>, f32) {
// CHECK:           %[[CALL:.*]]:2 = func.call @returned_24x64_64x8_24x8(
// CHECK:           %[[CAST:.*]] = tensor.cast %[[CALL]]#0 : tensor<24x8xf32> to tensor<?x?xf32>
// CHECK:           scf.yield %[[CAST]], %[[CALL]]#1
// CHECK:         return %[[RESULT]]#0, %[[RESULT]]#1
// CHECK-LABEL: func.func private @returned_24x64_64x8_24x8(
// CHECK-SAME:    -> (tensor<24x8xf32>, f32)
func.func @returned(%a: tensor<?x?xf32>, %b: tensor<?x?xf32>,
                    %c: tensor<?x?xf32>) -> (tensor<?x?xf32>, f32) {
  %zero = arith.constant 0.0 : f32
  %filled = linalg.fill ins(%zero : f32) outs(%c : tensor<?x?xf32>)
    -> tensor<?x?xf32>
  %0 = linalg.matmul ins(%a, %b : tensor<?x?xf32>, tensor<?x?xf32>)
    outs(%filled : tensor<?x?xf32>) -> tensor<?x?xf32>
  return %0, %zero : tensor<?x?xf32>, f32
}

// The result's extents are no argument's.
// CHECK-LABEL: func.func @from_empty(
// CHECK:         func.call @from_empty_40x96(
func.func @from_empty(%a: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %m = tensor.dim %a, %c0 : tensor<?x?xf32>
  %n = tensor.dim %a, %c1 : tensor<?x?xf32>
  %empty = tensor.empty(%m, %n) : tensor<?x?xf32>
  %0 = linalg.exp ins(%a : tensor<?x?xf32>) outs(%empty : tensor<?x?xf32>)
    -> tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}

// Upstream's folders leave casts of memory to this op.
// CHECK-LABEL: func.func private @sums_96x80_80(
// CHECK-SAME:    %[[A:.*]]: memref<96x80xf32>, %[[S:.*]]: memref<80xf32>)
// CHECK:         linalg.reduce {{.*}} ins(%[[A]] : memref<96x80xf32>) outs(%[[S]] : memref<80xf32>)
func.func @sums(%a: memref<?x?xf32>, %s: memref<?xf32>) {
  linalg.reduce { arith.addf } ins(%a : memref<?x?xf32>)
    outs(%s : memref<?xf32>) dimensions = [0]
  return
}
