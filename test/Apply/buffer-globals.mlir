// Upstream makes memory of constants in the order of the functions' addresses.
// Its names and places depend on the code alone. Exponentials make schedules win.
// RUN: rm -rf %t && mkdir %t
// RUN: %tune %s --output-dir=%t
// RUN: FileCheck %s --input-file=%t/buffer-globals.tuned.mlir
// CHECK:      memref.global {{.*}} @__constant_32xf32_2 : {{.*}} dense<4.
// CHECK-NEXT: memref.global {{.*}} @__constant_32xf32_1 : {{.*}} dense<3.
// CHECK-NEXT: memref.global {{.*}} @__constant_32xf32_0 : {{.*}} dense<2.
// CHECK-NEXT: memref.global {{.*}} @__constant_32xf32 : {{.*}} dense<1.
// CHECK-NOT:  memref.global
// RUN: baco-opt %s --baco-apply=library=%t/buffer-globals.library.mlir -o %t/applied
// RUN: %stock-mlir-opt %t/buffer-globals.tuned.mlir | cmp - %t/applied

#row = affine_map<(i, j) -> (j)>
#all = affine_map<(i, j) -> (i, j)>
func.func @first(%x: tensor<64x32xf32>) -> tensor<64x32xf32> {
  %c = arith.constant dense<1.0> : tensor<32xf32>
  %r = linalg.generic {indexing_maps = [#row, #all], iterator_types = ["parallel", "parallel"]}
      ins(%c : tensor<32xf32>) outs(%x : tensor<64x32xf32>) {
  ^bb0(%a: f32, %b: f32):
    %t = arith.addf %a, %b : f32
    %s = math.exp %t : f32
    linalg.yield %s : f32
  } -> tensor<64x32xf32>
  return %r : tensor<64x32xf32>
}
func.func @second(%x: tensor<64x32xf32>) -> tensor<64x32xf32> {
  %c = arith.constant dense<2.0> : tensor<32xf32>
  %r = linalg.generic {indexing_maps = [#row, #all], iterator_types = ["parallel", "parallel"]}
      ins(%c : tensor<32xf32>) outs(%x : tensor<64x32xf32>) {
  ^bb0(%a: f32, %b: f32):
    %t = arith.addf %a, %b : f32
    %s = math.exp %t : f32
    linalg.yield %s : f32
  } -> tensor<64x32xf32>
  return %r : tensor<64x32xf32>
}
func.func @third(%x: tensor<64x32xf32>) -> tensor<64x32xf32> {
  %c = arith.constant dense<3.0> : tensor<32xf32>
  %r = linalg.generic {indexing_maps = [#row, #all], iterator_types = ["parallel", "parallel"]}
      ins(%c : tensor<32xf32>) outs(%x : tensor<64x32xf32>) {
  ^bb0(%a: f32, %b: f32):
    %t = arith.addf %a, %b : f32
    %s = math.exp %t : f32
    linalg.yield %s : f32
  } -> tensor<64x32xf32>
  return %r : tensor<64x32xf32>
}
func.func @fourth(%x: tensor<64x32xf32>) -> tensor<64x32xf32> {
  %c = arith.constant dense<4.0> : tensor<32xf32>
  %r = linalg.generic {indexing_maps = [#row, #all], iterator_types = ["parallel", "parallel"]}
      ins(%c : tensor<32xf32>) outs(%x : tensor<64x32xf32>) {
  ^bb0(%a: f32, %b: f32):
    %t = arith.addf %a, %b : f32
    %s = math.exp %t : f32
    linalg.yield %s : f32
  } -> tensor<64x32xf32>
  return %r : tensor<64x32xf32>
}
