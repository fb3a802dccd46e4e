// RUN: baco-opt %s --baco-fingerprint -o %t
// RUN: FileCheck %s --input-file=%t
// RUN: baco-opt %t --baco-fingerprint | cmp - %t

// CHECK:     @declared(f32) -> f32
// CHECK-NOT: fingerprint
// CHECK:     @f({{.*}} attributes {baco.fingerprint = "[[F:[0-9a-f]+]]"}
// CHECK:     @same({{.*}} attributes {baco.fingerprint = "[[F]]"}
// CHECK-NOT: [[F]]
// CHECK:     @other({{.*}} attributes {baco.fingerprint = "{{[0-9a-f]+}}"}
func.func private @declared(f32) -> f32
func.func @f(%x: f32) -> f32 {
  %y = call @declared(%x) : (f32) -> f32
  return %y : f32
}
func.func private @same(%a: f32) -> f32 {
  %b = call @declared(%a) : (f32) -> f32
  return %b : f32
}
func.func @other(%x: f32) -> f32 {
  return %x : f32
}

// A comment has no effect, but what the code may be does.
// CHECK:     @product({{.*}} attributes {baco.fingerprint = "[[P:[0-9a-f]+]]"}
// CHECK:     @comment({{.*}} attributes {baco.fingerprint = "[[P]]"}
// CHECK-NOT: [[P]]
// CHECK:     @rounds({{.*}} attributes {baco.fingerprint = "{{[0-9a-f]+}}"}
// CHECK-NOT: [[P]]
// CHECK:     @options({{.*}}baco.fingerprint = "{{[0-9a-f]+}}"
// CHECK-NOT: [[P]]
#element = affine_map<(i) -> (i)>
func.func @product(%x: memref<8xf32>) {
  linalg.generic {indexing_maps = [#element], iterator_types = ["parallel"]} outs(%x : memref<8xf32>) {
  ^bb0(%a: f32):
    linalg.yield %a : f32
  }
  return
}
func.func @comment(%x: memref<8xf32>) {
  linalg.generic {doc = "x = x", indexing_maps = [#element], iterator_types = ["parallel"]} outs(%x : memref<8xf32>) {
  ^bb0(%a: f32):
    linalg.yield %a : f32
  }
  return
}
func.func @rounds(%x: memref<8xf32>) {
  linalg.generic {indexing_maps = [#element], iterator_types = ["parallel"]} outs(%x : memref<8xf32>) attrs = {baco.tf32} {
  ^bb0(%a: f32):
    linalg.yield %a : f32
  }
  return
}
func.func @options(%x: memref<8xf32>) attributes {baco.target_options = {prefer_vector_width = 256 : i64}} {
  linalg.generic {indexing_maps = [#element], iterator_types = ["parallel"]} outs(%x : memref<8xf32>) {
  ^bb0(%a: f32):
    linalg.yield %a : f32
  }
  return
}
